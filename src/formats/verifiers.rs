//! Results of verifiers (`formats-other.md` §11): `results.jsonl` up to 0.1, with a conversation a row, and traces of v1, a
//! graph of messages a row.
//!
//! Never here: what a metric means.

use super::dialogue::Said;
use super::json::lenient::{as_number, at, filled, flag, list, number, text, whole};
use super::json::{self, Record};
use super::messages::{say, say_all};
use super::row::{Row, name};
use super::{Evidence, Format, Input, Read, Sketch, Sniff};
use crate::model::{Origin, Problem, Trajectory, Weight};
use serde_json::Value;

/// Results up to 0.1.
pub const RESULTS: Format = Format {
    name: "verifiers-results",
    written_by: "verifiers up to 0.1",
    files: "results.jsonl",
    lacks: &["model (it stands in metadata.json beside the file)", "tokens, times of responses"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().filter(|value| is_result(value)).count() * 2 > values.len()),
    read: |input| read(input, result),
};

/// Traces of v1.
pub const TRACES: Format = Format {
    name: "verifiers-traces",
    written_by: "verifiers, v1",
    files: "traces.jsonl",
    lacks: &["which branch of a graph went on from which"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().filter(|value| is_trace(value)).count() * 2 > values.len()),
    read: |input| read(input, trace),
};

fn is_result(value: &Sketch) -> bool {
    let says = |key: &str| value.get(key).is_some_and(|said| said.is_list() || said.as_text().is_some());
    value.has("example_id") && value.has("reward") && says("prompt") && says("completion")
}

fn is_trace(value: &Sketch) -> bool {
    let node = value.first("nodes");
    value.get("task").is_some_and(Sketch::is_object)
        && value.get("calls").is_some_and(Sketch::is_list)
        && node.is_some_and(|node| node.get("message").is_some_and(Sketch::is_object) && node.has("parent"))
}

fn read(input: &Input, row: fn(&Value, String) -> Option<Trajectory>) -> Read {
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    json::records(input.bytes(), input.lines_before, problems, |record: Record, problems| {
        match row(&record.value, record.place()) {
            Some(run) => trajectories.push(run),
            None => problems.push(Problem::new(Weight::Refused, record.place(), "no conversation: left out")),
        }
    });
    read
}

/// Messages, or one text.
fn said(value: Option<&Value>, one: fn(String) -> Said) -> Option<Vec<Said>> {
    match value? {
        Value::String(text) => Some(vec![one(text.clone())]),
        Value::Array(messages) => Some(say_all(messages).0),
        _ => None,
    }
}

fn result(value: &Value, place: String) -> Option<Trajectory> {
    let before = said(value.get("prompt"), Said::User)?;
    let after = said(value.get("completion"), |text| {
        Said::Response(super::dialogue::Response { text, ..Default::default() })
    })?;
    // `info` may be JSON within a text.
    let info = value.get("info").cloned().unwrap_or_default();
    let info = info.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(info);
    let error = at(value, &["error", "error"]).and_then(Value::as_str).or_else(|| filled(value, "error"));
    let row = Row {
        place,
        instance_id: name(&info, &["instance_id", "task_id"]).or_else(|| name(value, &["example_id"])),
        reward: number(value, "reward"),
        is_unscored: value.get("reward").is_some_and(Value::is_null),
        scaffold: Some("verifiers".to_owned()),
        status: error.or_else(|| filled(value, "stop_condition")).map(str::to_owned),
        is_sample: true,
        ..Row::default()
    };
    Some(row.continued(RESULTS.name, before, after))
}

fn trace(value: &Value, place: String) -> Option<Trajectory> {
    let nodes = list(value, "nodes");
    if nodes.is_empty() {
        return None;
    }
    let mut said = Vec::new();
    let mut sampled = Vec::new();
    let mut node_turns = Vec::new();
    for node in nodes {
        let message = node.get("message").unwrap_or(&Value::Null);
        let is_response = text(message, "role") == Some("assistant");
        node_turns.push(is_response.then_some(sampled.len()));
        if is_response {
            sampled.push(flag(node, "sampled") == Some(true));
        }
        say(message, &mut said);
    }
    let mut run = row(value, place).trajectory(TRACES.name, said);
    // Responses that no call made were given as context.
    for (turn, is_sampled) in run.turns.iter_mut().zip(&sampled) {
        if !is_sampled {
            turn.origin = Origin::Copied;
        }
    }
    for call in list(value, "calls") {
        let node = whole(call, "node").and_then(|node| usize::try_from(node).ok());
        let turn = node.and_then(|node| *node_turns.get(node)?).and_then(|turn| run.turns.get_mut(turn));
        let (Some(turn), Some(usage)) = (turn, call.get("usage")) else { continue };
        turn.tokens_in = whole(usage, "input_tokens").or_else(|| whole(usage, "prompt_tokens"));
        turn.tokens_out = whole(usage, "output_tokens").or_else(|| whole(usage, "completion_tokens"));
    }
    run.api_calls = Some(list(value, "calls").len() as i64);
    Some(run)
}

fn row(value: &Value, place: String) -> Row {
    let rewards: Vec<&Value> = value
        .get("rewards")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(_, reward)| reward)
        .collect();
    let weighed = |reward: &&Value| -> Option<f64> {
        Some(number(reward, "score").or_else(|| as_number(reward))? * number(reward, "weight").unwrap_or(1.0))
    };
    let known: Vec<f64> = rewards.iter().filter_map(weighed).collect();
    let data = at(value, &["task", "data"]).unwrap_or(&Value::Null);
    let task = value.get("task").unwrap_or(&Value::Null);
    let error = list(value, "errors").last().and_then(|error| filled(error, "type"));
    let stop = filled(value, "stop_condition");
    let status = match stop {
        Some("error") => error.or(stop),
        _ if flag(value, "is_timeout") == Some(true) => Some("timeout"),
        stop => stop,
    };
    Row {
        place,
        instance_id: name(data, &["instance_id", "task_id"])
            .or_else(|| name(task, &["key"]))
            .or_else(|| name(data, &["id", "idx"]))
            .or_else(|| name(task, &["hash"])),
        session_id: filled(value, "id").map(str::to_owned),
        model: list(value, "calls").iter().find_map(|call| filled(call, "model")).map(str::to_owned),
        reward: (!known.is_empty()).then(|| known.iter().sum()),
        is_unscored: known.is_empty(),
        scaffold: Some("verifiers".to_owned()),
        status: status.map(str::to_owned),
        is_sample: true,
        ..Row::default()
    }
}
