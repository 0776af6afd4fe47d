//! Playwright Test: `playwright test`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{has, lines_with, number};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "playwright",
    about: "Playwright Test: `playwright test`",
    reads: "`5 passed (3.2s)`, `1 failed`, `2 flaky`, `1 did not run`, each on a line of its own.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-c",
    "--config",
    "-g",
    "--grep",
    "--grep-invert",
    "--project",
    "--reporter",
    "-j",
    "--workers",
    "--timeout",
    "--retries",
    "--output",
    "--shard",
    "--max-failures",
    "--browser",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "playwright" {
        return None;
    }
    let run = invoked.below("test")?;
    if run.asks_for_help() {
        return None;
    }
    if run.has("--list") {
        return invocation(Scope::Listing);
    }
    suite_unless(run.has_option(&["-g", "--grep", "--project"]) || !run.positionals(WITH_VALUE).is_empty())
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let count = |word: &'static str| {
        lines_with(text, word).find_map(|line| {
            let rest = line.strip_prefix("  ")?.trim();
            let tail = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let own = tail.strip_prefix(word)?;
            number(rest).filter(|_| own.is_empty() || own.starts_with(" ("))
        })
    };
    let (passed, failed) = (count(" passed"), count(" failed"));
    if passed.or(failed).is_none() {
        return has(text, "Error: No tests found").then(|| Summary::word(TestOutcome::Error));
    }
    let skipped = count(" skipped").unwrap_or(0) + count(" did not run").unwrap_or(0);
    let passed = passed.unwrap_or(0) + count(" flaky").unwrap_or(0);
    Some(Summary::counted(passed, failed.unwrap_or(0) + count(" timed out").unwrap_or(0), 0, skipped))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "npx playwright test",
        exit: Some(0),
        output: "Running 6 tests using 2 workers\n  1 flaky\n  5 passed (3.2s)\n",
        want: "suite pass 6/0/0/0",
    },
    Example {
        name: "fails",
        command: "npx playwright test tests/a.spec.ts",
        exit: Some(1),
        output: "  1 failed\n    [chromium] › a.spec.ts:3:1 › works\n  2 skipped\n  5 passed (3.2s)\n",
        want: "targeted fail 5/1/0/2",
    },
    Example {
        name: "errs",
        command: "playwright test -g nothing",
        exit: Some(1),
        output: "Error: No tests found\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: installing browsers",
        command: "npx playwright install",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
