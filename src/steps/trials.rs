//! What the trial records of an arm say of the logs in their folders, and the records without a log (`definitions.md` §1, a
//! run exists; `formats-other.md` §1: outcome and end are two things, both the harness's word).

use std::collections::{BTreeMap, BTreeSet};

use super::read_arm::{ReadLog, Seen};
use crate::formats::TRIAL_RECORD;
use crate::model::{Problem, Termination, Trajectory, Weight};
use crate::outcomes::{ToldBy, Trial, TrialFolders};

/// Trials in whose folders no log lies, as logs without turns: they keep their end, their times and their outcome.
pub fn without_log(
    trials: &TrialFolders,
    with_log: &BTreeSet<String>,
    seen: &BTreeMap<String, Seen>,
) -> Vec<ReadLog> {
    let shown: BTreeMap<&str, &str> =
        seen.values().map(|seen| (seen.relative.as_str(), seen.shown.as_str())).collect();
    let left = trials.all().filter(|(_, trial)| !with_log.contains(&trial.folder));
    left.map(|(file, trial)| {
        let is_own = trial.told_by != ToldBy::List;
        let mut trajectory = Trajectory::new(TRIAL_RECORD.name, "unknown");
        trajectory.has_log = false;
        trajectory.has_turn_boundaries = false;
        if !is_own {
            trajectory.place = format!("member {}", trial.name);
        }
        apply(trial, &mut trajectory);
        let mut content = blake3::Hasher::new();
        content.update(trial.folder.as_bytes()).update(trial.name.as_bytes());
        ReadLog {
            shown: shown.get(file.path.as_str()).copied().unwrap_or(&file.path).to_owned(),
            relative: if is_own { file.path.clone() } else { format!("{}/{}", trial.folder, trial.name) },
            ordinal: 0,
            content: content.finalize(),
            trajectory,
        }
    })
    .collect()
}

/// Gives a log what its trial knows better: the instance, the end by the harness's word, and what the log does not say.
pub fn apply(trial: &Trial, trajectory: &mut Trajectory) {
    trajectory.instance_id = Some(trial.instance_id.clone());
    // A word that says nothing of the end (of the verifier's time-out, of "no failure") leaves the log its own.
    let says_end = trial.termination != Termination::Unknown;
    if says_end {
        trajectory.termination = trial.termination;
    }
    if says_end || trajectory.raw_exit_status.is_none() {
        trajectory.raw_exit_status = trial.raw_status.clone().or(trajectory.raw_exit_status.take());
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
