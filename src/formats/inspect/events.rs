//! Events of a sample in order: responses of the model with their calls, answers of tools, exit codes of the sandbox. Spans say
//! what belongs to a scorer, which asks a model too, and what happens inside a tool: a model that is asked there is a sub-agent.

use super::super::json::lenient::{at, filled, list, number, text, time, whole};
use super::super::pending::Pending;
use super::super::{dialogue, quality, tools};
use super::responses;
use crate::model::{CallKind, CommandSet, Quality, Trajectory};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// A sub-agent, and the turn of its parent that called it.
pub type Child = (Trajectory, Option<usize>);

/// Adds the turns of a sample; gives its sub-agents.
pub fn read(run: &mut Trajectory, sample: &Value) -> Vec<Child> {
    let nested = at(sample, &["transcript"]);
    let events = list(sample, "events");
    let events = if events.is_empty() { nested.map_or(&[][..], |log| list(log, "events")) } else { events };
    let mut walk = Walk {
        agents: vec![Agent::new(std::mem::replace(run, Trajectory::new(run.format, &run.scaffold.clone())))],
        ..Walk::default()
    };
    walk.codes(events);
    events.iter().for_each(|event| walk.event(event));
    walk.finish(sample);
    let mut agents = walk.agents.into_iter();
    if let Some(own) = agents.next() {
        *run = own.run;
    }
    let times = || events.iter().filter_map(|event| time(event, "timestamp"));
    run.started_at = run.started_at.or_else(|| times().min());
    run.ended_at = run.ended_at.or_else(|| times().max());
    agents.map(|agent| (agent.run, agent.called_at)).collect()
}

/// One who asks the model.
struct Agent {
    run: Trajectory,
    open: Pending,
    called_at: Option<usize>,
}

impl Agent {
    fn new(run: Trajectory) -> Agent {
        Agent { run, open: Pending::default(), called_at: None }
    }
}

/// What a span is within.
#[derive(Clone, Default)]
struct Span {
    /// A scorer.
    is_scoring: bool,
    /// The outermost tool that is no handing over: its own name here.
    tool: Option<String>,
}

#[derive(Default)]
struct Walk {
    spans: HashMap<String, Span>,
    /// Steps that are open, in logs without spans: whether each is a scorer.
    steps: Vec<bool>,
    /// The sample's own agent, then those that tools started.
    agents: Vec<Agent>,
    /// Agents by the span of the tool that started them.
    by_tool: HashMap<String, usize>,
    /// Turn of the sample's agent at which a tool's span began.
    began: HashMap<String, Option<usize>>,
    /// Exit codes by the name of the tool, one entry a span, in order.
    codes: HashMap<String, VecDeque<Option<i64>>>,
}

impl Walk {
    /// Exit codes of what each tool ran in the sandbox: the last one, as a shell has it. A tool's event stands before what
    /// happens in it, so that these are gathered first.
    fn codes(&mut self, events: &[Value]) {
        let mut tools: HashMap<&str, (&str, usize)> = HashMap::new();
        for event in events {
            let span = text(event, "span_id").unwrap_or_default();
            match text(event, "event") {
                Some("span_begin") => {
                    let Some(id) = text(event, "id") else { continue };
                    if text(event, "type") == Some("tool")
                        && let Some(name) = text(event, "name")
                    {
                        let codes = self.codes.entry(name.to_owned()).or_default();
                        codes.push_back(None);
                        tools.insert(id, (name, codes.len() - 1));
                    } else if let Some(known) =
                        text(event, "parent_id").and_then(|parent| tools.get(parent)).copied()
                    {
                        tools.insert(id, known);
                    }
                }
                Some("sandbox") if text(event, "action") == Some("exec") => {
                    if let Some((name, place)) = tools.get(span)
                        && let Some(code) = self.codes.get_mut(*name).and_then(|codes| codes.get_mut(*place))
                    {
                        *code = whole(event, "result").or(*code);
                    }
                }
                _ => {}
            }
        }
    }

    fn event(&mut self, event: &Value) {
        match text(event, "event") {
            Some("span_begin") => self.begin(event),
            Some("step") => match text(event, "action") {
                Some("begin") => self.steps.push(text(event, "type") == Some("scorer")),
                _ => {
                    self.steps.pop();
                }
            },
            Some("model") => self.model(event),
            Some("tool") => self.tool(event),
            _ => {}
        }
    }

    /// A span is within what its parent is within.
    fn begin(&mut self, event: &Value) {
        let Some(id) = filled(event, "id") else { return };
        let parent = text(event, "parent_id").and_then(|parent| self.spans.get(parent));
        let mut span = parent.cloned().unwrap_or_default();
        let name = text(event, "name").unwrap_or_default();
        match text(event, "type") {
            Some("scorer" | "scorers") => span.is_scoring = true,
            // Handing over goes on with the same conversation.
            Some("tool") if span.tool.is_none() && !name.starts_with("transfer_to_") => {
                span.tool = Some(id.to_owned());
                let turns = self.agents.first().map_or(0, |own| own.run.turns.len());
                self.began.insert(id.to_owned(), turns.checked_sub(1));
            }
            _ => {}
        }
        self.spans.insert(id.to_owned(), span);
    }

    fn span(&self, event: &Value) -> Span {
        text(event, "span_id").and_then(|id| self.spans.get(id)).cloned().unwrap_or_default()
    }

    fn model(&mut self, event: &Value) {
        let span = self.span(event);
        // What failed, or was still running when the log ended, gave no response.
        let failed = at(event, &["error"]).is_some();
        let choice = list(event.get("output").unwrap_or(&Value::Null), "choices").first();
        let Some(message) = choice.and_then(|choice| choice.get("message")) else { return };
        if failed || span.is_scoring || self.steps.contains(&true) {
            return;
        }
        let place = match &span.tool {
            None => 0,
            Some(tool) => self.agent(tool, event),
        };
        let Some(agent) = self.agents.get_mut(place) else { return };
        responses::respond(&mut agent.run, &mut agent.open, message);
        agent.run.raw_exit_status = responses::cut_off(choice);
        let Some(turn) = agent.run.turns.last_mut() else { return };
        turn.logged_at = time(event, "completed").or_else(|| time(event, "timestamp"));
        if let Some(usage) = at(event, &["output", "usage"]) {
            (turn.tokens_in, turn.tokens_out) = responses::tokens(usage);
        }
        let hands_in = |tool: &Value| {
            text(tool, "name")
                .is_some_and(|name| dialogue::hands_in("inspect", &tools::call(name, &Value::Null)))
        };
        agent.run.can_submit |= list(event, "tools").iter().any(hands_in);
    }

    /// The agent that a tool started.
    fn agent(&mut self, tool: &str, event: &Value) -> usize {
        if let Some(place) = self.by_tool.get(tool) {
            return *place;
        }
        let own = self.agents.first().map(|own| (own.run.format, own.run.scaffold.clone()));
        let (format, scaffold) = own.unwrap_or_default();
        let mut agent = Agent::new(Trajectory::new(format, &scaffold));
        agent.run.can_submit = false;
        agent.run.model = filled(event, "model").map(str::to_owned);
        agent.called_at = self.began.get(tool).copied().flatten();
        self.agents.push(agent);
        self.by_tool.insert(tool.to_owned(), self.agents.len() - 1);
        self.agents.len() - 1
    }

    /// The answer of a tool to its call.
    fn tool(&mut self, event: &Value) {
        let name = text(event, "function").unwrap_or_default();
        let code = self.codes.get_mut(name).and_then(VecDeque::pop_front).flatten();
        let inner = list(event, "events").iter().filter(|event| text(event, "action") == Some("exec"));
        let code = code.or_else(|| inner.filter_map(|event| whole(event, "result")).next_back());
        let span = self.span(event);
        let place = span.tool.and_then(|tool| self.by_tool.get(&tool).copied()).unwrap_or(0);
        let Some(agent) = self.agents.get_mut(place) else { return };
        let call = text(event, "id").and_then(|id| agent.open.call(id, &mut agent.run.turns));
        let Some(call) = call else { return };
        let error = at(event, &["error"]);
        // A call that was still running has no answer, or the beginning of one.
        let is_done = event.get("pending") != Some(&Value::Bool(true));
        if is_done || filled(event, "result").is_some() {
            responses::answer(call, event.get("result"), error);
        }
        if is_done && error.is_none() {
            call.is_error = Some(false);
        }
        call.duration_ms = number(event, "working_time").map(|seconds| (seconds * 1000.0).round() as i64);
        if call.kind == CallKind::Shell {
            call.exit_code = code;
            agent.run.logs_exit_codes |= code.is_some();
        }
    }

    /// Answers that no event tells stand among the messages, where programs outside answer the calls; a pool of messages
    /// keeps also those that are no longer part of the conversation.
    fn finish(&mut self, sample: &Value) {
        let pools = [
            list(sample, "messages"),
            list(sample, "message_pool"),
            at(sample, &["events_data"]).map_or(&[][..], |data| list(data, "messages")),
        ];
        let Some(own) = self.agents.first_mut() else { return };
        for message in pools.into_iter().flatten().filter(|message| text(message, "role") == Some("tool")) {
            let id = filled(message, "tool_call_id");
            let call = id.and_then(|id| own.open.call(id, &mut own.run.turns));
            if let Some(call) = call.filter(|call| call.observation.is_none()) {
                responses::answer(call, message.get("content"), message.get("error"));
            }
        }
        for agent in &mut self.agents {
            let calls = agent.run.turns.iter_mut().flat_map(|turn| &mut turn.calls);
            calls
                .filter(|call| call.kind == CallKind::Shell && call.quality == Quality::Valid)
                .for_each(|call| quality::judge(call, CommandSet::Plain));
            if agent.run.tokens_in.is_none() {
                agent.run.tokens_in =
                    agent.run.turns.iter().filter_map(|turn| turn.tokens_in).reduce(i64::saturating_add);
                agent.run.tokens_out =
                    agent.run.turns.iter().filter_map(|turn| turn.tokens_out).reduce(i64::saturating_add);
            }
        }
    }
}
