//! Keys of actions and observations, polls, failed calls (`definitions.md` §6).

use super::compute;
use ethogram::facts;

#[test]
fn the_same_action_has_the_same_key() {
    let facts = compute(
        "run ls  -la   src -> 0: a\nrun ls -la src -> 0: a\nrun ls -la 'src  x' -> 0: a\nrun ls -la 'src x' -> 0: a\n",
    );
    let keys: Vec<u64> = facts.calls.iter().map(|call| call.action_key).collect();
    assert_eq!(keys[0], keys[1], "runs of blanks");
    assert_ne!(keys[2], keys[3], "blanks inside quotes are text");
}

#[test]
fn durations_addresses_times_and_temp_names_are_masked() {
    let same = compute(
        r"
run pytest -q -> 1: <a at 0x7f12ab> 1 failed in 0.52s at 2024-05-01 10:00:01\nin /tmp/pytest-1/x
run pytest -q -> 1: <a at 0x7f99cd> 1 failed in 12.1s at 2024-05-02 11:30:59\nin /tmp/pytest-2/x
run pytest -q -> 1: <a at 0x7f99cd> 2 failed in 12.1s at 2024-05-02 11:30:59\nin /tmp/pytest-2/x
run pytest -q -> 1: <a at 0x7f12ab> 1 failed in 0.52s\nat 2024-05-01 10:00:01 in /tmp/pytest-1/x
",
    );
    let keys: Vec<_> = same.calls.iter().map(|call| call.observation_key).collect();
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2], "a count is no duration");
    assert_eq!(keys[0], keys[3], "lines wrap");
    let once = compute("run ls -> 0: a\n");
    assert_eq!(once.calls[0].observation_key, None, "nothing to compare it with");
}

#[test]
fn waiting_is_a_poll() {
    let facts = compute(
        r"
run sleep 30 && tail -5 out.log -> 0: x
run sleep 1 && pytest -q -> 0: 1 passed
run cat out.log -> 0: 10 %
run cat out.log -> 0: 20 %
run cat a.py -> 0: x
run cat a.py -> 0: x
",
    );
    let polls: Vec<bool> = facts.calls.iter().map(|call| call.is_poll).collect();
    assert_eq!(polls, [true, false, true, true, false, false]);
}

#[test]
fn a_call_fails_by_exit_code_or_by_error_text() {
    let facts = compute(
        r"
@ no-exit-codes
run ls -> ?: a.py
run cat x -> ?: cat: x: No such file or directory
run python x.py -> ?: start\nTraceback (most recent call last):\n  File 'x.py', line 1, in <module>\nValueError: no
run cat a.py -> ?: def f():\n    raise Error('Error: no')\n    # error: none
run open x -> ?: File x not found
run ls
",
    );
    let failed: Vec<Option<bool>> = facts.calls.iter().map(|call| call.failed).collect();
    assert_eq!(failed, [Some(false), Some(true), Some(true), Some(false), Some(true), None]);
    let logged = compute("run grep x a -> 1:\nrun grep x a -> 0: error: x\n");
    assert_eq!(logged.calls.iter().map(|call| call.failed).collect::<Vec<_>>(), [Some(true), Some(false)]);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    /// Transcripts are hostile: no text of a call or of an observation may end the walk.
    #[test]
    fn no_text_ends_the_walk(
        inputs in proptest::collection::vec("[ -~\\n\\té💥$`'\"<>|&;(){}#=/*-]{0,120}", 1..6),
        seen in "[ -~\\n\\té💥:]{0,300}",
    ) {
        use ethogram::model::{Call, CallKind, CommandSet, ObservationState, Trajectory, Turn};
        let mut trajectory = Trajectory::new("test", "swe-agent");
        trajectory.commands = CommandSet::SweAgent;
        for (index, input) in inputs.iter().enumerate() {
            const STARTS: [&str; 8] = [
                "", "edit 1:2\n", "str_replace_editor view ", "python - <<'E'\n", "sed -i ", "git checkout ", "curl ", "plan ",
            ];
            let mut call = Call::new("bash", CallKind::Shell, format!("{}{input}", STARTS[(index + input.len()) % 8]));
            call.observation = Some(format!("[File: é (3 lines total)]\n{seen}\nTraceback (most recent call last)\n{input}"));
            call.observation_state = ObservationState::Full;
            let mut turn = Turn::new("");
            turn.calls.push(call);
            trajectory.turns.push(turn);
        }
        let facts = facts::compute(&trajectory, &super::context());
        proptest::prop_assert_eq!(facts.calls.len(), trajectory.turns.len());
        for segment in &facts.segments {
            let input = &trajectory.turns[segment.place.turn].calls[segment.place.call].input;
            proptest::prop_assert!(input.get(segment.span.0..segment.span.1).is_some());
        }
    }
}
