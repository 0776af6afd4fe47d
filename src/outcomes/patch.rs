//! `<id>.patch`: the patch of one prediction, as SWE-agent writes it beside its `.pred`.

use super::outcome_file::{OutcomeFile, Prediction, Rank, patch_digest};
use super::{Head, OutcomeShape, instance_id};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "patch",
    about: "<id>.patch: the handed-in patch of one prediction, no verdict",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    let names_instance = head.name().ends_with(".patch")
        && instance_id::instance_in_path(head.path).is_some_and(instance_id::looks_like_instance);
    let start = head.bytes.trim_ascii_start();
    names_instance && (start.starts_with(b"diff ") || start.starts_with(b"--- "))
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::PerInstance);
    if let Some(id) = instance_id::instance_in_path(path) {
        file.predictions.push(Prediction {
            instance_id: id.to_owned(),
            model: None,
            patch: patch_digest(&String::from_utf8_lossy(bytes)),
        });
    }
    file
}
