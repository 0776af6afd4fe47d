//! Bare lists of messages (`formats-swe.md` §0): mini-swe-agent before 1.0, and chats of other programs. They say nothing but
//! what was said.

use super::json::{self, Attempt, Items};
use super::mini_swe_agent::{self, Action, Message, Messages};
use super::{Evidence, Format, Head, Read, Sniff};
use crate::data::submissions::submissions;
use crate::model::{Call, Quality, Termination, Trajectory};
use serde::de::DeserializeSeed;

/// Bare lists of messages.
pub const FORMAT: Format = Format {
    name: "message-list",
    written_by: "mini-swe-agent before 1.0, and programs that save a chat",
    files: "*.traj.json, *.json",
    lacks: &["instance, model, exit status, patch, times, tokens"],
    evidence: Evidence::Logs,
    is_rows: false,
    sniff: Sniff::Head(sniff),
    read: |input| read(input.bytes()),
};

fn sniff(head: &Head) -> bool {
    head.list.as_ref().is_some_and(|list| list.has("role") && (list.has("content") || list.has("tool_calls")))
}

fn read(bytes: &[u8]) -> Read {
    json::read(bytes, |text| {
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
    })
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
