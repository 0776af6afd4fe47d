//! Failing events in order: refused responses, rejected calls, edits without effect, failing tests, failed commands. One
//! event a shell line: the first of edit, test, command that applies.

use crate::facts::{CallFact, Place};
use crate::model::Quality;
use crate::tags::failing::{Failed, TestFailure, failed_command, test_failures};
use crate::tags::turns::Turns;
use crate::tags::{Event, EventKind, Fate};

use super::programs::Program;

/// One event with what its recovery is measured against.
pub(super) struct Failing<'a> {
    /// The event as it is stored; what came of it is filled in later.
    pub event: Event,
    /// Where it lies among segments; the first place of its turn where it has none.
    pub place: Place,
    /// The number of its turn among model turns; that of the next turn for a refusal without a response.
    pub model_turn: usize,
    /// Key of the call's action.
    pub action: Option<u64>,
    /// What must succeed (R2).
    pub program: Option<Program<'a>>,
    /// The test run (R4, R5), an index of `Facts::test_runs`.
    pub test_run: Option<usize>,
}

/// All failing events of model turns, and the refusals that the log does not keep; those that are only counted come last.
pub(super) fn failing<'a>(turns: &Turns<'a>) -> Vec<Failing<'a>> {
    let tests = test_failures(turns.trajectory, turns.facts);
    let mut refusals: Vec<usize> =
        turns.trajectory.refusals.iter().filter_map(|refusal| refusal.before_turn).collect();
    refusals.sort_unstable();
    let mut refusals = refusals.into_iter().peekable();
    let mut found = Vec::new();
    for &turn in turns.model_turns() {
        while let Some(before) = refusals.next_if(|before| *before <= turn) {
            found.push(refusal(turns, Some(before)));
        }
        of_turn(turns, turn, &tests, &mut found);
    }
    found.extend(refusals.map(|before| refusal(turns, Some(before))));
    let counted = turns.trajectory.refusals.iter().filter(|refusal| refusal.before_turn.is_none());
    found.extend(counted.map(|_| refusal(turns, None)));
    found
}

fn refusal<'a>(turns: &Turns<'a>, before: Option<usize>) -> Failing<'a> {
    let turn = before.unwrap_or(turns.trajectory.turns.len());
    Failing {
        event: Event { before_turn: before, ..blank(EventKind::Format) },
        place: Place { turn, call: 0, segment: None },
        model_turn: turns.model_turn_from(turn),
        action: None,
        program: None,
        test_run: None,
    }
}

fn blank(kind: EventKind) -> Event {
    Event {
        kind,
        turn: None,
        before_turn: None,
        call: None,
        path: None,
        program: None,
        recovered_turn: None,
        code: None,
        fixed_turn: None,
        after_source_edit: false,
        fate: Fate::Unknown,
    }
}

fn of_turn<'a>(turns: &Turns<'a>, turn: usize, tests: &[TestFailure], found: &mut Vec<Failing<'a>>) {
    let response = &turns.trajectory.turns[turn];
    if response.calls.is_empty() {
        let kind = match response.quality_without_call {
            Quality::Unparsable => EventKind::Format,
            Quality::Parsable => EventKind::Tool,
            Quality::Valid | Quality::None => return,
        };
        found.push(at(turns, Place { turn, call: 0, segment: None }, blank(kind), None));
        return;
    }
    found.extend(turns.calls_of(turn).iter().filter_map(|call| of_call(turns, call, tests)));
}

fn at<'a>(turns: &Turns<'a>, place: Place, event: Event, call: Option<&CallFact>) -> Failing<'a> {
    Failing {
        event: Event { turn: Some(place.turn), call: call.map(|call| call.call), ..event },
        place,
        model_turn: turns.model_turn_from(place.turn),
        action: call.map(|call| call.action_key),
        program: None,
        test_run: None,
    }
}

fn of_call<'a>(turns: &Turns<'a>, call: &'a CallFact, tests: &[TestFailure]) -> Option<Failing<'a>> {
    let whole = Place { turn: call.turn, call: call.call, segment: None };
    match turns.quality(call) {
        Quality::Unparsable => Some(at(turns, whole, blank(EventKind::Format), Some(call))),
        Quality::Parsable => {
            let program = Program::of_rejected(turns, call);
            let event = Event { program: Some(program.name.to_owned()), ..blank(EventKind::Tool) };
            Some(Failing { program: Some(program), ..at(turns, whole, event, Some(call)) })
        }
        Quality::Valid | Quality::None => {
            edit(turns, call).or_else(|| test(turns, call, tests)).or_else(|| command(turns, call))
        }
    }
}

fn edit<'a>(turns: &Turns<'a>, call: &'a CallFact) -> Option<Failing<'a>> {
    let edit = turns.edits_of(call).iter().find(|edit| edit.effective == Some(false))?;
    let event = Event { path: edit.path.clone(), ..blank(EventKind::Edit) };
    Some(at(turns, edit.place, event, Some(call)))
}

fn test<'a>(turns: &Turns<'a>, call: &'a CallFact, tests: &[TestFailure]) -> Option<Failing<'a>> {
    let runs = &turns.facts.test_runs;
    let from = tests.partition_point(|failure| {
        let place = runs[failure.run].place;
        (place.turn, place.call) < (call.turn, call.call)
    });
    let failure = tests.get(from)?;
    let run = &runs[failure.run];
    if (run.place.turn, run.place.call) != (call.turn, call.call) {
        return None;
    }
    let program = turns.facts.segments.binary_search_by_key(&run.place, |segment| segment.place).ok();
    let program = program.map(|index| turns.facts.segments[index].program.clone());
    let event = Event { program, after_source_edit: failure.after_source_edit, ..blank(EventKind::Test) };
    Some(Failing { test_run: Some(failure.run), ..at(turns, run.place, event, Some(call)) })
}

fn command<'a>(turns: &Turns<'a>, call: &'a CallFact) -> Option<Failing<'a>> {
    let (place, program) = match failed_command(turns, call)? {
        Failed::Segment(segment) => (segment.place, Program::of_segment(segment)),
        Failed::Tool => {
            let place = Place { turn: call.turn, call: call.call, segment: None };
            (place, Some(Program::of_tool(turns, call)))
        }
        Failed::Line => (Place { turn: call.turn, call: call.call, segment: None }, None),
    };
    let name = program.as_ref().map(|program| program.name).or_else(|| segment_name(turns, place));
    let event = Event { program: name.map(str::to_owned), ..blank(EventKind::Command) };
    Some(Failing { program, ..at(turns, place, event, Some(call)) })
}

fn segment_name<'a>(turns: &Turns<'a>, place: Place) -> Option<&'a str> {
    let segments = &turns.facts.segments;
    let found = segments.binary_search_by_key(&place, |segment| segment.place).ok()?;
    Some(segments[found].program.as_str()).filter(|name| !name.is_empty())
}
