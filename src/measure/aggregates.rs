//! Figures that are known without runs (`aggregates` of a study): read once, asked for by the tables that print them.
//! They never enter a paired test (`statistics.md` §1, only totals known). Never reads the file: the store has its rows.

use crate::behaviours::{self, BEHAVIOURS, BehaviourKind};
use crate::store::{Frame, StoreError};

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TotalMeasure {
    /// Scored runs that are resolved.
    Resolved,
    /// pass@k: instances of which any of k runs is resolved.
    PassAtK,
    /// Instances of which all k runs are resolved.
    IntersectionAtK,
    /// Failed runs that pass at least 0.8 of their target tests.
    NearMiss,
    /// Failed runs that keep every test that passed before.
    P2pKept,
    /// Median of steps over runs.
    StepsMedian,
    /// Runs that attempted the network.
    NetworkAttempt,
    /// Runs that sought the gold patch.
    GoldSought,
    /// Resolved runs among those that sought it.
    SoughtResolved,
    /// Any other behaviour, by its code.
    Behaviour(&'static str),
}

/// Measures with a word of their own.
const NAMED: [(TotalMeasure, &str); 9] = [
    (TotalMeasure::Resolved, "resolved"),
    (TotalMeasure::PassAtK, "pass@k"),
    (TotalMeasure::IntersectionAtK, "intersection@k"),
    (TotalMeasure::NearMiss, "near_miss"),
    (TotalMeasure::P2pKept, "p2p_kept"),
    (TotalMeasure::StepsMedian, "steps_median"),
    (TotalMeasure::NetworkAttempt, "network_attempt"),
    (TotalMeasure::GoldSought, "gold_sought"),
    (TotalMeasure::SoughtResolved, "sought_resolved"),
];

/// Every word that a row may name.
pub fn measure_words() -> Vec<&'static str> {
    NAMED.iter().map(|(_, word)| *word).chain(BEHAVIOURS.iter().map(|behaviour| behaviour.code)).collect()
}

impl TotalMeasure {
    /// The measure of a word; `None` for a word that is none.
    pub fn parse(word: &str) -> Option<TotalMeasure> {
        let named = NAMED.iter().find(|(_, known)| *known == word).map(|(measure, _)| *measure);
        named.or_else(|| behaviours::find(word).map(|behaviour| TotalMeasure::Behaviour(behaviour.code)))
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            TotalMeasure::Behaviour(code) => code,
            other => NAMED.iter().find(|(measure, _)| *measure == other).map_or("", |(_, word)| word),
        }
    }

    /// Whether a row of it names a k.
    pub fn has_k(self) -> bool {
        matches!(self, TotalMeasure::PassAtK | TotalMeasure::IntersectionAtK)
    }

    /// A size in a unit of its own, and no share.
    pub fn is_size(self) -> bool {
        match self {
            TotalMeasure::StepsMedian => true,
            TotalMeasure::Behaviour(code) => {
                behaviours::find(code).is_some_and(|behaviour| behaviour.kind == BehaviourKind::Size)
            }
            _ => false,
        }
    }
}

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    /// Arm.
    pub arm: String,
    /// Benchmark.
    pub benchmark: String,
    /// What it counts.
    pub measure: TotalMeasure,
    /// k of pass@k and intersection@k, else 1.
    pub k: i64,
    /// Who says so (`internal`, `public` …).
    pub source: String,
    /// Runs an instance behind it.
    pub runs: Option<i64>,
    /// Numerator and denominator.
    pub counts: Option<(i64, i64)>,
    /// The figure as printed, where its counts are not known: per cent, a size in its own unit.
    pub value: Option<f64>,
    /// The difference to base as printed, where nothing else is known: points, a size in its own unit.
    pub delta: Option<f64>,
    /// Runs without a verdict, which the counts leave out.
    pub unscored: Option<i64>,
    /// Where it stands.
    pub reference: Option<String>,
    /// Its day, UTC milliseconds.
    pub dated: Option<i64>,
    /// It stands for the arm where sources differ.
    pub headline: bool,
}

/// The source of runs of one's own; every other one is somebody else's.
pub const INTERNAL: &str = "internal";

impl Total {
    /// A figure of somebody else: another harness version, day and sampling than runs of one's own.
    pub fn is_public(&self) -> bool {
        self.source != INTERNAL
    }

    /// The share in 0…1, from counts, else from the printed figure.
    pub fn share(&self) -> Option<f64> {
        match self.counts {
            Some((num, den)) => Some(num as f64 / den as f64),
            None => self.value.filter(|_| !self.measure.is_size()).map(|percent| percent / 100.0),
        }
    }

    /// The arm as a table names it: a public figure is marked.
    pub fn name(&self) -> String {
        if self.is_public() { format!("{} ({})", self.arm, self.source) } else { self.arm.clone() }
    }

    /// The id of its row beside the arm's own.
    pub fn row_name(&self) -> String {
        if self.is_public() { format!("{}.{}", self.arm, self.source) } else { self.arm.clone() }
    }
}

/// Reads the frame of `aggregates.sql`.
///
/// # Errors
/// A column is lacking. A measure that this version does not know is passed over: the store is of another version.
pub fn totals(frame: &Frame) -> Result<Vec<Total>, StoreError> {
    let mut found = Vec::new();
    for row in frame.iter() {
        let Some(measure) = TotalMeasure::parse(row.text("measure")?) else { continue };
        found.push(Total {
            arm: row.text("arm")?.to_owned(),
            benchmark: row.text("benchmark")?.to_owned(),
            measure,
            k: row.int("k")?,
            source: row.text("source")?.to_owned(),
            runs: row.opt_int("runs")?,
            counts: row.opt_int("num")?.zip(row.opt_int("den")?),
            value: row.opt_float("value")?,
            delta: row.opt_float("delta")?,
            unscored: row.opt_int("unscored")?,
            reference: row.opt_text("reference")?.map(str::to_owned),
            dated: row.opt_time("dated")?,
            headline: row.opt_flag("headline")? == Some(true),
        });
    }
    Ok(found)
}

/// Benchmarks on which a figure of a measure is known of an arm, in order of name, each once.
pub fn benchmarks_of<'a>(totals: &'a [Total], arm: &str, measure: TotalMeasure) -> Vec<&'a str> {
    let of_arm = totals.iter().filter(|total| total.arm == arm && total.measure == measure);
    let mut found: Vec<&str> = of_arm.map(|total| total.benchmark.as_str()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Figures of a measure of an arm on a benchmark: the headline first.
pub fn of<'a>(totals: &'a [Total], arm: &str, benchmark: &str, measure: TotalMeasure) -> Vec<&'a Total> {
    let is_asked =
        |total: &&Total| total.arm == arm && total.benchmark == benchmark && total.measure == measure;
    let mut found: Vec<&Total> = totals.iter().filter(is_asked).collect();
    found.sort_by_key(|total| (!total.headline, total.k));
    found
}

/// The figure that stands for the arm.
pub fn headline<'a>(
    totals: &'a [Total],
    arm: &str,
    benchmark: &str,
    measure: TotalMeasure,
) -> Option<&'a Total> {
    of(totals, arm, benchmark, measure).into_iter().find(|total| total.headline)
}

/// Whether both arms have a figure of resolved runs on one benchmark.
pub fn meet(totals: &[Total], base: &str, trained: &str) -> bool {
    let of_trained = benchmarks_of(totals, trained, TotalMeasure::Resolved);
    benchmarks_of(totals, base, TotalMeasure::Resolved).iter().any(|name| of_trained.contains(name))
}
