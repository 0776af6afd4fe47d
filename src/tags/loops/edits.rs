//! L4: failing edits of one file again and again; L10: the same edit that takes effect again and again.

use std::collections::HashMap;

use super::steps::Step;
use super::{Circle, FAILED_EDIT_GAP, FAILED_EDITS, GROWING_EDITS};
use crate::facts::{EditEvidence, EditFact, EditKind, Place};
use crate::tags::turns::Turns;

type Members = Vec<(usize, Option<Place>)>;

/// The failing edits of one file that stand together so far.
#[derive(Default)]
struct Row {
    members: Members,
    /// Number of the last one's turn among turns with a call.
    last_step: usize,
    /// Edits of unknown files that had been made by then: any of them may have been of this file.
    unknown: usize,
}

/// L4. An edit that took effect, or may have, ends the row.
pub(super) fn failing(turns: &Turns, steps: &[Step]) -> Vec<Circle> {
    let mut rows: HashMap<&str, Row> = HashMap::new();
    let mut circles = Vec::new();
    let mut unknown = 0;
    for edit in turns.facts.edits.iter() {
        let Some(path) = edit.path.as_deref() else {
            unknown += usize::from(edit.effective != Some(false));
            continue;
        };
        let row = rows.entry(path).or_default();
        if edit.effective != Some(false) {
            close(row, &mut circles);
            continue;
        }
        let Ok(step) = steps.binary_search_by_key(&edit.place.turn, |step| step.turn) else { continue };
        if row.members.last().is_some_and(|(turn, _)| *turn == edit.place.turn) {
            continue;
        }
        if step > row.last_step + FAILED_EDIT_GAP + 1 || row.unknown != unknown {
            close(row, &mut circles);
        }
        row.members.push((edit.place.turn, Some(edit.place)));
        row.last_step = step;
        row.unknown = unknown;
    }
    let mut open: Vec<Row> = rows.into_values().collect();
    open.iter_mut().for_each(|row| close(row, &mut circles));
    circles
}

fn close(row: &mut Row, circles: &mut Vec<Circle>) {
    let members = std::mem::take(&mut row.members);
    if members.len() >= FAILED_EDITS {
        circles.push(Circle::of("L4", members));
    }
}

/// L10. Another effective edit of the file ends it: what is undone may be done again.
pub(super) fn growing(turns: &Turns) -> Vec<Circle> {
    let mut files: HashMap<&str, (EditKey, Members)> = HashMap::new();
    let mut circles = Vec::new();
    for edit in turns.facts.edits.iter().filter(|edit| edit.effective == Some(true)) {
        let Some(path) = edit.path.as_deref() else { continue };
        let key = edit_key(turns, edit);
        let counts = grows(edit) && turns.is_model(edit.place.turn);
        let (held, members) = files.entry(path).or_default();
        if *held != key || !counts {
            close_growing(members, &mut circles);
            *held = key;
        }
        let is_new_turn = members.last().is_none_or(|(turn, _)| *turn != edit.place.turn);
        if counts && is_new_turn {
            members.push((edit.place.turn, Some(edit.place)));
        }
    }
    let mut open: Vec<Members> = files.into_values().map(|(_, members)| members).collect();
    open.iter_mut().for_each(|members| close_growing(members, &mut circles));
    circles
}

/// What makes two edits the same one: their text; for a shell line the whole action too, since of the text that a
/// program writes only the program is known.
type EditKey = (u64, Option<u64>);

fn edit_key(turns: &Turns, edit: &EditFact) -> EditKey {
    let segments = &turns.facts.segments;
    let segment = segments.binary_search_by_key(&edit.place, |segment| segment.place).ok();
    let is_typed = segment.is_some_and(|index| segments[index].operation.is_none());
    let calls = turns.calls_of(edit.place.turn);
    let action = calls.get(edit.place.call).filter(|_| is_typed).map(|call| call.action_key);
    (edit.text_key, action)
}

fn close_growing(members: &mut Members, circles: &mut Vec<Circle>) {
    let members = std::mem::take(members);
    if members.len() >= GROWING_EDITS {
        circles.push(Circle::of("L10", members));
    }
}

/// An edit that can take effect twice. A whole file written anew does not grow; of a silent substitution nobody knows
/// whether it matched again.
fn grows(edit: &EditFact) -> bool {
    match edit.kind {
        EditKind::Insert | EditKind::Append => true,
        EditKind::Replace => edit.evidence != EditEvidence::Silent,
        EditKind::Create | EditKind::Overwrite | EditKind::Delete | EditKind::Move | EditKind::Revert => {
            false
        }
    }
}
