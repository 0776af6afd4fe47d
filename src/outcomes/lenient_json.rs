//! JSON of outcome files, with two mercies, each reported with its place: a comma before a closing bracket is dropped
//! (`formats-swe.md` §8.5), and `NaN` and `Infinity`, which Python writes, are null. Logs are read without the first.

use serde_json::Value;

use crate::model::{Problem, Weight};

/// Reads a JSON text. The problem names the first thing that was put right.
pub fn read(bytes: &[u8]) -> Result<(Value, Option<Problem>), Problem> {
    value(bytes).map_err(|error| refused(&error))
}

/// The same, where the caller says what is lost.
pub fn value(bytes: &[u8]) -> Result<(Value, Option<Problem>), serde_json::Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let strict = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok((value, None)),
        Err(error) => error,
    };
    let words = no_numbers(bytes);
    let mut repaired = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for &(at, length) in &words {
        repaired.extend_from_slice(bytes.get(from..at).unwrap_or_default());
        repaired.extend_from_slice(b"null");
        from = at + length;
    }
    repaired.extend_from_slice(bytes.get(from..).unwrap_or_default());
    let commas = trailing_commas(&repaired);
    for &at in &commas {
        repaired[at] = b' ';
    }
    let problem = match (commas.first(), words.first()) {
        (Some(first), _) => dropped(*first, commas.len()),
        (None, Some((first, _))) => emptied(*first, words.len()),
        (None, None) => return Err(strict),
    };
    serde_json::from_slice(&repaired).map(|value| (value, Some(problem))).map_err(|_| strict)
}

fn dropped(first: usize, count: usize) -> Problem {
    let what = match count {
        1 => "trailing comma before a closing bracket dropped".to_owned(),
        _ => format!("{count} trailing commas before closing brackets dropped, the first here"),
    };
    Problem::new(Weight::Repaired, format!("byte {first}"), what)
}

fn emptied(first: usize, count: usize) -> Problem {
    let what = match count {
        1 => "a number that is none (`NaN`, `Infinity`) was read as null".to_owned(),
        _ => format!("{count} numbers that are none (`NaN`, `Infinity`) were read as null, the first here"),
    };
    Problem::new(Weight::Repaired, format!("byte {first}"), what)
}

fn refused(error: &serde_json::Error) -> Problem {
    let what =
        format!("not JSON ({error}): its verdicts are lost; mend the file or name another with outcomes");
    Problem::new(Weight::Refused, format!("line {}", error.line()), what)
}

/// Offsets of commas outside strings that only blank space parts from a closing bracket.
fn trailing_commas(bytes: &[u8]) -> Vec<usize> {
    let mut commas = Vec::new();
    let mut pending = None;
    let mut in_string = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => {
                in_string = !in_string;
                pending = None;
            }
            _ if in_string || byte.is_ascii_whitespace() => {}
            b',' => pending = Some(at),
            b'}' | b']' => commas.extend(pending.take()),
            _ => pending = None,
        }
        at += 1;
    }
    commas
}

/// Offsets and lengths of the words outside strings that Python writes for numbers that are none.
fn no_numbers(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut in_string = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let word =
            ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| rest.starts_with(word.as_bytes()));
        match (byte, word) {
            (b'\\', _) if in_string => at += 1,
            (b'"', _) => in_string = !in_string,
            (_, Some(word)) if !in_string => {
                found.push((at, word.len()));
                at += word.len() - 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}
