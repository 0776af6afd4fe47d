//! The count tables that measures read, collected once a command: outcomes and behaviours by arm, benchmark and
//! instance. Shares, intervals and tests are made of them elsewhere in this layer.

use std::collections::{BTreeMap, BTreeSet};

use crate::behaviours::{self, BEHAVIOURS, Behaviour, BehaviourKind};
use crate::store::{Frame, StoreError};
use crate::tags::rules::BEHAVIOUR_PREFIX;

/// An arm on a benchmark.
pub type ArmOn = (String, String);

/// What is known of the outcomes of one instance in one arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstanceOutcomes {
    /// Runs.
    pub runs: i64,
    /// Runs with a log.
    pub logs: i64,
    /// Scored runs.
    pub scored: i64,
    /// Resolved runs.
    pub resolved: i64,
    /// Scored runs with a log.
    pub scored_with_log: i64,
    /// Resolved runs with a log.
    pub resolved_with_log: i64,
}

/// Runs of one instance that share a numerator and a denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunCounts {
    /// Numerator; `None` where the log does not say.
    pub num: Option<i64>,
    /// Denominator; 0 = not applicable.
    pub den: i64,
    /// Number of such runs.
    pub runs: i64,
}

/// Runs by instance.
pub type Instances = BTreeMap<String, Vec<RunCounts>>;

/// Count tables of a store.
#[derive(Debug, Default)]
pub struct Data {
    /// Outcomes by instance.
    pub outcomes: BTreeMap<ArmOn, BTreeMap<String, InstanceOutcomes>>,
    /// Behaviours by code and instance.
    pub behaviours: BTreeMap<ArmOn, BTreeMap<&'static str, Instances>>,
}

impl Data {
    /// The queries that it collects.
    pub const QUERIES: [&'static str; 2] = ["t01", "t04"];

    /// Reads the frames of `t01.sql` and `t04.sql`.
    ///
    /// # Errors
    /// A frame lacks a column: query and reader belong together.
    pub fn read(t01: &Frame, t04: &Frame) -> Result<Data, StoreError> {
        let mut data = Data::default();
        for row in t01.iter() {
            let arm_on = (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned());
            let counts = InstanceOutcomes {
                runs: row.int("runs")?,
                logs: row.int("logs")?,
                scored: row.int("scored_runs")?,
                resolved: row.int("resolved_runs")?,
                scored_with_log: row.int("scored_with_log")?,
                resolved_with_log: row.int("resolved_with_log")?,
            };
            data.outcomes.entry(arm_on).or_default().insert(row.text("instance_id")?.to_owned(), counts);
        }
        for row in t04.iter() {
            // A store of another version may hold behaviours that this one does not know; they are not counted.
            let Some(behaviour) = behaviours::find(row.text("behaviour")?) else { continue };
            let arm_on = (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned());
            let counts =
                RunCounts { num: row.opt_int("num")?, den: row.int("den")?, runs: row.int("runs_here")? };
            data.behaviours
                .entry(arm_on)
                .or_default()
                .entry(behaviour.code)
                .or_default()
                .entry(row.text("instance_id")?.to_owned())
                .or_default()
                .push(counts);
        }
        Ok(data)
    }

    /// Runs of a behaviour by instance.
    pub fn instances(&self, arm: &str, benchmark: &str, behaviour: &Behaviour) -> Option<&Instances> {
        self.behaviours.get(&(arm.to_owned(), benchmark.to_owned()))?.get(behaviour.code)
    }

    /// The behaviours that tables list: the catalogue's, and behind it those of the user rules that tagged the store.
    pub fn listed(&self) -> Vec<&'static Behaviour> {
        let rules: BTreeSet<&'static str> = self
            .behaviours
            .values()
            .flat_map(BTreeMap::keys)
            .copied()
            .filter(|code| code.starts_with(BEHAVIOUR_PREFIX))
            .collect();
        BEHAVIOURS.iter().copied().chain(rules.into_iter().filter_map(behaviours::find)).collect()
    }

    /// Outcomes of an arm on a benchmark.
    pub fn outcomes_of(&self, arm: &str, benchmark: &str) -> Option<&BTreeMap<String, InstanceOutcomes>> {
        self.outcomes.get(&(arm.to_owned(), benchmark.to_owned()))
    }

    /// Benchmarks on which an arm has runs, in order of name.
    pub fn benchmarks_of<'a>(&'a self, arm: &'a str) -> impl Iterator<Item = &'a str> {
        self.outcomes.keys().filter(move |(name, _)| name == arm).map(|(_, benchmark)| benchmark.as_str())
    }
}

/// The values of the runs of one instance to which a behaviour applies: the per-run rate, or the size.
pub fn run_values(kind: BehaviourKind, runs: &[RunCounts]) -> Vec<f64> {
    runs.iter()
        .filter(|run| run.den > 0)
        .filter_map(|run| Some((run.num?, run)))
        .flat_map(|(num, run)| {
            let value = match kind {
                BehaviourKind::Size => num as f64,
                BehaviourKind::Share | BehaviourKind::Rate => num as f64 / run.den as f64,
            };
            std::iter::repeat_n(value, usize::try_from(run.runs).unwrap_or_default())
        })
        .collect()
}

/// One value an instance: the mean of its runs, for sizes their median (`statistics.md` §1).
pub fn instance_value(kind: BehaviourKind, runs: &[RunCounts]) -> Option<f64> {
    let values = run_values(kind, runs);
    match kind {
        BehaviourKind::Size => crate::stats::median(&values),
        BehaviourKind::Share | BehaviourKind::Rate => crate::stats::mean(&values),
    }
}

/// Runs of an arm to which a behaviour applies, for tables that print it.
pub fn applicable(instances: &Instances, kind: BehaviourKind) -> usize {
    instances.values().map(|runs| run_values(kind, runs).len()).sum()
}
