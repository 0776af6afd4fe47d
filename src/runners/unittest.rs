//! unittest: `python -m unittest`, `python setup.py test`, Twisted's `trial`.
//!
//! Trap   `expected failures=2` holds `failures=2`; the two streams are mixed, so the lines may stand anywhere.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{self, lines_with, text_after, total};
use super::{Example, Invocation, Runner, Summary, TestCounts, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "unittest",
    about: "unittest: `python -m unittest`, `python setup.py test`, Twisted's `trial`",
    reads: "`Ran 4 tests in 0.1s` with `OK (…)` or `FAILED (…)` below it; Django, nose and plain test \
            files print the same.",
    recognises,
    read: read_project,
    error_exits: &[5],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-k",
    "-p",
    "-s",
    "-t",
    "--pattern",
    "--start-directory",
    "--top-level-directory",
    "--test-suite",
    "--test-module",
    "--test-runner",
    "--durations",
    "-a",
    "--addopts",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.asks_for_help() {
        return None;
    }
    match invoked.program {
        "unittest" | "unittest2" | "unit2" | "trial" | "twisted.trial" | "testtools.run" => {
            let given = invoked.positionals(WITH_VALUE);
            let names = given.iter().any(|word| *word != "discover");
            suite_unless(names || invoked.has_option(&["-k", "-s", "--start-directory", "-p", "--pattern"]))
        }
        "setup.py" => {
            let given = invoked.positionals(WITH_VALUE);
            let is_test = given.contains(&"test") || given.contains(&"pytest");
            is_test
                .then(|| suite_unless(invoked.has_option(&["--test-suite", "-s", "--test-module", "-m"])))?
        }
        _ => None,
    }
}

/// `setup.py test` may call pytest.
fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| super::any::read(text))
}

/// The summary of an output, all runs in it added up.
pub fn read(text: &str) -> Option<Summary> {
    total(lines_with(text, "Ran ").filter_map(|line| {
        let ran = ran(line)?;
        verdict(text_after(text, line), ran)
    }))
}

/// The number of `Ran 12 tests in 0.345s`.
fn ran(line: &str) -> Option<i64> {
    let rest = line.trim_end().strip_prefix("Ran ")?;
    let count = counts::number(rest)?;
    (rest.contains(" test") && rest.contains(" in ") && rest.ends_with('s')).then_some(count)
}

/// The line below it that says how it went; where it is cut away, nothing is known.
fn verdict(below: &str, ran: i64) -> Option<Summary> {
    for line in below.lines().filter(|line| !line.trim().is_empty()).take(6) {
        let line = line.trim_end();
        if line == "OK" || line.starts_with("OK (") || line.starts_with("PASSED (") || line == "PASSED" {
            return Some(counted(line, ran));
        }
        if line.starts_with("FAILED (") || line == "FAILED" {
            return Some(worded(counted(line, ran), TestOutcome::Fail));
        }
        if line.starts_with("NO TESTS RAN") {
            return Some(Summary::counted(0, 0, 0, counts::after(line, "skipped=").unwrap_or(0)));
        }
        if line.starts_with("Ran ") {
            break;
        }
    }
    (ran == 0).then(|| Summary::counted(0, 0, 0, 0))
}

/// Counts of the bracket. An unexpected success is a failure of its own and no passed test.
fn counted(line: &str, ran: i64) -> Summary {
    let bracket = line.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let (mut failed, mut errors, mut skipped, mut expected) = (0, 0, 0, 0);
    for item in bracket.split(", ") {
        let Some((name, number)) = item.split_once('=') else { continue };
        let number = number.trim().parse().unwrap_or(0);
        match name.trim() {
            "failures" | "unexpected successes" | "unexpectedSuccesses" => failed += number,
            "errors" => errors += number,
            "skipped" | "skips" | "SKIP" => skipped += number,
            "expected failures" | "expectedFailures" => expected += number,
            _ => {}
        }
    }
    let counts = TestCounts {
        // A failed set-up of a class counts as an error, yet not as a test that ran.
        passed: Some((ran - failed - errors - skipped - expected).max(0)),
        failed: Some(failed),
        errors: Some(errors),
        skipped: Some(skipped),
    };
    Summary { counts, expected, word: None }
}

/// `FAILED (errors=1)` is an error; `FAILED` whose bracket says nothing keeps the word.
fn worded(summary: Summary, word: TestOutcome) -> Summary {
    let says = summary.counts.failed.is_some_and(|n| n > 0) || summary.counts.errors.is_some_and(|n| n > 0);
    Summary { word: (!says).then_some(word), ..summary }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "python -m unittest tests.test_a -v",
        exit: Some(0),
        output: "....\n----------------------------------------------------------------------\nRan 4 tests in 0.001s\n\nOK\n",
        want: "targeted pass 4/0/0/0",
    },
    Example {
        name: "fails, expected failures beside it",
        command: "python -m unittest",
        exit: Some(1),
        output: "F..x\n----------------------------------------------------------------------\nRan 4 tests in 0.100s\n\nFAILED (failures=1, expected failures=2)\n",
        want: "suite fail 1/1/0/0",
    },
    Example {
        name: "an unexpected success fails",
        command: "python -m unittest",
        exit: Some(1),
        output: "...u\n----------------------------------------------------------------------\nRan 4 tests in 0.100s\n\nFAILED (unexpected successes=1)\n",
        want: "suite fail 3/1/0/0",
    },
    Example {
        name: "expected failures are a pass",
        command: "python -m unittest",
        exit: Some(0),
        output: "....xx....\n------\nRan 10 tests in 1.000s\n\nOK (expected failures=2)\n",
        want: "suite pass 8/0/0/0",
    },
    Example {
        name: "errs: the module cannot be imported",
        command: "python3 -m unittest tests.user_commands.tests",
        exit: Some(1),
        output: "ERROR: tests (unittest.loader._FailedTest)\nModuleNotFoundError: No module named 'admin_scripts'\n\n------\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n",
        want: "targeted error 0/0/1/0",
    },
    Example {
        name: "errs: zero tests are no pass",
        command: "python -m unittest discover -s tests",
        exit: Some(0),
        output: "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n",
        want: "targeted error 0/0/0/0",
    },
    Example {
        name: "errs: no settings, no exit code",
        command: "python -m unittest tests.migrations.test_optimizer",
        exit: None,
        output: "Traceback (most recent call last):\n  File \"/testbed/django/conf/__init__.py\", line 64, in _setup\n    raise ImproperlyConfigured(\ndjango.core.exceptions.ImproperlyConfigured: Requested setting INSTALLED_APPS\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "setup.py may call pytest",
        command: "python setup.py test",
        exit: Some(0),
        output: "running test\n==== 5 passed in 1.20s ====\n",
        want: "suite pass 5/0/0/0",
    },
    Example {
        name: "near miss: a build",
        command: "python setup.py build_ext --inplace",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: a file of that name",
        command: "cat unittest.py",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
