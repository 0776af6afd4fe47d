//! A trial: one attempt of a harness that keeps a folder for each (`formats-other.md` §1, §2). It says who ran, how
//! it ended by the harness's word, and what the verifier found: outcome and end are two things. Plain data.

use super::outcome_file::OutcomeFile;
use crate::model::{Termination, Verdict};

/// One trial of a harness.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Path below the arm's root of the folder that is the trial, without a slash at its end. Where only a list names the
    /// trial, the folder that it would have.
    pub folder: String,
    /// Its own name (`fix-git__UsXo3Tz`, `fix-git.1-of-5.RUN`).
    pub name: String,
    /// Instance.
    pub instance_id: String,
    /// Number from 0 within its job, where the trial says it.
    pub run: Option<i64>,
    /// Folder of its job: each job of an arm has runs of its own.
    pub job: Option<String>,
    /// Attempts at each instance that its job makes, where the job says it.
    pub attempts: Option<i64>,
    /// Model.
    pub model: Option<String>,
    /// The agent, by the harness's name.
    pub scaffold: Option<String>,
    /// Start of the trial, UTC milliseconds.
    pub started_at: Option<i64>,
    /// End of the agent's part: what the agent still does afterwards is no part of the run that was graded.
    pub agent_ended_at: Option<i64>,
    /// End of the trial.
    pub ended_at: Option<i64>,
    /// How it ended, in the harness's word; `None` where the harness names nothing odd.
    pub raw_status: Option<String>,
    /// What that word means, `Unknown` where there is none or it means nothing known.
    pub termination: Termination,
    /// Tokens that the model read.
    pub tokens_in: Option<i64>,
    /// Tokens that the model wrote.
    pub tokens_out: Option<i64>,
    /// Cost in US dollars.
    pub cost_usd: Option<f64>,
    /// What the verifier found, and whether the harness lets it count.
    pub verdict: Verdict,
}

/// The trial in whose folder a path lies: the deepest one. `path` is below the arm's root, as the files' paths are.
pub fn trial_of<'a>(path: &str, files: &'a [OutcomeFile]) -> Option<&'a Trial> {
    let holds = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let trials = files.iter().flat_map(|file| &file.trials);
    trials.filter(|trial| holds(&trial.folder)).max_by_key(|trial| trial.folder.len())
}
