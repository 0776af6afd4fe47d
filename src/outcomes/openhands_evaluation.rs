//! Rows by which OpenHands' evaluation of SWE-bench says what became of each patch (`output.swebench_eval.jsonl`): the keys of its
//! logs, with a report in the result and without a history.
//!
//! Traps  a row of `output.jsonl` into which the report was merged has a history: it is a log that says its own outcome.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape};
use crate::model::{FailedReason, Problem, UnscoredReason, Verdict, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "openhands-evaluation",
    about: "output.swebench_eval.jsonl of OpenHands: a row an instance with the report of its evaluation",
    sniff,
    read,
};

/// A row, as far as it is looked at.
#[derive(Deserialize)]
struct Row {
    instance_id: Option<String>,
    test_result: Option<Tested>,
}

#[derive(Deserialize)]
struct Tested {
    report: Option<Map<String, Value>>,
}

fn sniff(head: &Head) -> bool {
    let tested = head.json.entries.iter().find(|entry| entry.key == "test_result");
    let has = |name: &str| tested.is_some_and(|entry| entry.inner.iter().any(|(key, _)| *key == name));
    // The output of the tests may fill the window, so that the history is not seen; a log holds no such output.
    let has_no_history = match head.json.value("history") {
        Some(first) => first == b'n',
        None => has("test_output") || has("apply_patch_output"),
    };
    !head.json.is_list && head.json.has("instance_id") && has("report") && has_no_history
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::PerInstance);
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let place = format!("line {}", number + 1);
        let lost = |what: String| Problem::new(Weight::Refused, place.clone(), what);
        match serde_json::from_slice::<Row>(line) {
            Ok(Row { instance_id: Some(id), test_result, .. }) => {
                let report = test_result.and_then(|tested| tested.report);
                file.claim(
                    &id,
                    report.map_or(Verdict::unscored(UnscoredReason::NoReport), |report| verdict(&report)),
                    true,
                );
            }
            Ok(_) => file.problem(lost("no `instance_id`: its verdict is lost".to_owned())),
            Err(error) => {
                file.problem(lost(format!("no row of an evaluation ({error}): its verdict is lost")))
            }
        }
    }
    file
}

/// A patch that is none, or does not apply, has failed; what broke the evaluation is no verdict.
fn verdict(report: &Map<String, Value>) -> Verdict {
    let is = |key: &str| report.get(key).and_then(Value::as_bool) == Some(true);
    match report.get("resolved").and_then(Value::as_bool) {
        Some(true) => Verdict::scored(true),
        _ if is("empty_generation") => Verdict::failed(FailedReason::EmptyPatch),
        _ if is("failed_apply_patch") => {
            Verdict { applied: Some(false), ..Verdict::failed(FailedReason::NoApply) }
        }
        _ if is("test_timeout") => Verdict::unscored(UnscoredReason::TestTimeout),
        _ if is("error_eval") => Verdict::unscored(UnscoredReason::Error),
        Some(false) => Verdict::scored(false),
        None => Verdict::unscored(UnscoredReason::Null),
    }
}
