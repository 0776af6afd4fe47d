//! Rows of `output.jsonl`: one record an instance, its history as pairs (0.9 and older), as events of 0.x, or as events of
//! the SDK with `attempt`.

use super::events::{self, Events};
use super::sdk::Conversation;
use super::{SCAFFOLD, end, export, sdk, verdict};
use crate::formats::json::lenient::{at, content, filled, list, text, whole};
use crate::formats::{Evidence, Format, Input, Read, Sketch, Sniff, json};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// Rows of `output.jsonl`.
pub const OUTPUT: Format = Format {
    name: "openhands-output",
    written_by: "OpenHands' evaluation and resolver, 0.x and the SDK's benchmarks",
    files: "output.jsonl, output.critic_attempt_N.jsonl",
    lacks: &["the verdict, unless an evaluation merged its report"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().any(is_record)),
    read,
};

/// A record: a history of pairs or of events, and a task it belongs to.
fn is_record(value: &Sketch) -> bool {
    let names_task = value.get("issue").is_some_and(Sketch::is_object)
        || ["instance_id", "task_id"]
            .iter()
            .any(|key| matches!(value.get(key), Some(Sketch::Text(_) | Sketch::Number(_))));
    let Some(history) = value.get("history").filter(|history| history.is_list()) else { return false };
    let is_history = match history.elements().first() {
        // A run that died at once, told by what else the record has.
        None => {
            value.has("error")
                && (value.has("instruction") || value.has("metadata"))
                && value.has("test_result")
        }
        Some(Sketch::List(pair)) => {
            pair.first().is_some_and(|action| action.has("action") || action.has("observation"))
        }
        Some(event) => export::is_event(event) || is_flat(event) || sdk::is_event(event),
    };
    names_task && is_history
}

/// An event of 0.9 and older, whose fields lie side by side.
fn is_flat(event: &Sketch) -> bool {
    event.text("action").or_else(|| event.text("observation")).is_some() && !event.has("role")
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let mut problems = Vec::new();
    let trajectories = &mut read.trajectories;
    json::records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
        let place = record.place();
        // A run that died before it began may have none; rows of an evaluation have none either, and no error.
        let has_history = record.value.get("history").is_some_and(Value::is_array);
        if !has_history && filled(&record.value, "error").is_none() {
            let what = "a record without a history: left out";
            return problems.push(Problem::new(Weight::Refused, place, what));
        }
        let mut found = Vec::new();
        let before = trajectories.len();
        for mut run in of_record(&record.value, &mut found) {
            run.place.clone_from(&place);
            // Sub-agents name their parent by its index in the file.
            if let Some(parent) = &mut run.parent {
                parent.ordinal = parent.ordinal.map(|ordinal| ordinal + before);
            }
            trajectories.push(run);
        }
        problems.extend(found.into_iter().map(|problem| Problem { place: place.clone(), ..problem }));
    });
    read.problems = problems;
    read
}

fn of_record(record: &Value, problems: &mut Vec<Problem>) -> Vec<Trajectory> {
    let run = named(record);
    let error = content(record.get("error"));
    let history = list(record, "history");
    let mut runs = if history.iter().any(|event| text(event, "kind").is_some()) {
        let mut conversation = Conversation::new(run);
        export::each_event(history, problems, |event| conversation.event(event));
        vec![conversation.finish(error.as_deref(), problems)]
    } else {
        let mut events = Events::new(run);
        for (index, entry) in history.iter().enumerate() {
            match entry {
                Value::Array(pair) => {
                    let null = Value::Null;
                    events.pair(pair.first().unwrap_or(&null), pair.get(1).unwrap_or(&null));
                }
                Value::Object(_) => events.event(entry),
                _ => {
                    let what = format!("entry {} of the history is no event: left out", index + 1);
                    problems.push(Problem::new(Weight::Refused, "", what));
                }
            }
        }
        events.finish(error.as_deref(), problems)
    };
    if let Some(run) = runs.first_mut() {
        complete(run, record);
    }
    runs
}

/// A trajectory with what the record says beside its history.
fn named(record: &Value) -> Trajectory {
    let mut run = Trajectory::new(OUTPUT.name, SCAFFOLD);
    run.instance_id = id(record);
    run.run = whole(record, "attempt").map(|attempt| attempt - 1).filter(|run| *run >= 0);
    let model = [
        &["metadata", "llm_config", "model"][..],
        &["metadata", "llm", "model"],
        &["metadata", "model_name"],
    ];
    run.model = model.iter().find_map(|keys| at(record, keys)?.as_str()).map(str::to_owned);
    run.steps = i64::try_from(list(record, "history").len()).ok();
    run
}

/// `instance_id`, the older `task_id`, or owner, repository and number of the issue.
fn id(record: &Value) -> Option<String> {
    let named = ["instance_id", "task_id"].iter().find_map(|key| match record.get(*key)? {
        Value::String(id) if !id.trim().is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    });
    named.or_else(|| {
        let issue = record.get("issue")?;
        Some(format!("{}/{}#{}", filled(issue, "owner")?, filled(issue, "repo")?, whole(issue, "number")?))
    })
}

/// Outcome, patch and costs of the record.
fn complete(run: &mut Trajectory, record: &Value) {
    run.verdict = verdict::of(record);
    run.task = run.task.take().or_else(|| filled(record, "instruction").map(str::to_owned));
    run.api_calls = at(record, &["metrics", "response_latencies"])
        .and_then(Value::as_array)
        .and_then(|calls| i64::try_from(calls.len()).ok());
    events::see_cost(run, record.get("metrics"));
    if run.turns.is_empty() {
        run.has_log = false;
        run.logs_exit_codes = false;
    }
    let result = record.get("test_result").filter(|result| result.get("git_patch").is_some());
    let holder = result.or_else(|| record.get("git_patch").map(|_| record));
    if let Some(holder) = holder {
        end::set_patch(run, text(holder, "git_patch"));
    }
}
