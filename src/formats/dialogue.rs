//! A conversation in common words, made into turns: what was said in order (prompts, responses, results) becomes turns with
//! calls and their observations (`definitions.md` §2). Chats, rollouts and rendered templates share it.
//!
//! Never here: how a log writes a message.

use super::pending::awaited;
use super::text_calls::{Protocol, results};
use super::{observation, quality, terminus};
use crate::data::statuses;
use crate::data::submissions::{SubmissionKind, submissions};
use crate::model::{
    Call, CallKind, CommandSet, ObservationState, Operation, Quality, Termination, Trajectory, Turn,
};
use std::borrow::Cow;

/// One thing that was said.
#[derive(Clone, Debug)]
pub enum Said {
    /// The system prompt, or a part of it.
    System(String),
    /// By a person, a simulator or the environment.
    User(String),
    /// By the model.
    Response(Response),
    /// What came back from a call.
    Result(CallResult),
}

/// A response of the model, or a part of one.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// Its text.
    pub text: String,
    /// Reasoning that is logged apart.
    pub reasoning: Option<String>,
    /// Structured calls, with the id under which their result comes back.
    pub calls: Vec<(Call, Option<String>)>,
    /// It goes on with the response before it, where nothing came between.
    pub joins: bool,
    /// It was cut off.
    pub is_cut: bool,
    /// The log says that it was the limit of tokens that cut it off.
    pub is_limited: bool,
    /// Prompt tokens.
    pub tokens_in: Option<i64>,
    /// Completion tokens.
    pub tokens_out: Option<i64>,
    /// When, UTC milliseconds.
    pub logged_at: Option<i64>,
}

/// What came back from a call.
#[derive(Clone, Debug, Default)]
pub struct CallResult {
    /// Id of the call.
    pub id: Option<String>,
    /// Its text; `None` where the log left it out.
    pub text: Option<String>,
    /// The scaffold's own word that the call failed.
    pub is_error: Option<bool>,
    /// Exit code, where logged apart from the text.
    pub exit_code: Option<i64>,
}

/// Makes turns of a conversation and adds them to a run. Calls that stand in the text of responses are looked for only where
/// no response has structured ones.
pub fn fill(run: &mut Trajectory, said: Vec<Said>) {
    let responses = || {
        said.iter().filter_map(|said| match said {
            Said::Response(response) => Some(response),
            _ => None,
        })
    };
    let is_structured = responses().any(|response| !response.calls.is_empty());
    if !is_structured && terminus::speaks(responses().map(|response| response.text.as_str())) {
        fill_terminus(run, said);
        return;
    }
    let protocol =
        if is_structured { None } else { Protocol::of(responses().map(|response| response.text.as_str())) };
    // Fenced commands in an answer that nothing comes back from are advice to a person.
    let is_answered = protocol != Some(Protocol::Fenced) || is_answered(&said);
    let protocol = protocol.filter(|_| is_answered);
    let is_limited = matches!(said.last(), Some(Said::Response(response)) if response.is_limited);
    let mut filling = Filling { run, protocol, waiting: Vec::new(), is_open: false };
    for said in said {
        filling.take(said);
    }
    if is_limited {
        run.raw_exit_status = Some(CUT_OFF.to_owned());
    }
}

/// The raw status of a conversation whose last response the limit of tokens cut off.
const CUT_OFF: &str = "length";

/// A conversation with Terminus, whose answers say what it made of a response.
fn fill_terminus(run: &mut Trajectory, said: Vec<Said>) {
    let mut sizes = Vec::new();
    let messages = joined(said).into_iter().map(|said| match said {
        Said::System(text) => terminus::Message { role: terminus::Role::System, text },
        Said::User(text) => terminus::Message { role: terminus::Role::User, text },
        Said::Result(result) => {
            terminus::Message { role: terminus::Role::User, text: result.text.unwrap_or_default() }
        }
        Said::Response(mut response) => {
            let text = std::mem::take(&mut response.text);
            sizes.push(response);
            terminus::Message { role: terminus::Role::Assistant, text }
        }
    });
    let messages: Vec<terminus::Message> = messages.collect();
    let before = run.turns.len();
    terminus::fill(run, &messages);
    for (turn, response) in run.turns.iter_mut().skip(before).zip(sizes) {
        turn.reasoning = response.reasoning.or(turn.reasoning.take());
        (turn.tokens_in, turn.tokens_out) = (response.tokens_in, response.tokens_out);
        turn.logged_at = response.logged_at;
    }
}

/// Parts of one response that nothing stands between, as one.
fn joined(said: Vec<Said>) -> Vec<Said> {
    let mut whole: Vec<Said> = Vec::with_capacity(said.len());
    for said in said {
        match (whole.last_mut(), said) {
            (Some(Said::Response(first)), Said::Response(more)) if more.joins => {
                push(&mut first.text, &more.text);
                if let Some(reasoning) = &more.reasoning {
                    push(first.reasoning.get_or_insert_default(), reasoning);
                }
                first.tokens_in = first.tokens_in.or(more.tokens_in);
                first.tokens_out = more.tokens_out.or(first.tokens_out);
            }
            (_, said) => whole.push(said),
        }
    }
    whole
}

/// Something was said to a response that holds a fenced command.
fn is_answered(said: &[Said]) -> bool {
    said.windows(2).any(|pair| match pair {
        [Said::Response(response), Said::User(_) | Said::Result(_)] => {
            !Protocol::Fenced.find(&response.text, false).calls.is_empty()
        }
        _ => false,
    })
}

/// The end that the last turn tells.
pub fn end(run: &mut Trajectory) {
    if run.scaffold.starts_with("terminus") {
        terminus::end(run);
        return;
    }
    let Some(last) = run.turns.last() else {
        run.termination = Termination::Incomplete;
        return;
    };
    let place = run.turns.len() - 1;
    if last.calls.iter().any(|call| hands_in(&run.scaffold, call)) {
        run.can_submit = true;
        run.submitting_turn = Some(place);
        run.termination = Termination::Submitted;
    } else if let Some(raw) = run.raw_exit_status.as_deref() {
        run.termination = statuses::termination(&run.scaffold, raw).unwrap_or(Termination::Unknown);
    } else if last.calls.is_empty() && last.quality_without_call == Quality::None {
        // A plain message ends a chat; a call whose result nobody took up ends nothing.
        run.termination = if run.can_submit { Termination::GaveUp } else { Termination::Finished };
    } else {
        run.termination = Termination::Incomplete;
    }
}

/// Whether a call hands in: a tool that does, or a line by which the scaffold is told so. A command of that name stands where
/// a command begins: a search for the word hands nothing in.
pub fn hands_in(scaffold: &str, call: &Call) -> bool {
    let commands = || call.input.lines().flat_map(|line| line.split(['&', ';']));
    call.operation == Some(Operation::Submit)
        || call.kind == CallKind::Shell
            && submissions(scaffold).any(|submission| match submission.kind {
                SubmissionKind::Command => {
                    commands().any(|command| command.split_whitespace().next() == Some(&submission.action))
                }
                SubmissionKind::Marker => call.input.contains(&submission.action),
                SubmissionKind::Tool => false,
            })
}

/// Most calls whose result is still awaited: those that never got one must not be searched for ever.
const WAITING: usize = 2000;

/// A call whose result is to come.
struct Waiting {
    id: Option<String>,
    turn: usize,
    call: usize,
}

struct Filling<'r> {
    run: &'r mut Trajectory,
    protocol: Option<Protocol>,
    waiting: Vec<Waiting>,
    /// The last turn may be gone on with.
    is_open: bool,
}

impl Filling<'_> {
    fn take(&mut self, said: Said) {
        match said {
            Said::System(text) => {
                let system = self.run.system.get_or_insert_default();
                if !system.is_empty() {
                    system.push('\n');
                }
                system.push_str(&text);
            }
            Said::User(text) => self.user(text),
            Said::Response(response) => self.response(response),
            Said::Result(result) => self.result(result),
        }
    }

    fn response(&mut self, mut response: Response) {
        if response.reasoning.is_none()
            && let Some((thought, rest)) = thought(&response.text)
        {
            response.reasoning = Some(thought.to_owned()).filter(|thought| !thought.is_empty());
            response.text = rest.to_owned();
        }
        let joins = response.joins && self.is_open && !self.run.turns.is_empty();
        if !joins {
            self.run.turns.push(Turn::new(""));
            // A result without an id belongs to the last response; one with an id may come late.
            self.waiting.retain(|waiting| waiting.id.is_some());
        }
        self.is_open = true;
        let place = self.run.turns.len().saturating_sub(1);
        let Some(turn) = self.run.turns.last_mut() else { return };
        if response.calls.is_empty()
            && let Some(protocol) = self.protocol
        {
            let found = protocol.find(&response.text, response.is_cut);
            self.run.lost_calls += found.left_out;
            response.calls = found.calls.into_iter().map(|call| (call, None)).collect();
            if let Some(reason) = found.refused {
                turn.quality_without_call = Quality::Unparsable;
                turn.quality_reason = Some(reason);
            }
        }
        push(&mut turn.text, &response.text);
        if let Some(reasoning) = response.reasoning {
            push(turn.reasoning.get_or_insert_default(), &reasoning);
        }
        turn.tokens_in = turn.tokens_in.or(response.tokens_in);
        turn.tokens_out = response.tokens_out.or(turn.tokens_out);
        turn.logged_at = turn.logged_at.or(response.logged_at);
        let surplus = (self.waiting.len() + response.calls.len()).saturating_sub(WAITING);
        self.waiting.drain(..surplus.min(self.waiting.len()));
        for (call, id) in response.calls {
            self.waiting.push(Waiting { id, turn: place, call: turn.calls.len() });
            turn.calls.push(call);
        }
    }

    /// The result of a call.
    fn result(&mut self, result: CallResult) {
        self.is_open = false;
        let known = self.waiting.iter().map(|waiting| (waiting.turn, waiting.id.as_deref()));
        let last_turn = self.run.turns.len().saturating_sub(1);
        let Some(place) = awaited(known, last_turn, result.id.as_deref()) else {
            self.run.lost_results += 1;
            return;
        };
        let waiting = self.waiting.remove(place);
        self.see(&waiting, result, ObservationState::Full);
    }

    /// A text that is no response: what came back from calls that stood in a text, else the task or a person's word.
    fn user(&mut self, text: String) {
        self.is_open = false;
        let waiting: Vec<Waiting> = {
            let (free, rest) =
                std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.id.is_none());
            self.waiting = rest;
            free
        };
        if self.protocol.is_some() && !waiting.is_empty() {
            let parts = results(&text);
            let is_shared = parts.len() < waiting.len();
            let last = parts.len().saturating_sub(1);
            for (place, waiting) in waiting.iter().enumerate() {
                let part = parts.get(place.min(last)).copied().unwrap_or_default();
                let state = if is_shared { ObservationState::Shared } else { ObservationState::Full };
                let result = CallResult { text: Some(part.to_owned()), ..CallResult::default() };
                self.see(waiting, result, state);
            }
            return;
        }
        if self.run.task.is_none() && self.run.turns.is_empty() {
            self.run.task = Some(text);
        }
    }

    fn see(&mut self, waiting: &Waiting, result: CallResult, state: ObservationState) {
        let turn = self.run.turns.get_mut(waiting.turn);
        let Some(call) = turn.and_then(|turn| turn.calls.get_mut(waiting.call)) else { return };
        call.is_error = result.is_error;
        call.exit_code = result.exit_code;
        let Some(text) = result.text else { return };
        match observation::unwrap(&text) {
            Some(inner) => {
                call.exit_code = call.exit_code.or(inner.exit_code);
                call.timed_out |= inner.timed_out;
                let state = if inner.is_cut { ObservationState::Cut } else { state };
                observation::set(call, inner.text, state);
            }
            None => observation::set(call, Cow::Owned(text), state),
        }
        self.run.logs_exit_codes |= call.exit_code.is_some();
        if call.quality == Quality::Valid && call.kind == CallKind::Shell {
            quality::judge(call, CommandSet::Plain);
        }
    }
}

fn push(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// Thought in tags at the beginning of a response, and the rest. Templates that open the tag in the prompt leave the closing
/// one alone.
fn thought(text: &str) -> Option<(&str, &str)> {
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("[THINK]", "[/THINK]")] {
        let start = text.trim_start();
        let Some(inner) = start.strip_prefix(open) else {
            if let Some((thought, rest)) = text.split_once(close)
                && !thought.contains(open)
            {
                return Some((thought.trim(), rest.trim_start()));
            }
            continue;
        };
        return match inner.split_once(close) {
            Some((thought, rest)) => Some((thought.trim(), rest.trim_start())),
            None => Some((inner.trim(), "")),
        };
    }
    None
}
