//! GoogleTest: a compiled test program of the project.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, lines_with};
use super::{Example, Invocation, Runner, Scope, Summary, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "gtest",
    about: "GoogleTest: a compiled test program of the project",
    reads: "`[  PASSED  ] 5 tests.`, `[  FAILED  ] 2 tests, listed below:`.",
    recognises,
    read: read_project,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let options = |start: &str| invoked.arguments.iter().any(|word| word.text.starts_with(start));
    if options("--gtest_list_tests") {
        return invocation(Scope::Listing);
    }
    if !(options("--gtest_") || is_test_program(&invoked)) {
        return None;
    }
    suite_unless(options("--gtest_filter") || !invoked.positionals(&[]).is_empty())
}

/// `./build/parse_test`, `./unit_tests`: a path and a name of tests. System programs and scripts are none.
fn is_test_program(invoked: &Invoked) -> bool {
    let is_local = invoked.path.contains('/')
        && !["/usr/", "/bin/", "/opt/"].iter().any(|root| invoked.path.starts_with(root));
    let name = invoked.program;
    let is_named = ["_test", "_tests", "-test", "-tests", "Test", "Tests", "unittest", "unittests"]
        .iter()
        .any(|end| name.ends_with(end))
        || matches!(name, "tests" | "runTests" | "run_tests" | "test_runner");
    is_local && is_named && !name.contains('.') && !invoked.is_module
}

fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| any::read(text))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let ends = |needle: &'static str| lines_with(text, needle).filter(move |line| line.starts_with(needle));
    let count = |needle: &'static str| {
        let mut found =
            ends(needle).filter(|line| line.contains(" test")).filter_map(|line| after(line, needle));
        found.next().map(|first| first + found.sum::<i64>())
    };
    let passed = count("[  PASSED  ] ")?;
    let failed = ends("[  FAILED  ] ")
        .filter(|line| line.contains(" listed below"))
        .filter_map(|line| after(line, "[  FAILED  ] "))
        .sum();
    Some(Summary::counted(passed, failed, 0, count("[  SKIPPED ] ").unwrap_or(0)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "./build/parse_test --gtest_color=no",
        exit: Some(0),
        output: "[==========] 5 tests from 2 test suites ran. (0 ms total)\n[  PASSED  ] 5 tests.\n",
        want: "suite pass 5/0/0/0",
    },
    Example {
        name: "fails",
        command: "./build/parse_test --gtest_filter=A.*",
        exit: Some(1),
        output: "[  FAILED  ] A.b (0 ms)\n[==========] 5 tests from 2 test suites ran. (0 ms total)\n[  PASSED  ] 3 tests.\n[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] A.b\n",
        want: "targeted fail 3/2/0/0",
    },
    Example {
        name: "errs: the filter matches nothing",
        command: "build/unit_tests --gtest_filter=None",
        exit: Some(0),
        output: "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n",
        want: "targeted error 0/0/0/0",
    },
    Example {
        name: "near miss: the shell's test",
        command: "test -f a",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: a file of that name",
        command: "cat build/parse_test",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
