//! The judge's summary of BrowseComp-Plus (`formats-other.md` §13): one verdict a query, by a model that read the answer. It
//! may not know: then the run has no verdict.

use serde_json::Value;

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, lists};
use crate::model::{Problem, UnscoredReason, Verdict, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "judged-queries",
    about: "eval_summary.json of BrowseComp-Plus: query id to the judge's yes, no or unknown",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    !head.json.is_list && head.json.has_list("per_query_metrics")
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    let document = lists::object(&mut file, bytes);
    let queries = document.get("per_query_metrics").and_then(Value::as_array);
    for (index, query) in queries.into_iter().flatten().enumerate() {
        let id = match query.get("query_id") {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => {
                let place = format!("record {}", index + 1);
                file.problem(Problem::new(Weight::Refused, place, "no `query_id`: its verdict is lost"));
                continue;
            }
        };
        let verdict = verdict(query);
        // What was not there to be judged proves no run.
        let creates_run = verdict.unscored_reason != Some(UnscoredReason::Incomplete);
        file.claim(&id, verdict, creates_run);
    }
    file
}

fn verdict(query: &Value) -> Verdict {
    match query.get("correct") {
        Some(Value::Bool(correct)) => Verdict::scored(*correct),
        Some(Value::String(word)) if word == "yes" => Verdict::scored(true),
        Some(Value::String(word)) if word == "no" => Verdict::scored(false),
        Some(Value::String(_)) => Verdict::unscored(UnscoredReason::JudgeUnknown),
        _ if query.get("status").and_then(Value::as_str) == Some("evaluated") => {
            Verdict::unscored(UnscoredReason::JudgeUnknown)
        }
        _ => Verdict::unscored(UnscoredReason::Incomplete),
    }
}
