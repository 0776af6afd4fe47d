//! Histories of Cline and its kin (`formats-other.md` §9): `api_conversation_history.json`, the messages as they were sent. Calls
//! stand as tags in the text of a response, or as blocks; results come in the next message of the user, between a line that
//! names the call and the details of the editor. `ui_messages.json` repeats them for display and is not read.

use super::json::lenient::{at, content, filled, flag, list, text, time, whole};
use super::pending::Pending;
use super::{Evidence, Format, Input, Read, Sketch, Sniff, ends, json, observation, quality, tools};
use crate::model::{
    Call, CallKind, ObservationState, Operation, Problem, Quality, TaskKind, Termination, Trajectory, Turn,
    Weight, quality_reason,
};
use serde_json::{Map, Value};

/// Histories of Cline and its kin.
pub const FORMAT: Format = Format {
    name: "cline-history",
    written_by: "Cline, Roo Code",
    files: "api_conversation_history.json",
    lacks: &["instance, session, patch, outcome"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(|values| matches!(values, [value] if is_history(value))),
    read,
};

/// Tools whose calls are written as tags.
const TAGS: &[&str] = &[
    "access_mcp_resource",
    "apply_diff",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "codebase_search",
    "execute_command",
    "insert_content",
    "list_code_definition_names",
    "list_files",
    "new_task",
    "plan_mode_respond",
    "read_file",
    "replace_in_file",
    "search_and_replace",
    "search_files",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
    "web_fetch",
    "write_to_file",
];
/// Most calls of a response, and most tags of a call, that are looked at: a hostile text must not cost its square.
const MOST: usize = 200;
/// Begins the editor's own block in a message of the user.
const DETAILS: &str = "<environment_details>";
/// What Cline writes in place of a response that did not come.
const NO_RESPONSE: &str = "Failure: I did not provide a response.";

/// The first message holds the task in a tag, and the editor's details in a block of their own.
pub fn is_history(value: &Sketch) -> bool {
    let Some(first) = value.elements().first() else { return false };
    let blocks = first.get("content").map_or(&[][..], Sketch::elements);
    let begins = |block: &Sketch, words: &str| {
        block.text("text").is_some_and(|said| said.trim_start().starts_with(words))
    };
    first.text("role") == Some("user")
        && blocks.first().is_some_and(|block| begins(block, "<task>"))
        && blocks.iter().skip(1).any(|block| begins(block, DETAILS))
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let document = json::document(input.bytes(), &mut problems).unwrap_or_default();
    let mut history = History::new();
    for (index, message) in document.as_array().into_iter().flatten().enumerate() {
        match text(message, "role") {
            Some("assistant") => history.response(message),
            Some("user") => history.user(message),
            _ => {
                let place = format!("record {}", index + 1);
                problems.push(Problem::new(Weight::Refused, place, "no message of a history"));
            }
        }
    }
    Read { trajectories: vec![history.finish()], problems, ..Read::default() }
}

struct History {
    run: Trajectory,
    pending: Pending,
    /// The person went on after the run was handed in.
    goes_on: bool,
}

impl History {
    fn new() -> History {
        let mut run = Trajectory::new(FORMAT.name, "cline");
        run.logs_exit_codes = true;
        History { run, pending: Pending::default(), goes_on: false }
    }

    fn response(&mut self, message: &Value) {
        let blocks = list(message, "content");
        let said = content(message.get("content").filter(|said| said.is_string()));
        let texts = blocks.iter().filter(|block| text(block, "type") == Some("text"));
        let said = said
            .unwrap_or_else(|| texts.filter_map(|block| text(block, "text")).collect::<Vec<_>>().join("\n"));
        if said.trim() == NO_RESPONSE {
            return;
        }
        let mut turn = Turn::new(said);
        let thoughts = blocks.iter().filter_map(|block| filled(block, "thinking"));
        let thoughts = thoughts.collect::<Vec<_>>().join("\n");
        turn.reasoning = (!thoughts.is_empty()).then_some(thoughts);
        turn.logged_at = time(message, "ts");
        let tokens = at(message, &["metrics", "tokens"]);
        turn.tokens_in = tokens.and_then(|tokens| whole(tokens, "prompt"));
        turn.tokens_out = tokens.and_then(|tokens| whole(tokens, "completion"));
        if self.run.model.is_none() {
            let model = at(message, &["modelInfo", "modelId"]).and_then(Value::as_str);
            self.run.model = model.map(str::to_owned);
        }
        self.goes_on = false;
        self.run.started_at = self.run.started_at.or(turn.logged_at);
        self.run.ended_at = turn.logged_at.or(self.run.ended_at);
        turn.calls.extend(tagged(&turn.text));
        self.run.turns.push(turn);
        for block in blocks.iter().filter(|block| text(block, "type") == Some("tool_use")) {
            if let Some(turn) = self.run.turns.last_mut() {
                turn.calls.push(tools::called(text(block, "name"), block.get("input")));
            }
            if let Some(id) = text(block, "id") {
                self.pending.note(id, &self.run.turns);
            }
        }
    }

    fn user(&mut self, message: &Value) {
        let blocks = list(message, "content");
        let said: Vec<String> = match message.get("content").and_then(Value::as_str) {
            Some(said) => vec![said.to_owned()],
            None => blocks.iter().filter_map(|block| filled(block, "text").map(str::to_owned)).collect(),
        };
        let said: Vec<&str> =
            said.iter().map(String::as_str).filter(|said| !said.trim_start().starts_with(DETAILS)).collect();
        if self.run.turns.is_empty() && self.run.task.is_none() {
            let task = said.join("\n");
            let inner = task.trim().strip_prefix("<task>").and_then(|rest| rest.strip_suffix("</task>"));
            self.run.task = Some(inner.unwrap_or(&task).trim().to_owned());
            return;
        }
        self.goes_on = true;
        for block in blocks.iter().filter(|block| text(block, "type") == Some("tool_result")) {
            let id = text(block, "tool_use_id").unwrap_or_default();
            if let Some(call) = self.pending.call(id, &mut self.run.turns) {
                if flag(block, "is_error") == Some(true) {
                    call.is_error = Some(true);
                }
                answer(call, &content(block.get("content")).unwrap_or_default());
            } else {
                self.run.lost_results += 1;
            }
        }
        self.answer_in_text(&said);
    }

    /// The result of the call in tags, or the refusal of a response without a call.
    fn answer_in_text(&mut self, said: &[&str]) {
        let Some(turn) = self.run.turns.last_mut() else { return };
        let Some(first) = said.first() else { return };
        if first.starts_with("[ERROR] You did not use a tool") && turn.calls.is_empty() {
            turn.accepted = false;
            turn.quality_without_call = Quality::Unparsable;
            turn.quality_reason = Some(quality_reason::NO_ACTION);
            return;
        }
        let Some(call) = turn.calls.iter_mut().find(|call| call.observation.is_none()) else { return };
        if let Some((_, rest)) = first.split_once("] Result:").filter(|_| first.starts_with('[')) {
            let rest = rest.trim_start_matches('\n');
            let parts = std::iter::once(rest).chain(said.iter().skip(1).copied());
            let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            answer(call, &parts.join("\n"));
        }
    }

    fn finish(self) -> Trajectory {
        let mut run = self.run;
        quality::judge_shell_calls(&mut run);
        run.termination = ends::of_conversation(&run);
        let last = run.turns.last();
        let hands_in =
            last.is_some_and(|turn| turn.calls.iter().any(|call| call.operation == Some(Operation::Submit)));
        if hands_in && !self.goes_on {
            run.termination = Termination::Submitted;
            run.submitting_turn = run.turns.len().checked_sub(1);
        } else if run.termination == Termination::Finished {
            run.termination = if self.goes_on { Termination::Incomplete } else { Termination::GaveUp };
        }
        run
    }
}

/// Calls in tags of a text, in order.
fn tagged(text: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some((name, start)) = next_tag(rest).filter(|_| calls.len() < MOST) {
        let body = &rest[start..];
        let close = format!("</{name}>");
        let end = body.find(&close);
        calls.push(tools::call(name, &Value::Object(parameters(&body[..end.unwrap_or(body.len())]))));
        let Some(end) = end else { break };
        rest = &body[end + close.len()..];
    }
    calls
}

/// The first tag of a tool, and where it ends.
fn next_tag(text: &str) -> Option<(&'static str, usize)> {
    text.match_indices('<').find_map(|(place, _)| {
        let rest = &text[place + 1..];
        let known =
            TAGS.iter().find(|known| rest.strip_prefix(**known).is_some_and(|end| end.starts_with('>')));
        known.map(|known| (*known, place + known.len() + 2))
    })
}

/// `<name>value</name>`, one after the other; a value may hold tags of its own.
fn parameters(body: &str) -> Map<String, Value> {
    let mut found = Map::new();
    let mut rest = body;
    for _ in 0..MOST {
        let Some((_, after)) = rest.split_once('<') else { break };
        let is_part = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
        let name = &after[..after.bytes().take_while(|byte| is_part(byte)).count()];
        let close = format!("</{name}>");
        let value = after[name.len()..].strip_prefix('>').filter(|_| !name.is_empty());
        match value.and_then(|value| Some((value, value.rfind(&close)?))) {
            Some((value, end)) => {
                let text = value[..end].trim_matches('\n');
                found.insert(name.to_owned(), Value::String(text.to_owned()));
                rest = &value[end + close.len()..];
            }
            None => rest = after,
        }
    }
    found
}

/// Gives a call its result; a command's begins with a line about its end.
fn answer(call: &mut Call, said: &str) {
    let mut shown = said;
    if call.kind == CallKind::Shell
        && let Some((head, output)) = said.split_once("Output:")
        && head.starts_with("Command ")
        && head.len() < 200
    {
        shown = output.strip_prefix('\n').unwrap_or(output);
        let digits = head.rsplit_once("xit code").map(|(_, rest)| rest.trim_start_matches([':', ' ']));
        call.exit_code =
            digits.and_then(|rest| rest.split(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok());
    }
    if shown.starts_with("The tool execution failed with the following error") {
        call.is_error = Some(true);
    }
    if shown.contains("Missing value for required parameter") {
        call.quality = Quality::Parsable;
        call.quality_reason = Some(quality_reason::MISSING_ARGUMENT);
    }
    observation::set(call, shown.to_owned().into(), ObservationState::Full);
}
