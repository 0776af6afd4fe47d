//! A conversation with Terminus, or with another scaffold whose log is the plain chat, as turns.

use super::answer::{refusal, refuse, show};
use super::keys::calls;
use super::response::{Generation, Response, parse};
use crate::formats::{dialogue, tools};
use crate::model::quality_reason::NO_ACTION;
use crate::model::{Operation, Quality, Termination, Trajectory, Turn};
use serde_json::json;

/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The system prompt.
    System,
    /// The harness.
    User,
    /// The model.
    Assistant,
    /// Nobody: the history was replaced here, so that what follows answers nothing.
    Reset,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What.
    pub text: String,
}

/// A response of Terminus before it is known what the tool made of it.
pub struct Said {
    /// The turn, with the calls that it asks for.
    pub turn: Turn,
    /// What the tool's own check would refuse it for.
    fault: Option<&'static str>,
    /// Whose words it uses.
    pub generation: Option<Generation>,
}

/// Name of the tool that loads a skill.
const SKILL: &str = "load_skill";
/// Scaffolds that take the first word of an end: the first generation, and the fork with skills.
const ASK_ONCE: [&str; 2] = ["terminus-1", "terminus-2-skills"];

/// A response by its text.
pub fn said(text: &str) -> Said {
    let (reasoning, rest) = parted_thinking(text);
    let mut turn = Turn::new(rest);
    turn.reasoning = reasoning.map(str::to_owned);
    match parse(rest) {
        Some(response) => {
            let (fault, generation) = (response.fault, Some(response.generation));
            turn.calls = asked_for(response);
            Said { turn, fault, generation }
        }
        None => Said { turn, fault: Some(NO_ACTION), generation: None },
    }
}

fn asked_for(response: Response) -> Vec<crate::model::Call> {
    match response.skill {
        Some(skill) => vec![tools::call(SKILL, &json!({"name": skill}))],
        None if response.fault.is_some() && response.batches.is_empty() && !response.is_complete => {
            Vec::new()
        }
        None => calls(response.batches.iter().map(String::as_str), response.is_complete),
    }
}

/// A text that begins with its thinking, parted.
fn parted_thinking(text: &str) -> (Option<&str>, &str) {
    let parts = text.trim_start().strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    match parts {
        Some((thinking, rest)) => (Some(thinking.trim()), rest.trim_start()),
        None => (None, text),
    }
}

impl Said {
    /// The turn, by what the tool answered. Where the log ends before an answer, the tool's own check decides.
    pub fn answered(self, answer: Option<&str>) -> Turn {
        let mut turn = self.turn;
        match (answer, answer.and_then(refusal)) {
            (_, Some(reason)) => refuse(&mut turn, reason),
            (Some(answer), None) => {
                if turn.calls.is_empty() {
                    turn.quality_without_call = Quality::Unparsable;
                    turn.quality_reason = self.fault.or(Some(NO_ACTION));
                }
                show(&mut turn, answer);
            }
            (None, None) => {
                if let Some(fault) = self.fault {
                    refuse(&mut turn, fault);
                }
            }
        }
        turn
    }
}

/// Beginnings of the prompts by which Terminus lets helpers sum up a run: what they say is no action.
const HELPERS: [&str; 3] = [
    "You are about to hand off your work to another AI agent",
    "The next agent has a few questions for you",
    "You are picking up work from a previous AI agent",
];

/// The conversation is that of a helper: its last prompt is one of theirs.
pub fn is_helper(messages: &[Message]) -> bool {
    let asked = messages.iter().rev().find(|message| message.role == Role::User);
    asked.is_some_and(|message| HELPERS.iter().any(|start| message.text.trim_start().starts_with(start)))
}

/// One of these responses is whole by the rules of Terminus: nothing that another scaffold's model would say.
pub fn speaks<'t>(mut responses: impl Iterator<Item = &'t str>) -> bool {
    responses.any(|text| {
        parse(text).is_some_and(|response| response.fault.is_none() && response.skill.is_none())
            && ["keystrokes", "commands"].iter().any(|sign| text.contains(sign))
    })
}

/// Puts prompt, turns and end of a conversation into a trajectory.
pub fn converse(run: &mut Trajectory, messages: &[Message]) {
    let mut responses = messages.iter().filter(|message| message.role == Role::Assistant);
    if !is_helper(messages) && responses.any(|message| parse(&message.text).is_some()) {
        fill(run, messages);
        end(run);
    } else {
        with_others(run, messages);
    }
}

/// A conversation whose responses are not those of Terminus: calls may stand in their text.
fn with_others(run: &mut Trajectory, messages: &[Message]) {
    let starts = messages.iter().take_while(|message| message.role != Role::Assistant);
    // Exports that know two roles alone put the system prompt before the task as the user's.
    let is_first_system = !is_helper(messages)
        && starts.filter(|message| message.role == Role::User).count() > 1
        && messages.iter().all(|message| message.role != Role::System);
    let said = messages.iter().enumerate().filter_map(|(place, message)| {
        let text = message.text.clone();
        Some(match message.role {
            Role::System => dialogue::Said::System(text),
            Role::User if place == 0 && is_first_system => dialogue::Said::System(text),
            Role::User => dialogue::Said::User(text),
            Role::Assistant => dialogue::Said::Response(dialogue::Response { text, ..Default::default() }),
            Role::Reset => return None,
        })
    });
    if run.scaffold.is_empty() {
        run.scaffold = "chat".to_owned();
    }
    run.can_submit = false;
    dialogue::fill(run, said.collect());
    run.can_submit =
        run.turns.iter().flat_map(|turn| &turn.calls).any(|call| dialogue::hands_in(&run.scaffold, call));
    if is_helper(messages) {
        run.termination = Termination::Finished;
    } else {
        dialogue::end(run);
    }
}

/// Puts prompt and turns of a conversation with Terminus into a trajectory, and its name, where the log does not say it.
pub fn fill(run: &mut Trajectory, messages: &[Message]) {
    let mut generation = None;
    for (place, message) in messages.iter().enumerate() {
        match message.role {
            Role::System => run.system = run.system.take().or_else(|| Some(message.text.clone())),
            Role::User if run.task.is_none() => prompt(run, &message.text),
            Role::User | Role::Reset => {}
            Role::Assistant => {
                let said = said(&message.text);
                generation = generation.or(said.generation);
                let answer = answer(messages.get(place + 1..).unwrap_or_default());
                run.turns.push(said.answered(answer.as_deref()));
            }
        }
    }
    if matches!(run.scaffold.as_str(), "" | "chat" | "unknown") {
        run.scaffold = scaffold(run, generation).to_owned();
    }
    run.can_submit = true;
}

/// What the harness said before the next response.
fn answer(following: &[Message]) -> Option<String> {
    let texts: Vec<&str> = following
        .iter()
        .take_while(|message| message.role == Role::User)
        .map(|message| message.text.as_str())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The prompt holds the rules, the task, and the screen at the start.
pub fn prompt(run: &mut Trajectory, text: &str) {
    let parts = ["Task Description:\n", "Instruction:\n"].iter().find_map(|heading| text.split_once(heading));
    let Some((rules, rest)) = parts else {
        run.task = Some(text.to_owned());
        return;
    };
    let task = ["\nCurrent terminal state:", "\nThe current terminal state is:"]
        .iter()
        .find_map(|heading| rest.rsplit_once(heading))
        .map_or(rest, |(task, _)| task);
    run.task = Some(task.trim_end().to_owned());
    let rules = Some(rules.trim_end().to_owned()).filter(|rules| !rules.is_empty());
    run.system = run.system.take().or(rules);
}

fn scaffold(run: &Trajectory, generation: Option<Generation>) -> &'static str {
    let has_skills = run.turns.iter().flat_map(|turn| &turn.calls).any(|call| call.tool == SKILL);
    match generation {
        Some(Generation::One) => "terminus-1",
        _ if has_skills => "terminus-2-skills",
        _ => "terminus-2",
    }
}

/// How the run ended: the first word of an end gets a question, the second in a row ends it.
pub fn end(run: &mut Trajectory) {
    let is_complete = |turn: &Turn| turn.calls.iter().any(|call| call.operation == Some(Operation::Submit));
    let mut last = run.turns.iter().rev().map(is_complete);
    let (second, first) = (last.next() == Some(true), last.next() == Some(true));
    if second && (first || ASK_ONCE.contains(&run.scaffold.as_str())) {
        run.termination = Termination::Submitted;
        run.submitting_turn = run.turns.len().checked_sub(1);
    } else {
        run.termination = Termination::Incomplete;
    }
}
