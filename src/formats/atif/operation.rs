//! What a call does, as JSON in `extra`: ATIF knows names and arguments alone.

use crate::formats::json::lenient::{list, text};
use crate::model::Operation;
use serde_json::{Value, json};

/// The operation as JSON.
pub fn write(operation: &Operation) -> Value {
    match operation {
        Operation::View { path, lines } => json!({"does": "view", "path": path, "lines": lines}),
        Operation::Search { path, pattern } => json!({"does": "search", "path": path, "pattern": pattern}),
        Operation::Create { path, text } => json!({"does": "create", "path": path, "text": text}),
        Operation::Replace { path, old, new } => {
            json!({"does": "replace", "path": path, "old": old, "new": new})
        }
        Operation::Insert { path, new } => json!({"does": "insert", "path": path, "new": new}),
        Operation::Undo { path } => json!({"does": "undo", "path": path}),
        Operation::Delete { path } => json!({"does": "delete", "path": path}),
        Operation::Web { target } => json!({"does": "web", "target": target}),
        Operation::Submit => json!({"does": "submit"}),
        Operation::Exit => json!({"does": "exit"}),
        Operation::Plan => json!({"does": "plan"}),
        Operation::Delegate => json!({"does": "delegate"}),
        Operation::HandOver => json!({"does": "hand_over"}),
        Operation::EndRole => json!({"does": "end_role"}),
        Operation::Neutral => json!({"does": "neutral"}),
    }
}

/// The operation back from JSON.
pub fn read(value: &Value) -> Option<Operation> {
    let part = |key: &str| text(value, key).map(str::to_owned);
    let path = part("path");
    Some(match text(value, "does")? {
        "view" => {
            let lines = match list(value, "lines") {
                [first, last] => Some((first.as_i64()?, last.as_i64()?)),
                _ => None,
            };
            Operation::View { path, lines }
        }
        "search" => Operation::Search { path, pattern: part("pattern") },
        "create" => Operation::Create { path: path?, text: part("text") },
        "replace" => Operation::Replace { path, old: part("old"), new: part("new") },
        "insert" => Operation::Insert { path, new: part("new") },
        "undo" => Operation::Undo { path },
        "delete" => Operation::Delete { path: path? },
        "web" => Operation::Web { target: part("target") },
        "submit" => Operation::Submit,
        "exit" => Operation::Exit,
        "plan" => Operation::Plan,
        "delegate" => Operation::Delegate,
        "hand_over" => Operation::HandOver,
        "end_role" => Operation::EndRole,
        "neutral" => Operation::Neutral,
        _ => return None,
    })
}
