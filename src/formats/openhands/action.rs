//! An action of 0.x as a call: the action's name and arguments are what the harness ran, so they hold for every version, with
//! native calls and without.

use super::{result, skills};
use crate::formats::json::lenient::{filled, text, whole};
use crate::formats::tools;
use crate::model::{Call, CallKind, Operation};
use serde_json::{Map, Value, json};

/// Keys of arguments that say nothing of what is done: the same action bears them today and not tomorrow.
const ASIDE: &[&str] = &[
    "action",
    "action_risk",
    "agent_state",
    "blocking",
    "confirmation_state",
    "final_thought",
    "hidden",
    "id",
    "impl_source",
    "include_extra",
    "is_confirmed",
    "is_static",
    "keep_prompt",
    "kernel_init_code",
    "llm_metrics",
    "message",
    "return_axtree",
    "security_risk",
    "source",
    "thought",
    "timeout",
    "timestamp",
    "tool_call_metadata",
];

/// The call of an action; `tool` is its name in the model's own call, where the log has that.
pub fn call(action: &str, arguments: &Value, tool: Option<&str>) -> Call {
    let kept = plain(arguments);
    let mut call = match action {
        "run_ipython" => cell(&kept),
        "edit" if text(&kept, "command").is_some() => tools::call("str_replace_editor", &kept),
        "read" => tools::call("read", &reading(kept.clone())),
        "call_tool_mcp" => mcp(&kept),
        "think" => Call { operation: Some(Operation::Plan), ..bare(arguments, &["thought"]) },
        "finish" => {
            Call { operation: Some(Operation::Submit), ..bare(arguments, &["message", "final_thought"]) }
        }
        "reject" => Call { operation: Some(Operation::Exit), ..bare(arguments, &["reason"]) },
        "browse_interactive" => {
            let target = text(&kept, "browser_actions").map(str::to_owned);
            Call { operation: Some(Operation::Web { target }), ..bare(arguments, &["browser_actions"]) }
        }
        "task_tracking" => tools::call("task_tracker", &kept),
        _ => tools::call(action, &kept),
    };
    // A cell without code is no input of a process.
    if action == "run" {
        result::see_input(&mut call);
    }
    call.tool =
        tool.or(text(&kept, "name").filter(|_| action == "call_tool_mcp")).unwrap_or(action).to_owned();
    call
}

/// The arguments without what is aside, and without nulls.
fn plain(arguments: &Value) -> Value {
    let Value::Object(fields) = arguments else { return json!({}) };
    let kept = fields.iter().filter(|(key, value)| !value.is_null() && !ASIDE.contains(&key.as_str()));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}

/// A cell of Python; of one that calls a function for files alone, what that does.
fn cell(arguments: &Value) -> Call {
    let code = text(arguments, "code").unwrap_or_default();
    match skills::operation(code) {
        Some(operation) => {
            Call { operation: Some(operation), ..Call::new("run_ipython", CallKind::Tool, code) }
        }
        None => tools::call("run_ipython", arguments),
    }
}

/// `start` and `end` of older versions count from 0, the end exclusive; 0 and −1 are the whole file.
fn reading(mut arguments: Value) -> Value {
    let (start, end) = (whole(&arguments, "start").unwrap_or(0), whole(&arguments, "end").unwrap_or(-1));
    if let Value::Object(fields) = &mut arguments {
        fields.remove("start");
        fields.remove("end");
        if (start, end) != (0, -1) && !fields.contains_key("view_range") {
            fields.insert("view_range".to_owned(), json!([start.saturating_add(1), end]));
        }
    }
    arguments
}

/// A tool of another server, by its own name.
fn mcp(arguments: &Value) -> Call {
    let inner = arguments.get("arguments").cloned().unwrap_or(Value::Null);
    tools::call(text(arguments, "name").unwrap_or("call_tool_mcp"), &inner)
}

/// A call whose input is a text of the model.
fn bare(arguments: &Value, keys: &[&str]) -> Call {
    let input = keys.iter().find_map(|key| filled(arguments, key)).unwrap_or_default();
    Call::new("", CallKind::Tool, input)
}
