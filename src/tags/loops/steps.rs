//! Steps: model turns that have a call, with what is compared of them. A turn without a call breaks no loop of actions.

use crate::facts::TestOutcome;
use crate::model::Quality;
use crate::tags::turns::Turns;

/// One model turn with a call.
pub(in crate::tags) struct Step {
    /// Turn, over all origins.
    pub turn: usize,
    /// Key of its actions.
    pub action: u64,
    /// Key of its observations; `None` where one is missing.
    pub observation: Option<u64>,
    /// One of its calls ended in an error, a failed edit or a failing test.
    pub failed: bool,
    /// All of its calls wait for a process.
    pub poll: bool,
}

/// The steps of a trajectory.
pub(in crate::tags) fn steps(turns: &Turns) -> Vec<Step> {
    turns.model_turns().iter().filter_map(|turn| step(turns, *turn)).collect()
}

fn step(turns: &Turns, turn: usize) -> Option<Step> {
    let calls = turns.calls_of(turn);
    let (first, rest) = calls.split_first()?;
    let failed = calls.iter().any(|call| {
        call.failed == Some(true)
            || turns.quality(call) < Quality::Valid
            || turns.edits_of(call).iter().any(|edit| edit.effective == Some(false))
            || turns.test_runs_of(call).iter().any(|run| {
                matches!(run.outcome, TestOutcome::Fail | TestOutcome::Error | TestOutcome::NotRun)
            })
    });
    Some(Step {
        turn,
        action: rest.iter().fold(first.action_key, |key, call| mix(key, call.action_key)),
        observation: first
            .observation_key
            .and_then(|first| rest.iter().try_fold(first, |key, call| Some(mix(key, call.observation_key?)))),
        failed,
        poll: calls.iter().all(|call| call.is_poll),
    })
}

/// One key of two, by order.
fn mix(one: u64, other: u64) -> u64 {
    one.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other
}
