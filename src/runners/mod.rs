//! Test runners: one file each recognises its command and reads its output (`definitions.md` §4).

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
