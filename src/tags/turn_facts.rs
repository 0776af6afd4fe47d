//! What is known of a turn beside its tags: primary tag, repeated action, waiting (table `turn_facts`).

use super::TurnFact;
use super::loops::steps;
use super::turns::Turns;
use crate::facts::Facts;
use crate::model::{TagName, TagRow, Trajectory};

/// One a turn, over all origins.
pub(super) fn of(trajectory: &Trajectory, facts: &Facts, rows: &[TagRow]) -> Vec<TurnFact> {
    let mut turns = vec![TurnFact::default(); trajectory.turns.len()];
    for row in rows {
        if let Some(turn) = turns.get_mut(row.turn) {
            turn.primary = first(turn.primary, row.tag.name);
        }
    }
    let all = Turns::new(trajectory, facts);
    let steps = steps(&all);
    for (place, step) in steps.iter().enumerate() {
        let turn = &mut turns[step.turn];
        turn.poll = step.poll;
        if let Some(before) = place.checked_sub(1).map(|before| &steps[before]) {
            turn.repeat_action = before.action == step.action;
            turn.same_observation = step.observation.is_some() && before.observation == step.observation;
        }
    }
    turns
}

/// The one of two tags that comes first in the order of primary tags; recovery and loop are none.
fn first(held: Option<TagName>, found: TagName) -> Option<TagName> {
    let rank = |name: TagName| TagName::PRIMARY.iter().position(|primary| *primary == name);
    match (held.and_then(rank), rank(found)) {
        (_, None) => held,
        (None, Some(_)) => Some(found),
        (Some(held_rank), Some(rank)) => {
            if rank < held_rank {
                Some(found)
            } else {
                held
            }
        }
    }
}
