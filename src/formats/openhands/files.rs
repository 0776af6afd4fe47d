//! Folders that are one trajectory: which files are its events, by path, and in which order.

use crate::formats::{Part, json};
use crate::model::{Problem, Weight};
use serde_json::Value;

/// The folder and the name of a path.
pub fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The number of digits alone, `12.json`.
pub fn plain_number(name: &str) -> Option<u64> {
    let stem = name.strip_suffix(".json")?;
    stem.bytes().all(|byte| byte.is_ascii_digit()).then(|| stem.parse().ok())?
}

/// The number of `event-00012-UUID.json`, of five digits or more.
pub fn event_number(name: &str) -> Option<u64> {
    let (number, id) = name.strip_prefix("event-")?.strip_suffix(".json")?.split_once('-')?;
    let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    (is_number && is_id).then(|| number.parse().ok())?
}

/// The parts whose names have a number, in its order: text order puts 10 before 9.
pub fn numbered<'a>(parts: &[Part<'a>], number: impl Fn(&str) -> Option<u64>) -> Vec<Part<'a>> {
    let mut found: Vec<(u64, Part)> =
        parts.iter().filter_map(|part| Some((number(parted(part.path).1)?, *part))).collect();
    found.sort_by_key(|(number, part)| (*number, part.path));
    found.into_iter().map(|(_, part)| part).collect()
}

/// The object in a part; what is wrong with it is said with its name.
pub fn object(part: Part, problems: &mut Vec<Problem>) -> Option<Value> {
    let mut found = Vec::new();
    let value = json::document(part.bytes, &mut found);
    problems.extend(found.into_iter().map(|problem| {
        let what = if problem.place.is_empty() {
            problem.what
        } else {
            format!("{}: {}", problem.place, problem.what)
        };
        Problem { place: format!("member {}", part.path), what, ..problem }
    }));
    match value {
        Some(value) if value.is_object() => Some(value),
        _ => {
            let place = format!("member {}", part.path);
            problems.push(Problem::new(Weight::Refused, place, "no object, and so no event: left out"));
            None
        }
    }
}
