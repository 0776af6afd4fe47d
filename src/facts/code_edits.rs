//! Edits by code: files that inline code, or a script of this trajectory's own, writes when it runs
//! (`definitions.md` §3: code that rewrites files when run is editing).

use super::edits::{Draft, Effect};
use super::evidence::{Result, Shown};
use super::fact::{EditEvidence, EditKind, EditReason};
use super::inline::{CodeFacts, Write};
use super::paths::name;
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

/// The effect of one write: code that an exception ended before its line wrote nothing. `script` is the name of the
/// file that holds the code, where it is no inline code.
pub(super) fn effect(
    draft: &Draft,
    line: usize,
    script: Option<&str>,
    shown: Shown,
    result: Result,
) -> Effect {
    if shown.is_missing {
        return Effect::refused(EditReason::Other);
    }
    if shown.ran == Some(false) {
        return Effect::refused(EditReason::Skipped);
    }
    let is_plain = !draft.is_silent && shown.exit == Some(0);
    let done = Effect::done(if is_plain { EditEvidence::Exit } else { EditEvidence::Silent });
    let Some(text) = result.text else {
        return if shown.exit == Some(0) { done } else { Effect::unknown() };
    };
    if shown.exit == Some(0) {
        return done;
    }
    if text.contains("can't open file '") {
        return Effect::refused(EditReason::NoFile);
    }
    match tracebacks::last(text) {
        Some(exception) => after_exception(&exception, line, script, done),
        None if shown.exit.is_some() || result.timed_out => Effect::unknown(),
        None => done,
    }
}

fn after_exception(exception: &Exception, line: usize, script: Option<&str>, done: Effect) -> Effect {
    let is_own = |file: &str| match script {
        Some(script) => name(file) == name(script),
        None => file.starts_with('<'),
    };
    let is_syntax = exception.class.ends_with("SyntaxError")
        || exception.class.ends_with("IndentationError")
        || exception.class.ends_with("TabError");
    match exception.first_frame.filter(|(file, _)| is_own(file)) {
        // The code itself could not be read: nothing of it ran.
        Some(_) if is_syntax && exception.first_frame == exception.last_frame => {
            Effect::refused(EditReason::Malformed)
        }
        Some((_, failed_at)) if failed_at <= line => Effect::refused(reason_of(exception)),
        // It failed behind the write, or the exception is another command's.
        _ => done,
    }
}

fn reason_of(exception: &Exception) -> EditReason {
    match exception.class.rsplit('.').next().unwrap_or("") {
        "FileNotFoundError" => EditReason::NoFile,
        "PermissionError" => EditReason::Permission,
        "AssertionError" | "ValueError" | "RuntimeError" | "SystemExit" => EditReason::NoMatch,
        _ => EditReason::Other,
    }
}

/// The code says in words of its own that it found nothing to change.
pub(super) fn says_no_match(code: &CodeFacts, text: &str) -> bool {
    code.misses.iter().any(|words| text.contains(words.as_str()))
}
