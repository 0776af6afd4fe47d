//! .NET: `dotnet test`, `dotnet vstest`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "dotnet",
    about: ".NET: `dotnet test`, `dotnet vstest`",
    reads: "`Passed!  - Failed: 0, Passed: 5, Skipped: 0, Total: 5` of each project, added up, and the \
            older `Total tests: 5` with its lines below.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "--filter",
    "-c",
    "--configuration",
    "-f",
    "--framework",
    "-l",
    "--logger",
    "-v",
    "--verbosity",
    "-o",
    "--output",
    "-s",
    "--settings",
    "-r",
    "--results-directory",
    "--collect",
    "-p",
    "-a",
    "--arch",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "dotnet" {
        return None;
    }
    let run = invoked.below("test").or_else(|| invoked.below("vstest"))?;
    if run.asks_for_help() {
        return None;
    }
    if run.has("--list-tests") || run.has("-t") {
        return invocation(Scope::Listing);
    }
    suite_unless(run.has_option(&["--filter"]) || !run.positionals(WITH_VALUE).is_empty())
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let new = lines_with(text, "! - Failed:").chain(lines_with(text, "!  - Failed:")).filter_map(|line| {
        let (failed, passed) = (after(line, "Failed:")?, after(line, "Passed:")?);
        Some(Summary::counted(passed, failed, 0, after(line, "Skipped:").unwrap_or(0)))
    });
    total(new).or_else(|| old(text)).or_else(|| broken(text))
}

fn old(text: &str) -> Option<Summary> {
    let run = lines_with(text, "Total tests: ").find_map(|line| after(line, "Total tests:"))?;
    let count = |word: &'static str| {
        lines_with(text, word)
            .filter(|line| line.trim_start().starts_with(word))
            .find_map(|line| after(line, word))
            .unwrap_or(0)
    };
    let (failed, skipped) = (count("Failed:"), count("Skipped:"));
    Some(Summary::counted(run - failed - skipped, failed, 0, skipped))
}

fn broken(text: &str) -> Option<Summary> {
    let is_broken = [
        "Build FAILED.",
        ": error CS",
        ": error MSB",
        "No test is available in ",
        "No test matches the given testcase filter",
    ]
    .iter()
    .any(|needle| has(text, needle));
    is_broken.then(|| Summary::word(TestOutcome::Error))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes, two projects",
        command: "dotnet test",
        exit: Some(0),
        output: "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 10 ms - A.Tests.dll (net8.0)\nPassed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 10 ms - B.Tests.dll (net8.0)\n",
        want: "suite pass 7/0/0/1",
    },
    Example {
        name: "fails",
        command: "dotnet test --filter Name~A",
        exit: Some(1),
        output: "Test Run Failed.\nTotal tests: 5\n     Passed: 4\n     Failed: 1\n",
        want: "targeted fail 4/1/0/0",
    },
    Example {
        name: "errs: does not compile",
        command: "dotnet test A.Tests",
        exit: Some(1),
        output: "/r/A.cs(3,5): error CS0103: The name 'x' does not exist\n",
        want: "targeted error -/-/-/-",
    },
    Example { name: "near miss: a build", command: "dotnet build", exit: Some(0), output: "", want: "none" },
];
