//! Which action a response holds: a fenced block of its text, or structured calls.

use super::Generation;
use super::message::{Message, ToolCall};
use crate::formats::json::{Object, Raw, Shape, Text, skip};
use crate::formats::tools;
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, NO_ACTION, SEVERAL_ACTIONS};
use crate::model::{Call, CallKind, Quality};
use regex::Regex;
use serde::de::MapAccess;
use serde_json::Value;
use std::borrow::Cow;

/// Names of tools whose argument `command` is a line for the shell.
const SHELLS: [&str; 5] = ["bash", "execute_bash", "run_command", "shell", "terminal"];

/// How a log's responses hold their actions.
pub enum Action {
    /// Exactly one fenced block; else the scaffold refuses the response.
    Fenced,
    /// Exactly one match of the log's own pattern; else it refuses the response.
    Matching(Regex),
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
        own.filter(|own| own.captures_len() == 2).map_or(Action::Fenced, Action::Matching)
    }

    /// The way of a bare list.
    pub fn of_list(messages: &[Message<'_>]) -> Action {
        let mut responses = messages.iter().filter(|message| message.is_response());
        let is_fenced = responses.clone().all(|message| message.tool_calls.is_empty())
            && responses.any(|message| next_block(message.content.get().unwrap_or_default()).is_some());
        if is_fenced { Action::Fenced } else { Action::Chat }
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
            let is_chat = matches!(self, Action::Chat);
            let made = calls.iter().map(|call| (made(call, is_chat), call.id.as_deref().map(str::to_owned)));
            return Found { calls: made.collect(), refused: None };
        }
        match self {
            Action::Fenced => only(blocks(text)),
            Action::Matching(pattern) => {
                only(pattern.captures_iter(text).map(|found| found.get(1).map_or("", |inner| inner.as_str())))
            }
            Action::Structured => Found { calls: Vec::new(), refused: Some(NO_ACTION) },
            Action::Chat => Found { calls: Vec::new(), refused: None },
        }
    }
}

/// The only action of a text.
fn only<'t>(mut found: impl Iterator<Item = &'t str>) -> Found {
    match (found.next(), found.next()) {
        (Some(only), None) => {
            Found { calls: vec![(Call::new("bash", CallKind::Shell, only.trim()), None)], refused: None }
        }
        (None, _) => Found { calls: Vec::new(), refused: Some(NO_ACTION) },
        (Some(_), Some(_)) => Found { calls: Vec::new(), refused: Some(SEVERAL_ACTIONS) },
    }
}

/// Blocks that the usual pattern of 1.x finds, ```` ```bash\s*\n(.*?)\n``` ````, under both names of its language. By hand: the
/// pattern costs more than reading the rest of the file.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (block, after) = next_block(rest)?;
        rest = after;
        Some(block)
    })
}

/// The next block, and what follows it.
fn next_block(text: &str) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        let place = memchr::memmem::find(rest.as_bytes(), b"```")?;
        rest = &rest[place + 3..];
        let language = ["bash", "mswea_bash_command"].into_iter().find_map(|name| rest.strip_prefix(name));
        if let Some(found) = language.and_then(block) {
            return Some(found);
        }
    }
}

/// The block behind a fence's language: blanks up to a line break, the last one that leaves an end to be found, as a greedy
/// pattern has it; then everything up to the closing fence.
fn block(after_language: &str) -> Option<(&str, &str)> {
    let blanks = after_language.len() - after_language.trim_start().len();
    let breaks = after_language[..blanks].match_indices('\n').map(|(place, _)| place);
    breaks.rev().find_map(|place| {
        let inner = &after_language[place + 1..];
        let end = memchr::memmem::find(inner.as_bytes(), b"\n```")?;
        Some((&inner[..end], &inner[end + 4..]))
    })
}

/// A structured call. Arguments that are no JSON are kept as they are: an empty command in their place would be a call that
/// nobody made. The shell is mini-swe-agent's only tool; chats of other programs have tools of every kind.
fn made(call: &ToolCall<'_>, is_chat: bool) -> Call {
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
    if is_chat {
        let has_command = arguments.command.is_some();
        let call = tools::called(Some(name), Some(&Value::String(text.into_owned())));
        // These shells take their command under this key alone.
        let lacks = is_shell && !has_command && call.kind == CallKind::Shell;
        return if lacks { rejected(call, MISSING_ARGUMENT) } else { call };
    }
    match (shape, arguments.command) {
        (Shape::Right, Some(command)) if is_shell => Call::new(name, CallKind::Shell, command),
        (Shape::Right, _) if is_shell => rejected(Call::new(name, CallKind::Tool, text), MISSING_ARGUMENT),
        (Shape::Right, _) => Call::new(name, CallKind::Tool, text),
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
