//! Outputs of Codex' calls (`formats-other.md` §7): JSON with the exit code beside the output, or a head of lines above it
//! (`Exit code: 1`, `Process exited with code 1`), or the output alone.

use crate::formats::json::lenient::{as_number, as_whole, at, content, flag};
use crate::formats::observation;
use crate::model::{Call, ObservationState, Quality, quality_reason};
use serde_json::Value;

/// First lines of the head that Codex writes above an output.
const HEADS: &[&str] = &[
    "Exit code: ",
    "Chunk ID: ",
    "Wall time: ",
    "Process exited with code ",
    "Process running with session ID ",
    "Total output lines: ",
];
/// Marks that Codex leaves where it takes a part of an output out.
const CUTS: &[(&str, &str)] =
    &[("[... omitted ", " lines ...]"), ("…", " tokens truncated…"), ("…", " chars truncated…")];
/// Answers that refuse the form of a call.
const REFUSALS: &[(&str, &str)] = &[
    ("failed to parse function arguments", quality_reason::ARGUMENTS),
    ("unsupported call: ", quality_reason::UNKNOWN_TOOL),
    ("unsupported custom tool call: ", quality_reason::UNKNOWN_TOOL),
];
/// Answers by which Codex says that a call did not run.
const FAILURES: &[&str] = &[
    "execution error: ",
    "exec_command failed",
    "aborted",
    "patch rejected",
    "apply_patch verification failed",
];

/// Gives a call its output.
pub fn answer(call: &mut Call, value: &Value) {
    if flag(value, "success") == Some(false) {
        call.is_error = Some(true);
    }
    let text = content(Some(value)).unwrap_or_default();
    let body = match wrapped(&text) {
        Some(wrapped) => wrapped,
        None => headed(&text),
    };
    call.exit_code = body.exit_code.or(call.exit_code);
    call.duration_ms = body.seconds.map(|seconds| (seconds * 1000.0).round() as i64).or(call.duration_ms);
    let start = body.text.trim_start();
    call.timed_out |= start.starts_with("command timed out after ");
    if FAILURES.iter().any(|words| start.starts_with(words)) {
        call.is_error = Some(true);
    }
    if let Some((_, reason)) = REFUSALS.iter().find(|(words, _)| start.starts_with(words)) {
        call.quality = Quality::Parsable;
        call.quality_reason = Some(reason);
    }
    let state = if is_cut(&body.text) { ObservationState::Cut } else { ObservationState::Full };
    observation::set(call, body.text.into(), state);
}

struct Body {
    text: String,
    exit_code: Option<i64>,
    seconds: Option<f64>,
}

/// `{"output": …, "metadata": {"exit_code": …, "duration_seconds": …}}`.
fn wrapped(text: &str) -> Option<Body> {
    if !text.starts_with('{') {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    value.get("metadata")?.as_object()?;
    Some(Body {
        text: value.get("output")?.as_str()?.to_owned(),
        exit_code: at(&value, &["metadata", "exit_code"]).and_then(as_whole),
        seconds: at(&value, &["metadata", "duration_seconds"]).and_then(as_number),
    })
}

/// A head of lines up to `Output:`; a text without one is the output.
fn headed(text: &str) -> Body {
    let whole = || Body { text: text.to_owned(), exit_code: None, seconds: None };
    if !HEADS.iter().any(|head| text.starts_with(head)) {
        return whole();
    }
    let Some((head, body)) = text.split_once("\nOutput:") else { return whole() };
    // A program may print these words itself, far below.
    if head.lines().count() > 8 {
        return whole();
    }
    let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let code = value("Exit code: ").or_else(|| value("Process exited with code "));
    let seconds = value("Wall time: ").and_then(|text| text.split(' ').next());
    Body {
        text: body.strip_prefix('\n').unwrap_or(body).to_owned(),
        exit_code: code.and_then(|code| code.parse().ok()),
        seconds: seconds.and_then(|seconds| seconds.parse().ok()).filter(|seconds: &f64| seconds.is_finite()),
    }
}

/// A line says that a part was left out.
fn is_cut(text: &str) -> bool {
    CUTS.iter().any(|(before, after)| {
        text.match_indices(after).take(20).any(|(end, _)| {
            let line = text[..end].rfind('\n').map_or(0, |place| place + 1);
            text[line..end].rfind(before).is_some_and(|start| {
                text[line + start + before.len()..end].chars().all(|character| {
                    character.is_ascii_digit() || character == ' ' || character == 'o' || character == 'f'
                })
            })
        })
    })
}
