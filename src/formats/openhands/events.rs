//! Events of 0.x become turns (`formats-other.md` §4): actions of the agent grouped by the response that they came from, and a
//! turn for each response that could not be parsed, of which only an error without a cause is left. Oldest histories have no
//! ids, sources and causes: there action and observation alternate.

use super::end::{self, End};
use super::{SCAFFOLD, action, result};
use crate::formats::json::lenient::{at, content, filled, flag, list, number, text, time, whole};
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, NO_ACTION, REFUSED, UNKNOWN_TOOL};
use crate::model::{Parent, Problem, Quality, Trajectory, Turn, Weight};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Actions that no response of the model stands behind.
const NO_TURN: [&str; 14] = [
    "change_agent_state",
    "condensation",
    "condensation_request",
    "loop_recovery",
    "null",
    "pause",
    "recall",
    "resume",
    "start",
    "start_server",
    "stop",
    "streaming_chunk",
    "system",
    "task_list",
];

/// Deepest chain of sub-agents that is followed.
const AGENTS: usize = 16;

/// Reads events one by one.
pub struct Events {
    /// Agents that were started and have not ended; the last one acts.
    agents: Vec<Agent>,
    /// Sub-agents that have ended.
    ended: Vec<Agent>,
    /// Number of agents so far.
    count: usize,
    problems: Vec<Problem>,
    /// Results whose action is not in the log.
    strays: u64,
    /// Events so far.
    events: u64,
}

/// One agent's run.
struct Agent {
    run: Trajectory,
    number: usize,
    /// The agent that started it, and in which turn.
    started_by: Option<(usize, usize)>,
    by_response: BTreeMap<String, usize>,
    by_action: BTreeMap<i64, (usize, usize)>,
    last: Option<(usize, usize)>,
    cwd: Option<String>,
    /// The file that functions for files keep open (0.9 and older).
    open_file: Option<String>,
    end: End,
}

impl Agent {
    fn new(run: Trajectory, number: usize, started_by: Option<(usize, usize)>) -> Agent {
        Agent {
            run,
            number,
            started_by,
            by_response: BTreeMap::new(),
            by_action: BTreeMap::new(),
            last: None,
            cwd: None,
            open_file: None,
            end: End::default(),
        }
    }
}

impl Events {
    /// Begins a log whose turns go to `run`.
    pub fn new(run: Trajectory) -> Events {
        Events {
            agents: vec![Agent::new(run, 0, None)],
            ended: Vec::new(),
            count: 1,
            problems: Vec::new(),
            strays: 0,
            events: 0,
        }
    }

    /// Reads an event.
    pub fn event(&mut self, event: &Value) {
        self.events += 1;
        let Some(agent) = self.agents.last_mut() else { return };
        see_time(&mut agent.run, event);
        if let Some(kind) = text(event, "observation") {
            self.observation(kind, event);
        } else if let Some(kind) = text(event, "action") {
            self.action(kind, event);
        }
    }

    /// Reads a pair of an action and what came back (0.9 and older).
    pub fn pair(&mut self, action: &Value, observation: &Value) {
        self.event(action);
        let kind = text(observation, "observation").unwrap_or("null");
        if matches!(kind, "agent_state_changed" | "delegate") {
            return self.observation(kind, observation);
        }
        let Some(agent) = self.agents.last_mut() else { return };
        see_time(&mut agent.run, observation);
        if let Some(place) = agent.last.filter(|_| kind != "null") {
            observe(agent, place, kind, observation);
        }
    }

    /// The trajectories: the run first, then its sub-agents in the order of their start. `end` is what the record adds.
    pub fn finish(mut self, error: Option<&str>, problems: &mut Vec<Problem>) -> Vec<Trajectory> {
        problems.append(&mut self.problems);
        if self.strays > 0 {
            let what = format!("{} results name an action that is not in the log: left out", self.strays);
            problems.push(Problem::new(Weight::Note, "", what));
        }
        let mut agents: Vec<Agent> = self.ended.into_iter().chain(self.agents).collect();
        agents.sort_by_key(|agent| agent.number);
        let events = self.events;
        agents.into_iter().map(|agent| settled(agent, error, events)).collect()
    }

    fn action(&mut self, kind: &str, event: &Value) {
        let arguments = event.get("args").filter(|arguments| arguments.is_object()).unwrap_or(event);
        let source = text(event, "source");
        let Some(agent) = self.agents.last_mut() else { return };
        match kind {
            "system" => {
                agent.run.system = agent.run.system.take().or_else(|| content(arguments.get("content")));
                agent.run.scaffold_version = filled(arguments, "openhands_version").map(str::to_owned);
            }
            // Without sources, the first message is the task.
            "message" if source.map_or(self.events == 1, |source| source != "agent") => {
                let said = content(arguments.get("content"));
                if agent.run.task.is_none() {
                    agent.run.task = said;
                }
                agent.end.waits = false;
            }
            _ if NO_TURN.contains(&kind) || source.is_some_and(|source| source != "agent") => {}
            _ => {
                let place = act(agent, kind, arguments, event);
                if kind == "delegate" && self.agents.len() < AGENTS {
                    self.delegate(arguments, place);
                }
            }
        }
    }

    /// What follows, up to the sub-agent's result, is the sub-agent's.
    fn delegate(&mut self, arguments: &Value, place: (usize, usize)) {
        let Some(parent) = self.agents.last() else { return };
        let mut run = Trajectory::new(parent.run.format, SCAFFOLD);
        run.place.clone_from(&parent.run.place);
        run.scaffold_version.clone_from(&parent.run.scaffold_version);
        run.model.clone_from(&parent.run.model);
        run.instance_id.clone_from(&parent.run.instance_id);
        run.task = at(arguments, &["inputs", "task"]).and_then(Value::as_str).map(str::to_owned);
        let agent = Agent::new(run, self.count, Some((parent.number, place.0)));
        self.count += 1;
        self.agents.push(agent);
    }

    fn observation(&mut self, kind: &str, event: &Value) {
        let extras = event.get("extras").unwrap_or(event);
        let cause = whole(event, "cause");
        if kind == "delegate" && self.agents.len() > 1 {
            self.ended.extend(self.agents.pop());
        }
        let Some(agent) = self.agents.last_mut() else { return };
        match kind {
            "agent_state_changed" => {
                let reason = filled(extras, "reason").or_else(|| filled(extras, "agent_state"));
                agent.end.state = reason.map(str::to_owned);
            }
            "recall" => {
                let folder = filled(extras, "working_dir").map(str::to_owned);
                agent.cwd = agent.cwd.take().or(folder);
            }
            "null" | "condense" | "system" | "loop_detection" => {}
            "error" if cause.is_none() && text(event, "source") == Some("agent") => unparsed(agent, event),
            _ => match (cause, event.get("source")) {
                (Some(cause), _) => match agent.by_action.get(&cause) {
                    Some(place) => observe(agent, *place, kind, event),
                    None => self.strays += u64::from(text(event, "source") == Some("agent")),
                },
                (None, Some(_)) if kind != "delegate" => {}
                // No ids: the result of the action before.
                (None, _) => {
                    if let Some(place) = agent.last {
                        observe(agent, place, kind, event);
                    }
                }
            },
        }
    }
}

fn see_time(run: &mut Trajectory, event: &Value) {
    let logged = time(event, "timestamp");
    run.started_at = run.started_at.or(logged);
    run.ended_at = logged.or(run.ended_at);
}

/// Adds an action of the agent, and gives its turn and call.
fn act(agent: &mut Agent, kind: &str, arguments: &Value, event: &Value) -> (usize, usize) {
    let metadata = event.get("tool_call_metadata");
    let response = metadata.and_then(|metadata| metadata.get("model_response"));
    let id = response.and_then(|response| filled(response, "id"));
    let known = id.and_then(|id| agent.by_response.get(id)).copied();
    let place = known.unwrap_or(agent.run.turns.len());
    if known.is_none() {
        agent.run.turns.push(turn(kind, arguments, response, event));
        if let Some(id) = id {
            agent.by_response.insert(id.to_owned(), place);
        }
        if agent.run.model.is_none() {
            agent.run.model = response.and_then(|response| filled(response, "model")).map(str::to_owned);
        }
    }
    see_cost(&mut agent.run, event.get("llm_metrics"));
    agent.end.action = Some(kind.to_owned());
    agent.end.waits = kind == "message" && flag(arguments, "wait_for_response") == Some(true);
    let Some(turn) = agent.run.turns.get_mut(place) else { return (place, 0) };
    if kind != "message" {
        let mut call =
            action::call(kind, arguments, metadata.and_then(|metadata| filled(metadata, "function_name")));
        call.cwd.clone_from(&agent.cwd);
        call.open_file.clone_from(&agent.open_file);
        turn.calls.push(call);
    }
    let at = (place, turn.calls.len().saturating_sub(1));
    if kind != "message" {
        agent.last = Some(at);
        if let Some(id) = whole(event, "id") {
            agent.by_action.insert(id, at);
        }
    }
    at
}

fn turn(kind: &str, arguments: &Value, response: Option<&Value>, event: &Value) -> Turn {
    let message = response.and_then(|response| list(response, "choices").first()?.get("message"));
    let said =
        message.and_then(|message| content(message.get("content"))).filter(|text| !text.trim().is_empty());
    let own = match kind {
        "message" => content(arguments.get("content")),
        // The thought is what the call does.
        "think" => None,
        _ => filled(arguments, "thought").or_else(|| filled(arguments, "final_thought")).map(str::to_owned),
    };
    let mut turn = Turn::new(said.or(own).unwrap_or_default());
    turn.reasoning = message
        .and_then(|message| filled(message, "reasoning_content").or_else(|| filled(message, "reasoning")))
        .map(str::to_owned);
    let usage = response.and_then(|response| response.get("usage"));
    turn.tokens_in = usage.and_then(|usage| whole(usage, "prompt_tokens"));
    turn.tokens_out = usage.and_then(|usage| whole(usage, "completion_tokens"));
    turn.logged_at = time(event, "timestamp");
    turn
}

/// Metrics are cumulative: the last ones are the run's. A cost of 0 is unknown.
pub fn see_cost(run: &mut Trajectory, metrics: Option<&Value>) {
    let Some(metrics) = metrics else { return };
    if let Some(cost) = number(metrics, "accumulated_cost").filter(|cost| *cost > 0.0) {
        run.cost_usd = Some(cost);
    }
    let Some(usage) = metrics.get("accumulated_token_usage") else { return };
    let some = |key: &str| whole(usage, key).filter(|tokens| *tokens > 0);
    run.tokens_in = some("prompt_tokens").or(run.tokens_in);
    run.tokens_out = some("completion_tokens").or(run.tokens_out);
}

/// A response that could not be parsed: only the harness's answer to it is in the log.
fn unparsed(agent: &mut Agent, event: &Value) {
    let answer = content(event.get("content")).unwrap_or_default();
    let mut turn = Turn::new("");
    turn.accepted = false;
    turn.quality_without_call = Quality::Unparsable;
    turn.quality_reason = Some(refusal(&answer));
    turn.logged_at = time(event, "timestamp");
    agent.run.turns.push(turn);
}

/// Why a response was refused, by the words of the answer.
fn refusal(answer: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| answer.contains(word));
    match () {
        () if has(&["Missing required", "is missing", "required parameter"]) => MISSING_ARGUMENT,
        () if has(&["not registered", "does not exist", "not found in", "Unknown tool"]) => UNKNOWN_TOOL,
        () if has(&["arameter", "rgument", "JSON", "parse"]) => ARGUMENTS,
        () if has(&["no action", "No action"]) => NO_ACTION,
        () => REFUSED,
    }
}

fn observe(agent: &mut Agent, (turn, call): (usize, usize), kind: &str, event: &Value) {
    let Some(call) = agent.run.turns.get_mut(turn).and_then(|turn| turn.calls.get_mut(call)) else { return };
    let extras = event.get("extras").filter(|extras| extras.is_object()).unwrap_or(event);
    let text = content(event.get("content")).unwrap_or_default();
    call.exit_code = result::exit_code(extras);
    call.is_error = match kind {
        "error" | "user_rejected" => Some(true),
        // The harness says it in the text alone.
        "edit" | "read" | "write" => Some(text.starts_with("ERROR:")),
        _ => None,
    };
    if kind == "run_ipython" {
        agent.open_file = result::shown_file(&text).map(str::to_owned).or(agent.open_file.take());
        result::set_cell(call, &text);
    } else {
        result::set(call, Cow::Owned(text), extras.get("metadata"));
    }
    if let Some(folder) = result::working_dir(extras) {
        agent.cwd = Some(folder.to_owned());
    }
}

fn settled(agent: Agent, error: Option<&str>, events: u64) -> Trajectory {
    let Agent { mut run, mut end, started_by, .. } = agent;
    run.logs_exit_codes = true;
    match started_by {
        None => {
            run.steps = run.steps.or(i64::try_from(events).ok());
            end.error = error.map(str::to_owned);
        }
        Some((ordinal, turn)) => {
            run.parent = Some(Parent { ordinal: Some(ordinal), session_id: None, turn: Some(turn) });
        }
    }
    end::settle(&mut run, end);
    run
}
