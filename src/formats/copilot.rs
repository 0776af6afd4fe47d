//! Events of GitHub Copilot's command line (`formats-other.md` §9): `events.jsonl` of a session, with `data` in each event, and the
//! older flat form. An `assistant.message` is a response; what a sub-agent said names the call that started it.

use super::json::lenient::{at, content, filled, flag, list, text, time, whole};
use super::json::{Record, records};
use super::pending::Pending;
use super::{Evidence, Format, Input, Read, Sketch, Sniff, ends, observation, quality, tools};
use crate::data::statuses;
use crate::model::{
    Call, CallKind, ObservationState, Parent, Problem, TaskKind, Termination, Trajectory, Turn, Weight,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Events of GitHub Copilot's command line.
pub const FORMAT: Format = Format {
    name: "copilot-events",
    written_by: "GitHub Copilot CLI",
    files: "events.jsonl",
    lacks: &["instance, prompt tokens, patch, outcome"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

/// Whose exit statuses they are.
const SCAFFOLD: &str = "copilot";
/// Beginnings of the names of events.
const FAMILIES: &[&str] =
    &["session.", "user.", "assistant.", "tool.", "subagent.", "hook.", "skill.", "system."];
/// Names of the older flat events.
const FLAT: &[&str] = &["user.message", "assistant.message", "userpromptsubmitted", "assistantresponse"];

fn sniff(values: &[Sketch]) -> bool {
    let is_event = |value: &Sketch| {
        let Some(kind) = value.text("type") else { return false };
        let has_data = value.get("data").is_some_and(Sketch::is_object)
            && value.text("id").is_some()
            && value.has("timestamp")
            && FAMILIES.iter().any(|family| kind.starts_with(family));
        let is_flat = value.text("session_id").is_some() && FLAT.contains(&kind);
        has_data || is_flat
    };
    values.first().is_some_and(is_event)
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let mut session = Session::new();
    records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
        match text(&record.value, "type") {
            Some(kind) => session.event(kind, &record),
            None => {
                let what = "no event of a session: it has no type";
                problems.push(Problem::new(Weight::Refused, record.place(), what));
            }
        }
    });
    Read { trajectories: session.finish(), problems, ..Read::default() }
}

/// A run, and the calls in it that wait for a result.
struct Log {
    run: Trajectory,
    pending: Pending,
}

struct Session {
    /// The session's own run, then those of its sub-agents.
    logs: Vec<Log>,
    /// Sub-agents, by the call that started each.
    children: BTreeMap<String, usize>,
    /// Turns of the session, by the calls in them.
    turns: BTreeMap<String, usize>,
}

impl Session {
    fn new() -> Session {
        Session { logs: vec![log()], children: BTreeMap::new(), turns: BTreeMap::new() }
    }

    fn event(&mut self, kind: &str, record: &Record) {
        let event = &record.value;
        let data = event.get("data").filter(|data| data.is_object()).unwrap_or(event);
        let logged_at = time(event, "timestamp");
        let run = &mut self.logs[0].run;
        run.started_at = run.started_at.or(logged_at);
        run.ended_at = logged_at.or(run.ended_at);
        if let Some(id) = filled(data, "sessionId").or_else(|| filled(event, "session_id"))
            && run.session_id.is_none()
        {
            run.session_id = Some(id.to_owned());
        }
        if let Some(cwd) =
            at(data, &["context", "cwd"]).and_then(Value::as_str).or_else(|| text(event, "cwd"))
        {
            run.repository_root = run.repository_root.take().or_else(|| Some(cwd.to_owned()));
        }
        match kind {
            "session.start" => {
                run.scaffold_version = filled(data, "copilotVersion").map(str::to_owned);
                run.model = filled(data, "selectedModel").map(str::to_owned);
            }
            "session.model_change" if run.turns.is_empty() => {
                run.model = filled(data, "newModel").map(str::to_owned).or(run.model.take());
            }
            "system.message" => run.system = run.system.take().or_else(|| content(data.get("content"))),
            "user.message" | "userpromptsubmitted" => {
                run.raw_exit_status = None;
                let said = content(data.get("content")).or_else(|| content(data.get("prompt")));
                run.task = run.task.take().or(said);
            }
            "assistant.message" | "assistantresponse" => self.response(data, logged_at, record),
            "tool.execution_complete" => self.result(data),
            "abort" | "session.error" => run.raw_exit_status = Some(kind.to_owned()),
            _ => {}
        }
    }

    fn response(&mut self, data: &Value, logged_at: Option<i64>, record: &Record) {
        let place = self.log_of(data, record);
        let root = self.logs[0].run.repository_root.clone();
        let Log { run, pending } = &mut self.logs[place];
        run.raw_exit_status = None;
        run.model = run.model.take().or_else(|| filled(data, "model").map(str::to_owned));
        let said = ["content", "output", "result"].iter().find_map(|key| content(data.get(*key)));
        let mut turn = Turn::new(said.unwrap_or_default());
        turn.reasoning = filled(data, "reasoningText").map(str::to_owned);
        turn.logged_at = logged_at;
        turn.tokens_out = whole(data, "outputTokens");
        run.turns.push(turn);
        let index = run.turns.len() - 1;
        for request in list(data, "toolRequests") {
            let mut call = tools::called(text(request, "name"), request.get("arguments"));
            if call.kind == CallKind::Shell {
                call.cwd = call.cwd.take().or_else(|| root.clone());
            }
            run.turns[index].calls.push(call);
            if let Some(id) = text(request, "toolCallId") {
                pending.note(id, &run.turns);
                if place == 0 {
                    self.turns.insert(id.to_owned(), index);
                }
            }
        }
    }

    /// The log to which an event belongs.
    fn log_of(&mut self, data: &Value, record: &Record) -> usize {
        let Some(call) = filled(data, "parentToolCallId") else { return 0 };
        if let Some(place) = self.children.get(call) {
            return *place;
        }
        let mut child = log();
        child.run.place = record.place();
        child.run.parent =
            Some(Parent { ordinal: Some(0), session_id: None, turn: self.turns.get(call).copied() });
        self.logs.push(child);
        self.children.insert(call.to_owned(), self.logs.len() - 1);
        self.logs.len() - 1
    }

    fn result(&mut self, data: &Value) {
        let id = text(data, "toolCallId").unwrap_or_default();
        for Log { run, pending } in &mut self.logs {
            if let Some(call) = pending.call(id, &mut run.turns) {
                answer(call, data);
                return;
            }
        }
        self.logs[0].run.lost_results += 1;
    }

    fn finish(self) -> Vec<Trajectory> {
        let finish = |log: Log| {
            let mut run = log.run;
            quality::judge_shell_calls(&mut run);
            run.termination = match &run.raw_exit_status {
                Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
                None => ends::of_conversation(&run),
            };
            run
        };
        self.logs.into_iter().map(finish).collect()
    }
}

fn log() -> Log {
    let mut run = Trajectory::new(FORMAT.name, SCAFFOLD);
    run.can_submit = false;
    run.logs_exit_codes = true;
    Log { run, pending: Pending::default() }
}

/// Gives a call its result; the shell tool ends it with a line that says the exit code.
fn answer(call: &mut Call, data: &Value) {
    let said =
        content(data.get("result")).or_else(|| at(data, &["error", "message"])?.as_str().map(str::to_owned));
    if let Some(said) = said {
        let trimmed = said.trim_end();
        let code = trimmed
            .rsplit_once("<exited with exit code ")
            .and_then(|(before, rest)| Some((before, rest.strip_suffix('>')?.parse().ok()?)));
        call.exit_code = code.map(|(_, code)| code);
        let shown = code.map_or(said.as_str(), |(before, _)| before.trim_end_matches('\n'));
        observation::set(call, shown.to_owned().into(), ObservationState::Full);
    }
    if call.exit_code.is_none() {
        call.is_error = flag(data, "success").map(|success| !success);
    }
}
