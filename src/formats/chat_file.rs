//! Chat files (`formats-other.md` §12): lists of messages in any shape, with what a row says beside them. One conversation a
//! file, one a line, one a record of an array, or one message a line.
//!
//! Never here: bare lists that fill a file (`message_list`), logs of programs that have a reader of their own.

use super::dialogue::Said;
use super::json::lenient::{as_number, at, filled, flag, list, text, whole};
use super::json::{self, Record};
use super::messages::{is_message, say, say_all};
use super::row::{Row, name};
use super::{Evidence, Format, Input, Read, Sketch, Sniff, goose, tools};
use crate::model::{Operation, Problem, TaskKind, Trajectory, Weight};
use serde_json::{Map, Value};

/// One conversation a file, or several in one array.
pub const FORMAT: Format = Format {
    name: "chat",
    written_by: "programs that save a chat: messages of OpenAI, Anthropic, the Responses API",
    files: "*.json, *.jsonl with one message a line",
    lacks: &["what the writer did not keep beside the messages"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(is_document),
    read: read_document,
};

/// One conversation a line.
pub const FORMAT_ROWS: Format = Format {
    name: "chat-rows",
    written_by: "programs that save chats, data sets of trajectories",
    files: "*.jsonl",
    lacks: &["what the writer did not keep beside the messages"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: true,
    sniff: Sniff::Values(is_rows),
    read: read_rows,
};

/// Keys that hold the conversation.
const CONVERSATIONS: [&str; 3] = ["messages", "conversations", "conversation"];

/// Keys of logs that have messages and a reader of their own, and of what is no log.
const OTHERS: [&str; 9] = [
    "episode",
    "fncall_messages",
    "history",
    "kwargs",
    "samples",
    "simulations",
    "traj_id",
    "trajectory",
    "trajectory_format",
];

fn is_row(value: &Sketch) -> bool {
    match value {
        Sketch::List(elements) => elements.first().is_some_and(is_message),
        Sketch::Object(fields) => {
            let has_chat = CONVERSATIONS.iter().any(|key| value.first(key).is_some_and(is_message));
            has_chat && !fields.iter().any(|(key, _)| OTHERS.contains(&key.as_str()))
        }
        _ => false,
    }
}

fn is_rows(values: &[Sketch]) -> bool {
    // A row among them may be broken.
    !goose::is_session(values)
        && values.len() > 1
        && values.iter().filter(|value| is_row(value)).count() * 2 > values.len()
}

fn is_document(values: &[Sketch]) -> bool {
    if goose::is_session(values) {
        return false;
    }
    match values {
        [Sketch::List(rows)] if !rows.is_empty() && rows.iter().all(is_row) => true,
        [row @ Sketch::Object(_)] if is_row(row) => true,
        // A list that begins with an item of the Responses API has no role to be told by.
        [row @ Sketch::List(_)] if is_row(row) => {
            !super::message_list::is_list(row) && !super::cline::is_history(row)
        }
        // One message alone is no conversation.
        values => values.len() > 1 && are_lines(values),
    }
}

/// Each line is a message.
fn are_lines(values: &[Sketch]) -> bool {
    values.iter().all(|value| value.is_object() && is_message(value))
}

fn read_rows(input: &Input) -> Read {
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    json::records(input.bytes(), input.lines_before, problems, |record, problems| {
        let Record { value, .. } = &record;
        trajectories.extend(conversation(value, record.place(), true, problems));
    });
    read
}

fn read_document(input: &Input) -> Read {
    let bytes = input.bytes();
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    if are_lines(&Sketch::of(bytes)) {
        trajectories.push(lines(bytes, problems));
        return read;
    }
    match json::document(bytes, problems) {
        Some(Value::Array(rows))
            if !rows.iter().any(|row| row.get("role").is_some() || row.get("type").is_some()) =>
        {
            for (place, row) in rows.iter().enumerate() {
                let place = format!("record {}", place + 1);
                trajectories.extend(conversation(row, place, true, problems));
            }
        }
        Some(row) => trajectories.extend(conversation(&row, String::new(), false, problems)),
        None => {}
    }
    read
}

/// One message a line: all lines are one conversation.
fn lines(bytes: &[u8], problems: &mut Vec<Problem>) -> Trajectory {
    let mut said = Vec::new();
    json::records(bytes, 0, problems, |record, problems| {
        if !say(&record.value, &mut said) {
            problems.push(Problem::new(Weight::Refused, record.place(), "no message: left out"));
        }
    });
    Row::default().trajectory(FORMAT.name, said)
}

/// The trajectory of a row; `None` where it holds no conversation.
fn conversation(
    value: &Value,
    place: String,
    is_sample: bool,
    problems: &mut Vec<Problem>,
) -> Option<Trajectory> {
    let messages = match value {
        Value::Array(messages) => Some(messages.as_slice()),
        Value::Object(fields) => {
            CONVERSATIONS.iter().find_map(|key| Some(fields.get(*key)?.as_array()?.as_slice()))
        }
        _ => None,
    };
    let Some(messages) = messages else {
        problems.push(Problem::new(Weight::Refused, place, "no list of messages: left out"));
        return None;
    };
    let (mut said, strange) = say_all(messages);
    if strange > 0 {
        let what = format!("{strange} of {} messages have no known role and were left out", messages.len());
        problems.push(Problem::new(Weight::Refused, place.clone(), what));
    }
    if let Some(system) = filled(value, "system").or_else(|| filled(value, "system_prompt")) {
        said.insert(0, Said::System(system.to_owned()));
    }
    let row = row(value, place, is_sample, &said);
    let format = if is_sample && row.place.starts_with("line") { FORMAT_ROWS.name } else { FORMAT.name };
    Some(row.trajectory(format, said))
}

/// The marker by which mini-swe-agent is told that the work is handed in.
const MINI_MARKER: &str = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

/// What a row says beside its messages, under the names that are in use.
fn row(value: &Value, place: String, is_sample: bool, said: &[Said]) -> Row {
    let reward_keys = ["reward", "score"];
    let resolved_keys = ["resolved", "passed", "success", "is_correct"];
    let can_submit = list(value, "tools").iter().any(|tool| {
        let name = at(tool, &["function", "name"]).or_else(|| tool.get("name")).and_then(Value::as_str);
        name.is_some_and(|name| {
            tools::call(name, &Value::Object(Map::new())).operation == Some(Operation::Submit)
        })
    });
    let is_mini = said
        .iter()
        .any(|said| matches!(said, Said::System(text) | Said::User(text) if text.contains(MINI_MARKER)));
    Row {
        place,
        instance_id: name(
            value,
            &["instance_id", "task_id", "problem_id", "question_id", "example_id", "id"],
        ),
        run: ["run", "run_index", "trial", "rollout_index", "sample_index"]
            .iter()
            .find_map(|key| whole(value, key)),
        session_id: name(value, &["session_id", "conversation_id", "trace_id"]),
        scaffold: filled(value, "scaffold")
            .map(str::to_owned)
            .or_else(|| is_mini.then(|| "mini-swe-agent".to_owned())),
        model: name(value, &["model", "model_name", "model_name_or_path"]),
        reward: reward_keys.iter().find_map(|key| value.get(*key).and_then(as_number)),
        resolved: resolved_keys.iter().find_map(|key| {
            // `passed` may be a number of tests.
            if *key == "passed" { flag(value, key) } else { json::lenient::verdict(value, key) }
        }),
        is_unscored: reward_keys
            .iter()
            .chain(&resolved_keys)
            .any(|key| value.get(*key).is_some_and(Value::is_null)),
        is_masked: flag(value, "mask_sample") == Some(true),
        status: name(value, &["exit_status", "termination_reason"]),
        patch: text(value, "model_patch").map(str::to_owned),
        has_patch: value.get("model_patch").is_some(),
        steps: whole(value, "n_steps").or_else(|| whole(value, "num_turns")),
        train_step: whole(value, "train_step").or_else(|| whole(value, "global_step")),
        is_sample,
        can_submit: can_submit || is_mini,
        ..Row::default()
    }
}
