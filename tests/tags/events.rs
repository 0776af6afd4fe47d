//! Failing events with their fates, loops as rows, and what is known of a turn beside its tags.

use ethogram::model::{TagName, turn_lines};
use ethogram::tags::{Event, Tagged};

use super::tagged;

fn of(log: &str) -> Tagged {
    tagged(&turn_lines::parse(log).unwrap().trajectory).1
}

/// `edit 0 recovered R3 1`: kind, turn, fate, code and turn of the recovery.
fn shown(event: &Event) -> String {
    let turn = match (event.turn, event.before_turn) {
        (Some(turn), _) => turn.to_string(),
        (None, Some(before)) => format!("before {before}"),
        (None, None) => "?".to_owned(),
    };
    let mut shown = format!("{} {turn} {}", event.kind.as_str(), event.fate.as_str());
    if let (Some(code), Some(turn)) = (event.code, event.recovered_turn) {
        shown += &format!(" {code} {turn}");
    }
    if let Some(turn) = event.fixed_turn {
        shown += &format!(" fixed {turn}");
    }
    shown
}

#[track_caller]
fn events(log: &str, want: &[&str]) {
    let got: Vec<String> = of(log).events.iter().map(shown).collect();
    assert_eq!(got, want, "{log}");
}

const MISSING: &str = "run cat b.py -> 1: cat: b.py: No such file or directory\n";
const REFUSED: &str = "edit src/a.py: x => y -> error: No match found for the old text\n";
const EDITED: &str = "edit src/a.py: x => y -> ok\n";
const FAILS: &str = "run pytest -q tests/test_a.py -> 1: 1 failed in 0.1s\n";
const PASSES: &str = "run pytest -q tests/test_a.py -> 0: 3 passed in 0.1s\n";

#[test]
fn an_event_that_is_not_recovered_has_a_fate() {
    events(&format!("{MISSING}run ls -> 0: a\n{MISSING}"), &["command 0 repeated", "command 2 ended"]);
    events(&format!("{MISSING}submit -> ok\n"), &["command 0 gave_up"]);
    events(&format!("{MISSING}run ls -> 0: a\n"), &["command 0 ended"]);
    let on = "run ls -> 0: a\n".repeat(2) + "run pwd -> 0: /r\nrun date -> 0: now\n";
    events(&format!("{MISSING}{on}"), &["command 0 moved_on"]);
    events(&format!("{FAILS}{on}{FAILS}submit -> ok\n"), &["test 0 repeated", "test 5 gave_up"]);
    events(&format!("@ no-turn-boundaries\n{MISSING}{on}"), &["command 0 unknown"]);
    events(&format!("@ no-turn-boundaries\n{MISSING}run ls -> 0: a\n"), &["command 0 ended"]);
    events("@ refused 2\nrun ls -> 0: a\n", &["format ? unknown", "format ? unknown"]);
}

#[test]
fn what_failed_is_seen_past_pipes_and_missing_programs() {
    events(
        "run javac A.java && java A -> ?: /bin/bash: line 3: javac: command not found\n",
        &["command 0 ended"],
    );
    events("run xxd a.bin | head -> 0: sh: 1: xxd: not found\n", &["command 0 ended"]);
    events("run python3 -c 'x' -> 127 error: sh: 1: python3: not found\n", &["command 0 ended"]);
    events(
        "run ls; file a | head -3 -> 0: a\\nbash: line 1: file: command not found\n",
        &["command 0 ended"],
    );
    events("run which gdb -> 1\n", &[]);
    events("run cat notes.md -> 0: gdb: command not found\n", &[]);
    // A line that the shell could not read tried to edit.
    let broken = "perl -pe 's/a/can't/' -i a.py && sed -i \\\"s/b/c/\\\" b.py && f(";
    let broken = broken.replace("\\\"", "\"");
    events(
        &format!("run {broken} -> 2: bash: -c: line 1: syntax error near unexpected token `('\n"),
        &["edit 0 ended"],
    );
}

#[test]
fn every_kind_recovers_by_its_own_code() {
    events("unparsable hm\nrun ls -> 0: a\n", &["format 0 recovered R1 1"]);
    events(
        "run ls -> 0: a\nrefused\nrefused\nrun pwd -> 0: /r\n",
        &["format before 1 recovered R1 1", "format before 1 recovered R1 1"],
    );
    events(&format!("{MISSING}run cat a.py -> 0: x\n"), &["command 0 recovered R2 1"]);
    events(&format!("{REFUSED}{EDITED}"), &["edit 0 recovered R3 1"]);
    events(
        &format!("{EDITED}{FAILS}edit src/a.py: y => z -> ok\n{PASSES}"),
        &["test 1 recovered R4 2 fixed 3"],
    );
    events(&format!("{FAILS}{EDITED}{PASSES}"), &["test 0 recovered R5 2 fixed 2"]);
}

#[test]
fn windows_end() {
    let three = "run ls -> 0: a\nrun pwd -> 0: /r\n";
    events(&format!("{MISSING}{three}run cat a.py -> 0: x\n"), &["command 0 recovered R2 3"]);
    events(&format!("{MISSING}{three}run date -> 0: now\nrun cat a.py -> 0: x\n"), &["command 0 moved_on"]);
    let five = format!("{three}run date -> 0: now\nrun id -> 0: me\n");
    events(&format!("{REFUSED}{five}{EDITED}"), &["edit 0 recovered R3 5"]);
    events(&format!("{REFUSED}{five}run uname -> 0: Linux\n{EDITED}"), &["edit 0 moved_on"]);
    // A turn of another origin is no turn of the window.
    let demo = "[demo] run ls -> 0: a\n".repeat(4);
    events(&format!("{MISSING}{demo}run cat a.py -> 0: x\n"), &["command 0 recovered R2 5"]);
}

#[test]
fn a_shell_line_raises_one_event() {
    let edit_first = "run sed -i 's/a/b/' src/missing.py; pytest -q tests/test_a.py -> 1: sed: can't read src/missing.py: No such file or directory\\n1 failed in 0.1s\n";
    events(edit_first, &["edit 0 ended"]);
    let test_first = "run pytest -q tests/test_a.py; cat b.py -> 1: 1 failed in 0.1s\\ncat: b.py: No such file or directory\n";
    events(test_first, &["test 0 ended"]);
    // Two calls of one turn are two lines.
    events(
        &format!("{MISSING}+ run ls c -> 2: ls: cannot access 'c': No such file or directory\n"),
        &["command 0 ended", "command 0 ended"],
    );
}

#[test]
fn what_is_no_failure_raises_no_event() {
    events("run grep -rn foo src -> 1:\n", &[]);
    events("run diff a b -> 1: 1c1\n", &[]);
    events("run pytest -q -> 0: 3 passed in 0.1s\n", &[]);
    events("run cat a.py\n", &[]);
    events("run grep foo b.py -> 2: grep: b.py: No such file or directory\n", &["command 0 ended"]);
}

#[test]
fn a_script_that_patches_and_tests_edits_first() {
    let log = "run cat src/a.py -> 0: x y\nrun cat > /tmp/fix.py <<'EOF'\\nfrom pathlib import Path\\np = Path('src/a.py')\\np.write_text(p.read_text().replace('x', 'y'))\\nimport a\\nassert a.f() == 1\\nEOF\\npython /tmp/fix.py -> 1: Traceback (most recent call last):\\n  File \"/tmp/fix.py\", line 4, in <module>\\n    import a\\n  File \"/testbed/src/a.py\", line 3\\n    y y\\nSyntaxError: invalid syntax\nrun sed -i 's/y y/y/' src/a.py -> 0:\n";
    events(&format!("@ root /testbed\n{log}"), &["test 1 recovered R4 2"]);
}

#[test]
fn loops_are_rows_with_rounds() {
    let circles = |log: &str| -> Vec<String> {
        let tagged = of(log);
        let shown = tagged.loops.iter().map(|circle| {
            format!(
                "{} {}-{} x{} {:?}",
                circle.code, circle.first_turn, circle.last_turn, circle.rounds, circle.turns
            )
        });
        shown.collect()
    };
    assert_eq!(circles(&"run ls -> 0: a\n".repeat(4)), ["L1 0-3 x4 [0, 1, 2, 3]"]);
    assert_eq!(circles(&"run ls -> 0: a\nrun pwd -> 0: /r\n".repeat(3)), ["L2 0-5 x3 [0, 1, 2, 3, 4, 5]"]);
    // Refusals that the log does not keep have no turn of their own.
    assert_eq!(circles("run ls -> 0: a\nrefused\nrefused\nrefused\nrun pwd -> 0: /r\n"), ["L9 1-1 x3 []"]);
    assert_eq!(circles("run ls -> 0: a\nunparsable x\nrefused\nrefused\n"), ["L9 1-1 x3 [1]"]);
    // A turn of another origin is in no loop.
    assert_eq!(circles(&"[demo] run ls -> 0: a\n".repeat(4)), Vec::<String>::new());
}

#[test]
fn a_loop_that_the_harness_broke_is_noted() {
    let broken = of(&("run ls -> 0: a\n".repeat(3) + "@ end loop_stopped\n"));
    assert!(broken.loops[0].broken_by_harness);
    let went_on = of(&("run ls -> 0: a\n".repeat(3) + "run pwd -> 0: /r\n@ end loop_stopped\n"));
    assert!(!went_on.loops[0].broken_by_harness);
    assert!(!of(&"run ls -> 0: a\n".repeat(3)).loops[0].broken_by_harness);
}

#[test]
fn repeats_and_waiting_are_attributes() {
    let tagged = of("run ./x -> 0: a\nsay Hm.\nrun ./x -> 0: a\nrun ./x -> 0: b\nrun sleep 5 -> 0:\n");
    let attributes: Vec<(bool, bool, bool)> =
        tagged.turns.iter().map(|turn| (turn.repeat_action, turn.same_observation, turn.poll)).collect();
    let none = (false, false, false);
    assert_eq!(attributes, [none, none, (true, true, false), (true, false, false), (false, false, true)]);
}

#[test]
fn the_primary_tag_is_the_first_in_order() {
    let primary = |log: &str| of(log).turns[0].primary;
    assert_eq!(primary("run cat a.py && pytest -q -> 0: 3 passed in 0.1s\n"), Some(TagName::Testing));
    assert_eq!(
        primary("run sed -i 's/a/b/' a.py && pytest -q -> 0: 3 passed in 0.1s\n"),
        Some(TagName::Editing)
    );
    assert_eq!(primary("run pip install x -> 0: Successfully installed x\n"), Some(TagName::Setup));
    assert_eq!(primary("run curl -s https://example.com -> 0: x\n"), Some(TagName::Network));
    assert_eq!(primary("run cd src -> 0:\n"), None);
    assert_eq!(primary(&"say Hm.\n".repeat(3)), None, "a loop is no primary tag");
}
