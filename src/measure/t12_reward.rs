//! T12: the reward of a run, mean by arm, and what groups of runs would teach: silent groups under pass or fail and under
//! partial credit, advantages within a group (`definitions.md` §8, §10, `statistics.md` §5).

use std::collections::BTreeMap;

use super::columns::{numbers, words};
use super::comparison::mean_interval;
use super::data::ArmOn;
use super::graded::{GradedInstances, GradedRuns, by_instance, graded};
use super::t01_pass::measure;
use super::{Material, TableFamily, foot};
use crate::model::table::{Cell, Column, Missing, Row, Table};
use crate::number;
use crate::stats;
use crate::store::StoreError;

/// T12.
pub const TABLE: TableFamily = TableFamily {
    code: "T12",
    title: "reward and silent groups",
    about: "Three rewards of a scored run: pass or fail; partial credit, 1[every pass-to-pass test passes] × share of the \
            fail-to-pass tests that pass; and the grader's own where it logs one. A group is the runs of an instance, within \
            a training step where there is one; it is silent where all its rewards are equal, and then teaches nothing. \
            Beside the observed share stands the one that a set of equally hard instances would give, q^G + (1−q)^G.",
    queries: &["graded", "t01"],
    columns: &[
        ("benchmark", "benchmark"),
        ("arm", "arm"),
        ("reward", "pass or fail, partial credit, or logged by the grader"),
        ("runs", "scored runs whose reward of this kind is known"),
        ("scored", "scored runs"),
        ("mean", "mean over instances of the mean reward of their runs"),
        ("interval", "95 % interval: of pass or fail that of T1, else t over instances"),
        ("groups", "groups of at least two runs"),
        ("group_size", "runs of a group, fewest and most"),
        ("silent", "groups whose rewards are all equal"),
        ("silent_low", "of these, groups whose rewards are all 0"),
        ("silent_high", "of these, groups whose rewards are all 1 or more"),
        (
            "expected_silent",
            "mean over groups of q^G + (1−q)^G with q = pass@1 of the arm: what equally hard instances would give",
        ),
        ("unsolved_with_signal", "groups without a resolved run whose rewards differ all the same"),
        ("spread", "mean over groups that are not silent of the standard deviation of their rewards"),
        ("advantage_resolved", "mean advantage of resolved runs, (R − mean) / SD of the group"),
        ("advantage_failed", "mean advantage of runs that are not resolved"),
    ],
    paper: &[
        "benchmark",
        "arm",
        "reward",
        "runs",
        "mean",
        "interval",
        "groups",
        "silent",
        "expected_silent",
        "spread",
    ],
    build,
    series: |_| Ok(Vec::new()),
};

/// Rewards within this are equal (`definitions.md` §7).
const EQUAL: f64 = 1e-9;

/// Which reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reward {
    PassOrFail,
    Partial,
    Logged,
}

impl Reward {
    const ALL: [Reward; 3] = [Reward::PassOrFail, Reward::Partial, Reward::Logged];

    const fn code(self) -> &'static str {
        match self {
            Reward::PassOrFail => "pass_or_fail",
            Reward::Partial => "partial",
            Reward::Logged => "logged",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Reward::PassOrFail => "pass or fail",
            Reward::Partial => "partial credit",
            Reward::Logged => "logged",
        }
    }

    fn of(self, run: &GradedRuns) -> Option<f64> {
        match self {
            Reward::PassOrFail => Some(if run.resolved { 1.0 } else { 0.0 }),
            Reward::Partial => run.gated_reward(),
            Reward::Logged => run.logged_reward.filter(|reward| reward.is_finite()),
        }
    }

    /// Partial credit is of no run where the grader counts the tests of none: a rule's zeros alone say nothing.
    fn is_known(self, instances: &GradedInstances) -> bool {
        let mut runs = instances.values().flatten();
        match self {
            Reward::PassOrFail => runs.next().is_some(),
            Reward::Partial => runs.any(|run| !run.failed_by_rule && run.gated_reward().is_some()),
            Reward::Logged => runs.any(|run| self.of(run).is_some()),
        }
    }
}

/// One group: rewards of its runs, and which of them are resolved.
type Group = Vec<(f64, bool)>;

/// Groups of at least two runs, by instance and training step.
fn groups(instances: &GradedInstances, reward: Reward) -> Vec<Group> {
    let mut found: BTreeMap<(&str, Option<i64>), Group> = BTreeMap::new();
    for (instance, runs) in instances {
        for run in runs {
            let Some(value) = reward.of(run) else { continue };
            let group = found.entry((instance, run.train_step)).or_default();
            group.extend(std::iter::repeat_n((value, run.resolved), run.times()));
        }
    }
    found.into_values().filter(|group| group.len() > 1).collect()
}

/// What the groups of an arm would teach.
#[derive(Debug, Default, PartialEq)]
struct Teaching {
    groups: i64,
    sizes: (usize, usize),
    silent: i64,
    silent_low: i64,
    silent_high: i64,
    unsolved: i64,
    unsolved_with_signal: i64,
    spread: Option<f64>,
    advantage_resolved: Option<f64>,
    advantage_failed: Option<f64>,
}

fn teaching(groups: &[Group]) -> Teaching {
    let mut found = Teaching { groups: groups.len() as i64, ..Teaching::default() };
    let sizes = || groups.iter().map(Vec::len);
    found.sizes = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
    let (mut spreads, mut of_resolved, mut of_failed) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups {
        let rewards: Vec<f64> = group.iter().map(|run| run.0).collect();
        let least = rewards.iter().copied().fold(f64::INFINITY, f64::min);
        let most = rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let silent = most - least <= EQUAL;
        let unsolved = group.iter().all(|run| !run.1);
        found.silent += i64::from(silent);
        found.silent_low += i64::from(silent && most.abs() <= EQUAL);
        found.silent_high += i64::from(silent && least >= 1.0 - EQUAL);
        found.unsolved += i64::from(unsolved);
        found.unsolved_with_signal += i64::from(unsolved && !silent);
        let centre = stats::mean(&rewards).unwrap_or_default();
        let squares: Vec<f64> = rewards.iter().map(|reward| (reward - centre).powi(2)).collect();
        let spread = stats::mean(&squares).unwrap_or_default().sqrt();
        if !silent {
            spreads.push(spread);
        }
        for (reward, resolved) in group {
            let advantage = if silent { 0.0 } else { (reward - centre) / spread };
            if *resolved { of_resolved.push(advantage) } else { of_failed.push(advantage) }
        }
    }
    found.spread = stats::mean(&spreads);
    found.advantage_resolved = stats::mean(&of_resolved);
    found.advantage_failed = stats::mean(&of_failed);
    found
}

/// What equally hard instances would give: mean over the groups of q^G + (1−q)^G.
fn expected_silent(groups: &[Group], q: f64) -> Option<f64> {
    stats::mean(&groups.iter().map(|group| stats::silent_group(q, group.len() as u64)).collect::<Vec<f64>>())
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let graded = graded(material.frames.get("graded")?)?;
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for arm in &material.question.arms {
        for benchmark in material.data.benchmarks_of(&arm.name) {
            let key = (arm.name.clone(), benchmark.to_owned());
            let Some(instances) = graded.get(&key) else { continue };
            // Where every run passes or fails once, the table would repeat T1.
            let has_groups = !groups(instances, Reward::PassOrFail).is_empty();
            let has_credit = Reward::Partial.is_known(instances) || Reward::Logged.is_known(instances);
            if !has_groups && !has_credit {
                continue;
            }
            let known = Reward::ALL.into_iter().filter(|reward| reward.is_known(instances));
            rows.extend(known.map(|reward| row(material, &key, instances, reward)));
            notes.extend(disagreement(&key, instances));
        }
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut foot = vec![
        "unit=instance; group=scored runs of an instance, within a training step where there is one; groups of one run are \
         none"
            .to_owned(),
        "partial credit=1[every pass-to-pass test passes] × mean of the fail-to-pass tests; a run that a rule failed has 0; \
         a run without test results has none and is left out"
            .to_owned(),
        "advantage=(R − mean) / SD of the group with divisor G, 0 in silent groups; its mean is 0 in every group, so that it \
         is given by outcome; a divisor of G − 1 or an ε makes it smaller"
            .to_owned(),
        "expected share=q^G + (1−q)^G at the arm's pass@1, as if all instances were equally hard".to_owned(),
        "runs that a limit cut are kept, which a trainer may leave out of its loss".to_owned(),
    ];
    foot.extend(notes);
    foot.extend(foot::common(material.question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "mean over instances; groups in counts and %".to_owned(),
        columns: columns(),
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    }])
}

/// Runs whose logged reward is not the one that their tests give.
fn disagreement((arm, benchmark): &ArmOn, instances: &GradedInstances) -> Option<String> {
    let differs = |run: &&GradedRuns| match (run.logged_reward, run.targets.and(run.gated_reward())) {
        (Some(logged), Some(gated)) => (logged - gated).abs() > EQUAL,
        _ => false,
    };
    let runs: i64 = instances.values().flatten().filter(differs).map(|run| run.runs).sum();
    (runs > 0).then(|| {
        format!(
            "{arm} on {benchmark}: the logged reward of {} runs is not their partial credit",
            number::count(runs)
        )
    })
}

fn columns() -> Vec<Column> {
    vec![
        words("benchmark", "benchmark"),
        words("arm", "arm"),
        words("reward", "reward"),
        numbers("runs", "runs", ""),
        numbers("scored", "scored", ""),
        numbers("mean", "mean reward", ""),
        numbers("interval", "95 % interval", ""),
        numbers("groups", "groups", ""),
        numbers("group_size", "runs a group", ""),
        numbers("silent", "silent", "%"),
        numbers("silent_low", "all 0", "groups"),
        numbers("silent_high", "all 1", "groups"),
        numbers("expected_silent", "expected silent", "%"),
        numbers("unsolved_with_signal", "unsolved, not silent", "%"),
        numbers("spread", "SD in group", ""),
        numbers("advantage_resolved", "advantage if resolved", ""),
        numbers("advantage_failed", "if failed", ""),
    ]
}

fn row(material: &Material, (arm, benchmark): &ArmOn, instances: &GradedInstances, reward: Reward) -> Row {
    let by_instance = by_instance(instances, |run| reward.of(run));
    let runs = by_instance.iter().map(Vec::len).sum::<usize>() as i64;
    let scored = instances.values().flatten().map(|run| run.runs).sum();
    let means: Vec<f64> = by_instance.iter().filter_map(|runs| stats::mean(runs)).collect();
    let pass = material.data.outcomes_of(arm, benchmark).map(measure);
    let (mean, interval) = match (reward, &pass) {
        (Reward::PassOrFail, Some(pass)) => (pass.pass_at_1, pass.interval),
        _ => (stats::mean(&means), mean_interval(&means)),
    };
    let groups = groups(instances, reward);
    let found = teaching(&groups);
    let expected = match (reward, pass.and_then(|pass| pass.pass_at_1)) {
        (Reward::PassOrFail, Some(q)) => expected_silent(&groups, q),
        _ => None,
    };
    let none = || Cell::Missing(Missing::NotApplicable);
    let count = |value: i64| if found.groups > 0 { Cell::Count(value) } else { none() };
    let quantity = |value: Option<f64>| value.map_or_else(none, Cell::Quantity);
    let share = |num: i64, den: i64| if den > 0 { Cell::Share { num, den } } else { none() };
    Row {
        id: format!("{benchmark}.{arm}.{}", reward.code()),
        cells: vec![
            Cell::Text(benchmark.clone()),
            Cell::Text(arm.clone()),
            Cell::Text(reward.name().to_owned()),
            Cell::Count(runs),
            Cell::Count(scored),
            quantity(mean),
            interval.map_or(Cell::Missing(Missing::Undefined), |(low, high)| Cell::Range { low, high }),
            Cell::Count(found.groups),
            match found.sizes {
                (_, 0) => none(),
                (least, most) if least == most => Cell::Text(number::count(most as i64)),
                (least, most) => {
                    Cell::Text(format!("{} to {}", number::count(least as i64), number::count(most as i64)))
                }
            },
            share(found.silent, found.groups),
            count(found.silent_low),
            count(found.silent_high),
            expected.map_or_else(none, |value| Cell::Mean { value, n: found.groups }),
            share(found.unsolved_with_signal, found.unsolved),
            quantity(found.spread),
            quantity(found.advantage_resolved),
            quantity(found.advantage_failed),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight rewards of the paper's kind: partial credit ranks runs that pass or fail holds equal.
    #[test]
    fn a_group_without_a_solved_run_may_teach_by_partial_credit() {
        let partial = vec![(0.25, false), (0.25, false), (0.75, false), (0.75, false)];
        let found = teaching(&[partial]);
        assert_eq!((found.silent, found.unsolved, found.unsolved_with_signal), (0, 1, 1));
        // Mean 0.5, SD with divisor G 0.25: advantages −1, −1, 1, 1.
        assert_eq!(found.spread, Some(0.25));
        assert_eq!((found.advantage_failed, found.advantage_resolved), (Some(0.0), None));
        let binary = vec![(0.0, false); 4];
        assert_eq!((teaching(&[binary]).silent_low, teaching(&[vec![(1.0, true); 4]]).silent_high), (1, 1));
    }

    #[test]
    fn advantages_by_outcome_by_hand() {
        // One of four resolved: mean 1/4, SD √3/4; (1 − 1/4) / (√3/4) = √3, the others −1/√3.
        let found = teaching(&[vec![(1.0, true), (0.0, false), (0.0, false), (0.0, false)]]);
        assert!((found.advantage_resolved.unwrap() - 3.0_f64.sqrt()).abs() < 1e-12);
        assert!((found.advantage_failed.unwrap() + 1.0 / 3.0_f64.sqrt()).abs() < 1e-12);
    }
}
