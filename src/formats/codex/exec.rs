//! Events of `codex exec --json` (`formats-other.md` §7), alone or inside the log of the program that ran it, each line behind
//! a prefix. A thread becomes a trajectory. The events do not say where a response ends: the calls are right, the number of
//! turns is not known, and each call stands in a turn of its own.

use super::SCAFFOLD;
use crate::data::statuses;
use crate::formats::json::lenient::{at, content, filled, list, text, whole};
use crate::formats::{Evidence, Format, Input, Read, Sniff, observation, quality, tools};
use crate::model::{
    Call, CallKind, ObservationState, Operation, Problem, TaskKind, Termination, Trajectory, Turn, Weight,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Events of `codex exec --json`.
pub const EXEC: Format = Format {
    name: "codex-exec-json",
    written_by: "codex exec --json",
    files: "*.jsonl, *.log, *.txt",
    lacks: &["instance, model, boundaries of responses, times, texts of edits"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Text(sniff),
    read,
};

/// The first event of a thread.
const START: &str = "{\"type\":\"thread.started\"";
/// Lines over which one event may be cut.
const CUT_OVER: usize = 8;

/// The beginning of a thread stands at the start of a line, or behind its prefix.
fn sniff(window: &str) -> bool {
    window.lines().any(|line| event_start(line).is_some_and(|place| line[place..].starts_with(START)))
}

/// Where in a line an event begins: at its start, or behind a prefix in brackets.
fn event_start(line: &str) -> Option<usize> {
    let place = line.find("{\"")?;
    let prefix = line[..place].trim();
    (prefix.is_empty() || prefix.starts_with('[') && (prefix.ends_with(']') || prefix.ends_with(':')))
        .then_some(place)
}

fn read(input: &Input) -> Read {
    let mut exec = Exec::default();
    let text = String::from_utf8_lossy(input.bytes());
    let is_pure = text.trim_start().starts_with(START);
    let lines: Vec<&str> = text.lines().collect();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let number = input.lines_before + index as u64 + 1;
        index += 1;
        let Some(place) = event_start(line) else { continue };
        match event(&line[place..], &lines[index..]) {
            Some((value, taken)) => {
                exec.event(&value, number);
                index += taken;
            }
            None if is_pure || is_event(&line[place..]) => {
                let what = "an event that is cut off or broken was left out";
                exec.problems.push(Problem::new(Weight::Refused, format!("line {number}"), what));
            }
            None => {}
        }
    }
    exec.finish()
}

/// The event that begins here, and how many of the next lines it goes on over: logs cut long lines, each with its prefix.
fn event(start: &str, next: &[&str]) -> Option<(Value, usize)> {
    if let Ok(value) = serde_json::from_str(start.trim_end()) {
        return Some((value, 0));
    }
    if !is_event(start) {
        return None;
    }
    let mut whole = start.to_owned();
    for (index, line) in next.iter().take(CUT_OVER).enumerate() {
        let rest = line.split_once("] ").filter(|_| line.starts_with('[')).map_or(*line, |(_, rest)| rest);
        let rest = rest.split_once("] ").filter(|_| rest.starts_with('[')).map_or(rest, |(_, rest)| rest);
        whole.push_str(rest);
        if let Ok(value) = serde_json::from_str(&whole) {
            return Some((value, index + 1));
        }
    }
    None
}

fn is_event(start: &str) -> bool {
    ["thread.", "turn.", "item."].iter().any(|kind| start.starts_with(&format!("{{\"type\":\"{kind}")))
}

#[derive(Default)]
struct Exec {
    done: Vec<Trajectory>,
    problems: Vec<Problem>,
    thread: Option<Thread>,
}

struct Thread {
    run: Trajectory,
    /// Texts that came since the last call.
    said: Vec<String>,
    thought: Vec<String>,
    /// Turns of items that were started.
    started: BTreeMap<String, usize>,
}

impl Exec {
    fn event(&mut self, value: &Value, line: u64) {
        let kind = text(value, "type").unwrap_or_default();
        if kind == "thread.started" {
            self.close();
            self.thread = Some(Thread::new(value, line));
            return;
        }
        let Some(thread) = &mut self.thread else { return };
        match kind {
            "item.started" | "item.updated" | "item.completed" => {
                if let Some(item) = value.get("item") {
                    thread.item(item, kind == "item.completed");
                }
            }
            "turn.completed" => {
                thread.run.raw_exit_status = Some(kind.to_owned());
                let count = |key| at(value, &["usage"]).and_then(|usage| whole(usage, key));
                thread.run.tokens_in = count("input_tokens").or(thread.run.tokens_in);
                thread.run.tokens_out = count("output_tokens").or(thread.run.tokens_out);
            }
            "turn.failed" => thread.run.raw_exit_status = Some(kind.to_owned()),
            "turn.started" => thread.run.raw_exit_status = None,
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.done.push(thread.finish());
        }
    }

    fn finish(mut self) -> Read {
        self.close();
        Read { trajectories: self.done, problems: self.problems, ..Read::default() }
    }
}

impl Thread {
    fn new(value: &Value, line: u64) -> Thread {
        let mut run = Trajectory::new(EXEC.name, SCAFFOLD);
        run.place = format!("line {line}");
        run.session_id = filled(value, "thread_id").map(str::to_owned);
        run.has_turn_boundaries = false;
        run.can_submit = false;
        run.logs_exit_codes = true;
        Thread { run, said: Vec::new(), thought: Vec::new(), started: BTreeMap::new() }
    }

    fn item(&mut self, item: &Value, is_done: bool) {
        match text(item, "type").or_else(|| text(item, "item_type")).unwrap_or_default() {
            "agent_message" | "assistant_message" if is_done => {
                self.said.extend(filled(item, "text").map(str::to_owned));
            }
            "reasoning" if is_done => self.thought.extend(filled(item, "text").map(str::to_owned)),
            "agent_message" | "assistant_message" | "reasoning" | "error" => {}
            kind => self.calls(kind, item, is_done),
        }
    }

    /// An item that does something: made when it starts, filled when it is completed.
    fn calls(&mut self, kind: &str, item: &Value, is_done: bool) {
        let Some(calls) = calls(kind, item, is_done) else { return };
        let id = text(item, "id").unwrap_or_default().to_owned();
        let known = self.started.get(&id).and_then(|place| self.run.turns.get_mut(*place));
        if let Some(turn) = known {
            turn.calls = calls;
            return;
        }
        let mut turn = self.turn();
        turn.calls = calls;
        self.started.insert(id, self.run.turns.len());
        self.run.turns.push(turn);
    }

    /// A turn with what was said since the last one.
    fn turn(&mut self) -> Turn {
        let mut turn = Turn::new(std::mem::take(&mut self.said).join("\n"));
        let thought = std::mem::take(&mut self.thought).join("\n");
        turn.reasoning = (!thought.is_empty()).then_some(thought);
        turn
    }

    fn finish(mut self) -> Trajectory {
        if !self.said.is_empty() || !self.thought.is_empty() {
            let turn = self.turn();
            self.run.turns.push(turn);
        }
        quality::judge_shell_calls(&mut self.run);
        self.run.termination = match &self.run.raw_exit_status {
            Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
            None => Termination::Incomplete,
        };
        self.run
    }
}

/// The calls of an item; `None` for items that do nothing.
fn calls(kind: &str, item: &Value, is_done: bool) -> Option<Vec<Call>> {
    let mut calls = match kind {
        "command_execution" => vec![tools::call("command_execution", item)],
        "file_change" => list(item, "changes").iter().filter_map(changed).collect(),
        "mcp_tool_call" => {
            let name = filled(item, "tool").unwrap_or("mcp_tool_call");
            vec![tools::call(name, item.get("arguments").unwrap_or(&Value::Null))]
        }
        "web_search" => vec![tools::call("web_search", &json!({ "query": filled(item, "query") }))],
        "todo_list" => vec![tools::call("update_plan", item.get("items").unwrap_or(&Value::Null))],
        "collab_tool_call" => vec![tools::call("spawn_agent", item)],
        _ => return None,
    };
    if is_done {
        calls.iter_mut().for_each(|call| complete(call, item));
    }
    Some(calls)
}

fn complete(call: &mut Call, item: &Value) {
    call.exit_code = whole(item, "exit_code");
    let has_failed = matches!(text(item, "status"), Some("failed" | "declined"));
    // A command that ran and failed says so by its exit code.
    if call.exit_code.is_none() && text(item, "status").is_some() {
        call.is_error = Some(has_failed);
    }
    let output = text(item, "aggregated_output").map(str::to_owned);
    let result = output.or_else(|| at(item, &["result", "content"]).and_then(|parts| content(Some(parts))));
    let fault = at(item, &["error", "message"]).and_then(Value::as_str).map(str::to_owned);
    if let Some(text) = result.or(fault) {
        observation::set(call, text.into(), ObservationState::Full);
    }
}

/// A changed file: the event names it and says not what changed in it.
fn changed(change: &Value) -> Option<Call> {
    let path = filled(change, "path")?.to_owned();
    let mut call = Call::new("file_change", CallKind::Tool, change.to_string());
    call.operation = Some(match text(change, "kind").or_else(|| at(change, &["kind", "type"])?.as_str()) {
        Some("add") => Operation::Create { path, text: None },
        Some("delete") => Operation::Delete { path },
        _ => Operation::Replace { path: Some(path), old: None, new: None },
    });
    Some(call)
}
