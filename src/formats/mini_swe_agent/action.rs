//! Which action a response holds: a fenced block of its text, or structured calls.

use super::Generation;
use super::message::{Message, ToolCall};
use crate::formats::json::{Object, Raw, Shape, Text, skip};
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, NO_ACTION, SEVERAL_ACTIONS};
use crate::model::{Call, CallKind, Quality};
use regex::Regex;
use serde::de::MapAccess;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The fence of 1.x, under both names of its language.
static FENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?s)```(?:bash|mswea_bash_command)\s*\n(.*?)\n```").expect("valid pattern")
});

/// Names of tools whose argument `command` is a line for the shell.
const SHELLS: [&str; 5] = ["bash", "execute_bash", "run_command", "shell", "terminal"];

/// How a log's responses hold their actions.
pub enum Action {
    /// Exactly one match of a pattern; else the scaffold refuses the response.
    Fenced(Regex),
    /// Structured calls, and a response without one is refused.
    Structured,
    /// Structured calls, and a response without one is an answer.
    Chat,
}

/// What was found in a response.
pub struct Found {
    /// Calls, with the id under which their result comes back.
    pub calls: Vec<(Call, Option<String>)>,
    /// Why a response without a call was refused; `None` where it needs no call.
    pub refused: Option<&'static str>,
}

impl Action {
    /// The way of a generation; the log's own pattern beats the usual one.
    pub fn new(generation: Generation, pattern: Option<&str>) -> Action {
        if generation == Generation::Two {
            return Action::Structured;
        }
        // Patterns are written for Python, where the dot is told to match line breaks.
        let own = pattern.and_then(|pattern| Regex::new(&format!("(?s){pattern}")).ok());
        Action::Fenced(own.filter(|own| own.captures_len() == 2).unwrap_or_else(|| FENCE.clone()))
    }

    /// The way of a bare list.
    pub fn of_list(messages: &[Message<'_>]) -> Action {
        let mut responses = messages.iter().filter(|message| message.is_response());
        let is_fenced = responses.clone().all(|message| message.tool_calls.is_empty())
            && responses.any(|message| FENCE.is_match(message.content.get().unwrap_or_default()));
        if is_fenced { Action::Fenced(FENCE.clone()) } else { Action::Chat }
    }

    /// The actions of a response whose text is `text`.
    pub fn find(&self, message: &Message<'_>, calls: &[ToolCall<'_>], text: &str) -> Found {
        // 2.x writes down what it took out of the response, also where that came from its text.
        if let Some(actions) = message.extra.actions.as_ref().filter(|actions| !actions.is_empty()) {
            let taken = actions.iter().map(|action| {
                let command = action.command.get().unwrap_or_default();
                let id = action.tool_call_id.as_deref().map(str::to_owned);
                (Call::new("bash", CallKind::Shell, command), id)
            });
            return Found { calls: taken.collect(), refused: None };
        }
        if !calls.is_empty() {
            let made = calls.iter().map(|call| (made(call), call.id.as_deref().map(str::to_owned)));
            return Found { calls: made.collect(), refused: None };
        }
        match self {
            Action::Fenced(pattern) => fenced(pattern, text),
            Action::Structured => Found { calls: Vec::new(), refused: Some(NO_ACTION) },
            Action::Chat => Found { calls: Vec::new(), refused: None },
        }
    }
}

fn fenced(pattern: &Regex, text: &str) -> Found {
    let mut matches = pattern.captures_iter(text);
    match (matches.next(), matches.next()) {
        (Some(only), None) => {
            let command = only.get(1).map_or("", |inner| inner.as_str()).trim();
            Found { calls: vec![(Call::new("bash", CallKind::Shell, command), None)], refused: None }
        }
        (None, _) => Found { calls: Vec::new(), refused: Some(NO_ACTION) },
        (Some(_), Some(_)) => Found { calls: Vec::new(), refused: Some(SEVERAL_ACTIONS) },
    }
}

/// A structured call. Arguments that are no JSON are kept as they are: an empty command in their place would be a call that
/// nobody made.
fn made(call: &ToolCall<'_>) -> Call {
    let name = call.name.as_deref().unwrap_or("bash");
    let text: Cow<'_, str> = match call.arguments {
        None => Cow::Borrowed(""),
        Some(raw) => raw.text().unwrap_or(Cow::Borrowed(raw.get())),
    };
    let mut arguments = Arguments::default();
    let shape = match serde_json::from_str::<Raw>(&text) {
        Ok(raw) => raw.fields(&mut arguments),
        Err(_) => Shape::Wrong("no JSON"),
    };
    let is_shell = SHELLS.contains(&name);
    match (shape, arguments.command) {
        (Shape::Right, Some(command)) if is_shell => Call::new(name, CallKind::Shell, command),
        (Shape::Right, _) => {
            let call = Call::new(name, CallKind::Tool, text);
            if is_shell { rejected(call, MISSING_ARGUMENT) } else { call }
        }
        (Shape::Wrong(_), _) => rejected(Call::new(name, CallKind::Tool, text), ARGUMENTS),
    }
}

fn rejected(call: Call, reason: &'static str) -> Call {
    Call { quality: Quality::Parsable, quality_reason: Some(reason), ..call }
}

#[derive(Default)]
struct Arguments {
    command: Option<String>,
}

impl<'de> Object<'de> for Arguments {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != "command" {
            return skip(map);
        }
        self.command = map.next_value::<Text>()?.get().map(str::to_owned);
        Ok(())
    }
}
