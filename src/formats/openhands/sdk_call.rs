//! A call of the SDK and its result: the typed action where there is one, else the arguments as the model wrote them.

use super::result;
use crate::formats::json::lenient::{content, filled, flag, text};
use crate::formats::tools;
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, UNKNOWN_TOOL};
use crate::model::{Call, CallKind, Operation, Quality};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Keys that the SDK adds to every action.
const ASIDE: [&str; 5] = ["kind", "reset", "security_risk", "summary", "timeout"];

/// The call of an action's event, and whether it hands in.
pub fn call(event: &Value, cwd: Option<&str>) -> (Call, bool) {
    let name = filled(event, "tool_name").unwrap_or("unknown");
    let typed = event.get("action").filter(|action| action.is_object());
    let (arguments, is_malformed) = match typed {
        Some(action) => (plain(action), false),
        None => match tools::arguments(event.get("tool_call").and_then(|call| call.get("arguments"))) {
            Ok(arguments) => (plain(&arguments), false),
            Err(raw) => (Value::String(raw), true),
        },
    };
    let mut call = tools::call(name, &arguments);
    result::see_input(&mut call);
    call.cwd = call.cwd.take().or_else(|| cwd.map(str::to_owned));
    if is_malformed {
        call = Call {
            quality: Quality::Parsable,
            quality_reason: Some(ARGUMENTS),
            ..Call::new(name, CallKind::Tool, call.input)
        };
    }
    let is_submit = call.operation == Some(Operation::Submit) && !is_malformed;
    (call, is_submit)
}

fn plain(arguments: &Value) -> Value {
    let Value::Object(fields) = arguments else { return arguments.clone() };
    let kept = fields.iter().filter(|(key, value)| !value.is_null() && !ASIDE.contains(&key.as_str()));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}

/// Sets what came back, and gives the folder in which the shell stands afterwards.
pub fn observe<'v>(call: &mut Call, event: &'v Value) -> Option<&'v str> {
    let observation = event.get("observation").filter(|observation| observation.is_object());
    let Some(observation) = observation else {
        let refused =
            filled(event, "error").or_else(|| filled(event, "rejection_reason")).unwrap_or_default();
        call.is_error = Some(true);
        result::set(call, Cow::Borrowed(refused), None);
        if text(event, "kind") == Some("AgentErrorEvent") {
            refuse(call, refused);
        }
        return None;
    };
    call.exit_code = result::exit_code(observation);
    call.is_error = flag(observation, "is_error").or_else(|| flag(observation, "error"));
    // The word tells nothing of what a command did: the tool itself worked.
    if call.kind == CallKind::Shell && call.is_error == Some(false) {
        call.is_error = None;
    }
    let shown = ["content", "output", "error", "message"].iter().find_map(|key| {
        content(observation.get(*key).filter(|value| !value.is_boolean())).filter(|text| !text.is_empty())
    });
    result::set(call, Cow::Owned(shown.unwrap_or_default()), observation.get("metadata"));
    call.timed_out |= flag(observation, "timeout") == Some(true);
    result::working_dir(observation)
}

/// The agent took the call out of the response and could not run it.
fn refuse(call: &mut Call, words: &str) {
    let reason = if words.contains("not found") && words.starts_with("Tool ") {
        UNKNOWN_TOOL
    } else if words.contains("Field required") || words.contains("missing") {
        MISSING_ARGUMENT
    } else if words.contains("validating") || words.contains("JSON") || words.contains("arguments") {
        ARGUMENTS
    } else {
        return;
    };
    call.quality = Quality::Parsable;
    call.quality_reason = Some(reason);
}
