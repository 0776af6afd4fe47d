//! Questions that several behaviours ask of one trajectory. Only model turns answer (`definitions.md` §2).

use super::{Evidence, Measured};
use crate::facts::{EditFact, EditKind, EditTarget, NotRunReason, Place, TestOutcome, TestRunFact};
use crate::model::{Origin, TagName, TagRow};

impl Measured {
    /// Whether something happened in a run to which it applies.
    pub fn of(happened: bool) -> Measured {
        Measured { num: Some(i64::from(happened)), den: 1 }
    }

    /// Not applicable.
    pub const NOT_APPLICABLE: Measured = Measured { num: Some(0), den: 0 };

    /// Whether something happened, where it applies.
    pub fn given(applies: bool, happened: bool) -> Measured {
        if applies { Measured::of(happened) } else { Measured::NOT_APPLICABLE }
    }

    /// So many of so many.
    pub fn ratio(num: usize, den: usize) -> Measured {
        Measured { num: Some(num as i64), den: den as i64 }
    }

    /// A size; `None` where the log does not say.
    pub fn size(value: Option<i64>) -> Measured {
        Measured { num: value, den: 1 }
    }
}

impl Evidence<'_> {
    /// The turn is the model's.
    pub fn is_model(&self, turn: usize) -> bool {
        self.trajectory.turns.get(turn).is_some_and(|turn| turn.origin == Origin::Model)
    }

    /// Tag rows of model turns that bear this name.
    pub fn rows(&self, name: TagName) -> impl Iterator<Item = &TagRow> {
        self.tagged.rows.iter().filter(move |row| row.tag.name == name && self.is_model(row.turn))
    }

    /// The segment or tool of a place was seen not to run.
    pub fn did_not_run(&self, place: Place) -> bool {
        let segments = &self.facts.segments;
        let found = segments.binary_search_by_key(&place, |segment| segment.place);
        found.is_ok_and(|index| segments[index].ran == Some(false))
    }

    /// Effective edits by model turns.
    pub fn effective_edits(&self) -> impl Iterator<Item = &EditFact> {
        self.facts.edits.iter().filter(|edit| edit.effective == Some(true) && self.is_model(edit.place.turn))
    }

    /// Effective edits of source files, reverts included.
    pub fn source_edits(&self) -> impl Iterator<Item = &EditFact> {
        self.effective_edits().filter(|edit| edit.target == Some(EditTarget::Source))
    }

    /// An effective edit of source that is no revert.
    pub fn has_autonomous_edit(&self) -> bool {
        self.source_edits().any(|edit| edit.kind != EditKind::Revert)
    }

    /// Test runs of model turns that ran (`definitions.md` §5, active testing).
    pub fn tests_that_ran(&self) -> impl Iterator<Item = &TestRunFact> {
        self.facts.test_runs.iter().filter(|run| {
            let stopped_before = matches!(
                run.reason,
                Some(NotRunReason::Missing | NotRunReason::Usage | NotRunReason::Skipped)
            );
            self.is_model(run.place.turn) && !(run.outcome == TestOutcome::NotRun && stopped_before)
        })
    }

    /// The place of the last effective source edit, reverts included. A test at the same place comes after it: a script
    /// that does both patches first.
    pub fn last_source_edit(&self) -> Option<Place> {
        self.source_edits().map(|edit| edit.place).max()
    }

    /// Number of model turns; `None` where the log has no response boundaries, so that it is not known.
    pub fn model_turns(&self) -> Option<usize> {
        self.trajectory.has_turn_boundaries.then(|| self.trajectory.model_turns().count())
    }

    /// A share of model turns; not applicable where their number is not known.
    pub fn share_of_turns(&self, turns: usize) -> Measured {
        self.model_turns().map_or(Measured::NOT_APPLICABLE, |all| Measured::ratio(turns, all))
    }
}
