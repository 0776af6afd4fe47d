//! Test runners: one file each recognises its command and reads its output (`definitions.md` §4).
//!
//! Owns   the types of a test's outcome, the list of runners, and the reading of scripts that test by themselves.
//! Never  does IO, decides what a turn bears, or knows a trajectory: a parsed command and its text go in, an
//!        outcome with its evidence comes out.

mod ant;
mod any;
mod ava;
mod bats;
mod cargo_test;
mod catch2;
mod clean;
mod command;
mod command_key;
mod counts;
mod ctest;
mod django;
mod doctest;
mod dotnet;
mod error_file;
mod go_test;
mod gotestsum;
mod gradle;
mod gtest;
mod jest;
mod junit_console;
mod karma;
mod make;
mod maven;
mod minitest;
mod mocha;
mod nextest;
mod node_test;
mod nose;
mod not_run;
mod npm;
mod outcome;
mod phpunit;
mod playwright;
mod prove;
mod pytest;
mod rspec;
pub mod script;
mod signs;
mod swift_test;
mod sympy;
mod tox;
mod unittest;
mod verifier;
mod vitest;

use crate::shell::Segment;

pub use clean::without_markup;
pub use command_key::command_key;
pub use outcome::outcome;

/// All runners, by name. The first that recognises a command reads it.
pub const RUNNERS: &[Runner] = &[
    ant::RUNNER,
    ava::RUNNER,
    bats::RUNNER,
    cargo_test::RUNNER,
    catch2::RUNNER,
    ctest::RUNNER,
    django::RUNNER,
    doctest::RUNNER,
    dotnet::RUNNER,
    go_test::RUNNER,
    gotestsum::RUNNER,
    gradle::RUNNER,
    gtest::RUNNER,
    jest::RUNNER,
    junit_console::RUNNER,
    karma::RUNNER,
    make::RUNNER,
    maven::RUNNER,
    minitest::RUNNER,
    mocha::RUNNER,
    nextest::RUNNER,
    node_test::RUNNER,
    nose::RUNNER,
    npm::RUNNER,
    phpunit::RUNNER,
    playwright::RUNNER,
    prove::RUNNER,
    pytest::RUNNER,
    rspec::RUNNER,
    swift_test::RUNNER,
    sympy::RUNNER,
    tox::RUNNER,
    unittest::RUNNER,
    verifier::RUNNER,
    vitest::RUNNER,
];

/// One test runner.
#[derive(Clone, Copy, Debug)]
pub struct Runner {
    /// Its name in the store (`pytest`).
    pub name: &'static str,
    /// Commands that call it.
    pub about: &'static str,
    /// What of its output is read.
    pub reads: &'static str,
    /// Whether a command is a run of it, and over what.
    pub recognises: fn(&Segment) -> Option<Invocation>,
    /// The summary that its output shows, several added up; the text has no markup any more.
    pub read: fn(&str) -> Option<Summary>,
    /// Its exit codes that say that nothing could be tested.
    pub error_exits: &'static [i64],
    /// Commands with their output and what must come out; tests run them.
    pub examples: &'static [Example],
}

/// How a runner was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Over what.
    pub scope: Scope,
}

/// Over what a runner was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The project's tests, none named.
    Suite,
    /// A given path, label, id or name filter.
    Targeted,
    /// Tests are listed only: exploration.
    Listing,
}

impl Scope {
    /// The word in examples and in print.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Suite => "suite",
            Scope::Targeted => "targeted",
            Scope::Listing => "listing",
        }
    }
}

/// What a runner says at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Counts, as far as it says them.
    pub counts: TestCounts,
    /// Expected failures (and expected failures that passed): no failures, and no passes either.
    pub expected: i64,
    /// Its own closing word, where the counts do not decide: `Pass`, `Fail` or `Error`.
    pub word: Option<TestOutcome>,
}

/// An example of a runner: a command, its output, and what must come out.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What it shows.
    pub name: &'static str,
    /// The command line.
    pub command: &'static str,
    /// The exit code of the call, where it is logged.
    pub exit: Option<i64>,
    /// What was printed.
    pub output: &'static str,
    /// `scope outcome passed/failed/errors/skipped`, `-` for a count that is not said; a not-run outcome names its
    /// reason (`not_run:usage`); `none` for a near miss that is no run of this runner.
    pub want: &'static str,
}

/// The exit code of a call, and whether it speaks of the test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitEvidence {
    /// The code, where it is logged.
    pub code: Option<i64>,
    /// The test is the call's last command, unpiped or under `pipefail`, and nothing like `|| true` follows.
    pub belongs: bool,
}

impl ExitEvidence {
    /// The code where it is the test's own.
    pub const fn own(self) -> Option<i64> {
        if self.belongs { self.code } else { None }
    }
}

/// What a test's text and exit code show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What came out.
    pub outcome: TestOutcome,
    /// Why it did not run; set exactly where the outcome is `NotRun`.
    pub reason: Option<NotRunReason>,
    /// What shows it.
    pub evidence: TestEvidence,
    /// Counts, where the runner says them.
    pub counts: TestCounts,
    /// The file of the last traceback frame or compiler message of an error.
    pub error_file: Option<String>,
}

impl Reading {
    /// A reading without counts.
    pub(crate) fn new(outcome: TestOutcome, evidence: TestEvidence) -> Reading {
        Reading { outcome, reason: None, evidence, counts: TestCounts::default(), error_file: None }
    }

    /// Nothing ran.
    pub(crate) fn not_run(reason: NotRunReason, evidence: TestEvidence) -> Reading {
        Reading { reason: Some(reason), ..Reading::new(TestOutcome::NotRun, evidence) }
    }
}

/// Programs that are most of all commands and never a runner, sorted; under a path of its own a name may be one
/// (`bin/test`).
const NEVER: &[&str] = &[
    "", "[", "[[", "apt-get", "awk", "cat", "cd", "chmod", "cp", "cut", "diff", "echo", "export", "find",
    "git", "grep", "head", "less", "ls", "mkdir", "mv", "nl", "pip", "pip3", "printf", "pwd", "rg", "rm",
    "sed", "sleep", "sort", "source", "tail", "tee", "test", "touch", "tree", "true", "uniq", "wc", "which",
    "xargs",
];

/// The runner that a command calls, and how.
pub fn recognise(segment: &Segment) -> Option<(&'static Runner, Invocation)> {
    let is_plain = !segment.program_path.contains('/');
    if segment.seen_through || is_plain && NEVER.binary_search(&segment.program.as_str()).is_ok() {
        return None;
    }
    RUNNERS.iter().find_map(|runner| (runner.recognises)(segment).map(|invocation| (runner, invocation)))
}

/// Outcome of a testing call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TestOutcome {
    Pass,
    Fail,
    Error,
    NotRun,
    Unknown,
}

impl TestOutcome {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            TestOutcome::Pass => "pass",
            TestOutcome::Fail => "fail",
            TestOutcome::Error => "error",
            TestOutcome::NotRun => "not_run",
            TestOutcome::Unknown => "unknown",
        }
    }
}

/// Why a test did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum NotRunReason {
    Missing,
    Usage,
    Skipped,
    Timeout,
}

impl NotRunReason {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            NotRunReason::Missing => "missing",
            NotRunReason::Usage => "usage",
            NotRunReason::Skipped => "skipped",
            NotRunReason::Timeout => "timeout",
        }
    }
}

/// What shows an outcome, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TestEvidence {
    /// The runner's own summary line.
    Summary,
    /// The exit code.
    Exit,
    /// A traceback, an assertion or a verdict that the script printed.
    Text,
    /// The same reproduction failed before and now ends without its symptom.
    Contrast,
    /// Summary and exit code disagree; the summary wins.
    SummaryAgainstExit,
    /// Nothing.
    None,
}

impl TestEvidence {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            TestEvidence::Summary => "summary",
            TestEvidence::Exit => "exit",
            TestEvidence::Text => "text",
            TestEvidence::Contrast => "contrast",
            TestEvidence::SummaryAgainstExit => "summary_against_exit",
            TestEvidence::None => "none",
        }
    }
}

/// Counts of tests; `None` where the runner does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TestCounts {
    pub passed: Option<i64>,
    pub failed: Option<i64>,
    pub errors: Option<i64>,
    pub skipped: Option<i64>,
}
