//! vitest: `vitest run`, `npx vitest`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "vitest",
    about: "vitest: `vitest run`, `npx vitest`",
    reads: "`Tests  1 failed | 5 passed | 1 skipped (7)`, and `Failed Suites` and `Errors` beside it: \
            files that could not be loaded, errors outside of tests.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-c",
    "--config",
    "-t",
    "--testNamePattern",
    "--reporter",
    "-r",
    "--root",
    "--dir",
    "--environment",
    "--pool",
    "--project",
    "--testTimeout",
    "--outputFile",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "vitest" | "vitest.mjs") || invoked.asks_for_help() || invoked.has("bench")
    {
        return None;
    }
    if invoked.below("list").is_some() {
        return invocation(Scope::Listing);
    }
    let named = invoked
        .positionals(WITH_VALUE)
        .iter()
        .any(|word| !matches!(*word, "run" | "watch" | "dev" | "related"));
    suite_unless(named || invoked.has_option(&["-t", "--testNamePattern", "--project"]))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let mut sum = total(lines_with(text, "Tests  ").filter_map(|line| {
        let rest = line.trim_start().strip_prefix("Tests  ").filter(|rest| rest.trim_end().ends_with(')'))?;
        let count = |word: &str| before(rest, word).unwrap_or(0);
        let counted =
            Summary::counted(count(" passed"), count(" failed"), 0, count(" skipped") + count(" todo"));
        Some(Summary { expected: count(" expected fail"), ..counted })
    }));
    for needle in ["Failed Suites ", "Errors  "] {
        let errors = lines_with(text, needle).find_map(|line| super::counts::after(line, needle));
        if let Some(errors) = errors.filter(|_| sum.is_some() || has(text, "Test Files  ")) {
            sum = Some(sum.unwrap_or_default().plus(Summary::counted(0, 0, errors, 0)));
        }
    }
    sum.or_else(|| {
        has(text, "No test files found, exiting with code").then(|| Summary::word(TestOutcome::Error))
    })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes, the program's own output speaks of failures",
        command: "npx vitest run",
        exit: Some(0),
        output: "stdout | auth.test.ts > locks after 9 failed logins\n9 failed login attempts\n\n Test Files  401 passed | 15 skipped (416)\n      Tests  3120 passed | 40 skipped (3160)\n",
        want: "suite pass 3120/0/0/40",
    },
    Example {
        name: "fails",
        command: "vitest run src/a.test.ts",
        exit: Some(1),
        output: " Test Files  1 failed (1)\n      Tests  1 failed | 5 passed | 2 todo (8)\n",
        want: "targeted fail 5/1/0/2",
    },
    Example {
        name: "errs: a file cannot be loaded",
        command: "npx vitest",
        exit: Some(1),
        output: "⎯⎯ Failed Suites 1 ⎯⎯\nError: Failed to resolve import \"./gone\"\n Test Files  1 failed | 1 passed (2)\n      Tests  2 passed (2)\n",
        want: "suite error 2/0/1/0",
    },
    Example { name: "tests are listed", command: "vitest list", exit: Some(0), output: "", want: "listing" },
    Example {
        name: "near miss: its settings",
        command: "cat vitest.config.ts",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
