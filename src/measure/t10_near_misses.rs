//! T10: how close failed runs came, whether the tests that passed before still pass, and how long runs are, by arm and
//! benchmark (`definitions.md` §8, §10). Lengths within an instance are compared by `t10_steps`.

use std::collections::BTreeMap;

use super::columns::{numbers, words};
use super::comparison::CONFIDENCE;
use super::data::{ArmOn, run_values};
use super::graded::{GradedInstances, GradedRuns, by_instance, graded};
use super::lengths::{Length, LengthsByInstance, lengths, sizes};
use super::t10_totals;
use super::{ArmInfo, Material, TableFamily, foot};
use crate::behaviours::BehaviourKind;
use crate::model::series::{Caption, Ecdf, EcdfAxis, EcdfCurve, EcdfPoint, Series};
use crate::model::table::{Cell, Column, Missing, Row, Table};
use crate::number;
use crate::stats;
use crate::store::StoreError;

/// T10.
pub const TABLE: TableFamily = TableFamily {
    code: "T10",
    title: "near misses, kept tests, length of runs",
    about: "Of the failed runs whose tests the grader lists: a near miss passes at least 80 % of the fail-to-pass tests; \
            kept is a run that passes every pass-to-pass test. Shares are over runs, Wilson at the effective number of \
            runs where instances have several; medians with a percentile bootstrap over instances. Failing is itself an \
            outcome of training: these shares are described, not tested between arms.",
    queries: &["graded", "lengths", "aggregates"],
    columns: &[
        ("benchmark", "benchmark"),
        ("arm", "arm"),
        ("failed", "scored runs that are not resolved"),
        (
            "graded",
            "of these, runs whose tests the grader counts: the runs that the shares which follow are over",
        ),
        ("near_miss", "failed runs that pass at least 80 % of the fail-to-pass tests"),
        ("near_miss_interval", "95 % interval of that share"),
        ("at_least_half", "failed runs that pass at least half of the fail-to-pass tests"),
        (
            "all_targets",
            "failed runs that pass every fail-to-pass test: they failed by what they broke alone",
        ),
        ("target_median", "median over failed runs of the share of fail-to-pass tests that pass"),
        ("p2p_kept", "failed runs that pass every pass-to-pass test, of those with such a test"),
        ("p2p_kept_interval", "95 % interval of that share"),
        (
            "near_and_kept",
            "failed runs that are near misses and keep every pass-to-pass test, of those with such a test",
        ),
        (
            "preserved",
            "all runs, failed or not, that pass every pass-to-pass test, of those with such a test",
        ),
        ("steps_median", "median over runs of the steps that the scaffold counts"),
        ("steps_interval", "95 % interval of that median"),
        ("turns_median", "median over runs with a log of the model's turns"),
        ("turns_interval", "95 % interval of that median"),
    ],
    paper: &[
        "benchmark",
        "arm",
        "failed",
        "graded",
        "near_miss",
        "near_miss_interval",
        "target_median",
        "p2p_kept",
        "p2p_kept_interval",
    ],
    build,
    series,
};

/// Target pass rate from which a failed run is a near miss.
const NEAR: f64 = 0.8;

/// Replicates of a bootstrap.
pub const REPLICATES: usize = 10_000;

/// Instances below which a percentile interval is too short to be printed (`statistics.md` §6).
pub const LEAST_INSTANCES: usize = 30;

/// A share of runs with its interval.
struct RunShare {
    num: i64,
    den: i64,
    interval: Option<(f64, f64)>,
}

impl RunShare {
    /// Of runs that are 1 or 0, instances apart: runs of one instance are alike, which the interval knows.
    fn of(groups: &[Vec<f64>]) -> RunShare {
        let runs: Vec<f64> = groups.concat();
        let num = runs.iter().filter(|value| **value == 1.0).count();
        let interval = if groups.iter().all(|group| group.len() == 1) {
            stats::wilson(num as u64, runs.len() as u64, CONFIDENCE)
        } else {
            stats::wilson_clustered(groups, CONFIDENCE).map(|wilson| wilson.ci)
        };
        RunShare {
            num: num as i64,
            den: runs.len() as i64,
            interval: interval.map(|interval| (interval.low, interval.high)),
        }
    }

    fn cell(&self) -> Cell {
        if self.den == 0 {
            return Cell::Missing(Missing::NotApplicable);
        }
        Cell::Share { num: self.num, den: self.den }
    }

    fn interval(&self) -> Cell {
        interval(self.interval, self.den > 0)
    }
}

fn interval(limits: Option<(f64, f64)>, applies: bool) -> Cell {
    match limits {
        Some((low, high)) => Cell::Interval { low, high },
        None if applies => Cell::Missing(Missing::Undefined),
        None => Cell::Missing(Missing::NotApplicable),
    }
}

/// How close the failed runs of an arm came.
struct Closeness {
    failed: i64,
    graded: i64,
    near: RunShare,
    half: RunShare,
    all_targets: RunShare,
    median: Option<f64>,
    kept: RunShare,
    near_and_kept: RunShare,
    preserved: RunShare,
}

fn is_failed(run: &GradedRuns) -> Option<&GradedRuns> {
    Some(run).filter(|run| !run.resolved)
}

fn closeness(instances: &GradedInstances) -> Closeness {
    let flag = |is: bool| if is { 1.0 } else { 0.0 };
    let from = |least: f64| {
        RunShare::of(&by_instance(instances, |run| Some(flag(is_failed(run)?.target_rate()? >= least))))
    };
    let rates = target_rates(instances);
    Closeness {
        failed: instances.values().flatten().filter_map(is_failed).map(|run| run.runs).sum(),
        graded: rates.len() as i64,
        near: from(NEAR),
        half: from(0.5),
        all_targets: from(1.0),
        median: stats::median(&rates),
        kept: RunShare::of(&by_instance(instances, |run| Some(flag(is_failed(run)?.kept_all()?)))),
        near_and_kept: RunShare::of(&by_instance(instances, |run| {
            let run = is_failed(run)?;
            Some(flag(run.kept_all()? && run.target_rate()? >= NEAR))
        })),
        preserved: RunShare::of(&by_instance(instances, |run| Some(flag(run.kept_all()?)))),
    }
}

/// Target pass rates of the failed runs whose tests are counted.
fn target_rates(instances: &GradedInstances) -> Vec<f64> {
    by_instance(instances, |run| is_failed(run)?.target_rate()).concat()
}

/// Runs of each instance by length.
pub fn length_groups(instances: &LengthsByInstance, length: Length) -> Vec<Vec<f64>> {
    let sizes = sizes(instances, length);
    let groups = sizes.values().map(|runs| run_values(BehaviourKind::Size, runs));
    groups.filter(|runs| !runs.is_empty()).collect()
}

/// Median over runs, and its interval over instances.
fn median_cells(instances: Option<&LengthsByInstance>, length: Length, seed: u64) -> [Cell; 2] {
    let groups = instances.map(|instances| length_groups(instances, length)).unwrap_or_default();
    let Some(median) = stats::median(&groups.concat()) else {
        return [Cell::Missing(Missing::NoLog), Cell::Missing(Missing::NoLog)];
    };
    let interval = (groups.len() >= LEAST_INSTANCES)
        .then(|| stats::cluster_bootstrap_median(&groups, REPLICATES, seed, CONFIDENCE))
        .flatten()
        .map(|bootstrap| bootstrap.percentile);
    let range = interval.map(|interval| Cell::Range { low: interval.low, high: interval.high });
    [Cell::Quantity(median), range.unwrap_or(Cell::Missing(Missing::Undefined))]
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let graded = graded(material.frames.get("graded")?)?;
    let lengths = lengths(material.frames.get("lengths")?)?;
    let nothing = GradedInstances::new();
    let mut rows = Vec::new();
    for arm in &material.question.arms {
        for benchmark in material.data.benchmarks_of(&arm.name) {
            let key = (arm.name.clone(), benchmark.to_owned());
            let found = closeness(graded.get(&key).unwrap_or(&nothing));
            let lengths = lengths.get(&key);
            if found.graded > 0 || lengths.is_some() {
                rows.push(row(&key, &found, lengths, material.question.seed));
            }
        }
        rows.extend(t10_totals::rows(material.totals, &arm.name));
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut foot = vec![
        "unit=run; interval of shares=Wilson; with several runs an instance Wilson at effective n (Korn–Graubard)".to_owned(),
        format!(
            "near miss=failed run that passes at least {} % of the fail-to-pass tests; failed runs without test results, \
             those that a rule failed among them, are in no share",
            number::percent(NEAR, 0)
        ),
        "a task without pass-to-pass tests is in none of their shares".to_owned(),
        format!(
            "interval of medians=percentile bootstrap over instances, {} replicates; none below {LEAST_INSTANCES} instances",
            number::count(REPLICATES as i64)
        ),
        "failing is itself an outcome of training: no test between arms".to_owned(),
    ];
    foot.extend(foot::common(material.question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "share of failed runs with test results, %; medians over runs".to_owned(),
        columns: columns(),
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    }])
}

fn columns() -> Vec<Column> {
    vec![
        words("benchmark", "benchmark"),
        words("arm", "arm"),
        numbers("failed", "failed", "runs"),
        numbers("graded", "with tests", "runs"),
        numbers("near_miss", "near miss", "%"),
        numbers("near_miss_interval", "95 % interval", "%"),
        numbers("at_least_half", "half of F2P", "%"),
        numbers("all_targets", "all F2P", "%"),
        numbers("target_median", "median F2P rate", "%"),
        numbers("p2p_kept", "kept P2P", "%"),
        numbers("p2p_kept_interval", "95 % interval", "%"),
        numbers("near_and_kept", "near and kept", "%"),
        numbers("preserved", "kept P2P, all runs", "%"),
        numbers("steps_median", "median steps", "steps"),
        numbers("steps_interval", "95 % interval", "steps"),
        numbers("turns_median", "median turns", "turns"),
        numbers("turns_interval", "95 % interval", "turns"),
    ]
}

fn row((arm, benchmark): &ArmOn, found: &Closeness, lengths: Option<&LengthsByInstance>, seed: u64) -> Row {
    let [steps, steps_interval] = median_cells(lengths, Length::Steps, seed);
    let [turns, turns_interval] = median_cells(lengths, Length::Turns, seed);
    Row {
        id: format!("{benchmark}.{arm}"),
        cells: vec![
            Cell::Text(benchmark.clone()),
            Cell::Text(arm.clone()),
            Cell::Count(found.failed),
            Cell::Count(found.graded),
            found.near.cell(),
            found.near.interval(),
            found.half.cell(),
            found.all_targets.cell(),
            found
                .median
                .map_or(Cell::Missing(Missing::NotApplicable), |value| Cell::Mean { value, n: found.graded }),
            found.kept.cell(),
            found.kept.interval(),
            found.near_and_kept.cell(),
            found.preserved.cell(),
            steps,
            steps_interval,
            turns,
            turns_interval,
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}

/// How close failed runs came, and how long runs are: a chart of each a benchmark.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let graded = graded(material.frames.get("graded")?)?;
    let lengths = lengths(material.frames.get("lengths")?)?;
    let mut benchmarks: Vec<&str> =
        material.question.arms.iter().flat_map(|arm| material.data.benchmarks_of(&arm.name)).collect();
    benchmarks.sort_unstable();
    benchmarks.dedup();
    let mut found = Vec::new();
    for benchmark in &benchmarks {
        let stem = |name: &str| {
            if benchmarks.len() > 1 { format!("{name}.{benchmark}") } else { name.to_owned() }
        };
        found.extend(near_chart(material, &graded, benchmark).map(|chart| (stem("near_misses"), chart)));
        found.extend(turns_chart(material, &lengths, benchmark).map(|chart| (stem("turns"), chart)));
    }
    Ok(found)
}

fn near_chart(
    material: &Material,
    graded: &BTreeMap<ArmOn, GradedInstances>,
    benchmark: &str,
) -> Option<Series> {
    let mut notes = Vec::new();
    let curve = |arm: &ArmInfo, notes: &mut Vec<String>| {
        let instances = graded.get(&(arm.name.clone(), benchmark.to_owned()))?;
        let found = closeness(instances);
        let with_tests = by_instance(instances, |run| is_failed(run)?.target_rate()).len();
        notes.push(format!(
            "{}: n = {} failed runs with tests, {} instances{}",
            arm.name,
            number::count(found.graded),
            number::count(with_tests as i64),
            if found.kept.den > 0 {
                format!(", {} kept every P2P", number::fraction(found.kept.num, found.kept.den))
            } else {
                String::new()
            }
        ));
        let points = points(target_rates(instances).into_iter().map(|rate| (rate, false)));
        let label = format!("near {}", number::fraction(found.near.num, found.near.den));
        (found.graded > 0).then(|| EcdfCurve { arm: arm.label(), points, median: found.median, label })
    };
    let curves: Vec<EcdfCurve> =
        material.question.arms.iter().filter_map(|arm| curve(arm, &mut notes)).collect();
    notes.push("no test between arms: failing is itself an outcome".to_owned());
    if curves.is_empty() {
        return None;
    }
    Some(Series::Ecdf(Ecdf {
        caption: Caption {
            title: "How close failed runs came".to_owned(),
            subtitle: format!("% of failed runs, cumulative; from {NEAR} on: near misses; dot: median"),
            foot: notes.join(" · "),
        },
        axis: EcdfAxis::Share { from: NEAR },
        axis_name: "target pass rate (F2P passed / total)".to_owned(),
        curves,
    }))
}

fn turns_chart(
    material: &Material,
    lengths: &BTreeMap<ArmOn, LengthsByInstance>,
    benchmark: &str,
) -> Option<Series> {
    let mut without = 0;
    let mut curve = |arm: &ArmInfo| {
        let instances = lengths.get(&(arm.name.clone(), benchmark.to_owned()))?;
        let runs = instances.values().flatten();
        let mut values: Vec<(f64, bool)> = Vec::new();
        for run in runs {
            let times = usize::try_from(run.runs).unwrap_or_default();
            match run.turns {
                Some(turns) => values.extend(std::iter::repeat_n((turns as f64, run.cut), times)),
                None => without += run.runs,
            }
        }
        let median = stats::median(&values.iter().map(|value| value.0).collect::<Vec<f64>>());
        let label = format!(
            "median {}, n {}",
            median.map_or_else(|| number::DASH.to_owned(), number::quantity),
            number::count(values.len() as i64)
        );
        (!values.is_empty()).then(|| EcdfCurve {
            arm: arm.label(),
            points: points(values.into_iter()),
            median,
            label,
        })
    };
    let curves: Vec<EcdfCurve> = material.question.arms.iter().filter_map(&mut curve).collect();
    if curves.is_empty() {
        return None;
    }
    let mut foot =
        "unit: run with a log, resolved or not; tick: runs that a limit cut; dot: median".to_owned();
    if without > 0 {
        foot.push_str(&format!("; {} runs without response boundaries are left out", number::count(without)));
    }
    Some(Series::Ecdf(Ecdf {
        caption: Caption {
            title: "How long runs are".to_owned(),
            subtitle: "% of runs, cumulative".to_owned(),
            foot,
        },
        axis: EcdfAxis::Log,
        axis_name: "model turns, log scale".to_owned(),
        curves,
    }))
}

/// Runs by value, and those of them that a limit cut.
fn points(values: impl Iterator<Item = (f64, bool)>) -> Vec<EcdfPoint> {
    let mut values: Vec<(f64, bool)> = values.collect();
    values.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut points: Vec<EcdfPoint> = Vec::new();
    for (value, cut) in values {
        match points.last_mut() {
            Some(last) if last.value == value => {
                last.runs += 1;
                last.cut += i64::from(cut);
            }
            _ => points.push(EcdfPoint { value, runs: 1, cut: i64::from(cut) }),
        }
    }
    points
}
