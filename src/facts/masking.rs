//! Keys of actions and observations (`definitions.md` §6): the same action, the same observation.
//!
//! An action is the same when its text is, runs of blanks outside edited text and a trailing newline aside. An
//! observation is the same after addresses, durations, time stamps, temp names and line wrapping are masked.

use super::key::key;
use crate::model::Call;
use crate::shell::Command;

/// Key of a call's action. Blanks inside quotes, here-documents and inline code are text and stay.
pub(super) fn action_key(call: &Call, command: Option<&Command>) -> u64 {
    let text = call.input.trim();
    let needs_folding = text.contains("  ") || text.contains('\t') || text.contains(" \n");
    match command.filter(|_| needs_folding) {
        Some(command) => key(&[&call.tool, &folded(call.input.trim_end(), command)]),
        None => key(&[&call.tool, text]),
    }
}

/// The text with runs of blanks made one, except in the ranges that are edited or quoted text.
fn folded(input: &str, command: &Command) -> String {
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for segment in &command.segments {
        kept.extend(segment.heredoc.iter().map(|heredoc| (heredoc.span.start, heredoc.span.end)));
        kept.extend(segment.inline_code.iter().map(|code| (code.span.start, code.span.end)));
        kept.extend(
            segment.arguments.iter().filter(|word| word.quoted).map(|word| (word.span.start, word.span.end)),
        );
    }
    kept.sort_unstable();
    let mut folded = String::with_capacity(input.len());
    let mut at = 0;
    for (start, end) in kept {
        let (start, end) = (start.min(input.len()), end.min(input.len()));
        if start >= at {
            fold(input.get(at..start).unwrap_or(""), &mut folded);
            folded.push_str(input.get(start..end).unwrap_or(""));
            at = end;
        }
    }
    fold(input.get(at..).unwrap_or(""), &mut folded);
    folded.trim().to_owned()
}

fn fold(text: &str, folded: &mut String) {
    let mut blank = false;
    for c in text.chars() {
        if c == ' ' || c == '\t' {
            blank = true;
            continue;
        }
        if blank && c != '\n' && !folded.ends_with('\n') {
            folded.push(' ');
        }
        blank = false;
        folded.push(c);
    }
    if blank && !folded.ends_with('\n') {
        folded.push(' ');
    }
}

/// Key of an observation.
pub(super) fn observation_key(text: &str) -> u64 {
    key(&[&masked(text)])
}

/// The text with everything masked that differs between two runs of the same thing.
pub(super) fn masked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let plain = run(bytes, at, is_plain);
        out.extend_from_slice(&bytes[at..at + plain]);
        at += plain;
        let Some(&byte) = bytes.get(at) else { break };
        if byte.is_ascii_whitespace() {
            while at < bytes.len() && bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            out.push(b' ');
        } else if byte == b'0' && bytes.get(at + 1) == Some(&b'x') && !ends_in_word(&out) {
            at += 2;
            at += run(bytes, at, |byte| byte.is_ascii_hexdigit());
            out.extend_from_slice(b"0x#");
        } else if byte.is_ascii_digit() && !ends_in_word(&out) {
            at += number(bytes, at, &mut out);
        } else if byte == b'/' && bytes[at..].starts_with(b"/tmp/") {
            // A temp name ends at the next slash, blank or quote.
            at += 5;
            at += run(bytes, at, |byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
            out.extend_from_slice(b"/tmp/#");
        } else {
            out.push(byte);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap_or_default()
}

/// A byte that begins nothing that is masked.
fn is_plain(byte: u8) -> bool {
    byte > b'9' || (byte > b' ' && byte < b'/')
}

fn ends_in_word(out: &[u8]) -> bool {
    out.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn run(bytes: &[u8], at: usize, fits: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().position(|byte| !fits(*byte)).unwrap_or(bytes.len() - at)
}

/// A number: a clock time, a date and a duration are masked, any other stays. Returns its length.
fn number(bytes: &[u8], at: usize, out: &mut Vec<u8>) -> usize {
    let body = run(bytes, at, |byte| byte.is_ascii_digit() || b".:,-/T+Z".contains(&byte));
    let trimmed = bytes[at..at + body]
        .iter()
        .rposition(|byte| byte.is_ascii_digit() || *byte == b'Z')
        .map_or(1, |last| last + 1);
    let text = &bytes[at..at + trimmed];
    // `bash: line 62215: javac: command not found`: a shell that stays open counts all lines that it was ever given.
    let digits = run(bytes, at, |byte| byte.is_ascii_digit());
    if out.ends_with(b"sh: line ") && bytes.get(at + digits) == Some(&b':') {
        out.push(b'#');
        return digits;
    }
    if is_clock(text) || is_date(text) {
        out.extend_from_slice(b"#time");
        return trimmed;
    }
    let plain = run(bytes, at, |byte| byte.is_ascii_digit() || byte == b'.');
    let plain = bytes[at..at + plain].iter().rposition(u8::is_ascii_digit).map_or(1, |last| last + 1);
    let mut after = at + plain;
    if bytes.get(after) == Some(&b' ') {
        after += 1;
    }
    let unit = run(bytes, after, |byte| byte.is_ascii_alphabetic() || byte == 0xC2 || byte == 0xB5);
    let is_unit = matches!(
        &bytes[after..after + unit],
        b"s" | b"ms"
            | b"us"
            | b"ns"
            | b"sec"
            | b"secs"
            | b"second"
            | b"seconds"
            | b"min"
            | b"mins"
            | b"minutes"
            | b"m"
            | b"h"
    ) || &bytes[after..after + unit] == "µs".as_bytes();
    if is_unit && unit > 0 {
        out.extend_from_slice(b"#duration");
        return after + unit - at;
    }
    out.extend_from_slice(&bytes[at..at + plain]);
    plain
}

/// `12:03:44`, `12:03`.
fn is_clock(text: &[u8]) -> bool {
    let head = text.split(|byte| *byte == b'.' || *byte == b',').next().unwrap_or(text);
    let parts: Vec<&[u8]> = head.split(|byte| *byte == b':').collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| part.len() == 2 && part.iter().all(u8::is_ascii_digit))
}

/// `2024-05-01`, `2024-05-01T12:03:44.123Z`, `2024/05/01`.
fn is_date(text: &[u8]) -> bool {
    text.len() >= 10
        && text[..4].iter().all(u8::is_ascii_digit)
        && (text[4] == b'-' || text[4] == b'/')
        && text[7] == text[4]
        && text[5..7].iter().chain(&text[8..10]).all(u8::is_ascii_digit)
}
