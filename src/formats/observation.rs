//! What came back from a call, without the scaffold's wrapping.

use super::json;
use crate::model::{Call, ObservationState};
use std::borrow::Cow;

/// Sets the observation of a call; text beyond the cap is cut and marked so.
pub fn set(call: &mut Call, text: Cow<'_, str>, state: ObservationState) {
    let (text, is_cut) = json::bounded(text);
    call.observation = Some(text);
    call.observation_state = if is_cut { ObservationState::Cut } else { state };
}

/// The parts of mini-swe-agent's observation templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwrapped<'a> {
    /// Exit code, where the template says it.
    pub exit_code: Option<i64>,
    /// The output.
    pub text: Cow<'a, str>,
    /// The scaffold left a part out.
    pub is_cut: bool,
    /// The command was killed by the time limit.
    pub timed_out: bool,
}

/// Takes mini-swe-agent's wrapping off: `<returncode>N</returncode>` and `<output>…</output>`, or head and tail of a long
/// output, or the time-out template; `None` for a text that has none of it.
pub fn unwrap(content: &str) -> Option<Unwrapped<'_>> {
    if let Some(rest) = content.strip_prefix("The last command <command>") {
        let (_, rest) = rest.split_once("</command> timed out")?;
        let text = between(rest, "<output>\n", "\n</output>").unwrap_or_default();
        return Some(Unwrapped { exit_code: None, text: text.into(), is_cut: false, timed_out: true });
    }
    let (exception, rest) =
        match content.strip_prefix("<exception>").and_then(|rest| rest.split_once("</exception>")) {
            Some((exception, rest)) => (Some(exception), rest.trim_start()),
            None => (None, content),
        };
    let (code, rest) = rest.strip_prefix("<returncode>")?.split_once("</returncode>")?;
    let timed_out = exception.is_some_and(|text| text.contains("timed out after"));
    let mut found =
        Unwrapped { exit_code: code.trim().parse().ok(), text: "".into(), is_cut: false, timed_out };
    if let Some(output) =
        between(rest, "<output>\n", "</output>").or_else(|| between(rest, "<output>", "</output>"))
    {
        found.text = output.into();
    } else if let Some(head) = between_first(rest, "<output_head>\n", "</output_head>") {
        let gap = between_first(rest, "<elided_chars>\n", "</elided_chars>").unwrap_or("…\n");
        let tail = between(rest, "<output_tail>\n", "</output_tail>").unwrap_or_default();
        found.text = format!("{head}{gap}{tail}").into();
        found.is_cut = true;
    } else {
        found.text = rest.strip_prefix('\n').unwrap_or(rest).into();
    }
    if let (Some(exception), false) = (exception, timed_out) {
        found.text = format!("{exception}\n{}", found.text).into();
    }
    Some(found)
}

/// What stands between the first opening and the last closing sign: the output may hold either.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.rsplit_once(close).map(|(inner, _)| inner)
}

fn between_first<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    text.split_once(open)?.1.split_once(close).map(|(inner, _)| inner)
}
