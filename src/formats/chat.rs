//! Chat messages as values, of programs that keep them beside other things (τ-bench, τ², Inspect): a response with its calls,
//! and the answers of tools, whatever spelling of the chat interface the program took over (`formats-other.md` §12).
//!
//! Never here: what else a log holds, and how it ended.

use super::json::lenient::{at, content, filled, list, text, time, whole};
use super::{observation, text_calls};
use crate::model::quality_reason::{ARGUMENTS, UNKNOWN_TOOL};
use crate::model::{Call, ObservationState, Quality, Trajectory, Turn};
use serde_json::Value;
use std::collections::HashMap;

/// Adds all turns of a list of messages. The first system message and the first of a user become system prompt and task
/// where these are not known yet.
pub fn add(run: &mut Trajectory, messages: &[Value]) {
    let mut open = OpenCalls::default();
    for message in messages {
        match text(message, "role") {
            Some("system") if run.system.is_none() => run.system = content(message.get("content")),
            Some("user") if run.task.is_none() => run.task = content(message.get("content")),
            Some("assistant") => open.respond(run, message),
            Some("tool") => open.answer(run, message),
            _ => {}
        }
    }
}

/// Calls by their id, the latest of each: some programs count their ids anew in every response.
#[derive(Default)]
pub struct OpenCalls(HashMap<String, (usize, usize)>);

impl OpenCalls {
    /// Adds the turn of a response.
    pub fn respond(&mut self, run: &mut Trajectory, message: &Value) {
        let mut turn = Turn::new(content(message.get("content")).unwrap_or_default());
        turn.reasoning = reasoning(message);
        turn.logged_at = time(message, "timestamp");
        if let Some(usage) = message.get("usage") {
            (turn.tokens_in, turn.tokens_out) = tokens(usage);
        }
        turn.calls.extend(list(message, "content").iter().filter_map(served));
        for request in list(message, "tool_calls") {
            if let Some(id) = filled(request, "id") {
                self.0.insert(id.to_owned(), (run.turns.len(), turn.calls.len()));
            }
            turn.calls.push(call(request));
        }
        run.turns.push(turn);
    }

    /// The call of an id.
    pub fn find<'r>(&self, run: &'r mut Trajectory, id: &str) -> Option<&'r mut Call> {
        let (turn, call) = self.0.get(id)?;
        run.turns.get_mut(*turn)?.calls.get_mut(*call)
    }

    /// Takes the answer of a tool to its call. Several answers may stand in one message (τ²); answers to tools of the
    /// simulated user have no call here.
    pub fn answer(&self, run: &mut Trajectory, message: &Value) {
        for inner in list(message, "tool_messages") {
            self.answer(run, inner);
        }
        let id = filled(message, "tool_call_id").or_else(|| filled(message, "id"));
        let Some(call) = id.and_then(|id| self.find(run, id)) else { return };
        let error = message.get("error").filter(|error| !error.is_null());
        let said = content(message.get("content")).filter(|said| !said.is_empty());
        let said = said.or_else(|| error.and_then(|error| filled(error, "message")).map(str::to_owned));
        observation::set(call, said.unwrap_or_default().into(), ObservationState::Full);
        match error {
            Some(Value::Bool(is_error)) => call.is_error = Some(*is_error),
            Some(error) => fault(call, error),
            None => {}
        }
    }
}

/// A call as any spelling of the interface requests it.
fn call(request: &Value) -> Call {
    let function = request.get("function").unwrap_or(request);
    let name = function.as_str().or_else(|| text(function, "name")).unwrap_or_default();
    let arguments = function.get("arguments").or_else(|| request.get("arguments"));
    let mut call = text_calls::made(name, arguments);
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
pub fn fault(call: &mut Call, error: &Value) {
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
    let field = filled(message, "reasoning").or_else(|| filled(message, "reasoning_content"));
    if let Some(field) = field {
        return Some(field.to_owned());
    }
    let parts = list(message, "content").iter().filter(|part| text(part, "type") == Some("reasoning"));
    let texts: Vec<&str> =
        parts.filter_map(|part| filled(part, "summary").or_else(|| filled(part, "reasoning"))).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Tokens read, cached ones included, and written. Some services count cached ones within, and say so in details.
pub fn tokens(usage: &Value) -> (Option<i64>, Option<i64>) {
    let first = |keys: [&str; 2]| keys.iter().find_map(|key| whole(usage, key));
    let cached: i64 = ["input_tokens_cache_read", "input_tokens_cache_write"]
        .iter()
        .filter_map(|key| whole(usage, key))
        .fold(0, i64::saturating_add);
    let read = first(["prompt_tokens", "input_tokens"]).map(|read| read.saturating_add(cached));
    (read, first(["completion_tokens", "output_tokens"]))
}

/// The model's service or a person wrote it: there is something that only a real response has.
pub fn is_measured(message: &Value) -> bool {
    at(message, &["usage"]).is_some() || at(message, &["raw_data"]).is_some()
}
