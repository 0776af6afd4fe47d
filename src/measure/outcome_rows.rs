//! Outcomes as a behaviour by instance, so that `resolved` is compared by the same code as every other row.

use std::collections::BTreeMap;

use super::data::{InstanceOutcomes, Instances, RunCounts};

/// What is done with runs without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unscored {
    /// They leave.
    Excluded,
    /// They count as failed.
    Failed,
    /// They count as resolved.
    Resolved,
}

/// Runs of each instance as counts.
pub fn resolved(outcomes: &BTreeMap<String, InstanceOutcomes>, unscored: Unscored) -> Instances {
    outcomes
        .iter()
        .map(|(instance, counts)| {
            let missing = counts.runs - counts.scored;
            let (extra_wins, extra_losses) = match unscored {
                Unscored::Excluded => (0, 0),
                Unscored::Failed => (0, missing),
                Unscored::Resolved => (missing, 0),
            };
            let wins = counts.resolved + extra_wins;
            let losses = counts.scored - counts.resolved + extra_losses;
            let runs = [(1, wins), (0, losses)]
                .into_iter()
                .filter(|(_, runs)| *runs > 0)
                .map(|(num, runs)| RunCounts { num: Some(num), den: 1, runs })
                .collect();
            (instance.clone(), runs)
        })
        .collect()
}

/// Scored runs and resolved runs of each instance that has a scored run: (n, c).
pub fn scored(outcomes: &BTreeMap<String, InstanceOutcomes>) -> Vec<(u64, u64)> {
    outcomes
        .values()
        .filter(|counts| counts.scored > 0)
        .map(|counts| (counts.scored.unsigned_abs(), counts.resolved.unsigned_abs()))
        .collect()
}
