//! How a run of OpenHands ended (`definitions.md` §6): the last action that ends a run, else the error of the record, else the
//! last state that the log tells.

use super::SCAFFOLD;
use crate::data::statuses;
use crate::model::{Operation, PatchState, Termination, Trajectory};

/// What a log says of its end.
#[derive(Default)]
pub struct End {
    /// Name of the last action of the agent that can end a run.
    pub action: Option<String>,
    /// Error of the record.
    pub error: Option<String>,
    /// Last state.
    pub state: Option<String>,
    /// The last thing is a message of the agent that waits for an answer.
    pub waits: bool,
    /// A plain message ends a run (1.x).
    pub message_ends: bool,
}

/// Sets termination, and the turn that handed in.
pub fn settle(run: &mut Trajectory, end: End) {
    let ending = end.action.filter(|action| matches!(action.as_str(), "finish" | "reject"));
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let raw = ending.or(filled(end.error)).or(filled(end.state));
    run.termination = match raw.as_deref() {
        Some("finish") => Termination::Submitted,
        // A run of 1.x that is finished handed in, or its last response was a plain message.
        Some("finished") if end.message_ends && !hands_in(run) => Termination::Finished,
        Some(raw) => known(raw),
        None if end.message_ends && end.waits => Termination::Finished,
        None if end.waits => Termination::GaveUp,
        None => Termination::Incomplete,
    };
    if run.termination == Termination::Submitted {
        run.submitting_turn = run.turns.len().checked_sub(1).filter(|_| hands_in(run));
    }
    run.raw_exit_status = raw;
}

/// The last turn asks for the end.
pub fn hands_in(run: &Trajectory) -> bool {
    let calls = run.turns.last().map_or(&[][..], |turn| &turn.calls);
    calls.iter().any(|call| call.operation == Some(Operation::Submit))
}

/// The meaning of a status. Errors are wrapped on their way (`Conversation run failed …: MaxIterationsReached: …`), so each
/// part behind a colon is asked for.
fn known(raw: &str) -> Termination {
    let starts = raw.match_indices(": ").map(|(place, _)| place + 2);
    let parts = std::iter::once(0).chain(starts).take(20).filter_map(|start| raw.get(start..));
    let found = parts
        .map(|part| part.trim_start_matches("litellm."))
        .find_map(|part| statuses::termination(SCAFFOLD, part));
    found.unwrap_or(Termination::Unknown)
}

/// Sets the patch of a record whose format hands in patches: the harness takes the diff whatever the end.
pub fn set_patch(run: &mut Trajectory, patch: Option<&str>) {
    let patch = patch.filter(|patch| !patch.trim().is_empty());
    run.patch_state = if patch.is_some() { PatchState::Nonempty } else { PatchState::Empty };
    run.auto_submitted = patch.is_some() && run.termination != Termination::Submitted;
    run.patch = patch.map(str::to_owned);
}
