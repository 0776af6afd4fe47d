//! Foreign logs, read by a map that names their keys (`docs/mapped-logs.md`).
//!
//! Never here: how a file of settings is found and parsed.

mod map;

pub use map::{Fields, Kind, Map, MessageFields, Place};

use super::asap::{self, Told, completion};
use super::dialogue::{CallResult, Response, Said};
use super::json::lenient::{as_number, as_whole, content};
use super::messages::{Role, say};
use super::read::finished;
use super::row::{Row, as_name};
use super::text_calls::made;
use super::{Evidence, Format, Input, Read, Sketch, Sniff, json, rendered_chat, tools};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// What a map reads.
pub const FORMAT: Format = Format {
    name: "mapped",
    written_by: "any program whose keys a map names",
    files: "*.jsonl, *.json",
    lacks: &["what the map does not name"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Never,
    read: |_| Read::default(),
};

impl Map {
    /// Whether a file holds what the map is for: rows, or the text of a completion log.
    pub fn serves(&self, bytes: &[u8]) -> bool {
        let values = Sketch::of(bytes);
        let is_row = |value: &Sketch| value.is_object() || value.elements().iter().any(Sketch::is_object);
        values.iter().any(is_row) || (self.kind == Kind::Asap && values.is_empty() && formats_text(bytes))
    }
}

/// A text that no other format claims.
fn formats_text(bytes: &[u8]) -> bool {
    !bytes.trim_ascii().is_empty() && std::str::from_utf8(bytes).is_ok() && super::claims(bytes).is_empty()
}

/// Reads an input by a map.
pub fn read(map: &Map, input: &Input) -> Read {
    if map.kind == Kind::Asap {
        let is_rows = Sketch::of(input.bytes()).iter().any(Sketch::is_object);
        return finished(if is_rows {
            asap::read_rows(input, |row| told(map, row), &map.tags)
        } else {
            asap::read_text(input, &map.tags)
        });
    }
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    json::records(input.bytes(), input.lines_before, problems, |record, problems| {
        let place = record.place();
        // A file may be one array of rows in place of a line each.
        match &record.value {
            Value::Array(rows) if rows.iter().all(Value::is_object) => {
                for (index, row) in rows.iter().enumerate() {
                    let place = format!("record {}", index + 1);
                    trajectories.extend(trajectory(map, row, place, problems));
                }
            }
            row => trajectories.extend(trajectory(map, row, place, problems)),
        }
    });
    finished(read)
}

/// The value at a place.
fn at<'v>(value: &'v Value, place: &Option<Place>) -> Option<&'v Value> {
    let found = place.as_ref()?.iter().try_fold(value, |value, key| match value {
        Value::Array(elements) => elements.get(key.parse::<usize>().ok()?),
        value => value.get(key),
    });
    found.filter(|value| !value.is_null())
}

fn number(value: &Value, place: &Option<Place>) -> Option<i64> {
    at(value, place).and_then(as_whole)
}

/// What a row says of its run.
fn row(map: &Map, value: &Value) -> Row {
    let fields = &map.fields;
    let named = |place: &Option<Place>| at(value, place).and_then(as_name);
    let status = named(&fields.status);
    let flag = |place: &Option<Place>| at(value, place).and_then(is_true);
    let has_outcome = [&fields.reward, &fields.resolved];
    Row {
        instance_id: named(&fields.instance_id),
        run: number(value, &fields.run).map(|run| run - map.first_run),
        session_id: named(&fields.session_id),
        scaffold: named(&fields.scaffold).or_else(|| map.scaffold.clone()),
        model: named(&fields.model).or_else(|| map.model.clone()),
        reward: at(value, &fields.reward).and_then(as_number),
        resolved: flag(&fields.resolved),
        is_unscored: has_outcome.iter().any(|place| place.is_some() && at(value, place).is_none()),
        is_masked: flag(&fields.masked) == Some(true),
        termination: status.as_ref().and_then(|status| {
            map.statuses.iter().find(|(raw, _)| raw == status).map(|(_, termination)| *termination)
        }),
        status,
        patch: at(value, &fields.patch).and_then(Value::as_str).map(str::to_owned),
        has_patch: fields.patch.is_some(),
        steps: number(value, &fields.steps),
        train_step: number(value, &fields.train_step),
        is_sample: true,
        resolved_at: map.resolved_at,
        ..Row::default()
    }
}

/// A truth, as programs write one.
fn is_true(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is_true) => Some(*is_true),
        Value::String(word) => match word.to_ascii_lowercase().as_str() {
            "true" | "yes" | "pass" | "passed" | "resolved" | "success" => Some(true),
            "false" | "no" | "fail" | "failed" | "unresolved" | "failure" => Some(false),
            _ => None,
        },
        value => match as_whole(value)? {
            1 => Some(true),
            0 => Some(false),
            _ => None,
        },
    }
}

/// What a row of a completion log holds.
fn told(map: &Map, value: &Value) -> Option<Told> {
    let default = |place: &Option<Place>, name: &str| place.clone().or_else(|| Some(vec![name.to_owned()]));
    let fields = &map.fields;
    Some(Told {
        row: row(map, value),
        prompt: at(value, &default(&fields.prompt, "prompt"))
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        completion: completion(at(value, &default(&fields.completion, "completion"))?)?,
        prefix_turns: number(value, &default(&fields.prefix_turns, "prefix_turns"))
            .and_then(|turns| usize::try_from(turns).ok()),
    })
}

fn trajectory(map: &Map, value: &Value, place: String, problems: &mut Vec<Problem>) -> Option<Trajectory> {
    let said = match map.kind {
        Kind::Rendered => rendered(map, value),
        Kind::Rows | Kind::Asap => listed(map, value, &place, problems).map(|said| (Vec::new(), said)),
    };
    let Some((mut before, said)) = said else {
        let key = if map.kind == Kind::Rendered { "completion" } else { "messages" };
        let what = format!("nothing where `fields.{key}` points to: left out");
        problems.push(Problem::new(Weight::Refused, place, what));
        return None;
    };
    let text = |place: &Option<Place>| content(at(value, place));
    if let Some(task) = text(&map.fields.task) {
        before.insert(0, Said::User(task));
    }
    if let Some(system) = text(&map.fields.system) {
        before.insert(0, Said::System(system));
    }
    let row = Row { place, ..row(map, value) };
    Some(row.continued(FORMAT.name, before, said))
}

/// A text rendered by a chat template, with the prompt before it.
fn rendered(map: &Map, value: &Value) -> Option<(Vec<Said>, Vec<Said>)> {
    let text = at(value, &map.fields.completion)?.as_str()?;
    let prompt = at(value, &map.fields.prompt).and_then(Value::as_str).unwrap_or_default();
    let continued = rendered_chat::continued(prompt, text);
    Some((continued.before, continued.after))
}

/// A list of messages or steps.
fn listed(map: &Map, value: &Value, place: &str, problems: &mut Vec<Problem>) -> Option<Vec<Said>> {
    let messages = at(value, &map.fields.messages)?;
    // Some data sets keep the list as a text.
    let parsed = messages.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let messages = parsed.as_ref().unwrap_or(messages).as_array()?;
    let mut said = Vec::new();
    let strange = messages
        .iter()
        .filter(|message| match &map.message {
            Some(fields) => !message_said(map, fields, message, &mut said),
            None => !say(message, &mut said),
        })
        .count();
    if strange > 0 {
        let what = format!("{strange} of {} messages have no known role and were left out", messages.len());
        problems.push(Problem::new(Weight::Refused, place, what));
    }
    Some(said)
}

/// What a message or step says; false for one of no known role.
fn message_said(map: &Map, fields: &MessageFields, message: &Value, said: &mut Vec<Said>) -> bool {
    let role = match &fields.role {
        // Without roles every element is a step of the model's.
        None => Some(Role::Model),
        Some(_) => at(message, &fields.role).and_then(Value::as_str).and_then(|word| map.role(word)),
    };
    let text = || content(at(message, &fields.text));
    match role {
        None => return false,
        Some(Role::System) => said.push(Said::System(text().unwrap_or_default())),
        Some(Role::User) => said.push(Said::User(text().unwrap_or_default())),
        Some(Role::Result) => said.push(Said::Result(CallResult {
            id: at(message, &fields.result_id).and_then(as_name),
            text: content(at(message, &fields.observation)).or_else(text),
            exit_code: number(message, &fields.exit_code),
            ..CallResult::default()
        })),
        Some(Role::Model) => {
            let calls = calls(fields, message);
            let ids: Vec<Option<String>> = calls.iter().map(|(_, id)| id.clone()).collect();
            said.push(Said::Response(Response {
                text: text().unwrap_or_default(),
                reasoning: content(at(message, &fields.reasoning)).filter(|text| !text.is_empty()),
                calls,
                ..Response::default()
            }));
            // A step that holds what came back from it.
            if let Some(observation) = content(at(message, &fields.observation)) {
                said.push(Said::Result(CallResult {
                    id: ids.into_iter().next().flatten(),
                    text: Some(observation),
                    exit_code: number(message, &fields.exit_code),
                    ..CallResult::default()
                }));
            }
        }
    }
    true
}

/// The calls of a message: a line for the shell, and calls of tools.
fn calls(fields: &MessageFields, message: &Value) -> Vec<(crate::model::Call, Option<String>)> {
    let mut calls = Vec::new();
    if let Some(command) = content(at(message, &fields.command)).filter(|command| !command.trim().is_empty())
    {
        calls.push((tools::call("bash", &Value::String(command)), None));
    }
    let listed = match at(message, &fields.calls) {
        Some(Value::Array(calls)) => calls.as_slice(),
        Some(call) => std::slice::from_ref(call),
        None => &[],
    };
    let usual = |place: &Option<Place>, names: [&[&str]; 2]| {
        let usual = names.map(|name| name.iter().map(|key| (*key).to_owned()).collect::<Place>());
        place.clone().map_or_else(|| usual.to_vec(), |place| vec![place])
    };
    let id_places = usual(&fields.call_id, [&["id"], &["call_id"]]);
    let name_places = usual(&fields.call_name, [&["function", "name"], &["name"]]);
    let argument_places = usual(&fields.call_arguments, [&["function", "arguments"], &["arguments"]]);
    let first = |call: &Value, places: &[Place]| -> Option<Value> {
        places.iter().find_map(|place| at(call, &Some(place.clone())).cloned())
    };
    for call in listed {
        let name = first(call, &name_places).as_ref().and_then(as_name);
        let arguments = first(call, &argument_places);
        let id = first(call, &id_places).as_ref().and_then(as_name);
        calls.push((made(name.as_deref().unwrap_or("function"), arguments.as_ref()), id));
    }
    calls
}
