//! How long runs are, from `lengths.sql`: the scaffold's own steps and the model's turns (`definitions.md` §2). They
//! differ, and both are kept.

use std::collections::BTreeMap;

use super::data::{ArmOn, Instances, RunCounts};
use crate::store::{Frame, StoreError};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As the scaffold counts.
    Steps,
    /// Responses of the model.
    Turns,
}

impl Length {
    /// Both.
    pub const ALL: [Length; 2] = [Length::Steps, Length::Turns];

    /// Its code in ids.
    pub const fn code(self) -> &'static str {
        match self {
            Length::Steps => "steps",
            Length::Turns => "model_turns",
        }
    }

    /// Its words.
    pub const fn name(self) -> &'static str {
        match self {
            Length::Steps => "steps of the scaffold",
            Length::Turns => "model turns",
        }
    }
}

/// Runs of one instance that are equally long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Steps.
    pub steps: Option<i64>,
    /// Model turns; `None` where the log has no response boundaries.
    pub turns: Option<i64>,
    /// A limit cut them.
    pub cut: bool,
    /// Number of such runs.
    pub runs: i64,
}

impl Lengths {
    /// One of the two.
    pub fn get(&self, length: Length) -> Option<i64> {
        match length {
            Length::Steps => self.steps,
            Length::Turns => self.turns,
        }
    }
}

/// Runs by instance.
pub type LengthsByInstance = BTreeMap<String, Vec<Lengths>>;

/// Reads `lengths.sql`.
///
/// # Errors
/// The frame lacks a column.
pub fn lengths(frame: &Frame) -> Result<BTreeMap<ArmOn, LengthsByInstance>, StoreError> {
    let mut found: BTreeMap<ArmOn, LengthsByInstance> = BTreeMap::new();
    for row in frame.iter() {
        let arm_on = (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned());
        let runs = Lengths {
            steps: row.opt_int("steps")?,
            turns: row.opt_int("model_turns")?,
            cut: row.int("cut")? == 1,
            runs: row.int("n")?,
        };
        let instances = found.entry(arm_on).or_default();
        instances.entry(row.text("instance_id")?.to_owned()).or_default().push(runs);
    }
    Ok(found)
}

/// As sizes by instance, to be compared as every other size.
pub fn sizes(instances: &LengthsByInstance, length: Length) -> Instances {
    let size = |runs: &Lengths| RunCounts { num: runs.get(length), den: 1, runs: runs.runs };
    instances.iter().map(|(instance, runs)| (instance.clone(), runs.iter().map(size).collect())).collect()
}
