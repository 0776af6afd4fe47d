//! `<id>.pred`: one prediction as a JSON object.

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, instance_id, lists, preds};
use crate::model::{Problem, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "pred",
    about: "<id>.pred: one prediction; the handed-in patch, no verdict",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    !head.json.is_list && !super::all_preds::is_lines(head) && head.json.has("model_patch")
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::PerInstance);
    let object = lists::object(&mut file, bytes);
    match preds::prediction(&object, instance_id::instance_in_path(path)) {
        Some(prediction) => file.predictions.push(prediction),
        None if file.problems.is_empty() => {
            file.problem(Problem::new(Weight::Refused, "", "no instance_id or model_patch: no prediction"));
        }
        None => {}
    }
    file
}
