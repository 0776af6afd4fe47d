//! What one outcome file says, in words common to all shapes. Plain data: nothing is settled here
//! (`definitions.md` §1, a run exists; §7, scored).

use super::trial::Trial;
use crate::model::{Problem, Verdict};

/// How much a file weighs against another (`interface.md`, outcomes are searched): a per-instance report beats a
/// summary, a summary beats a list of winners. A trial beats them all: its harness may call a number invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Only winners are listed: everyone else that ran has failed.
    WinnersOnly,
    /// One file for all instances.
    Summary,
    /// A report or a row for one instance.
    PerInstance,
    /// The harness's own record of the attempt: it alone knows whether its verifier is to be believed.
    Trial,
}

/// The run that a claim is about, as its file writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimedRun {
    /// A number, as written (from 0 or from 1: the arm settles that).
    Number(i64),
    /// A name (`i0_run1`): named runs are put into an order by the study, else by their names.
    Named(String),
}

/// One sentence of an outcome file: of this instance (and run) it says this.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Instance, in the file's spelling.
    pub instance_id: String,
    /// Run, where the file says it.
    pub run: Option<ClaimedRun>,
    /// Arm, where the file speaks of several.
    pub arm: Option<String>,
    /// The verdict. `resolved` is unset where only a reward is given; the arm's threshold decides then.
    pub verdict: Verdict,
    /// The sentence proves that the run took place (`incomplete` and lists of winners do not).
    pub creates_run: bool,
}

/// A prediction: what was handed in to the grader. It proves that a run took place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Instance, in the file's spelling.
    pub instance_id: String,
    /// Model, where the file says it.
    pub model: Option<String>,
    /// Digest of the patch (`patch_digest`); `None` where nothing was handed in.
    pub patch: Option<blake3::Hash>,
}

/// All that one outcome file says.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeFile {
    /// Path below the arm's root with `/`, so that it can be held against the paths of the logs; a file of the
    /// root's parent begins with `../`.
    pub path: String,
    /// Name of the shape (`OUTCOMES`).
    pub shape: &'static str,
    /// Run number that the study's own outcome path gives (`{run}`), as written. Readers leave it unset.
    pub run: Option<i64>,
    /// The record of a trial that was found beside the logs of an arm whose outcomes the user names: part of the log, it says
    /// nothing of a run of which a named file speaks.
    pub is_part_of_log: bool,
    /// Weight against other files.
    pub rank: Rank,
    /// Runs that exist and that this file does not name have failed (`results.json` that lists winners only).
    pub others_failed: bool,
    /// What it says.
    pub claims: Vec<Claim>,
    /// What was handed in.
    pub predictions: Vec<Prediction>,
    /// Trials of a harness.
    pub trials: Vec<Trial>,
    /// What was odd. `file` is the path.
    pub problems: Vec<Problem>,
}

impl OutcomeFile {
    /// A file that says nothing yet.
    pub fn new(path: &str, shape: &'static str, rank: Rank) -> OutcomeFile {
        OutcomeFile {
            path: path.to_owned(),
            shape,
            run: None,
            is_part_of_log: false,
            rank,
            others_failed: false,
            claims: Vec::new(),
            predictions: Vec::new(),
            trials: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// True where the file holds verdicts (predictions and lists of exit statuses hold none). Where no file below
    /// an arm's root does, its parent is searched.
    pub fn holds_verdicts(&self) -> bool {
        self.others_failed || !self.claims.is_empty() || !self.trials.is_empty()
    }

    /// The sentence `verdict` on an instance whose run the file does not number.
    pub(super) fn claim(&mut self, instance_id: &str, verdict: Verdict, creates_run: bool) {
        self.claims.push(Claim {
            instance_id: instance_id.to_owned(),
            run: None,
            arm: None,
            verdict,
            creates_run,
        });
    }

    /// Notes a problem of this file.
    pub(super) fn problem(&mut self, mut problem: Problem) {
        problem.file.clone_from(&self.path);
        self.problems.push(problem);
    }
}

/// Digest of a patch without the blank space around it (scaffolds add a line break in front); `None` where nothing
/// is left. Log heads and predictions are compared by it.
pub fn patch_digest(patch: &str) -> Option<blake3::Hash> {
    let patch = patch.trim();
    (!patch.is_empty()).then(|| blake3::hash(patch.as_bytes()))
}
