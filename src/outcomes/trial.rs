//! A trial: one attempt of a harness that keeps a folder for each (`formats-other.md` §1, §2). It says who ran, how
//! it ended by the harness's word, and what the verifier found: outcome and end are two things. Plain data.

use std::collections::BTreeMap;

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

/// The trials of an arm by their folders. Trials beside the arm's root are none of its.
#[derive(Debug, Default)]
pub struct TrialFolders<'a> {
    by_folder: BTreeMap<&'a str, (&'a OutcomeFile, &'a Trial)>,
}

impl<'a> TrialFolders<'a> {
    /// Collects them; of what is told of one trial the best source counts.
    pub fn of(files: &'a [OutcomeFile]) -> TrialFolders<'a> {
        let mut by_folder: BTreeMap<&str, (&OutcomeFile, &Trial)> = BTreeMap::new();
        for file in files {
            for trial in file.trials.iter().filter(|trial| trial.is_of_arm()) {
                let known = by_folder.entry(&trial.folder).or_insert((file, trial));
                if (trial.told_by, &known.0.path) > (known.1.told_by, &file.path) {
                    *known = (file, trial);
                }
            }
        }
        TrialFolders { by_folder }
    }

    /// The deepest trial in whose folder a path below the arm's root lies. Where the root itself is a trial, or lies in one,
    /// that trial holds every path.
    pub fn of_path(&self, path: &str) -> Option<&'a Trial> {
        let mut folder = path;
        while let Some((above, _)) = folder.rsplit_once('/') {
            if let Some((_, trial)) = self.by_folder.get(above) {
                return Some(trial);
            }
            folder = above;
        }
        ["", ".."].iter().find_map(|root| self.by_folder.get(root)).map(|(_, trial)| *trial)
    }

    /// All of them with the files that tell them, by folder.
    pub fn all(&self) -> impl Iterator<Item = (&'a OutcomeFile, &'a Trial)> {
        self.by_folder.values().copied()
    }
}
