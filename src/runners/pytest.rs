//! pytest: `pytest`, `py.test`, `python -m pytest`.
//!
//! Trap   pytest's own tests run pytest inside pytest: the inner sessions stand in captured output, between the
//!        start and the end of the outer one.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::{Example, Invocation, Runner, Scope, Summary, TestCounts, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "pytest",
    about: "pytest: `pytest`, `py.test`, `python -m pytest`",
    reads: "`=== 1 failed, 2 passed in 0.12s ===`, with `-q` without the rules, in the colours and the \
            seconds of all versions since 2.",
    recognises,
    read,
    // 2 interrupted (collection errors), 3 internal error, 4 path not found or usage, 5 no tests.
    error_exits: &[2, 3, 4, 5],
    examples: EXAMPLES,
};

/// Options that take the next word.
const WITH_VALUE: &[&str] = &[
    "-k",
    "-m",
    "-n",
    "-p",
    "-c",
    "-o",
    "-r",
    "-W",
    "--tb",
    "--maxfail",
    "--durations",
    "--timeout",
    "--ignore",
    "--ignore-glob",
    "--deselect",
    "--cov-report",
    "--cov-config",
    "--junitxml",
    "--junit-xml",
    "--rootdir",
    "--confcutdir",
    "--basetemp",
    "--color",
    "--capture",
    "--log-level",
    "--log-cli-level",
    "--import-mode",
    "--ds",
    "--dist",
    "--reruns",
    "--count",
    "--numprocesses",
    "--verbosity",
    "--override-ini",
    "--show-capture",
    "--assert",
    "--pythonwarnings",
    "--seed",
    "--randomly-seed",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let is_runner = match invoked.program {
        "pytest" | "py.test" => true,
        // `pytest-3`, `pytest.py`: the distributions' names and the file in a checkout of pytest itself.
        "pytest-3" | "pytest.py" | "py.test-3" => !invoked.is_module,
        _ => false,
    };
    if !is_runner || invoked.asks_for_help() || invoked.has("-V") {
        return None;
    }
    if invoked.has_option(&[
        "--collect-only",
        "--co",
        "--fixtures",
        "--fixtures-per-test",
        "--markers",
        "--setup-plan",
    ]) {
        return invocation(Scope::Listing);
    }
    let filters = invoked.has_option(&["-k", "-m", "--deselect", "--pyargs"])
        || invoked.arguments.iter().any(|word| is_joined_filter(&word.text));
    suite_unless(filters || !invoked.positionals(WITH_VALUE).is_empty())
}

/// `-ktest_name` in one word.
fn is_joined_filter(word: &str) -> bool {
    word.len() > 2 && word.starts_with("-k")
}

/// A closing line.
struct Closing {
    summary: Summary,
    has_rules: bool,
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let mut open: usize = 0;
    let mut outer_sessions = 0;
    let mut outer: Option<Summary> = None;
    let mut quiet: Option<Summary> = None;
    let mut last: Option<Closing> = None;
    let mut from = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        let line = text.get(from..end).unwrap_or("");
        from = end + 1;
        if is_start(line) {
            outer_sessions += usize::from(open == 0);
            open += 1;
        } else if let Some(closing) = closing(line) {
            open = if closing.has_rules { open.saturating_sub(1) } else { open };
            if closing.has_rules && open == 0 {
                outer = add(outer, closing.summary);
            } else if !closing.has_rules {
                quiet = add(quiet, closing.summary);
            }
            last = Some(closing);
        }
    }
    match last {
        Some(closing) if closing.has_rules && outer_sessions > 1 => outer.or(Some(closing.summary)),
        Some(closing) if closing.has_rules => Some(closing.summary),
        Some(_) => quiet,
        None => sugar(text),
    }
}

fn add(sum: Option<Summary>, more: Summary) -> Option<Summary> {
    Some(sum.map_or(more, |sum| sum.plus(more)))
}

fn is_start(line: &str) -> bool {
    line.starts_with("====") && line.contains(" test session starts ")
}

fn closing(line: &str) -> Option<Closing> {
    let line = line.trim_end();
    // Most lines end here: a closing line ends in its rule, in seconds, or in a clock time in brackets.
    if !matches!(line.as_bytes().last(), Some(b'=' | b's' | b')')) {
        return None;
    }
    let has_rules = line.starts_with('=');
    let body = line.trim_matches(['=', ' ']);
    let (counts, time) = body.rsplit_once(" in ")?;
    if !time.starts_with(|c: char| c.is_ascii_digit()) || !is_duration(time) {
        return None;
    }
    let summary = match counts {
        "no tests ran" => Summary::counted(0, 0, 0, 0),
        _ => items(counts)?,
    };
    Some(Closing { summary, has_rules })
}

/// `0.12s`, `0.12 seconds`, `75.30s (0:01:15)`.
fn is_duration(time: &str) -> bool {
    let unit = time.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    unit == "s" || unit == "seconds" || unit.starts_with("s (") || unit.starts_with("seconds (")
}

/// `1 failed, 2 passed, 3 warnings`: every item must be one of pytest's, so that prose is none.
fn items(text: &str) -> Option<Summary> {
    let mut counts = TestCounts { passed: Some(0), failed: Some(0), errors: Some(0), skipped: Some(0) };
    let mut expected = 0;
    for item in text.split(", ") {
        let (number, word) = item.split_once(' ')?;
        let number: i64 = number.parse().ok()?;
        let slot = match word {
            "passed" => &mut counts.passed,
            "failed" => &mut counts.failed,
            "error" | "errors" => &mut counts.errors,
            "skipped" => &mut counts.skipped,
            "xfailed" | "xpassed" => {
                expected += number;
                continue;
            }
            "deselected" | "warning" | "warnings" | "pytest-warnings" | "rerun" | "reruns" | "seconds"
            | "subtests passed" | "snapshots passed" => continue,
            "subtests failed" => &mut counts.failed,
            _ => return None,
        };
        *slot = slot.map(|count| count + number);
    }
    Some(Summary { counts, expected, word: None })
}

/// pytest-sugar writes its counts one a line under `Results (0.50s):`; beside it, a complaint that ends a session
/// before it starts.
fn sugar(text: &str) -> Option<Summary> {
    if let Some(line) =
        super::counts::lines_with(text, "Results (").find(|line| line.starts_with("Results ("))
    {
        let items: Vec<&str> = super::counts::text_after(text, line)
            .lines()
            .skip(1)
            .map(|line| line.trim().trim_start_matches("- "))
            .take_while(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        return (!items.is_empty()).then(|| self::items(&items.join(", ")))?;
    }
    let is_broken =
        ["ERROR: not found: ", "ERROR: file or directory not found: ", "ImportError while loading conftest "]
            .iter()
            .any(|needle| super::counts::has(text, needle));
    is_broken.then(|| Summary::word(TestOutcome::Error))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "python -m pytest -q tests/test_a.py",
        exit: Some(0),
        output: "...\n3 passed in 0.01s\n",
        want: "targeted pass 3/0/0/0",
    },
    Example {
        name: "fails",
        command: "pytest -x",
        exit: Some(1),
        output: "FAILED tests/test_a.py::test_b - assert 1 == 2\n=========== 1 failed, 3 passed, 2 warnings in 75.12s (0:01:15) ===========\n",
        want: "suite fail 3/1/0/0",
    },
    Example {
        name: "errs: a file cannot be imported",
        command: "pytest -q",
        exit: Some(2),
        output: "ERROR tests/test_b.py - ImportError: cannot import name 'gone'\n!!! Interrupted: 1 error during collection !!!\n1 error in 0.20s\n",
        want: "suite error 0/0/1/0",
    },
    Example {
        name: "errs: nothing selected",
        command: "pytest tests -k nothing",
        exit: Some(5),
        output: "============================ 12 deselected in 0.02s ============================\n",
        want: "targeted error 0/0/0/0",
    },
    Example {
        name: "errs: all skipped",
        command: "py.test tests/test_net.py",
        exit: Some(0),
        output: "========================== 4 skipped in 0.12 seconds ===========================\n",
        want: "targeted error 0/0/0/4",
    },
    Example {
        name: "expected failures alone are a pass",
        command: "pytest tests/test_x.py",
        exit: Some(0),
        output: "============================== 2 xfailed in 0.05s ==============================\n",
        want: "targeted pass 0/0/0/0",
    },
    Example {
        name: "a passing test whose name says failed",
        command: "pytest -v tests/test_a.py",
        exit: None,
        output: "tests/test_a.py::test_failed_login PASSED [100%]\n==== 1 passed in 0.03s ====\n",
        want: "targeted pass 1/0/0/0",
    },
    Example {
        name: "an inner session in captured output is not added",
        command: "pytest testing/test_runner.py",
        exit: Some(1),
        output: "======= test session starts =======\n----- Captured stdout call -----\n======= test session starts =======\n======= 3 failed in 0.01s =======\n======= 1 failed, 9 passed in 2.00s =======\n",
        want: "targeted fail 9/1/0/0",
    },
    Example {
        name: "two runs in one output are added up",
        command: "pytest a.py",
        exit: None,
        output: "======= test session starts =======\n======= 3 passed in 0.01s =======\n======= test session starts =======\n======= 1 failed, 9 passed in 2.00s =======\n",
        want: "targeted fail 12/1/0/0",
    },
    Example {
        name: "colours",
        command: "pytest a.py",
        exit: None,
        output: "\u{1b}[32m====== \u{1b}[32m\u{1b}[1m15 passed\u{1b}[0m\u{1b}[32m in 0.18s\u{1b}[0m\u{1b}[32m =====\u{1b}[0m\n",
        want: "targeted pass 15/0/0/0",
    },
    Example {
        name: "no summary, exit code 1",
        command: "pytest -q -q astropy/timeseries",
        exit: Some(1),
        output: "....F...\nFAILED astropy/timeseries/tests/test_a.py::test_b\n",
        want: "targeted fail -/-/-/-",
    },
    Example {
        name: "killed by a limit",
        command: "timeout 60 pytest -q",
        exit: Some(124),
        output: "......F...............\n",
        want: "suite not_run:timeout -/-/-/-",
    },
    Example {
        name: "missing",
        command: "python -m pytest -q",
        exit: None,
        output: "/opt/miniconda3/envs/testbed/bin/python: No module named pytest\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example {
        name: "wrong option",
        command: "pytest --nope",
        exit: Some(4),
        output: "ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]\npytest: error: unrecognized arguments: --nope\n  rootdir: /testbed\n",
        want: "suite not_run:usage -/-/-/-",
    },
    Example {
        name: "no observation of a verdict",
        command: "pytest -q",
        exit: None,
        output: "..........",
        want: "suite unknown -/-/-/-",
    },
    Example {
        name: "tests are listed",
        command: "pytest --collect-only -q",
        exit: Some(0),
        output: "3 tests collected in 0.10s\n",
        want: "listing",
    },
    Example {
        name: "near miss: the version",
        command: "pytest --version",
        exit: Some(0),
        output: "pytest 7.4\n",
        want: "none",
    },
    Example {
        name: "near miss: its settings",
        command: "cat pytest.ini",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: installing it",
        command: "pip install pytest",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
