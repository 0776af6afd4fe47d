//! τ-bench: a list of conversations, `trial` is the run. The log has no status of its own: the end is told by the last message.

use super::super::json::lenient::{at, content, filled, list, text, whole};
use super::super::{Evidence, Format, Input, Read, Sketch, Sniff, dialogue, json, messages};
use super::{task_id, verdict};
use crate::data::statuses;
use crate::model::quality_reason::UNKNOWN_TOOL;
use crate::model::{Problem, Quality, TaskKind, Termination, Trajectory, Turn, Weight};
use serde_json::Value;

const NAME: &str = "tau-bench";

/// τ-bench.
pub const FORMAT_1: Format = Format {
    name: NAME,
    written_by: "τ-bench",
    files: "*.json: a list of `task_id`, `trial`, `reward`, `info`, `traj`",
    lacks: &["model, times, tokens, exit codes, status"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

fn sniff(values: &[Sketch]) -> bool {
    let record = values.first().map(|value| value.elements().first().unwrap_or(value));
    record.is_some_and(|record| {
        record.has("task_id")
            && matches!(record.get("reward"), Some(Sketch::Number(_) | Sketch::Null))
            && record.get("traj").is_some_and(Sketch::is_list)
    })
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let document = json::document(input.bytes(), &mut read.problems);
    // A list that is cut off in its first record may come as that record alone.
    let records = match &document {
        Some(Value::Array(records)) => records.as_slice(),
        Some(record) => std::slice::from_ref(record),
        None => &[],
    };
    for (index, record) in records.iter().enumerate() {
        let place = format!("record {}", index + 1);
        if record.get("traj").is_some_and(Value::is_array) {
            read.trajectories.push(trajectory(record, place));
        } else {
            let what = "a record without a conversation (`traj`) was left out";
            read.problems.push(Problem::new(Weight::Refused, place, what));
        }
    }
    read
}

fn trajectory(record: &Value, place: String) -> Trajectory {
    let mut run = Trajectory::new(NAME, NAME);
    run.place = place;
    run.instance_id = task_id(record);
    run.run = whole(record, "trial").filter(|run| *run >= 0);
    run.is_sample = true;
    run.can_submit = false;
    let messages = list(record, "traj");
    let (said, _) = match has_text_actions(messages) {
        true => messages::say_all(&with_calls(messages)),
        false => messages::say_all(messages),
    };
    dialogue::fill(&mut run, said);
    run.turns.iter_mut().for_each(judge);
    let error = at(record, &["info", "error"]);
    // The reward of a crashed run is 0 in the tool's own count.
    run.verdict = Some(verdict(record.get("reward")));
    run.raw_exit_status = error.map(|error| exception(&content(Some(error)).unwrap_or_default()).to_owned());
    run.termination = match &run.raw_exit_status {
        Some(raw) => statuses::termination(NAME, raw).unwrap_or(Termination::Unknown),
        None => end(messages),
    };
    run
}

/// What an agent without structured calls puts before its action.
const ACTION: &str = "Action:";
/// What stands before a tool's answer to it.
const ANSWER: &str = "API output:";

/// Agents without structured calls (`act`, `react`) write them into their text.
fn has_text_actions(messages: &[Value]) -> bool {
    let is_agent = |message: &&Value| text(message, "role") == Some("assistant");
    let mut said = messages.iter().filter(is_agent);
    said.clone().all(|message| list(message, "tool_calls").is_empty())
        && said.any(|message| text(message, "content").is_some_and(|said| said.contains(ACTION)))
}

/// The same messages as if the calls were structured. What is no JSON is said to the user, as is what `respond` says.
fn with_calls(messages: &[Value]) -> Vec<Value> {
    let rewrite = |message: &Value| {
        let mut message = message.clone();
        let said = text(&message, "content").unwrap_or_default().to_owned();
        match text(&message, "role") {
            Some("assistant") => {
                let action =
                    said.rsplit_once(ACTION).and_then(|(_, action)| serde_json::from_str(action).ok());
                if let Some(action) =
                    action.filter(|action: &Value| filled(action, "name") != Some("respond"))
                {
                    message["tool_calls"] = Value::Array(vec![action]);
                }
            }
            Some("user") => {
                if let Some(answer) = said.strip_prefix(ANSWER) {
                    message["role"] = "tool".into();
                    message["content"] = answer.trim_start().into();
                }
            }
            _ => {}
        }
        message
    };
    messages.iter().map(rewrite).collect()
}

/// The answers of the environment to what it could not do.
fn judge(turn: &mut Turn) {
    for call in &mut turn.calls {
        let said = call.observation.as_deref().unwrap_or_default();
        if said.starts_with("Error:") {
            call.is_error = Some(true);
        } else if said.starts_with("Unknown action") {
            call.is_error = Some(true);
            call.quality = Quality::Parsable;
            call.quality_reason = Some(UNKNOWN_TOOL);
        }
    }
}

/// The user ends a conversation with this word, the agent by handing over to a person; what ends otherwise was stopped.
fn end(messages: &[Value]) -> Termination {
    let Some(last) = messages.last() else { return Termination::Incomplete };
    let said = content(last.get("content")).unwrap_or_default();
    match text(last, "role") {
        Some("user") if said.contains("###STOP###") => Termination::Finished,
        Some("tool") if filled(last, "name") == Some("transfer_to_human_agents") => Termination::Finished,
        _ => Termination::Incomplete,
    }
}

/// The name of an exception at the beginning of its text; the text, where there is none.
fn exception(error: &str) -> &str {
    let first = error.lines().next().unwrap_or_default().trim();
    let end = first.find([':', '(', ' ']).unwrap_or(first.len());
    let name = first.get(..end).unwrap_or_default().rsplit('.').next().unwrap_or_default();
    if name.ends_with("Error") || name.ends_with("Exception") {
        name
    } else {
        first.char_indices().nth(100).map_or(first, |(end, _)| &first[..end])
    }
}
