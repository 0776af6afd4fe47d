//! Messages as programs write them, in every shape (`formats-other.md` §11, §12): chat messages of OpenAI and their kin, items
//! of the Responses API, content blocks of Anthropic, `from`/`value` pairs of training sets. They become what was said, in
//! order.
//!
//! Never here: calls that stand in a text.

use super::dialogue::{CallResult, Response, Said};
use super::json::lenient::{as_time, at, content, filled, flag, list, text, whole};
use super::sketch::Sketch;
use super::text_calls::made;
use super::tools;
use crate::model::Call;
use serde_json::Value;

/// Who a role is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// A person, a simulator, the environment.
    User,
    /// The model.
    Model,
    /// What came back from a call.
    Result,
}

impl Role {
    /// The role of a word; `None` for a word that is none.
    pub fn of(word: &str) -> Option<Role> {
        Some(match word.to_ascii_lowercase().as_str() {
            "system" | "developer" => Role::System,
            "user" | "human" => Role::User,
            "assistant" | "ai" | "gpt" | "model" | "agent" | "bot" => Role::Model,
            "tool" | "function" | "observation" | "environment" | "ipython" | "tool_response"
            | "toolresult" => Role::Result,
            _ => return None,
        })
    }
}

/// A sketch of a message: an object with a role and something said.
pub fn is_message(value: &Sketch) -> bool {
    let role = value.text("role").or_else(|| value.text("from"));
    let says = ["content", "value", "tool_calls", "text"].iter().any(|key| value.has(key));
    // In an array of rows the role lies too deep to be looked at.
    let is_deep = value.get("role") == Some(&Sketch::Deep);
    (is_deep || role.and_then(Role::of).is_some()) && says || is_item(value)
}

/// A sketch of an item of the Responses API that has no role.
fn is_item(value: &Sketch) -> bool {
    let kind = value.text("type").unwrap_or_default();
    matches!(kind, "function_call" | "function_call_output" | "reasoning")
        && ["call_id", "summary", "content"].iter().any(|key| value.has(key))
}

/// What a message says, added to `said`; false for a value that is no message.
pub fn say(value: &Value, said: &mut Vec<Said>) -> bool {
    match text(value, "type").unwrap_or_default() {
        "function_call" | "custom_tool_call" | "mcp_call" => {
            said.push(Said::Response(Response {
                calls: vec![item_call(value)],
                joins: true,
                ..blank(value)
            }));
            return true;
        }
        "local_shell_call" | "shell_call" => {
            let action = value.get("action").unwrap_or(&Value::Null);
            let call = tools::call("local_shell_call", action);
            let response = Response { calls: vec![(call, id(value))], joins: true, ..blank(value) };
            said.push(Said::Response(response));
            return true;
        }
        "reasoning" => {
            let reasoning = content(value.get("content").filter(|inner| !inner.is_null()))
                .filter(|text| !text.is_empty())
                .or_else(|| content(value.get("summary")));
            said.push(Said::Response(Response { reasoning, joins: true, ..blank(value) }));
            return true;
        }
        "function_call_output"
        | "custom_tool_call_output"
        | "local_shell_call_output"
        | "shell_call_output" => {
            said.push(Said::Result(result(value, value.get("output"))));
            return true;
        }
        _ => {}
    }
    let role = text(value, "role").or_else(|| text(value, "from"));
    let Some(role) = role.and_then(Role::of) else { return false };
    let body = ["content", "value", "text"].iter().find_map(|key| value.get(*key));
    match role {
        Role::System => said.push(Said::System(content(body).unwrap_or_default())),
        Role::User => user(body, said),
        Role::Result => said.push(Said::Result(result(value, body))),
        Role::Model => said.push(Said::Response(response(value, body))),
    }
    true
}

/// A list of messages; what is no message is counted.
pub fn say_all(values: &[Value]) -> (Vec<Said>, usize) {
    let mut said = Vec::with_capacity(values.len());
    let strange = values.iter().filter(|value| !say(value, &mut said)).count();
    (said, strange)
}

/// Tokens and time of a message.
fn blank(value: &Value) -> Response {
    let usage = value.get("usage").or_else(|| at(value, &["response_metadata", "token_usage"]));
    let count = |keys: [&str; 2]| {
        let usage = usage?;
        keys.iter().find_map(|key| whole(usage, key)).filter(|count| *count > 0)
    };
    let stop = ["finish_reason", "stop_reason"].iter().find_map(|key| text(value, key));
    let is_limited = matches!(stop, Some("length" | "max_tokens"));
    Response {
        is_cut: is_limited,
        is_limited,
        tokens_in: count(["prompt_tokens", "input_tokens"]),
        tokens_out: count(["completion_tokens", "output_tokens"]),
        logged_at: ["timestamp", "created_at"].iter().find_map(|key| value.get(*key).and_then(as_time)),
        ..Response::default()
    }
}

fn id(value: &Value) -> Option<String> {
    let keys = ["call_id", "tool_call_id", "tool_use_id", "id"];
    keys.iter().find_map(|key| filled(value, key)).map(str::to_owned)
}

fn item_call(value: &Value) -> (Call, Option<String>) {
    let name = filled(value, "name").unwrap_or("function");
    let arguments = value.get("arguments").or_else(|| value.get("input"));
    if text(value, "type") == Some("custom_tool_call") {
        return (tools::call(name, arguments.unwrap_or(&Value::Null)), id(value));
    }
    (made(name, arguments), id(value))
}

/// A message of the model: its text and calls, whatever way they are written.
fn response(value: &Value, body: Option<&Value>) -> Response {
    let mut response = blank(value);
    response.joins = text(value, "type") == Some("message");
    let reasoning = ["reasoning_content", "reasoning", "thinking", "thought"];
    response.reasoning =
        reasoning.iter().find_map(|key| content(value.get(*key))).filter(|text| !text.is_empty());
    match body {
        Some(Value::Array(blocks)) => {
            for block in blocks {
                self::block(block, &mut response);
            }
        }
        body => response.text = content(body).unwrap_or_default(),
    }
    for call in list(value, "tool_calls") {
        // Some programs keep each call as JSON within a text.
        let parsed = call.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        response.calls.push(chat_call(parsed.as_ref().unwrap_or(call)));
    }
    if let Some(call) = value.get("function_call").filter(|call| call.is_object()) {
        response.calls.push(chat_call(call));
    }
    response
}

/// A call of a chat message: `{id, function: {name, arguments}}`, or the same without the inner object.
fn chat_call(value: &Value) -> (Call, Option<String>) {
    let inner = value.get("function").filter(|inner| inner.is_object()).unwrap_or(value);
    let name = filled(inner, "name").or_else(|| filled(inner, "tool_name")).unwrap_or("function");
    let arguments = ["arguments", "args", "input", "parameters"].iter().find_map(|key| inner.get(*key));
    (made(name, arguments), id(value))
}

/// A content block of a response.
fn block(block: &Value, response: &mut Response) {
    match text(block, "type").unwrap_or("text") {
        "tool_use" | "tool_call" | "toolCall" | "server_tool_use" => response.calls.push(chat_call(block)),
        "thinking" | "reasoning" => {
            let text = ["thinking", "reasoning", "text"].iter().find_map(|key| text(block, key));
            let reasoning = response.reasoning.get_or_insert_default();
            join(reasoning, text.unwrap_or_default());
        }
        "redacted_thinking" | "image" | "image_url" | "input_image" => {}
        _ => {
            let text = block.as_str().or_else(|| {
                ["text", "content", "refusal", "output_text"].iter().find_map(|key| text(block, key))
            });
            join(&mut response.text, text.unwrap_or_default());
        }
    }
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// A message of a user: results that stand in its blocks, and its text.
fn user(body: Option<&Value>, said: &mut Vec<Said>) {
    let blocks = body.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_result = |block: &&Value| text(block, "type") == Some("tool_result");
    if !blocks.iter().any(|block| is_result(&block)) {
        said.push(Said::User(content(body).unwrap_or_default()));
        return;
    }
    for block in blocks.iter().filter(is_result) {
        said.push(Said::Result(result(block, block.get("content"))));
    }
    let rest: Vec<&str> =
        blocks.iter().filter(|block| !is_result(block)).filter_map(|block| text(block, "text")).collect();
    if !rest.is_empty() {
        said.push(Said::User(rest.join("\n")));
    }
}

/// A result; some tools of the scaffolds answer with an object of output and exit code.
fn result(value: &Value, body: Option<&Value>) -> CallResult {
    let text = content(body);
    let mut result = CallResult {
        id: ["tool_call_id", "call_id", "tool_use_id"]
            .iter()
            .find_map(|key| filled(value, key))
            .map(str::to_owned),
        is_error: flag(value, "is_error").or_else(|| flag(value, "isError")),
        exit_code: whole(value, "exit_code").or_else(|| whole(value, "returncode")),
        text,
    };
    if let Some(text) = &result.text
        && text.starts_with('{')
        && text.contains("\"exit_code\"")
        && let Ok(inner) = serde_json::from_str::<Value>(text)
        && let (Some(output), Some(code)) =
            (inner.get("output").and_then(Value::as_str), whole(&inner, "exit_code"))
    {
        result.exit_code = Some(code);
        result.text = Some(match filled(&inner, "error") {
            Some(error) => format!("{output}\n{error}"),
            None => output.to_owned(),
        });
    }
    result
}
