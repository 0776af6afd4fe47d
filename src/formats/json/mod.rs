//! Reading JSON that programs wrote: a value is decoded once, into structs that borrow from the text; what no reader
//! needs is skipped without being built. A fault costs what follows it, never what stands before it.
//!
//! Never here: what a key means.

mod document;
mod events;
pub mod lenient;
mod records;
mod repair;
mod value;

pub use document::{ANYWHERE, Pruned, document, pruned};
pub use events::{Event, events};
pub use records::{Record, flattened, records};
pub use value::{Content, Element, Fields, Items, Object, Raw, Shape, Text, skip};

use super::Read;
use crate::model::{Problem, Weight};
use std::borrow::Cow;

/// Longest text of one value that is kept; what is longer is cut.
pub const MAX_TEXT: usize = 16 << 20;

/// What one pass over a text gave.
pub struct Attempt {
    /// What was read, up to the fault where there is one.
    pub read: Read,
    /// Why the pass ended before the end.
    pub fault: Option<serde_json::Error>,
}

/// Reads bytes by a pass over their text. Where strict JSON ends (`NaN` and lone surrogates, which Python writes, raw
/// control characters), the text is repaired once and read again; where that fails too, what was read before the fault
/// stays, and the fault is a problem.
pub fn read(bytes: &[u8], pass: impl Fn(&str) -> Attempt) -> Read {
    let mut problems = Vec::new();
    let text = text(bytes, &mut problems);
    // File systems leave NUL bytes behind what was written before a crash.
    let text = text.trim_end_matches('\0');
    let Attempt { mut read, fault } = pass(text);
    if let Some(fault) = fault {
        match repair::repair(text) {
            Some(repaired) => {
                let again = pass(&repaired.text);
                problems.push(repaired.problem());
                problems.extend(again.fault.map(|fault| cut(&repaired.text, &fault, &again.read)));
                read = again.read;
            }
            None => problems.push(cut(text, &fault, &read)),
        }
    }
    problems.append(&mut read.problems);
    Read { problems, ..read }
}

/// Bytes as text: without a byte order mark, broken bytes replaced.
fn text<'a>(bytes: &'a [u8], problems: &mut Vec<Problem>) -> Cow<'a, str> {
    let bytes = without_mark(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let place = format!("byte {}", error.valid_up_to());
            problems.push(Problem::new(Weight::Repaired, place, "bytes that are no UTF-8 were replaced"));
            String::from_utf8_lossy(bytes)
        }
    }
}

/// The bytes without a byte order mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The bytes up to the first that is no UTF-8.
pub fn valid_start(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// The text with what Python and JavaScript write beside the standard put right; `None` where there is no such thing.
pub fn repaired(text: &str) -> Option<String> {
    repair::repair(text).map(|repaired| repaired.text)
}

fn cut(text: &str, fault: &serde_json::Error, read: &Read) -> Problem {
    let turns: usize = read.trajectories.iter().map(|trajectory| trajectory.turns.len()).sum();
    let place = byte_of(text, fault);
    // A number that is cut off is called invalid, not ended.
    let what = if fault.is_eof() || place + 1 >= text.len() {
        format!("the file ends in the middle of the log; {turns} turns before the cut were read")
    } else {
        format!("no valid JSON from here on ({}); {turns} turns before it were read", reason(fault))
    };
    Problem::new(Weight::Refused, format!("byte {place}"), what)
}

/// The parser's words without its place.
fn reason(fault: &serde_json::Error) -> String {
    let message = fault.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The byte that line and column of a fault stand for.
fn byte_of(text: &str, fault: &serde_json::Error) -> usize {
    let mut line_start = 0;
    for _ in 1..fault.line() {
        match memchr::memchr(b'\n', &text.as_bytes()[line_start..]) {
            Some(place) => line_start += place + 1,
            None => break,
        }
    }
    (line_start + fault.column().saturating_sub(1)).min(text.len())
}

/// Text that is kept, and whether it had to be cut.
pub fn bounded(text: Cow<'_, str>) -> (String, bool) {
    if text.len() <= MAX_TEXT {
        return (text.into_owned(), false);
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (text[..end].to_owned(), true)
}
