//! A trial: one attempt of a harness that keeps a folder for each (`formats-other.md` §1, §2). It says who ran, how
//! it ended by the harness's word, and what the verifier found: outcome and end are two things. Plain data.

use super::outcome_file::OutcomeFile;
use crate::model::{InstanceSource, Termination, UnscoredReason, Verdict};

/// Where a trial is told. Later ones weigh more: a list that tells a trial again adds nothing to the trial's own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToldBy {
    /// Nothing is left of it but the verifier's reward.
    Reward,
    /// A list of its job or run.
    List,
    /// Its own record.
    Record,
}

/// One trial of a harness.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Path below the arm's root of the folder that is the trial, without a slash at its end. Where only a list names the
    /// trial, the folder that it would have.
    pub folder: String,
    /// Its own name (`fix-git__UsXo3Tz`, `fix-git.1-of-5.RUN`).
    pub name: String,
    /// Its id, where the harness gives it one: copies of a trial share it.
    pub id: Option<String>,
    /// Where it is told.
    pub told_by: ToldBy,
    /// Instance.
    pub instance_id: String,
    /// `Log` where a record or list names the instance, `Path` where only the trial's name does.
    pub instance_source: InstanceSource,
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
    /// What the verifier found, and whether the harness lets it count. `resolved` is unset where only a reward is given; the
    /// arm's threshold decides then.
    pub verdict: Verdict,
}

impl Trial {
    /// A trial of which only folder, name and instance are known.
    pub(super) fn new(folder: String, name: String, instance_id: String, told_by: ToldBy) -> Trial {
        Trial {
            folder,
            name,
            id: None,
            told_by,
            instance_id,
            instance_source: InstanceSource::Log,
            run: None,
            job: None,
            attempts: None,
            model: None,
            scaffold: None,
            started_at: None,
            agent_ended_at: None,
            ended_at: None,
            raw_status: None,
            termination: Termination::Unknown,
            tokens_in: None,
            tokens_out: None,
            cost_usd: None,
            verdict: Verdict::unscored(UnscoredReason::Null),
        }
    }

    /// Whether its folder lies below the arm's root, or holds the root. Others are neighbours of the arm.
    pub(super) fn is_of_arm(&self) -> bool {
        !self.folder.starts_with("../")
    }
}

/// The folder above, empty for the root.
pub(super) fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder below another, which is empty for the root.
pub(super) fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The trial in whose folder a path lies: the deepest one. `path` is below the arm's root, as the files' paths are. Where the
/// root itself is a trial, or lies in one, that trial holds every path.
pub fn trial_of<'a>(path: &str, files: &'a [OutcomeFile]) -> Option<&'a Trial> {
    let holds = |folder: &str| {
        matches!(folder, "" | "..") || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    };
    let trials = files.iter().flat_map(|file| &file.trials);
    let depth = |folder: &str| if folder == ".." { 0 } else { folder.len() };
    trials.filter(|trial| holds(&trial.folder)).max_by_key(|trial| depth(&trial.folder))
}
