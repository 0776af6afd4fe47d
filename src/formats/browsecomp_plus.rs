//! BrowseComp-Plus runs (`formats-other.md` §13): one answer to one query, with the searches that led to it. The official
//! clients keep every call with its output; other programs keep the final answer and the counts alone, from which no turns
//! can be told. Whether the answer is right stands in the judge's summary, an outcome file.

use super::json::lenient::{as_whole, at, content, filled, list, text};
use super::{Evidence, Format, Input, Read, Sketch, Sniff, json, observation, text_calls};
use crate::data::statuses;
use crate::model::{Call, ObservationState, TaskKind, Termination, Trajectory, Turn};
use serde_json::Value;

const NAME: &str = "browsecomp-plus";

/// Runs of BrowseComp-Plus.
pub const FORMAT: Format = Format {
    name: NAME,
    written_by: "clients of BrowseComp-Plus",
    files: "run_*.json",
    lacks: &["times, exit codes, the query", "turns, where only the final answer is kept"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Search),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

fn sniff(values: &[Sketch]) -> bool {
    values.first().is_some_and(|value| {
        matches!(value.get("query_id"), Some(Sketch::Text(_) | Sketch::Number(_) | Sketch::Null))
            && value.get("tool_call_counts").is_some_and(Sketch::is_object)
            && value.get("result").is_some_and(Sketch::is_list)
    })
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    if let Some(document) = json::document(input.bytes(), &mut read.problems) {
        read.trajectories.push(trajectory(&document));
    }
    read
}

fn trajectory(document: &Value) -> Trajectory {
    let mut run = Trajectory::new(NAME, NAME);
    run.instance_id = document.get("query_id").and_then(|id| match id {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    });
    run.model = at(document, &["metadata", "model"]).and_then(Value::as_str).map(str::to_owned);
    run.is_sample = true;
    run.can_submit = false;
    let count = |key: &str| at(document, &["usage", key]).and_then(as_whole);
    (run.tokens_in, run.tokens_out) = (count("input_tokens"), count("output_tokens"));
    let items = list(document, "result");
    let recorded = items.iter().filter(|item| text(item, "type") == Some("tool_call")).count();
    run.has_turn_boundaries = recorded as u64 >= counted(document);
    run.has_log = run.has_turn_boundaries;
    if run.has_turn_boundaries {
        run.turns = turns(items);
    }
    run.raw_exit_status = filled(document, "status").map(str::to_owned);
    run.termination = run.raw_exit_status.as_deref().map_or(Termination::Incomplete, |raw| {
        statuses::termination(NAME, raw).unwrap_or(Termination::Unknown)
    });
    run
}

/// Calls that were made, by the run's own count.
fn counted(document: &Value) -> u64 {
    let counts = document.get("tool_call_counts").and_then(Value::as_object);
    counts
        .into_iter()
        .flat_map(|counts| counts.values())
        .filter_map(Value::as_u64)
        .fold(0, u64::saturating_add)
}

/// A call carries its output, so that each ends a turn: parallel calls cannot be told from successive ones.
fn turns(items: &[Value]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut open: Option<Turn> = None;
    for item in items {
        let turn = open.get_or_insert_with(|| Turn::new(""));
        let said = || content(item.get("output")).unwrap_or_default();
        match text(item, "type") {
            Some("reasoning") => join(turn.reasoning.get_or_insert_default(), &said()),
            Some("output_text") => join(&mut turn.text, &said()),
            Some("tool_call") => {
                turn.calls.push(call(item));
                turns.extend(open.take());
            }
            _ => {}
        }
    }
    turns.extend(open);
    turns
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

fn call(item: &Value) -> Call {
    let name = text(item, "tool_name").unwrap_or_default();
    let mut call = text_calls::made(name, item.get("arguments"));
    if let Some(output) = content(item.get("output")) {
        observation::set(&mut call, output.into(), ObservationState::Full);
    }
    call
}
