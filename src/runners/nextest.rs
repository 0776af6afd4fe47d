//! cargo-nextest: `cargo nextest run`.

use crate::shell::Segment;

use super::command::{Invoked, base_name, invocation, suite_unless};
use super::counts::{before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome, cargo_test};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "nextest",
    about: "cargo-nextest: `cargo nextest run`",
    reads: "`Summary [ 0.5s] 12 tests run: 11 passed, 1 failed, 2 skipped`.",
    recognises,
    read: read_project,
    // 4 no tests, 95 to 104 set-up and build; 100 is a failed test.
    error_exits: &[4, 96, 101, 102, 104],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let nextest = match base_name(invoked.program) {
        "cargo" => invoked.below("nextest")?,
        "cargo-nextest" => invoked.below("nextest").unwrap_or(invoked),
        _ => return None,
    };
    if nextest.below("list").is_some() {
        return invocation(Scope::Listing);
    }
    let run = nextest.below("run").or_else(|| nextest.below("r"))?;
    if run.asks_for_help() || run.has("--no-run") {
        return None;
    }
    suite_unless(run.has_option(cargo_test::NAMING) || !run.positionals(cargo_test::WITH_VALUE).is_empty())
}

fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| cargo_test::read(text))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let counted = lines_with(text, "Summary [").filter_map(|line| {
        let (_, counts) = line.split_once(" run: ")?;
        let count = |word: &str| before(counts, word).unwrap_or(0);
        let failed = count(" failed") + count(" timed out");
        Some(Summary::counted(count(" passed"), failed, count(" exec failed"), count(" skipped")))
    });
    total(counted).or_else(|| has(text, "error: no tests to run").then(|| Summary::word(TestOutcome::Error)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "cargo nextest run",
        exit: Some(0),
        output: "        PASS [   0.005s] w parse::a\n------------\n     Summary [   0.007s] 2 tests run: 2 passed, 1 skipped\n",
        want: "suite pass 2/0/0/1",
    },
    Example {
        name: "fails",
        command: "cargo nextest run -E 'test(a)'",
        exit: Some(100),
        output: "     Summary [   0.007s] 12 tests run: 10 passed (1 slow), 1 failed, 1 timed out, 2 skipped\n",
        want: "targeted fail 10/2/0/2",
    },
    Example {
        name: "errs: does not compile",
        command: "cargo nextest run",
        exit: Some(101),
        output: "error: could not compile `w` (lib test) due to 1 previous error\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "tests are listed",
        command: "cargo nextest list",
        exit: Some(0),
        output: "",
        want: "listing",
    },
    Example {
        name: "near miss: installing it",
        command: "cargo install cargo-nextest",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
