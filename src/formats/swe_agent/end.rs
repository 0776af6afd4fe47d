//! How a run of SWE-agent ended (`definitions.md` §6): the raw status, corrected by a made-up last step.

use super::document::Step;
use crate::data::statuses;
use crate::model::{PatchState, Termination, Trajectory};

/// Name of the scaffold.
pub const SCAFFOLD: &str = "swe-agent";

/// Words by which the roles of CodeR hand over.
const HAND_OVER: [&str; 3] = ["fail", "plan", "succeed"];

/// What a made-up last step says.
pub struct MadeUp {
    termination: Option<Termination>,
}

impl MadeUp {
    /// 0.x writes the status as the action, 1.x a sentence as the response.
    pub fn of(step: &Step<'_>) -> MadeUp {
        let action = step.action.get().unwrap_or_default().trim();
        let response = step.response.get().unwrap_or_default();
        let by_action = statuses::termination(SCAFFOLD, action);
        MadeUp { termination: by_action.or_else(|| statuses::termination(SCAFFOLD, response)) }
    }
}

/// Sets termination, the way of handing in, and the patch.
pub fn settle(
    run: &mut Trajectory,
    raw: Option<String>,
    submission: Option<String>,
    made_up: Option<MadeUp>,
) {
    let raw = raw.filter(|raw| !raw.trim().is_empty());
    let patch = submission.filter(|patch| !patch.trim().is_empty());
    let cut_off = raw.as_deref().and_then(|raw| raw.strip_prefix("submitted (")?.strip_suffix(')'));
    run.termination = match (&raw, made_up, cut_off) {
        // CodeR writes `submitted` although 27 of its runs end in a made-up step.
        (_, Some(MadeUp { termination: Some(termination) }), _) => termination,
        (Some(_), _, Some(inner)) => known(inner),
        (Some(raw), None, None) => known(raw),
        (Some(raw), Some(_), None) if raw != "submitted" => known(raw),
        (Some(_), Some(_), None) => Termination::Unknown,
        (None, _, _) => Termination::Incomplete,
    };
    let is_end =
        !matches!(run.termination, Termination::Submitted | Termination::Incomplete | Termination::Unknown);
    run.auto_submitted = patch.is_some() && (is_end || cut_off.is_some());
    run.submitting_turn = submitting_turn(run);
    run.patch_state = match (&patch, run.termination) {
        (Some(_), _) => PatchState::Nonempty,
        (None, Termination::Incomplete) => PatchState::Missing,
        (None, _) => PatchState::Empty,
    };
    run.raw_exit_status = raw;
    run.patch = patch;
}

fn known(raw: &str) -> Termination {
    statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown)
}

/// The last turn of a submitted run, if it asks for it: `submit` may stand on a later line of the action, and in review mode
/// an earlier one was answered with the diff and a question.
fn submitting_turn(run: &Trajectory) -> Option<usize> {
    if run.termination != Termination::Submitted {
        return None;
    }
    let last = run.turns.len().checked_sub(1)?;
    let call = run.turns[last].calls.last()?;
    let commands = call.input.lines().flat_map(|line| line.split(['&', ';']));
    let mut words = commands.filter_map(|command| command.split_whitespace().next());
    words.any(|word| word == "submit").then_some(last)
}

/// Only the part of one role was kept: the last action hands over to another.
pub fn ends_in_a_hand_over(run: &Trajectory) -> bool {
    let call = run.turns.last().and_then(|turn| turn.calls.last());
    call.is_some_and(|call| HAND_OVER.contains(&call.tool.as_str()))
}

/// The log has no end: what was counted may lie behind what was saved.
pub fn is_open(run: &Trajectory) -> bool {
    run.termination == Termination::Incomplete
}
