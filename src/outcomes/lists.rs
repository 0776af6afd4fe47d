//! Lists of instance ids in summaries: `{"resolved_ids": ["a", "b"], …}`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::lenient_json;
use super::outcome_file::OutcomeFile;

/// Reads a JSON object into `file`'s problems and returns it; empty where it is none.
pub fn object(file: &mut OutcomeFile, bytes: &[u8]) -> Map<String, Value> {
    match value(file, bytes) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

/// Reads a JSON value; what was repaired or refused becomes a problem of `file`.
pub fn value(file: &mut OutcomeFile, bytes: &[u8]) -> Option<Value> {
    match lenient_json::read(bytes) {
        Ok((value, repaired)) => {
            if let Some(problem) = repaired {
                file.problem(problem);
            }
            Some(value)
        }
        Err(problem) => {
            file.problem(problem);
            None
        }
    }
}

/// The ids of a list; a missing list is empty, and what is no text in it is no id.
pub fn ids<'a>(object: &'a Map<String, Value>, key: &str) -> BTreeSet<&'a str> {
    object.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
