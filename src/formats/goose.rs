//! goose (`formats-other.md` §9), from its source alone: the events of `goose run --output-format stream-json`, the document
//! of `--output-format json`, exports of sessions, and the session files before they became a database. All hold the same
//! messages; in the events one message comes in pieces that bear its id.

use super::dialogue::{self, CallResult, Response, Said};
use super::json::lenient::{at, content, filled, flag, list, text, time, whole};
use super::json::{self, lenient};
use super::{Evidence, Format, Input, Read, Sketch, Sniff, ends, tools};
use crate::model::quality_reason::{ARGUMENTS, UNKNOWN_TOOL};
use crate::model::{Call, CallKind, Problem, Quality, TaskKind, Termination, Trajectory, Weight};
use serde_json::Value;

const SCAFFOLD: &str = "goose";

/// Documents and session files.
pub const SESSION: Format = Format {
    name: "goose-session",
    written_by: "goose run --output-format json, goose session export --format json, sessions of goose before 1.10",
    files: "*.json, ~/.local/share/goose/sessions/*.jsonl",
    lacks: &[
        "instance, run, outcome",
        "an end",
        "exit codes of older versions",
        "tokens of single responses",
    ],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(is_session),
    read: read_session,
};

/// Events.
pub const STREAM: Format = Format {
    name: "goose-stream-json",
    written_by: "goose run --output-format stream-json",
    files: "*.jsonl, *.txt, *.log",
    lacks: &[
        "instance, run, outcome, session",
        "the prompt",
        "exit codes of older versions",
        "tokens of single responses",
    ],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Text(is_stream),
    read: read_stream,
};

/// What the program writes in the name of the model where its own limit of turns ends the run.
const STEP_LIMIT: &str = "I've reached the maximum number of actions I can do without user input";
/// The same where the model could not be reached.
const ERROR: &str = "Ran into this error: ";
/// The same after an interruption.
const INTERRUPTION: &str = "Yes — what would you like me to do?";

/// A document or session file of goose, which a chat file would look like.
pub fn is_session(values: &[Sketch]) -> bool {
    let is_message = |value: &Sketch| {
        matches!(value.text("role"), Some("user" | "assistant"))
            && matches!(value.get("created"), Some(Sketch::Number(_)))
            && value.get("content").is_some_and(Sketch::is_list)
    };
    values.iter().any(|value| {
        let is_output = value.at(&["metadata", "status"]).is_some_and(|status| status.as_text().is_some());
        let is_export = value.text("working_dir").is_some();
        is_message(value) && !value.has("type")
            || is_output && value.first("messages").is_some_and(is_message)
            || is_export && value.first("conversation").is_some_and(is_message)
    })
}

fn is_stream(text: &str) -> bool {
    // Cheap first: this is asked of every text that nobody else claims.
    if !text.contains("\"created\"") {
        return false;
    }
    let mut is_stream = false;
    json::events(text.as_bytes(), 0, &mut Vec::new(), |event, _| {
        let message = event.value.get("message");
        is_stream |= lenient::text(&event.value, "type") == Some("message")
            && event.value.get("id").is_none()
            && message.is_some_and(|message| {
                filled(message, "role").is_some()
                    && message.get("created").is_some_and(Value::is_number)
                    && message.get("content").is_some_and(Value::is_array)
            });
    });
    is_stream
}

fn read_stream(input: &Input) -> Read {
    let mut read = Read::default();
    let mut session = Session::new(STREAM.name);
    json::events(input.bytes(), input.lines_before, &mut read.problems, |event, problems| {
        let (value, place) = (&event.value, format!("line {}", event.line));
        match text(value, "type") {
            Some("message") => session.message(value.get("message"), place, problems),
            Some("model_change") => session.run.model = filled(value, "model").map(str::to_owned),
            Some("error") => session.end = Some((Termination::ModelError, "error")),
            Some("complete") => {
                session.is_complete = true;
                session.run.tokens_in = whole(value, "input_tokens");
                session.run.tokens_out = whole(value, "output_tokens");
            }
            _ => {}
        }
    });
    let is_complete = session.is_complete;
    let mut run = session.finish();
    if !is_complete && run.termination == Termination::Finished {
        run.termination = Termination::Incomplete;
    }
    read.trajectories.push(run);
    read
}

fn read_session(input: &Input) -> Read {
    let mut read = Read::default();
    let mut session = Session::new(SESSION.name);
    let bytes = input.bytes();
    let is_document = ["\"messages\"", "\"conversation\""]
        .iter()
        .any(|key| memchr::memmem::find(bytes, key.as_bytes()).is_some());
    if let Some(document) = is_document.then(|| json::document(bytes, &mut read.problems)).flatten() {
        let key = if document.get("conversation").is_some() { "conversation" } else { "messages" };
        session.head(&document);
        for (place, message) in list(&document, key).iter().enumerate() {
            session.message(Some(message), format!("record {}", place + 1), &mut read.problems);
        }
    } else {
        json::records(bytes, input.lines_before, &mut read.problems, |record, problems| {
            if record.value.get("role").is_none() && record.value.get("working_dir").is_some() {
                session.head(&record.value);
            } else {
                session.message(Some(&record.value), record.place(), problems);
            }
        });
    }
    read.trajectories.push(session.finish());
    read
}

struct Session {
    run: Trajectory,
    said: Vec<Said>,
    /// Id of the response that the last entry of `said` is, where it has one.
    open: Option<Option<String>>,
    end: Option<(Termination, &'static str)>,
    is_complete: bool,
}

impl Session {
    fn new(format: &'static str) -> Session {
        let mut run = Trajectory::new(format, SCAFFOLD);
        run.can_submit = false;
        Session { run, said: Vec::new(), open: None, end: None, is_complete: false }
    }

    /// What a document or a session file says of the whole run.
    fn head(&mut self, head: &Value) {
        self.run.session_id = filled(head, "id").map(str::to_owned);
        self.run.repository_root = filled(head, "working_dir").map(str::to_owned);
        self.run.model =
            at(head, &["model_config"]).and_then(|model| filled(model, "model_name")).map(str::to_owned);
        // Newer exports count all calls under these keys, the current window under the bare ones.
        let count = |key: &str| whole(head, &format!("accumulated_{key}")).or_else(|| whole(head, key));
        (self.run.tokens_in, self.run.tokens_out) = (count("input_tokens"), count("output_tokens"));
    }

    fn message(&mut self, message: Option<&Value>, place: String, problems: &mut Vec<Problem>) {
        let known = message.and_then(|message| {
            Some((message, filled(message, "role")?, message.get("content")?.as_array()?))
        });
        let Some((message, role, blocks)) = known else {
            problems.push(Problem::new(
                Weight::Refused,
                place,
                "a message without role and list of contents",
            ));
            return;
        };
        let created = time(message, "created");
        self.run.started_at = [self.run.started_at, created].into_iter().flatten().min();
        self.run.ended_at = self.run.ended_at.max(created);
        let inference = at(message, &["metadata", "inference"]);
        let model = inference.and_then(|inference| filled(inference, "requestedModel"));
        self.run.model = self.run.model.take().or_else(|| model.map(str::to_owned));
        match role {
            "assistant" => self.response(message, blocks, created),
            _ => self.told(blocks),
        }
    }

    fn response(&mut self, message: &Value, blocks: &[Value], created: Option<i64>) {
        let words = content(message.get("content")).unwrap_or_default();
        self.end = if words.starts_with(STEP_LIMIT) {
            Some((Termination::StepLimit, STEP_LIMIT))
        } else if words.starts_with(ERROR) {
            Some((Termination::ModelError, ERROR))
        } else if words.starts_with(INTERRUPTION) {
            Some((Termination::Cancelled, INTERRUPTION))
        } else {
            None
        };
        let is_note = |block: &Value| {
            matches!(
                text(block, "type"),
                Some("systemNotification" | "actionRequired" | "toolConfirmationRequest")
            )
        };
        if self.end.is_some() || !blocks.is_empty() && blocks.iter().all(is_note) {
            return;
        }
        let id = filled(message, "id").map(str::to_owned);
        // Pieces of one response bear its id; without ids nothing comes between two of them.
        if self.open.as_ref() != Some(&id) {
            self.said.push(Said::Response(Response { logged_at: created, ..Response::default() }));
            self.open = Some(id);
        }
        let Some(Said::Response(response)) = self.said.last_mut() else { return };
        for block in blocks {
            match text(block, "type") {
                Some("text") => response.text.push_str(text(block, "text").unwrap_or_default()),
                Some("thinking") => {
                    response
                        .reasoning
                        .get_or_insert_default()
                        .push_str(text(block, "thinking").unwrap_or_default());
                }
                Some("toolRequest" | "frontendToolRequest") => {
                    response.calls.push((call(block), filled(block, "id").map(str::to_owned)));
                }
                _ => {}
            }
        }
    }

    fn told(&mut self, blocks: &[Value]) {
        self.open = None;
        self.end = None;
        for block in blocks {
            match text(block, "type") {
                Some("toolResponse") => self.said.push(Said::Result(result(block))),
                Some("text") => {
                    self.said.push(Said::User(text(block, "text").unwrap_or_default().to_owned()))
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Trajectory {
        let is_answered = !matches!(self.said.last(), Some(Said::User(_)));
        dialogue::fill(&mut self.run, self.said);
        let mut run = self.run;
        run.can_submit = false;
        run.termination = match self.end {
            Some((termination, _)) => termination,
            None if is_answered => ends::of_conversation(&run),
            None => Termination::Incomplete,
        };
        run.raw_exit_status = self.end.map(|(_, words)| words.trim_end_matches([':', ' ']).to_owned());
        run
    }
}

fn call(block: &Value) -> Call {
    let Some(value) = at(block, &["toolCall", "value"]) else {
        // The program could not read the arguments, or knows no such tool: its word stands in place of the call.
        let words = at(block, &["toolCall"]).and_then(|call| text(call, "error")).unwrap_or_default();
        let mut call = Call::new("", CallKind::Tool, words);
        call.quality = Quality::Parsable;
        call.quality_reason = Some(if words.contains("not found") { UNKNOWN_TOOL } else { ARGUMENTS });
        return call;
    };
    let name = text(value, "name").unwrap_or_default();
    tools::call(name, value.get("arguments").unwrap_or(&Value::Null))
}

fn result(block: &Value) -> CallResult {
    let id = filled(block, "id").map(str::to_owned);
    let Some(result) = at(block, &["toolResult"]) else { return CallResult { id, ..CallResult::default() } };
    let value = at(result, &["value"]);
    let is_refused = text(result, "status") == Some("error");
    let is_error = is_refused || value.and_then(|value| flag(value, "isError")) == Some(true);
    // Older versions: the list of contents alone.
    let parts = value.map(|value| value.as_array().map_or_else(|| list(value, "content"), Vec::as_slice));
    let told = |part: &&Value| {
        // What is shown to the person repeats what the model was told.
        let audience = at(part, &["annotations", "audience"]).and_then(Value::as_array);
        audience.is_none_or(|audience| audience.iter().any(|word| word == "assistant"))
    };
    let texts = parts.unwrap_or_default().iter().filter(told).filter_map(|part| text(part, "text"));
    let words = if is_refused { text(result, "error").map(str::to_owned) } else { None };
    let exit_code =
        value.and_then(|value| at(value, &["structuredContent", "exit_code"])).and_then(lenient::as_whole);
    let texts = texts.collect::<Vec<_>>().join("\n");
    CallResult { id, text: words.or_else(|| value.map(|_| texts)), is_error: Some(is_error), exit_code }
}
