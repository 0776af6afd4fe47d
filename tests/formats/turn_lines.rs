//! Turn lines parse to what they say, and print so that parsing gives everything back.

use ethogram::model::turn_lines::{parse, print, print_marked};
use ethogram::model::{
    Call, CallKind, CommandSet, ObservationState, Operation, Origin, PatchState, Quality, Refusal,
    Termination, Trajectory, Turn, quality_reason,
};
use proptest::prelude::*;

#[test]
fn an_example_of_a_family_is_read() {
    let example = parse(
        r"
        @ task Fix the crash.
        run pytest -q tests -> 1: 1 failed, 2 passed   #! testing/suite=fail
        edit src/a.py -> ok
        | I mend it.
        + [cwd=/r] run git diff -> 0:                  #! exploration/review
        refused
        say Done.
        #! run: reedit_after_failed_test 1/1, active_testing 1/1
        ",
    )
    .unwrap();
    let run = &example.trajectory;
    assert_eq!(run.task.as_deref(), Some("Fix the crash."));
    assert_eq!(run.turns.len(), 3);
    let test = &run.turns[0].calls[0];
    assert_eq!((test.tool.as_str(), test.kind), ("bash", CallKind::Shell));
    assert_eq!(test.input, "pytest -q tests");
    assert_eq!(test.exit_code, Some(1));
    assert_eq!(test.observation.as_deref(), Some("1 failed, 2 passed"));
    let edit = &run.turns[1].calls[0];
    let replace = Operation::Replace { path: Some("src/a.py".to_owned()), old: None, new: None };
    assert_eq!(edit.operation, Some(replace));
    assert_eq!((edit.tool.as_str(), edit.is_error), ("edit", Some(false)));
    assert_eq!(run.turns[1].text, "I mend it.");
    assert_eq!(run.turns[1].calls[1].cwd.as_deref(), Some("/r"));
    assert_eq!(run.turns[1].calls[1].observation.as_deref(), Some(""));
    assert_eq!(run.turns[2].quality(), Quality::None);
    assert_eq!(run.refusals, [Refusal { before_turn: Some(2) }]);
    assert!(run.logs_exit_codes);
    let marks: Vec<_> = example
        .marks
        .iter()
        .map(|mark| (mark.turn, mark.call, mark.label.as_str(), mark.value.as_deref()))
        .collect();
    assert_eq!(marks, [(0, None, "testing/suite", Some("fail")), (1, Some(1), "exploration/review", None)]);
    let labels: Vec<_> =
        example.run_marks.iter().map(|mark| (mark.label.as_str(), mark.value.as_str())).collect();
    assert_eq!(labels, [("reedit_after_failed_test", "1/1"), ("active_testing", "1/1")]);
}

#[test]
fn a_last_submit_ends_the_run_and_a_refused_one_does_not() {
    let submitted = parse("run ls -> 0: a\nsubmit -> ok").unwrap().trajectory;
    assert_eq!(submitted.termination, Termination::Submitted);
    assert_eq!(submitted.submitting_turn, Some(1));
    assert_eq!(submitted.patch_state, PatchState::Nonempty);
    let refused = parse("submit -> error: tests are missing").unwrap().trajectory;
    assert_eq!((refused.termination, refused.submitting_turn), (Termination::Unknown, None));
    let said = parse("@ end cost_limit auto\n@ patch empty\nsubmit\nrun ls").unwrap().trajectory;
    assert_eq!((said.termination, said.auto_submitted), (Termination::CostLimit, true));
    assert_eq!((said.submitting_turn, said.patch_state), (None, PatchState::Empty));
}

#[test]
fn signs_within_text_are_text() {
    let line = r#"run cat > a.sh <<'E'\n#!/bin/sh\ngrep "a\|b" x \-> y\nE -> 0: a -> b   #! editing/create"#;
    let example = parse(line).unwrap();
    let call = &example.trajectory.turns[0].calls[0];
    assert_eq!(call.input, "cat > a.sh <<'E'\n#!/bin/sh\ngrep \"a\\|b\" x -> y\nE");
    assert_eq!(call.observation.as_deref(), Some("a -> b"));
    assert_eq!(example.marks.len(), 1);
}

#[test]
fn structured_calls_have_verb_path_and_text() {
    let text = "\
view src/a.py: 1-20 -> ok: x
search src: def f -> ok
search : def f
create a.py: x: int = 1 -> ok
edit src/a.py: a => b -> error: no match
edit : => b -> ok
edit src/a.py: a => -> ok
edit src/a.py: => -> ok
create b.py: -> ok
insert a.py: y -> ok
undo a.py -> ok
edit@Edit src/a.py -> ok
think I should look first.
web https://example.org
delegate look at the tests
submit
";
    let example = parse(text).unwrap();
    let operations: Vec<_> =
        example.trajectory.turns.iter().map(|turn| turn.calls[0].operation.clone().unwrap()).collect();
    assert_eq!(operations[0], Operation::View { path: Some("src/a.py".to_owned()), lines: Some((1, 20)) });
    assert_eq!(operations[2], Operation::Search { path: None, pattern: Some("def f".to_owned()) });
    assert_eq!(
        operations[3],
        Operation::Create { path: "a.py".to_owned(), text: Some("x: int = 1".to_owned()) }
    );
    assert_eq!(operations[5], Operation::Replace { path: None, old: None, new: Some("b".to_owned()) });
    // An empty text is a text: the new one of what was taken out, that of an empty file.
    let (path, empty) = (Some("src/a.py".to_owned()), Some(String::new()));
    let cut = Operation::Replace { path: path.clone(), old: Some("a".to_owned()), new: empty.clone() };
    assert_eq!(operations[6], cut);
    assert_eq!(operations[7], Operation::Replace { path, old: None, new: empty.clone() });
    assert_eq!(operations[8], Operation::Create { path: "b.py".to_owned(), text: empty });
    assert_eq!(example.trajectory.turns[11].calls[0].tool, "Edit");
    assert_eq!(print(&example.trajectory, None), text);
}

#[test]
fn faults_name_their_line() {
    for (text, line, word) in [
        ("run ls\nlist files", 2, "`list` is no verb"),
        ("run ls -> maybe: x", 1, "`maybe`"),
        ("| text", 1, "no turn"),
        ("@ colour red", 1, "colour"),
        ("[reason=boredom] run ls", 1, "boredom"),
        ("run ls\n#! testing", 2, "#! run:"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text}");
        assert!(error.what.contains(word), "{text}: {error}");
    }
}

#[test]
fn long_text_is_cut_in_the_middle_and_marks_are_shown() {
    let mut run = Trajectory::new("turn-lines", "turn-lines");
    let mut turn = Turn::new("");
    let mut call = Call::new("bash", CallKind::Shell, "cat big");
    call.observation = Some("é".repeat(1000));
    call.observation_state = ObservationState::Full;
    turn.calls.push(call);
    run.turns.push(turn);
    let text = print_marked(&run, Some(9), |_| "exploration/read".to_owned());
    assert_eq!(text, "run cat big -> ?: ééé…(1,992 bytes)é   #! exploration/read\n");
}

#[test]
fn reasons_and_scaffold_commands_are_sorted() {
    assert!(quality_reason::REASONS.is_sorted());
    for command in
        ["edit 3:9\nx\nend_of_edit", "submit", "str_replace_editor view /r", "view_image a", "close_site"]
    {
        let word = command.split_whitespace().next().unwrap();
        assert_eq!(CommandSet::SweAgent.tool(command), word);
        assert_eq!(CommandSet::Plain.tool(command), "bash");
    }
    assert_eq!(CommandSet::SweAgent.tool("grep -n edit a.py"), "bash");
}

/// Text with everything that could be taken for a sign of the form.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "é",
        " ",
        "  ",
        "\n",
        "\r",
        "\t",
        "\\",
        "\\n",
        "\\u{41}",
        "->",
        " -> ",
        "=>",
        " => ",
        "#!",
        "  #! x",
        ": ",
        ":",
        "]",
        "[",
        ",",
        "\u{1b}[0m",
        "\u{2028}",
        "@",
        "+ ",
        "# ",
        "|",
        "?",
        "-",
        "1-2",
        "=",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn some_text() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("x{text}"))
}

fn path() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["src/a.py", "/r/a b.py", "a: b.py", "c->d", "e -> f", "\\odd", "g => h"])
        .prop_map(str::to_owned)
}

fn operation() -> impl Strategy<Value = Operation> {
    let path_or_none = || prop::option::of(path());
    prop_oneof![
        (path_or_none(), prop::option::of((1..9i64, 9..99i64)))
            .prop_map(|(path, lines)| Operation::View { path, lines }),
        (path_or_none(), prop::option::of(some_text()))
            .prop_map(|(path, pattern)| Operation::Search { path, pattern }),
        (path(), prop::option::of(some_text())).prop_map(|(path, text)| Operation::Create { path, text }),
        (path_or_none(), prop::option::of(some_text()), prop::option::of(some_text()))
            .prop_map(|(path, old, new)| Operation::Replace { path, old, new }),
        (path_or_none(), prop::option::of(some_text()))
            .prop_map(|(path, new)| Operation::Insert { path, new }),
        path_or_none().prop_map(|path| Operation::Undo { path }),
        path().prop_map(|path| Operation::Delete { path }),
        Just(Operation::Submit),
        Just(Operation::Exit),
        Just(Operation::Plan),
        Just(Operation::EndRole),
        prop::option::of(some_text()).prop_map(|target| Operation::Web { target }),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let result = (
        prop::option::of(-1..130i64),
        prop::option::of(any::<bool>()),
        prop::option::of(text()),
        any::<bool>(),
        prop::sample::select(vec![ObservationState::Full, ObservationState::Cut, ObservationState::Shared]),
    );
    let place = (prop::option::of(path()), prop::option::of(path()), prop::option::of(0..999i64));
    let reason = prop::option::of(prop::sample::select(quality_reason::REASONS.to_vec()));
    let what = prop_oneof![
        some_text().prop_map(|input| Call::new("bash", CallKind::Shell, input)),
        (operation(), prop::sample::select(vec!["edit", "odd tool", "x@y"])).prop_map(|(operation, tool)| {
            let mut call = Call::new(tool, CallKind::Tool, "");
            call.operation = Some(operation);
            call
        }),
    ];
    (what, result, place, reason).prop_map(|(mut call, result, place, reason)| {
        let (exit_code, is_error, observation, timed_out, state) = result;
        if let Some(observation) = observation {
            (call.exit_code, call.is_error, call.timed_out) = (exit_code, is_error, timed_out);
            (call.observation, call.observation_state) = (Some(observation), state);
        }
        (call.cwd, call.open_file, call.duration_ms) = place;
        if let Some(reason) = reason {
            (call.quality, call.quality_reason) = (Quality::Parsable, Some(reason));
        }
        call
    })
}

fn turn() -> impl Strategy<Value = Turn> {
    let origin = prop::sample::select(vec![Origin::Model, Origin::Prefix, Origin::Demo, Origin::Abandoned]);
    let sizes = (prop::option::of(0..9i64), prop::option::of(0..9i64), prop::option::of(0..9i64));
    let seen = (text(), prop::option::of(text()), any::<bool>(), prop::option::of(0..2u8));
    (origin, prop::collection::vec(call(), 0..3), sizes, seen).prop_map(|(origin, calls, sizes, seen)| {
        let (text, reasoning, accepted, diff) = seen;
        let mut turn = Turn::new(text);
        (turn.tokens_in, turn.tokens_out, turn.logged_at) = sizes;
        turn.diff_after = diff.map(|diff| blake3::hash(&[diff]));
        if calls.is_empty() && !accepted {
            turn.quality_without_call = Quality::Unparsable;
            turn.quality_reason = Some(quality_reason::NO_ACTION);
        }
        Turn { origin, reasoning, accepted, calls, ..turn }
    })
}

/// What the form does not hold of a structured call is its raw input.
fn without_inputs(mut run: Trajectory) -> Trajectory {
    for call in run.turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        if call.kind == CallKind::Tool {
            call.input.clear();
        }
    }
    run
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]
    #[test]
    fn turn_lines_round_trip(turns in prop::collection::vec(turn(), 0..5), task in prop::option::of(text())) {
        let mut run = Trajectory::new("turn-lines", "turn-lines");
        run.turns = turns;
        run.task = task;
        run.steps = Some(3);
        run.termination = Termination::CostLimit;
        run.auto_submitted = true;
        run.raw_exit_status = Some("submitted (exit_cost)".to_owned());
        run.submitting_turn = Some(7);
        run.patch_state = PatchState::Foreign;
        run.refusals = vec![
            Refusal { before_turn: None }, Refusal { before_turn: None },
            Refusal { before_turn: Some(0) }, Refusal { before_turn: Some(run.turns.len()) },
        ];
        let text = print(&run, None);
        let back = parse(&text).unwrap().trajectory;
        prop_assert_eq!(without_inputs(back), without_inputs(run), "{}", text);
    }
}
