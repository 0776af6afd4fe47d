//! gotestsum: `gotestsum --format short -- ./...`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{after, before, lines_with, total};
use super::{Example, Invocation, Runner, Summary, go_test};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "gotestsum",
    about: "gotestsum: `gotestsum --format short -- ./...`",
    reads: "`DONE 12 tests, 1 skipped, 2 failures, 1 error in 0.5s`.",
    recognises,
    read: read_project,
    error_exits: &[2],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "gotestsum" || invoked.asks_for_help() {
        return None;
    }
    let own = &["-f", "--format", "--junitfile", "--jsonfile", "--packages", "-run", "-count", "-timeout"];
    let named = invoked.positionals(own).iter().any(|word| !word.starts_with('-') && *word != "./...");
    suite_unless(named || invoked.has("-run"))
}

fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| go_test::read(text))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    total(lines_with(text, "DONE ").filter_map(|line| {
        let rest = line.trim_start().strip_prefix("DONE ").filter(|rest| rest.contains(" test"))?;
        let run = if rest.contains(" runs, ") { before(rest, " test")? } else { after(line, "DONE ")? };
        let count = |word: &str| before(rest, word).unwrap_or(0);
        let (failed, skipped) = (count(" failure"), count(" skipped"));
        Some(Summary::counted(run - failed - skipped, failed, count(" error"), skipped))
    }))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "gotestsum -- ./...",
        exit: Some(0),
        output: "✓  pkg (3ms)\n\nDONE 12 tests, 1 skipped in 0.512s\n",
        want: "suite pass 11/0/0/1",
    },
    Example {
        name: "fails",
        command: "gotestsum ./pkg",
        exit: Some(1),
        output: "✖  pkg (3ms)\n\nDONE 12 tests, 2 failures in 0.512s\n",
        want: "targeted fail 10/2/0/0",
    },
    Example {
        name: "errs",
        command: "gotestsum",
        exit: Some(1),
        output: "=== Errors\npkg/a.go:3:2: undefined: x\n\nDONE 0 tests, 1 error in 0.5s\n",
        want: "suite error 0/0/1/0",
    },
    Example {
        name: "near miss: its version",
        command: "gotestsum --version",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
