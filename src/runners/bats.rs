//! bats: tests of shell scripts.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{before, lines_with, number, total};
use super::{Example, Invocation, Runner, Scope, Summary};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "bats",
    about: "bats: tests of shell scripts",
    reads: "`5 tests, 1 failure, 1 skipped`, and plain TAP (`1..3`, `ok 1 …`, `not ok 2 …`).",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "bats" || invoked.asks_for_help() {
        return None;
    }
    if invoked.has("--count") || invoked.has("-c") {
        return invocation(Scope::Listing);
    }
    suite_unless(
        !invoked.positionals(&["-f", "--filter", "-F", "--formatter", "-j", "--jobs", "-o"]).is_empty(),
    )
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let pretty = lines_with(text, " failure").filter_map(|line| {
        let run =
            number(line.trim_start()).filter(|_| line.contains(" tests, ") || line.contains(" test, "))?;
        let (failed, skipped) = (before(line, " failure")?, before(line, " skipped").unwrap_or(0));
        Some(Summary::counted(run - failed - skipped, failed, 0, skipped))
    });
    total(pretty).or_else(|| tap(text))
}

/// Plain TAP counts only under its plan, so that `ok 1` in prose is none.
fn tap(text: &str) -> Option<Summary> {
    let plan = lines_with(text, "1..").find_map(|line| line.trim_end().strip_prefix("1.."))?;
    let run = number(plan)?;
    let results = |start: &'static str| lines_with(text, start).filter(move |line| line.starts_with(start));
    let is_directive = |line: &str, word: &str| line.to_ascii_lowercase().contains(word);
    let skipped = results("ok ").filter(|line| is_directive(line, "# skip")).count() as i64;
    let passed = results("ok ").count() as i64 - skipped;
    let todo = results("not ok ").filter(|line| is_directive(line, "# todo")).count() as i64;
    let failed = results("not ok ").count() as i64 - todo;
    let missing = (run - passed - skipped - failed - todo).max(0);
    (passed + failed + skipped > 0 || run == 0)
        .then(|| Summary { expected: todo, ..Summary::counted(passed, failed, missing, skipped) })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "bats test/a.bats",
        exit: Some(0),
        output: " ✓ works\n\n3 tests, 0 failures, 1 skipped\n",
        want: "targeted pass 2/0/0/1",
    },
    Example {
        name: "fails",
        command: "bats --tap test",
        exit: Some(1),
        output: "1..3\nok 1 a\nnot ok 2 b\nok 3 c # skip no net\n",
        want: "targeted fail 1/1/0/1",
    },
    Example {
        name: "errs: nothing to run",
        command: "bats none.bats",
        exit: Some(0),
        output: "1..0\n",
        want: "targeted error 0/0/0/0",
    },
    Example {
        name: "near miss: its version",
        command: "bats --version",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
