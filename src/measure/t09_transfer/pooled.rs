//! Several benchmarks pooled (`statistics.md` §1, §8): one member a family, totals by Cochran–Mantel–Haenszel, paired data
//! by a sign-flip within benchmark. A public baseline is in the headline figure only where it stands for the base, and
//! the same pool with internal baselines stands beside it.

use std::collections::BTreeMap;

use super::contrast::Contrast;
use crate::measure::comparison::CONFIDENCE;
use crate::model::Transfer;
use crate::stats::{self, Stratum};
use crate::store::{Frame, StoreError};

/// What is known of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Family.
    pub family: String,
    /// Day of release, UTC milliseconds.
    pub released: Option<i64>,
    /// Harness.
    pub harness: Option<String>,
}

/// Benchmarks of the store by name.
///
/// # Errors
/// The frame of `benchmarks.sql` lacks a column.
pub fn known(frame: &Frame) -> Result<BTreeMap<String, Known>, StoreError> {
    let mut found = BTreeMap::new();
    for row in frame.iter() {
        let known = Known {
            family: row.text("family")?.to_owned(),
            released: row.opt_time("released")?,
            harness: row.opt_text("harness")?.map(str::to_owned),
        };
        found.insert(row.text("benchmark")?.to_owned(), known);
    }
    Ok(found)
}

/// What training saw, against what is known of benchmarks.
pub struct Seen<'a> {
    transfer: Option<&'a Transfer>,
    known: &'a BTreeMap<String, Known>,
    /// Scaffolds of the trained arm's logs, for benchmarks whose harness nobody names.
    scaffolds: &'a [String],
}

impl<'a> Seen<'a> {
    /// Of a study and the trained arm's scaffolds.
    pub fn of(
        transfer: Option<&'a Transfer>,
        known: &'a BTreeMap<String, Known>,
        scaffolds: &'a [String],
    ) -> Seen<'a> {
        Seen { transfer, known, scaffolds }
    }

    /// The harness in which a benchmark ran.
    pub fn harness(&self, benchmark: &str) -> Option<&str> {
        let named = self.known.get(benchmark).and_then(|known| known.harness.as_deref());
        match (named, self.scaffolds) {
            (Some(name), _) => Some(name),
            (None, [only]) => Some(only),
            _ => None,
        }
    }

    /// Whether training ran in that harness; a scaffold bears its version behind its name.
    pub fn harness_seen(&self, benchmark: &str) -> Option<bool> {
        let seen = &self.transfer.filter(|transfer| !transfer.harnesses_seen.is_empty())?.harnesses_seen;
        let harness = self.harness(benchmark)?;
        let is_it = |name: &String| {
            harness == name || harness.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('-'))
        };
        Some(seen.iter().any(is_it))
    }

    /// Whether a benchmark was released after the training data were collected.
    pub fn released_after(&self, benchmark: &str) -> Option<bool> {
        let transfer = self.transfer?;
        if transfer.released_after.iter().any(|name| name == benchmark) {
            return Some(true);
        }
        Some(self.known.get(benchmark)?.released? > transfer.collected_until?)
    }

    fn family(&self, benchmark: &str) -> String {
        self.known.get(benchmark).map_or_else(|| benchmark.to_owned(), |known| known.family.clone())
    }

    /// The member of a family that enters: the one that the study names, else the one released last; where no day is
    /// known, the last by name.
    fn member<'c>(&self, members: &[&'c str]) -> Option<&'c str> {
        let family = self.family(members.first()?);
        let named = self.transfer.and_then(|transfer| transfer.family_member.get(&family));
        let of_study = members.iter().copied().find(|member| Some(*member) == named.map(String::as_str));
        let released = |member: &&str| self.known.get(*member).and_then(|known| known.released);
        of_study.or_else(|| members.iter().copied().max_by_key(|member| (released(member), *member)))
    }
}

/// A pool of benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// All of them.
    All,
    /// Released after the training data were collected.
    ReleasedAfter,
    /// Released before.
    ReleasedBefore,
    /// In a harness that training did not see.
    HarnessNew,
    /// In a harness that training saw.
    HarnessSeen,
}

impl Slice {
    /// All slices in the order of the table.
    pub const ALL: [Slice; 5] =
        [Slice::All, Slice::ReleasedAfter, Slice::ReleasedBefore, Slice::HarnessNew, Slice::HarnessSeen];

    /// Id of its rows.
    pub const fn id(self) -> &'static str {
        match self {
            Slice::All => "all",
            Slice::ReleasedAfter => "released_after",
            Slice::ReleasedBefore => "released_before",
            Slice::HarnessNew => "harness_new",
            Slice::HarnessSeen => "harness_seen",
        }
    }

    /// Its words.
    pub const fn words(self) -> &'static str {
        match self {
            Slice::All => "all sets",
            Slice::ReleasedAfter => "released after the training data",
            Slice::ReleasedBefore => "released before",
            Slice::HarnessNew => "harness not seen in training",
            Slice::HarnessSeen => "harness seen in training",
        }
    }

    /// All sets and those released after are nested, and one family of two p.
    pub const fn is_of_family(self) -> bool {
        matches!(self, Slice::All | Slice::ReleasedAfter)
    }

    fn holds(self, seen: &Seen, benchmark: &str) -> bool {
        match self {
            Slice::All => true,
            Slice::ReleasedAfter => seen.released_after(benchmark) == Some(true),
            Slice::ReleasedBefore => seen.released_after(benchmark) == Some(false),
            Slice::HarnessNew => seen.harness_seen(benchmark) == Some(false),
            Slice::HarnessSeen => seen.harness_seen(benchmark) == Some(true),
        }
    }
}

/// Which baselines and members a pool has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The baselines that stand for the base.
    Headline,
    /// Internal baselines, where there is one beside the headline.
    Internal,
    /// Another member of a family.
    Member(String),
}

/// One pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Slice.
    pub slice: Slice,
    /// Choice.
    pub choice: Choice,
    /// Benchmarks that enter, one a family.
    pub benchmarks: Vec<String>,
    /// Their counts; empty where the pool is paired.
    pub strata: Vec<Stratum>,
    /// p of the pooled test.
    pub p: Option<f64>,
    /// Cochran–Mantel–Haenszel.
    pub cmh: Option<stats::Cmh>,
    /// Pooled gain in points.
    pub gain: Option<stats::RiskDifference>,
    /// Paired: mean over benchmarks of the mean difference, and mean over all instances.
    pub paired: Option<(f64, f64)>,
}

impl Pool {
    /// Id of its row.
    pub fn id(&self) -> String {
        match &self.choice {
            Choice::Headline => self.slice.id().to_owned(),
            Choice::Internal => format!("{}.internal", self.slice.id()),
            Choice::Member(name) => format!("{}.{name}", self.slice.id()),
        }
    }
}

/// Pools of a pair: each slice that at least two families have, then with internal baselines, then with every other
/// member of a family.
pub fn pools(contrasts: &[Contrast], seen: &Seen, seed: u64) -> Vec<Pool> {
    let mut found: Vec<Pool> = Vec::new();
    for slice in Slice::ALL {
        let all: Vec<&Contrast> = contrasts
            .iter()
            .filter(|contrast| slice.holds(seen, &contrast.benchmark) && contrast.stratum().is_some())
            .collect();
        let headline: Vec<&Contrast> = all.iter().copied().filter(|contrast| contrast.headline).collect();
        let Some(main) = pool(slice, Choice::Headline, &headline, None, seen, seed) else { continue };
        // A slice that is all sets says nothing new.
        if slice != Slice::All && found.first().is_some_and(|first| first.benchmarks == main.benchmarks) {
            continue;
        }
        let others: Vec<&str> = headline
            .iter()
            .map(|contrast| contrast.benchmark.as_str())
            .filter(|benchmark| !main.benchmarks.iter().any(|chosen| chosen == benchmark))
            .collect();
        let internal = with_internal(&headline, &all);
        found.push(main);
        if internal != headline {
            found.extend(pool(slice, Choice::Internal, &internal, None, seen, seed));
        }
        for other in others {
            found.extend(pool(slice, Choice::Member(other.to_owned()), &headline, Some(other), seen, seed));
        }
    }
    found
}

/// The headline contrasts, an internal baseline in place of a public one where there is one.
pub fn with_internal<'c>(headline: &[&'c Contrast], all: &[&'c Contrast]) -> Vec<&'c Contrast> {
    let internal = |contrast: &&'c Contrast| {
        let is_internal =
            |other: &&&'c Contrast| other.benchmark == contrast.benchmark && !other.base.is_public();
        if contrast.base.is_public() { all.iter().find(is_internal).copied() } else { None }
            .unwrap_or(contrast)
    };
    headline.iter().map(internal).collect()
}

fn pool(
    slice: Slice,
    choice: Choice,
    contrasts: &[&Contrast],
    instead: Option<&str>,
    seen: &Seen,
    seed: u64,
) -> Option<Pool> {
    let mut families: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for contrast in contrasts {
        families.entry(seen.family(&contrast.benchmark)).or_default().push(&contrast.benchmark);
    }
    let member = |members: &Vec<&str>| {
        let named = instead.and_then(|name| members.iter().copied().find(|member| *member == name));
        named.or_else(|| seen.member(members)).map(str::to_owned)
    };
    let mut benchmarks: Vec<String> = families.values().filter_map(member).collect();
    benchmarks.sort_unstable();
    let entering: Vec<&Contrast> =
        contrasts.iter().copied().filter(|contrast| benchmarks.contains(&contrast.benchmark)).collect();
    if entering.len() < 2 {
        return None;
    }
    let mut pool =
        Pool { slice, choice, benchmarks, strata: Vec::new(), p: None, cmh: None, gain: None, paired: None };
    let differences: Option<Vec<Vec<f64>>> = entering.iter().map(|contrast| contrast.differences()).collect();
    match differences {
        Some(differences) => paired(&mut pool, &differences, seed),
        None => {
            pool.strata = entering.iter().filter_map(|contrast| contrast.stratum()).collect();
            let cmh = stats::cmh(&pool.strata, CONFIDENCE);
            pool.p = cmh.p;
            pool.cmh = Some(cmh);
            pool.gain = stats::mh_risk_difference(&pool.strata, CONFIDENCE);
        }
    }
    Some(pool)
}

/// Sign-flip within benchmark: the statistic is the mean over benchmarks of the mean difference.
fn paired(pool: &mut Pool, differences: &[Vec<f64>], seed: u64) {
    let weighted: Vec<f64> = differences
        .iter()
        .flat_map(|of_benchmark| of_benchmark.iter().map(|difference| difference / of_benchmark.len() as f64))
        .collect();
    let all: Vec<f64> = differences.concat();
    pool.p = stats::signflip(&weighted, seed).map(|flip| flip.p);
    let means: Option<Vec<f64>> = differences.iter().map(|of_benchmark| stats::mean(of_benchmark)).collect();
    pool.paired = means.as_deref().and_then(stats::mean).zip(stats::mean(&all));
}
