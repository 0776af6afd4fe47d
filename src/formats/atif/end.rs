//! How a run ended, as far as an ATIF file tells it: the harness's word stands in the trial's own file.

use crate::data::statuses;
use crate::data::submissions::submissions;
use crate::formats::json::lenient::filled;
use crate::formats::{dialogue, terminus};
use crate::model::{Termination, Trajectory, Turn};
use serde_json::Value;

/// Scaffolds with a means to hand in whose runs end by a plain message all the same: 95 of 135 runs of predev do.
const ENDS_BY_MESSAGE: [&str; 1] = ["predev"];

/// Sets termination, the turn that handed in, and whether the scaffold has a means to.
pub fn settle(run: &mut Trajectory, root: &Value, stop_reason: Option<&str>) {
    let calls = || run.turns.iter().flat_map(|turn| &turn.calls);
    run.logs_exit_codes = calls().any(|call| call.exit_code.is_some());
    run.can_submit =
        submissions(&run.scaffold).next().is_some() || calls().any(|call| call.tool == terminus::SHELL);
    if filled(root, "continued_trajectory_ref").is_some() {
        run.termination = Termination::Incomplete;
        return;
    }
    if run.scaffold.contains("terminus") && run.can_submit {
        terminus::end(run);
        return;
    }
    if let Some(reason) = stop_reason {
        run.raw_exit_status = Some(reason.to_owned());
        run.termination = statuses::termination(&run.scaffold, reason).unwrap_or(Termination::Unknown);
        return;
    }
    by_last_turn(run);
}

fn by_last_turn(run: &mut Trajectory) {
    let hands_in = |turn: &Turn| turn.calls.iter().any(|call| dialogue::hands_in(&run.scaffold, call));
    let last_acting = run.turns.iter().rposition(|turn| !turn.calls.is_empty());
    let submitted = last_acting.filter(|place| run.turns.get(*place).is_some_and(hands_in));
    let says_last = run.turns.last().is_some_and(|turn| turn.calls.is_empty() && turn.accepted);
    run.termination = match (submitted, says_last) {
        (Some(_), _) => Termination::Submitted,
        (None, true) if run.can_submit && !ENDS_BY_MESSAGE.contains(&run.scaffold.as_str()) => {
            Termination::GaveUp
        }
        (None, true) => Termination::Finished,
        (None, false) => Termination::Incomplete,
    };
    run.submitting_turn = submitted;
}
