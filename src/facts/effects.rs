//! Whether a shell edit took effect, by exit code and by the words of the programs (`definitions.md` §3.2).
//!
//! Editor tools are `editor_edits.rs`'s; what later views of a file add is `later.rs`'s.

use super::edits::{Draft, Effect};
use super::evidence::{Result, Shown, lines};
use super::fact::{EditEvidence, EditReason};
use super::paths::name;
use crate::shell::Segment;

/// The effect of one draft of a shell segment.
pub(super) fn of_shell(
    draft: &Draft,
    segment: &Segment,
    shown: Shown,
    result: Result,
    is_last: bool,
) -> Effect {
    if shown.is_missing {
        return Effect::refused(EditReason::Other);
    }
    if shown.ran == Some(false) {
        return Effect::refused(EditReason::Skipped);
    }
    if changes_nothing(draft) {
        return Effect::refused(EditReason::NoChange);
    }
    let Some(text) = result.text else { return without_text(draft, shown) };
    if let Some(effect) = by_words(draft, segment, text) {
        return effect;
    }
    match shown.exit {
        Some(0) => Effect::done(if draft.is_silent { EditEvidence::Silent } else { EditEvidence::Exit }),
        // The redirection is made before its program fails.
        Some(_) if !is_editor(segment) => Effect::done(EditEvidence::Silent),
        Some(_) => Effect::refused(EditReason::Other),
        None if result.timed_out && is_last => Effect::unknown(),
        // A program that edits says so when it fails; without a word it worked, as far as anybody can tell.
        None => Effect::done(EditEvidence::Silent),
    }
}

/// `s/old/old/`. An unescaped dot may fit another character than the dot that takes its place.
fn changes_nothing(draft: &Draft) -> bool {
    draft.substitution.as_ref().is_some_and(|(old, new)| old == new && !old.contains('.'))
}

fn without_text(draft: &Draft, shown: Shown) -> Effect {
    match shown.exit {
        Some(0) if draft.is_silent => Effect::done(EditEvidence::Silent),
        Some(0) => Effect::done(EditEvidence::Exit),
        Some(_) => Effect::refused(EditReason::Other),
        None => Effect::unknown(),
    }
}

fn is_editor(segment: &Segment) -> bool {
    matches!(
        segment.program.as_str(),
        "sed"
            | "perl"
            | "ruby"
            | "mv"
            | "cp"
            | "rm"
            | "git"
            | "patch"
            | "apply_patch"
            | "applypatch"
            | "touch"
            | "ln"
            | "install"
            | "truncate"
            | "dd"
    )
}

fn by_words(draft: &Draft, segment: &Segment, text: &str) -> Option<Effect> {
    match segment.program.as_str() {
        "git" => git(draft, segment, text),
        "patch" => patch(draft, text),
        "apply_patch" | "applypatch" => apply_patch(text),
        _ => by_error_line(draft, segment, text),
    }
}

/// `apply_patch` of Codex and its kin; a patch applies whole or not at all.
fn apply_patch(text: &str) -> Option<Effect> {
    let has = |words: &[&str]| words.iter().any(|words| text.contains(words));
    if has(&["Success. Updated the following files", "atch applied successfully"]) {
        Some(Effect::done(EditEvidence::Stated))
    } else if has(&["Failed to find expected lines", "Failed to find context"]) {
        Some(Effect::refused(EditReason::NoMatch))
    } else if has(&["nvalid patch", "not a valid"]) {
        Some(Effect::refused(EditReason::Malformed))
    } else if has(&["Failed to read file to update", "No such file or directory"]) {
        Some(Effect::refused(EditReason::NoFile))
    } else if has(&["apply_patch verification failed", "patch rejected", "command not found"]) {
        Some(Effect::refused(EditReason::Other))
    } else {
        None
    }
}

/// `sed: can't read x: No such file or directory`, `bash: line 1: x: Permission denied`.
fn by_error_line(draft: &Draft, segment: &Segment, text: &str) -> Option<Effect> {
    let program = segment.program.as_str();
    let file = draft.path.as_deref().map(name);
    let from = draft.from.as_deref().map(name).filter(|from| !from.is_empty());
    let is_shell = |line: &str| {
        ["bash:", "/bin/bash:", "sh:", "/bin/sh:", "zsh:", "(eval):"]
            .iter()
            .any(|shell| line.starts_with(shell))
    };
    let mut found = None;
    let mut others = false;
    for line in lines(text) {
        let own =
            !program.is_empty() && line.strip_prefix(program).is_some_and(|rest| rest.starts_with(": "));
        let perl = program == "perl" && line.starts_with("Can't open ");
        if !(own || perl || (is_shell(line) && !segment.redirections.is_empty())) {
            continue;
        }
        let names = |file: Option<&str>| file.is_some_and(|file| line.contains(file));
        let reason = reason_of(line);
        // An error that names another file of the same command is not this file's.
        let elsewhere = reason == EditReason::NoFile && !(names(file) || names(from));
        others |= elsewhere;
        if !elsewhere && !line.to_ascii_lowercase().contains("warning") {
            found = Some(Effect::refused(reason));
            break;
        }
    }
    // `rm a b`: that `b` is not there does not keep `a`.
    found.or_else(|| others.then(|| Effect::done(EditEvidence::Silent)))
}

fn reason_of(line: &str) -> EditReason {
    let has = |words: &[&str]| words.iter().any(|words| line.contains(words));
    if has(&["No such file", "no such file", "cannot stat", "can't read", "cannot find", "not found"]) {
        EditReason::NoFile
    } else if has(&["ermission denied", "not permitted", "Read-only file system"]) {
        EditReason::Permission
    } else if has(&[
        "-e expression",
        "unterminated",
        "unknown command",
        "invalid option",
        "missing operand",
        "unrecognized option",
        "usage",
    ]) {
        EditReason::Malformed
    } else if has(&["are the same file"]) {
        EditReason::NoChange
    } else {
        EditReason::Other
    }
}

fn git(draft: &Draft, segment: &Segment, text: &str) -> Option<Effect> {
    let subcommand = segment.subcommand().unwrap_or("");
    let stated = || Some(Effect::done(EditEvidence::Stated));
    let refused = |reason| Some(Effect::refused(reason));
    for line in lines(text) {
        let line = line.trim_end();
        if subcommand == "apply" || subcommand == "am" {
            if line.starts_with("error: corrupt patch")
                || line.starts_with("error: No valid patches")
                || line.contains("unrecognized input")
                || line.contains("patch fragment without header")
            {
                return refused(EditReason::Malformed);
            }
            if line.starts_with("error: patch failed") || line.contains("patch does not apply") {
                return refused(EditReason::NoMatch);
            }
        }
        if line.starts_with("error: pathspec")
            || line.starts_with("fatal: pathspec")
            || line.contains("No such file or directory") && line.starts_with("error:")
        {
            let named = draft.path.as_deref().is_none_or(|path| line.contains(name(path)));
            if named {
                return refused(EditReason::NoFile);
            }
        }
        if line.starts_with("No local changes to save") || line.starts_with("Updated 0 paths") {
            return refused(EditReason::NoChange);
        }
        if line.starts_with("fatal: ") || line.starts_with("error: ") || line.starts_with("No stash entries")
        {
            return refused(EditReason::Other);
        }
        let says_done = (line.starts_with("Updated ") && line.contains(" from "))
            || line.starts_with("HEAD is now at")
            || line.starts_with("Saved working directory")
            || line.starts_with("Dropped ")
            || line.starts_with("Applied patch");
        if says_done && matches!(subcommand, "checkout" | "reset" | "stash" | "apply") {
            return stated();
        }
    }
    None
}

fn patch(draft: &Draft, text: &str) -> Option<Effect> {
    let file = draft.path.as_deref().map(name);
    let mut current = false;
    let mut seen = false;
    let mut partial = false;
    for line in text.lines() {
        if let Some(path) =
            line.strip_prefix("patching file ").or_else(|| line.strip_prefix("checking file "))
        {
            current = file.is_none_or(|file| name(path.trim_matches('\'')) == file);
            seen |= current;
        } else if line.contains("malformed patch") || line.contains("Only garbage was found") {
            return Some(Effect::refused(EditReason::Malformed));
        } else if line.contains("can't find file to patch") || line.contains("No such file or directory") {
            return Some(Effect::refused(EditReason::NoFile));
        } else if line.contains("Reversed (or previously applied)") && current {
            return Some(Effect::refused(EditReason::NoChange));
        } else if line.contains("FAILED") && line.contains(" out of ") && current {
            let mut words = line.split_whitespace();
            let failed = words.next();
            let all = words.nth(2);
            if failed == all {
                return Some(Effect::refused(EditReason::NoMatch));
            }
            partial = true;
        }
    }
    let done = Effect::done(EditEvidence::Stated);
    seen.then_some(Effect { reason: partial.then_some(EditReason::Partial), ..done })
}
