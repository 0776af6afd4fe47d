//! ava: `ava`, `npx ava`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{has, lines_with, number};
use super::{Example, Invocation, Runner, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "ava",
    about: "ava: `ava`, `npx ava`",
    reads: "`3 tests passed`, `1 test failed`, `1 known failure`, `1 uncaught exception`.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "ava" || invoked.asks_for_help() {
        return None;
    }
    let named = !invoked
        .positionals(&["-m", "--match", "-c", "--concurrency", "-T", "--timeout", "--config"])
        .is_empty();
    suite_unless(named || invoked.has_option(&["-m", "--match"]))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let count = |words: [&'static str; 2]| {
        words.iter().find_map(|word| {
            lines_with(text, word).find_map(|line| {
                let rest = line.trim();
                let tail = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                number(rest).filter(|_| tail == *word)
            })
        })
    };
    let passed = count([" tests passed", " test passed"]);
    let failed = count([" tests failed", " test failed"]);
    let errors = count([" uncaught exceptions", " uncaught exception"]);
    if passed.or(failed).or(errors).is_none() {
        let is_empty =
            has(text, "Couldn’t find any files to test") || has(text, "Couldn't find any files to test");
        return is_empty.then(|| Summary::word(TestOutcome::Error));
    }
    let skipped = count([" tests skipped", " test skipped"]).unwrap_or(0);
    let counted = Summary::counted(passed.unwrap_or(0), failed.unwrap_or(0), errors.unwrap_or(0), skipped);
    Some(Summary { expected: count([" known failures", " known failure"]).unwrap_or(0), ..counted })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "npx ava",
        exit: Some(0),
        output: "  ✔ a\n  ─\n\n  3 tests passed\n  1 known failure\n",
        want: "suite pass 3/0/0/0",
    },
    Example {
        name: "fails",
        command: "ava test/a.js",
        exit: Some(1),
        output: "  1 test failed\n  2 tests passed\n",
        want: "targeted fail 2/1/0/0",
    },
    Example {
        name: "errs",
        command: "ava",
        exit: Some(1),
        output: "  ✖ Couldn’t find any files to test\n",
        want: "suite error -/-/-/-",
    },
    Example { name: "near miss: its help", command: "ava --help", exit: Some(0), output: "", want: "none" },
];
