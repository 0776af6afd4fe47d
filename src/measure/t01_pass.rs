//! T1: pass@1 by arm and benchmark, with everything that a reviewer asks of it (`definitions.md` §10,
//! `statistics.md` §1–§3).

use super::columns::{numbers, words};
use super::comparison::CONFIDENCE;
use super::data::{ArmOn, InstanceOutcomes};
use super::outcome_rows::scored;
use super::{Material, TableFamily, foot};
use crate::model::series::{Caption, Estimate, PassBars, PassGroup, Series};
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
    queries: &["t01", "t01_rewards"],
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

/// pass@1 bars.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let question = material.question;
    let mut groups: Vec<PassGroup> = Vec::new();
    let mut benchmarks: Vec<&str> =
        question.arms.iter().flat_map(|arm| material.data.benchmarks_of(&arm.name)).collect();
    benchmarks.sort_unstable();
    benchmarks.dedup();
    for benchmark in benchmarks {
        let bars: Vec<_> = question
            .arms
            .iter()
            .filter_map(|arm| {
                let pass = measure(material.data.outcomes_of(&arm.name, benchmark)?);
                let estimate = Estimate {
                    value: pass.pass_at_1,
                    interval: pass.interval,
                    num: Some(pass.resolved),
                    n: pass.scored,
                };
                Some((arm.label(), estimate))
            })
            .collect();
        // The pair is named only where there is one, and its arms are the bars.
        let comparison = match material.comparisons {
            [only] if bars.len() == 2 && only.benchmark == benchmark => only.resolved.as_ref(),
            _ => None,
        };
        groups.push(PassGroup {
            name: benchmark.to_owned(),
            delta: comparison.and_then(|compared| compared.delta),
            p: comparison.and_then(|compared| compared.p),
            bars,
        });
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
