//! The turns of one trajectory as recovery and loops count them: model turns, and among them those with a call.

use crate::facts::{CallFact, EditFact, Facts, Place, TestRunFact};
use crate::model::{Origin, Quality, Trajectory};

/// One trajectory with what is looked up again and again.
pub(super) struct Turns<'a> {
    /// The log.
    pub trajectory: &'a Trajectory,
    /// What it did.
    pub facts: &'a Facts,
    /// Number among model turns, by turn.
    model_turn: Vec<Option<usize>>,
    /// Turn of each model turn.
    turn: Vec<usize>,
}

impl<'a> Turns<'a> {
    /// Looks at the origins.
    pub(super) fn new(trajectory: &'a Trajectory, facts: &'a Facts) -> Turns<'a> {
        let mut model_turn = Vec::with_capacity(trajectory.turns.len());
        let mut turn = Vec::new();
        for (place, candidate) in trajectory.turns.iter().enumerate() {
            let is_model = candidate.origin == Origin::Model;
            model_turn.push(is_model.then_some(turn.len()));
            if is_model {
                turn.push(place);
            }
        }
        Turns { trajectory, facts, model_turn, turn }
    }

    /// Number among model turns; `None` for a turn of another origin.
    pub(super) fn model_turn(&self, turn: usize) -> Option<usize> {
        self.model_turn.get(turn).copied().flatten()
    }

    /// The turn is the model's.
    pub(super) fn is_model(&self, turn: usize) -> bool {
        self.model_turn(turn).is_some()
    }

    /// Number that the next model turn at or after this one has; the number of model turns where none follows.
    pub(super) fn model_turn_from(&self, turn: usize) -> usize {
        self.turn.partition_point(|model| *model < turn)
    }

    /// Model turns in order, as turns over all origins.
    pub(super) fn model_turns(&self) -> &[usize] {
        &self.turn
    }

    /// Calls of model turns, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &'a CallFact> {
        self.facts.calls.iter().filter(|call| self.is_model(call.turn))
    }

    /// Calls of a turn.
    pub(super) fn calls_of(&self, turn: usize) -> &'a [CallFact] {
        let calls = self.facts.calls.as_slice();
        let from = calls.partition_point(|call| call.turn < turn);
        &calls[from..from + calls[from..].partition_point(|call| call.turn == turn)]
    }

    /// Test runs of a call.
    pub(super) fn test_runs_of(&self, call: &CallFact) -> &'a [TestRunFact] {
        of_call(&self.facts.test_runs, call, |run| run.place)
    }

    /// Edits of a call.
    pub(super) fn edits_of(&self, call: &CallFact) -> &'a [EditFact] {
        of_call(&self.facts.edits, call, |edit| edit.place)
    }

    /// Quality of a call in the log.
    pub(super) fn quality(&self, call: &CallFact) -> Quality {
        let turn = self.trajectory.turns.get(call.turn);
        turn.and_then(|turn| turn.calls.get(call.call)).map_or(Quality::Valid, |call| call.quality)
    }

    /// The scaffold stopped the call.
    pub(super) fn timed_out(&self, call: &CallFact) -> bool {
        let turn = self.trajectory.turns.get(call.turn);
        turn.and_then(|turn| turn.calls.get(call.call)).is_some_and(|call| call.timed_out)
    }

    /// Observation of a call in the log.
    pub(super) fn observation(&self, call: &CallFact) -> &'a str {
        let turn = self.trajectory.turns.get(call.turn);
        let call = turn.and_then(|turn| turn.calls.get(call.call));
        call.and_then(|call| call.observation.as_deref()).unwrap_or_default()
    }
}

fn of_call<'a, T>(list: &'a [T], call: &CallFact, of: impl Fn(&T) -> Place) -> &'a [T] {
    let wanted = (call.turn, call.call);
    let key = |item: &T| (of(item).turn, of(item).call);
    let from = list.partition_point(|item| key(item) < wanted);
    &list[from..from + list[from..].partition_point(|item| key(item) == wanted)]
}
