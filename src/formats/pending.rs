//! Calls whose results come in later records of a log, found again by the id that the scaffold gave them
//! (`formats-other.md` §4, §7, §8). Results that come after others, twice or without a call are all seen in real logs; ids
//! that are given anew in every response too (`toolu_01`), and one id for several calls of a response.

use crate::model::{Call, Turn};
use std::collections::BTreeMap;

/// Where each call stands.
#[derive(Debug, Default)]
pub struct Pending(BTreeMap<String, Vec<(usize, usize)>>);

impl Pending {
    /// Notes the last call of the last turn under an id. The calls of an earlier turn that bore it are forgotten.
    pub fn note(&mut self, id: &str, turns: &[Turn]) {
        let Some(turn) = turns.len().checked_sub(1) else { return };
        let Some(call) = turns[turn].calls.len().checked_sub(1) else { return };
        let places = self.0.entry(id.to_owned()).or_default();
        places.retain(|place| place.0 == turn && place.1 != call);
        places.push((turn, call));
    }

    /// The call of an id: of several in one response the first without a result, and the last of them where all have one.
    pub fn call<'t>(&self, id: &str, turns: &'t mut [Turn]) -> Option<&'t mut Call> {
        let places = self.0.get(id)?;
        let is_open = |place: &&(usize, usize)| {
            let call = turns.get(place.0).and_then(|turn| turn.calls.get(place.1));
            call.is_some_and(|call| call.observation.is_none())
        };
        let (turn, call) = *places.iter().find(is_open).or(places.last())?;
        turns.get_mut(turn)?.calls.get_mut(call)
    }
}

/// Which of the calls that wait a result belongs to. With an id: of the last response that gave it, the first call. Without
/// one: the first call of the last response, since a result that names nothing answers what was said just before; and a
/// result whose id is not known goes to a call without one.
pub fn awaited<'w>(
    waiting: impl DoubleEndedIterator<Item = (usize, Option<&'w str>)> + ExactSizeIterator + Clone,
    last_turn: usize,
    id: Option<&str>,
) -> Option<usize> {
    let given = |known: Option<&str>| id.is_some() && known == id;
    let turn = waiting.clone().rev().find(|(_, known)| given(*known)).map(|(turn, _)| turn);
    match turn {
        Some(turn) => waiting.clone().position(|(place, known)| place == turn && given(known)),
        None => {
            waiting.clone().position(|(turn, known)| turn == last_turn && (known.is_none() || id.is_none()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::awaited;

    #[test]
    fn ids_that_are_given_anew_belong_to_the_last_response() {
        let waiting = [(0, Some("a")), (1, Some("a")), (1, Some("a")), (1, None), (1, Some("b"))];
        let place = |id| awaited(waiting.iter().copied(), 1, id);
        assert_eq!(place(Some("a")), Some(1));
        assert_eq!(place(Some("b")), Some(4));
        // Not known: to the call without an id. None at all: to the first of the last response.
        assert_eq!(place(Some("c")), Some(3));
        assert_eq!(place(None), Some(1));
        // Nothing of an earlier response is answered by what names nothing.
        assert_eq!(awaited(waiting.iter().copied(), 2, None), None);
        assert_eq!(awaited(waiting.iter().copied(), 2, Some("a")), Some(1));
    }
}
