//! JSON objects that a program printed into a log: one a line, pretty-printed over many lines, behind the time prefix of
//! another program, in one list, or cut over two prefixed lines with the prefix in the middle (`formats-other.md` §6). What
//! is no such object is the other program's text and no fault.
//!
//! Never here: what an event means.

use super::lenient::iso;
use super::records::value;
use crate::data::pattern::ascii;
use crate::model::{Problem, Weight};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// How an event begins, without blanks: every such program writes this key first.
const BEGINNING: &str = "{\"type\":\"";
/// Bytes that may be scanned in vain, for each byte of the log: torn events must not cost the square of the log.
const PATIENCE: usize = 8;

/// What another program puts before a line: times and levels in brackets, a bare time, the name of a container.
static PREFIX: LazyLock<Regex> = LazyLock::new(|| {
    let time = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?";
    let level = r"(?:\[?[A-Z]{3,8}\]?:? )?";
    ascii(&format!(r"^(?:(?:\[[^\]\n]{{1,60}}\] ?){{1,3}}|{time}\s+{level}|[\w.-]{{1,40}}\s+\| )"))
});

/// One object.
#[derive(Clone, Debug)]
pub struct Event {
    /// Line on which it begins, from 1.
    pub line: u64,
    /// Time in the prefix of that line, UTC milliseconds.
    pub time: Option<i64>,
    /// Its value.
    pub value: Value,
}

/// Gives all objects that begin with a `type` to `each`, in order; what was torn or repaired goes to `problems`.
pub fn events(
    bytes: &[u8],
    lines_before: u64,
    problems: &mut Vec<Problem>,
    mut each: impl FnMut(Event, &mut Vec<Problem>),
) {
    let text = super::text(bytes, problems);
    let mut scan = Scan { text: &text, patience: text.len().saturating_mul(PATIENCE) };
    let (mut place, mut line) = (0, lines_before + 1);
    while place < text.len() {
        let (prefix, start) = scan.start(place);
        let end = if scan.may_begin(start) {
            let place = format!("line {line}");
            match scan.object(start, prefix) {
                Ok((value, end, repaired)) => {
                    problems.extend(repaired.map(|problem| Problem { place, ..problem }));
                    let time = prefix.split(['[', ']']).find_map(time_of);
                    each(Event { line, time, value }, problems);
                    end
                }
                Err(fault) => {
                    let what = format!("a broken record was left out ({fault})");
                    problems.push(Problem::new(Weight::Refused, place, what));
                    scan.line_end(start)
                }
            }
        } else {
            scan.line_end(start)
        };
        // What stands behind an object on its line may be another one.
        let rest = &text[end..];
        let next = end + rest.len() - rest.trim_start_matches([' ', '\t', '\r', ',', ']']).len();
        let next = if text[next..].starts_with('\n') { next + 1 } else { next };
        line += text[place..next].bytes().filter(|byte| *byte == b'\n').count() as u64;
        place = if next > place { next } else { scan.line_end(place).max(place + 1) };
        while !text.is_char_boundary(place) {
            place += 1;
        }
    }
}

struct Scan<'t> {
    text: &'t str,
    patience: usize,
}

impl<'t> Scan<'t> {
    /// The prefix at a place where a line begins, and where the object may begin.
    fn start(&self, place: usize) -> (&'t str, usize) {
        let rest = &self.text[place..self.line_end(place)];
        let prefix = if rest.starts_with(['{', ' ']) || rest.starts_with("[{") { "" } else { prefix(rest) };
        let body = &rest[prefix.len()..];
        (prefix, place + rest.len() - body.trim_start_matches([' ', '\t', '[', ',', '\0']).len())
    }

    /// An event begins here, as far as the text goes.
    fn may_begin(&self, start: usize) -> bool {
        let rest = &self.text[start..];
        let compact: String =
            rest.chars().take(80).filter(|sign| !sign.is_whitespace()).take(BEGINNING.len()).collect();
        rest.starts_with('{') && BEGINNING.starts_with(&compact)
    }

    fn line_end(&self, place: usize) -> usize {
        let rest = &self.text.as_bytes()[place..];
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |end| place + end)
    }

    /// The object that begins here, where it ends, and what was repaired.
    fn object(&mut self, start: usize, prefix: &str) -> Result<(Value, usize, Option<Problem>), String> {
        // Most objects stand whole on their line.
        let line = &self.text[start..self.line_end(start)];
        let (whole, end) = joined(&self.text[start..], prefix, self.patience);
        let fault = match whole {
            Some(object) => match value(&object) {
                Ok((value, _, repaired)) => return Ok((value, start + end, repaired)),
                Err(fault) => fault,
            },
            None => "it does not end".to_owned(),
        };
        self.patience = self.patience.saturating_sub(end);
        // A stray quote leads the scan astray; the parser's own word on the line counts.
        match value(line) {
            Ok((value, length, repaired)) if value.is_object() => Ok((value, start + length, repaired)),
            _ => Err(fault),
        }
    }
}

/// The text of the object at the start of a text, without prefixes in its middle, and how far it reaches; `None` where it
/// does not end. At most `limit` bytes are looked at.
fn joined(text: &str, prefix: &str, limit: usize) -> (Option<String>, usize) {
    let shape = shape(prefix);
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut depth, mut within, mut escaped) = (0_usize, false, false);
    let (mut kept, mut place) = (0, 0);
    while place < bytes.len().min(limit) {
        match bytes[place] {
            b'\n' => {
                let next = same_shape(&text[place + 1..], &shape);
                if within && next.is_none() {
                    return (None, place);
                }
                out.push_str(text[kept..place].trim_end_matches('\r'));
                place += next.unwrap_or_default();
                kept = place + 1;
            }
            _ if escaped => escaped = false,
            b'\\' if within => escaped = true,
            b'"' => within = !within,
            b'{' | b'[' if !within => depth += 1,
            b'}' | b']' if !within => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    out.push_str(&text[kept..=place]);
                    return (Some(out), place + 1);
                }
            }
            _ => {}
        }
        place += 1;
    }
    (None, place)
}

/// A time of day with its date; a date alone is no time of an event.
fn time_of(text: &str) -> Option<i64> {
    let text = text.trim();
    let bare = text.get(..19).and_then(|start| Some((start, text.get(19..)?.split(' ').next()?)));
    bare.and_then(|(start, rest)| iso(&format!("{start}{rest}")))
}

fn prefix(line: &str) -> &str {
    PREFIX.find(line).map_or("", |found| found.as_str())
}

/// Digits and capitals differ from line to line.
fn masked(sign: char) -> char {
    match sign {
        '0'..='9' => '0',
        'A'..='Z' => 'A',
        other => other,
    }
}

/// A prefix without what differs from line to line; a word of capitals is one sign, whatever its length.
fn shape(prefix: &str) -> String {
    let mut shape = String::new();
    for sign in prefix.chars().map(masked) {
        if sign != 'A' || !shape.ends_with('A') {
            shape.push(sign);
        }
    }
    shape
}

/// How long the prefix of this shape is at the start of a text; `None` where there is none. The pattern would take more:
/// what follows the prefix may stand in brackets, too.
fn same_shape(text: &str, shape: &str) -> Option<usize> {
    let mut wanted = shape.chars().peekable();
    wanted.peek()?;
    let mut last = None;
    for (place, sign) in text.char_indices() {
        let sign = masked(sign);
        if !(sign == 'A' && last == Some('A')) && wanted.next()? != sign {
            return None;
        }
        last = Some(sign);
        if wanted.peek().is_none() {
            return Some(place + sign.len_utf8());
        }
    }
    None
}
