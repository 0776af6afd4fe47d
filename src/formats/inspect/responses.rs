//! Messages in Inspect's spelling: a response with its calls and what the model's service did in its middle, and the answers of
//! tools with their faults.

use super::super::json::lenient::{content, filled, list, text, whole};
use super::super::pending::Pending;
use super::super::{observation, text_calls};
use crate::model::quality_reason::{ARGUMENTS, UNKNOWN_TOOL};
use crate::model::{Call, ObservationState, Quality, Trajectory, Turn};
use serde_json::Value;

/// Adds all turns of a list of messages.
pub fn add(run: &mut Trajectory, messages: &[Value]) {
    let mut open = Pending::default();
    for message in messages {
        match text(message, "role") {
            Some("assistant") => respond(run, &mut open, message),
            Some("tool") => {
                let id = filled(message, "tool_call_id");
                match id.and_then(|id| open.call(id, &mut run.turns)) {
                    Some(call) => answer(call, message.get("content"), message.get("error")),
                    None => run.lost_results += 1,
                }
            }
            _ => {}
        }
    }
}

/// Adds the turn of a response.
pub fn respond(run: &mut Trajectory, open: &mut Pending, message: &Value) {
    let mut turn = Turn::new(content(message.get("content")).unwrap_or_default());
    turn.reasoning = reasoning(message);
    turn.calls.extend(list(message, "content").iter().filter_map(served));
    run.turns.push(turn);
    for request in list(message, "tool_calls") {
        if let Some(turn) = run.turns.last_mut() {
            turn.calls.push(call(request));
        }
        if let Some(id) = filled(request, "id") {
            open.note(id, &run.turns);
        }
    }
}

/// What cut a response off, as a raw status of the run: the response may be its last. One that asks for a call was whole.
pub fn cut_off(choice: Option<&Value>) -> Option<String> {
    let choice = choice?;
    let has_call = choice.get("message").is_some_and(|message| !list(message, "tool_calls").is_empty());
    let reason = filled(choice, "stop_reason").filter(|reason| !has_call && CUTS.contains(reason))?;
    Some(format!("{CUT_BY}{reason}"))
}

/// Beginning of such a status.
pub const CUT_BY: &str = "stop:";
/// Reasons why a response ends that are none of the model's.
const CUTS: [&str; 3] = ["content_filter", "max_tokens", "model_length"];

/// Takes the answer of a tool to its call.
pub fn answer(call: &mut Call, result: Option<&Value>, error: Option<&Value>) {
    let error = error.filter(|error| !error.is_null());
    let said = content(result).filter(|said| !said.is_empty());
    let said = said.or_else(|| error.and_then(|error| filled(error, "message")).map(str::to_owned));
    observation::set(call, said.unwrap_or_default().into(), ObservationState::Full);
    if let Some(error) = error {
        fault(call, error);
    }
}

/// A request of a call: `{id, function, arguments}`.
fn call(request: &Value) -> Call {
    let name = ["function", "name"].iter().find_map(|key| text(request, key)).unwrap_or_default();
    let mut call = text_calls::made(name, request.get("arguments"));
    if filled(request, "parse_error").is_some() {
        (call.quality, call.quality_reason) = (Quality::Parsable, Some(ARGUMENTS));
    }
    call
}

/// A call that the model's service made and answered itself, in the middle of a response.
fn served(part: &Value) -> Option<Call> {
    if text(part, "type") != Some("tool_use") {
        return None;
    }
    let mut call = call(part);
    if let Some(result) = content(part.get("result")) {
        observation::set(&mut call, result.into(), ObservationState::Full);
    }
    call.is_error = filled(part, "error").map(|_| true);
    Some(call)
}

/// What a tool says of its failure: `{"type", "message"}`.
fn fault(call: &mut Call, error: &Value) {
    call.is_error = Some(true);
    match text(error, "type") {
        Some("timeout") => call.timed_out = true,
        Some("parsing") => {
            let is_unknown = text(error, "message").is_some_and(|message| message.contains("not found"));
            call.quality = Quality::Parsable;
            call.quality_reason = Some(if is_unknown { UNKNOWN_TOOL } else { ARGUMENTS });
        }
        _ => {}
    }
}

/// Hidden reasoning, as a field or as parts of the content.
fn reasoning(message: &Value) -> Option<String> {
    if let Some(field) = filled(message, "reasoning") {
        return Some(field.to_owned());
    }
    let parts = list(message, "content").iter().filter(|part| text(part, "type") == Some("reasoning"));
    let texts: Vec<&str> =
        parts.filter_map(|part| filled(part, "summary").or_else(|| filled(part, "reasoning"))).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Tokens read, cached ones included, which are counted apart, and written.
pub fn tokens(usage: &Value) -> (Option<i64>, Option<i64>) {
    let cached = ["input_tokens_cache_read", "input_tokens_cache_write"];
    let cached = cached.iter().filter_map(|key| whole(usage, key)).fold(0, i64::saturating_add);
    (whole(usage, "input_tokens").map(|read| read.saturating_add(cached)), whole(usage, "output_tokens"))
}
