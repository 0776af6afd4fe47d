//! What the trial records of an arm say of the logs in their folders, and the records without a log (`definitions.md` §1, a
//! run exists; `formats-other.md` §1: outcome and end are two things, both the harness's word).

use std::collections::{BTreeMap, BTreeSet};

use super::read_arm::{ReadLog, Seen};
use crate::formats::TRIAL_RECORD;
use crate::model::{Problem, Trajectory, Weight};
use crate::outcomes::{OutcomeFile, Trial};

/// The trials of an arm by their folders.
pub struct Trials<'a> {
    by_folder: BTreeMap<&'a str, (&'a OutcomeFile, &'a Trial)>,
}

impl<'a> Trials<'a> {
    /// Collects them; of several records of one trial that of its own folder counts, before that of a verifier in a folder
    /// below (which knows a reward and no end), before that of a list.
    pub fn of(files: &'a [OutcomeFile]) -> Trials<'a> {
        let mut by_folder: BTreeMap<&str, (&OutcomeFile, &Trial)> = BTreeMap::new();
        for file in files {
            for trial in &file.trials {
                let (known, _) = by_folder.entry(&trial.folder).or_insert((file, trial));
                if depth_below(&file.path, &trial.folder) < depth_below(&known.path, &trial.folder) {
                    by_folder.insert(&trial.folder, (file, trial));
                }
            }
        }
        Trials { by_folder }
    }

    /// The deepest trial in whose folder a path lies.
    pub fn of_path(&self, path: &str) -> Option<&'a Trial> {
        let mut folder = path;
        while let Some((above, _)) = folder.rsplit_once('/') {
            if let Some((_, trial)) = self.by_folder.get(above) {
                return Some(trial);
            }
            folder = above;
        }
        None
    }

    /// Trials in whose folders no log lies, as logs without turns: they keep their end, their times and their outcome.
    pub fn without_log(&self, with_log: &BTreeSet<String>, seen: &BTreeMap<String, Seen>) -> Vec<ReadLog> {
        let shown: BTreeMap<&str, &str> =
            seen.values().map(|seen| (seen.relative.as_str(), seen.shown.as_str())).collect();
        let left = self.by_folder.iter().filter(|(folder, _)| !with_log.contains(**folder));
        left.map(|(folder, (file, trial))| {
            let is_own = depth_below(&file.path, folder) != usize::MAX;
            let mut trajectory = Trajectory::new(TRIAL_RECORD.name, "unknown");
            trajectory.has_log = false;
            trajectory.has_turn_boundaries = false;
            trajectory.termination = trial.termination;
            if !is_own {
                trajectory.place = format!("member {}", trial.name);
            }
            apply(trial, &mut trajectory);
            let mut content = blake3::Hasher::new();
            content.update(folder.as_bytes()).update(trial.name.as_bytes());
            ReadLog {
                shown: shown.get(file.path.as_str()).copied().unwrap_or(&file.path).to_owned(),
                relative: if is_own { file.path.clone() } else { format!("{folder}/{}", trial.name) },
                ordinal: 0,
                content: content.finalize(),
                trajectory,
            }
        })
        .collect()
    }
}

/// Folders between a trial and a file that speaks of it; as many as can be for a file that lies elsewhere.
fn depth_below(path: &str, folder: &str) -> usize {
    let rest = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    rest.map_or(usize::MAX, |rest| rest.matches('/').count())
}

/// Gives a log what its trial knows better: the instance, the end by the harness's word, and what the log does not say.
pub fn apply(trial: &Trial, trajectory: &mut Trajectory) {
    trajectory.instance_id = Some(trial.instance_id.clone());
    if let Some(raw) = &trial.raw_status {
        trajectory.raw_exit_status = Some(raw.clone());
        trajectory.termination = trial.termination;
    }
    if let Some(scaffold) = trial.scaffold.as_ref().filter(|_| trajectory.scaffold == "unknown") {
        trajectory.scaffold.clone_from(scaffold);
    }
    let fill = |own: &mut Option<i64>, of_trial: Option<i64>| *own = own.or(of_trial);
    fill(&mut trajectory.tokens_in, trial.tokens_in);
    fill(&mut trajectory.tokens_out, trial.tokens_out);
    fill(&mut trajectory.started_at, trial.started_at);
    fill(&mut trajectory.ended_at, trial.ended_at);
    trajectory.cost_usd = trajectory.cost_usd.or(trial.cost_usd);
    if trajectory.model.is_none() {
        trajectory.model.clone_from(&trial.model);
    }
}

/// Turns that were made after the agent's time was over, while the verifier ran (`atif.md` §5, T16): a pass may come from
/// them.
pub fn late_turns(trial: &Trial, log: &ReadLog) -> Option<Problem> {
    let end = trial.agent_ended_at?;
    let is_late = |at: Option<i64>| at.is_some_and(|at| at > end);
    let late = log.trajectory.turns.iter().filter(|turn| is_late(turn.logged_at)).count();
    (late > 0).then(|| {
        let what =
            format!("{late} turns were made after the agent's time was over; a pass may come from them");
        let mut problem = Problem::new(Weight::Note, log.trajectory.place.clone(), what);
        problem.file.clone_from(&log.shown);
        problem
    })
}
