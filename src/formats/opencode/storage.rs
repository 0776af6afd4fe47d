//! OpenCode's storage folder: `session/PROJECT/SESSION.json`, `message/SESSION/MESSAGE.json`, `part/MESSAGE/PART.json`. A session
//! becomes a trajectory; ids grow with time, so that the order of names is the order of events.

use super::SCAFFOLD;
use super::steps::Steps;
use crate::formats::json::lenient::{at, filled, flag, text, time};
use crate::formats::{Evidence, Format, Input, Part, Read, Sniff, json};
use crate::model::{Origin, Parent, Problem, TaskKind, Trajectory, Weight};
use serde_json::Value;
use std::collections::BTreeMap;

/// OpenCode's storage folder.
pub const STORAGE: Format = Format {
    name: "opencode-storage",
    written_by: "OpenCode",
    files: "storage/{session,message,part}/<id>/<id>.json",
    lacks: &["instance, patch, outcome"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Folder(sniff),
    read,
};

/// The folder above `session`, `message` and `part`, where the names below are OpenCode's.
fn sniff(path: &str) -> Option<usize> {
    let names: Vec<&str> = path.split('/').collect();
    let [.., kind, folder, file] = names.as_slice() else { return None };
    let stem = file.strip_suffix(".json")?;
    let is_stored = match *kind {
        "session" => stem.starts_with("ses_"),
        "message" => folder.starts_with("ses_") && stem.starts_with("msg_"),
        "part" => folder.starts_with("msg_"),
        _ => false,
    };
    let below = kind.len() + folder.len() + file.len() + 2;
    is_stored.then(|| (path.len() - below).saturating_sub(1))
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let mut stored = Stored::default();
    for part in input.parts {
        stored.file(part, &mut problems);
    }
    let ids = stored.session_ids();
    let mut runs: Vec<(Steps, Option<String>)> = ids.iter().map(|id| stored.session(id)).collect();
    let mut trajectories: Vec<Trajectory> = Vec::new();
    for place in 0..runs.len() {
        let parent = runs[place].1.clone().map(|parent| {
            let ordinal = ids.iter().position(|id| *id == parent);
            let turn = ordinal.and_then(|ordinal| runs[ordinal].0.children.get(&ids[place]).copied());
            Parent { ordinal, session_id: Some(parent), turn }
        });
        runs[place].0.run.parent = parent;
    }
    trajectories.extend(runs.into_iter().map(|(steps, _)| steps.into_trajectory()));
    Read { trajectories, problems, ..Read::default() }
}

#[derive(Default)]
struct Stored {
    sessions: BTreeMap<String, Value>,
    /// By session, then by message.
    messages: BTreeMap<String, BTreeMap<String, Value>>,
    /// By message, then by part.
    parts: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Stored {
    fn file(&mut self, part: &Part, problems: &mut Vec<Problem>) {
        let names: Vec<&str> = part.path.split('/').collect();
        let [.., kind, folder, file] = names.as_slice() else { return };
        let Some(stem) = file.strip_suffix(".json") else { return };
        let before = problems.len();
        let value = json::document(part.bytes, problems);
        for problem in &mut problems[before..] {
            problem.place = format!("member {}", part.path);
        }
        let Some(value) = value.filter(Value::is_object) else {
            if problems.len() == before {
                let what = "no JSON object";
                problems.push(Problem::new(Weight::Refused, format!("member {}", part.path), what));
            }
            return;
        };
        let into = match *kind {
            "session" => {
                self.sessions.insert(stem.to_owned(), value);
                return;
            }
            "message" => self.messages.entry((*folder).to_owned()),
            _ => self.parts.entry((*folder).to_owned()),
        };
        into.or_default().insert(stem.to_owned(), value);
    }

    /// Sessions that are described, and those of which there are only messages.
    fn session_ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.sessions.keys().chain(self.messages.keys()).cloned().collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// A session, and the id of its parent.
    fn session(&self, id: &str) -> (Steps, Option<String>) {
        let head = self.sessions.get(id).unwrap_or(&Value::Null);
        let mut run = Trajectory::new(STORAGE.name, SCAFFOLD);
        run.place = format!("member {id}");
        run.session_id = Some(id.to_owned());
        run.scaffold_version = filled(head, "version").map(str::to_owned);
        run.repository_root = filled(head, "directory").map(str::to_owned);
        run.can_submit = false;
        run.logs_exit_codes = true;
        let span = head.get("time").unwrap_or(&Value::Null);
        (run.started_at, run.ended_at) = (time(span, "created"), time(span, "updated"));
        let mut steps = Steps::new(run);
        let rewound_from = at(head, &["revert", "messageID"]).and_then(Value::as_str);
        for (id, message) in self.messages.get(id).into_iter().flatten() {
            let is_rewound = rewound_from.is_some_and(|from| id.as_str() >= from);
            steps.origin = if is_rewound { Origin::Abandoned } else { Origin::Model };
            self.message(&mut steps, id, message);
        }
        (steps, filled(head, "parentID").map(str::to_owned))
    }

    fn message(&self, steps: &mut Steps, id: &str, message: &Value) {
        let parts = self.parts.get(id).into_iter().flatten().map(|(_, part)| part);
        if text(message, "role") != Some("assistant") {
            steps.run.raw_exit_status = None;
            steps.reason = None;
            let said = parts.filter(|part| flag(part, "synthetic") != Some(true));
            let said: Vec<&str> = said.filter_map(|part| filled(part, "text")).collect();
            if steps.run.task.is_none() && !said.is_empty() {
                steps.run.task = Some(said.join("\n"));
            }
            return;
        }
        // The summary that stands for a compacted history is no response of the run.
        if flag(message, "summary") == Some(true) {
            return;
        }
        if steps.run.model.is_none() {
            steps.run.model = filled(message, "modelID").map(str::to_owned);
        }
        steps.cwd = at(message, &["path", "cwd"]).and_then(Value::as_str).map(str::to_owned);
        steps.close();
        let created = message.get("time").and_then(|span| time(span, "created"));
        for part in parts {
            let began = part.get("time").and_then(|span| time(span, "start"));
            steps.part(part, began.or(created));
        }
        steps.close();
        if steps.origin != Origin::Model {
            return;
        }
        let error = message.get("error").map(|error| filled(error, "name").unwrap_or("error").to_owned());
        steps.run.raw_exit_status = error.or_else(|| filled(message, "finish").map(str::to_owned));
    }
}
