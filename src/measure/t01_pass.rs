//! T1: pass@1 by arm and benchmark, with everything that a reviewer asks of it (`definitions.md` §10,
//! `statistics.md` §1–§3).

use super::aggregates::{self, Total, TotalMeasure};
use super::columns::{numbers, words};
use super::comparison::CONFIDENCE;
use super::data::{ArmOn, InstanceOutcomes};
use super::outcome_rows::scored;
use super::{ArmInfo, Material, TableFamily, Transferred, foot};
use crate::model::series::{ArmLabel, Caption, Estimate, PassBars, PassGroup, Role, Series};
use crate::model::table::{Cell, Column, Missing, Row, Table};
use crate::stats;
use crate::store::StoreError;
use std::collections::BTreeMap;

/// T1.
pub const TABLE: TableFamily = TableFamily {
    code: "T1",
    title: "pass@1 by arm and benchmark",
    about: "Mean over instances of resolved over scored runs. One run an instance: Wilson interval; several: Wilson at \
            the effective number of runs, since runs of one instance are alike. Unscored runs are left out, and shown \
            with both bounds. Where a grader gives rewards between, their mean stands beside the rate: parts of a \
            success are no success.",
    queries: &["t01", "t01_rewards", "aggregates"],
    columns: &[
        ("benchmark", "benchmark"),
        ("arm", "arm"),
        ("instances", "instances with a run"),
        ("runs", "runs that exist, with a log or without"),
        ("logs", "runs with a log"),
        ("scored", "runs with a verdict"),
        ("resolved", "scored runs that are resolved"),
        (
            "pass_at_1",
            "mean over instances of resolved over scored runs; with one run an instance the plain share",
        ),
        ("interval", "95 % interval of pass@1"),
        (
            "mean_reward",
            "mean over instances of the mean reward of scored runs that have one; only in a table where a reward is \
             neither 0 nor 1",
        ),
        (
            "as_failures",
            "resolved over all runs if every unscored run had failed: what tools print that count them so",
        ),
        ("as_successes", "resolved over all runs if every unscored run had been resolved"),
        ("k", "fewest scored runs of an instance: the k of the columns that follow"),
        (
            "pass_at_k",
            "unbiased pass@k: the chance that at least one of k runs resolves the instance, mean over instances",
        ),
        ("pass_hat_k", "unbiased pass^k: the chance that all k runs resolve it, mean over instances"),
        ("intersection", "instances solved in all k runs, expected: pass^k summed over instances"),
        ("union", "instances solved in any of k runs, expected: pass@k summed over instances"),
    ],
    paper: &[
        "benchmark",
        "arm",
        "instances",
        "runs",
        "scored",
        "resolved",
        "pass_at_1",
        "interval",
        "pass_at_k",
        "pass_hat_k",
        "intersection",
    ],
    build,
    series,
};

/// What T1 says of one arm on one benchmark.
pub struct Pass {
    /// Instances with a run.
    pub instances: i64,
    /// Runs.
    pub runs: i64,
    /// Runs with a log.
    pub logs: i64,
    /// Scored runs.
    pub scored: i64,
    /// Resolved runs.
    pub resolved: i64,
    /// Instances with a scored run.
    pub scored_instances: i64,
    /// (n, c) of these.
    pub counts: Vec<(u64, u64)>,
    /// Mean over instances.
    pub pass_at_1: Option<f64>,
    /// 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Mean over instances with unscored runs as failed.
    pub as_failed: Option<f64>,
    /// The same with unscored runs as resolved.
    pub as_resolved: Option<f64>,
    /// Fewest and most scored runs an instance.
    pub runs_range: (u64, u64),
}

/// Measures one arm on one benchmark.
pub fn measure(outcomes: &BTreeMap<String, InstanceOutcomes>) -> Pass {
    let total = |count: fn(&InstanceOutcomes) -> i64| outcomes.values().map(count).sum();
    let counts = scored(outcomes);
    let runs_range = (
        counts.iter().map(|count| count.0).min().unwrap_or_default(),
        counts.iter().map(|count| count.0).max().unwrap_or_default(),
    );
    Pass {
        instances: outcomes.len() as i64,
        runs: total(|counts| counts.runs),
        logs: total(|counts| counts.logs),
        scored: total(|counts| counts.scored),
        resolved: total(|counts| counts.resolved),
        scored_instances: counts.len() as i64,
        pass_at_1: mean_over_instances(&counts),
        as_failed: mean_over_instances(&bound(outcomes, |_| 0)),
        as_resolved: mean_over_instances(&bound(outcomes, |counts| counts.runs - counts.scored)),
        interval: interval(&counts, runs_range.1),
        runs_range,
        counts,
    }
}

/// All runs of each instance, some of the unscored ones counted as resolved: (n, c).
fn bound(
    outcomes: &BTreeMap<String, InstanceOutcomes>,
    as_resolved: fn(&InstanceOutcomes) -> i64,
) -> Vec<(u64, u64)> {
    let all = |counts: &InstanceOutcomes| {
        (counts.runs.unsigned_abs(), (counts.resolved + as_resolved(counts)).unsigned_abs())
    };
    outcomes.values().map(all).collect()
}

/// Mean over instances of c/n. With equally many runs an instance it is divided once, from counts, so that a tie in the
/// last digit is printed as the counts say (`statistics.md` §0).
fn mean_over_instances(counts: &[(u64, u64)]) -> Option<f64> {
    let &(runs, _) = counts.first()?;
    if counts.iter().all(|count| count.0 == runs) {
        let resolved: u64 = counts.iter().map(|count| count.1).sum();
        return Some(resolved as f64 / (runs * counts.len() as u64) as f64);
    }
    stats::pass_at_k_mean(counts, 1).value
}

fn interval(counts: &[(u64, u64)], most_runs: u64) -> Option<(f64, f64)> {
    let interval = if most_runs <= 1 {
        let resolved = counts.iter().map(|count| count.1).sum();
        stats::wilson(resolved, counts.len() as u64, CONFIDENCE)?
    } else {
        let groups: Vec<Vec<f64>> = counts
            .iter()
            .map(|&(n, c)| (0..n).map(|run| if run < c { 1.0 } else { 0.0 }).collect())
            .collect();
        stats::wilson_clustered(&groups, CONFIDENCE)?.ci
    };
    Some((interval.low, interval.high))
}

/// Rewards of an instance: each value with the number of its runs, in the order of the values.
type Rewards = BTreeMap<String, Vec<(f64, i64)>>;

/// Mean rewards are printed where a reward lies further than this from 0 and from 1 (`definitions.md` §7).
const REWARD_TOLERANCE: f64 = 1e-9;

/// Rewards by arm and benchmark; empty where every one of the arms' is 0 or 1, and the rate says all.
fn rewards(material: &Material) -> Result<BTreeMap<ArmOn, Rewards>, StoreError> {
    let mut found: BTreeMap<ArmOn, Rewards> = BTreeMap::new();
    let mut is_between = false;
    for row in material.frames.get("t01_rewards")?.iter() {
        let (arm, benchmark) = (row.text("arm")?, row.text("benchmark")?);
        let Some(reward) = row.opt_float("reward")?.filter(|_| material.question.arm(arm).is_some()) else {
            continue;
        };
        is_between |= reward.abs() > REWARD_TOLERANCE && (reward - 1.0).abs() > REWARD_TOLERANCE;
        let instances = found.entry((arm.to_owned(), benchmark.to_owned())).or_default();
        instances.entry(row.text("instance_id")?.to_owned()).or_default().push((reward, row.int("runs")?));
    }
    Ok(if is_between { found } else { BTreeMap::new() })
}

/// Mean over instances of the mean reward of their runs.
fn mean_reward(rewards: &Rewards) -> Option<f64> {
    let of_instance = |values: &Vec<(f64, i64)>| {
        let (sum, runs) =
            values.iter().fold((0.0, 0), |(sum, n), &(reward, runs)| (sum + reward * runs as f64, n + runs));
        sum / runs as f64
    };
    stats::mean(&rewards.values().map(of_instance).collect::<Vec<_>>())
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let rewards = rewards(material)?;
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for arm in &material.question.arms {
        for benchmark in material.data.benchmarks_of(&arm.name) {
            let Some(outcomes) = material.data.outcomes_of(&arm.name, benchmark) else { continue };
            let pass = measure(outcomes);
            notes.extend(foot::clustering(&arm.name, benchmark, &pass));
            let mut row = row(&arm.name, benchmark, &pass);
            if !rewards.is_empty() {
                let of_arm = rewards.get(&(arm.name.clone(), benchmark.to_owned()));
                let mean = of_arm.and_then(mean_reward).map(Cell::Quantity);
                row.cells.insert(REWARD_COLUMN, mean.unwrap_or(Cell::Missing(Missing::NotApplicable)));
            }
            rows.push(row);
        }
        for benchmark in totals_of(material.totals, &arm.name) {
            let (mut of_benchmark, of_foot) = total_rows(material, &arm.name, benchmark);
            for row in of_benchmark.iter_mut().filter(|_| !rewards.is_empty()) {
                row.cells.insert(REWARD_COLUMN, Cell::Missing(Missing::NotApplicable));
            }
            rows.extend(of_benchmark);
            notes.extend(of_foot);
        }
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut foot = vec![
        "unit=instance".to_owned(),
        "interval=Wilson; with several runs an instance Wilson at effective n (Korn–Graubard)".to_owned(),
        "unscored runs are left out of pass@1; as failures and as successes are the two bounds".to_owned(),
    ];
    let mut columns = columns();
    if !rewards.is_empty() {
        columns.insert(REWARD_COLUMN, numbers("mean_reward", "mean reward", ""));
        foot.push(
            "mean reward: over instances, of scored runs that have a reward; below 1 a run is not resolved"
                .to_owned(),
        );
    }
    foot.extend(notes);
    foot.extend(foot::common(material.question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "mean over instances of resolved over scored runs, %".to_owned(),
        columns,
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(2),
    }])
}

/// Where the mean reward stands: behind the rate and its interval.
const REWARD_COLUMN: usize = 9;

/// Columns without the mean reward.
fn columns() -> Vec<Column> {
    vec![
        words("benchmark", "benchmark"),
        words("arm", "arm"),
        numbers("instances", "instances", ""),
        numbers("runs", "runs", ""),
        numbers("logs", "logs", ""),
        numbers("scored", "scored", ""),
        numbers("resolved", "resolved", ""),
        numbers("pass_at_1", "pass@1", "%"),
        numbers("interval", "95 % interval", "%"),
        numbers("as_failures", "unscored as failed", "%"),
        numbers("as_successes", "unscored as resolved", "%"),
        numbers("k", "k", ""),
        numbers("pass_at_k", "pass@k", "%"),
        numbers("pass_hat_k", "pass^k", "%"),
        numbers("intersection", "solved in all k", ""),
        numbers("union", "solved in any of k", ""),
    ]
}

fn row(arm: &str, benchmark: &str, pass: &Pass) -> Row {
    let undefined = if pass.scored == 0 { Missing::Unscored } else { Missing::Undefined };
    let mean = |value: Option<f64>, n: i64| match value {
        Some(value) => Cell::Mean { value, n },
        None => Cell::Missing(undefined),
    };
    let k = pass.runs_range.0.max(1);
    let any = stats::pass_at_k_mean(&pass.counts, k);
    let all = stats::pass_hat_k_mean(&pass.counts, k);
    let sum = |mean: &stats::MeanOverInstances| match mean.value {
        Some(value) => Cell::Quantity(value * mean.used as f64),
        None => Cell::Missing(undefined),
    };
    let pass_at_1 = match (pass.runs_range, pass.pass_at_1) {
        // One run an instance: the mean is a plain share, and its counts are printed.
        ((1, 1), Some(_)) => Cell::Share { num: pass.resolved, den: pass.scored },
        (_, value) => mean(value, pass.scored_instances),
    };
    Row {
        id: format!("{benchmark}.{arm}"),
        cells: vec![
            Cell::Text(benchmark.to_owned()),
            Cell::Text(arm.to_owned()),
            Cell::Count(pass.instances),
            Cell::Count(pass.runs),
            Cell::Count(pass.logs),
            Cell::Count(pass.scored),
            Cell::Count(pass.resolved),
            pass_at_1,
            pass.interval.map_or(Cell::Missing(undefined), |(low, high)| Cell::Interval { low, high }),
            mean(pass.as_failed, pass.instances),
            mean(pass.as_resolved, pass.instances),
            Cell::Count(k as i64),
            mean(any.value, pass.scored_instances),
            mean(all.value, pass.scored_instances),
            sum(&all),
            sum(&any),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}

/// Benchmarks on which the share of resolved runs, or one of several runs, is known without runs.
fn totals_of<'a>(totals: &'a [Total], arm: &str) -> Vec<&'a str> {
    let mut found = aggregates::benchmarks_of(totals, arm, TotalMeasure::Resolved);
    found.extend(aggregates::benchmarks_of(totals, arm, TotalMeasure::PassAtK));
    found.sort_unstable();
    found.dedup();
    found
}

/// Rows of figures without runs, one a source, and what the foot says of them.
fn total_rows(material: &Material, arm: &str, benchmark: &str) -> (Vec<Row>, Vec<String>) {
    let any = aggregates::of(material.totals, arm, benchmark, TotalMeasure::PassAtK);
    let all = aggregates::of(material.totals, arm, benchmark, TotalMeasure::IntersectionAtK);
    let resolved = aggregates::of(material.totals, arm, benchmark, TotalMeasure::Resolved);
    let mut notes = Vec::new();
    let mut sources: Vec<&Total> = resolved.clone();
    // A source that gives pass@k alone has a row too.
    for total in &any {
        if !sources.iter().any(|known| known.source == total.source) {
            sources.push(total);
        }
    }
    let has_runs = material.data.outcomes_of(arm, benchmark).is_some();
    let rows = sources.into_iter().map(|total| {
        let of_source = |found: &&&Total| found.source == total.source;
        let pass_at_1 = resolved.iter().copied().find(|found| found.source == total.source);
        let most = any.iter().filter(of_source).max_by_key(|found| found.k).copied();
        let intersection =
            all.iter().filter(of_source).find(|found| most.is_some_and(|most| most.k == found.k)).copied();
        notes.extend(pass_at_1.and_then(foot::total));
        let mut row = total_row(total, pass_at_1, most, intersection);
        if has_runs && !total.is_public() {
            // Beside the row of its runs.
            row.id.push_str(".total");
        }
        row
    });
    (rows.collect(), notes)
}

fn total_row(
    total: &Total,
    pass_at_1: Option<&Total>,
    most: Option<&Total>,
    intersection: Option<&Total>,
) -> Row {
    let undefined = Cell::Missing(Missing::Undefined);
    let counts = pass_at_1.and_then(|total| total.counts);
    let unscored = pass_at_1.and_then(|total| total.unscored);
    let all_runs = counts.zip(unscored).map(|((_, den), unscored)| den + unscored);
    let runs = all_runs.or(counts.map(|(_, den)| den));
    let instances = runs.zip(total.runs).filter(|(_, each)| *each > 0).map(|(runs, each)| runs / each);
    let count = |value: Option<i64>| value.map_or(undefined.clone(), Cell::Count);
    let bound = |as_resolved: bool| match (counts, unscored, all_runs) {
        (Some((num, _)), Some(unscored), Some(den)) => {
            Cell::Share { num: num + if as_resolved { unscored } else { 0 }, den }
        }
        _ => undefined.clone(),
    };
    let share = |total: Option<&Total>| total.map_or(undefined.clone(), share_cell);
    let solved = |total: Option<&Total>| count(total.and_then(|total| total.counts).map(|counts| counts.0));
    Row {
        id: format!("{}.{}", total.benchmark, total.row_name()),
        cells: vec![
            Cell::Text(total.benchmark.clone()),
            Cell::Text(total.name()),
            count(instances),
            count(runs),
            Cell::Missing(Missing::NoLog),
            count(counts.map(|counts| counts.1)),
            count(counts.map(|counts| counts.0)),
            share(pass_at_1),
            pass_at_1
                .and_then(total_interval)
                .map_or(undefined.clone(), |(low, high)| Cell::Interval { low, high }),
            bound(false),
            bound(true),
            count(most.map(|total| total.k)),
            share(most),
            undefined.clone(),
            solved(intersection),
            solved(most),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}

/// A share with its counts, else as somebody printed it.
pub fn share_cell(total: &Total) -> Cell {
    match (total.counts, total.share(), total.delta) {
        (Some((num, den)), ..) => Cell::Share { num, den },
        (None, Some(value), _) => Cell::Rate(value),
        (None, None, Some(points)) => Cell::Delta(points / 100.0),
        (None, None, None) => Cell::Missing(Missing::Undefined),
    }
}

/// Δ and p of the pair, where there is one alone and its arms are the bars.
fn gain(material: &Material, benchmark: &str, bars: usize) -> (Option<f64>, Option<f64>) {
    let [_] = material.question.pairs.as_slice() else { return (None, None) };
    let compared = material.comparisons.iter().find(|found| found.benchmark == benchmark);
    if let Some(compared) = compared.filter(|_| bars == 2).and_then(|found| found.resolved.as_ref()) {
        return (compared.delta, compared.p);
    }
    let mut headlines = material.transferred.iter().flat_map(Transferred::headlines);
    match headlines.find(|contrast| contrast.benchmark == benchmark && bars == 2) {
        Some(contrast) => (contrast.gain, contrast.p),
        None => (None, None),
    }
}

/// The bar of an arm: its runs, else the figure that stands for it; one of somebody else is hatched.
fn bar(material: &Material, arm: &ArmInfo, benchmark: &str) -> Option<(ArmLabel, Estimate)> {
    if let Some(outcomes) = material.data.outcomes_of(&arm.name, benchmark) {
        let pass = measure(outcomes);
        let (value, interval) = (pass.pass_at_1, pass.interval);
        return Some((arm.label(), Estimate { value, interval, num: Some(pass.resolved), n: pass.scored }));
    }
    let total = aggregates::headline(material.totals, &arm.name, benchmark, TotalMeasure::Resolved)?;
    let (num, n) = total.counts?;
    let role = if total.is_public() { Role::Public } else { arm.role };
    let label = ArmLabel { arm: arm.name.clone(), role };
    Some((label, Estimate { value: total.share(), interval: total_interval(total), num: Some(num), n }))
}

/// Wilson where the figure rests on one run an instance; of several runs the totals do not say how alike they are.
pub fn total_interval(total: &Total) -> Option<(f64, f64)> {
    let (num, den) = total.counts.filter(|_| total.runs == Some(1))?;
    let interval = stats::wilson(num.unsigned_abs(), den.unsigned_abs(), CONFIDENCE)?;
    Some((interval.low, interval.high))
}

/// pass@1 bars.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let question = material.question;
    let mut groups: Vec<PassGroup> = Vec::new();
    let mut benchmarks: Vec<&str> =
        question.arms.iter().flat_map(|arm| material.data.benchmarks_of(&arm.name)).collect();
    for arm in &question.arms {
        benchmarks.extend(aggregates::benchmarks_of(material.totals, &arm.name, TotalMeasure::Resolved));
    }
    benchmarks.sort_unstable();
    benchmarks.dedup();
    for benchmark in benchmarks {
        let bars: Vec<_> = question.arms.iter().filter_map(|arm| bar(material, arm, benchmark)).collect();
        let (delta, p) = gain(material, benchmark, bars.len());
        groups.push(PassGroup { name: benchmark.to_owned(), delta, p, bars });
    }
    if groups.iter().all(|group| group.bars.iter().all(|(_, estimate)| estimate.value.is_none())) {
        return Ok(Vec::new());
    }
    let caption = Caption {
        title: "pass@1 by benchmark".to_owned(),
        subtitle:
            "resolved over scored runs, mean over instances, %; 95 % interval (Wilson, clustered by instance)"
                .to_owned(),
        foot: "unit: instance; k/n below each bar: resolved and scored runs; unscored runs are left out"
            .to_owned(),
    };
    Ok(vec![("pass_bars".to_owned(), Series::PassBars(PassBars { caption, groups }))])
}
