//! JSON Lines: one record a line, and everything that goes wrong there. A bad line costs one line (`atif.md` §4): glued
//! records are parted, a torn record gives up what follows it, NUL bytes and byte order marks go, what Python writes and
//! strict JSON refuses is put right; each is counted and said.

use super::repair;
use crate::model::{Problem, Weight};
use serde_json::Value;

/// Deepest nesting that is built; what lies deeper becomes null.
const DEPTH: usize = 100;

/// One record.
#[derive(Clone, Debug)]
pub struct Record {
    /// Line, from 1.
    pub line: u64,
    /// Its value.
    pub value: Value,
}

impl Record {
    /// `line N`.
    pub fn place(&self) -> String {
        format!("line {}", self.line)
    }
}

/// Gives all records of JSON Lines to `each`, in order; what was lost or repaired goes to `problems`.
pub fn records(
    bytes: &[u8],
    lines_before: u64,
    problems: &mut Vec<Problem>,
    mut each: impl FnMut(Record, &mut Vec<Problem>),
) {
    let mut line = lines_before;
    // U+2028 and its kin end no line: only `\n` does.
    for bytes in super::without_mark(bytes).split(|byte| *byte == b'\n') {
        line += 1;
        // Files with a mark that were put one behind the other have it in the middle.
        let bytes = super::without_mark(trimmed(bytes, line, problems));
        if !bytes.is_empty() {
            of_line(bytes, line, problems, &mut |value, problems| each(Record { line, value }, problems));
        }
    }
}

/// A line without blanks and NUL bytes around it.
fn trimmed<'a>(bytes: &'a [u8], line: u64, problems: &mut Vec<Problem>) -> &'a [u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(start, |place| place + 1);
    if bytes[..start].contains(&0) || bytes[end..].contains(&0) {
        let what = if start == end { "a line of NUL bytes: no record" } else { "NUL bytes around a record" };
        problems.push(Problem::new(Weight::Repaired, format!("line {line}"), what));
    }
    &bytes[start..end]
}

fn of_line(
    bytes: &[u8],
    line: u64,
    problems: &mut Vec<Problem>,
    each: &mut impl FnMut(Value, &mut Vec<Problem>),
) {
    let place = || format!("line {line}");
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => std::borrow::Cow::Borrowed(text),
        Err(_) => {
            let what = "bytes that are no UTF-8 were replaced";
            problems.push(Problem::new(Weight::Repaired, place(), what));
            String::from_utf8_lossy(bytes)
        }
    };
    let mut rest: &str = &text;
    let mut count = 0;
    while !rest.is_empty() {
        match value(rest) {
            Ok((value, end, repaired)) => {
                if let Some(mut problem) = repaired {
                    problem.place = place();
                    problems.push(problem);
                }
                count += 1;
                each(value, problems);
                rest = rest[end..].trim_start_matches([' ', '\t', '\r', '\0', ',', '\u{feff}']);
            }
            Err(fault) => {
                // What a torn record is glued to may be whole: it begins where an object begins that reads to its end.
                let next = glued_start(rest);
                let lost = next.unwrap_or(rest.len());
                let what = format!("a broken record of {lost} bytes was left out ({fault})");
                problems.push(Problem::new(Weight::Refused, place(), what));
                rest = &rest[lost..];
            }
        }
    }
    if count > 1 {
        let what = format!("{count} records glued on one line were parted");
        problems.push(Problem::new(Weight::Repaired, place(), what));
    }
}

/// A value at the start of a text, its length, and what was repaired (without a place).
pub fn value(text: &str) -> Result<(Value, usize, Option<Problem>), String> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let fault = match stream.next() {
        Some(Ok(value)) => return Ok((value, stream.byte_offset(), None)),
        Some(Err(fault)) => fault,
        None => return Err("nothing".to_owned()),
    };
    if let Some(flat) = flattened(text) {
        let value = serde_json::from_str::<Value>(&flat).map_err(|fault| reason(&fault))?;
        let what = format!("nested deeper than {DEPTH}: what lies deeper was read as null");
        return Ok((value, text.len(), Some(Problem::new(Weight::Repaired, "", what))));
    }
    let repaired = repair::repair(text).ok_or_else(|| reason(&fault))?;
    let mut stream = serde_json::Deserializer::from_str(&repaired.text).into_iter::<Value>();
    match stream.next() {
        // The repaired text has other offsets: only a record that fills the line is taken so.
        Some(Ok(value)) if repaired.text[stream.byte_offset()..].trim().is_empty() => {
            Ok((value, text.len(), Some(repaired.problem())))
        }
        _ => Err(reason(&fault)),
    }
}

fn reason(fault: &serde_json::Error) -> String {
    super::reason(fault)
}

/// Where in a broken line the next whole record begins.
fn glued_start(text: &str) -> Option<usize> {
    // What stands behind `:`, `,` or `[` is a part of the torn record itself.
    let starts = text.match_indices("{\"").map(|(place, _)| place).filter(|place| {
        let before = text[..*place].trim_ascii_end();
        !before.is_empty() && !before.ends_with([':', ',', '['])
    });
    // A hostile line of braces must not cost its square.
    starts.take(200).find(|place| {
        serde_json::from_str::<serde::de::IgnoredAny>(text[*place..].trim_end_matches(['\0', '\r', ' ']))
            .is_ok()
    })
}

/// The text with what is nested too deep replaced by null; `None` where nothing is.
pub fn flattened(text: &str) -> Option<String> {
    let mut out = String::new();
    let (mut depth, mut within, mut escaped) = (0_usize, false, false);
    let (mut kept, mut cut_from) = (0, None);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if within => escaped = true,
            b'"' => within = !within,
            b'[' | b'{' if !within => {
                depth += 1;
                if depth == DEPTH + 1 {
                    cut_from = Some(place);
                }
            }
            b']' | b'}' if !within => {
                if depth == DEPTH + 1
                    && let Some(from) = cut_from.take()
                {
                    out.push_str(&text[kept..from]);
                    out.push_str("null");
                    kept = place + 1;
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    (kept > 0 && cut_from.is_none()).then(|| {
        out.push_str(&text[kept..]);
        out
    })
}
