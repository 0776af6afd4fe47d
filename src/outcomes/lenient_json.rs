//! JSON of outcome files, with one mercy: a comma before a closing bracket is dropped and reported with its place
//! (`formats-swe.md` §8.5). Logs are read without it.

use serde_json::Value;

use crate::model::{Problem, Weight};

/// Reads a JSON text. The problem names the first trailing comma that was dropped.
pub fn read(bytes: &[u8]) -> Result<(Value, Option<Problem>), Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let strict = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok((value, None)),
        Err(error) => error,
    };
    let commas = trailing_commas(bytes);
    let mut repaired = bytes.to_vec();
    for &at in &commas {
        repaired[at] = b' ';
    }
    match (commas.first(), serde_json::from_slice(&repaired)) {
        (Some(first), Ok(value)) => Ok((value, Some(dropped(*first, commas.len())))),
        _ => Err(refused(&strict)),
    }
}

fn dropped(first: usize, count: usize) -> Problem {
    let what = match count {
        1 => "trailing comma before a closing bracket dropped".to_owned(),
        _ => format!("{count} trailing commas before closing brackets dropped, the first here"),
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
