//! L7: the same test with the same failing result, though nothing was edited between.

use std::collections::HashMap;

use super::{Circle, SAME_FAILURES};
use crate::facts::{Place, TestOutcome};
use crate::tags::turns::Turns;

struct Row {
    result: u64,
    /// Edits that had been made by then.
    edits: usize,
    members: Vec<(usize, Option<Place>)>,
}

/// All of them.
pub(super) fn find(turns: &Turns) -> Vec<Circle> {
    let facts = turns.facts;
    let mut edits = facts.edits.iter().filter(|edit| edit.effective != Some(false)).peekable();
    let mut made = 0;
    let mut rows: HashMap<u64, Row> = HashMap::new();
    let mut circles = Vec::new();
    for run in facts.test_runs.iter().filter(|run| turns.is_model(run.place.turn)) {
        while edits.next_if(|edit| edit.place < run.place).is_some() {
            made += 1;
        }
        let row = rows.entry(run.command_key).or_insert(Row {
            result: run.result_key,
            edits: made,
            members: vec![],
        });
        let fails = matches!(run.outcome, TestOutcome::Fail | TestOutcome::Error);
        if !fails || row.result != run.result_key || row.edits != made {
            close(row, &mut circles);
            row.result = run.result_key;
            row.edits = made;
        }
        let is_new_turn = row.members.last().is_none_or(|(turn, _)| *turn != run.place.turn);
        if fails && is_new_turn {
            row.members.push((run.place.turn, Some(run.place)));
        }
    }
    let mut open: Vec<Row> = rows.into_values().collect();
    open.iter_mut().for_each(|row| close(row, &mut circles));
    circles
}

fn close(row: &mut Row, circles: &mut Vec<Circle>) {
    let members = std::mem::take(&mut row.members);
    if members.len() >= SAME_FAILURES {
        circles.push(Circle::of("L7", members));
    }
}
