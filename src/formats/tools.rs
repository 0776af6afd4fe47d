//! Structured tools of all scaffolds in common words: the name of a tool and its arguments become a call with its operation
//! (`definitions.md` §3). A tool that is not known keeps its arguments and bears no operation; that is no fault.
//!
//! Never here: what came of a call.

use super::json::lenient::{flag, list, text, whole};
use super::tool_names::{Tool, tool};
use crate::model::{Call, CallKind, Operation, Quality, quality_reason};
use serde_json::Value;

/// Keys under which tools take a path.
const PATHS: &[&str] = &[
    "path",
    "file_path",
    "filePath",
    "file",
    "filename",
    "absolute_path",
    "target_file",
    "dir_path",
    "notebook_path",
];
/// Keys under which shells take the folder to stand in.
const FOLDERS: &[&str] = &["workdir", "cwd", "working_directory", "directory", "dir_path"];
/// Keys under which shells take a command.
const COMMANDS: &[&str] = &["command", "cmd", "script", "input", "keystrokes"];

/// A call of a structured tool; arguments that are no object are kept as they are.
pub fn call(name: &str, arguments: &Value) -> Call {
    let raw = match arguments {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let tool = tool(name);
    if tool == Some(Tool::Shell)
        && let Some(command) = command(arguments)
    {
        // Text for a process that runs already is no command of the shell.
        if flag(arguments, "is_input") == Some(true) || text(arguments, "action") == Some("type") {
            let mut call = Call::new(name, CallKind::Tool, command);
            call.operation = Some(Operation::Neutral);
            return call;
        }
        let mut call = Call::new(name, CallKind::Shell, command);
        call.cwd = first_text(arguments, FOLDERS);
        return call;
    }
    if tool == Some(Tool::Patch)
        && let Some(patch) = patch(arguments)
    {
        return Call::new(
            name,
            CallKind::Shell,
            format!("apply_patch <<'{0}'\n{1}\n{0}", delimiter("PATCH", &patch), patch),
        );
    }
    if tool == Some(Tool::Python)
        && let Some(code) = code(arguments)
    {
        let end = delimiter("PYTHON", &code);
        return Call::new(name, CallKind::Shell, format!("python3 - <<'{end}'\n{code}\n{end}"));
    }
    if tool == Some(Tool::Program)
        && let Some(code) = code(arguments)
    {
        let end = delimiter("PROGRAM", &code);
        return Call::new(name, CallKind::Shell, format!("node - <<'{end}'\n{code}\n{end}"));
    }
    let mut call = Call::new(name, CallKind::Tool, raw);
    call.operation = tool.and_then(|tool| operation(tool, arguments));
    // Without its command or its file the tool cannot but refuse.
    let needs =
        matches!(tool, Some(Tool::Shell | Tool::Program | Tool::Create | Tool::Delete | Tool::Editor));
    if needs && call.operation.is_none() && (arguments.is_object() || arguments.is_null()) {
        let is_there = |key: &str| arguments.get(key).is_some_and(|value| !value.is_null());
        let is_unknown =
            tool == Some(Tool::Editor) && is_there("command") && PATHS.iter().any(|key| is_there(key));
        call.quality = Quality::Parsable;
        call.quality_reason =
            Some(if is_unknown { quality_reason::ARGUMENTS } else { quality_reason::MISSING_ARGUMENT });
    }
    call
}

/// Arguments as programs write them: an object, or its JSON in a text. `Err` where the text is no JSON.
pub fn arguments(value: Option<&Value>) -> Result<Value, String> {
    match value {
        None | Some(Value::Null) => Ok(Value::Null),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Value::Null),
        Some(Value::String(text)) => {
            let parsed = serde_json::from_str(text);
            parsed
                .or_else(|fault| {
                    super::json::repaired(text).map_or(Err(fault), |text| serde_json::from_str(&text))
                })
                .map_err(|_| text.clone())
        }
        Some(other) => Ok(other.clone()),
    }
}

/// A call as a log has it: a name and arguments of whatever form. Arguments that are no valid JSON make it L1.
pub fn called(name: Option<&str>, given: Option<&Value>) -> Call {
    let name = name.unwrap_or("unnamed");
    match arguments(given) {
        Ok(arguments) => call(name, &arguments),
        Err(text) => {
            let mut call = Call::new(name, CallKind::Tool, text);
            call.quality = Quality::Parsable;
            call.quality_reason = Some(quality_reason::ARGUMENTS);
            call
        }
    }
}

/// The patch that a tool is given to apply: the whole input, or a key of it.
fn patch(arguments: &Value) -> Option<String> {
    let text = match arguments {
        Value::String(text) => Some(text.clone()),
        _ => first_text(arguments, &["input", "patch", "patchText", "patch_text"]),
    }?;
    Some(text.trim_end_matches('\n').to_owned())
}

/// The code that a tool is given to run: the whole input, or a key of it.
fn code(arguments: &Value) -> Option<String> {
    match arguments {
        Value::String(code) => Some(code.clone()),
        _ => first_text(arguments, &["code", "script", "input"]),
    }
}

/// A word that ends a here-document, and is no line of the text.
fn delimiter(word: &str, text: &str) -> String {
    let mut word = word.to_owned();
    while text.lines().any(|line| line == word) {
        word.push('_');
    }
    word
}

/// The command line of a shell call: a text, or a list of words as Codex writes it.
fn command(arguments: &Value) -> Option<String> {
    if let Value::String(text) = arguments {
        return Some(text.clone());
    }
    let value = COMMANDS.iter().find_map(|key| arguments.get(*key).filter(|value| !value.is_null()))?;
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [shell, flag, script]
                    if matches!(*flag, "-lc" | "-c" | "-ic")
                        && matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh")) =>
                {
                    Some((*script).to_owned())
                }
                _ => Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
            }
        }
        _ => None,
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_-./=:,@%+".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn operation(tool: Tool, arguments: &Value) -> Option<Operation> {
    let path = first_text(arguments, PATHS);
    Some(match tool {
        // The session of a shell is looked at or begun anew, and no command is run.
        Tool::Shell if is_of_session(arguments) => Operation::Neutral,
        Tool::Editor => editor(arguments, path)?,
        Tool::View => Operation::View { path, lines: lines(arguments) },
        Tool::List => Operation::Search { path, pattern: None },
        Tool::Search => {
            let pattern = first_text(arguments, &["pattern", "query", "regex", "search_term", "name"]);
            Operation::Search { path, pattern }
        }
        Tool::Create => Operation::Create {
            path: path?,
            text: first_text(arguments, &["content", "file_text", "contents", "text"]),
        },
        Tool::Replace => {
            // Several edits of one file in one call are one replacement, their texts joined.
            let edits = list(arguments, "edits");
            let joined = |keys: &[&str]| {
                let texts: Vec<String> = edits.iter().filter_map(|edit| first_text(edit, keys)).collect();
                (!texts.is_empty()).then(|| texts.join("\n"))
            };
            let (old, new) = (
                ["old_string", "old_str", "oldText", "oldString", "search", "before"],
                [
                    "new_string",
                    "new_str",
                    "newText",
                    "newString",
                    "replace",
                    "after",
                    "content",
                    "diff",
                    "new_source",
                    "code_edit",
                    "code",
                ],
            );
            Operation::Replace {
                path,
                old: first_text(arguments, &old).or_else(|| joined(&old)),
                new: first_text(arguments, &new).or_else(|| joined(&new)),
            }
        }
        Tool::Insert => Operation::Insert {
            path,
            new: first_text(arguments, &["new_str", "insert_text", "text", "content"]),
        },
        Tool::Delete => Operation::Delete { path: path? },
        Tool::Undo => Operation::Undo { path },
        Tool::Web => Operation::Web {
            target: first_text(arguments, &["url", "query", "user_query", "q", "docid", "prompt"]),
        },
        Tool::Plan => Operation::Plan,
        Tool::Delegate => Operation::Delegate,
        Tool::Submit => Operation::Submit,
        Tool::Exit => Operation::Exit,
        Tool::Neutral => Operation::Neutral,
        Tool::Shell | Tool::Python | Tool::Program | Tool::Patch => return None,
    })
}

/// What shells that keep a session are told beside commands.
fn is_of_session(arguments: &Value) -> bool {
    let is_told = |key: &str| flag(arguments, key) == Some(true);
    is_told("restart")
        || is_told("reset")
        || matches!(text(arguments, "action"), Some("read" | "restart" | "interrupt"))
}

/// `str_replace_editor` and its kin: the command says what is done.
fn editor(arguments: &Value, path: Option<String>) -> Option<Operation> {
    let new = || first_text(arguments, &["new_str", "insert_text", "diff"]);
    path.as_ref()?;
    Some(match text(arguments, "command")? {
        "view" => Operation::View { path, lines: lines(arguments) },
        "create" | "write" => Operation::Create { path: path?, text: first_text(arguments, &["file_text"]) },
        "str_replace" => Operation::Replace { path, old: first_text(arguments, &["old_str"]), new: new() },
        "insert" => Operation::Insert { path, new: new() },
        "undo_edit" => Operation::Undo { path },
        _ => return None,
    })
}

/// First and last line, of `view_range`, or of an offset and a limit.
fn lines(arguments: &Value) -> Option<(i64, i64)> {
    let range = list(arguments, "view_range");
    if let [first, last] = range {
        return Some((first.as_i64()?, last.as_i64()?));
    }
    if let (Some(first), Some(last)) = (
        whole(arguments, "start_line").or_else(|| whole(arguments, "startLine")),
        whole(arguments, "end_line").or_else(|| whole(arguments, "endLine")),
    ) {
        return Some((first, last));
    }
    let (offset, limit) = (whole(arguments, "offset")?, whole(arguments, "limit")?);
    Some((offset, offset.saturating_add(limit).saturating_sub(1)))
}

/// The first of these keys that holds a text.
fn first_text(arguments: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| text(arguments, key)).map(str::to_owned)
}
