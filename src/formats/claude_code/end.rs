//! Why a session ended (`definitions.md` §6): no field says it.

use super::SCAFFOLD;
use super::responses::Responses;
use crate::data::statuses::termination;
use crate::model::Termination;

/// What a conversation's last line was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Last {
    /// There was none.
    #[default]
    Nothing,
    /// A line of a response.
    Response,
    /// The result of a call.
    Result,
    /// Words that ask for a response.
    Prompt,
    /// The client's own message that the model could not be reached.
    ModelError,
    /// A person stopped the response.
    Interruption,
}

/// The end that the last line tells: a plain last message ends a run by itself.
pub fn of_session(last: Last, responses: &Responses) -> Termination {
    let response = responses.last();
    match (last, response) {
        (Last::ModelError, _) => Termination::ModelError,
        (Last::Interruption, _) => Termination::Cancelled,
        (Last::Response, Some(response)) => match &response.stop {
            Some(stop) => termination(SCAFFOLD, stop).unwrap_or(Termination::Unknown),
            None if response.turn.calls.is_empty() => Termination::Finished,
            None => Termination::Incomplete,
        },
        _ => Termination::Incomplete,
    }
}

/// The client puts these words into the model's mouth, or a person's.
pub fn is_interruption(words: &str) -> bool {
    words.starts_with("[Request interrupted by user")
}
