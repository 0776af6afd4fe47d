//! Rollouts of Codex (`formats-other.md` §7). A response has no id: it is what the model sent up to the next output or user
//! item. `event_msg` records repeat the items and are read for counts, ends and exit codes only; `compacted` carries old
//! items again; forks and spawned sub-agents begin with a copy of their parent (`copied.rs`).

use super::SCAFFOLD;
use super::copied::Gate;
use super::output;
use crate::data::statuses;
use crate::formats::json::lenient::{as_whole, at, content, filled, flag, list, text, time, whole};
use crate::formats::json::records;
use crate::formats::pending::Pending;
use crate::formats::{Evidence, Format, Input, Read, Sketch, Sniff, ends, quality, tools};
use crate::model::{
    Call, CallKind, Origin, Parent, Problem, TaskKind, Termination, Trajectory, Turn, Weight,
};
use serde_json::{Value, json};

/// Rollouts.
pub const ROLLOUT: Format = Format {
    name: "codex-rollout",
    written_by: "Codex (command line, extension, exec)",
    files: "rollout-<time>-<id>.jsonl",
    lacks: &["instance, patch, boundaries of responses (told by items), reasoning (encrypted)"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

/// Kinds of records of the form with a payload.
const RECORDS: &[&str] = &["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
/// Kinds of items, for logs of the first versions, which wrote them bare.
const ITEMS: &[&str] = &["message", "reasoning", "function_call", "function_call_output", "local_shell_call"];
/// What Codex writes as a user item, and no user wrote.
const CONTEXTS: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<skill>",
    "# AGENTS.md instructions",
];

fn sniff(values: &[Sketch]) -> bool {
    let is_record = |value: &Sketch| {
        value.text("type").is_some_and(|kind| RECORDS.contains(&kind))
            && value.get("payload").is_some_and(Sketch::is_object)
    };
    let are_typed = values.iter().all(|value| value.text("type").is_some());
    let begins = values.first().is_some_and(is_record);
    begins || are_typed && values.iter().any(is_record) || is_bare(values)
}

/// A head `{id, timestamp, instructions}`, then items without a wrapper.
fn is_bare(values: &[Sketch]) -> bool {
    let Some((head, items)) = values.split_first() else { return false };
    let is_item = |value: &Sketch| {
        let is_known = value.text("type").is_some_and(|kind| ITEMS.contains(&kind));
        value.text("record_type") == Some("state")
            || is_known && !value.has("message") && !value.has("parentId") && !value.has("uuid")
    };
    let is_head = !head.has("type") && head.text("id").is_some() && head.text("timestamp").is_some();
    is_head && head.has("instructions") && !items.is_empty() && items.iter().all(is_item)
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let mut rollout = Rollout::new();
    records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
        if !record.value.is_object() {
            problems.push(Problem::new(Weight::Refused, record.place(), "no record of a session: no object"));
            return;
        }
        rollout.record(&record.value);
    });
    Read { trajectories: vec![rollout.finish()], problems, ..Read::default() }
}

struct Rollout {
    run: Trajectory,
    pending: Pending,
    gate: Gate,
    has_meta: bool,
    /// The last turn may still take items.
    is_open: bool,
    /// What was learned while copying, to be replaced by the file's own.
    task_is_copied: bool,
    model_is_copied: bool,
    /// Turns before each user item.
    asked: Vec<usize>,
    /// Running totals: of the parent, and the last ones.
    totals_before: (i64, i64),
    totals: Option<(i64, i64)>,
    /// An error came after the last thing that the model sent.
    has_failed: bool,
    cwd: Option<String>,
}

impl Rollout {
    fn new() -> Rollout {
        let mut run = Trajectory::new(ROLLOUT.name, SCAFFOLD);
        run.can_submit = false;
        run.logs_exit_codes = true;
        Rollout {
            run,
            pending: Pending::default(),
            gate: Gate::default(),
            has_meta: false,
            is_open: false,
            task_is_copied: false,
            model_is_copied: false,
            asked: Vec::new(),
            totals_before: (0, 0),
            totals: None,
            has_failed: false,
            cwd: None,
        }
    }

    fn record(&mut self, value: &Value) {
        let at = time(value, "timestamp");
        self.run.started_at = self.run.started_at.or(at);
        self.run.ended_at = at.or(self.run.ended_at);
        let Some(payload) = value.get("payload").filter(|payload| payload.is_object()) else {
            return self.bare(value, at);
        };
        self.gate.pass(payload, at);
        match text(value, "type") {
            Some("session_meta") => self.meta(payload, at),
            Some("turn_context") => self.context(payload),
            Some("response_item") => self.item(payload, at),
            Some("event_msg") => self.event(payload),
            // The history that it carries was read before; the response that wrote it is none of the run's.
            Some("compacted") => self.is_open = false,
            _ => {}
        }
    }

    /// A record without a wrapper: the head or an item of the first versions.
    fn bare(&mut self, value: &Value, at: Option<i64>) {
        if text(value, "type").is_some() {
            self.item(value, at);
        } else if text(value, "id").is_some() && !self.has_meta {
            self.meta(value, at);
        }
    }

    fn meta(&mut self, meta: &Value, at: Option<i64>) {
        if self.has_meta {
            // Resuming in the same file writes the same head again.
            if text(meta, "id") != self.run.session_id.as_deref() {
                self.gate.foreign();
            }
            return;
        }
        self.has_meta = true;
        self.gate.begin(meta, at);
        self.run.session_id = filled(meta, "id").map(str::to_owned);
        self.run.scaffold_version = filled(meta, "cli_version").map(str::to_owned);
        self.run.parent = parent(meta);
        self.run.system = content(meta.get("base_instructions").or_else(|| meta.get("instructions")));
        self.stand_in(meta);
        self.run.repository_root = self.cwd.clone();
    }

    fn context(&mut self, context: &Value) {
        self.stand_in(context);
        if let Some(model) = filled(context, "model")
            && (self.run.model.is_none() || self.model_is_copied && !self.gate.is_copying)
        {
            self.run.model = Some(model.to_owned());
            self.model_is_copied = self.gate.is_copying;
        }
    }

    fn stand_in(&mut self, value: &Value) {
        if let Some(cwd) = filled(value, "cwd") {
            self.cwd = Some(cwd.to_owned());
        }
    }

    fn item(&mut self, item: &Value, at: Option<i64>) {
        let kind = text(item, "type").unwrap_or_default();
        match (kind, text(item, "role")) {
            ("message", Some("assistant")) => self.message(item, at),
            ("message", Some("user")) => self.user(item),
            ("message", Some("developer" | "system")) => {
                let system = content(item.get("content"));
                self.run.system = self.run.system.take().or(system);
            }
            // Results of functions as the first chat interfaces had them.
            ("message", Some("function" | "tool")) => self.unnamed_output(item),
            ("reasoning", _) => self.reasoning(item, at),
            _ if kind.ends_with("_call") => self.call(kind, item, at),
            _ if kind.ends_with("_output") => self.output(item),
            _ => {}
        }
    }

    /// The turn that takes the next item of the model.
    fn turn(&mut self, at: Option<i64>) -> &mut Turn {
        if !self.is_open || self.run.turns.is_empty() {
            let mut turn = Turn::new("");
            turn.logged_at = at;
            if self.gate.is_copying {
                turn.origin = Origin::Copied;
            }
            self.run.turns.push(turn);
            self.is_open = true;
        }
        self.has_failed = false;
        let last = self.run.turns.len() - 1;
        &mut self.run.turns[last]
    }

    fn message(&mut self, item: &Value, at: Option<i64>) {
        let said = content(item.get("content")).unwrap_or_default();
        let turn = self.turn(at);
        if !turn.text.is_empty() && !said.is_empty() {
            turn.text.push('\n');
        }
        turn.text.push_str(&said);
        if let Some(called) = item.get("function_call").filter(|called| called.is_object()) {
            self.call("function_call", called, at);
        }
    }

    fn user(&mut self, item: &Value) {
        self.is_open = false;
        let Some(said) = content(item.get("content")).filter(|said| !said.trim().is_empty()) else { return };
        if CONTEXTS.iter().any(|words| said.trim_start().starts_with(words)) {
            return;
        }
        self.asked.push(self.run.turns.len());
        self.task(said);
    }

    fn task(&mut self, said: String) {
        if self.run.task.is_none() || self.task_is_copied && !self.gate.is_copying {
            self.run.task = Some(said);
            self.task_is_copied = self.gate.is_copying;
        }
    }

    fn reasoning(&mut self, item: &Value, at: Option<i64>) {
        let parts = list(item, "summary").iter().chain(list(item, "content"));
        let texts: Vec<&str> = parts.filter_map(|part| text(part, "text")).collect();
        let turn = self.turn(at);
        if !texts.is_empty() {
            let thought = texts.join("\n");
            turn.reasoning = Some(match turn.reasoning.take() {
                Some(before) => format!("{before}\n{thought}"),
                None => thought,
            });
        }
    }

    fn call(&mut self, kind: &str, item: &Value, at: Option<i64>) {
        let mut call = made(kind, item);
        if call.kind == CallKind::Shell {
            call.cwd = standing(call.cwd.as_deref(), self.cwd.as_deref());
        }
        self.turn(at).calls.push(call);
        for id in [text(item, "id"), text(item, "call_id")].into_iter().flatten() {
            self.pending.note(id, &self.run.turns);
        }
    }

    fn output(&mut self, item: &Value) {
        self.is_open = false;
        let id = text(item, "call_id").unwrap_or_default();
        match (self.pending.call(id, &mut self.run.turns), item.get("output")) {
            (Some(call), Some(value)) => output::answer(call, value),
            (Some(_), None) => {}
            (None, _) => self.run.lost_results += 1,
        }
    }

    /// A result without an id answers the first call of the last turn that has none.
    fn unnamed_output(&mut self, item: &Value) {
        self.is_open = false;
        let calls = self.run.turns.last_mut().map(|turn| turn.calls.iter_mut());
        match calls.and_then(|mut calls| calls.find(|call| call.observation.is_none())) {
            Some(call) => output::answer(call, item.get("content").unwrap_or(&Value::Null)),
            None => self.run.lost_results += 1,
        }
    }

    fn event(&mut self, event: &Value) {
        match text(event, "type").unwrap_or_default() {
            "user_message" => {
                if let Some(said) = filled(event, "message")
                    && self.run.task.is_none()
                {
                    self.task(said.to_owned());
                }
            }
            "token_count" => self.tokens(event),
            "exec_command_end" | "patch_apply_end" => self.end_of_call(event),
            "thread_rolled_back" => self.roll_back(whole(event, "num_turns")),
            "error" => {
                self.has_failed = true;
                let kind = filled(event, "codex_error_info");
                let named = kind.filter(|kind| matches!(*kind, "context_window_exceeded" | "sandbox_error"));
                self.end(named.unwrap_or("error"));
            }
            "turn_aborted" => {
                let is_budget = text(event, "reason") == Some("budget_limited");
                self.end(if is_budget { "budget_limited" } else { "turn_aborted" });
            }
            // Codex calls a task complete that an error broke off, too.
            "task_complete" | "turn_complete" if !self.has_failed => self.end("task_complete"),
            "task_started" | "turn_started" if !self.gate.is_copying => self.run.raw_exit_status = None,
            _ => {}
        }
    }

    fn end(&mut self, raw: &str) {
        if !self.gate.is_copying {
            self.run.raw_exit_status = Some(raw.to_owned());
        }
    }

    /// Running totals and those of the last response; the same record is written again without a change.
    fn tokens(&mut self, event: &Value) {
        let info = event.get("info").filter(|info| info.is_object());
        let total = info.map_or(Some(event), |info| info.get("total_token_usage")).and_then(usage);
        if total.is_some() && total == self.totals {
            return;
        }
        self.totals = total.or(self.totals);
        if self.gate.is_copying {
            self.totals_before = self.totals.unwrap_or_default();
        }
        let last = info.and_then(|info| info.get("last_token_usage")).and_then(usage);
        if let (Some((tokens_in, tokens_out)), Some(turn)) = (last, self.run.turns.last_mut())
            && turn.tokens_out.is_none()
        {
            turn.tokens_in = Some(tokens_in);
            turn.tokens_out = Some(tokens_out);
        }
    }

    /// What the event of an end knows that the item may not say.
    fn end_of_call(&mut self, event: &Value) {
        let id = text(event, "call_id").unwrap_or_default();
        let Some(call) = self.pending.call(id, &mut self.run.turns) else { return };
        call.exit_code = call.exit_code.or_else(|| whole(event, "exit_code"));
        if flag(event, "success") == Some(false) {
            call.is_error = Some(true);
        }
        let part = |key: &str| at(event, &["duration", key]).and_then(as_whole);
        if let (None, Some(seconds), Some(rest)) = (call.duration_ms, part("secs"), part("nanos")) {
            call.duration_ms = Some(seconds.saturating_mul(1000).saturating_add(rest / 1_000_000));
        }
    }

    /// The last so many user turns were rewound.
    fn roll_back(&mut self, count: Option<i64>) {
        let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else { return };
        let kept = self.asked.len().saturating_sub(count);
        let Some(from) = self.asked.get(kept).copied() else { return };
        self.asked.truncate(kept);
        for turn in self.run.turns.iter_mut().skip(from) {
            turn.origin = Origin::Abandoned;
        }
        self.is_open = false;
    }

    fn finish(mut self) -> Trajectory {
        let run = &mut self.run;
        quality::judge_shell_calls(run);
        if let Some((tokens_in, tokens_out)) = self.totals {
            run.tokens_in = Some(tokens_in.saturating_sub(self.totals_before.0));
            run.tokens_out = Some(tokens_out.saturating_sub(self.totals_before.1));
        }
        run.termination = match &run.raw_exit_status {
            Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
            None => ends::of_conversation(run),
        };
        self.run
    }
}

/// A call item as a call.
fn made(kind: &str, item: &Value) -> Call {
    let name = filled(item, "name");
    match kind {
        "local_shell_call" => tools::call("local_shell", item.get("action").unwrap_or(&Value::Null)),
        "web_search_call" => {
            let action = item.get("action").unwrap_or(&Value::Null);
            let target = filled(action, "query").or_else(|| filled(action, "url"));
            tools::call("web_search", &json!({ "query": target }))
        }
        "custom_tool_call" => {
            tools::call(name.unwrap_or("unnamed"), item.get("input").unwrap_or(&Value::Null))
        }
        _ => {
            let name = name.unwrap_or(kind.trim_end_matches("_call"));
            tools::called(Some(name), item.get("arguments"))
        }
    }
}

/// The folder of a call, which may be given relative to that of the session.
fn standing(own: Option<&str>, session: Option<&str>) -> Option<String> {
    match (own, session) {
        (Some(own), Some(session)) if !own.starts_with('/') => Some(format!("{session}/{own}")),
        (own, session) => own.or(session).map(str::to_owned),
    }
}

/// Prompt and completion tokens; cached ones are among the prompt's, those of reasoning among the completion's.
fn usage(value: &Value) -> Option<(i64, i64)> {
    let (tokens_in, tokens_out) = (whole(value, "input_tokens"), whole(value, "output_tokens"));
    (tokens_in.is_some() || tokens_out.is_some())
        .then(|| (tokens_in.unwrap_or_default(), tokens_out.unwrap_or_default()))
}

/// Whose sub-agent the session is.
fn parent(meta: &Value) -> Option<Parent> {
    let source = at(meta, &["source", "subagent"]);
    let is_child = source.is_some() || text(meta, "thread_source") == Some("subagent");
    let spawned = source.and_then(|source| at(source, &["thread_spawn", "parent_thread_id"]));
    let named = spawned.and_then(Value::as_str).or_else(|| text(meta, "parent_thread_id"));
    is_child.then(|| Parent { ordinal: None, session_id: named.map(str::to_owned), turn: None })
}
