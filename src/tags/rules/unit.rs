//! One segment or structured tool as conditions see it.

use super::condition::Field;
use crate::facts::{Facts, Place, SegmentFact};
use crate::model::{Call, CallKind, Quality, Trajectory, Turn};
use crate::tags::source::at;

/// A segment, or a structured tool without one.
pub(super) struct Unit<'a> {
    pub place: Place,
    pub span: (usize, usize),
    facts: &'a Facts,
    turn: &'a Turn,
    call: &'a Call,
    segment: Option<&'a SegmentFact>,
}

impl<'a> Unit<'a> {
    pub(super) fn program(&self) -> Option<&'a str> {
        self.segment.map(|segment| segment.program.as_str()).filter(|program| !program.is_empty())
    }

    pub(super) fn tool(&self) -> &'a str {
        &self.call.tool
    }

    /// Programs that the parser has no table of name their subcommand first.
    pub(super) fn subcommand(&self) -> Option<&'a str> {
        let segment = self.segment?;
        segment.subcommand.as_deref().or_else(|| {
            let words = segment.parsed.effective_arguments().iter().map(|word| word.text.as_str());
            words.clone().find(|word| !word.starts_with('-')).filter(|_| segment.parsed.script().is_none())
        })
    }

    pub(super) fn has_host(&self) -> bool {
        !at(&self.facts.network, self.place, |fact| fact.place).is_empty()
    }

    pub(super) fn has_path(&self) -> bool {
        !at(&self.facts.reads, self.place, |read| read.place).is_empty()
            || !at(&self.facts.edits, self.place, |edit| edit.place).is_empty()
    }

    /// Some value of a field passes.
    pub(super) fn any(&self, field: Field, mut test: impl FnMut(&str) -> bool) -> bool {
        match field {
            Field::Program => self.program().is_some_and(test),
            Field::Subcommand => self.subcommand().is_some_and(test),
            Field::Tool => test(self.tool()),
            Field::Host => {
                let hosts = at(&self.facts.network, self.place, |fact| fact.place);
                hosts.iter().filter_map(|fact| fact.host.as_deref()).any(test)
            }
            Field::Path => {
                let reads = at(&self.facts.reads, self.place, |read| read.place);
                let edits = at(&self.facts.edits, self.place, |edit| edit.place);
                reads.iter().any(|read| test(&read.path))
                    || edits.iter().filter_map(|edit| edit.path.as_deref()).any(test)
            }
            Field::Argument => self.segment.is_some_and(|segment| {
                segment.parsed.effective_arguments().iter().any(|word| test(&word.text))
            }),
            Field::Text => test(&self.turn.text),
            Field::Observation => self.call.observation.as_deref().is_some_and(test),
        }
    }

    /// The values of the fields that name it, for messages.
    pub(super) fn described(&self) -> String {
        let mut parts = Vec::new();
        for field in Field::ALL.into_iter().filter(|field| field.names_action()) {
            let mut values = Vec::new();
            self.any(field, |value| {
                values.push(format!("`{value}`"));
                false
            });
            if !values.is_empty() {
                parts.push(format!("{} {}", field.as_str(), values.join(" ")));
            }
        }
        parts.join(", ")
    }
}

/// Segments and structured tools in order. A call that could not be taken out of its response bears no tag.
pub(super) fn units<'a>(trajectory: &'a Trajectory, facts: &'a Facts) -> impl Iterator<Item = Unit<'a>> {
    facts.calls.iter().flat_map(move |fact| {
        let turn = trajectory.turns.get(fact.turn);
        let call = turn.and_then(|turn| turn.calls.get(fact.call));
        let taken = turn.zip(call).filter(|(_, call)| call.quality != Quality::Unparsable);
        let segments = facts.segments.get(fact.segments.clone()).unwrap_or_default();
        let is_tool = fact.kind == CallKind::Tool && segments.is_empty();
        let place = Place { turn: fact.turn, call: fact.call, segment: None };
        taken.into_iter().flat_map(move |(turn, call)| {
            let tool = is_tool.then_some(Unit { place, span: (0, 0), facts, turn, call, segment: None });
            tool.into_iter().chain(segments.iter().map(move |segment| Unit {
                place: segment.place,
                span: segment.span,
                facts,
                turn,
                call,
                segment: Some(segment),
            }))
        })
    })
}
