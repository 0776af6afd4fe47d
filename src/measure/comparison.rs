//! One row compared between two arms: the design chooses test and interval (`statistics.md` §1), never a wish.

use std::collections::BTreeMap;

use super::data::{Instances, RunCounts, instance_value, run_values};
use crate::behaviours::BehaviourKind;
use crate::stats;

/// Confidence of every interval.
pub const CONFIDENCE: f64 = 0.95;

/// Which test was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// Exact McNemar: paired, one run an instance.
    McNemar,
    /// Sign-flip of instance differences, exact.
    SignFlipExact,
    /// Sign-flip of instance differences, Monte Carlo.
    SignFlipDraws,
    /// Wilcoxon signed rank on instance differences: sizes.
    SignedRank,
    /// Boschloo: no shared instances, one run.
    Boschloo,
    /// Mann–Whitney on instance means: no shared instances.
    MannWhitney,
}

impl Test {
    /// The words of the foot.
    pub const fn as_str(self) -> &'static str {
        match self {
            Test::McNemar => "exact McNemar",
            Test::SignFlipExact => "sign-flip of instance differences, exact",
            Test::SignFlipDraws => "sign-flip of instance differences, 100,000 draws",
            Test::SignedRank => "Wilcoxon signed rank on instance differences of medians",
            Test::Boschloo => "Boschloo (independent samples)",
            Test::MannWhitney => "Mann–Whitney on instance means (independent samples)",
        }
    }
}

/// Which interval belongs to the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntervalKind {
    /// Newcombe's paired interval.
    NewcombePaired,
    /// t on instance differences.
    PairedT,
    /// Newcombe's interval of independent samples.
    NewcombeIndependent,
    /// None is printed.
    None,
}

impl IntervalKind {
    /// The words of the foot.
    pub const fn as_str(self) -> &'static str {
        match self {
            IntervalKind::NewcombePaired => "Newcombe paired",
            IntervalKind::PairedT => "t on instance differences",
            IntervalKind::NewcombeIndependent => "Newcombe independent",
            IntervalKind::None => "none",
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Mean of instance values (for sizes the median of instance medians), on the instances compared.
    pub base: f64,
    /// The same of the trained arm.
    pub trained: f64,
    /// Trained minus base; for sizes the Hodges–Lehmann shift.
    pub delta: Option<f64>,
    /// 95 % interval of the difference.
    pub interval: Option<(f64, f64)>,
    /// Which interval.
    pub interval_kind: IntervalKind,
    /// p, two-sided; `None` where undefined.
    pub p: Option<f64>,
    /// Which test.
    pub test: Test,
    /// Whether the instances are the same in both arms.
    pub paired: bool,
    /// Instances of each arm that enter.
    pub instances: (i64, i64),
    /// Instances whose value rose and fell.
    pub gained_lost: (i64, i64),
    /// Differences by instance, where paired.
    pub differences: Vec<(String, f64)>,
    /// With one run an arm: both, only base, only trained, neither.
    pub cells: Option<[i64; 4]>,
}

/// The design of a comparison of two arms by instance.
pub struct Sides<'a> {
    /// Base, by instance.
    pub base: &'a Instances,
    /// Trained, by instance.
    pub trained: &'a Instances,
    /// Kind of the behaviour.
    pub kind: BehaviourKind,
    /// Whether the two arms share instances at all; if not, samples are independent.
    pub paired: bool,
    /// Seed of Monte Carlo draws.
    pub seed: u64,
}

/// Compares two arms; `None` where one of them has no instance to which the behaviour applies.
pub fn compare(sides: &Sides) -> Option<Compared> {
    if sides.paired { paired(sides) } else { independent(sides) }
}

fn values(kind: BehaviourKind, instances: &Instances) -> BTreeMap<&str, f64> {
    instances
        .iter()
        .filter_map(|(instance, runs)| Some((instance.as_str(), instance_value(kind, runs)?)))
        .collect()
}

fn paired(sides: &Sides) -> Option<Compared> {
    let base = values(sides.kind, sides.base);
    let trained = values(sides.kind, sides.trained);
    let pairs: Vec<(&str, f64, f64)> =
        base.iter().filter_map(|(instance, b)| Some((*instance, *b, *trained.get(instance)?))).collect();
    if pairs.is_empty() {
        return None;
    }
    let differences: Vec<f64> = pairs.iter().map(|(_, b, t)| t - b).collect();
    let base_values: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let trained_values: Vec<f64> = pairs.iter().map(|pair| pair.2).collect();
    let n = pairs.len() as i64;
    let mut compared = Compared {
        base: centre(sides.kind, &base_values)?,
        trained: centre(sides.kind, &trained_values)?,
        delta: None,
        interval: None,
        interval_kind: IntervalKind::None,
        p: None,
        test: Test::McNemar,
        paired: true,
        instances: (n, n),
        gained_lost: (
            differences.iter().filter(|d| **d > 0.0).count() as i64,
            differences.iter().filter(|d| **d < 0.0).count() as i64,
        ),
        differences: pairs.iter().map(|(instance, b, t)| ((*instance).to_owned(), t - b)).collect(),
        cells: None,
    };
    match sides.kind {
        BehaviourKind::Size => signed_rank(&mut compared, &differences),
        BehaviourKind::Share if is_one_run(sides, &pairs) => one_run(&mut compared, &pairs)?,
        BehaviourKind::Share | BehaviourKind::Rate => sign_flip(&mut compared, &differences, sides.seed),
    }
    Some(compared)
}

fn centre(kind: BehaviourKind, values: &[f64]) -> Option<f64> {
    match kind {
        BehaviourKind::Size => stats::median(values),
        BehaviourKind::Share | BehaviourKind::Rate => stats::mean(values),
    }
}

/// Every instance that enters has one applicable run in each arm, so that its values are 0 or 1.
fn is_one_run(sides: &Sides, pairs: &[(&str, f64, f64)]) -> bool {
    let single = |instances: &Instances, instance: &str| {
        instances.get(instance).is_some_and(|runs| run_values(BehaviourKind::Share, runs).len() == 1)
    };
    pairs.iter().all(|(instance, _, _)| single(sides.base, instance) && single(sides.trained, instance))
}

fn one_run(compared: &mut Compared, pairs: &[(&str, f64, f64)]) -> Option<()> {
    let count = |b: f64, t: f64| pairs.iter().filter(|pair| pair.1 == b && pair.2 == t).count() as u64;
    let (both, only_base) = (count(1.0, 1.0), count(1.0, 0.0));
    let (only_trained, neither) = (count(0.0, 1.0), count(0.0, 0.0));
    let difference = stats::newcombe_paired(both, only_base, only_trained, neither, CONFIDENCE)?;
    compared.delta = Some(difference.value);
    compared.interval = Some((difference.ci.low, difference.ci.high));
    compared.interval_kind = IntervalKind::NewcombePaired;
    compared.p = Some(stats::mcnemar(only_base, only_trained).exact);
    compared.test = Test::McNemar;
    compared.cells = Some([both as i64, only_base as i64, only_trained as i64, neither as i64]);
    Some(())
}

fn sign_flip(compared: &mut Compared, differences: &[f64], seed: u64) {
    let flipped = stats::signflip(differences, seed);
    compared.p = flipped.as_ref().map(|flip| flip.p);
    compared.test = match flipped.map(|flip| flip.method) {
        Some(stats::SignFlipMethod::MonteCarlo { .. }) => Test::SignFlipDraws,
        _ => Test::SignFlipExact,
    };
    compared.delta = stats::mean(differences);
    compared.interval_kind = IntervalKind::PairedT;
    compared.interval =
        stats::paired_mean_ci(differences, CONFIDENCE).and_then(|mean| mean.ci).map(|ci| (ci.low, ci.high));
}

fn signed_rank(compared: &mut Compared, differences: &[f64]) {
    compared.test = Test::SignedRank;
    compared.delta = stats::hodges_lehmann_paired(differences);
    compared.p = stats::wilcoxon_signed_rank(differences, stats::Zeros::Wilcox).map(|rank| rank.p());
}

fn independent(sides: &Sides) -> Option<Compared> {
    let base: Vec<f64> = values(sides.kind, sides.base).into_values().collect();
    let trained: Vec<f64> = values(sides.kind, sides.trained).into_values().collect();
    let (base_centre, trained_centre) = (centre(sides.kind, &base)?, centre(sides.kind, &trained)?);
    let mut compared = Compared {
        base: base_centre,
        trained: trained_centre,
        delta: Some(trained_centre - base_centre),
        interval: None,
        interval_kind: IntervalKind::None,
        p: None,
        test: Test::MannWhitney,
        paired: false,
        instances: (base.len() as i64, trained.len() as i64),
        gained_lost: (0, 0),
        differences: Vec::new(),
        cells: None,
    };
    let is_binary = |instances: &Instances| {
        instances.values().all(|runs: &Vec<RunCounts>| run_values(BehaviourKind::Share, runs).len() <= 1)
    };
    if sides.kind == BehaviourKind::Share && is_binary(sides.base) && is_binary(sides.trained) {
        let wins = |values: &[f64]| values.iter().filter(|value| **value == 1.0).count() as u64;
        let (k0, n0, k1, n1) = (wins(&base), base.len() as u64, wins(&trained), trained.len() as u64);
        let difference = stats::newcombe_independent(k0, n0, k1, n1, CONFIDENCE)?;
        compared.test = Test::Boschloo;
        compared.p = stats::boschloo(k0, n0, k1, n1).map(|tails| tails.two_sided);
        compared.interval = Some((difference.ci.low, difference.ci.high));
        compared.interval_kind = IntervalKind::NewcombeIndependent;
    } else {
        let ranks = stats::mann_whitney(&base, &trained);
        compared.p = ranks.as_ref().and_then(|ranks| ranks.p_exact.or(ranks.p_normal_cc));
        if sides.kind == BehaviourKind::Size {
            compared.delta = ranks.and_then(|ranks| ranks.hl_shift);
        }
    }
    Some(compared)
}

/// Interval of a mean of instance values: t over instances (`statistics.md` §3).
pub fn mean_interval(values: &[f64]) -> Option<(f64, f64)> {
    let ci = stats::paired_mean_ci(values, CONFIDENCE)?.ci?;
    Some((ci.low, ci.high))
}
