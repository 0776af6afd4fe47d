//! `per_run_results.json`: `{"run": {"<id>": 0 or 1}}`. Every run exists for every id that any chosen run names; a
//! missing entry means that no valid patch came out and is a failure (`definitions.md` §1, a run exists). Which
//! runs are chosen, and in which order, is settled for the arm.

use serde_json::Value;

use super::outcome_file::{Claim, ClaimedRun, OutcomeFile, Rank};
use super::{Head, OutcomeShape, instance_id, lists};
use crate::model::{Problem, UnscoredReason, Verdict, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "runs-table",
    about: "per_run_results.json: run to instance id to 0 or 1",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    let entries = &head.json.entries;
    let is_verdict = |value: u8| value.is_ascii_digit() || matches!(value, b't' | b'f' | b'n');
    !head.json.is_list
        && !entries.is_empty()
        && entries.iter().all(|entry| entry.value == b'{')
        && entries.iter().any(|entry| !entry.inner.is_empty())
        && entries
            .iter()
            .flat_map(|entry| &entry.inner)
            .all(|(key, value)| is_verdict(*value) && instance_id::looks_like_instance(key))
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    for (run, entries) in &lists::object(&mut file, bytes) {
        for (id, value) in entries.as_object().into_iter().flatten() {
            match verdict(value) {
                Some(verdict) => file.claims.push(Claim {
                    instance_id: id.clone(),
                    run: Some(ClaimedRun::Named(run.clone())),
                    arm: None,
                    verdict,
                    creates_run: true,
                }),
                None => file.problem(Problem::new(
                    Weight::Refused,
                    "",
                    format!("`{id}` of run `{run}` is neither 0 nor 1: its verdict is lost"),
                )),
            }
        }
    }
    file
}

fn verdict(value: &Value) -> Option<Verdict> {
    match value {
        Value::Bool(resolved) => Some(Verdict::scored(*resolved)),
        Value::Null => Some(Verdict::unscored(UnscoredReason::Null)),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(Verdict::scored(true)),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(Verdict::scored(false)),
        _ => None,
    }
}
