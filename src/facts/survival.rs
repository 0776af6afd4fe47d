//! Which edits survive in the final patch, and whether the patch is this run's own (`definitions.md` §3.2 survives,
//! §5 `empty_patch`).

use std::collections::{BTreeMap, BTreeSet};

use super::fact::{EditFact, EditKind, EditTarget, Facts};
use super::patches;
use crate::model::{Origin, PatchState, Trajectory};

/// Files of the final patch with their added lines.
type Patch<'t> = BTreeMap<&'t str, BTreeSet<&'t str>>;

/// Settles `survives` of every edit and the state of the patch. `lines` holds, by edit, a few lines of its new text.
pub(super) fn settle(facts: &mut Facts, trajectory: &Trajectory, lines: &BTreeMap<usize, Vec<String>>) {
    let patch = trajectory.patch.as_deref().filter(|_| trajectory.patch_state == PatchState::Nonempty);
    let files = patch.map(patches::added);
    for (index, edit) in facts.edits.iter_mut().enumerate() {
        if files.as_ref().is_some_and(|files| was_untracked(edit, files)) {
            edit.target = Some(EditTarget::Scratch);
        }
        edit.survives = survives(edit, files.as_ref(), lines.get(&index).map(Vec::as_slice));
    }
    facts.patch_state = match &files {
        Some(files) if is_foreign(&facts.edits, files, trajectory) => PatchState::Foreign,
        _ => trajectory.patch_state,
    };
}

/// A deleted file of the repository stands in the final patch. One that does not was none of it: what a run of this
/// trajectory left behind.
fn was_untracked(edit: &EditFact, files: &Patch) -> bool {
    let is_other =
        !matches!(edit.target, None | Some(EditTarget::Test | EditTarget::Scratch | EditTarget::Outside));
    let path = edit.path.as_deref().filter(|path| !path.starts_with(['/', '~', '.']));
    edit.kind == EditKind::Delete
        && edit.effective == Some(true)
        && !edit.reverted_later
        && is_other
        && path.is_some_and(|path| !files.keys().any(|file| fits(file, path)))
}

fn survives(edit: &EditFact, files: Option<&Patch>, lines: Option<&[String]>) -> Option<bool> {
    if edit.effective == Some(false) {
        return Some(false);
    }
    let path = edit.path.as_deref();
    match (files, path) {
        (Some(files), Some(path)) => {
            let Some(added) = files.get(path) else { return Some(false) };
            let known = lines.filter(|lines| !lines.is_empty());
            Some(known.is_none_or(|lines| lines.iter().any(|line| added.contains(line.as_str()))))
        }
        (None, Some(_)) if edit.reverted_later => Some(false),
        _ => None,
    }
}

/// No file of the patch was edited by a model turn. An edit whose file is not known forbids to say so.
fn is_foreign(edits: &[EditFact], files: &Patch, trajectory: &Trajectory) -> bool {
    let own = |edit: &&EditFact| {
        edit.effective != Some(false)
            && trajectory.turns.get(edit.place.turn).is_some_and(|turn| turn.origin == Origin::Model)
    };
    !files.is_empty()
        && !edits.iter().filter(own).any(|edit| match edit.path.as_deref() {
            Some(path) => files.keys().any(|file| fits(file, path)),
            None => true,
        })
}

/// The same file, or a file in an edited folder; paths of an unknown root are compared from their end.
fn fits(file: &str, path: &str) -> bool {
    file == path
        || super::paths::is_within(file, path)
        || path.ends_with(file) && path[..path.len() - file.len()].ends_with('/')
        || super::paths::is_glob(path) && super::paths::glob_fits(path, file)
}
