//! jest: `jest`, `npx jest`, `react-scripts test`.
//!
//! Trap   a file that cannot be loaded counts under `Test Suites` only: `2 passed` is not the whole truth.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "jest",
    about: "jest: `jest`, `npx jest`, `react-scripts test`",
    reads: "`Tests: 1 failed, 2 skipped, 5 passed, 8 total`, runs added up.",
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
    "--maxWorkers",
    "-w",
    "--testTimeout",
    "--env",
    "--reporters",
    "--coverageDirectory",
    "--rootDir",
    "--selectProjects",
    "--testPathPattern",
    "--testPathPatterns",
    "--shard",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let run = match invoked.program {
        "jest" | "jest.js" | "jest-cli" => invoked,
        "react-scripts" | "craco" | "react-app-rewired" => invoked.below("test")?,
        _ => return None,
    };
    if run.asks_for_help() {
        return None;
    }
    if run.has_option(&["--listTests", "--showConfig"]) {
        return invocation(Scope::Listing);
    }
    let filters = [
        "-t",
        "--testNamePattern",
        "--testPathPattern",
        "--testPathPatterns",
        "--findRelatedTests",
        "--runTestsByPath",
    ];
    suite_unless(run.has_option(&filters) || !run.positionals(WITH_VALUE).is_empty())
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let unloaded = lines_with(text, "Test suite failed to run").count() as i64;
    let sum = total(lines_with(text, "Tests:").filter_map(|line| {
        let rest =
            line.trim_start().strip_prefix("Tests:").filter(|rest| rest.trim_end().ends_with(" total"))?;
        let count = |word: &str| before(rest, word).unwrap_or(0);
        Some(Summary::counted(count(" passed"), count(" failed"), 0, count(" skipped") + count(" todo")))
    }));
    match sum {
        Some(sum) if unloaded > 0 => Some(sum.plus(Summary::counted(0, 0, unloaded, 0))),
        None if unloaded > 0 => Some(Summary::counted(0, 0, unloaded, 0)),
        None if has(text, "No tests found, exiting with code") => Some(Summary::word(TestOutcome::Error)),
        sum => sum,
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "npx jest src/a.test.js",
        exit: Some(0),
        output: "PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nSnapshots:   0 total\nTime:        0.5 s\n",
        want: "targeted pass 2/0/0/0",
    },
    Example {
        name: "fails",
        command: "jest",
        exit: Some(1),
        output: "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 5 passed, 8 total\n",
        want: "suite fail 5/1/0/2",
    },
    Example {
        name: "errs: a file cannot be loaded",
        command: "npx jest",
        exit: Some(1),
        output: "FAIL src/broken.test.js\n  ● Test suite failed to run\n    Cannot find module './gone'\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       2 passed, 2 total\n",
        want: "suite error 2/0/1/0",
    },
    Example {
        name: "errs: nothing found",
        command: "npx jest nothing",
        exit: Some(1),
        output: "No tests found, exiting with code 1\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: installing it",
        command: "npm install jest",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
