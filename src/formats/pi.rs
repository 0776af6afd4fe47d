//! Sessions of pi and of OpenClaw, which is built on it (`formats-other.md` §8). Entries form a tree: the run is the path from
//! the last entry to the root, the other branches were rewound. Files of the first version are a line without ids. A
//! branched session begins with a copy whose times lie before its own beginning.

use super::json::lenient::{at, content, filled, flag, list, number, text, time, whole};
use super::json::{Record, records};
use super::pending::Pending;
use super::{Evidence, Format, Input, Read, Sketch, Sniff, observation, quality, tools};
use crate::data::statuses;
use crate::model::{
    Call, CallKind, ObservationState, Origin, Problem, TaskKind, Termination, Trajectory, Turn, Weight,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Sessions of pi and OpenClaw.
pub const FORMAT: Format = Format {
    name: "pi-session",
    written_by: "pi, OpenClaw",
    files: "<session>.jsonl",
    lacks: &["instance, patch, outcome"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

/// Whose exit statuses they are.
const SCAFFOLD: &str = "pi";

/// The head comes first, or behind other entries where its line was put aside. Behind other JSON it is what a program printed.
fn sniff(values: &[Sketch]) -> bool {
    let is_head = |value: &Sketch| {
        value.text("type") == Some("session") && value.text("id").is_some() && value.text("cwd").is_some()
    };
    let are_entries = values.iter().all(|value| value.text("type").is_some());
    values.first().is_some_and(is_head) || are_entries && values.iter().any(is_head)
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let mut entries = Vec::new();
    records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
        if text(&record.value, "type").is_some() {
            entries.push(record);
        } else {
            let what = "no entry of a session: it has no type";
            problems.push(Problem::new(Weight::Refused, record.place(), what));
        }
    });
    let live = live(&entries, &mut problems);
    let mut session = Session::new();
    for (index, entry) in entries.iter().enumerate() {
        session.entry(&entry.value, live.contains(&index));
    }
    Read { trajectories: vec![session.finish(&mut problems)], problems, ..Read::default() }
}

/// Indices of the entries from the last one to the root; all of them where the file has no tree.
fn live(entries: &[Record], problems: &mut Vec<Problem>) -> BTreeSet<usize> {
    let is_tree = entries.iter().any(|entry| entry.value.get("parentId").is_some());
    if !is_tree {
        return (0..entries.len()).collect();
    }
    let in_tree = |index: usize| entries[index].value.get("parentId").is_some();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate().filter(|(index, _)| in_tree(*index)) {
        places.extend(text(&entry.value, "id").map(|id| (id, index)));
    }
    let mut live = BTreeSet::new();
    let mut next = (0..entries.len()).rev().find(|index| in_tree(*index));
    while let Some(index) = next.filter(|index| live.insert(*index)) {
        next = match text(&entries[index].value, "parentId") {
            None => None,
            Some(parent) => places.get(parent).copied().or_else(|| {
                // A lost line must not cost the history before it.
                let what =
                    format!("its parent `{parent}` is not in the log: the entry before stands in for it");
                problems.push(Problem::new(Weight::Note, entries[index].place(), what));
                (0..index).rev().find(|index| in_tree(*index))
            }),
        };
    }
    live
}

struct Session {
    run: Trajectory,
    pending: Pending,
    /// Beginning of a session that was branched off another.
    branched_at: Option<i64>,
    task_is_copied: bool,
    /// Turns by model.
    models: BTreeMap<String, u64>,
    is_openclaw: bool,
}

impl Session {
    fn new() -> Session {
        let mut run = Trajectory::new(FORMAT.name, SCAFFOLD);
        run.can_submit = false;
        run.logs_exit_codes = true;
        Session {
            run,
            pending: Pending::default(),
            branched_at: None,
            task_is_copied: false,
            models: BTreeMap::new(),
            is_openclaw: false,
        }
    }

    fn entry(&mut self, entry: &Value, is_live: bool) {
        let logged_at = time(entry, "timestamp");
        match text(entry, "type").unwrap_or_default() {
            "session" => self.head(entry, logged_at),
            // The stream of events that `--mode json` prints has whole messages under this name.
            "message" | "message_end" => {
                if let Some(message) = entry.get("message") {
                    self.message(message, logged_at.or_else(|| time(message, "timestamp")), is_live);
                }
            }
            "custom" => {
                self.is_openclaw |= text(entry, "customType")
                    .is_some_and(|kind| kind == "model-snapshot" || kind.starts_with("openclaw"));
            }
            _ => {}
        }
    }

    fn head(&mut self, head: &Value, at: Option<i64>) {
        self.run.session_id = filled(head, "id").map(str::to_owned);
        self.run.repository_root = filled(head, "cwd").map(str::to_owned);
        self.run.model = filled(head, "modelId").map(str::to_owned);
        self.run.started_at = at;
        let is_branched = ["branchedFrom", "parentSession"].iter().any(|key| filled(head, key).is_some());
        self.branched_at = at.filter(|_| is_branched);
    }

    fn message(&mut self, message: &Value, at: Option<i64>, is_live: bool) {
        self.run.started_at = self.run.started_at.or(at);
        self.run.ended_at = self.run.ended_at.max(at);
        match text(message, "role").unwrap_or_default() {
            "assistant" => self.response(message, at, is_live),
            "toolResult" => self.result(message),
            "user" if is_live => self.task(message, at),
            // `bashExecution` is what the person typed.
            _ => {}
        }
    }

    /// The first thing that was asked, of the session's own where it has any.
    fn task(&mut self, message: &Value, at: Option<i64>) {
        let is_copied = self.is_copied(at);
        if self.run.task.is_none() || self.task_is_copied && !is_copied {
            self.run.task = content(message.get("content"));
            self.task_is_copied = is_copied;
        }
    }

    fn is_copied(&self, at: Option<i64>) -> bool {
        matches!((at, self.branched_at), (Some(at), Some(began)) if at < began)
    }

    fn response(&mut self, message: &Value, at: Option<i64>, is_live: bool) {
        let stop = filled(message, "stopReason");
        if is_live {
            self.run.raw_exit_status = stop.map(str::to_owned);
        }
        let blocks = list(message, "content");
        let said = text(message, "content").filter(|said| !said.is_empty());
        // A request that failed or was broken off before anything came is no response.
        if matches!(stop, Some("error" | "aborted")) && blocks.is_empty() && said.is_none() {
            return;
        }
        let mut turn = Turn::new(said.unwrap_or_default());
        turn.logged_at = at;
        turn.origin = match (self.is_copied(at), is_live) {
            (_, false) => Origin::Abandoned,
            (true, _) => Origin::Copied,
            _ => Origin::Model,
        };
        self.usage(message, &mut turn);
        if turn.origin == Origin::Model || self.models.is_empty() {
            *self.models.entry(filled(message, "model").unwrap_or_default().to_owned()).or_default() += 1;
        }
        self.run.turns.push(turn);
        blocks.iter().for_each(|block| self.block(block));
    }

    fn usage(&mut self, message: &Value, turn: &mut Turn) {
        let Some(usage) = message.get("usage") else { return };
        let parts = ["input", "cacheRead", "cacheWrite"].map(|key| whole(usage, key));
        if parts[0].is_some() {
            turn.tokens_in = Some(parts.iter().flatten().fold(0, |sum, part| sum.saturating_add(*part)));
        }
        turn.tokens_out = whole(usage, "output");
        if turn.origin == Origin::Copied {
            return;
        }
        let add = |sum: Option<i64>, more: Option<i64>| match more {
            Some(more) => Some(sum.unwrap_or_default().saturating_add(more)),
            None => sum,
        };
        self.run.tokens_in = add(self.run.tokens_in, turn.tokens_in);
        self.run.tokens_out = add(self.run.tokens_out, turn.tokens_out);
        // A price list that lacks the model gives 0.
        if let Some(cost) =
            usage.get("cost").and_then(|cost| number(cost, "total")).filter(|cost| *cost > 0.0)
        {
            self.run.cost_usd = Some(self.run.cost_usd.unwrap_or_default() + cost);
        }
    }

    fn block(&mut self, block: &Value) {
        let Some(turn) = self.run.turns.last_mut() else { return };
        let join = |before: &mut String, more: &str| {
            if !before.is_empty() {
                before.push('\n');
            }
            before.push_str(more);
        };
        match text(block, "type").unwrap_or_default() {
            "text" => join(&mut turn.text, text(block, "text").unwrap_or_default()),
            "thinking" => {
                let thought = text(block, "thinking").unwrap_or_default();
                if !thought.is_empty() {
                    join(turn.reasoning.get_or_insert_default(), thought);
                }
            }
            "toolCall" => {
                turn.calls.push(tools::called(text(block, "name"), block.get("arguments")));
                if let Some(call) = turn.calls.last_mut().filter(|call| call.kind == CallKind::Shell) {
                    call.cwd = call.cwd.take().or_else(|| self.run.repository_root.clone());
                }
                if let Some(id) = text(block, "id") {
                    self.pending.note(id, &self.run.turns);
                }
            }
            _ => {}
        }
    }

    fn result(&mut self, message: &Value) {
        let id = text(message, "toolCallId").unwrap_or_default();
        match self.pending.call(id, &mut self.run.turns) {
            Some(call) => answer(call, message),
            None => self.run.lost_results += 1,
        }
    }

    fn finish(mut self, problems: &mut Vec<Problem>) -> Trajectory {
        self.models.remove("");
        let most = self.models.iter().max_by_key(|(_, turns)| **turns).map(|(model, _)| model.clone());
        if self.models.len() > 1 {
            let turns = self.models.iter().map(|(model, turns)| format!("{model} {turns}"));
            let what = format!("turns of several models: {}", turns.collect::<Vec<_>>().join(", "));
            problems.push(Problem::new(Weight::Note, "", what));
        }
        let mut run = self.run;
        run.model = most.or(run.model);
        if self.is_openclaw {
            "openclaw".clone_into(&mut run.scaffold);
        }
        quality::judge_shell_calls(&mut run);
        run.termination = match &run.raw_exit_status {
            Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
            None => Termination::Incomplete,
        };
        run
    }
}

/// Gives a call its result. OpenClaw says the exit code in `details`, pi in the last line of an error.
fn answer(call: &mut Call, message: &Value) {
    let details = message.get("details").unwrap_or(&Value::Null);
    let mut is_error = flag(message, "isError");
    // Tools of OpenClaw that fail say so in their details alone.
    if text(details, "status") == Some("error") {
        is_error = Some(true);
    }
    let whole_text = content(message.get("content")).unwrap_or_default();
    let (body, code) = without_code(&whole_text);
    call.exit_code = whole(details, "exitCode").or(code);
    if call.exit_code.is_none() && call.tool == "bash" && is_error == Some(false) {
        // pi makes an error of every other exit code.
        call.exit_code = Some(0);
    }
    if call.kind == CallKind::Tool || call.exit_code.is_none() {
        call.is_error = is_error;
    }
    call.duration_ms = whole(details, "durationMs");
    call.timed_out = flag(details, "timedOut") == Some(true)
        || body.trim_end().ends_with(" seconds")
            && body.lines().last().is_some_and(|line| line.starts_with("Command timed out after "));
    let is_cut = at(details, &["truncation", "truncated"]).and_then(Value::as_bool) == Some(true)
        || flag(details, "truncated") == Some(true);
    let state = if is_cut { ObservationState::Cut } else { ObservationState::Full };
    observation::set(call, body.to_owned().into(), state);
}

/// The text without the line that says the exit code, and the code.
fn without_code(text: &str) -> (&str, Option<i64>) {
    let trimmed = text.trim_end();
    let (before, last) = trimmed.rsplit_once('\n').unwrap_or(("", trimmed));
    let last = last.strip_prefix('(').and_then(|last| last.strip_suffix(')')).unwrap_or(last);
    let code = last.strip_prefix("Command exited with code ").and_then(|code| code.trim().parse().ok());
    match code {
        Some(code) => (before.strip_suffix('\n').unwrap_or(before), Some(code)),
        None => (text, None),
    }
}
