//! Patches as text: which files a diff changes, and which lines it adds.

use std::collections::{BTreeMap, BTreeSet};

/// The files of a unified or git diff, in order, without `a/` and `b/`.
pub(super) fn files(diff: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut old = "";
    for line in diff.lines() {
        let path = if let Some(rest) = line.strip_prefix("diff --git ") {
            git_path(rest)
        } else if let Some(rest) = line.strip_prefix("--- ") {
            old = header_path(rest).unwrap_or("");
            None
        } else if let Some(rest) = line.strip_prefix("+++ ") {
            header_path(rest).or(Some(old).filter(|old| !old.is_empty()))
        } else {
            None
        };
        if let Some(path) = path.filter(|path| found.last() != Some(path) && !found.contains(path)) {
            found.push(path);
        }
    }
    found
}

/// `a/x b/x`: the part behind ` b/`.
fn git_path(rest: &str) -> Option<&str> {
    rest.split_once(" b/").map(|(_, path)| path.trim_end_matches(['"', '\r'])).filter(|path| !path.is_empty())
}

/// `a/x`, `b/x` with a time stamp behind a tab; `/dev/null` is no file.
fn header_path(rest: &str) -> Option<&str> {
    let path = rest.split('\t').next()?.trim_end();
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    (path != "/dev/null" && !path.is_empty() && !path.contains(' ')).then_some(path)
}

/// The files of a diff, each with its added lines, trimmed, without blank ones.
pub(super) fn added(diff: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut current: Option<&str> = None;
    for line in diff.lines() {
        let header = match line.strip_prefix("diff --git ") {
            Some(rest) => Some(git_path(rest)),
            None => line.strip_prefix("+++ ").map(header_path),
        };
        match (header, current) {
            (Some(path), _) => {
                current = path.or(current);
                if let Some(path) = path {
                    files.entry(path).or_default();
                }
            }
            (None, Some(path)) => {
                let text = line.strip_prefix('+').map(str::trim).filter(|text| !text.is_empty());
                if let (Some(text), Some(lines)) = (text, files.get_mut(path)) {
                    lines.insert(text);
                }
            }
            (None, None) => {}
        }
    }
    files
}
