//! How a family puts a row: where the evidence lies, and the rule's name and version on it.

use super::{Family, Tagged};
use crate::facts::{Facts, Place, Role};
use crate::model::{Field, Quality, Tag, TagRow, Trajectory};

/// Where the evidence of a row lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    turn: usize,
    call: Option<usize>,
    segment: Option<usize>,
    field: Field,
    span: Option<(usize, usize)>,
}

impl Found {
    /// In the input of a call; a structured tool is its own evidence as a whole.
    pub(super) fn at(place: Place, span: (usize, usize)) -> Found {
        let span = place.segment.map(|_| span);
        Found { turn: place.turn, call: Some(place.call), segment: place.segment, field: Field::Input, span }
    }

    /// The input of a whole call.
    pub(super) fn call(turn: usize, call: usize) -> Found {
        Found { turn, call: Some(call), segment: None, field: Field::Input, span: None }
    }

    /// In the text of a response; `None` for all of it.
    pub(super) fn text(turn: usize, span: Option<(usize, usize)>) -> Found {
        Found { turn, call: None, segment: None, field: Field::Text, span }
    }
}

impl Tagged {
    /// Puts a row of this family.
    pub(super) fn push(&mut self, family: &Family, tag: Tag, found: Found) {
        self.put((family.name, family.version), tag, found);
    }

    /// Puts a row of a rule by its name and version.
    pub(super) fn put(&mut self, (rule, rule_version): (&'static str, i64), tag: Tag, found: Found) {
        self.rows.push(TagRow {
            turn: found.turn,
            call: found.call,
            segment: found.segment,
            tag,
            rule,
            rule_version,
            field: found.field,
            span: found.span,
        });
    }
}

/// One segment, or one structured tool, with its role.
pub(super) struct Unit {
    /// Where.
    pub place: Place,
    /// What it is for.
    pub role: Role,
    /// Bytes of evidence.
    pub span: (usize, usize),
    /// Whether it ran, where that is known.
    pub ran: Option<bool>,
    /// An action of the scaffold's own, not a program of the shell.
    pub is_action: bool,
}

impl Unit {
    /// The evidence of a tag of this unit.
    pub(super) fn found(&self) -> Found {
        Found::at(self.place, self.span)
    }
}

/// Segments and structured tools in order. A call that could not be taken out of its response bears no tag.
pub(super) fn units<'a>(trajectory: &'a Trajectory, facts: &'a Facts) -> impl Iterator<Item = Unit> + 'a {
    let taken = facts.calls.iter().filter(|call| {
        let turn = trajectory.turns.get(call.turn);
        let quality = turn.and_then(|turn| turn.calls.get(call.call)).map(|call| call.quality);
        quality != Some(Quality::Unparsable)
    });
    taken.flat_map(|call| {
        let segments = facts.segments.get(call.segments.clone()).unwrap_or_default();
        let place = Place { turn: call.turn, call: call.call, segment: None };
        let tool = call.role.filter(|_| segments.is_empty());
        let tool = tool.map(|role| Unit { place, role, span: (0, 0), ran: None, is_action: true });
        tool.into_iter().chain(segments.iter().map(|segment| Unit {
            place: segment.place,
            role: segment.role,
            span: segment.span,
            ran: segment.ran,
            is_action: segment.operation.is_some(),
        }))
    })
}
