//! Steps become turns (`atif.md` §4, §5): what one response said and did may stand in several steps, and some steps are no
//! response at all.

use super::result::{set, text_of};
use super::usage::{is_cache_apart, stop_reason, tokens};
use crate::formats::json::lenient::{at, content, filled, flag, list, text, time, whole};
use crate::formats::pending::awaited;
use crate::formats::text_calls::Protocol;
use crate::formats::{terminus, tools};
use crate::model::quality_reason::ARGUMENTS;
use crate::model::{Call, CallKind, ObservationState, Problem, Quality, Trajectory, Turn, Weight};
use serde_json::Value;
use std::collections::BTreeMap;

/// Message of a step that stands for a call whose text was written as a step of its own.
const PLACEHOLDER: &str = "Using tool: ";

/// Calls to which one result is given: a long list of them must not multiply a long text.
const SHARED: usize = 20;
/// Calls that wait for a result; older ones are given up.
const WAITING: usize = 1000;

/// What the steps tell beside turns.
#[derive(Default)]
pub struct Told<'v> {
    /// Sub-agents whose steps stand among those of the run, in the order in which they begin.
    pub sidechains: Vec<Sidechain<'v>>,
    /// The turn that started a sub-agent, by session or trajectory id.
    pub started: BTreeMap<&'v str, usize>,
    /// The last stop reason of a response.
    pub stop_reason: Option<String>,
}

/// A sub-agent whose steps stand among those of the run.
pub struct Sidechain<'v> {
    /// Its id.
    pub agent: &'v str,
    /// The run's turn before its first step.
    pub after_turn: Option<usize>,
    /// Its steps.
    pub steps: Vec<&'v Value>,
}

/// Puts prompt and turns into a run.
pub fn turns<'v>(
    run: &mut Trajectory,
    root: &'v Value,
    steps: &[&'v Value],
    problems: &mut Vec<Problem>,
) -> Told<'v> {
    let has_terminus_calls = |step: &&Value| {
        list(step, "tool_calls").iter().any(|call| text(call, "function_name") == Some(terminus::SHELL))
    };
    let is_helper = run.scaffold.contains("-summarization-");
    let is_terminus =
        !is_helper && (run.scaffold.contains("terminus") || steps.iter().any(has_terminus_calls));
    let mut reader = Reader {
        run,
        is_terminus,
        protocol: protocol(steps).filter(|_| !is_terminus),
        is_cache_apart: is_cache_apart(root),
        waiting: Vec::new(),
        said: None,
        told: Told::default(),
        by_agent: BTreeMap::new(),
        unasked: 0,
        joined: 0,
    };
    for (place, step) in steps.iter().enumerate() {
        if !step.is_object() {
            let what = "the step is no object: it is left out";
            problems.push(Problem::new(Weight::Refused, format!("record {}", place + 1), what));
            continue;
        }
        reader.step(step, steps.get(place + 1).copied());
    }
    reader.say_alone();
    reader.notes(problems);
    reader.told
}

struct Reader<'r, 'v> {
    run: &'r mut Trajectory,
    is_terminus: bool,
    /// How calls stand in the text, where no step has structured ones.
    protocol: Option<Protocol>,
    is_cache_apart: bool,
    /// Calls without a result yet: turn, call, id.
    waiting: Vec<(usize, usize, Option<&'v str>)>,
    /// A step of text whose call follows.
    said: Option<Turn>,
    told: Told<'v>,
    /// Places of sub-agents in the list of them.
    by_agent: BTreeMap<&'v str, usize>,
    unasked: usize,
    joined: usize,
}

impl<'v> Reader<'_, 'v> {
    fn step(&mut self, step: &'v Value, next: Option<&'v Value>) {
        match text(step, "source") {
            Some("system") => self.system(step),
            Some("user") => self.user(step),
            _ => self.agent(step, next),
        }
    }

    fn system(&mut self, step: &'v Value) {
        self.note_started(step);
        let is_first = self.run.turns.is_empty() && self.run.task.is_none();
        if is_first && self.run.system.is_none() {
            self.run.system = content(step.get("message"));
        }
    }

    fn user(&mut self, step: &Value) {
        if self.run.task.is_some() {
            return;
        }
        match content(step.get("message")) {
            Some(message) if self.is_terminus => terminus::prompt(self.run, &message),
            message => self.run.task = message,
        }
    }

    fn agent(&mut self, step: &'v Value, next: Option<&'v Value>) {
        if flag(step, "is_copied_context") == Some(true) || whole(step, "llm_call_count") == Some(0) {
            return;
        }
        if let Some(agent) = sidechain(step) {
            let after_turn = self.run.turns.len().checked_sub(1);
            let count = self.told.sidechains.len();
            match self.told.sidechains.get_mut(*self.by_agent.entry(agent).or_insert(count)) {
                Some(known) => known.steps.push(step),
                None => self.told.sidechains.push(Sidechain { agent, after_turn, steps: vec![step] }),
            }
            return;
        }
        if carries_result(step) {
            self.result_step(step);
            return;
        }
        let mut turn = self.turn(step);
        if is_text_alone(step) && next.is_some_and(is_placeholder) {
            self.say_alone();
            self.said = Some(turn);
            return;
        }
        if let Some(said) = self.said.take() {
            // The placeholder's own words are the writer's.
            turn.text = said.text;
            turn.logged_at = said.logged_at.or(turn.logged_at);
            turn.reasoning = turn.reasoning.or(said.reasoning);
            self.joined += 1;
        } else if is_placeholder(step) {
            turn.text.clear();
            self.joined += 1;
        }
        self.told.stop_reason = stop_reason(step).map(str::to_owned).or(self.told.stop_reason.take());
        self.note_started(step);
        self.act(turn, step);
    }

    fn turn(&self, step: &Value) -> Turn {
        let mut turn = Turn::new(content(step.get("message")).unwrap_or_default());
        turn.reasoning = filled(step, "reasoning_content").map(str::to_owned);
        turn.logged_at = time(step, "timestamp");
        (turn.tokens_in, turn.tokens_out) = tokens(step, self.is_cache_apart);
        turn
    }

    /// A text whose call did not follow is a turn of its own.
    fn say_alone(&mut self) {
        self.run.turns.extend(self.said.take());
    }

    /// The calls of a turn, and what came back in the same step.
    fn act(&mut self, turn: Turn, step: &'v Value) {
        let calls = list(step, "tool_calls");
        let results = at(step, &["observation", "results"]).and_then(Value::as_array);
        let results: &[Value] = results.map_or(&[], Vec::as_slice);
        if self.is_terminus {
            let turn = self.terminus_turn(turn, calls, results);
            self.run.turns.push(turn);
            return;
        }
        let mut turn = turn;
        turn.calls = calls.iter().map(made).collect();
        let place = self.run.turns.len();
        let ids: Vec<_> = calls.iter().map(|call| text(call, "tool_call_id")).collect();
        if let Some(protocol) = self.protocol {
            let found = protocol.find(&turn.text, false);
            if let Some(reason) = found.refused {
                turn.quality_without_call = Quality::Unparsable;
                turn.quality_reason = Some(reason);
            }
            self.run.lost_calls += found.left_out;
            turn.calls = found.calls;
        }
        let open = (0..turn.calls.len()).map(|call| (place, call, ids.get(call).copied().flatten()));
        let mut open: Vec<_> = open.collect();
        if turn.calls.is_empty() && !results.is_empty() {
            self.unasked += 1;
        }
        self.run.turns.push(turn);
        self.results(&mut open, results);
        self.waiting.append(&mut open);
        let too_many = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..too_many);
    }

    /// Results in the step of their calls: by id; without one by order where there are as many, else one for all.
    fn results(&mut self, open: &mut Vec<(usize, usize, Option<&'v str>)>, results: &[Value]) {
        let scaffold = self.run.scaffold.clone();
        let is_shared = open.len() > 1
            && results.len() < open.len()
            && results.iter().all(|result| filled(result, "source_call_id").is_none());
        for result in results {
            let id = filled(result, "source_call_id");
            let extra = result.get("extra").unwrap_or(&Value::Null);
            if is_shared {
                for (turn, call, _) in open.drain(..).take(SHARED) {
                    let call = &mut self.run.turns[turn].calls[call];
                    set(call, result, extra, &scaffold);
                    if call.observation_state == ObservationState::Full {
                        call.observation_state = ObservationState::Shared;
                    }
                }
                return;
            }
            let place = match id {
                Some(_) => open.iter().position(|(_, _, known)| *known == id),
                None => (!open.is_empty()).then_some(0),
            };
            match place {
                Some(place) => {
                    let (turn, call, _) = open.remove(place);
                    set(&mut self.run.turns[turn].calls[call], result, extra, &scaffold);
                }
                None if id.is_some() && self.by_id(id, result, extra) => {}
                None => self.run.lost_results += usize::from(!self.run.turns.is_empty() && id.is_some()),
            }
        }
    }

    /// A result of an earlier step's call.
    fn by_id(&mut self, id: Option<&str>, result: &Value, extra: &Value) -> bool {
        let place = self.place(id);
        if let Some(place) = place {
            self.give(place, result, extra);
        }
        place.is_some()
    }

    /// Which call that waits is meant; without an id the first of the last turn that has one.
    fn place(&self, id: Option<&str>) -> Option<usize> {
        let last_turn = self.waiting.last().map(|(turn, _, _)| *turn)?;
        let known = self.waiting.iter().map(|(turn, _, known)| (*turn, *known));
        // An id that nobody gave answers nothing here: writers of this format give one to every call.
        let is_known = id.is_none() || self.waiting.iter().any(|(_, _, known)| *known == id);
        is_known.then(|| awaited(known, last_turn, id)).flatten()
    }

    fn give(&mut self, place: usize, result: &Value, extra: &Value) {
        let (turn, call, _) = self.waiting.remove(place);
        let scaffold = self.run.scaffold.clone();
        set(&mut self.run.turns[turn].calls[call], result, extra, &scaffold);
    }

    /// A step that only carries a result of an earlier call.
    fn result_step(&mut self, step: &Value) {
        let extra = step.get("extra").unwrap_or(&Value::Null);
        let found = at(step, &["observation", "results"]).and_then(Value::as_array);
        let by_message;
        let result = match found.and_then(|results| results.first()) {
            Some(result) => result,
            None => {
                by_message = serde_json::json!({"content": step.get("message")});
                &by_message
            }
        };
        let id = filled(extra, "tool_call_id").or_else(|| filled(result, "source_call_id"));
        match self.place(id) {
            Some(place) => self.give(place, result, extra),
            None => self.run.lost_results += 1,
        }
    }

    /// Terminus types all calls of a turn into one terminal, and one screen answers them.
    fn terminus_turn(&self, turn: Turn, calls: &[Value], results: &[Value]) -> Turn {
        let texts: Vec<String> = results.iter().map(text_of).collect();
        let answer = (!results.is_empty()).then(|| texts.join("\n"));
        let refused = answer.as_deref().and_then(terminus::refusal);
        let mut turn = turn;
        if let Some(reason) = refused {
            terminus::refuse(&mut turn, reason);
            return turn;
        }
        if calls.is_empty() {
            return self.raw_terminus_turn(turn, answer.as_deref());
        }
        turn.calls = terminus_calls(calls);
        if let Some(answer) = answer {
            terminus::show(&mut turn, &answer);
        }
        turn
    }

    /// The whole answer may stand in the message, where the writer keeps raw content.
    fn raw_terminus_turn(&self, turn: Turn, answer: Option<&str>) -> Turn {
        if terminus::parse(&turn.text).is_some() {
            let said = terminus::said(&turn.text).answered(answer);
            return Turn {
                reasoning: turn.reasoning.or(said.reasoning),
                tokens_in: turn.tokens_in,
                tokens_out: turn.tokens_out,
                logged_at: turn.logged_at,
                ..said
            };
        }
        let mut turn = turn;
        if let Some(answer) = answer {
            // No command and no end: the model waits.
            turn.calls = terminus::calls([], false);
            terminus::show(&mut turn, answer);
        }
        turn
    }

    fn note_started(&mut self, step: &'v Value) {
        let results = at(step, &["observation", "results"]).and_then(Value::as_array);
        for reference in
            results.into_iter().flatten().flat_map(|result| list(result, "subagent_trajectory_ref"))
        {
            for id in ["trajectory_id", "session_id"].iter().filter_map(|key| filled(reference, key)) {
                let turn = match text(step, "source") {
                    Some("agent") => Some(self.run.turns.len()),
                    _ => self.run.turns.len().checked_sub(1),
                };
                self.told.started.extend(turn.map(|turn| (id, turn)));
            }
        }
    }

    fn notes(&self, problems: &mut Vec<Problem>) {
        let mut note = |count: usize, what: &str| {
            if count > 0 {
                let what = format!("{what}: {count}");
                problems.push(Problem::new(Weight::Note, self.run.place.clone(), what));
            }
        };
        note(
            self.joined,
            "calls in steps of their own, of which several may be of one response, so that there may be fewer turns",
        );
        note(self.unasked, "steps with an observation that ask for nothing");
    }
}

/// How calls stand in the text of the steps, where none has structured ones.
fn protocol(steps: &[&Value]) -> Option<Protocol> {
    let is_structured = steps.iter().any(|step| !list(step, "tool_calls").is_empty());
    let own = steps.iter().filter(|step| text(step, "source") == Some("agent"));
    let texts: Vec<String> = own.filter_map(|step| content(step.get("message"))).collect();
    if is_structured { None } else { Protocol::of(texts.iter().map(String::as_str)) }
}

/// The agent of a sub-agent's step that was written among those of the run.
fn sidechain(step: &Value) -> Option<&str> {
    let extra = step.get("extra")?;
    (flag(extra, "is_sidechain") == Some(true)).then(|| filled(extra, "agent_id").unwrap_or("unnamed"))
}

/// The step is a result that its writer put down as the agent's.
fn carries_result(step: &Value) -> bool {
    let extra = step.get("extra").unwrap_or(&Value::Null);
    match text(extra, "openclaw_role") {
        Some(role) => role == "toolResult",
        None => {
            let results = at(step, &["observation", "results"]).and_then(Value::as_array);
            let is_bare = list(step, "tool_calls").is_empty()
                && step.get("metrics").is_none_or(Value::is_null)
                && filled(step, "reasoning_content").is_none();
            results.is_some_and(|results| {
                let whole: String = results.iter().map(text_of).collect();
                is_bare && !results.is_empty() && content(step.get("message")).unwrap_or_default() == whole
            })
        }
    }
}

fn is_text_alone(step: &Value) -> bool {
    list(step, "tool_calls").is_empty()
        && step.get("observation").is_none_or(Value::is_null)
        && step.get("metrics").is_none_or(Value::is_null)
}

fn is_placeholder(step: &Value) -> bool {
    text(step, "source") == Some("agent")
        && !list(step, "tool_calls").is_empty()
        && text(step, "message").is_some_and(|message| message.starts_with(PLACEHOLDER))
}

/// A call; arguments that are no JSON are kept as they are.
pub fn made(call: &Value) -> Call {
    let name = text(call, "function_name").unwrap_or_default();
    match tools::arguments(call.get("arguments")) {
        Ok(arguments) => tools::call(name, &arguments),
        Err(raw) => Call {
            quality: Quality::Parsable,
            quality_reason: Some(ARGUMENTS),
            ..Call::new(name, CallKind::Tool, raw)
        },
    }
}

/// Keystrokes of all calls as one input; other tools keep their place behind it.
fn terminus_calls(calls: &[Value]) -> Vec<Call> {
    let is_named = |call: &&Value, name: &str| text(call, "function_name") == Some(name);
    let batches: Vec<&str> = calls
        .iter()
        .filter(|call| is_named(call, terminus::SHELL))
        .map(|call| at(call, &["arguments", "keystrokes"]).and_then(Value::as_str).unwrap_or_default())
        .collect();
    let is_complete = calls.iter().any(|call| is_named(&call, terminus::COMPLETE));
    let others: Vec<Call> = calls
        .iter()
        .filter(|call| !is_named(call, terminus::SHELL) && !is_named(call, terminus::COMPLETE))
        .map(made)
        .collect();
    if batches.is_empty() && !others.is_empty() && !is_complete {
        return others;
    }
    let mut made = terminus::calls(batches, is_complete);
    let end = made.len() - usize::from(is_complete);
    made.splice(end..end, others);
    made
}
