//! What predev's tools answer: the output of its shell stands in a JSON object with the exit code and an echo of the
//! command, all cut to a length; its harness refuses calls in sentences of its own.
//!
//! Owns the taking out of what the command printed, and which refusals speak of the form of a call (`definitions.md` §2).

use crate::formats::json;
use crate::model::quality_reason::{MISSING_ARGUMENT, USAGE};
use crate::model::{Call, ObservationState, Quality};

/// Name of the scaffold, as its logs give it.
pub const SCAFFOLD: &str = "predev";

/// Characters to which every result is cut.
const LIMIT: usize = 2000;

/// A result without its wrapping.
pub struct Shown {
    /// What the command printed, its errors last; else the text as it is.
    pub text: String,
    /// Whether something of it is missing.
    pub state: ObservationState,
    /// Exit code, where the cut left it.
    pub exit: Option<i64>,
}

/// Takes a result out of its object.
pub fn shown(text: String) -> Shown {
    if let Some(so_far) = so_far(&text) {
        return Shown { text: so_far.to_owned(), state: ObservationState::Cut, exit: None };
    }
    if let Some(wrapped) = text.strip_prefix("{\"stdout\":\"") {
        return of_shell(wrapped);
    }
    if let Some(wrapped) = text.strip_prefix("{\"text\":\"") {
        let (text, rest) = string(wrapped);
        return Shown { text, state: state(rest.is_some()), exit: None };
    }
    let state = state(!is_cut(&text));
    Shown { text, state, exit: None }
}

/// What a command that goes on in the background printed so far; the echo of the command is none of it.
fn so_far(text: &str) -> Option<&str> {
    if !text.starts_with("⏳ **Command sent to background**") {
        return None;
    }
    // Where the cut fell into the echo, nothing of the output is known, and the words of the command are none of it.
    let Some((_, rest)) = text.split_once("**Partial output so far:**\n") else { return Some("") };
    let output = rest.split("\n⚠️ **CRITICAL").next().unwrap_or(rest).trim();
    let output = output.strip_prefix("```\n").unwrap_or(output);
    let output = output.strip_suffix("```").unwrap_or(output).trim_end();
    Some(if output == "_No stdout yet_" { "" } else { output })
}

fn of_shell(wrapped: &str) -> Shown {
    let (mut text, mut rest) = string(wrapped);
    if let Some(errors) = rest.and_then(|rest| rest.strip_prefix(",\"stderr\":\"")) {
        let errors = string(errors);
        if !(text.is_empty() || text.ends_with('\n') || errors.0.is_empty()) {
            text.push('\n');
        }
        text.push_str(&errors.0);
        rest = errors.1;
    } else if rest.is_some_and(|rest| !rest.starts_with(",\"exitCode\"")) {
        rest = None;
    }
    let exit = rest.and_then(|rest| rest.strip_prefix(",\"exitCode\":"));
    // A number at the very end may be the beginning of a longer one.
    let exit = exit.and_then(|exit| exit.split_once([',', '}'])).and_then(|(code, _)| code.parse().ok());
    Shown { text, state: state(rest.is_some()), exit }
}

fn state(is_whole: bool) -> ObservationState {
    if is_whole { ObservationState::Full } else { ObservationState::Cut }
}

/// A JSON string whose opening quote stands before the text, and what follows its closing one; `None` where the text
/// ends within it.
fn string(text: &str) -> (String, Option<&str>) {
    let mut escaped = false;
    let end = text.bytes().position(|byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => byte == b'"',
    });
    let body = &text[..end.unwrap_or(text.len())];
    (unescaped(body), end.map(|end| &text[end + 1..]))
}

/// A cut may leave half an escape at the end.
fn unescaped(body: &str) -> String {
    let whole = body.rfind('\\').filter(|at| body.len() - at < 6).unwrap_or(body.len());
    for body in [body, &body[..whole]] {
        let quoted = format!("\"{body}\"");
        let text = serde_json::from_str(&quoted).ok();
        let again = || json::repaired(&quoted).and_then(|quoted| serde_json::from_str(&quoted).ok());
        if let Some(text) = text.or_else(again) {
            return text;
        }
    }
    body.to_owned()
}

/// Lowers the quality of a call that the harness refused for its form, and notes a tool that says it failed.
pub fn judge(call: &mut Call) {
    let answer = call.observation.as_deref().unwrap_or_default();
    let first = answer.lines().next().unwrap_or_default();
    let reason = if first.starts_with("⚠️ Do not use ") || first.starts_with("⛔ ") {
        USAGE
    } else if first.starts_with("❌ ") && first.contains(" is REQUIRED") {
        MISSING_ARGUMENT
    } else {
        if first.starts_with("❌ [") {
            call.is_error = Some(true);
        }
        return;
    };
    if call.quality == Quality::Valid {
        call.quality = Quality::Parsable;
        call.quality_reason = Some(reason);
    }
}

fn is_cut(text: &str) -> bool {
    // The limit is one of UTF-16 units, and blanks at the end are trimmed after the cut.
    let is_long = text.encode_utf16().count() >= LIMIT;
    let is_whole = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let is_json = || is_whole(text) || json::repaired(text).is_some_and(|text| is_whole(&text));
    is_long || text.starts_with("{\"") && !is_json()
}

#[cfg(test)]
mod tests {
    use super::{ObservationState, shown};

    #[test]
    fn output_stands_without_its_object() {
        let whole = shown(r#"{"stdout":"1 \"a\"\n","stderr":"E: b","exitCode":3,"command":"c FAIL"}"#.into());
        assert_eq!((whole.text.as_str(), whole.exit), ("1 \"a\"\nE: b", Some(3)));
        assert_eq!(whole.state, ObservationState::Full);
        // The echo of the command is cut, what it printed is whole.
        let echo = shown(r#"{"stdout":"ok","stderr":"","exitCode":0,"command":"python3 - <<"#.into());
        assert_eq!((echo.text.as_str(), echo.exit, echo.state), ("ok", Some(0), ObservationState::Full));
        let cut = shown(r#"{"stdout":"line\u00e4\nnext\u00"#.into());
        assert_eq!((cut.text.as_str(), cut.exit, cut.state), ("lineä\nnext", None, ObservationState::Cut));
        let code = shown(r#"{"stdout":"","stderr":"","exitCode":12"#.into());
        assert_eq!((code.exit, code.state), (None, ObservationState::Full));
    }

    #[test]
    fn a_command_that_goes_on_shows_what_it_printed_so_far() {
        let running = "⏳ **Command sent to background** (still running after 15.0s)\n\n**Command:** `echo PASS`\n\n**Partial output so far:**\n```\nstep 1\n```\n\n\n⚠️ **CRITICAL — still running**";
        let partial = shown(running.into());
        assert_eq!((partial.text.as_str(), partial.state), ("step 1", ObservationState::Cut));
        assert_eq!(shown(running.replace("```\nstep 1\n```", "_No stdout yet_")).text, "");
        // Cut within the echo of the command: its words are no output.
        let (echo, _) = running.split_once("`\n").expect("an echo");
        assert_eq!(
            (shown(echo.into()).text, shown(echo.into()).state),
            (String::new(), ObservationState::Cut)
        );
    }

    #[test]
    fn other_answers_stay_as_they_are() {
        let text = "# Write Successful\n\n**File:** `a.py`";
        let plain = shown(text.into());
        assert_eq!((plain.text.as_str(), plain.state), (text, ObservationState::Full));
        assert_eq!(shown(r#"{"query": "x", "resul"#.into()).state, ObservationState::Cut);
    }
}
