//! What a record says of its own outcome: the grader's report that was merged into it, the resolver's word, or the score of
//! older benchmarks.

use crate::formats::json::lenient::{as_number, at, flag};
use crate::model::{FailedReason, UnscoredReason, Verdict};
use serde_json::Value;

/// The verdict of a record; `None` where it says nothing.
pub fn of(record: &Value) -> Option<Verdict> {
    let report = record.get("report").filter(|report| report.is_object());
    if let Some(report) = report.or_else(|| at(record, &["test_result", "report"])) {
        return of_report(report);
    }
    if let Some(success) = flag(record, "success") {
        return Some(Verdict::scored(success));
    }
    let result = record.get("test_result")?;
    let score = at(result, &["result"]).unwrap_or(result);
    if let Value::Bool(is_solved) = score {
        return Some(Verdict::scored(*is_solved));
    }
    let value = ["resolved", "pass@1", "passed", "score"].iter().find_map(|key| score.get(*key))?;
    match value {
        Value::Bool(is_solved) => Some(Verdict::scored(*is_solved)),
        other => {
            let number = as_number(other).filter(|number| (0.0..=1.0).contains(number))?;
            Some(Verdict { reward: Some(number), ..Verdict::scored(number >= 1.0) })
        }
    }
}

/// The report of SWE-bench's grader, as its evaluation merges it.
fn of_report(report: &Value) -> Option<Verdict> {
    let is = |key: &str| flag(report, key) == Some(true);
    if is("resolved") {
        return Some(Verdict::scored(true));
    }
    if is("empty_generation") {
        return Some(Verdict::failed(FailedReason::EmptyPatch));
    }
    if is("failed_apply_patch") {
        return Some(Verdict { applied: Some(false), ..Verdict::failed(FailedReason::NoApply) });
    }
    if is("test_timeout") {
        return Some(Verdict::unscored(UnscoredReason::TestTimeout));
    }
    if is("error_eval") {
        return Some(Verdict::unscored(UnscoredReason::Error));
    }
    flag(report, "resolved").map(Verdict::scored)
}
