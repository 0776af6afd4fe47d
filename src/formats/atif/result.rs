//! What a result of an observation holds: its text, its exit code where a writer keeps one, and whether it was cut.

use super::predev;
use crate::formats::json::lenient::{content, flag, number, text, whole};
use crate::formats::{observation, openhands, quality};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Quality};
use serde_json::Value;

/// Gives a call the result; `extra` is that of the result, or of the step that carries it.
pub fn set(call: &mut Call, result: &Value, extra: &Value, scaffold: &str) {
    let raw = result.get("content");
    let text = match content(raw) {
        Some(text) => Some((text, ObservationState::Full)),
        // Pictures and sounds are no text: what there was is not seen.
        None if raw.is_some_and(Value::is_array) => Some((String::new(), ObservationState::Cut)),
        None => None,
    };
    if let Some((mut text, mut state)) = text {
        call.exit_code = exit_in_text(&text).or(call.exit_code);
        if scaffold == predev::SCAFFOLD {
            let shown = predev::shown(text);
            call.exit_code = shown.exit.or(call.exit_code);
            if shown.state == ObservationState::Cut {
                state = ObservationState::Cut;
            }
            text = shown.text;
        }
        observation::set(call, text.into(), state);
        if scaffold == predev::SCAFFOLD {
            predev::judge(call);
        }
        if scaffold == openhands::SCAFFOLD {
            openhands::refine(call);
        }
    }
    by_extra(call, extra);
    if call.kind == CallKind::Shell && call.quality == Quality::Valid {
        quality::judge(call, CommandSet::Plain);
    }
}

/// The text alone, where no call is known.
pub fn text_of(result: &Value) -> String {
    content(result.get("content")).unwrap_or_default()
}

fn by_extra(call: &mut Call, extra: &Value) {
    let code = ["exec_exit_code", "exit_code", "exitCode", "returncode"];
    call.exit_code = code.iter().find_map(|key| whole(extra, key)).or(call.exit_code);
    // A command that `completed` ended, well or not: its exit code tells.
    call.is_error = match (flag(extra, "is_error"), text(extra, "exec_status")) {
        (Some(is_error), _) => Some(is_error),
        (None, Some("failed" | "error")) => Some(true),
        _ => call.is_error,
    };
    let duration = ["exec_duration_ms", "duration_ms"].iter().find_map(|key| number(extra, key));
    call.duration_ms = duration.map(|duration| duration.round() as i64).or(call.duration_ms);
}

/// The exit code that a result's own text tells.
fn exit_in_text(text: &str) -> Option<i64> {
    if !text.starts_with('{') {
        return None;
    }
    let value = serde_json::from_str::<Value>(text).ok()?;
    let of_text = || {
        let inner = value.get("text")?.as_str()?.strip_prefix("[exit ")?;
        inner.split(']').next()?.trim().parse().ok()
    };
    whole(&value, "exitCode").or_else(of_text)
}
