//! Events of `claude -p --output-format stream-json`. A log may hold several runs; each begins with an event `init` of a new
//! session. `num_turns` of the last event is no number of responses, output tokens of single events are placeholders.

use super::end::Last;
use super::responses::{Responses, prompt_tokens, results, said};
use super::{SCAFFOLD, STREAM};
use crate::data::statuses::termination;
use crate::formats::json::lenient::{at, filled, flag, number, text, time, whole};
use crate::formats::json::{self, Event};
use crate::formats::{Input, Read};
use crate::model::{Parent, Problem, Termination, Trajectory, Weight};
use serde_json::Value;

/// Reads the events of a log.
pub fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let mut runs: Vec<Run> = Vec::new();
    json::events(input.bytes(), input.lines_before, &mut read.problems, |event, problems| {
        take(&mut runs, &event, problems);
    });
    if is_open_list(input.bytes()) {
        let what = "the file ends in the middle of its list of events; those before the cut were read";
        read.problems.push(Problem::new(Weight::Refused, format!("byte {}", input.bytes().len()), what));
    }
    let conversations: usize = runs.iter().map(|run| run.sides.len() + 1).sum();
    for run in runs {
        let ordinal = read.trajectories.len();
        read.trajectories.extend(run.into_trajectories(ordinal, conversations == 1));
    }
    read
}

/// Some programs save the events as one list; this one does not end.
fn is_open_list(bytes: &[u8]) -> bool {
    let bytes = json::without_mark(bytes).trim_ascii();
    let is_list = bytes.strip_prefix(b"[").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{"));
    is_list && !bytes.ends_with(b"]")
}

/// The main conversation of a run, or a sub-agent's.
struct Chain {
    place: String,
    responses: Responses,
    last: Last,
    task: Option<String>,
    times: Option<(i64, i64)>,
}

struct Run {
    session: Option<String>,
    model: Option<String>,
    version: Option<String>,
    folder: Option<String>,
    main: Chain,
    /// Sub-agents, by the call that started them.
    sides: Vec<(String, Chain)>,
    result: Option<Value>,
}

fn take(runs: &mut Vec<Run>, event: &Event, problems: &mut Vec<Problem>) {
    let value = &event.value;
    let kind = text(value, "type").unwrap_or_default();
    if !matches!(kind, "system" | "assistant" | "user" | "result") {
        return;
    }
    let session = filled(value, "session_id");
    let is_start = kind == "system" && text(value, "subtype") == Some("init");
    // In a conversation of several prompts each prompt is answered by another `init` of the same session.
    let is_new = runs.last().is_none_or(|run| is_start && run.session.as_deref() != session);
    if is_new && (is_start || session.is_some()) {
        runs.push(Run::new(event, session));
    }
    let Some(run) = runs.last_mut() else { return };
    if is_start {
        let told = |key| filled(value, key).map(str::to_owned);
        run.model = run.model.take().or_else(|| told("model"));
        run.version = run.version.take().or_else(|| told("claude_code_version"));
        run.folder = run.folder.take().or_else(|| told("cwd"));
    }
    match kind {
        "result" => run.result = Some(value.clone()),
        "assistant" | "user" => run.message(event, kind == "assistant", problems),
        _ => {}
    }
    run.main.note(event);
}

impl Chain {
    fn new(event: &Event) -> Chain {
        let place = format!("line {}", event.line);
        Chain { place, responses: Responses::default(), last: Last::Nothing, task: None, times: None }
    }

    fn note(&mut self, event: &Event) {
        if let Some(time) = time(&event.value, "timestamp").or(event.time) {
            let (first, last) = self.times.unwrap_or((time, time));
            self.times = Some((first.min(time), last.max(time)));
        }
    }
}

impl Run {
    fn new(event: &Event, session: Option<&str>) -> Run {
        Run {
            session: session.map(str::to_owned),
            model: None,
            version: None,
            folder: None,
            main: Chain::new(event),
            sides: Vec::new(),
            result: None,
        }
    }

    fn message(&mut self, event: &Event, is_response: bool, problems: &mut Vec<Problem>) {
        let place = format!("line {}", event.line);
        let Some(message) = event.value.get("message").filter(|message| message.is_object()) else {
            problems.push(Problem::new(Weight::Refused, place, "`message` is no object"));
            return;
        };
        let chain = match filled(&event.value, "parent_tool_use_id") {
            None => &mut self.main,
            Some(call) => {
                let known = self.sides.iter().position(|(id, _)| id == call);
                let side = known.unwrap_or_else(|| {
                    self.sides.push((call.to_owned(), Chain::new(event)));
                    self.sides.len() - 1
                });
                &mut self.sides[side].1
            }
        };
        chain.note(event);
        if is_response {
            response(chain, event, message);
            return;
        }
        for block in results(message) {
            chain.last = Last::Result;
            if !chain.responses.result(block, event.value.get("tool_use_result")) {
                problems.push(Problem::new(
                    Weight::Note,
                    place.clone(),
                    "a result of a call that is not in this log",
                ));
            }
        }
        if let Some(words) = said(message).filter(|words| !words.trim().is_empty()) {
            chain.task.get_or_insert(words);
        }
    }

    fn into_trajectories(self, ordinal: usize, is_alone: bool) -> Vec<Trajectory> {
        let starts: Vec<Option<usize>> =
            self.sides.iter().map(|(call, _)| self.main.responses.turn_of_call(call)).collect();
        let mut main = trajectory(self.main, self.session.clone());
        main.place = if is_alone { String::new() } else { main.place };
        // A last event alone says how the run ended, and nothing of what it did.
        main.has_log = self.model.is_some() || !main.turns.is_empty() || self.result.is_none();
        main.scaffold_version = self.version;
        main.model = main.model.or(self.model);
        main.repository_root = self.folder;
        match &self.result {
            Some(result) => ended(&mut main, result),
            // Killed: the last event is always a result.
            None => main.termination = Termination::Incomplete,
        }
        let mut trajectories = vec![main];
        for ((_, side), turn) in self.sides.into_iter().zip(starts) {
            let last = side.last;
            let mut child = trajectory(side, None);
            child.parent = Some(Parent { ordinal: Some(ordinal), session_id: None, turn });
            let has_call = child.turns.last().is_some_and(|turn| !turn.calls.is_empty());
            child.termination = match last {
                Last::Response if !has_call => Termination::Finished,
                Last::ModelError => Termination::ModelError,
                _ => Termination::Incomplete,
            };
            trajectories.push(child);
        }
        trajectories
    }
}

fn response(chain: &mut Chain, event: &Event, message: &Value) {
    // The client's own words: an error, or that nothing was to be said.
    if text(message, "model") == Some("<synthetic>") || flag(&event.value, "isApiErrorMessage") == Some(true)
    {
        chain.last = Last::ModelError;
        return;
    }
    let key = filled(message, "id").or_else(|| filled(&event.value, "uuid"));
    let place = format!("line {}", event.line);
    let at = time(&event.value, "timestamp").or(event.time);
    chain.responses.take(key.unwrap_or(&place), message, at, None);
    chain.last = Last::Response;
}

fn trajectory(chain: Chain, session: Option<String>) -> Trajectory {
    let mut run = Trajectory::new(STREAM.name, SCAFFOLD);
    run.can_submit = false;
    run.place = chain.place;
    run.session_id = session;
    run.model = chain.responses.model();
    run.task = chain.task;
    (run.started_at, run.ended_at) = (chain.times.map(|times| times.0), chain.times.map(|times| times.1));
    run.turns = chain.responses.into_turns();
    for turn in &mut run.turns {
        turn.tokens_out = None;
    }
    run
}

/// What the last event says of the run.
fn ended(run: &mut Trajectory, result: &Value) {
    let subtype = text(result, "subtype").unwrap_or_default();
    // An error of the model's host is called a success, too.
    let is_error = flag(result, "is_error") == Some(true) && subtype == "success";
    let raw = if is_error { format!("{subtype}/is_error") } else { subtype.to_owned() };
    run.termination = termination(SCAFFOLD, &raw).unwrap_or(Termination::Unknown);
    run.raw_exit_status = Some(raw);
    run.steps = whole(result, "num_turns");
    run.cost_usd = number(result, "total_cost_usd");
    if let Some(usage) = at(result, &["usage"]) {
        (run.tokens_in, run.tokens_out) = (prompt_tokens(usage), whole(usage, "output_tokens"));
    }
}
