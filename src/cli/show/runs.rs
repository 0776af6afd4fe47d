//! The runs of a store by name, each with what was said of it. A run that only an outcome file names has no trajectory.

use std::collections::BTreeMap;

use crate::store::{FrameRow, Store, StoreError};

/// All runs.
pub struct Runs(Vec<Run>);

/// One run, or a trajectory that is no run (superseded, a sub-agent's).
pub struct Run {
    /// Its trajectory, where there is a log.
    pub trajectory_id: Option<String>,
    /// Its instance.
    pub instance_id: String,
    arm: String,
    benchmark: String,
    run: i64,
    file: Option<String>,
    superseded_by: Option<String>,
    parent_id: Option<String>,
    outcome: Option<String>,
}

type Key = (String, String, String, i64);

impl Runs {
    /// Reads the tables of runs and outcomes.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(store: &Store) -> Result<Runs, StoreError> {
        let mut outcomes: BTreeMap<Key, String> = BTreeMap::new();
        for row in store.read("outcomes")?.iter() {
            outcomes.insert(key(row)?, outcome(row)?);
        }
        let mut runs = Vec::new();
        let mut without_log = outcomes.clone();
        for row in store.read("trajectories")?.iter() {
            let key = key(row)?;
            without_log.remove(&key);
            let owned = |column| row.opt_text(column).map(|text| text.map(str::to_owned));
            runs.push(Run {
                trajectory_id: owned("trajectory_id")?,
                file: owned("file")?,
                superseded_by: owned("superseded_by")?,
                parent_id: owned("parent_id")?,
                outcome: outcomes.get(&key).cloned(),
                ..Run::of(key)
            });
        }
        let without_log =
            without_log.into_iter().map(|(key, outcome)| Run { outcome: Some(outcome), ..Run::of(key) });
        runs.extend(without_log);
        Ok(Runs(runs))
    }

    /// The trajectory of an id, or all runs of an instance.
    pub fn named(&self, id: &str) -> Vec<&Run> {
        let is_id = |run: &&Run| run.trajectory_id.as_deref() == Some(id);
        match self.0.iter().find(is_id) {
            Some(run) => vec![run],
            None => self.0.iter().filter(|run| run.instance_id == id).collect(),
        }
    }

    /// Of every other arm the run of the same instance: that of the same number, else the first.
    pub fn counterparts(&self, run: &Run) -> Vec<&Run> {
        let mut found: BTreeMap<&str, &Run> = BTreeMap::new();
        let others = self.0.iter().filter(|other| {
            other.arm != run.arm
                && other.instance_id == run.instance_id
                && other.benchmark == run.benchmark
                && other.superseded_by.is_none()
                && other.parent_id.is_none()
        });
        for other in others {
            let rank = |candidate: &Run| (candidate.run != run.run, candidate.run);
            found
                .entry(&other.arm)
                .and_modify(|known| {
                    if rank(other) < rank(known) {
                        *known = other;
                    }
                })
                .or_insert(other);
        }
        found.into_values().collect()
    }
}

impl Run {
    fn of((arm, benchmark, instance_id, run): Key) -> Run {
        Run {
            trajectory_id: None,
            instance_id,
            arm,
            benchmark,
            run,
            file: None,
            superseded_by: None,
            parent_id: None,
            outcome: None,
        }
    }

    /// Who it is and what was said of it, as comments.
    pub fn heading(&self) -> String {
        let Run { arm, benchmark, instance_id, run, .. } = self;
        let mut out = match &self.trajectory_id {
            Some(id) => format!("# trajectory {id}: arm {arm}, {instance_id} ({benchmark}), run {run}\n"),
            None => format!("# arm {arm}, {instance_id} ({benchmark}), run {run}: no log\n"),
        };
        let lines = [
            ("file", &self.file),
            ("outcome", &self.outcome),
            ("superseded by", &self.superseded_by),
            ("sub-agent of", &self.parent_id),
        ];
        for (word, value) in lines {
            if let Some(value) = value {
                out.push_str(&format!("# {word} {value}\n"));
            }
        }
        out
    }
}

fn key(row: FrameRow) -> Result<Key, StoreError> {
    let owned = |column| row.text(column).map(str::to_owned);
    Ok((owned("arm")?, owned("benchmark")?, owned("instance_id")?, row.int("run")?))
}

fn outcome(row: FrameRow) -> Result<String, StoreError> {
    let word = match (row.opt_flag("scored")?, row.opt_flag("resolved")?) {
        (Some(true), Some(true)) => "resolved",
        (Some(true), Some(false)) => "not resolved",
        (Some(true), None) => "scored",
        _ => "unscored",
    };
    let reason = row.opt_text("unscored_reason")?.or(row.opt_text("failed_reason")?);
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    Ok(format!("{word}{reason} ({})", row.text("source")?))
}
