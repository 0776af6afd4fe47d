//! What later looks at a file show of a silent edit: a diff or view that holds it lifts it to `shown`, a diff that
//! lacks the file lowers it to `no_match` (`definitions.md` §3.2).

use super::fact::{EditEvidence, EditFact, EditKind, EditReason};
use super::git;
use super::patches;
use crate::shell::{Command, Segment};

/// A silent edit that waits for a look.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Index in `Facts::edits`.
    pub edit: usize,
    /// A line of the new text by which it is known again.
    pub line: Option<String>,
    /// The old text of a plain substitution.
    pub old: Option<String>,
    /// The command would succeed without changing anything.
    pub may_miss: bool,
}

/// Silent edits that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    pending: Vec<Pending>,
    /// Changes were staged, committed or stashed: a plain diff tells nothing any more.
    is_hidden: bool,
}

impl Waiting {
    /// A silent edit begins to wait.
    pub fn push(&mut self, pending: Pending) {
        self.pending.push(pending);
        // Older ones are not looked at for ever: a run has few silent edits between two looks.
        if self.pending.len() > 400 {
            self.pending.remove(0);
        }
    }

    /// Nothing waits.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Learns of commands that hide changes from a plain diff.
    pub fn note(&mut self, segment: &Segment) {
        if segment.program == "git" {
            self.is_hidden |=
                matches!(segment.subcommand(), Some("add" | "commit" | "stash" | "reset" | "checkout"))
                    && (git::change(segment).is_none() || segment.subcommand() == Some("stash"));
        }
    }

    /// A diff of the work tree came back, whole: of one file, or of all.
    /// `is_own` tells files that were made here: they are untracked, and no diff shows them.
    pub fn see_diff(
        &mut self,
        text: &str,
        only: Option<&[String]>,
        is_own: impl Fn(&str) -> bool,
        edits: &mut [EditFact],
    ) {
        let files = patches::files(text);
        let is_hidden = self.is_hidden;
        self.pending.retain(|pending| {
            let Some(path) = edits[pending.edit].path.as_deref() else { return true };
            if path.starts_with(['/', '~'])
                || only.is_some_and(|only| !only.iter().any(|one| super::paths::is_within(path, one)))
            {
                return true;
            }
            if files.iter().any(|file| same_file(file, path)) {
                // Of several edits of a file the diff shows those whose text it holds.
                let holds = pending.line.as_deref().is_some_and(|line| text.contains(line));
                if holds || is_only_edit(edits, pending.edit) {
                    edits[pending.edit].evidence = EditEvidence::Shown;
                }
                return false;
            }
            let edit = &edits[pending.edit];
            let is_untracked =
                is_own(path) || matches!(edit.kind, EditKind::Create | EditKind::Delete | EditKind::Move);
            if pending.may_miss
                && !is_hidden
                && !is_untracked
                && !edit.reverted_later
                && edit.effective == Some(true)
                // Two edits of a file may cancel each other.
                && is_only_edit(edits, pending.edit)
            {
                lower(&mut edits[pending.edit]);
                return false;
            }
            true
        });
    }

    /// The file was shown: a line of the new text in it shows the edit; seen whole, with the old text and without the
    /// new one, it shows that nothing fitted.
    pub fn see_file(&mut self, path: &str, text: &str, is_whole: bool, edits: &mut [EditFact]) {
        let last = edits
            .iter()
            .rposition(|edit| edit.path.as_deref() == Some(path) && edit.effective != Some(false));
        self.pending.retain(|pending| {
            let edit = &mut edits[pending.edit];
            if edit.path.as_deref() != Some(path) {
                return true;
            }
            if pending.line.as_deref().is_some_and(|line| text.contains(line)) {
                edit.evidence = EditEvidence::Shown;
                return false;
            }
            let old_stands = pending.old.as_deref().is_some_and(|old| text.contains(old));
            let is_last = last == Some(pending.edit);
            if is_whole && is_last && pending.may_miss && pending.line.is_some() && old_stands {
                lower(edit);
                return false;
            }
            true
        });
    }

    /// The cumulative diff after the turn of these edits did, or did not, change.
    pub fn see_digest(&mut self, from: usize, changed: bool, edits: &mut [EditFact]) {
        let several = self.pending.iter().filter(|pending| pending.edit >= from).count() > 1;
        self.pending.retain(|pending| {
            if pending.edit < from {
                return true;
            }
            let edit = &mut edits[pending.edit];
            let inside = edit.path.as_deref().is_some_and(|path| !path.starts_with(['/', '~']));
            if changed && !several && inside {
                edit.evidence = EditEvidence::Shown;
                return false;
            }
            if !changed && pending.may_miss && inside && edit.effective == Some(true) {
                lower(edit);
                return false;
            }
            true
        });
    }
}

/// Whether an edit is the only one of its file that stands.
fn is_only_edit(edits: &[EditFact], index: usize) -> bool {
    let path = &edits[index].path;
    let stands =
        |edit: &&EditFact| &edit.path == path && edit.effective == Some(true) && !edit.reverted_later;
    edits.iter().filter(stands).count() == 1
}

fn lower(edit: &mut EditFact) {
    edit.effective = Some(false);
    edit.evidence = EditEvidence::Shown;
    edit.reason = Some(EditReason::NoMatch);
}

fn same_file(file: &str, path: &str) -> bool {
    file == path || path.ends_with(file) && path[..path.len() - file.len()].ends_with('/')
}

/// Whether a segment shows the whole diff of the work tree, unfiltered, and of which files.
pub(super) fn shows_diff(command: &Command, index: usize) -> Option<Vec<String>> {
    let segment = &command.segments[index];
    if segment.program != "git" || segment.subcommand() != Some("diff") || !segment.redirections.is_empty() {
        return None;
    }
    let is_piped = command.segments.iter().any(|one| {
        one.pipeline == segment.pipeline && one.pipe_position > segment.pipe_position && one.program != "cat"
    });
    let arguments = segment.subcommand_arguments();
    let partial = [
        "--stat",
        "--name-only",
        "--name-status",
        "--cached",
        "--staged",
        "--shortstat",
        "--numstat",
        "--check",
    ];
    let is_partial = arguments.iter().any(|word| partial.iter().any(|option| word.text.starts_with(option)));
    let plain: Vec<&str> =
        arguments.iter().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-')).collect();
    let names_revision = plain
        .iter()
        .any(|text| *text != "HEAD" && !super::paths::looks_like_path(text) && !text.contains('/'));
    (!is_piped && !is_partial && !names_revision)
        .then(|| plain.iter().filter(|text| **text != "HEAD").map(|text| (*text).to_owned()).collect())
}
