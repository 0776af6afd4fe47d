//! Where outcome files are looked for (`interface.md`, outcomes are searched): all files below the arm's root; where
//! none of them holds verdicts, some of the root's parent. The caller walks; this says what to take.

use super::outcome_file::OutcomeFile;

/// Folders of the parent that are searched at any depth.
const PARENT_FOLDERS: [&str; 2] = ["logs/run_evaluation/", "evaluation/"];

/// True where the root's own files hold no verdict, so that its parent is searched.
pub fn needs_parent(files: &[OutcomeFile]) -> bool {
    !files.iter().any(OutcomeFile::holds_verdicts)
}

/// True for a file of the root's parent that is searched: `*.json`, `logs/run_evaluation/**`, `evaluation/**`.
/// `path` is below the parent; in the `OutcomeFile` it stands with `../` before it.
pub fn is_searched_in_parent(path: &str) -> bool {
    let lies_beside = !path.contains('/') && path.ends_with(".json");
    lies_beside || PARENT_FOLDERS.iter().any(|folder| path.starts_with(folder))
}
