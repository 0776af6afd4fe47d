//! Events of the SDK (1.x) become turns (`formats-other.md` §5): actions and messages of the agent grouped by the response that
//! they came from, results joined by the action's id or the call's.

use super::end::{self, End};
use super::sdk_call;
use crate::formats::Sketch;
use crate::formats::json::lenient::{at, content, filled, list, number, text, time, whole};
use crate::model::{Problem, Trajectory, Turn, Weight};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of events that only the SDK writes.
const KINDS: [&str; 16] = [
    "ActionEvent",
    "AgentErrorEvent",
    "Condensation",
    "CondensationRequest",
    "CondensationSummaryEvent",
    "ConversationErrorEvent",
    "ConversationStateUpdateEvent",
    "HookExecutionEvent",
    "LLMCompletionLogEvent",
    "MessageEvent",
    "ObservationEvent",
    "PauseEvent",
    "StreamingDeltaEvent",
    "SystemPromptEvent",
    "TokenEvent",
    "UserRejectObservation",
];

/// A value is an event of the SDK.
pub fn is_event(value: &Sketch) -> bool {
    value.text("kind").is_some_and(|kind| KINDS.binary_search(&kind).is_ok())
        && value.text("id").is_some()
        && value.text("source").is_some()
}

/// The same of a value.
pub fn is_event_value(value: &Value) -> bool {
    text(value, "kind").is_some_and(|kind| KINDS.binary_search(&kind).is_ok())
}

/// Reads events one by one.
pub struct Conversation {
    run: Trajectory,
    by_response: BTreeMap<String, usize>,
    /// Place of a call by the id of its action and by its own.
    by_action: BTreeMap<String, (usize, usize)>,
    by_call: BTreeMap<String, (usize, usize)>,
    /// Ids of events: a copy of an event is one event.
    seen: BTreeSet<String>,
    cwd: Option<String>,
    end: End,
    events: u64,
    copies: u64,
    strays: u64,
}

impl Conversation {
    /// Begins a log whose turns go to `run`.
    pub fn new(run: Trajectory) -> Conversation {
        Conversation {
            run,
            by_response: BTreeMap::new(),
            by_action: BTreeMap::new(),
            by_call: BTreeMap::new(),
            seen: BTreeSet::new(),
            cwd: None,
            end: End { message_ends: true, ..End::default() },
            events: 0,
            copies: 0,
            strays: 0,
        }
    }

    /// Reads an event.
    pub fn event(&mut self, event: &Value) {
        if let Some(id) = filled(event, "id")
            && !self.seen.insert(id.to_owned())
        {
            self.copies += 1;
            return;
        }
        self.events += 1;
        let logged = time(event, "timestamp");
        self.run.started_at = self.run.started_at.or(logged);
        self.run.ended_at = logged.or(self.run.ended_at);
        let is_agent = text(event, "source") == Some("agent");
        match text(event, "kind").unwrap_or_default() {
            "SystemPromptEvent" => {
                self.run.system = self.run.system.take().or_else(|| content(event.get("system_prompt")));
            }
            "MessageEvent" if is_agent => self.said(event),
            "MessageEvent" => {
                let said = content(at(event, &["llm_message", "content"]));
                self.run.task = self.run.task.take().or(said);
                self.end.waits = false;
            }
            "ActionEvent" if is_agent => self.acted(event),
            "ObservationEvent" | "UserRejectObservation" | "AgentErrorEvent" => self.observed(event),
            "ConversationStateUpdateEvent" => self.state(event),
            "ConversationErrorEvent" => {
                self.end.error = filled(event, "code").or_else(|| filled(event, "detail")).map(str::to_owned);
            }
            _ => {}
        }
    }

    /// What the folder's own state says: it is saved after the events.
    pub fn state_file(&mut self, state: &Value) {
        self.run.session_id = filled(state, "id").map(str::to_owned);
        self.run.model = at(state, &["agent", "llm", "model"]).and_then(Value::as_str).map(str::to_owned);
        if let Some(folder) = at(state, &["workspace", "working_dir"]).and_then(Value::as_str) {
            self.cwd = Some(folder.to_owned());
        }
        if let Some(status) = filled(state, "execution_status").or_else(|| filled(state, "agent_status")) {
            self.end.state = Some(status.to_owned());
        }
        self.metrics(at(state, &["stats", "usage_to_metrics"]));
    }

    /// The trajectory.
    pub fn finish(self, error: Option<&str>, problems: &mut Vec<Problem>) -> Trajectory {
        let Conversation { mut run, mut end, events, copies, strays, .. } = self;
        for (count, what) in [
            (copies, "events stand twice: each was read once"),
            (strays, "results name an action that is not in the log: left out"),
        ] {
            if count > 0 {
                problems.push(Problem::new(Weight::Note, "", format!("{count} {what}")));
            }
        }
        run.steps = run.steps.or(i64::try_from(events).ok());
        run.logs_exit_codes = true;
        // A state that was reached after an error of the conversation takes its place.
        let is_over = end.state.as_deref().is_none_or(|state| matches!(state, "error" | "running"));
        let own = end.error.take().filter(|_| is_over);
        end.error = error.map(str::to_owned).or(own);
        end::settle(&mut run, end);
        run
    }

    /// The turn of a response; events of one response follow each other, but results stand between.
    fn turn(&mut self, event: &Value) -> usize {
        // Without the response's id each event is a response of its own.
        let id = filled(event, "llm_response_id");
        if let Some(place) = id.and_then(|id| self.by_response.get(id)) {
            return *place;
        }
        let place = self.run.turns.len();
        if let Some(id) = id {
            self.by_response.insert(id.to_owned(), place);
        }
        let mut turn = Turn::new("");
        turn.logged_at = time(event, "timestamp");
        self.run.turns.push(turn);
        place
    }

    fn acted(&mut self, event: &Value) {
        let place = self.turn(event);
        self.end.waits = false;
        self.end.error = None;
        let (call, is_submit) = sdk_call::call(event, self.cwd.as_deref());
        self.end.action = is_submit.then(|| "finish".to_owned());
        let Some(turn) = self.run.turns.get_mut(place) else { return };
        add_text(turn, content(event.get("thought")));
        turn.reasoning = turn.reasoning.take().or_else(|| reasoning(event));
        let at = (place, turn.calls.len());
        turn.calls.push(call);
        if let Some(id) = filled(event, "id") {
            self.by_action.insert(id.to_owned(), at);
        }
        // The same id in several responses is written by models without calls of their own: the last one waits.
        if let Some(id) = filled(event, "tool_call_id") {
            self.by_call.insert(id.to_owned(), at);
        }
    }

    fn said(&mut self, event: &Value) {
        let place = self.turn(event);
        self.end.action = None;
        self.end.error = None;
        self.end.waits = true;
        let Some(turn) = self.run.turns.get_mut(place) else { return };
        let message = event.get("llm_message").unwrap_or(event);
        add_text(turn, content(message.get("content")));
        turn.reasoning = turn.reasoning.take().or_else(|| reasoning(message));
    }

    fn observed(&mut self, event: &Value) {
        let by_action = filled(event, "action_id").map(|id| self.by_action.get(id));
        let by_call = || filled(event, "tool_call_id").and_then(|id| self.by_call.get(id));
        // A result that names its action belongs to no other.
        let Some(&(turn, call)) = by_action.unwrap_or_else(by_call) else {
            self.strays += 1;
            return;
        };
        let call = self.run.turns.get_mut(turn).and_then(|turn| turn.calls.get_mut(call));
        let Some(call) = call else { return };
        if let Some(folder) = sdk_call::observe(call, event) {
            self.cwd = Some(folder.to_owned());
        }
    }

    fn state(&mut self, event: &Value) {
        let value = event.get("value").unwrap_or(&Value::Null);
        match text(event, "key") {
            Some("execution_status" | "agent_status") => {
                self.end.state = value.as_str().map(str::to_owned);
            }
            Some("full_state") => {
                if let Some(status) =
                    filled(value, "execution_status").or_else(|| filled(value, "agent_status"))
                {
                    self.end.state = Some(status.to_owned());
                }
                self.metrics(at(value, &["stats", "usage_to_metrics"]));
            }
            Some("stats") => self.metrics(value.get("usage_to_metrics")),
            _ => {}
        }
    }

    /// Cumulative, by use (`default`, `condenser`): the run's are their sum. A cost of 0 is unknown.
    fn metrics(&mut self, uses: Option<&Value>) {
        let Some(uses) = uses.and_then(Value::as_object) else { return };
        let sum = |key: &str| {
            let tokens =
                uses.values().filter_map(|metrics| whole(metrics.get("accumulated_token_usage")?, key));
            Some(tokens.fold(0_i64, i64::saturating_add)).filter(|sum| *sum > 0)
        };
        self.run.tokens_in = sum("prompt_tokens").or(self.run.tokens_in);
        self.run.tokens_out = sum("completion_tokens").or(self.run.tokens_out);
        let cost: f64 = uses.values().filter_map(|metrics| number(metrics, "accumulated_cost")).sum();
        self.run.cost_usd = Some(cost).filter(|cost| *cost > 0.0).or(self.run.cost_usd);
        let named = uses.get("default").or_else(|| uses.values().next());
        self.run.model = self.run.model.take().or_else(|| filled(named?, "model_name").map(str::to_owned));
    }
}

/// Parallel calls repeat the text of their response; only the first event has it in newer versions.
fn add_text(turn: &mut Turn, text: Option<String>) {
    if let Some(text) = text.filter(|text| !text.trim().is_empty() && turn.text != *text) {
        if turn.text.is_empty() {
            turn.text = text;
        } else {
            turn.text.push('\n');
            turn.text.push_str(&text);
        }
    }
}

/// `reasoning_content` and `thinking_blocks` hold the same text.
fn reasoning(value: &Value) -> Option<String> {
    let own = filled(value, "reasoning_content").map(str::to_owned);
    own.or_else(|| {
        let blocks = list(value, "thinking_blocks").iter().filter_map(|block| filled(block, "thinking"));
        let text = blocks.collect::<Vec<_>>().join("\n");
        (!text.is_empty()).then_some(text)
    })
}
