//! Chats of Gemini CLI (`formats-other.md` §9): one document, or JSON Lines that are replayed: records by `id` replace earlier
//! ones, `$set` changes what is kept for the session, `$rewindTo` takes messages back. A message of the model holds its calls
//! and their results.

use super::json::lenient::{as_time, at, content, filled, list, text, time, whole};
use super::json::{self, records};
use super::{Evidence, Format, Input, Read, Sketch, Sniff, ends, observation, quality, tools};
use crate::data::statuses;
use crate::model::{
    Call, CallKind, ObservationState, Origin, Problem, TaskKind, Termination, Trajectory, Turn, Weight,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Chats of Gemini CLI.
pub const FORMAT: Format = Format {
    name: "gemini-chat",
    written_by: "Gemini CLI",
    files: "session-<time>-<id>.json, session-<time>-<id>.jsonl",
    lacks: &["instance, patch, outcome, how a session ended"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

/// Whose exit statuses they are.
const SCAFFOLD: &str = "gemini-cli";

fn sniff(values: &[Sketch]) -> bool {
    values.first().is_some_and(|head| {
        let is_chat = head.get("messages").is_none_or(Sketch::is_list);
        head.text("sessionId").is_some() && head.text("projectHash").is_some() && is_chat
    })
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let mut chat = Chat::default();
    if is_document(input.bytes()) {
        if let Some(document) = json::document(input.bytes(), &mut problems) {
            chat.set(&document);
        }
    } else {
        records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
            if !chat.record(&record.value) {
                let what = "no record of a chat";
                problems.push(Problem::new(Weight::Refused, record.place(), what));
            }
        });
    }
    let trajectory = chat.trajectory(&mut problems);
    Read { trajectories: vec![trajectory], problems, ..Read::default() }
}

/// One document is printed over many lines; in JSON Lines the first object ends with its line.
fn is_document(bytes: &[u8]) -> bool {
    let bytes = json::without_mark(bytes).trim_ascii();
    let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let head = bytes[..end].trim_ascii_end();
    let rest = bytes[end..].trim_ascii_start();
    !(head.starts_with(b"{") && head.ends_with(b"}") && (rest.is_empty() || rest.starts_with(b"{")))
}

#[derive(Default)]
struct Chat {
    /// What is kept for the session.
    head: Map<String, Value>,
    messages: Vec<Message>,
    places: BTreeMap<String, usize>,
    left_out: usize,
}

struct Message {
    value: Value,
    was_rewound: bool,
    /// It came with the history of an earlier session.
    is_copied: bool,
}

impl Chat {
    /// Takes a record of the form of lines; false where it is none.
    fn record(&mut self, value: &Value) -> bool {
        if !value.is_object() {
            return false;
        }
        if let Some(target) = value.get("$rewindTo") {
            self.rewind(target.as_str());
        } else if let Some(change) = value.get("$set") {
            self.set(change);
        } else if value.get("sessionId").is_some() && value.get("id").is_none() {
            self.set(value);
        } else if text(value, "id").is_some() {
            self.put(value.clone(), false);
        } else {
            return false;
        }
        true
    }

    /// Keys of the session; a list of messages brings the known ones up to date.
    fn set(&mut self, change: &Value) {
        let Some(fields) = change.as_object() else { return };
        for (key, value) in fields.iter().filter(|(key, _)| *key != "messages") {
            self.head.insert(key.clone(), value.clone());
        }
        let was_empty = self.messages.is_empty();
        for message in list(change, "messages") {
            if was_empty || self.place(text(message, "id")).is_some() {
                let is_copied = was_empty && self.is_older(message);
                self.put(message.clone(), is_copied);
            } else {
                // The summary that stands for a compressed history is no response of the run.
                self.left_out += 1;
            }
        }
    }

    fn is_older(&self, message: &Value) -> bool {
        let began = self.head.get("startTime").and_then(as_time);
        matches!((time(message, "timestamp"), began), (Some(said), Some(began)) if said < began)
    }

    fn place(&self, id: Option<&str>) -> Option<usize> {
        self.places.get(id?).copied()
    }

    /// A message: a new one, or a newer state of one; `message_update` has the changed keys alone.
    fn put(&mut self, value: Value, is_copied: bool) {
        let Some(place) = self.place(text(&value, "id")) else {
            let id = text(&value, "id").map(str::to_owned);
            self.places.extend(id.map(|id| (id, self.messages.len())));
            self.messages.push(Message { value, was_rewound: false, is_copied });
            return;
        };
        let known = &mut self.messages[place];
        match (text(&value, "type") == Some("message_update"), value) {
            (true, Value::Object(changed)) => {
                if let Some(fields) = known.value.as_object_mut() {
                    fields.extend(changed.into_iter().filter(|(key, _)| key != "type"));
                }
            }
            (_, value) => known.value = value,
        }
    }

    /// The message and all after it are taken back; all where it is not known.
    fn rewind(&mut self, id: Option<&str>) {
        let from = self.place(id).unwrap_or(0);
        self.messages.iter_mut().skip(from).for_each(|message| message.was_rewound = true);
    }

    fn trajectory(self, problems: &mut Vec<Problem>) -> Trajectory {
        let head = Value::Object(self.head);
        let mut run = Trajectory::new(FORMAT.name, SCAFFOLD);
        run.can_submit = false;
        run.logs_exit_codes = true;
        run.session_id = filled(&head, "sessionId").map(str::to_owned);
        run.started_at = time(&head, "startTime");
        run.ended_at = time(&head, "lastUpdated");
        run.repository_root = list(&head, "directories").first().and_then(Value::as_str).map(str::to_owned);
        if self.left_out > 0 {
            let what = format!("{} messages of a compressed history were left out", self.left_out);
            problems.push(Problem::new(Weight::Note, "", what));
        }
        for message in &self.messages {
            take(&mut run, message);
        }
        quality::judge_shell_calls(&mut run);
        run.termination = match &run.raw_exit_status {
            Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
            None => ends::of_conversation(&run),
        };
        run
    }
}

fn take(run: &mut Trajectory, message: &Message) {
    let value = &message.value;
    match text(value, "type").or_else(|| text(value, "role")).unwrap_or_default() {
        "user" => {
            run.raw_exit_status = None;
            if run.task.is_none() && !message.was_rewound {
                run.task = content(value.get("content"));
            }
        }
        "gemini" | "model" | "assistant" => response(run, message),
        "error" if !message.was_rewound => run.raw_exit_status = Some("error".to_owned()),
        _ => {}
    }
}

fn response(run: &mut Trajectory, message: &Message) {
    let value = &message.value;
    let mut turn = Turn::new(content(value.get("content")).unwrap_or_default());
    turn.origin = match (message.was_rewound, message.is_copied) {
        (true, _) => Origin::Abandoned,
        (_, true) => Origin::Copied,
        _ => Origin::Model,
    };
    turn.logged_at = time(value, "timestamp");
    let thoughts = list(value, "thoughts").iter().filter_map(|thought| {
        let parts = ["subject", "description"].map(|key| filled(thought, key));
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(": "))
    });
    let thoughts: Vec<String> = thoughts.collect();
    turn.reasoning = (!thoughts.is_empty()).then(|| thoughts.join("\n"));
    if let Some(tokens) = value.get("tokens") {
        turn.tokens_in = whole(tokens, "input");
        let thought = whole(tokens, "thoughts").unwrap_or_default();
        turn.tokens_out = whole(tokens, "output").map(|output| output.saturating_add(thought));
    }
    if turn.origin == Origin::Model {
        run.raw_exit_status = None;
        if run.model.is_none() {
            run.model = filled(value, "model").map(str::to_owned);
        }
    }
    turn.calls = list(value, "toolCalls").iter().map(|called| call(called, run)).collect();
    run.turns.push(turn);
}

fn call(called: &Value, run: &Trajectory) -> Call {
    let mut call = tools::called(text(called, "name"), called.get("args"));
    if call.kind == CallKind::Shell {
        call.cwd = call.cwd.take().or_else(|| run.repository_root.clone());
    }
    let status = text(called, "status");
    let result = called.get("result").filter(|result| !result.is_null());
    let said = result.and_then(answer).or_else(|| filled(called, "resultDisplay").map(str::to_owned));
    if let Some(said) = said {
        let (shown, code) = if call.kind == CallKind::Shell { shell_answer(&said) } else { (said, None) };
        call.exit_code = code;
        observation::set(&mut call, shown.into(), ObservationState::Full);
    }
    if call.exit_code.is_none() {
        call.is_error = status.map(|status| status != "success");
    }
    call
}

/// `[{functionResponse: {response: {output | error}}}]`, or a text.
fn answer(result: &Value) -> Option<String> {
    let parts = match result {
        Value::Array(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let texts: Vec<String> = parts
        .iter()
        .filter_map(|part| {
            let Some(response) = at(part, &["functionResponse", "response"]) else {
                return content(Some(part));
            };
            let said = response.get("output").or_else(|| response.get("error"));
            Some(said.map_or_else(|| response.to_string(), |said| content(Some(said)).unwrap_or_default()))
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The shell tool reports `Output: …`, `Error: …`, `Exit Code: …` and more, each in a line of its own.
fn shell_answer(said: &str) -> (String, Option<i64>) {
    let whole = || (said.to_owned(), None);
    let Some(start) =
        (if said.starts_with("Output: ") { Some(0) } else { said.find("\nOutput: ").map(|at| at + 1) })
    else {
        return whole();
    };
    // What stands above is `Command:` and `Directory:`, nothing else.
    if start > 0 && !said.starts_with("Command: ") {
        return whole();
    }
    let body = &said["Output: ".len() + start..];
    let ends = ["\nError: ", "\nExit Code: ", "\nSignal: ", "\nBackground PIDs: ", "\nProcess Group PGID: "];
    let end = ends.iter().filter_map(|mark| body.rfind(mark)).min().unwrap_or(body.len());
    let tail = &body[end..];
    let value = |name: &str| tail.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let mut shown = body[..end].to_owned();
    if shown == "(empty)" {
        shown.clear();
    }
    if let Some(error) = value("Error: ").filter(|error| !error.is_empty() && *error != "(none)") {
        shown.push('\n');
        shown.push_str(error);
    }
    (shown, value("Exit Code: ").and_then(|code| code.parse().ok()))
}
