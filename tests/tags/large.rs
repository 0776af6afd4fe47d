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
fn hostile() -> (Trajectory, Facts) {
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
    for turn in 0..TURNS {
        let mut response = Turn::new("no ".repeat(2_000));
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

#[test]
fn five_thousand_hostile_turns_take_less_than_a_second() {
    let (trajectory, facts) = hostile();
    let from = Instant::now();
    let tagged = tags::apply_all(&crate::support::context(), &trajectory, &facts);
    let took = from.elapsed();
    assert_eq!(tagged.turns.len(), TURNS);
    // Unoptimised code on a busy machine: the square of 5,000 would take minutes.
    assert!(took < Duration::from_secs(5), "{took:?}");
    let codes: Vec<&str> = tagged.loops.iter().map(|circle| circle.code).collect();
    for code in ["L4", "L5", "L7", "L8"] {
        assert!(codes.contains(&code), "{code} is not among {} loops", codes.len());
    }
    assert_eq!(tagged.events.len(), 4 * TURNS);
}
