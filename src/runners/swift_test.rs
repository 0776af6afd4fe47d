//! Swift: `swift test`, for XCTest and Swift Testing.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "swift_test",
    about: "Swift: `swift test`, for XCTest and Swift Testing",
    reads: "the last `Executed 5 tests, with 1 failure (0 unexpected)`, which is the outermost suite's, \
            and `Test run with 5 tests passed`; a package may print both.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "swift" {
        return None;
    }
    let run = invoked.below("test")?;
    if run.asks_for_help() {
        return None;
    }
    if run.below("list").is_some() || run.has("--list-tests") || run.has("-l") {
        return invocation(Scope::Listing);
    }
    suite_unless(run.has_option(&["--filter", "--specifier", "-s"]))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let old = lines_with(text, "Executed ").filter_map(executed).last();
    let new = lines_with(text, "Test run with ").filter_map(|line| {
        let run = after(line, "Test run with ")?;
        if line.contains(" failed after ") {
            let mut summary = Summary::word(TestOutcome::Fail);
            summary.counts.failed = before(line, " issue");
            return Some(summary);
        }
        line.contains(" passed after ").then(|| Summary::counted(run, 0, 0, 0))
    });
    total(old.into_iter().chain(new.last())).or_else(|| {
        let is_broken =
            has(text, "error: fatalError") || has(text, ": error: ") || has(text, "error: no such module");
        (is_broken && has(text, "ompiling")).then(|| Summary::word(TestOutcome::Error))
    })
}

/// XCTest's failures hold the unexpected ones, which are thrown errors.
fn executed(line: &str) -> Option<Summary> {
    let run = after(line, "Executed ")?;
    let failed = before(line, " failure")?;
    let skipped = before(line, " test skipped").or_else(|| before(line, " tests skipped")).unwrap_or(0);
    Some(Summary::counted(run - failed - skipped, failed, 0, skipped))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "swift test",
        exit: Some(0),
        output: "\t Executed 3 tests, with 0 failures (0 unexpected) in 0.010 (0.011) seconds\n\t Executed 5 tests, with 0 failures (0 unexpected) in 0.020 (0.021) seconds\n",
        want: "suite pass 5/0/0/0",
    },
    Example {
        name: "fails",
        command: "swift test --filter A",
        exit: Some(1),
        output: "Executed 0 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds\n✘ Test run with 5 tests failed after 0.1 seconds with 1 issue.\n",
        want: "targeted fail 0/1/0/0",
    },
    Example {
        name: "errs: does not compile",
        command: "swift test",
        exit: Some(1),
        output: "[3/5] Compiling A a.swift\n/r/Sources/A/a.swift:3:5: error: cannot find 'x' in scope\nerror: fatalError\n",
        want: "suite error -/-/-/-",
    },
    Example { name: "near miss: a build", command: "swift build", exit: Some(0), output: "", want: "none" },
];
