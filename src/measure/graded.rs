//! Scored runs by what the grader counted, collected from `graded.sql` for T10 and T12 (`definitions.md` §8). Counts in,
//! the three figures of one run out; shares over runs are made by the tables.

use std::collections::BTreeMap;

use super::data::ArmOn;
use crate::stats;
use crate::store::{Frame, FrameRow, StoreError};

/// Passed and all tests of a group.
pub type Tests = (i64, i64);

/// Scored runs of one instance that are alike in everything that is kept here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradedRuns {
    /// Solved.
    pub resolved: bool,
    /// The grader's own reward.
    pub logged_reward: Option<f64>,
    /// The benchmark's rule failed it without a test (an empty patch, none at all, one that does not apply).
    pub failed_by_rule: bool,
    /// Fail-to-pass tests, where the grader counts them and there is one.
    pub targets: Option<Tests>,
    /// Pass-to-pass tests, where the grader counts them; (0, 0) where the task has none.
    pub kept: Option<Tests>,
    /// Training step of a rollout.
    pub train_step: Option<i64>,
    /// Number of such runs.
    pub runs: i64,
}

impl GradedRuns {
    /// Target pass rate: F2P passed over all.
    pub fn target_rate(&self) -> Option<f64> {
        self.targets.map(|(passed, all)| passed as f64 / all as f64)
    }

    /// All P2P pass; `None` where the grader does not say, or the task has none.
    pub fn kept_all(&self) -> Option<bool> {
        self.kept.filter(|(_, all)| *all > 0).map(|(passed, all)| passed == all)
    }

    /// The reward 1[all P2P pass] · mean F2P. A run that a rule failed changed nothing that a target test asks for: 0.
    pub fn gated_reward(&self) -> Option<f64> {
        if self.failed_by_rule {
            return Some(0.0);
        }
        let (passed, all) = self.kept?;
        stats::gated_reward(&[passed == all], &[self.target_rate()?])
    }

    /// How often it counts.
    pub fn times(&self) -> usize {
        usize::try_from(self.runs).unwrap_or_default()
    }
}

/// Runs by instance.
pub type GradedInstances = BTreeMap<String, Vec<GradedRuns>>;

/// Reads `graded.sql`.
///
/// # Errors
/// The frame lacks a column.
pub fn graded(frame: &Frame) -> Result<BTreeMap<ArmOn, GradedInstances>, StoreError> {
    let mut found: BTreeMap<ArmOn, GradedInstances> = BTreeMap::new();
    for row in frame.iter() {
        let arm_on = (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned());
        let instances = found.entry(arm_on).or_default();
        instances.entry(row.text("instance_id")?.to_owned()).or_default().push(runs(&row)?);
    }
    Ok(found)
}

fn runs(row: &FrameRow) -> Result<GradedRuns, StoreError> {
    let tests = |passed: &str, all: &str| Ok::<_, StoreError>(row.opt_int(passed)?.zip(row.opt_int(all)?));
    Ok(GradedRuns {
        resolved: row.int("resolved")? == 1,
        logged_reward: row.opt_float("reward")?,
        failed_by_rule: row.opt_text("failed_reason")?.is_some(),
        targets: tests("f2p_passed", "f2p_total")?.filter(|(_, all)| *all > 0),
        kept: tests("p2p_passed", "p2p_total")?,
        train_step: row.opt_int("train_step")?,
        runs: row.int("n")?,
    })
}

/// A value of each run, instances apart, of the runs that have one.
pub fn by_instance(instances: &GradedInstances, value: impl Fn(&GradedRuns) -> Option<f64>) -> Vec<Vec<f64>> {
    let of_one = |runs: &Vec<GradedRuns>| {
        let values = runs.iter().filter_map(|run| Some((value(run)?, run.times())));
        values.flat_map(|(value, times)| std::iter::repeat_n(value, times)).collect::<Vec<f64>>()
    };
    instances.values().map(of_one).filter(|values| !values.is_empty()).collect()
}
