//! Patches in the envelope of Codex' `apply_patch`: `*** Begin Patch`, a section a file with its hunks, `*** End Patch`. Other
//! scaffolds took the form over. A section becomes an edit of its file (`definitions.md` §3, editing).
//!
//! Never says whether the patch applied (`effects.rs`).

use super::edits::Draft;
use super::fact::EditKind;

/// Whether a text is such a patch.
pub(super) fn is_envelope(text: &str) -> bool {
    text.contains("*** Begin Patch")
}

/// The edits of a patch, in order; `file` gives a typed path its one name.
pub(super) fn drafts(patch: &str, file: impl Fn(&str) -> Option<String>) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    for line in patch.lines() {
        if let Some(section) = section(line) {
            let path = file(section.path);
            match section.kind {
                Some(kind) => drafts.push(Draft { path, kind: Some(kind), ..Draft::default() }),
                None => moved(&mut drafts, path),
            }
            continue;
        }
        let Some(draft) = drafts.last_mut() else { continue };
        hunk_line(draft, line);
    }
    drafts
}

struct Section<'p> {
    /// `None`: the file of the section above is moved here.
    kind: Option<EditKind>,
    path: &'p str,
}

fn section(line: &str) -> Option<Section<'_>> {
    let rest = line.strip_prefix("*** ")?;
    let kinds = [
        ("Add File: ", Some(EditKind::Create)),
        ("Update File: ", Some(EditKind::Replace)),
        ("Delete File: ", Some(EditKind::Delete)),
        ("Move to: ", None),
    ];
    kinds.iter().find_map(|(words, kind)| {
        let path = rest.strip_prefix(words)?.trim();
        (!path.is_empty()).then_some(Section { kind: *kind, path })
    })
}

/// The file of the section is moved, and changed under its new name.
fn moved(drafts: &mut Vec<Draft>, to: Option<String>) {
    let Some(update) = drafts.pop() else { return };
    let from = update.path.unwrap_or_default();
    drafts.push(Draft { path: to.clone(), kind: Some(EditKind::Move), from: Some(from), ..Draft::default() });
    drafts.push(Draft { path: to, kind: Some(EditKind::Replace), ..Draft::default() });
}

/// Old and new text grow by the lines of the hunks.
fn hunk_line(draft: &mut Draft, line: &str) {
    let (mark, text) = match line.as_bytes().first() {
        Some(b'+') => ('+', &line[1..]),
        Some(b'-') => ('-', &line[1..]),
        Some(b' ') => (' ', &line[1..]),
        _ => return,
    };
    let push = |side: &mut Option<String>| {
        let side = side.get_or_insert_default();
        side.push_str(text);
        side.push('\n');
    };
    match draft.kind {
        Some(EditKind::Create) if mark == '+' => push(&mut draft.new),
        Some(EditKind::Replace) => {
            if mark != '+' {
                push(&mut draft.old);
            }
            if mark != '-' {
                push(&mut draft.new);
            }
        }
        _ => {}
    }
}
