//! Verdicts: what a grader said of a run (`definitions.md` §7, scored).

/// Why a run has no verdict. `Other` keeps a raw exception name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnscoredReason {
    /// The harness never graded it.
    Incomplete,
    /// No outcome file speaks of the arm.
    NoOutcomeFile,
    /// An outcome file speaks of the arm, but not of this run.
    NotListed,
    /// A summary counts it as complete, its report is missing.
    NoReport,
    /// The harness failed on it.
    Error,
    /// The grader's log is missing.
    NoLogs,
    /// The grader's tests ran out of time.
    TestTimeout,
    /// Two reports say opposite things.
    Contradiction,
    /// The environment masked the sample.
    MaskSample,
    /// The sample ended in an error.
    SampleError,
    /// The judge could not tell.
    JudgeUnknown,
    /// The verdict is null.
    Null,
    /// A raw exception name.
    Other(String),
}

impl UnscoredReason {
    /// The word in the store.
    pub fn as_str(&self) -> &str {
        match self {
            UnscoredReason::Incomplete => "incomplete",
            UnscoredReason::NoOutcomeFile => "no_outcome_file",
            UnscoredReason::NotListed => "not_listed",
            UnscoredReason::NoReport => "no_report",
            UnscoredReason::Error => "error",
            UnscoredReason::NoLogs => "no_logs",
            UnscoredReason::TestTimeout => "test_timeout",
            UnscoredReason::Contradiction => "contradiction",
            UnscoredReason::MaskSample => "mask_sample",
            UnscoredReason::SampleError => "sample_error",
            UnscoredReason::JudgeUnknown => "judge_unknown",
            UnscoredReason::Null => "null",
            UnscoredReason::Other(raw) => raw,
        }
    }
}

/// Why a failed run failed by the benchmark's rule, without its tests being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailedReason {
    /// Nothing was handed in.
    EmptyPatch,
    /// No prediction was made.
    NoGeneration,
    /// The patch does not apply.
    NoApply,
}

impl FailedReason {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            FailedReason::EmptyPatch => "empty_patch",
            FailedReason::NoGeneration => "no_generation",
            FailedReason::NoApply => "no_apply",
        }
    }
}

/// Result of one test of the grader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestStatus {
    /// Passed.
    Passed,
    /// Failed.
    Failed,
}

impl TestStatus {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            TestStatus::Passed => "passed",
            TestStatus::Failed => "failed",
        }
    }
}

/// One test of the grader: group (`FAIL_TO_PASS` …), name, status.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GraderTest {
    /// `FAIL_TO_PASS`, `PASS_TO_PASS`, `FAIL_TO_FAIL` or `PASS_TO_FAIL`.
    pub group: String,
    /// The test's own name.
    pub name: String,
    /// What came out.
    pub status: TestStatus,
}

/// What is known of one run's outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// A verdict exists and the harness does not call it invalid.
    pub scored: bool,
    /// Solved, where scored.
    pub resolved: Option<bool>,
    /// Reward, where the grader gives one.
    pub reward: Option<f64>,
    /// Why there is no verdict; set exactly where `scored` is false.
    pub unscored_reason: Option<UnscoredReason>,
    /// The benchmark's rule by which the run failed without a test.
    pub failed_reason: Option<FailedReason>,
    /// The patch applied, by the grader's word.
    pub applied: Option<bool>,
    /// Grader's tests, where the file lists them (empty otherwise).
    pub tests: Vec<GraderTest>,
    /// F2P passed, F2P total, P2P passed, P2P total, where the file gives them.
    pub counts: Option<TestCounts>,
}

/// F2P and P2P counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    /// Fail-to-pass tests that pass.
    pub f2p_passed: i64,
    /// Fail-to-pass tests.
    pub f2p_total: i64,
    /// Pass-to-pass tests that pass.
    pub p2p_passed: i64,
    /// Pass-to-pass tests.
    pub p2p_total: i64,
}

impl TestCounts {
    /// The counts; `None` where they can be none of tests: negative ones, and more that pass than there are.
    pub fn sound(self) -> Option<TestCounts> {
        let is_sound = |passed: i64, total: i64| (0..=total).contains(&passed);
        let are_sound =
            is_sound(self.f2p_passed, self.f2p_total) && is_sound(self.p2p_passed, self.p2p_total);
        are_sound.then_some(self)
    }
}

impl Verdict {
    /// A plain verdict.
    pub fn scored(resolved: bool) -> Verdict {
        Verdict {
            scored: true,
            resolved: Some(resolved),
            reward: None,
            unscored_reason: None,
            failed_reason: None,
            applied: None,
            tests: Vec::new(),
            counts: None,
        }
    }

    /// A failure by the benchmark's rule.
    pub fn failed(reason: FailedReason) -> Verdict {
        Verdict { failed_reason: Some(reason), ..Verdict::scored(false) }
    }

    /// No verdict, and why.
    pub fn unscored(reason: UnscoredReason) -> Verdict {
        Verdict { scored: false, resolved: None, unscored_reason: Some(reason), ..Verdict::scored(false) }
    }
}
