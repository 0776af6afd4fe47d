//! The end of a run whose scaffold ends by a plain final message and whose log has no word for it (`definitions.md` §6,
//! `finished`).

use crate::model::{Origin, Quality, Termination, Trajectory};

/// `finished` where the last turn of the run is a plain message; what stops at a call was cut off.
pub fn of_conversation(run: &Trajectory) -> Termination {
    let last = run.turns.iter().rev().find(|turn| turn.origin != Origin::Abandoned);
    match last {
        Some(turn) if turn.calls.is_empty() && turn.quality_without_call == Quality::None => {
            Termination::Finished
        }
        _ => Termination::Incomplete,
    }
}
