//! CTest: `ctest`, `cmake --build . --target test`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "ctest",
    about: "CTest: `ctest`, `cmake --build . --target test`",
    reads: "`100% tests passed, 0 tests failed out of 12`, and `(Not Run)` in the list of failed tests: \
            programs that were not built.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    match invoked.program {
        "ctest" if invoked.asks_for_help() => None,
        "ctest" if invoked.has_option(&["-N", "--show-only", "--print-labels"]) => invocation(Scope::Listing),
        "ctest" => suite_unless(invoked.has_option(&["-R", "--tests-regex", "-L", "--label-regex", "-I"])),
        "cmake" if invoked.has("--build") => {
            let mut words = invoked.arguments.iter().map(|word| word.text.as_str());
            let target = words.find(|word| matches!(*word, "--target" | "-t")).and_then(|_| words.next());
            matches!(target, Some("test" | "check" | "RUN_TESTS")).then(|| invocation(Scope::Suite))?
        }
        _ => None,
    }
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let not_run = lines_with(text, " (Not Run)")
        .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .count() as i64;
    let counted = lines_with(text, "tests passed, ").filter_map(|line| {
        let (failed, run) = (before(line, " tests failed out of ")?, after(line, " out of ")?);
        let errors = not_run.min(failed);
        Some(Summary::counted(run - failed, failed - errors, errors, 0))
    });
    total(counted).or_else(|| has(text, "No tests were found!!!").then(|| Summary::word(TestOutcome::Error)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "ctest --output-on-failure",
        exit: Some(0),
        output: "12/12 Test #12: io .......   Passed    0.02 sec\n\n100% tests passed, 0 tests failed out of 12\n",
        want: "suite pass 12/0/0/0",
    },
    Example {
        name: "fails",
        command: "ctest -R io",
        exit: Some(8),
        output: "67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  1 - io (Failed)\n",
        want: "targeted fail 2/1/0/0",
    },
    Example {
        name: "errs: not built",
        command: "cmake --build build --target test",
        exit: Some(8),
        output: "0% tests passed, 1 tests failed out of 1\n\nThe following tests FAILED:\n\t  1 - io (Not Run)\n",
        want: "suite error 0/0/1/0",
    },
    Example {
        name: "errs: none found",
        command: "ctest",
        exit: Some(0),
        output: "Test project /repo/build\nNo tests were found!!!\n",
        want: "suite error -/-/-/-",
    },
    Example { name: "tests are listed", command: "ctest -N", exit: Some(0), output: "", want: "listing" },
    Example {
        name: "near miss: a build",
        command: "cmake --build build",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
