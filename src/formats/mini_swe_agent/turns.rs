//! Messages become turns (`formats-swe.md` §3, §4): a turn is a response, with its calls and what came back.

use super::SCAFFOLD;
use super::action::{Action, Found};
use super::message::{Message, ToolCall};
use crate::data::submissions::submissions;
use crate::formats::json::{Content, Element, Fields, Items, Object, Raw, Shape, Text, skip};
use crate::formats::pending::awaited;
use crate::formats::{observation, quality};
use crate::model::quality_reason::{NO_ACTION, REFUSED, RESPONSE_CUT, UNKNOWN_TOOL};
use crate::model::{Call, CommandSet, ObservationState, Quality, Refusal, Trajectory, Turn};
use serde::de::{IgnoredAny, MapAccess, SeqAccess};
use std::borrow::Cow;

/// Puts turns, refusals, prompt, tokens and times into a trajectory.
pub fn turns(run: &mut Trajectory, messages: Vec<Message<'_>>, action: &Action) {
    let mut turns = Turns { run, action, waiting: Vec::new(), from_text: false };
    let last = messages.len().saturating_sub(1);
    for (place, message) in messages.into_iter().enumerate() {
        turns.message(message, place == last);
    }
    sum_tokens(run);
}

/// Most calls whose result is still awaited: those that never got one must not be searched for ever.
const WAITING: usize = 2000;

struct Turns<'r> {
    run: &'r mut Trajectory,
    action: &'r Action,
    /// Calls without a result yet: turn, place and id.
    waiting: Vec<(usize, usize, Option<String>)>,
    /// They were taken out of text, so that a user's message is the result.
    from_text: bool,
}

impl Turns<'_> {
    fn message(&mut self, message: Message<'_>, is_last: bool) {
        self.note_time(message.extra.timestamp);
        if message.is_response() {
            self.response(message, true);
        } else if message.extra.interrupt_type.get() == Some("FormatError") {
            self.format_error(message);
        } else if matches!(message.role(), "tool" | "function") {
            self.result(message);
        } else if message.role() == "user" && self.from_text && self.waits_for_text() {
            self.told(message, is_last);
        } else if self.run.turns.is_empty() {
            self.prompt(message);
        }
    }

    /// A call that was taken out of text waits for its result.
    fn waits_for_text(&self) -> bool {
        self.waiting.iter().any(|(_, _, id)| id.is_none())
    }

    fn prompt(&mut self, message: Message<'_>) {
        let slot = match message.role() {
            "system" | "developer" => &mut self.run.system,
            "user" => &mut self.run.task,
            _ => return,
        };
        if slot.is_none() {
            *slot = message.content.get().map(str::to_owned);
        }
    }

    fn note_time(&mut self, time: Option<i64>) {
        let Some(time) = time else { return };
        self.run.started_at = Some(self.run.started_at.map_or(time, |start| start.min(time)));
        self.run.ended_at = Some(self.run.ended_at.map_or(time, |end| end.max(time)));
    }

    fn response(&mut self, mut message: Message<'_>, is_accepted: bool) {
        let mut answer = Answer::default();
        if let Some(raw) = message.extra.response {
            raw.fields(&mut answer);
        }
        if let Some(raw) = message.usage {
            raw.fields(&mut Usage(&mut answer));
        }
        if let Some(raw) = message.output {
            raw.items(&mut OutputItems(&mut answer));
        }
        let content = std::mem::take(&mut message.content);
        let text: Cow<'_, str> = match (content, answer.text.is_empty()) {
            (Text::Is(text), true) => text,
            (_, _) => Cow::Owned(std::mem::take(&mut answer.text)),
        };
        let calls = if message.tool_calls.is_empty() { &answer.calls } else { &message.tool_calls };
        let Found { calls, refused } = self.action.find(&message, calls, &text);
        self.from_text = message.tool_calls.is_empty() && answer.calls.is_empty();
        let mut turn = Turn::new(text.into_owned());
        turn.reasoning = message.reasoning.take().or(answer.reasoning.take()).map(Cow::into_owned);
        (turn.tokens_in, turn.tokens_out) = (answer.tokens_in, answer.tokens_out);
        turn.logged_at = message.extra.timestamp.or(answer.created);
        turn.accepted = is_accepted && refused.is_none();
        self.note_time(turn.logged_at);
        if let Some(reason) = refused {
            turn.quality_without_call = Quality::Unparsable;
            turn.quality_reason =
                Some(if answer.is_cut && reason == NO_ACTION { RESPONSE_CUT } else { reason });
        }
        // A result without an id belongs to the last response; one with an id may come late.
        self.waiting.retain(|(_, _, id)| id.is_some());
        let turn_place = self.run.turns.len();
        self.waiting.extend(calls.iter().enumerate().map(|(place, (_, id))| (turn_place, place, id.clone())));
        let surplus = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..surplus);
        turn.calls = calls.into_iter().map(|(call, _)| call).collect();
        self.run.turns.push(turn);
    }

    /// A refused response: newer versions of 2.x keep it in the message that tells the error, 2.2.4 keeps the message alone.
    fn format_error(&mut self, mut message: Message<'_>) {
        self.waiting.clear();
        let Some(raw) = message.extra.response else {
            self.run.refusals.push(Refusal { before_turn: Some(self.run.turns.len()) });
            return;
        };
        let mut answer = Answer { keeps_content: true, ..Answer::default() };
        raw.fields(&mut answer);
        message.content = Text::Is(Cow::Owned(answer.text));
        message.tool_calls = answer.calls;
        self.response(message, false);
        self.waiting.clear();
        if let Some(turn) = self.run.turns.last_mut() {
            turn.accepted = false;
            // An action was there, and its form was refused; the only tool is the shell.
            for call in turn.calls.iter_mut().filter(|call| call.quality == Quality::Valid) {
                call.quality = Quality::Parsable;
                call.quality_reason = Some(if call.tool == "bash" { REFUSED } else { UNKNOWN_TOOL });
            }
        }
    }

    /// The result of a structured call: of the call with its id, else of the first that waits.
    fn result(&mut self, message: Message<'_>) {
        let known = self.waiting.iter().map(|(turn, _, id)| (*turn, id.as_deref()));
        let last_turn = self.run.turns.len().saturating_sub(1);
        let Some(waiting) = awaited(known, last_turn, message.tool_call_id.as_deref()) else {
            self.run.lost_results += 1;
            return;
        };
        let (turn, place, _) = self.waiting.remove(waiting);
        let Some(call) = self.run.turns.get_mut(turn).and_then(|turn| turn.calls.get_mut(place)) else {
            return;
        };
        see(call, message);
    }

    /// The result of a command that was taken out of text.
    fn told(&mut self, message: Message<'_>, is_last: bool) {
        // The last message of a run that broke off tells the error; of one that handed in, the submission.
        if is_last && !self.hands_in() {
            let content = message.content.get().unwrap_or_default();
            if !message.extra.has_return_code && observation::unwrap(content).is_none() {
                return;
            }
        }
        self.result(message);
    }

    fn hands_in(&self) -> bool {
        let call = self.run.turns.last().and_then(|turn| turn.calls.last());
        call.is_some_and(|call| submissions(SCAFFOLD).any(|marker| call.input.contains(&marker.action)))
    }
}

/// Sets what came back.
fn see(call: &mut Call, message: Message<'_>) {
    let content = match (message.content, message.output) {
        (Text::Is(text), _) => text,
        (_, Some(output)) => match serde_json::from_str::<Content>(output.get()) {
            Ok(Content(Text::Is(text))) => text,
            _ => Cow::Borrowed(output.get()),
        },
        _ => Cow::Borrowed(""),
    };
    let extra = message.extra;
    call.timed_out = extra.exception_type.get() == Some("TimeoutExpired");
    call.exit_code = extra.return_code;
    match observation::unwrap(&content) {
        Some(inner) => {
            call.exit_code = extra.return_code.or(inner.exit_code);
            call.timed_out |= inner.timed_out;
            let state = if inner.is_cut { ObservationState::Cut } else { ObservationState::Full };
            observation::set(call, inner.text, state);
        }
        None => observation::set(call, content, ObservationState::Full),
    }
    if call.quality == Quality::Valid {
        quality::judge(call, CommandSet::Plain);
    }
}

/// Tokens of the run, where every response tells its own and none was lost.
fn sum_tokens(run: &mut Trajectory) {
    if !run.refusals.is_empty() || run.turns.is_empty() {
        return;
    }
    run.tokens_in = run.turns.iter().map(|turn| turn.tokens_in).sum();
    run.tokens_out = run.turns.iter().map(|turn| turn.tokens_out).sum();
}

/// What is needed of the raw answer of a model's service.
#[derive(Default)]
struct Answer<'a> {
    tokens_in: Option<i64>,
    tokens_out: Option<i64>,
    created: Option<i64>,
    is_cut: bool,
    reasoning: Option<Cow<'a, str>>,
    /// Read the content too: it stands nowhere else.
    keeps_content: bool,
    text: String,
    calls: Vec<ToolCall<'a>>,
}

impl<'de> Object<'de> for Answer<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "usage" => map.next_value_seed(Fields(&mut Usage(self))).map(|_| ()),
            "created" | "created_at" => {
                self.created = map.next_value::<Raw>()?.time();
                Ok(())
            }
            "choices" => map.next_value_seed(Items(&mut Choices { answer: self, seen: 0 })).map(|_| ()),
            "output" if self.keeps_content => map.next_value_seed(Items(&mut OutputItems(self))).map(|_| ()),
            _ => skip(map),
        }
    }
}

struct Usage<'s, 'a>(&'s mut Answer<'a>);

impl<'de> Object<'de> for Usage<'_, 'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "prompt_tokens" | "input_tokens" => self.0.tokens_in = map.next_value::<Raw>()?.whole(),
            "completion_tokens" | "output_tokens" => self.0.tokens_out = map.next_value::<Raw>()?.whole(),
            _ => return skip(map),
        }
        Ok(())
    }
}

struct Choices<'s, 'a> {
    answer: &'s mut Answer<'a>,
    seen: usize,
}

impl<'de> Element<'de> for Choices<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        self.seen += 1;
        if self.seen > 1 {
            return Ok(list.next_element::<IgnoredAny>()?.is_some());
        }
        Ok(list.next_element_seed(Fields(&mut Choice(self.answer)))?.is_some())
    }
}

struct Choice<'s, 'a>(&'s mut Answer<'a>);

impl<'de> Object<'de> for Choice<'_, 'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "finish_reason" => self.0.is_cut = map.next_value::<Text>()?.get() == Some("length"),
            "message" => {
                map.next_value_seed(Fields(self))?;
            }
            "reasoning" | "reasoning_content" => {
                if let Text::Is(text) = map.next_value()? {
                    self.0.reasoning = Some(text).filter(|text: &Cow<'_, str>| !text.is_empty());
                }
            }
            "content" if self.0.keeps_content => {
                self.0.text = map.next_value::<Content>()?.0.or_empty().into_owned();
            }
            "tool_calls" if self.0.keeps_content => {
                let mut message = ToolCallList(&mut self.0.calls);
                map.next_value_seed(Items(&mut message))?;
            }
            _ => return skip(map),
        }
        Ok(())
    }
}

struct ToolCallList<'s, 'a>(&'s mut Vec<ToolCall<'a>>);

impl<'de> Element<'de> for ToolCallList<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let mut call = ToolCall::default();
        let found = list.next_element_seed(Fields(&mut call))?;
        if found == Some(Shape::Right) {
            self.0.push(call);
        }
        Ok(found.is_some())
    }
}

/// Items of an answer of the Responses API: texts, reasoning, calls.
struct OutputItems<'s, 'a>(&'s mut Answer<'a>);

impl<'de> Element<'de> for OutputItems<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let mut item = OutputItem::default();
        let Some(_) = list.next_element_seed(Fields(&mut item))? else { return Ok(false) };
        let answer = &mut *self.0;
        match item.kind.get() {
            Some("function_call") => answer.calls.push(item.call),
            Some("reasoning") => {
                answer.reasoning = Some(item.summary.or_empty()).filter(|text| !text.is_empty())
            }
            Some("message") => answer.text.push_str(&item.content.or_empty()),
            _ => {}
        }
        Ok(true)
    }
}

#[derive(Default)]
struct OutputItem<'a> {
    kind: Text<'a>,
    content: Text<'a>,
    summary: Text<'a>,
    call: ToolCall<'a>,
}

impl<'de> Object<'de> for OutputItem<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "type" => self.kind = map.next_value()?,
            "content" => self.content = map.next_value::<Content>()?.0,
            "summary" => self.summary = map.next_value::<Content>()?.0,
            // The item's own `id` names the item; results come back under `call_id`.
            "id" => return skip(map),
            _ => return self.call.field(key, map),
        }
        Ok(())
    }
}
