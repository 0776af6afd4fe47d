//! Hostile sizes: the work grows with the log, not with its square.

use std::time::{Duration, Instant};

use ethogram::facts::{
    CallFact, EditEvidence, EditFact, EditKind, EditReason, EditTarget, Facts, Place, ReadFact, TestCounts,
    TestEvidence, TestKind, TestOutcome, TestRunFact,
};
use ethogram::model::{Call, CallKind, PatchState, Trajectory, Turn};
use ethogram::tags;

const TURNS: usize = 5_000;

/// Every turn reads the same file, fails an edit, fails a test and repeats itself: the worst for every loop and recovery.
fn hostile(turns: usize) -> (Trajectory, Facts) {
    let mut trajectory = Trajectory::new("turn-lines", "turn-lines");
    let mut facts = Facts {
        calls: Vec::new(),
        segments: Vec::new(),
        reads: Vec::new(),
        edits: Vec::new(),
        test_runs: Vec::new(),
        network: Vec::new(),
        created: Vec::new(),
        repository_root: None,
        patch_state: PatchState::Missing,
    };
    for turn in 0..turns {
        // A tail costs the same whatever stands beside it: one in twenty is enough.
        let mut response =
            Turn::new(if turn.is_multiple_of(20) { "no ".repeat(2_000) } else { String::new() });
        response.calls = vec![Call::new("bash", CallKind::Shell, "x"); 4];
        trajectory.turns.push(response);
        for call in 0..4 {
            push(&mut facts, Place { turn, call, segment: None });
        }
    }
    (trajectory, facts)
}

fn push(facts: &mut Facts, place: Place) {
    facts.calls.push(CallFact {
        turn: place.turn,
        call: place.call,
        kind: CallKind::Shell,
        segments: 0..0,
        operation: None,
        role: None,
        action_key: 7,
        observation_key: Some(place.turn as u64 % 2),
        exit_code: Some(1),
        failed: Some(true),
        is_poll: false,
    });
    match place.call {
        0 => facts.reads.push(ReadFact {
            place,
            path: "src/a.py".to_owned(),
            lines: Some((1, 100)),
            review: false,
            by_search: false,
        }),
        1 => facts.edits.push(EditFact {
            place,
            path: Some("src/a.py".to_owned()),
            kind: EditKind::Insert,
            target: Some(EditTarget::Source),
            effective: Some(place.turn.is_multiple_of(50)),
            evidence: EditEvidence::Stated,
            reason: Some(EditReason::NoMatch),
            survives: None,
            reverted_later: false,
            text_key: 3,
            is_empty: false,
            span: (0, 1),
        }),
        2 => facts.test_runs.push(TestRunFact {
            place,
            kind: TestKind::Suite,
            runner: Some("pytest"),
            outcome: TestOutcome::Fail,
            reason: None,
            evidence: TestEvidence::Summary,
            counts: TestCounts::default(),
            error_file: None,
            command_key: 5,
            result_key: 6,
            asserts: false,
            span: (0, 1),
        }),
        _ => {}
    }
}

/// The shortest of three times: a busy machine makes a run longer, never shorter.
fn time(turns: usize) -> Duration {
    let (trajectory, facts) = hostile(turns);
    let run = || {
        let from = Instant::now();
        let tagged = tags::apply_all(&crate::support::context(), &trajectory, &facts);
        assert_eq!(tagged.turns.len(), turns);
        from.elapsed()
    };
    (0..3).map(|_| run()).min().unwrap()
}

#[test]
fn hostile_turns_cost_what_their_number_says() {
    let (few, many) = (time(TURNS / 5), time(TURNS));
    // Linear work takes five times as long, quadratic work twenty-five times.
    assert!(many < few * 12, "{TURNS} turns take {many:?}, a fifth of them {few:?}");
}

#[test]
fn hostile_turns_are_what_they_are_made_to_be() {
    let (trajectory, facts) = hostile(200);
    let tagged = tags::apply_all(&crate::support::context(), &trajectory, &facts);
    let codes: Vec<&str> = tagged.loops.iter().map(|circle| circle.code).collect();
    for code in ["L3", "L4", "L5", "L7", "L8", "L10"] {
        assert!(codes.contains(&code), "{code} is not among {} loops", codes.len());
    }
    assert_eq!(tagged.events.len(), 4 * 200);
}
