//! What `settle` takes and gives: heads of logs, the settings of an arm, and the runs with their verdicts. Plain data.

use std::collections::BTreeMap;

use super::path_template::PathTemplate;
use crate::model::{InstanceSource, PatchState, Problem, RunSource, Verdict};

/// What must be known of a log to give it its identity and its verdict. Its index in the caller's list is its name.
#[derive(Clone, Debug, PartialEq)]
pub struct LogHead {
    /// Path below the arm's root with `/`; archives count as folders.
    pub file: String,
    /// The same path as the study's template sees it (relative to the study file).
    pub template_path: String,
    /// Place in the file (`record 3`), empty where the file is one log.
    pub place: String,
    /// Order of the place in the file, from 0.
    pub ordinal: usize,
    /// Instance id, where the log says it.
    pub instance_id: Option<String>,
    /// Session id, where the log has one.
    pub session_id: Option<String>,
    /// Run number from 0, where the log says it.
    pub run: Option<i64>,
    /// The format says that its records are samples, so that they may be ranked.
    pub is_sample: bool,
    /// Start, UTC milliseconds.
    pub started_at: Option<i64>,
    /// Model, where the log says it.
    pub model: Option<String>,
    /// What the log hands in.
    pub patch_state: PatchState,
    /// Digest of what the log hands in (`patch_digest`).
    pub patch: Option<blake3::Hash>,
    /// False for a stub.
    pub has_log: bool,
    /// Name of the log's format: of several logs of one trial it tells which one is the run's.
    pub format: &'static str,
    /// Turns in the log.
    pub n_turns: i64,
    /// Folder of the trial in which the log lies (`TrialFolders`).
    pub trial: Option<String>,
    /// What the log itself says of its outcome.
    pub verdict: Option<Verdict>,
    /// The set of instances that the log says its own is of.
    pub collection: Option<String>,
    /// Digest of the log's content: equal content is a copy.
    pub content: blake3::Hash,
}

/// What to do with two scored runs under one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// They are conflicts: nothing may be reported.
    #[default]
    Refuse,
    /// The first started lives.
    First,
    /// The last started lives.
    Last,
    /// Each is a run of its own.
    AsRuns,
}

/// How runs get their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// By the log, the path, else by rank where that is safe.
    #[default]
    Auto,
    /// By rank where neither log nor path says it, since the study says so.
    Rank,
    /// These named runs of an outcome file, in this order.
    Named(Vec<String>),
}

/// The settings of an arm.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// Name of the arm; rows of other arms are passed over. `None` takes every row (`inspect`).
    pub arm: Option<&'a str>,
    /// The study's template of identity.
    pub template: Option<&'a PathTemplate>,
    /// How runs get their numbers.
    pub numbering: Numbering,
    /// What to do with two scored runs under one key.
    pub duplicates: Duplicates,
    /// Runs that the design asks for an instance.
    pub expect_runs: Option<i64>,
    /// Reward from which a run counts as resolved.
    pub resolved_at: f64,
    /// The outcomes are named by the user: none is passed over for its model.
    pub outcomes_named: bool,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Settings {
            arm: None,
            template: None,
            numbering: Numbering::Auto,
            duplicates: Duplicates::Refuse,
            expect_runs: None,
            resolved_at: 1.0,
            outcomes_named: false,
        }
    }
}

/// A verdict and the file that spoke it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The verdict.
    pub verdict: Verdict,
    /// Name of the file's shape.
    pub shape: &'static str,
    /// Path of the file, as `OutcomeFile` has it.
    pub file: String,
}

/// What becomes of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is the log of its run.
    Live,
    /// A byte-equal copy of that log: dropped and counted.
    Copy {
        /// Index of the log that stays.
        of: usize,
    },
    /// Another log of the same key lives: it keeps its row and enters no table.
    Superseded {
        /// Index of the log that lives.
        by: usize,
    },
}

/// One log with its identity; `inspect` prints it as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SettledLog {
    /// Instance, in the spelling that is the key.
    pub instance_id: String,
    /// Where the id comes from.
    pub instance_source: InstanceSource,
    /// Run number from 0.
    pub run: i64,
    /// Where it comes from.
    pub run_source: RunSource,
    /// What becomes of it.
    pub fate: Fate,
    /// What is said of it; `None` where no file speaks of it.
    pub spoken: Option<Spoken>,
}

/// One run of the arm.
#[derive(Clone, Debug, PartialEq)]
pub struct SettledRun {
    /// Instance.
    pub instance_id: String,
    /// Run number from 0.
    pub run: i64,
    /// Where it comes from.
    pub run_source: RunSource,
    /// Index of its log; `None` for a run that only outcome files name.
    pub log: Option<usize>,
    /// Its verdict: why there is none, where no file speaks of it.
    pub verdict: Verdict,
    /// Shape and path of the file that spoke; `None` where none did.
    pub source: Option<(&'static str, String)>,
}

/// Two scored runs under one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Instance.
    pub instance_id: String,
    /// Run number.
    pub run: i64,
    /// Indices of the scored logs, first started first.
    pub logs: Vec<usize>,
}

/// How much of an arm is covered. Counts are of runs unless they say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Instances with a run.
    pub instances: i64,
    /// Runs.
    pub runs: i64,
    /// Runs with a log (stubs have none).
    pub runs_with_log: i64,
    /// Scored runs.
    pub scored: i64,
    /// Resolved runs.
    pub resolved: i64,
    /// Unscored runs by reason.
    pub unscored: BTreeMap<String, i64>,
    /// Logs dropped as byte-equal copies.
    pub copies: i64,
    /// Logs that another log of their key supersedes.
    pub superseded: i64,
    /// Ids that matched a log's only after the spelling rules.
    pub respelled: i64,
    /// Runs that the design asks for and that do not exist.
    pub missing_runs: i64,
}

/// An arm, settled.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// One a log, in the order of the heads.
    pub logs: Vec<SettledLog>,
    /// All runs, by instance and number.
    pub runs: Vec<SettledRun>,
    /// Two scored runs under one key: with any of these nothing may be reported (exit 3).
    pub conflicts: Vec<Conflict>,
    /// Instances with fewer runs than the design asks for, and how many are missing.
    pub short_instances: Vec<(String, i64)>,
    /// What was odd, problems of the files first.
    pub problems: Vec<Problem>,
    /// Paths of files that speak of another model, and were passed over.
    pub other_models: Vec<String>,
    /// Coverage.
    pub coverage: Coverage,
}
