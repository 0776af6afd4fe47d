//! Waiting for a process (`definitions.md` §6, poll), and the keys of observations that have something to be
//! compared with.

use std::collections::BTreeMap;

use super::fact::{Facts, Role};
use super::masking;
use crate::model::{CallKind, Trajectory};

/// Fills `observation_key` where an action recurs, and `is_poll`.
pub(super) fn settle(facts: &mut Facts, trajectory: &Trajectory, by_action: &BTreeMap<u64, Vec<usize>>) {
    for calls in by_action.values().filter(|calls| calls.len() > 1) {
        for index in calls {
            let fact = &mut facts.calls[*index];
            let text = trajectory.turns[fact.turn].calls[fact.call].observation.as_deref();
            fact.observation_key = text.map(masking::observation_key);
        }
        for pair in calls.windows(2) {
            if is_repeated_status(facts, pair[0], pair[1]) {
                facts.calls[pair[0]].is_poll = true;
                facts.calls[pair[1]].is_poll = true;
            }
        }
    }
    for index in 0..facts.calls.len() {
        let call = &facts.calls[index];
        let input = trajectory.turns[call.turn].calls[call.call].input.trim();
        let waits = match call.kind {
            CallKind::Shell => sleeps(facts, index),
            CallKind::Tool => input.is_empty() && call.operation.is_none(),
        };
        facts.calls[index].is_poll |= waits;
    }
}

/// The line sleeps, and does nothing besides but look.
fn sleeps(facts: &Facts, index: usize) -> bool {
    let segments = &facts.segments[facts.calls[index].segments.clone()];
    let only_looks = segments
        .iter()
        .all(|segment| matches!(segment.role, Role::Neutral | Role::Filter | Role::Exploration(_)));
    only_looks && segments.iter().any(|segment| matches!(segment.program.as_str(), "sleep" | "wait"))
}

/// The same look at a state, one model turn after the other, with another result.
fn is_repeated_status(facts: &Facts, earlier: usize, later: usize) -> bool {
    const STATUS: &[&str] = &[
        "ps",
        "jobs",
        "top",
        "pgrep",
        "tail",
        "cat",
        "ls",
        "curl",
        "docker",
        "systemctl",
        "netstat",
        "ss",
        "nvidia-smi",
        "squeue",
        "kubectl",
    ];
    let (first, second) = (&facts.calls[earlier], &facts.calls[later]);
    let near = second.turn.saturating_sub(first.turn) <= 2;
    let differs = first.observation_key.is_some() && first.observation_key != second.observation_key;
    let segments = &facts.segments[second.segments.clone()];
    let looks = !segments.is_empty()
        && segments
            .iter()
            .all(|segment| matches!(segment.role, Role::Neutral | Role::Filter | Role::Exploration(_)))
        && segments.iter().any(|segment| STATUS.contains(&segment.program.as_str()));
    let between = earlier + 1..later;
    let unchanged =
        facts.edits.iter().all(|edit| !(edit.place.turn >= first.turn && edit.place.turn <= second.turn));
    near && differs && looks && unchanged && between.len() <= 2
}
