//! Behaviours: a number with a numerator and a denominator a trajectory (`definitions.md` §5). Denominator 0 means
//! not applicable.

use crate::facts::{Context, Facts};
use crate::model::{TagName, Trajectory};
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
