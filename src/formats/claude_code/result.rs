//! What came back from a call: a `tool_result` block, and the object that the program keeps beside it.

use crate::data::pattern::ascii;
use crate::formats::json::lenient::{content, flag, whole};
use crate::formats::{observation, quality};
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, UNKNOWN_TOOL};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Quality};
use regex::Regex;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Newer versions write the exit code of a failed command before its output; there is no field for it.
static EXIT_CODE: LazyLock<Regex> = LazyLock::new(|| ascii(r"^(?:Error: )?Exit code (-?\d{1,10})(?:\n|$)"));
/// A part of the output was left out, or lies in a file of its own.
static CUT: LazyLock<Regex> =
    LazyLock::new(|| ascii(r"^<persisted-output>|\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\."));

/// Sets what came back.
pub fn see(call: &mut Call, block: &Value, beside: Option<&Value>) {
    let whole_text = content(block.get("content"));
    let is_text = whole_text.is_some() || block.get("content").is_none_or(Value::is_null);
    let mut seen = whole_text.unwrap_or_default();
    // The schema of results: what is not said is false.
    let is_error = flag(block, "is_error").unwrap_or(false);
    call.is_error = Some(is_error);
    if let Some(refusal) = unwrapped(&seen) {
        refuse(call, refusal);
        seen = refusal.to_owned();
    } else if is_error {
        refuse(call, &seen.clone());
    }
    if call.kind == CallKind::Shell {
        let found = EXIT_CODE
            .captures(&seen)
            .filter(|_| is_error)
            .map(|found| (found[1].parse().ok(), found[0].len()));
        if let Some((code, length)) = found {
            call.exit_code = code;
            seen.drain(..length);
        }
        call.exit_code = call.exit_code.or_else(|| beside.and_then(|beside| whole(beside, "exitCode")));
    }
    call.timed_out = is_error && seen.lines().any(|line| line.starts_with("Command timed out after "));
    call.duration_ms =
        beside.and_then(|beside| whole(beside, "durationMs").or_else(|| whole(beside, "totalDurationMs")));
    // Pictures are not kept: what is left is a part.
    let is_cut = !is_text || CUT.is_match(&seen);
    let state = if is_cut { ObservationState::Cut } else { ObservationState::Full };
    observation::set(call, Cow::Owned(seen), state);
    if call.quality == Quality::Valid && call.kind == CallKind::Shell {
        quality::judge(call, CommandSet::Plain);
    }
}

/// The text of a refusal by the tool itself.
fn unwrapped(text: &str) -> Option<&str> {
    text.trim().strip_prefix("<tool_use_error>")?.strip_suffix("</tool_use_error>")
}

/// A refusal of the form lowers the quality; one for a state of the workspace does not (`definitions.md` §2).
fn refuse(call: &mut Call, words: &str) {
    let words = words.trim_start().trim_start_matches("Error: ");
    let reason = if words.starts_with("InputValidationError") {
        if words.contains("is missing") { MISSING_ARGUMENT } else { ARGUMENTS }
    } else if words.starts_with("No such tool available") {
        UNKNOWN_TOOL
    } else {
        return;
    };
    call.quality = Quality::Parsable;
    call.quality_reason = Some(reason);
}
