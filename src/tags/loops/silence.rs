//! L6: turns without a call; L9: refused responses, those that the log does not keep among them.

use super::{Circle, MONOLOGUE, UNPARSABLE};
use crate::facts::Place;
use crate::model::Quality;
use crate::tags::turns::Turns;

type Members = Vec<(usize, Option<Place>)>;

/// L6. A row in which every response was refused is L9's alone. Where a plain message ends the agent's turn, somebody
/// answered between two of them: that is a dialogue.
pub(super) fn monologues(turns: &Turns) -> Vec<Circle> {
    let mut circles = Vec::new();
    if !turns.trajectory.can_submit {
        return circles;
    }
    let mut row: Members = Vec::new();
    let mut speaks = false;
    let mut close = |row: &mut Members, speaks: &mut bool| {
        let members = std::mem::take(row);
        if members.len() >= MONOLOGUE && *speaks {
            circles.push(Circle::of("L6", members));
        }
        *speaks = false;
    };
    for turn in turns.model_turns() {
        let response = &turns.trajectory.turns[*turn];
        if response.calls.is_empty() {
            row.push((*turn, None));
            speaks |= response.quality_without_call != Quality::Unparsable;
        } else {
            close(&mut row, &mut speaks);
        }
    }
    close(&mut row, &mut speaks);
    circles
}

/// L9. Refusals that are only counted have no place, so nobody knows whether they stood in a row.
pub(super) fn unparsable(turns: &Turns) -> Vec<Circle> {
    let all = &turns.trajectory.turns;
    let mut refusals = vec![0; all.len() + 1];
    for before in turns.trajectory.refusals.iter().filter_map(|refusal| refusal.before_turn) {
        refusals[before.min(all.len())] += 1;
    }
    let mut circles = Vec::new();
    let mut row = Row::default();
    for (turn, response) in all.iter().enumerate() {
        row.refuse(turn, refusals[turn]);
        if !turns.is_model(turn) {
            continue;
        }
        if response.quality() == Quality::Unparsable {
            row.members.push((turn, None));
        } else {
            row.close(&mut circles);
        }
    }
    // Refusals after the last turn lie at the end of the log.
    row.refuse(all.len().saturating_sub(1), refusals[all.len()]);
    row.close(&mut circles);
    circles
}

#[derive(Default)]
struct Row {
    members: Members,
    unsaved: usize,
    /// The turn before which the first refusal lies.
    at: Option<usize>,
}

impl Row {
    fn refuse(&mut self, turn: usize, times: usize) {
        if times > 0 {
            self.unsaved += times;
            self.at.get_or_insert(turn);
        }
    }

    fn close(&mut self, circles: &mut Vec<Circle>) {
        let row = std::mem::take(self);
        let rounds = row.members.len() + row.unsaved;
        if rounds >= UNPARSABLE {
            let first = row.members.first().map(|(turn, _)| *turn);
            let at = first.into_iter().chain(row.at).min().unwrap_or_default();
            circles.push(Circle { rounds, at, ..Circle::of("L9", row.members) });
        }
    }
}
