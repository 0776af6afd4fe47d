//! Edits by editor tools: an operation becomes a draft, and the tool's own words say whether it took effect
//! (`definitions.md` §3.2).
//!
//! Messages are those of SWE-agent 0.x (`edit`, `create`), of its windowed editor, and of the family of
//! `str_replace_editor` tools.

use super::edits::{Draft, Effect};
use super::fact::{EditEvidence, EditKind, EditReason};
use crate::model::Operation;

/// The draft of an editing operation; `file` gives a typed path its one name.
pub(super) fn draft(
    operation: &Operation,
    lines: Option<(usize, usize)>,
    open_file: Option<&str>,
    file: impl Fn(&str) -> Option<String>,
) -> Option<Draft> {
    let resolve = |path: &Option<String>| match path {
        Some(path) => file(path),
        None => open_file.map(str::to_owned),
    };
    Some(match operation {
        Operation::Create { path, text } => {
            Draft { path: file(path), kind: Some(EditKind::Create), new: text.clone(), ..Draft::default() }
        }
        Operation::Replace { path, old, new } => Draft {
            path: resolve(path),
            kind: Some(EditKind::Replace),
            old: old.clone(),
            new: new.clone(),
            lines,
            ..Draft::default()
        },
        Operation::Insert { path, new } => {
            Draft { path: resolve(path), kind: Some(EditKind::Insert), new: new.clone(), ..Draft::default() }
        }
        Operation::Undo { path } => {
            Draft { path: resolve(path), kind: Some(EditKind::Revert), ..Draft::default() }
        }
        Operation::Delete { path } => {
            Draft { path: file(path), kind: Some(EditKind::Delete), ..Draft::default() }
        }
        _ => return None,
    })
}

/// Texts of tools and what they mean, first match wins. Refusals stand before the words of success, since a refusal
/// shows the file as it would have looked.
const MESSAGES: &[(&str, Option<EditReason>)] = &[
    ("Your proposed edit has introduced new syntax error", Some(EditReason::SyntaxReverted)),
    ("introduced new syntax errors", Some(EditReason::SyntaxReverted)),
    ("No replacement was performed. Multiple occurrences", Some(EditReason::Ambiguous)),
    ("Multiple occurrences of", Some(EditReason::Ambiguous)),
    ("is the same as old_str", Some(EditReason::NoChange)),
    ("old_str and new_str are the same", Some(EditReason::NoChange)),
    ("`new_str` and `old_str` must be different", Some(EditReason::NoChange)),
    ("No changes to make", Some(EditReason::NoChange)),
    ("No replacement was performed", Some(EditReason::NoMatch)),
    ("did not appear verbatim", Some(EditReason::NoMatch)),
    ("String to replace not found", Some(EditReason::NoMatch)),
    ("Your edit was not applied (file not modified): Found", Some(EditReason::Ambiguous)),
    ("Your edit was not applied (file not modified): Text", Some(EditReason::NoMatch)),
    ("Your edit was not applied", Some(EditReason::Other)),
    ("not found in displayed lines", Some(EditReason::NoMatch)),
    ("Usage: ", Some(EditReason::Malformed)),
    ("Usage:\n", Some(EditReason::Malformed)),
    ("usage: ", Some(EditReason::Malformed)),
    ("Error: start_line must be", Some(EditReason::Malformed)),
    ("Error: end_line must be", Some(EditReason::Malformed)),
    ("Invalid `insert_line`", Some(EditReason::Malformed)),
    ("Invalid `", Some(EditReason::Malformed)),
    ("Parameter `", Some(EditReason::Malformed)),
    ("No file open", Some(EditReason::NoFile)),
    ("Cannot overwrite files using command `create`", Some(EditReason::Other)),
    ("File already exists at", Some(EditReason::Other)),
    ("already exists.", Some(EditReason::Other)),
    ("The parent directory", Some(EditReason::NoFile)),
    ("is not an absolute path", Some(EditReason::Malformed)),
    ("The path ", Some(EditReason::NoFile)),
    ("No edit history found", Some(EditReason::Other)),
    ("No such file or directory", Some(EditReason::NoFile)),
    ("Permission denied", Some(EditReason::Permission)),
    ("is a directory", Some(EditReason::Other)),
    ("syntax error near unexpected token", Some(EditReason::Malformed)),
    ("unexpected EOF while looking for", Some(EditReason::Malformed)),
    ("command not found", Some(EditReason::Other)),
    ("Fatal Python error", Some(EditReason::Other)),
];

/// Words by which a tool says that the edit is in, and whether it shows it.
const DONE: &[(&str, EditEvidence)] = &[
    ("File updated. Please review", EditEvidence::Shown),
    ("Text replaced. Please review", EditEvidence::Shown),
    ("occurrences. Please review the changes", EditEvidence::Shown),
    ("has been edited", EditEvidence::Shown),
    ("File created successfully", EditEvidence::Stated),
    ("undone successfully", EditEvidence::Stated),
    ("has been updated", EditEvidence::Stated),
    ("successfully", EditEvidence::Stated),
    ("# Write Successful", EditEvidence::Stated),
    ("# String Edit Successful", EditEvidence::Stated),
];

/// What a tool's answer says of an edit.
pub(super) fn effect(
    draft: &Draft,
    observation: Option<&str>,
    is_error: Option<bool>,
    ran: Option<bool>,
) -> Effect {
    if ran == Some(false) {
        return Effect::refused(EditReason::Skipped);
    }
    let Some(text) = observation else { return Effect::unknown() };
    let told = told(text);
    if draft.old.is_some() && draft.old == draft.new && told.effective != Some(false) {
        return Effect { reason: Some(EditReason::NoChange), ..Effect::refused(EditReason::NoChange) };
    }
    if told.effective.is_some() {
        return told;
    }
    match is_error {
        Some(true) => Effect::refused(EditReason::Other),
        Some(false) => Effect::done(EditEvidence::Stated),
        _ => by_window(draft, text),
    }
}

fn told(text: &str) -> Effect {
    // The tool speaks at one end; what lies between is the file.
    let (head, tail) = super::evidence::ends(text);
    let first = head.get(..head.floor_char_boundary(600)).unwrap_or(head);
    let is_window = first.trim_start().starts_with("[File: ");
    let is_filled = |line: &&str| !line.trim().is_empty();
    let opening: Vec<&str> = first.lines().filter(is_filled).take(2).collect();
    let end = if tail.is_empty() { head } else { tail };
    let closing: Vec<&str> = end.lines().rev().filter(is_filled).take(3).collect();
    // A tool's refusal opens its answer.
    let opens = |words: &str| opening.iter().any(|line| line.contains(words.trim_end()));
    let closes = |words: &str| closing.iter().any(|line| line.contains(words));
    let done = DONE.iter().find(|(words, _)| opens(words) || closes(words));
    let refused = MESSAGES.iter().find(|(words, _)| !is_window && opens(words));
    match (refused, done) {
        (Some((_, Some(reason))), _) => Effect::refused(*reason),
        (_, Some((_, evidence))) => Effect::done(*evidence),
        _ => Effect::unknown(),
    }
}

/// `create` of SWE-agent 0.x answers with the window of the new file.
fn by_window(draft: &Draft, text: &str) -> Effect {
    let is_window = text.trim_start().starts_with("[File: ");
    match draft.kind {
        Some(EditKind::Create) if is_window => Effect::done(EditEvidence::Shown),
        // `insert` of some versions answers with the lines around the new text.
        Some(EditKind::Insert | EditKind::Replace) if is_window && shows(draft, text) => {
            Effect::done(EditEvidence::Shown)
        }
        _ => Effect::unknown(),
    }
}

/// Whether a line of the new text, long enough to tell, stands in a text.
pub(super) fn shows(draft: &Draft, text: &str) -> bool {
    let new = draft.new.as_deref().unwrap_or("");
    telling_line(new).is_some_and(|line| text.contains(line))
}

/// The longest of the first lines of a text, trimmed; `None` where none is long enough to tell.
pub(super) fn telling_line(text: &str) -> Option<&str> {
    text.lines().take(40).map(str::trim).filter(|line| line.len() >= 8).max_by_key(|line| line.len())
}
