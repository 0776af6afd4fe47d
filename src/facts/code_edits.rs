//! Edits by code: files that inline code, or a script of this trajectory's own, writes when it runs
//! (`definitions.md` §3: code that rewrites files when run is editing).

use super::edits::{Draft, Effect};
use super::evidence::{Result, Shown};
use super::fact::{EditEvidence, EditKind, EditReason};
use super::inline::{CodeFacts, Write};
use super::tracebacks::{self, Exception};

/// Drafts of the files that code writes; `file` gives a typed path its one name.
pub(super) fn drafts(code: &CodeFacts, file: impl Fn(&str) -> Option<String>) -> Vec<(Draft, usize)> {
    code.writes.iter().map(|write| (draft(write, &file), write.line)).collect()
}

fn draft(write: &Write, file: impl Fn(&str) -> Option<String>) -> Draft {
    let path = write.path.as_deref().and_then(&file);
    let made_elsewhere = write.kind != EditKind::Move && write.new.is_none();
    Draft {
        path,
        kind: Some(write.kind),
        new: write.new.clone(),
        from: write
            .from
            .as_deref()
            .map(|from| file(from).unwrap_or_default())
            .or(made_elsewhere.then(String::new)),
        is_silent: write.is_mod,
        ..Draft::default()
    }
}

/// The effect of one write: code that an exception ended before its line wrote nothing.
pub(super) fn effect(draft: &Draft, line: usize, shown: Shown, result: Result) -> Effect {
    if shown.is_missing {
        return Effect::refused(EditReason::Other);
    }
    if shown.ran == Some(false) {
        return Effect::refused(EditReason::Skipped);
    }
    let done = Effect::done(if draft.is_silent || shown.exit.is_none() {
        EditEvidence::Silent
    } else {
        EditEvidence::Exit
    });
    let Some(text) = result.text else {
        return if shown.exit == Some(0) { done } else { Effect::unknown() };
    };
    if shown.exit == Some(0) {
        return done;
    }
    if text.contains("can't open file '") || text.contains("command not found") && shown.exit.is_some() {
        return Effect::refused(EditReason::NoFile);
    }
    match tracebacks::last(text) {
        Some(exception) => after_exception(&exception, line, done),
        None if shown.exit.is_some() => Effect::unknown(),
        None if result.timed_out => Effect::unknown(),
        None => done,
    }
}

fn after_exception(exception: &Exception, line: usize, done: Effect) -> Effect {
    let script =
        exception.first_frame.filter(|(file, _)| file.starts_with('<') || !file.contains("site-packages"));
    let Some((_, failed_at)) = script else {
        // A syntax error shows no frame of the script that ran: nothing ran.
        return Effect::refused(EditReason::Malformed);
    };
    let is_syntax = exception.class.ends_with("SyntaxError") || exception.class.ends_with("IndentationError");
    let is_own_syntax = is_syntax && exception.first_frame == exception.last_frame;
    if is_own_syntax {
        return Effect::refused(EditReason::Malformed);
    }
    if failed_at > line {
        return done;
    }
    let reason = match exception.class.rsplit('.').next().unwrap_or("") {
        "FileNotFoundError" => EditReason::NoFile,
        "PermissionError" => EditReason::Permission,
        "AssertionError" | "ValueError" | "RuntimeError" | "SystemExit" => EditReason::NoMatch,
        _ => EditReason::Other,
    };
    Effect::refused(reason)
}
