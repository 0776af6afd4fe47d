//! `preds.json`: predictions in one object by id, or in a list. Says what was handed in, never a verdict; a record
//! proves that the run took place.

use serde_json::{Map, Value};

use super::outcome_file::{OutcomeFile, Prediction, Rank, patch_digest};
use super::{Head, OutcomeShape, lists};
use crate::model::{Problem, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "preds",
    about: "preds.json: predictions by instance id; handed-in patches, no verdicts",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    let json = &head.json;
    if json.is_list {
        return json.has("model_patch") && json.has("instance_id");
    }
    json.entries.first().is_some_and(|entry| entry.inner.iter().any(|(key, _)| *key == "model_patch"))
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    match lists::value(&mut file, bytes) {
        Some(Value::Object(by_id)) => {
            for (id, record) in &by_id {
                add(&mut file, record, Some(id), "");
            }
        }
        Some(Value::Array(records)) => {
            for (number, record) in records.iter().enumerate() {
                add(&mut file, record, None, &format!("record {number}"));
            }
        }
        _ => {}
    }
    file
}

/// Adds the prediction of one record, or says why there is none.
fn add(file: &mut OutcomeFile, record: &Value, key: Option<&str>, place: &str) {
    match record.as_object().and_then(|record| prediction(record, key)) {
        Some(prediction) => file.predictions.push(prediction),
        None => {
            let whose = key.map(|key| format!(" of `{key}`")).unwrap_or_default();
            let what = format!("the record{whose} lacks instance_id or model_patch: this prediction is lost");
            file.problem(Problem::new(Weight::Refused, place, what));
        }
    }
}

/// The prediction of a record. The record's own id beats the key under which it stands.
pub(super) fn prediction(record: &Map<String, Value>, key: Option<&str>) -> Option<Prediction> {
    let text = |name: &str| record.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let patch = match record.get("model_patch")? {
        Value::String(patch) => patch_digest(patch),
        Value::Null => None,
        _ => return None,
    };
    Some(Prediction {
        instance_id: text("instance_id").or(key)?.to_owned(),
        model: text("model_name_or_path").map(str::to_owned),
        patch,
    })
}
