//! `all_preds.jsonl`: one prediction a line.

use serde_json::Value;

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, preds};
use crate::model::{Problem, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "all-preds",
    about: "all_preds.jsonl: one prediction a line; handed-in patches, no verdicts",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    is_lines(head) && head.json.has("model_patch") && head.json.has("instance_id")
}

/// JSON lines: by a second object, or by the name where the first line fills the window or is the only one.
pub(super) fn is_lines(head: &Head) -> bool {
    head.json.is_lines || head.name().contains(".jsonl")
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let record: Option<Value> = serde_json::from_slice(line).ok();
        match record.as_ref().and_then(Value::as_object).and_then(|record| preds::prediction(record, None)) {
            Some(prediction) => file.predictions.push(prediction),
            None => file.problem(Problem::new(
                Weight::Refused,
                format!("line {}", number + 1),
                "no JSON object with instance_id and model_patch: this prediction is lost",
            )),
        }
    }
    file
}
