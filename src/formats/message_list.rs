//! Bare lists of messages (`formats-swe.md` §0): mini-swe-agent before 1.0, and chats of other programs. They say nothing but
//! what was said.

use super::json::{self, Attempt, Items};
use super::messages::{Role, say_all};
use super::mini_swe_agent::{self, Action, Message, Messages};
use super::row::Row;
use super::{Evidence, Format, Read, Sketch, Sniff, cline};
use crate::data::submissions::submissions;
use crate::model::{Call, Quality, Termination, Trajectory};
use serde::de::DeserializeSeed;
use serde_json::Value;

/// Bare lists of messages.
pub const FORMAT: Format = Format {
    name: "message-list",
    written_by: "mini-swe-agent before 1.0, and programs that save a chat",
    files: "*.traj.json, *.json",
    lacks: &["instance, model, exit status, patch, times, tokens"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Values(|values| matches!(values, [value] if is_list(value))),
    read: |input| read(input.bytes()),
};

/// A list of messages: those of JSON Lines are several.
pub fn is_list(value: &Sketch) -> bool {
    let has = |key: &str| value.elements().iter().any(|element| element.has(key));
    // A list that begins with an item of the Responses API is no list of messages, though messages may follow.
    let begins = value.elements().first().is_some_and(|first| first.has("role"));
    // People of an address list have roles too: one of the first elements must have one that a chat knows.
    let speaks = value.elements().iter().any(|element| element.text("role").and_then(Role::of).is_some());
    begins && speaks && (has("content") || has("tool_calls")) && !cline::is_history(value)
}

fn read(bytes: &[u8]) -> Read {
    let read = json::read(bytes, |text| {
        let mut read = Read::default();
        let mut messages = Vec::new();
        let mut taker = Messages {
            out: &mut messages,
            problems: &mut read.problems,
            unknown_keys: &mut read.unknown_keys,
            seen: 0,
        };
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let result = Items(&mut taker).deserialize(&mut deserializer).and_then(|_| deserializer.end());
        read.trajectories.push(trajectory(messages));
        Attempt { read, fault: result.err() }
    });
    let has_call = read.trajectories.iter().flat_map(|run| &run.turns).any(|turn| !turn.calls.is_empty());
    if has_call { read } else { in_other_shapes(bytes).unwrap_or(read) }
}

/// Calls as content blocks, as items, or in tags of the text, which no program of the SWE family writes; `None` where there
/// is none either.
fn in_other_shapes(bytes: &[u8]) -> Option<Read> {
    let mut read = Read::default();
    let Value::Array(messages) = json::document(bytes, &mut read.problems)? else { return None };
    let (said, _) = say_all(&messages);
    let run = Row::default().trajectory(FORMAT.name, said);
    let has_call = run.turns.iter().any(|turn| !turn.calls.is_empty());
    read.trajectories.push(run);
    has_call.then_some(read)
}

fn trajectory(messages: Vec<Message<'_>>) -> Trajectory {
    let action = Action::of_list(&messages);
    let is_mini = matches!(action, Action::Fenced);
    let mut run = Trajectory::new(FORMAT.name, if is_mini { mini_swe_agent::SCAFFOLD } else { "chat" });
    run.can_submit = is_mini;
    run.logs_exit_codes = is_mini;
    mini_swe_agent::turns(&mut run, messages, &action);
    run.steps = Some(run.turns.len() as i64);
    run.termination = end(&run);
    if run.termination == Termination::Submitted {
        run.submitting_turn = run.turns.len().checked_sub(1);
    }
    run
}

/// The end that the last turn tells.
fn end(run: &Trajectory) -> Termination {
    let Some(last) = run.turns.last() else { return Termination::Incomplete };
    match last.calls.last() {
        Some(call) if run.can_submit && hands_in(call) => Termination::Submitted,
        // A plain message ends a chat; a call whose result nobody took up ends nothing.
        None if !run.can_submit && last.quality_without_call == Quality::None => Termination::Finished,
        _ => Termination::Incomplete,
    }
}

/// The command prints the marker, and its result came back without the usual wrapping, as only a submission does.
fn hands_in(call: &Call) -> bool {
    let mut markers = submissions(mini_swe_agent::SCAFFOLD);
    markers.any(|marker| call.input.contains(&marker.action))
        && call.observation.is_some()
        && call.exit_code.is_none()
}
