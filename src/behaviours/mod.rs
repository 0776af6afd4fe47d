//! Behaviours: a number with a numerator and a denominator a trajectory (`definitions.md` §5). Denominator 0 means
//! not applicable.

mod editing;
mod ends;
mod evidence;
mod quality;
mod sizes;
mod tag_shares;
mod testing;
mod user_rules;

use crate::facts::{Context, Facts};
use crate::model::{TagName, Trajectory};
use crate::tags::rules::BEHAVIOUR_PREFIX;
use crate::tags::{Example, Tagged};

/// Kind of a behaviour, which decides its test (`statistics.md` §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BehaviourKind {
    /// Share of runs: 0/1 a run.
    Share,
    /// Rate over turns or events.
    Rate,
    /// A size: median and quartiles.
    Size,
}

impl BehaviourKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            BehaviourKind::Share => "share",
            BehaviourKind::Rate => "rate",
            BehaviourKind::Size => "size",
        }
    }
}

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Better {
    Up,
    Down,
    Neither,
}

impl Better {
    /// The word in the catalogue.
    pub const fn as_str(self) -> &'static str {
        match self {
            Better::Up => "up",
            Better::Down => "down",
            Better::Neither => "neither",
        }
    }
}

/// Numerator and denominator of one trajectory; `None` where the log does not say (a size that is not logged).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Numerator; for sizes the size itself (cost in 10⁻⁶ US dollars, time in ms).
    pub num: Option<i64>,
    /// Denominator; 0 = not applicable.
    pub den: i64,
}

/// Everything a behaviour may read.
pub struct Evidence<'a> {
    /// Benchmark and paths.
    pub context: &'a Context,
    /// The log.
    pub trajectory: &'a Trajectory,
    /// What it did.
    pub facts: &'a Facts,
    /// Its tags, events, loops.
    pub tagged: &'a Tagged,
}

/// One behaviour.
pub struct Behaviour {
    /// Stable code (`autonomous_edit`).
    pub code: &'static str,
    /// Name in words (`autonomous edit`).
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// Kind.
    pub kind: BehaviourKind,
    /// Tag whose colour it bears.
    pub tag: Option<TagName>,
    /// Which direction is better.
    pub better: Better,
    /// The behaviour of which it is a conditional or micro twin: it counts once in a family of p-values.
    pub twin_of: Option<&'static str>,
    /// Counts it in one trajectory; `None` for behaviours that are joined when a table is made (`resolved`).
    pub count: Option<fn(&Evidence) -> Measured>,
    /// Examples with `#! run: CODE num/den`: one with num 0, one with num > 0, one with den 0 where it can be 0.
    pub examples: &'static [Example],
}

/// All behaviours, in the order of the tables.
pub const BEHAVIOURS: &[&Behaviour] = &[
    &ends::RESOLVED,
    &ends::APPLICABLE_PATCH,
    &ends::EMPTY_PATCH,
    &editing::ACTED,
    &editing::EXPLORED,
    &editing::SEARCHED,
    &editing::CHANGED,
    &editing::ANSWERED,
    &editing::AUTONOMOUS_EDIT,
    &editing::AUTONOMOUS_EDIT_SHOWN,
    &editing::NET_EDIT,
    &editing::ANY_EDIT,
    &editing::OWN_TEST_WRITTEN,
    &testing::ACTIVE_TESTING,
    &testing::RUNNER_MISSING,
    &testing::TEST_AFTER_EDIT,
    &testing::VERIFIED_SUBMISSION,
    &testing::FAILED_TEST_SEEN,
    &testing::REEDIT_AFTER_FAILED_TEST,
    &testing::REEDIT_GIVEN_FAILURE,
    &testing::FIXED_AFTER_FAILED_TEST,
    &testing::RECOVERY_FORMAT,
    &testing::RECOVERY_COMMAND,
    &testing::RECOVERY_EDIT,
    &ends::EXPLICIT_SUBMISSION,
    &ends::ENDED_BY_ITSELF,
    &ends::REJECTED_SUBMISSION,
    &ends::ABNORMAL_END,
    &ends::LOOP,
    &ends::REPETITIVE_LOOP,
    &ends::LOOP_TURNS,
    &ends::NETWORK_ATTEMPT,
    &quality::PARSABLE_TURNS,
    &quality::VALID_CALLS,
    &tag_shares::EXPLORATION,
    &tag_shares::PLANNING,
    &tag_shares::SETUP,
    &tag_shares::EXECUTION,
    &tag_shares::TESTING,
    &tag_shares::EDITING,
    &tag_shares::SUBMISSION,
    &tag_shares::DELEGATION,
    &tag_shares::NETWORK,
    &tag_shares::RECOVERY,
    &tag_shares::UNTAGGED,
    &sizes::MODEL_TURNS,
    &sizes::CALLS,
    &sizes::TOKENS_OUT,
    &sizes::COST,
    &sizes::WALL_TIME,
];

/// The behaviour of a code; that of a user rule for `rule:CODE`.
pub fn find(code: &str) -> Option<&'static Behaviour> {
    match code.strip_prefix(BEHAVIOUR_PREFIX) {
        Some(rule) => Some(user_rules::behaviour(rule)),
        None => BEHAVIOURS.iter().copied().find(|behaviour| behaviour.code == code),
    }
}

/// What one trajectory shows, in the order of `BEHAVIOURS`, those of user rules behind them; those that are joined later
/// are left out.
pub fn count(evidence: &Evidence) -> Vec<(&'static Behaviour, Measured)> {
    let shipped = BEHAVIOURS.iter().filter_map(|behaviour| Some((*behaviour, (behaviour.count?)(evidence))));
    shipped.chain(user_rules::count(evidence)).collect()
}
