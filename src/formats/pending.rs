//! Calls whose results come in later records of a session, found again by the id that the scaffold gave them
//! (`formats-other.md` §7, §8). Results that come after others, twice or without a call are all seen in real sessions.

use crate::model::{Call, Turn};
use std::collections::BTreeMap;

/// Where each call stands.
#[derive(Debug, Default)]
pub struct Pending(BTreeMap<String, (usize, usize)>);

impl Pending {
    /// Notes the last call of the last turn under an id.
    pub fn note(&mut self, id: &str, turns: &[Turn]) {
        let Some(turn) = turns.len().checked_sub(1) else { return };
        let Some(call) = turns[turn].calls.len().checked_sub(1) else { return };
        self.0.insert(id.to_owned(), (turn, call));
    }

    /// The call of an id.
    pub fn call<'t>(&self, id: &str, turns: &'t mut [Turn]) -> Option<&'t mut Call> {
        let (turn, call) = *self.0.get(id)?;
        turns.get_mut(turn)?.calls.get_mut(call)
    }
}
