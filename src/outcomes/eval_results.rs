//! `eval_results.json` of SWE-bench Pro: instance id to true or false. Ids are kept whole, prefix `instance_` and
//! commit suffixes included; the spelling rules of `instance_id` match them with logs.

use serde_json::Value;

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, instance_id, lists};
use crate::model::{Problem, UnscoredReason, Verdict, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "eval-results",
    about: "eval_results.json of SWE-bench Pro: instance id to true or false",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    let entries = &head.json.entries;
    !head.json.is_list
        && !entries.is_empty()
        && entries.iter().all(|entry| matches!(entry.value, b't' | b'f' | b'n'))
        && entries.iter().any(|entry| entry.value != b'n')
        && entries.iter().all(|entry| instance_id::looks_like_instance(entry.key))
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    for (id, value) in &lists::object(&mut file, bytes) {
        match value {
            Value::Bool(resolved) => file.claim(id, Verdict::scored(*resolved), true),
            Value::Null => file.claim(id, Verdict::unscored(UnscoredReason::Null), true),
            _ => file.problem(Problem::new(
                Weight::Refused,
                "",
                format!("`{id}` is neither true nor false: its verdict is lost"),
            )),
        }
    }
    file
}
