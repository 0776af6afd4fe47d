//! A structured call as verb and operand, and back.

use super::escape::{self, BECOMES, MARKS, PATH, RESULT, plain, split};
use crate::model::Operation;

/// Verbs of structured calls with the tool's usual name.
const VERBS: [(&str, &str); 18] = [
    ("create", "create"),
    ("delegate", "task"),
    ("delete", "delete"),
    ("edit", "edit"),
    ("endrole", "end_role"),
    ("exit", "exit"),
    ("handover", "plan"),
    ("insert", "insert"),
    ("neutral", "neutral"),
    ("plan", "plan"),
    ("search", "search"),
    ("submit", "submit"),
    ("think", "think"),
    ("tool", "tool"),
    ("undo", "undo_edit"),
    ("view", "view"),
    ("web", "web"),
    ("write", "write"),
];

/// The usual name of a verb's tool; `None` for a word that is no verb.
pub fn usual_tool(verb: &str) -> Option<&'static str> {
    VERBS.iter().find(|(word, _)| *word == verb).map(|(_, tool)| *tool)
}

/// Text of an operand that ends it.
fn line(text: &str) -> String {
    escape::line(text, &[RESULT, MARKS])
}

/// Text that another part of the operand follows.
fn part(text: &str) -> String {
    escape::line(text, &[RESULT, MARKS, BECOMES, PATH])
}

/// Verb and operand of an operation.
pub fn print(operation: Option<&Operation>, tool: &str, input: &str) -> (&'static str, String) {
    match operation {
        None => ("tool", line(input)),
        Some(Operation::View { path, lines }) => {
            let lines = lines.map(|(from, to)| format!("{from}-{to}"));
            ("view", joined(path.as_deref(), lines))
        }
        Some(Operation::Search { path, pattern }) => {
            ("search", joined(path.as_deref(), pattern.as_deref().map(line)))
        }
        Some(Operation::Create { path, text }) => ("create", joined(Some(path), text.as_deref().map(line))),
        Some(Operation::Replace { path, old, new }) => ("edit", joined(path.as_deref(), replaced(old, new))),
        Some(Operation::Insert { path, new }) => {
            ("insert", joined(path.as_deref(), new.as_deref().map(line)))
        }
        Some(Operation::Undo { path }) => ("undo", joined(path.as_deref(), None)),
        Some(Operation::Delete { path }) => ("delete", line(path)),
        Some(Operation::Submit) => ("submit", String::new()),
        Some(Operation::Exit) => ("exit", String::new()),
        Some(Operation::Plan) => (if tool == "think" { "think" } else { "plan" }, line(input)),
        Some(Operation::Delegate) => ("delegate", line(input)),
        Some(Operation::HandOver) => ("handover", line(input)),
        Some(Operation::EndRole) => ("endrole", String::new()),
        Some(Operation::Web { target }) => ("web", target.as_deref().map(line).unwrap_or_default()),
        Some(Operation::Neutral) => ("neutral", line(input)),
    }
}

fn replaced(old: &Option<String>, new: &Option<String>) -> Option<String> {
    match (old, new) {
        (None, None) => None,
        (Some(old), None) => Some(part(old)),
        (None, Some(new)) => Some(format!("=> {}", line(new))),
        (Some(old), Some(new)) => Some(format!("{} => {}", part(old), line(new))),
    }
}

fn joined(path: Option<&str>, rest: Option<String>) -> String {
    match (path.map(part), rest) {
        (None, None) => String::new(),
        (Some(path), None) => path,
        (path, Some(rest)) => format!("{}: {rest}", path.unwrap_or_default()),
    }
}

/// The operation of a verb with its operand; `Err` says what is missing.
pub fn parse(verb: &str, operand: &str) -> Result<Option<Operation>, String> {
    let (path, rest) = match split(operand, ": ") {
        Some((path, rest)) => (path, Some(rest)),
        // The blank before an empty text is lost at the end of an operand.
        None => match operand.strip_suffix(PATH).filter(|path| !path.ends_with('\\')) {
            Some(path) => (path, Some("")),
            None => (operand, None),
        },
    };
    let path = Some(plain(path.trim())).filter(|path| !path.is_empty());
    let named = path.clone().ok_or_else(|| format!("`{verb}` needs a path"));
    let text = rest.map(plain);
    Ok(Some(match verb {
        "view" => Operation::View { path, lines: text.as_deref().map(lines).transpose()? },
        "search" => Operation::Search { path, pattern: text },
        "create" | "write" => Operation::Create { path: named?, text },
        "edit" => replace(path, rest),
        "insert" => Operation::Insert { path, new: text },
        "undo" => Operation::Undo { path },
        "delete" => Operation::Delete { path: plain(operand) },
        "submit" => Operation::Submit,
        "exit" => Operation::Exit,
        "plan" | "think" => Operation::Plan,
        "delegate" => Operation::Delegate,
        "handover" => Operation::HandOver,
        "endrole" => Operation::EndRole,
        "web" => Operation::Web { target: Some(plain(operand)).filter(|target| !target.is_empty()) },
        "neutral" => Operation::Neutral,
        _ => return Ok(None),
    }))
}

fn replace(path: Option<String>, rest: Option<&str>) -> Operation {
    let Some(rest) = rest else { return Operation::Replace { path, old: None, new: None } };
    // The blank before an empty text is lost at the end of an operand.
    if rest == BECOMES {
        return Operation::Replace { path, old: None, new: Some(String::new()) };
    }
    if let Some(new) = rest.strip_prefix("=> ") {
        return Operation::Replace { path, old: None, new: Some(plain(new)) };
    }
    if let Some((old, new)) = split(rest, " => ") {
        return Operation::Replace { path, old: Some(plain(old)), new: Some(plain(new)) };
    }
    match rest.strip_suffix(" =>") {
        Some(old) => Operation::Replace { path, old: Some(plain(old)), new: Some(String::new()) },
        None => Operation::Replace { path, old: Some(plain(rest)), new: None },
    }
}

fn lines(text: &str) -> Result<(i64, i64), String> {
    let range = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    range.ok_or_else(|| format!("`{text}` is no range of lines such as 1-20"))
}
