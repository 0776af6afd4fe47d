//! Commands that a scaffold adds to its shell: SWE-agent's `open`, `edit … end_of_edit`, `str_replace_editor` and
//! their kin become operations in words common to all scaffolds.
//!
//! Never looks at an observation: what came of an operation is `effects.rs`'s.

use crate::model::{CommandSet, Operation};
use crate::shell::{Segment, Word};

/// Commands whose text goes on to a line with the end word.
pub(super) const BLOCKS: &[(&str, &str)] =
    &[("edit", "end_of_edit"), ("insert", "end_of_insert"), ("append", "end_of_append")];

/// Commands that take the rest of the input whole, whatever it holds: CodeR's `plan {…}` is JSON over many lines.
const WHOLE: &[&str] = &["plan"];

/// The command that takes the whole input, where it begins with one.
pub(super) fn whole_command(input: &str) -> Option<&'static str> {
    let first = input.split_whitespace().next()?;
    let rest = input.trim_start().get(first.len()..).unwrap_or("").trim_start();
    WHOLE.iter().find(|name| **name == first && (rest.is_empty() || rest.starts_with('{'))).copied()
}

/// The operation of a segment; `None` for a plain shell command.
pub(super) fn operation(segment: &Segment, commands: CommandSet) -> Option<Operation> {
    if commands != CommandSet::SweAgent || segment.program.contains('/') || segment.pipe_position > 0 {
        return None;
    }
    let arguments = segment.arguments.as_slice();
    let text = |index: usize| arguments.get(index).map(|word| word.text.clone());
    Some(match segment.program.as_str() {
        "open" => Operation::View { path: text(0), lines: None },
        "goto" | "scroll_up" | "scroll_down" | "filemap" => {
            Operation::View { path: if segment.program == "filemap" { text(0) } else { None }, lines: None }
        }
        "view" if !arguments.is_empty() => Operation::View { path: text(0), lines: None },
        "search_dir" => {
            Operation::Search { path: text(1).or_else(|| Some(".".to_owned())), pattern: text(0) }
        }
        "search_file" => Operation::Search { path: text(1), pattern: text(0) },
        "find_file" => Operation::Search { path: text(1).or_else(|| Some(".".to_owned())), pattern: text(0) },
        "edit" => edit(segment),
        "create" => Operation::Create { path: text(0).unwrap_or_default(), text: None },
        "insert" | "append" => Operation::Insert { path: None, new: block(segment).or_else(|| text(0)) },
        "str_replace_editor" | "edit_anthropic" | "str_replace_based_edit_tool" => editor(arguments)?,
        "undo_edit" => Operation::Undo { path: text(0) },
        "submit" => Operation::Submit,
        "exit_forfeit" => Operation::Exit,
        "plan" => Operation::HandOver,
        "succeed" | "fail" => Operation::EndRole,
        "stackoverflow_search" | "search_web" | "web_search" | "fetch_url" => {
            Operation::Web { target: text(0) }
        }
        "similar_issue_search" => Operation::Search { path: None, pattern: text(0) },
        "set_cursors" => Operation::Neutral,
        other if other.starts_with("rover_search_") => Operation::Search { path: None, pattern: text(0) },
        _ => return None,
    })
}

fn block(segment: &Segment) -> Option<String> {
    segment.heredoc.as_ref().map(|heredoc| heredoc.body.clone())
}

/// `edit 3:9` with a block, `edit 3:9 <<EOF`, or the later `edit OLD NEW`.
fn edit(segment: &Segment) -> Operation {
    match (block(segment), segment.arguments.as_slice()) {
        (Some(body), _) => Operation::Replace { path: None, old: None, new: Some(body) },
        (None, [old, new, ..]) if !is_line_range(&old.text) => {
            Operation::Replace { path: None, old: Some(old.text.clone()), new: Some(new.text.clone()) }
        }
        _ => Operation::Replace { path: None, old: None, new: None },
    }
}

/// First and last line of `edit 3:9`.
pub(super) fn line_range(segment: &Segment) -> Option<(usize, usize)> {
    let (first, last) = segment.arguments.first()?.text.split_once(':')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

fn is_line_range(text: &str) -> bool {
    text.split_once(':').is_some_and(|(first, last)| {
        !first.is_empty() && first.bytes().chain(last.bytes()).all(|byte| byte.is_ascii_digit())
    })
}

/// `str_replace_editor COMMAND PATH --flag value …`
fn editor(arguments: &[Word]) -> Option<Operation> {
    let command = arguments.first()?.text.as_str();
    let path = plain(arguments);
    Some(match command {
        "view" => Operation::View { path, lines: view_range(arguments) },
        "create" => Operation::Create {
            path: path.unwrap_or_default(),
            text: flag(arguments, &["--file_text", "--file-text"]),
        },
        "str_replace" => Operation::Replace {
            path,
            old: flag(arguments, &["--old_str", "--old-str"]),
            new: Some(flag(arguments, &["--new_str", "--new-str"]).unwrap_or_default()),
        },
        "insert" => {
            Operation::Insert { path, new: flag(arguments, &["--new_str", "--insert_text", "--new-str"]) }
        }
        "undo_edit" => Operation::Undo { path },
        _ => return None,
    })
}

/// The path: the word after the command that is no flag's value.
fn plain(arguments: &[Word]) -> Option<String> {
    let named = flag(arguments, &["--path"]);
    let mut after_flag = false;
    let word = arguments.iter().skip(1).find(|word| {
        let is_flag = word.text.starts_with("--");
        let is_value = after_flag;
        after_flag = is_flag && !word.text.contains('=');
        !is_flag && !is_value
    });
    word.map(|word| word.text.clone()).or(named)
}

fn flag(arguments: &[Word], names: &[&str]) -> Option<String> {
    let index = arguments.iter().position(|word| {
        let name = word.text.split_once('=').map_or(word.text.as_str(), |(name, _)| name);
        names.contains(&name)
    })?;
    match arguments[index].text.split_once('=') {
        Some((name, value)) if names.contains(&name) => Some(value.to_owned()),
        _ => arguments.get(index + 1).map(|word| word.text.clone()),
    }
}

/// `--view_range 10 20`, `--view_range '[10, 20]'`; −1 for the end tells no last line.
fn view_range(arguments: &[Word]) -> Option<(i64, i64)> {
    let index = arguments.iter().position(|word| word.text.starts_with("--view_range"))?;
    let text: Vec<&str> = arguments[index..].iter().take(3).map(|word| word.text.as_str()).collect();
    let text = text.join(" ");
    let mut numbers = text
        .trim_start_matches("--view_range")
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(|number| number.parse::<i64>().ok());
    Some((numbers.next()?, numbers.next()?)).filter(|(first, last)| *first > 0 && last >= first)
}
