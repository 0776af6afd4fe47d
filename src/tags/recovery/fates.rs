//! What came of an event that was not recovered from: repeated, gave up, ended, moved on (`definitions.md` §6).

use std::collections::HashMap;

use super::events::Failing;
use super::{COMMAND_WINDOW, EDIT_WINDOW, FORMAT_WINDOW};
use crate::facts::Place;
use crate::facts::Role;
use crate::tags::row::units;
use crate::tags::turns::Turns;
use crate::tags::{EventKind, Fate};

/// What later turns are looked through for.
pub(super) struct Fates<'t, 'a> {
    turns: &'t Turns<'a>,
    /// Places of each action, by key.
    actions: HashMap<u64, Vec<Place>>,
    /// Places of each test command, by key.
    tests: HashMap<u64, Vec<Place>>,
    submissions: Vec<Place>,
}

impl<'t, 'a> Fates<'t, 'a> {
    /// Collects calls, tests and submissions of model turns.
    pub(super) fn new(turns: &'t Turns<'a>) -> Fates<'t, 'a> {
        let mut actions: HashMap<u64, Vec<Place>> = HashMap::new();
        for call in turns.calls() {
            let place = Place { turn: call.turn, call: call.call, segment: None };
            actions.entry(call.action_key).or_default().push(place);
        }
        let mut tests: HashMap<u64, Vec<Place>> = HashMap::new();
        for run in turns.facts.test_runs.iter().filter(|run| turns.is_model(run.place.turn)) {
            tests.entry(run.command_key).or_default().push(run.place);
        }
        let submissions = units(turns.trajectory, turns.facts)
            .filter(|unit| unit.role == Role::Submission && unit.ran != Some(false))
            .filter(|unit| turns.is_model(unit.place.turn))
            .map(|unit| unit.place)
            .collect();
        Fates { turns, actions, tests, submissions }
    }

    /// The fate within the event's window. A refusal that the log only counts has no place, hence no fate.
    pub(super) fn of(&self, failing: &Failing) -> Fate {
        if failing.event.turn.is_none() && failing.event.before_turn.is_none() {
            return Fate::Unknown;
        }
        let last = match failing.event.kind {
            EventKind::Format => failing.model_turn + FORMAT_WINDOW,
            EventKind::Tool | EventKind::Command => failing.model_turn + COMMAND_WINDOW,
            EventKind::Edit => failing.model_turn + EDIT_WINDOW,
            EventKind::Test => usize::MAX,
        };
        let within = |places: &[Place], from: Place| {
            let next = places.get(places.partition_point(|place| *place <= from));
            next.is_some_and(|place| self.turns.model_turn(place.turn).is_some_and(|turn| turn <= last))
        };
        match () {
            () if self.again(failing).is_some_and(|(places, from)| within(places, from)) => Fate::Repeated,
            () if within(&self.submissions, failing.place) => Fate::GaveUp,
            () if self.turns.model_turns().len() <= last.saturating_add(1) => Fate::Ended,
            // Where no response is told from the next, more items than the window's may have been within it.
            () if failing.event.kind != EventKind::Test && !self.turns.trajectory.has_turn_boundaries => {
                Fate::Unknown
            }
            () => Fate::MovedOn,
        }
    }

    /// Where the same call, or the same test command, stands, and the place after which it would be a repetition.
    fn again(&self, failing: &Failing) -> Option<(&[Place], Place)> {
        if let Some(run) = failing.test_run.and_then(|run| self.turns.facts.test_runs.get(run)) {
            return Some((self.tests.get(&run.command_key)?, run.place));
        }
        let whole = Place { segment: None, ..failing.place };
        Some((self.actions.get(&failing.action?)?, whole))
    }
}
