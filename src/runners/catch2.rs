//! Catch2 and doctest (C++): a compiled test program that is called in their way.

use crate::shell::Segment;

use super::command::{Invoked, invocation};
use super::counts::{before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "catch2",
    about: "Catch2 and doctest (C++): a compiled test program that is called in their way",
    reads: "`All tests passed (12 assertions in 3 test cases)`, `test cases: 3 | 2 passed | 1 failed`, \
            `No tests ran`.",
    recognises,
    read: read_project,
    error_exits: &[],
    examples: EXAMPLES,
};

/// A local program with a tag (`[parse]`) or an option that only these know.
fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let is_local = invoked.path.contains('/') && !invoked.program.contains('.');
    let own = |start: &str| invoked.arguments.iter().any(|word| word.text.starts_with(start));
    let has_tag = invoked.arguments.iter().any(|word| word.text.starts_with('[') && word.text.ends_with(']'));
    if !is_local
        || !(has_tag && invoked.program.contains("test")
            || own("--test-case=")
            || own("-tc=")
            || own("--list-test"))
    {
        return None;
    }
    invocation(if own("--list-test") { Scope::Listing } else { Scope::Targeted })
}

fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| any::read(text))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let green = lines_with(text, "All tests passed (").filter_map(|line| {
        let passed = before(line, " test case")?;
        Some(Summary::counted(passed, 0, 0, 0))
    });
    let mixed = lines_with(text, "test cases: ").filter(|line| line.contains('|')).map(|line| {
        let count = |word: &str| before(line, word).unwrap_or(0);
        let counted = Summary::counted(count(" passed"), count(" failed"), 0, count(" skipped"));
        Summary { expected: count(" failed as expected"), ..counted }
    });
    total(green.chain(mixed))
        .or_else(|| has(text, "\nNo tests ran\n").then(|| Summary::word(TestOutcome::Error)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "./build/tests \"[parse]\"",
        exit: Some(0),
        output: "===============\nAll tests passed (12 assertions in 3 test cases)\n",
        want: "targeted pass 3/0/0/0",
    },
    Example {
        name: "fails",
        command: "./build/unit_tests [io]",
        exit: Some(1),
        output: "test cases: 3 | 2 passed | 1 failed\nassertions: 5 | 4 passed | 1 failed\n",
        want: "targeted fail 2/1/0/0",
    },
    Example {
        name: "errs",
        command: "./build/tests [none]",
        exit: Some(2),
        output: "Filters: [none]\n\nNo tests ran\n\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: the shell's bracket",
        command: "[ -f build/tests ]",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
