//! Edits: a draft says what a command or tool would change; here it becomes a fact, and the files of the trajectory
//! learn of it (`definitions.md` §3 editing, §3.1, §3.2).

use super::fact::{EditEvidence, EditFact, EditKind, EditReason, Place};
use super::files::Files;
use super::key::key;
use super::targets::{self, Known};

/// One file that a command would change.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The file's one name; `None` where the command does not say.
    pub path: Option<String>,
    /// Kind; `Create` becomes `Overwrite` where the file is known to be there.
    pub kind: Option<EditKind>,
    /// Old text.
    pub old: Option<String>,
    /// New text.
    pub new: Option<String>,
    /// Where a moved or copied file came from.
    pub from: Option<String>,
    /// The command succeeds whether or not it changes anything (`sed -i`, code mods).
    pub is_silent: bool,
    /// Old and new text of a plain substitution (`sed -i 's/old/new/'`).
    pub substitution: Option<(String, String)>,
    /// Lines that are replaced by a line editor.
    pub lines: Option<(usize, usize)>,
    /// The stash comes back: reverts before it are undone.
    pub restores: bool,
}

impl Draft {
    /// Key of kind, path, old and new text.
    pub fn text_key(&self, kind: EditKind) -> u64 {
        let lines = self.lines.map(|(first, last)| format!("{first}:{last}")).unwrap_or_default();
        key(&[
            kind.as_str(),
            self.path.as_deref().unwrap_or(""),
            self.old.as_deref().unwrap_or(""),
            self.new.as_deref().unwrap_or(""),
            self.from.as_deref().unwrap_or(""),
            &lines,
        ])
    }
}

/// Whether an edit took effect, what shows it, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub effective: Option<bool>,
    pub evidence: EditEvidence,
    pub reason: Option<EditReason>,
}

impl Effect {
    /// It took effect.
    pub fn done(evidence: EditEvidence) -> Effect {
        Effect { effective: Some(true), evidence, reason: None }
    }

    /// It did not, as the tool or the shell says.
    pub fn refused(reason: EditReason) -> Effect {
        Effect { effective: Some(false), evidence: EditEvidence::Stated, reason: Some(reason) }
    }

    /// The file is what it was before.
    pub fn unchanged() -> Effect {
        Effect::refused(EditReason::NoChange)
    }

    /// Nothing shows it.
    pub fn unknown() -> Effect {
        Effect { effective: None, evidence: EditEvidence::None, reason: None }
    }
}

/// What turns drafts into facts.
pub(super) struct Ledger<'a> {
    pub files: &'a mut Files,
    pub edits: &'a mut Vec<EditFact>,
    pub root_known: bool,
    pub source_paths: &'a [String],
    pub task: crate::model::TaskKind,
}

impl Ledger<'_> {
    /// Writes one edit down.
    pub fn enter(&mut self, place: Place, span: (usize, usize), draft: Draft, effect: Effect) {
        let kind = self.settled_kind(&draft, effect);
        let index = self.edits.len();
        if effect.effective != Some(false) {
            self.tell_files(&draft, kind, effect, index);
        }
        let target = draft.path.as_deref().map(|path| {
            // A file that is being made counts as made here, also where the tool refused to make it.
            let made =
                kind == EditKind::Create && (!self.files.exists(path) || effect.effective != Some(false));
            let known = Known {
                created_here: made || self.files.created_here(path),
                own_folder: self.files.in_own_folder(path),
                deleted_here: false,
                root_known: self.root_known,
                source_paths: self.source_paths,
                task: self.task,
            };
            targets::class(path, known)
        });
        self.edits.push(EditFact {
            place,
            kind,
            target,
            effective: effect.effective,
            evidence: effect.evidence,
            reason: effect.reason,
            survives: None,
            reverted_later: false,
            text_key: draft.text_key(kind),
            is_empty: is_empty(&draft, kind),
            span,
            path: draft.path,
        });
    }

    /// Making a file that is there is overwriting it, unless the tool refused.
    fn settled_kind(&self, draft: &Draft, effect: Effect) -> EditKind {
        let kind = draft.kind.unwrap_or(EditKind::Replace);
        let there = draft.path.as_deref().is_some_and(|path| self.files.exists(path));
        match kind {
            EditKind::Create if there && effect.effective != Some(false) => EditKind::Overwrite,
            kind => kind,
        }
    }

    fn tell_files(&mut self, draft: &Draft, kind: EditKind, effect: Effect, index: usize) {
        if draft.restores {
            self.unmark_reverted(draft.path.as_deref());
        }
        let Some(path) = draft.path.as_deref() else { return };
        match kind {
            EditKind::Delete => {
                self.mark_reverted(path);
                self.files.gone(path);
                return;
            }
            EditKind::Revert => {
                self.mark_reverted(path);
                let file = self.files.entry(path);
                file.exists = true;
                file.text = None;
            }
            EditKind::Move => self.move_file(draft.from.as_deref(), path),
            EditKind::Create => self.files.made(path),
            // What is added to was there, as far as anybody knows: only a script of one's own is begun that way.
            EditKind::Append if begins_script(path) => self.files.made(path),
            _ => self.files.seen(path),
        }
        self.learn_text(draft, kind, path);
        let file = self.files.entry(path);
        file.edited |= effect.effective == Some(true) && kind != EditKind::Revert;
        file.edits.push(index);
    }

    fn move_file(&mut self, from: Option<&str>, to: &str) {
        let Some(from) = from else { return self.files.made(to) };
        let text = self.files.get(from).and_then(|file| file.text.clone());
        self.files.gone(from);
        if !self.files.exists(to) {
            self.files.made(to);
        }
        if let Some(text) = text {
            self.files.keep_text(to, &text);
        }
    }

    /// Keeps the text of scripts and patches in step with the edits.
    fn learn_text(&mut self, draft: &Draft, kind: EditKind, path: &str) {
        let new = draft.new.as_deref();
        if let Some((old, new)) = &draft.substitution {
            if let Some(text) = self.files.entry(path).text.take() {
                self.files.keep_text(path, &text.replace(old.as_str(), new));
            }
            return;
        }
        match (kind, new) {
            (EditKind::Create | EditKind::Overwrite, Some(new)) => self.files.keep_text(path, new),
            (EditKind::Create | EditKind::Overwrite, None) => self.copy_text(draft, path),
            (EditKind::Append, Some(new)) => {
                // Of a file whose text is not known the added part alone would pass for the whole.
                let file = self.files.entry(path);
                let is_begun = file.created_here && file.edits.is_empty();
                let Some(mut text) = file.text.take().or_else(|| is_begun.then(String::new)) else { return };
                text.push_str(new);
                self.files.keep_text(path, &text);
            }
            (EditKind::Replace, Some(new)) => {
                let Some(text) = self.files.entry(path).text.take() else { return };
                let text = match (draft.old.as_deref(), draft.lines) {
                    (Some(old), _) if !old.is_empty() => text.replacen(old, new, 1),
                    (_, Some(lines)) => with_lines(&text, lines, new),
                    _ => return,
                };
                self.files.keep_text(path, &text);
            }
            (EditKind::Insert, Some(new)) => {
                let Some(mut text) = self.files.entry(path).text.take() else { return };
                text.push('\n');
                text.push_str(new);
                self.files.keep_text(path, &text);
            }
            (EditKind::Replace | EditKind::Insert | EditKind::Append, None) => {
                self.files.entry(path).text = None
            }
            _ => {}
        }
    }

    fn copy_text(&mut self, draft: &Draft, path: &str) {
        let text =
            draft.from.as_deref().and_then(|from| self.files.get(from)).and_then(|file| file.text.clone());
        match text {
            Some(text) => self.files.keep_text(path, &text),
            // An empty file that a line editor fills next.
            None if draft.from.is_none() && draft.kind == Some(EditKind::Create) => {
                self.files.keep_text(path, "")
            }
            None => self.files.entry(path).text = None,
        }
    }

    /// Edits of a file, or in a folder, that are taken back.
    fn mark_reverted(&mut self, path: &str) {
        let inside: Vec<String> = self.files.paths_in(path).map(str::to_owned).collect();
        for path in inside.iter().map(String::as_str).chain([path]) {
            let Some(file) = self.files.get(path) else { continue };
            let indices = file.edits.clone();
            for index in indices {
                self.edits[index].reverted_later = true;
            }
            let file = self.files.entry(path);
            file.edits.clear();
            file.edited = false;
        }
    }

    /// The stash came back: what it took away is there again.
    fn unmark_reverted(&mut self, path: Option<&str>) {
        for edit in self.edits.iter_mut() {
            if edit.reverted_later
                && edit.kind != EditKind::Delete
                && path.is_none_or(|path| edit.path.as_deref() == Some(path))
            {
                edit.reverted_later = false;
            }
        }
    }
}

fn with_lines(text: &str, (first, last): (usize, usize), new: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let before = &lines[..first.saturating_sub(1).min(lines.len())];
    let after = &lines[last.max(first.saturating_sub(1)).min(lines.len())..];
    let mut joined = before.join("\n");
    for part in [new.trim_end_matches('\n'), &after.join("\n")] {
        if !joined.is_empty() && !part.is_empty() {
            joined.push('\n');
        }
        joined.push_str(part);
    }
    joined.push('\n');
    joined
}

/// Writes no text: an empty file, a `create` that an `edit` fills.
fn is_empty(draft: &Draft, kind: EditKind) -> bool {
    let makes = matches!(kind, EditKind::Create | EditKind::Overwrite | EditKind::Append);
    makes
        && draft.from.is_none()
        && draft.new.as_deref().is_none_or(|new| new.trim().is_empty())
        && !draft.is_silent
}

fn begins_script(path: &str) -> bool {
    super::paths::is_within(path, "/tmp") || targets::is_reproduction(super::paths::name(path))
}
