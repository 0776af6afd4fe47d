//! A message of a chat, in every spelling that mini-swe-agent and bare lists use.

use crate::formats::json::{Content, Element, Fields, Items, Object, Raw, Shape, Text, skip};
use crate::formats::{Level, UnknownKeys};
use crate::model::{Problem, Weight};
use serde::de::{MapAccess, SeqAccess};
use std::borrow::Cow;

/// A message.
#[derive(Default)]
pub struct Message<'a> {
    pub role: Text<'a>,
    pub content: Text<'a>,
    pub reasoning: Option<Cow<'a, str>>,
    pub tool_calls: Vec<ToolCall<'a>>,
    pub tool_call_id: Option<Cow<'a, str>>,
    pub extra: Extra<'a>,
    /// `response` or `function_call_output`: messages of the Responses API have no role.
    pub object: Text<'a>,
    pub output: Option<Raw<'a>>,
    /// Tokens, which answers of the Responses API hold themselves.
    pub usage: Option<Raw<'a>>,
}

/// A structured call.
#[derive(Default)]
pub struct ToolCall<'a> {
    pub id: Option<Cow<'a, str>>,
    pub name: Option<Cow<'a, str>>,
    /// A string that holds JSON, or the object itself.
    pub arguments: Option<Raw<'a>>,
}

/// What the scaffold adds to a message.
#[derive(Default)]
pub struct Extra<'a> {
    /// Commands taken out of the response, with the id of their call.
    pub actions: Option<Vec<TakenAction<'a>>>,
    /// The raw answer of the model's service.
    pub response: Option<Raw<'a>>,
    pub timestamp: Option<i64>,
    pub return_code: Option<i64>,
    pub has_return_code: bool,
    pub exception_type: Text<'a>,
    pub interrupt_type: Text<'a>,
    pub exit_status: Text<'a>,
    pub submission: Text<'a>,
}

/// A command that the scaffold took out of a response.
#[derive(Default)]
pub struct TakenAction<'a> {
    pub command: Text<'a>,
    pub tool_call_id: Option<Cow<'a, str>>,
}

impl Message<'_> {
    /// A response of the model.
    pub fn is_response(&self) -> bool {
        match self.role.get() {
            Some(role) => role == "assistant",
            None => self.object.get() == Some("response"),
        }
    }

    /// The role, or what stands for it.
    pub fn role(&self) -> &str {
        match (self.role.get(), self.object.get()) {
            (Some(role), _) => role,
            (None, Some("function_call_output")) => "tool",
            _ => "",
        }
    }
}

/// Takes a list of messages.
pub struct Messages<'s, 'a> {
    pub out: &'s mut Vec<Message<'a>>,
    pub problems: &'s mut Vec<Problem>,
    pub unknown_keys: &'s mut UnknownKeys,
    pub seen: usize,
}

impl<'de> Element<'de> for Messages<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let mut message = Message::default();
        let mut fields = MessageFields { message: &mut message, unknown_keys: self.unknown_keys };
        match list.next_element_seed(Fields(&mut fields))? {
            None => return Ok(false),
            Some(Shape::Right) => self.out.push(message),
            Some(Shape::Wrong(what)) => {
                let what = format!("the message is {what}, no object: it is left out");
                self.problems.push(Problem::new(Weight::Refused, format!("record {}", self.seen), what));
            }
        }
        self.seen += 1;
        Ok(true)
    }
}

struct MessageFields<'s, 'a> {
    message: &'s mut Message<'a>,
    unknown_keys: &'s mut UnknownKeys,
}

impl<'de> Object<'de> for MessageFields<'_, 'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let message = &mut *self.message;
        match key {
            "role" => message.role = map.next_value()?,
            "content" => message.content = map.next_value::<Content>()?.0,
            "reasoning_content" | "reasoning" => {
                message.reasoning = filled(map.next_value()?).or(message.reasoning.take());
            }
            "tool_calls" => {
                map.next_value_seed(Items(&mut ToolCalls(&mut message.tool_calls)))?;
            }
            "tool_call_id" | "call_id" => message.tool_call_id = filled(map.next_value()?),
            "extra" => {
                map.next_value_seed(Fields(&mut message.extra))?;
            }
            // `type` names what has no role; of messages with one it says nothing.
            "object" | "type" => message.object = map.next_value()?,
            "output" => message.output = Some(map.next_value()?),
            "usage" => message.usage = Some(map.next_value()?),
            "timestamp" | "created_at" => message.extra.timestamp = map.next_value::<Raw>()?.time(),
            "function_call"
            | "provider_specific_fields"
            | "annotations"
            | "thinking_blocks"
            | "refusal"
            | "reasoning_details"
            | "audio"
            | "name"
            | "cache_control"
            | "id"
            | "status" => return skip(map),
            _ => {
                // Answers of the Responses API carry three dozen settings of the call.
                if message.object.get() != Some("response") {
                    self.unknown_keys.count(Level::Message, key);
                }
                return skip(map);
            }
        }
        Ok(())
    }
}

fn filled(text: Text<'_>) -> Option<Cow<'_, str>> {
    match text {
        Text::Is(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

impl<'de> Object<'de> for Extra<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "actions" => {
                let mut actions = Vec::new();
                map.next_value_seed(Items(&mut Actions(&mut actions)))?;
                self.actions = Some(actions);
            }
            "response" => self.response = Some(map.next_value()?),
            "timestamp" => self.timestamp = map.next_value::<Raw>()?.time(),
            "returncode" => {
                self.return_code = map.next_value::<Raw>()?.whole();
                self.has_return_code = true;
            }
            "exception_type" => self.exception_type = map.next_value()?,
            "interrupt_type" => self.interrupt_type = map.next_value()?,
            "exit_status" => self.exit_status = map.next_value()?,
            "submission" => self.submission = map.next_value()?,
            // `raw_output` is the content once more.
            _ => return skip(map),
        }
        Ok(())
    }
}

struct ToolCalls<'s, 'a>(&'s mut Vec<ToolCall<'a>>);

impl<'de> Element<'de> for ToolCalls<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let mut call = ToolCall::default();
        let found = list.next_element_seed(Fields(&mut call))?;
        if found == Some(Shape::Right) {
            self.0.push(call);
        }
        Ok(found.is_some())
    }
}

impl<'de> Object<'de> for ToolCall<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "id" | "call_id" => self.id = filled(map.next_value()?).or(self.id.take()),
            "name" => self.name = filled(map.next_value()?),
            "arguments" => self.arguments = Some(map.next_value()?),
            "function" => {
                map.next_value_seed(Fields(self))?;
            }
            _ => return skip(map),
        }
        Ok(())
    }
}

struct Actions<'s, 'a>(&'s mut Vec<TakenAction<'a>>);

impl<'de> Element<'de> for Actions<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let mut action = TakenAction::default();
        let found = list.next_element_seed(Fields(&mut action))?;
        if found == Some(Shape::Right) {
            self.0.push(action);
        }
        Ok(found.is_some())
    }
}

impl<'de> Object<'de> for TakenAction<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "command" | "action" => self.command = map.next_value()?,
            "tool_call_id" => self.tool_call_id = filled(map.next_value()?),
            _ => return skip(map),
        }
        Ok(())
    }
}
