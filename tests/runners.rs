//! Tests of runners: every example of every runner, the reading of scripts, and the key of a command.

use ethogram::runners::{
    ExitEvidence, RUNNERS, Reading, Scope, TestCounts, TestEvidence, TestOutcome, command_key, outcome,
    recognise, script, without_markup,
};
use ethogram::shell::{Options, Segment, parse};

/// The first segment that a command line runs.
fn segment(command: &str) -> Segment {
    let parsed = parse(command, &Options::default());
    parsed.segments.into_iter().find(|segment| !segment.seen_through).expect("a segment")
}

fn own(code: Option<i64>) -> ExitEvidence {
    ExitEvidence { code, belongs: true }
}

fn counts(counts: TestCounts) -> String {
    let show = |count: Option<i64>| count.map_or("-".to_owned(), |count| count.to_string());
    [counts.passed, counts.failed, counts.errors, counts.skipped].map(show).join("/")
}

fn word(reading: &Reading) -> String {
    match reading.reason {
        Some(reason) => format!("{}:{}", reading.outcome.as_str(), reason.as_str()),
        None => reading.outcome.as_str().to_owned(),
    }
}

#[test]
fn examples_hold() {
    let mut wrong = Vec::new();
    for runner in RUNNERS {
        for example in runner.examples {
            let got = match recognise(&segment(example.command)) {
                None => "none".to_owned(),
                Some((found, _)) if found.name != runner.name && example.want == "none" => "none".to_owned(),
                Some((found, _)) if found.name != runner.name => format!("runner {}", found.name),
                Some((_, invocation)) if invocation.scope == Scope::Listing => "listing".to_owned(),
                Some((found, invocation)) => {
                    let reading = outcome(found, invocation, Some(example.output), own(example.exit));
                    format!("{} {} {}", invocation.scope.as_str(), word(&reading), counts(reading.counts))
                }
            };
            if got != example.want {
                wrong.push(format!("{}, {}: want {}, got {got}", runner.name, example.name, example.want));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_runner_shows_pass_fail_error_and_a_near_miss() {
    for runner in RUNNERS {
        for want in [" pass ", " fail ", " error ", "none"] {
            let shown = runner.examples.iter().any(|example| example.want.contains(want));
            assert!(shown, "{} has no example of `{}`", runner.name, want.trim());
        }
    }
}

#[test]
fn runners_are_sorted_by_name() {
    let names: Vec<&str> = RUNNERS.iter().map(|runner| runner.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
}

fn run(command: &str, output: &str, exit: ExitEvidence) -> Reading {
    let (runner, invocation) = recognise(&segment(command)).expect("a runner");
    outcome(runner, invocation, Some(output), exit)
}

#[test]
fn the_summary_wins_over_the_exit_code_and_says_so() {
    let hidden =
        run("mvn test", "Tests run: 4, Failures: 1, Errors: 0, Skipped: 0\nBUILD SUCCESS\n", own(Some(0)));
    assert_eq!((hidden.outcome, hidden.evidence), (TestOutcome::Fail, TestEvidence::SummaryAgainstExit));
    let hangs = run("timeout 60 pytest -q", "....\n16 passed in 9.20s\n", own(Some(124)));
    assert_eq!((hangs.outcome, hangs.evidence), (TestOutcome::Pass, TestEvidence::SummaryAgainstExit));
    let piped = ExitEvidence { code: Some(0), belongs: false };
    let other = run("pytest tests/test_core.py", "1 failed in 0.08s\n", piped);
    assert_eq!((other.outcome, other.evidence), (TestOutcome::Fail, TestEvidence::Summary));
}

#[test]
fn an_exit_code_of_another_command_is_no_evidence() {
    let piped = ExitEvidence { code: Some(0), belongs: false };
    assert_eq!(run("pytest -q", "....\n", piped).outcome, TestOutcome::Unknown);
    assert_eq!(run("pytest -q", "....\n", own(Some(0))).outcome, TestOutcome::Pass);
    assert_eq!(run("pytest -q", "", own(None)).outcome, TestOutcome::Unknown);
}

#[test]
fn a_call_that_the_harness_killed_is_a_time_out_whatever_was_piped() {
    let killed = ExitEvidence { code: Some(-1), belongs: false };
    let reading = run("pytest -q", "..F.....\n", killed);
    assert_eq!(word(&reading), "not_run:timeout");
    let told = run(
        "pytest -q",
        "..\nThe command 'pytest -q' was cancelled because it took more than 60 seconds.",
        own(None),
    );
    assert_eq!(word(&told), "not_run:timeout");
    let limit = run("pytest -q", ".....\nTerminated: the time limit of 120 s was reached\n", own(Some(143)));
    assert_eq!(word(&limit), "not_run:timeout");
}

#[test]
fn the_file_of_an_error_is_the_last_place_shown() {
    let collection = "E     File \"/testbed/sphinx/util/a.py\", line 12\nE       x = (\nE   SyntaxError: invalid syntax\n1 error in 0.20s\n";
    assert_eq!(
        run("pytest -q", collection, own(Some(2))).error_file.as_deref(),
        Some("/testbed/sphinx/util/a.py")
    );
    let short = "tests/test_b.py:3: in <module>\n    from pkg import gone\npkg/__init__.py:7: in <module>\n    1 / 0\nE   ZeroDivisionError: division by zero\n1 error in 0.20s\n";
    assert_eq!(run("pytest -q", short, own(Some(2))).error_file.as_deref(), Some("pkg/__init__.py"));
    let maven = "[ERROR] COMPILATION ERROR :\n[ERROR] /repo/src/main/java/w/A.java:[3,5] cannot find symbol\nBUILD FAILURE\n";
    assert_eq!(
        run("mvn test", maven, own(Some(1))).error_file.as_deref(),
        Some("/repo/src/main/java/w/A.java")
    );
    let rust = "error[E0425]: cannot find function\n --> src/lib.rs:3:5\nerror: could not compile `w`\n";
    assert_eq!(run("cargo test", rust, own(Some(101))).error_file.as_deref(), Some("src/lib.rs"));
    let go = "# w [w.test]\npkg/a.go:9:2: undefined: Gone\nFAIL\tw/pkg [build failed]\n";
    assert_eq!(run("go test ./...", go, own(Some(1))).error_file.as_deref(), Some("pkg/a.go"));
    let frozen = "  File \"/testbed/app.py\", line 1, in <module>\n  File \"<frozen importlib._bootstrap>\", line 991, in _find\nModuleNotFoundError: No module named 'x'\n";
    assert_eq!(
        run("python -m unittest a", frozen, own(Some(1))).error_file.as_deref(),
        Some("/testbed/app.py")
    );
}

#[test]
fn markup_is_taken_away_and_tabs_stay() {
    assert_eq!(without_markup("\u{1b}[1m\u{1b}[32mok\u{1b}[0m\t1\r\nb\rc"), "ok\t1\nb\nc");
    assert_eq!(without_markup("plain\ttext\n"), "plain\ttext\n");
}

fn script_says(output: &str, code: Option<i64>, text: Option<&str>, task: &str) -> String {
    word(&script::read(Some(output), own(code), text, Some(task)))
}

#[test]
fn a_script_passes_only_with_a_word_or_an_assertion_of_its_own() {
    let asserts = "from widget import parse\nassert parse('a,b') == ['a', 'b']\n";
    let prints = "from widget import parse\nprint(parse('a,b'))\n";
    assert_eq!(script_says("['a,b']\n", Some(0), Some(prints), ""), "unknown");
    assert_eq!(script_says("", Some(0), Some(prints), ""), "unknown");
    assert_eq!(script_says("", Some(0), Some(asserts), ""), "pass");
    assert_eq!(script_says("", None, Some(asserts), ""), "unknown");
    assert_eq!(script_says("OK: all checks passed\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("ValidationError instances are equal: True\n", Some(0), None, ""), "unknown");
    assert_eq!(script_says("http://:pass@host -> ('', 'pass')\n", Some(0), None, ""), "unknown");
    assert_eq!(
        script_says("Caught expected KeyError: 'C' not found\n", Some(0), None, "a KeyError here"),
        "pass"
    );
    assert_eq!(script_says("Result: 5\nExpected: 5\n", Some(0), None, ""), "unknown");
}

#[test]
fn an_issue_that_is_not_reproduced_is_a_pass_and_an_expected_failure_is_none() {
    for says in [
        "Issue not reproduced\n",
        "ISSUE NOT REPRODUCED: levels are already right.\n",
        "Bug not reproduced.\n",
        "The issue is no longer reproducible\n",
        "Could not reproduce the issue\n",
    ] {
        assert_eq!(script_says(says, Some(0), None, ""), "pass", "{says}");
    }
    assert_eq!(script_says("Issue not reproduced\n", Some(0), Some("print(levels())"), ""), "unknown");
    assert_eq!(script_says("FAILURE: did not reproduce admin.E108\n", Some(0), None, ""), "fail");
    assert_eq!(script_says("BUG reproduced\n", Some(0), None, ""), "fail");
    for says in [
        "escapeseq failed as expected\n",
        "Validation failed (as expected)\n",
        "new signature fails correctly\n",
    ] {
        assert_eq!(script_says(says, Some(0), None, ""), "unknown", "{says}");
    }
    // With its message it is the symptom, unless something went well beside it.
    let shown = "escapeseq failed as expected: Invalid filter: 'escapeseq'\n";
    assert_eq!(script_says(shown, Some(0), None, ""), "fail");
    assert_eq!(script_says(&format!("{shown}All checks passed\n"), Some(0), None, ""), "pass");
    assert_eq!(script_says(shown, Some(0), Some("print(render())"), ""), "unknown");
    // Words of a name in capitals are a verdict; what is denied or was not awaited is no success.
    assert_eq!(script_says("patched\nALL_TESTS_OK\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("STRINGS_FAIL\n", Some(0), None, ""), "fail");
    assert_eq!(script_says("status = http_ok\n", Some(0), None, ""), "unknown");
    assert_eq!(script_says("Issue reproduced: not auto-scaled correctly.\n", Some(0), None, ""), "unknown");
    let planned = "No issue: pages not created for epub as expected\n";
    assert_eq!(script_says(planned, Some(0), None, ""), "pass");
    assert_eq!(script_says("merge succeeded (unexpectedly)\n", Some(0), None, ""), "unknown");
    // An exception that was awaited is the symptom where the task complains of its message.
    let awaited = "Caught expected error: 'NoneType' object has no attribute 'to'\n";
    let complains = "fails with AttributeError: 'NoneType' object has no attribute 'to'";
    assert_eq!(script_says(awaited, Some(0), None, complains), "fail");
    assert_eq!(script_says(awaited, Some(0), None, "it should raise"), "pass");
    assert_eq!(script_says(&format!("{awaited}All tests passed\n"), Some(0), None, complains), "pass");
    // To have reproduced the issue is a success of the script, not of the project.
    for says in [
        "SUCCESS: Reproduced admin.E108\n",
        "Successfully reproduced the issue\n",
        "✓ Issue reproduced\n",
        "Reproduction successful\n",
    ] {
        assert_eq!(script_says(says, Some(0), None, ""), "unknown", "{says}");
    }
    assert_eq!(script_says("SUCCESS: the issue is not reproduced\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("✓ Issue not reproduced\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("BUG REPRODUCED: none() returned results\n", Some(0), None, ""), "fail");
    assert_eq!(script_says("OK. Failures: none\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("SUCCESS: correctly failed to lock\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("✓ a string fails as expected\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("KeyError raised as expected\n", Some(0), None, ""), "pass");
}

#[test]
fn a_script_fails_by_its_words_comparisons_and_assertions() {
    let own_assertion = "Traceback (most recent call last):\n  File \"check.py\", line 2, in <module>\nAssertionError: ['a,b']\n";
    assert_eq!(script_says(own_assertion, Some(1), None, ""), "fail");
    assert_eq!(script_says(own_assertion, None, None, ""), "fail");
    assert_eq!(
        script_says("FAILURE: env is not None\nSUCCESS: os.environ is used\n", None, None, ""),
        "fail"
    );
    assert_eq!(script_says("Failed: A Vector must be supplied\n", Some(0), None, ""), "fail");
    assert_eq!(script_says("expected 5, got 7\n", Some(0), None, ""), "fail");
    // A comparison of which only the result is told, in the script's own words.
    let script = Some("print('Output matches expected.' if ok else 'Output does NOT match expected.')");
    assert_eq!(script_says("Output does NOT match expected.\nGot: 7\n", Some(0), script, ""), "fail");
    assert_eq!(script_says("Output matches expected.\n", Some(0), script, ""), "pass");
    assert_eq!(script_says("Output matches expected.\n", Some(0), Some("run()"), ""), "unknown");
    assert_eq!(script_says("does it match expected output?\n", Some(0), None, ""), "unknown");
    assert_eq!(script_says("expected 5, got 5\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("✗ still wrong\n", Some(0), None, ""), "fail");
    assert_eq!(script_says("3 passed, 0 failed\n", Some(0), None, ""), "pass");
    assert_eq!(script_says("step 2 failed as expected\nPASS\n", Some(0), None, ""), "pass");
    // A word that a library prints is not the script's own.
    assert_eq!(script_says("connection failed\n", Some(0), Some("print(connect())"), ""), "unknown");
}

#[test]
fn an_exception_is_a_verdict_only_where_the_task_speaks_of_it() {
    let task = "len(ds.data_vars) raises `ValueError: __len__() should return >= 0`. An error is shown.";
    let uncaught = "Traceback (most recent call last):\n  File \"/testbed/r.py\", line 33, in <module>\n    f()\nValueError: __len__() should return >= 0\n";
    assert_eq!(script_says(uncaught, None, None, task), "fail");
    assert_eq!(script_says(uncaught, Some(1), None, ""), "error");
    let plain = "Traceback (most recent call last):\n  File \"/testbed/r.py\", line 64, in <module>\nsre_constants.error: unterminated character set at position 4\n";
    assert_eq!(script_says(plain, None, None, task), "error");
    assert_eq!(
        script_says(
            "Error: can't subtract offset-naive datetimes\n",
            Some(0),
            None,
            "it says can't subtract offset-naive datetimes"
        ),
        "fail"
    );
    assert_eq!(script_says("Error: no such table: __main___a\n", Some(0), None, task), "unknown");
    let caught = "TypeError encountered: <Exists object>\nScript completed successfully.\n";
    assert_eq!(script_says(caught, Some(0), None, "it is a TypeError"), "fail");
    // A caught traceback in the middle of a script that ends well.
    assert_eq!(script_says(&format!("{uncaught}done\n"), Some(0), None, ""), "unknown");
    assert_eq!(script_says(&format!("{uncaught}done\n"), None, None, ""), "unknown");
}

#[test]
fn a_script_that_cannot_start_is_an_error_or_not_run() {
    assert_eq!(
        script_says(
            "python: can't open file 'r.py': [Errno 2] No such file or directory\n",
            Some(2),
            None,
            ""
        ),
        "not_run:missing"
    );
    assert_eq!(
        script_says("./run.sh: line 3: javac: command not found\n", None, None, ""),
        "not_run:missing"
    );
    assert_eq!(
        script_says(
            "  File \"r.py\", line 3\n    x = (\n        ^\nSyntaxError: invalid syntax\n",
            Some(1),
            None,
            ""
        ),
        "error"
    );
    let reading = script::read(
        Some(
            "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\n  File \"/testbed/sklearn/ensemble/voting.py\", line 38\nSyntaxError: invalid syntax\n",
        ),
        own(Some(1)),
        None,
        None,
    );
    assert_eq!(
        (word(&reading).as_str(), reading.error_file.as_deref()),
        ("error", Some("/testbed/sklearn/ensemble/voting.py"))
    );
    assert_eq!(script_says("3 passed in 0.01s\n", Some(0), None, ""), "pass");
}

fn key(command: &str) -> u64 {
    let parsed = parse(command, &Options::default());
    let segment = parsed.segments.iter().find(|segment| segment.program != "cd" && !segment.seen_through);
    command_key(segment.expect("a segment"), Some("/testbed"))
}

#[test]
fn the_same_test_command_has_the_same_key() {
    let same = [
        "pytest tests/test_a.py",
        "cd /testbed && python -m pytest -xvs ./tests/test_a.py --tb=short",
        "python3 -m pytest \"tests/test_a.py\" -q --tb short 2>&1 | tail -5",
        "timeout 60 py.test /testbed/tests/test_a.py -v",
    ];
    for command in same {
        assert_eq!(key(command), key(same[0]), "{command}");
    }
    assert_eq!(key("./tests/runtests.py admin -v 2"), key("python tests/runtests.py admin"));
    assert_eq!(key("python -c 'print(1)'"), key("cd /testbed && python3 -c \"print(1)\""));
    for other in ["pytest tests/test_b.py", "pytest tests/test_a.py -k x", "pytest", "python tests/test_a.py"]
    {
        assert_ne!(key(other), key(same[0]), "{other}");
    }
    assert_ne!(key("python -c 'print(1)'"), key("python -c 'print(2)'"));
}

#[test]
fn scopes_follow_what_is_named() {
    let scope = |command: &str| recognise(&segment(command)).map(|(runner, how)| (runner.name, how.scope));
    assert_eq!(scope("pytest"), Some(("pytest", Scope::Suite)));
    assert_eq!(scope("pytest -n 4 --tb short -q"), Some(("pytest", Scope::Suite)));
    assert_eq!(scope("pytest tests"), Some(("pytest", Scope::Targeted)));
    assert_eq!(scope("pytest -k parse"), Some(("pytest", Scope::Targeted)));
    assert_eq!(scope("python -W ignore tests/runtests.py"), Some(("django", Scope::Suite)));
    assert_eq!(scope("go test ./..."), Some(("go_test", Scope::Suite)));
    assert_eq!(scope("timeout 300 python -m pytest a.py::T::t"), Some(("pytest", Scope::Targeted)));
    for near in [
        "grep pytest setup.cfg",
        "echo pytest",
        "git commit -m 'run pytest'",
        "which mvn",
        "python -m pip install tox",
        "cat tox.ini",
        "python manage.py migrate",
        "npm install",
        "make",
        "test -f a",
        "[ -d tests ]",
        "go build",
        "python test.py",
        "python -m pytest --help",
    ] {
        assert_eq!(scope(near), None, "{near}");
    }
}

#[test]
fn a_script_that_calls_a_runner_is_read_as_the_runner() {
    for (output, want) in [
        ("3 passed in 0.01s\n", "pass"),
        ("Ran 4 tests in 0.1s\n\nFAILED (failures=1)\n", "fail"),
        (" tests finished: 3 passed, 1 exceptions, in 0.1 seconds\n", "error"),
        ("Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n", "fail"),
        ("OK (5 tests)\n", "pass"),
        ("5 passed and 0 failed.\n", "pass"),
        ("10 runs, 20 assertions, 0 failures, 0 errors, 1 skips\n", "pass"),
        ("12 examples, 1 failure\n", "fail"),
        ("[  PASSED  ] 5 tests.\n", "pass"),
        ("     Summary [   0.007s] 2 tests run: 2 passed\n", "pass"),
        ("Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5\n", "pass"),
    ] {
        assert_eq!(script_says(output, None, None, ""), want, "{output}");
    }
}

#[test]
fn a_contrast_needs_a_symptom_that_is_gone() {
    let failed =
        "Traceback (most recent call last):\n  File \"r.py\", line 3, in <module>\nTypeError: bad operand\n";
    assert!(script::is_contrast(failed, "[1, 2]\n", own(Some(0))));
    assert!(script::is_contrast(failed, "[1, 2]\n", own(None)));
    assert!(!script::is_contrast(failed, "caught TypeError: bad operand\n", own(Some(0))));
    assert!(!script::is_contrast(failed, failed, own(Some(1))));
    assert!(!script::is_contrast("[1]\n", "[1, 2]\n", own(Some(0))));
}

#[test]
fn a_command_line_that_no_shell_can_read_runs_no_test() {
    let reading = run(
        "python3 tests/runtests.py model_inheritance",
        "bash: -c: line 1: syntax error near unexpected token `('\nbash: -c: line 1: `THOUGHT: I patched (True)'\n",
        own(Some(2)),
    );
    assert_eq!(word(&reading), "not_run:skipped");
}

/// The command and the observation of each turn of a case's log (mini-swe-agent 1), with its exit code.
fn turns(log: &serde_json::Value) -> Vec<(String, String, Option<i64>)> {
    let messages = log["messages"].as_array().expect("messages");
    let text =
        |index: usize| messages.get(index).and_then(|message| message["content"].as_str()).unwrap_or("");
    let between = |text: &str, start: &str, end: &str| -> Option<String> {
        let rest = &text[text.find(start)? + start.len()..];
        Some(rest[..rest.find(end)?].to_owned())
    };
    (0..messages.len())
        .filter(|index| messages[*index]["role"] == "assistant")
        .map(|index| {
            let seen = text(index + 1);
            let code = between(seen, "<returncode>", "</returncode>").and_then(|code| code.parse().ok());
            let output = between(seen, "<output>\n", "</output>").unwrap_or_default();
            (between(text(index), "```bash\n", "\n```").unwrap_or_default(), output, code)
        })
        .collect()
}

#[test]
fn outcomes_of_the_classify_cases_hold() {
    let Some(cases) = crate::support::shared("cases/classify") else { return };
    for case in ["035", "038", "039", "041", "042", "043", "045"] {
        let folder = std::fs::read_dir(&cases)
            .expect("cases")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(case)))
            .expect("the case");
        let json = |path: &str| -> serde_json::Value {
            serde_json::from_slice(&std::fs::read(folder.join(path)).expect("file")).expect("JSON")
        };
        let want = json("expected.json");
        for (turn, (command, output, code)) in
            turns(&json("input/acme__widget-1.traj.json")).iter().enumerate()
        {
            let tag = &want["want"]["turn"][turn]["tags"][0];
            let Some(expected) = tag["outcome"].as_str() else { continue };
            let parsed = parse(command, &Options::default());
            let (index, found, how) = parsed
                .segments
                .iter()
                .enumerate()
                .find_map(|(index, segment)| recognise(segment).map(|(runner, how)| (index, runner, how)))
                .unwrap_or_else(|| panic!("case {case}, turn {turn}: no runner in {command}"));
            let belongs = index + 1 == parsed.segments.len();
            let reading = outcome(found, how, Some(output), ExitEvidence { code: *code, belongs });
            assert_eq!(reading.outcome.as_str(), expected, "case {case}, turn {turn}: {command}");
            if let Some(reason) = tag["reason"].as_str() {
                assert_eq!(
                    reading.reason.map(|reason| reason.as_str()),
                    Some(reason),
                    "case {case}, turn {turn}"
                );
            }
            if let Some(kind) = tag["kind"].as_str() {
                assert_eq!(how.scope.as_str(), kind, "case {case}, turn {turn}: {command}");
            }
        }
    }
}
