//! What a report says of its own making: the study, the files with their digests, what was refused, and which versions
//! of the rules ran. It is filled from the store's manifest; nothing is read here.

use crate::store::{Contents, Frame};

/// What was read, and what a study needs to be repeated.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Text of the study file, where there is one.
    pub study_file: Option<String>,
    /// Arms in the study's order.
    pub arms: Vec<ArmInputs>,
    /// What the manifest says: files with digest, versions of rules, settings, problems.
    pub contents: Contents,
    /// Files that no format claims and no option named.
    pub unclaimed: Vec<Unclaimed>,
    /// Frame of `left_out.sql`: trajectories by arm, benchmark and part.
    pub trajectories: Frame,
    /// Table `instance_pairs`.
    pub instance_pairs: Frame,
    /// Version of ethogram.
    pub engine_version: String,
}

/// Where the logs and verdicts of one arm came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArmInputs {
    /// Name.
    pub name: String,
    /// Logs as the study names them.
    pub logs: Vec<String>,
    /// Outcome files that were used.
    pub outcomes: Vec<String>,
    /// Where outcomes were searched.
    pub looked_in: Vec<String>,
}

/// Files of one kind that nobody claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unclaimed {
    /// Arm below whose root they lie.
    pub arm: String,
    /// Extension, without the dot; empty for none.
    pub extension: String,
    /// How many.
    pub files: i64,
}

impl Inputs {
    /// The inputs of one arm.
    pub fn arm(&self, name: &str) -> Option<&ArmInputs> {
        self.arms.iter().find(|arm| arm.name == name)
    }

    /// Problems of a weight.
    pub fn problems(&self, weight: &str) -> usize {
        self.contents.problems.iter().filter(|problem| problem.weight == weight).count()
    }
}
