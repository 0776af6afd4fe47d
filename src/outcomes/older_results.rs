//! The older `results.json` of SWE-bench (CodeR): `no_generation`, `generated`, `with_logs`, `install_fail`,
//! `reset_failed`, `no_apply`, `applied`, `test_errored`, `test_timeout`, `resolved`.
//!
//! Says   how far each prediction came; the furthest list wins.
//! Traps  the file at hand ends with a trailing comma; ids outside all lists have no verdict; creates no run.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, lists};
use crate::model::{FailedReason, UnscoredReason, Verdict};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "older-results",
    about: "older SWE-bench results.json: lists by how far each prediction came",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    head.json.has_list("with_logs") && (head.json.has_list("generated") || head.json.has_list("resolved"))
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    let object = lists::object(&mut file, bytes);
    for (id, verdict) in furthest(&object) {
        file.claim(id, verdict, false);
    }
    file
}

/// The verdict of the last list, in the order of the harness, that holds an id.
fn furthest(object: &Map<String, Value>) -> BTreeMap<&str, Verdict> {
    let applied = lists::ids(object, "applied");
    let mut verdicts = BTreeMap::new();
    for (key, verdict) in stages() {
        for id in lists::ids(object, key) {
            let known = applied.contains(id).then_some(true);
            verdicts.insert(id, Verdict { applied: verdict.applied.or(known), ..verdict.clone() });
        }
    }
    verdicts
}

fn stages() -> [(&'static str, Verdict); 10] {
    let other = |reason: &str| Verdict::unscored(UnscoredReason::Other(reason.to_owned()));
    let no_apply = Verdict { applied: Some(false), ..Verdict::failed(FailedReason::NoApply) };
    [
        ("generated", Verdict::unscored(UnscoredReason::NoLogs)),
        ("with_logs", Verdict::scored(false)),
        ("no_logs", Verdict::unscored(UnscoredReason::NoLogs)),
        ("no_generation", Verdict::failed(FailedReason::NoGeneration)),
        ("no_apply", no_apply),
        ("install_fail", other("install_fail")),
        ("reset_failed", other("reset_failed")),
        ("test_errored", other("test_errored")),
        ("test_timeout", Verdict::unscored(UnscoredReason::TestTimeout)),
        ("resolved", Verdict::scored(true)),
    ]
}
