//! Where the change in resolved comes from: by repository, language, difficulty, base success rate and size of the patch
//! (`definitions.md` §5, decomposition of the change). Each stratum's contribution is its share of the instances times
//! its Δ; the contributions of a factor sum to Δ resolved of T5 to the last digit.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{numbers, words};
use super::comparison::{Compared, Sides, compare};
use super::data::{Data, InstanceOutcomes};
use super::funnel::that_add_up;
use super::outcome_rows::{Unscored, resolved};
use super::t05_comparison::Comparison;
use super::{Material, Question, TableFamily, foot};
use crate::behaviours::BehaviourKind;
use crate::facts::project::repository_of;
use crate::model::table::{Cell, Missing, Row, Table};
use crate::number;
use crate::stats;
use crate::store::{Frame, StoreError};

/// The table of strata.
pub const TABLE: TableFamily = TableFamily {
    code: "strata",
    title: "where the change comes from",
    about: "The instances that T5 compares, parted by a fact that holds of them before the trained arm runs. Contribution = \
            share of the instances × Δ of the stratum; the contributions of a factor sum to Δ resolved. Tests within strata \
            are those of T5, adjusted within their factor. Strata by base success are formed by the very runs that they \
            compare: chance alone lifts the lowest and lowers the highest, so that they have no test.",
    queries: &["instance_facts", "patch_files"],
    columns: &[
        ("factor", "what parts the instances"),
        ("stratum", "part"),
        ("instances", "instances of the stratum that both arms have scored"),
        ("base", "base arm: mean over these of resolved over scored runs"),
        ("trained", "trained arm, the same"),
        ("delta", "trained − base within the stratum"),
        ("interval", "95 % interval of that difference"),
        ("p", "two-sided p of the test that the design asks for, as the foot names it"),
        ("p_adjusted", "p after Benjamini–Hochberg over the strata of the factor"),
        ("contribution", "what the stratum adds to Δ resolved: its share of the instances times its Δ"),
    ],
    paper: &[
        "factor",
        "stratum",
        "instances",
        "base",
        "trained",
        "delta",
        "interval",
        "p_adjusted",
        "contribution",
    ],
    build,
    series: |_| Ok(Vec::new()),
};

/// What parts the instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factor {
    /// Repository: of the instance, else from an id `owner__name-N`.
    Repo,
    /// Programming language of the instance.
    Language,
    /// Difficulty by the benchmark's own scale.
    Difficulty,
    /// Success rate of the base arm.
    BaseRate,
    /// Files of the gold patch, else of the base arm's patch.
    PatchSize,
}

impl Factor {
    /// All, in the order of the table.
    pub const ALL: [Factor; 5] =
        [Factor::Repo, Factor::Language, Factor::Difficulty, Factor::BaseRate, Factor::PatchSize];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Factor::Repo => "repo",
            Factor::Language => "language",
            Factor::Difficulty => "difficulty",
            Factor::BaseRate => "base_rate",
            Factor::PatchSize => "patch_size",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Factor::Repo => "repository",
            Factor::Language => "language",
            Factor::Difficulty => "difficulty",
            Factor::BaseRate => "base success",
            Factor::PatchSize => "patch size",
        }
    }
}

/// Strata of a factor that are printed; the smaller ones are one row.
const MOST: usize = 15;

/// A stratum: its place in an order of its own, and its words.
type Stratum = (usize, String);

const UNKNOWN: (usize, &str) = (usize::MAX, "not known");

/// Files of the patch of each run: by arm, benchmark and instance.
type PatchFiles = BTreeMap<(String, String, String), Vec<f64>>;

/// What is known of instances and patches.
struct Known {
    facts: BTreeMap<(String, String), InstanceFacts>,
    files: PatchFiles,
}

#[derive(Default)]
struct InstanceFacts {
    repo: Option<String>,
    language: Option<String>,
    difficulty: Option<String>,
    gold_files: Option<i64>,
}

fn known(material: &Material) -> Result<Known, StoreError> {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let mut facts = BTreeMap::new();
    for row in material.frames.get("instance_facts")?.iter() {
        let found = InstanceFacts {
            repo: owned(row.opt_text("repo")?),
            language: owned(row.opt_text("language")?),
            difficulty: owned(row.opt_text("difficulty")?),
            gold_files: row.opt_int("gold_files")?,
        };
        facts.insert((row.text("benchmark")?.to_owned(), row.text("instance_id")?.to_owned()), found);
    }
    Ok(Known { facts, files: patch_files(material.frames.get("patch_files")?)? })
}

fn patch_files(frame: &Frame) -> Result<PatchFiles, StoreError> {
    let mut files = PatchFiles::new();
    for row in frame.iter() {
        let key = (
            row.text("arm")?.to_owned(),
            row.text("benchmark")?.to_owned(),
            row.text("instance_id")?.to_owned(),
        );
        if let Some(count) = row.opt_int("files")? {
            let times = usize::try_from(row.int("n")?).unwrap_or_default();
            files.entry(key).or_default().extend(std::iter::repeat_n(count as f64, times));
        }
    }
    Ok(files)
}

impl Known {
    fn stratum(&self, factor: Factor, comparison: &Comparison, data: &Data, instance: &str) -> Stratum {
        let facts = self.facts.get(&(comparison.benchmark.clone(), instance.to_owned()));
        let named = |name: Option<String>| name.map(|name| (0, name));
        let found = match factor {
            Factor::Repo => {
                named(facts.and_then(|facts| facts.repo.clone()).or_else(|| repository_of(instance)))
            }
            Factor::Language => named(facts.and_then(|facts| facts.language.clone())),
            Factor::Difficulty => named(facts.and_then(|facts| facts.difficulty.clone())),
            Factor::BaseRate => data
                .outcomes_of(&comparison.base, &comparison.benchmark)
                .and_then(|outcomes| outcomes.get(instance))
                .and_then(base_rate),
            Factor::PatchSize => self.size(facts, comparison, instance),
        };
        found.unwrap_or((UNKNOWN.0, UNKNOWN.1.to_owned()))
    }

    fn size(
        &self,
        facts: Option<&InstanceFacts>,
        comparison: &Comparison,
        instance: &str,
    ) -> Option<Stratum> {
        let key = (comparison.base.clone(), comparison.benchmark.clone(), instance.to_owned());
        let of_base = || stats::median(self.files.get(&key)?);
        let files = if self.has_gold(comparison) { facts?.gold_files? as f64 } else { of_base()? };
        Some(match files {
            files if files < 0.5 => (0, "no patch".to_owned()),
            files if files < 1.5 => (1, "1 file".to_owned()),
            files if files < 2.5 => (2, "2 files".to_owned()),
            files if files < 5.5 => (3, "3 to 5 files".to_owned()),
            _ => (4, "6 files or more".to_owned()),
        })
    }

    /// One measure for all instances of a table: the gold patch's as soon as any is known.
    fn has_gold(&self, comparison: &Comparison) -> bool {
        let of_benchmark = |((benchmark, _), facts): (&(String, String), &InstanceFacts)| {
            *benchmark == comparison.benchmark && facts.gold_files.is_some()
        };
        self.facts.iter().any(of_benchmark)
    }
}

fn base_rate(counts: &InstanceOutcomes) -> Option<Stratum> {
    let (resolved, scored) = (counts.resolved, counts.scored);
    Some(match scored {
        0 => return None,
        _ if resolved == 0 => (0, "solved in no run".to_owned()),
        _ if resolved == scored => (4, "solved in every run".to_owned()),
        _ if 3 * resolved <= scored => (1, "up to a third of runs".to_owned()),
        _ if 3 * resolved <= 2 * scored => (2, "up to two thirds of runs".to_owned()),
        _ => (3, "more than two thirds of runs".to_owned()),
    })
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let known = known(material)?;
    Ok(material.comparisons.iter().filter_map(|comparison| table(material, comparison, &known)).collect())
}

fn table(material: &Material, comparison: &Comparison, known: &Known) -> Option<Table> {
    let compared = comparison.resolved.as_ref().filter(|compared| compared.paired)?;
    let factors = Factor::ALL.into_iter().filter(|factor| is_asked(material.question, *factor));
    let mut rows = Vec::new();
    let mut tests = Vec::new();
    let mut printed = Vec::new();
    for factor in factors {
        let strata = strata(factor, material.data, comparison, compared, known);
        if strata.len() > 1 {
            printed.push(factor);
            rows.extend(factor_rows(material, comparison, compared, factor, &strata, &mut tests));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut foot = vec![format!(
        "unit=instance; {} instances scored in both arms; contribution=share of the instances × Δ; the contributions of a \
         factor sum to Δ resolved (rounded to 10⁻⁴ points by the largest remainders)",
        number::count(compared.instances.0)
    )];
    foot.extend(printed.iter().filter_map(|factor| meaning(*factor, comparison, known)));
    foot.extend(foot::methods(tests.iter()));
    foot.push(
        "family=the strata of a factor, Benjamini–Hochberg; strata are looked at, not asked about".to_owned(),
    );
    foot.extend(foot::common(material.question));
    Some(Table {
        code: TABLE.code.to_owned(),
        id: comparison.id(TABLE.code),
        title: format!(
            "where the change comes from, {} against {} on {}",
            comparison.base, comparison.trained, comparison.benchmark
        ),
        subtitle:
            "mean over instances of resolved over scored runs, %; differences and contributions in points"
                .to_owned(),
        columns: vec![
            words("factor", "by"),
            words("stratum", "stratum"),
            numbers("instances", "n", "instances"),
            numbers("base", comparison.base.as_str(), "%"),
            numbers("trained", comparison.trained.as_str(), "%"),
            numbers("delta", "Δ", "points"),
            numbers("interval", "95 % interval", "points"),
            numbers("p", "p", ""),
            numbers("p_adjusted", "p adj.", ""),
            numbers("contribution", "contribution", "points"),
        ],
        rows,
        foot,
        decimals: 4,
    })
}

/// What the foot says of a factor that is not a fact of the benchmark alone.
fn meaning(factor: Factor, comparison: &Comparison, known: &Known) -> Option<String> {
    Some(match factor {
        Factor::Language | Factor::Difficulty => return None,
        Factor::Repo => "repository=that of the instance, else of an id owner__name-N".to_owned(),
        Factor::BaseRate => {
            "base success parts the instances by the runs that it compares: the lowest stratum can only rise \
                             and the highest only fall by chance (regression to the mean), hence no test"
                .to_owned()
        }
        Factor::PatchSize if known.has_gold(comparison) => "patch size=files of the gold patch".to_owned(),
        Factor::PatchSize => format!(
            "patch size=files of the patch of {}, median over its runs with a log (no gold patches are known)",
            comparison.base
        ),
    })
}

fn is_asked(question: &Question, factor: Factor) -> bool {
    question.by.is_empty() || question.by.contains(&factor)
}

/// Instances that are compared, by stratum in the order of the table; small ones beyond the limit are one.
fn strata<'a>(
    factor: Factor,
    data: &Data,
    comparison: &Comparison,
    compared: &'a Compared,
    known: &Known,
) -> Vec<(String, BTreeMap<&'a str, f64>)> {
    let mut found: BTreeMap<Stratum, BTreeMap<&str, f64>> = BTreeMap::new();
    for (instance, difference) in &compared.differences {
        let stratum = known.stratum(factor, comparison, data, instance);
        found.entry(stratum).or_default().insert(instance, *difference);
    }
    if found.keys().all(|stratum| stratum.0 == UNKNOWN.0) {
        return Vec::new();
    }
    let mut strata: Vec<(Stratum, BTreeMap<&str, f64>)> = found.into_iter().collect();
    if matches!(factor, Factor::Repo | Factor::Language) {
        // Names have no order of their own: the largest first, the rest together.
        strata.sort_by(|left, right| right.1.len().cmp(&left.1.len()).then(left.0.cmp(&right.0)));
    }
    if strata.len() > MOST + 1 {
        let rest = strata.split_off(MOST);
        let name = format!("{} others", number::count(rest.len() as i64));
        let instances = rest.into_iter().flat_map(|(_, instances)| instances).collect();
        strata.push(((UNKNOWN.0, name), instances));
    }
    strata.into_iter().map(|((_, name), instances)| (name, instances)).collect()
}

fn factor_rows(
    material: &Material,
    comparison: &Comparison,
    compared: &Compared,
    factor: Factor,
    strata: &[(String, BTreeMap<&str, f64>)],
    tests: &mut Vec<Compared>,
) -> Vec<Row> {
    let all = compared.differences.len() as f64;
    let parts: Vec<f64> = strata.iter().map(|(_, instances)| instances.values().sum::<f64>() / all).collect();
    let (parts, whole) = that_add_up(&parts, compared.delta.unwrap_or_default());
    let within: Vec<Option<Compared>> = strata
        .iter()
        .map(|(_, instances)| of_stratum(material, comparison, &instances.keys().copied().collect()))
        .collect();
    let is_tested = factor != Factor::BaseRate;
    let raw: Vec<Option<f64>> =
        within.iter().map(|found| found.as_ref().and_then(|found| found.p).filter(|_| is_tested)).collect();
    let adjusted = stats::p_adjust(&raw, stats::Adjustment::Bh);
    let mut rows: Vec<Row> = Vec::new();
    for (place, (name, instances)) in strata.iter().enumerate() {
        let found = within[place].as_ref();
        let numbers = Numbers {
            instances: instances.len() as i64,
            compared: found,
            p: raw[place],
            p_adjusted: adjusted[place],
            is_tested,
            contribution: parts[place],
        };
        rows.push(row(factor, &format!("{}.{name}", factor.as_str()), name, &numbers));
        tests.extend(found.filter(|_| is_tested).cloned());
    }
    let numbers = Numbers {
        instances: compared.instances.0,
        compared: Some(compared),
        p: None,
        p_adjusted: None,
        is_tested: false,
        contribution: whole,
    };
    rows.push(row(factor, &format!("{}:all", factor.as_str()), "Δ resolved", &numbers));
    rows
}

/// The instances of a stratum compared as T5 compares all.
fn of_stratum(material: &Material, comparison: &Comparison, instances: &BTreeSet<&str>) -> Option<Compared> {
    let side = |arm: &str| {
        let outcomes = material.data.outcomes_of(arm, &comparison.benchmark)?;
        let kept = outcomes.iter().filter(|(instance, _)| instances.contains(instance.as_str()));
        Some(resolved(
            &kept.map(|(instance, counts)| (instance.clone(), *counts)).collect(),
            Unscored::Excluded,
        ))
    };
    let (base, trained) = (side(&comparison.base)?, side(&comparison.trained)?);
    compare(&Sides {
        base: &base,
        trained: &trained,
        kind: BehaviourKind::Share,
        paired: true,
        seed: material.question.seed,
    })
}

/// What a row prints.
struct Numbers<'a> {
    instances: i64,
    compared: Option<&'a Compared>,
    p: Option<f64>,
    p_adjusted: Option<f64>,
    is_tested: bool,
    contribution: f64,
}

fn row(factor: Factor, id: &str, name: &str, numbers: &Numbers) -> Row {
    let none = || Cell::Missing(if numbers.is_tested { Missing::Undefined } else { Missing::NotApplicable });
    let mean = |value: fn(&Compared) -> f64| {
        numbers.compared.map_or(Cell::Missing(Missing::Undefined), |found| Cell::Mean {
            value: value(found),
            n: numbers.instances,
        })
    };
    let interval = numbers.compared.filter(|_| numbers.is_tested).and_then(|found| found.interval);
    Row {
        id: id.to_owned(),
        cells: vec![
            Cell::Text(factor.name().to_owned()),
            Cell::Text(name.to_owned()),
            Cell::Count(numbers.instances),
            mean(|found| found.base),
            mean(|found| found.trained),
            numbers
                .compared
                .and_then(|found| found.delta)
                .map_or(Cell::Missing(Missing::Undefined), Cell::Delta),
            interval.map_or_else(none, |(low, high)| Cell::Interval { low, high }),
            numbers.p.map_or_else(none, Cell::P),
            numbers.p_adjusted.map_or_else(none, Cell::P),
            Cell::Delta(numbers.contribution),
        ],
        strong: numbers.p_adjusted.is_some_and(|p| p < 0.05),
        group: factor.name().to_owned(),
        notes: Vec::new(),
    }
}
