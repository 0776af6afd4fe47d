//! What one side, a reader or the rules, says of one turn. Kinds are the words of the store, so that both sides are held
//! against each other without a third list.

use std::collections::BTreeSet;

use crate::model::{Quality, TagName};
use crate::runners::TestOutcome;

/// Tags that turns are labelled with; recoveries and loops belong to whole trajectories.
pub const TAGS: [TagName; 9] = [
    TagName::Exploration,
    TagName::Editing,
    TagName::Testing,
    TagName::Execution,
    TagName::Setup,
    TagName::Submission,
    TagName::Network,
    TagName::Planning,
    TagName::Delegation,
];

/// All that is said of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Tags.
    pub tags: BTreeSet<TagName>,
    /// Kinds of exploration.
    pub exploration_kinds: BTreeSet<String>,
    /// Kinds of execution.
    pub execution_kinds: BTreeSet<String>,
    /// Edits in order.
    pub edits: Vec<Edit>,
    /// Test runs in order.
    pub tests: Vec<Test>,
    /// Quality.
    pub quality: Option<Quality>,
    /// Kind of host that a network command addresses: of several the first in the order of kinds.
    pub network_kind: Option<String>,
    /// What came of it.
    pub network_result: Option<String>,
}

/// An edit of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file; `None` where the log does not name it.
    pub path: Option<String>,
    /// Kind.
    pub kind: String,
    /// Class of the file.
    pub target: Option<String>,
    /// Whether it took effect; `None` = unknown.
    pub effective: Option<bool>,
}

/// A test run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Kind.
    pub kind: String,
    /// Outcome.
    pub outcome: TestOutcome,
    /// Why it did not run.
    pub reason: Option<String>,
}

impl Answer {
    /// The test that speaks for the turn: the worst of fail, error, not run, unknown, pass, as readers label a turn with
    /// several.
    pub fn worst_test(&self) -> Option<&Test> {
        let rank = |outcome| WORST_FIRST.iter().position(|other| *other == outcome);
        self.tests.iter().min_by_key(|test| rank(test.outcome))
    }
}

const WORST_FIRST: [TestOutcome; 5] =
    [TestOutcome::Fail, TestOutcome::Error, TestOutcome::NotRun, TestOutcome::Unknown, TestOutcome::Pass];

/// The outcome of a word of the store.
pub fn parse_outcome(word: &str) -> Option<TestOutcome> {
    WORST_FIRST.into_iter().find(|outcome| outcome.as_str() == word)
}

/// The quality of a word of the store.
pub fn parse_quality(word: &str) -> Option<Quality> {
    [Quality::Unparsable, Quality::Parsable, Quality::Valid, Quality::None]
        .into_iter()
        .find(|quality| quality.as_str() == word)
}
