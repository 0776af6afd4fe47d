//! Rows of `trajectories`: written without a key while the logs are read, keyed when the arm is settled. A sub-agent has
//! the key of its topmost parent (`definitions.md` §2, sub-agents).

use super::read_arm::{self, ReadArm, ReadLog};
use super::study::Arm;
use super::tag_rows::{self, Findings};
use crate::data::benchmarks::SettledBenchmark;
use crate::model::key::trajectory_id;
use crate::model::{InstanceSource, RunKey, RunSource};
use crate::outcomes::{Fate, SettledLog};
use crate::store::{LogHead, RunRow, StoreError, StoreWriter, write_log};

/// The trajectory of a head.
pub(super) fn of_head(read: &ReadArm, ids: &[Option<String>], head: usize) -> Option<String> {
    let log = read.places.iter().position(|placed| placed.head == Some(head))?;
    ids.get(log)?.clone()
}

/// Gives a row its key; a sub-agent has that of its topmost parent, and its fate.
pub(super) fn settle<'r>(
    row: &mut RunRow,
    log: usize,
    read: &'r ReadArm,
    ids: &[Option<String>],
) -> Option<&'r SettledLog> {
    let placed = read.places.get(log)?;
    if placed.is_child {
        let id_of = |log: usize| ids.get(log).cloned().flatten();
        row.parent_turn = placed.parent_turn;
        row.parent_id = placed.parent.and_then(id_of).or_else(|| placed.parent_session.clone());
        // A parent that was not read is none of the store's rows; the sub-agent is no run all the same.
        row.parent_id.get_or_insert_with(|| row.id.clone());
        let root = root_of(read, log);
        row.root_id = id_of(root).unwrap_or_else(|| row.id.clone());
        let head = read.places.get(root).and_then(|placed| placed.head);
        let settled = head.and_then(|head| read.settled.logs.get(head));
        return settled.inspect(|settled| take_key(row, settled)).or(Some(&ORPHAN));
    }
    read.settled.logs.get(placed.head?).inspect(|settled| take_key(row, settled))
}

/// The topmost parent of a log. Sessions that name each other in a circle end where it closes.
fn root_of(read: &ReadArm, log: usize) -> usize {
    let mut root = log;
    for _ in 0..read.places.len() {
        match read.places.get(root).and_then(|placed| placed.parent) {
            Some(parent) if parent != log => root = parent,
            _ => break,
        }
    }
    root
}

/// A sub-agent whose parent was not read.
static ORPHAN: SettledLog = SettledLog {
    instance_id: String::new(),
    instance_source: InstanceSource::File,
    run: 0,
    run_source: RunSource::Rank,
    fate: Fate::Live,
    spoken: None,
};

fn take_key(row: &mut RunRow, settled: &SettledLog) {
    row.key.instance_id.clone_from(&settled.instance_id);
    row.key.run = settled.run;
    row.run_source = settled.run_source;
    row.instance_source = settled.instance_source;
}

pub(super) fn write_one(
    writer: &mut StoreWriter,
    arm: &Arm,
    benchmark: &SettledBenchmark,
    log: ReadLog,
    findings: &Findings,
) -> Result<RunRow, StoreError> {
    let instance_id = read_arm::instance_of(&log);
    let id = trajectory_id(&arm.name, &instance_id, &log.relative, &log.trajectory.place, &log.content);
    write_log(writer, &id, &log.trajectory)?;
    tag_rows::write(writer, &id, findings)?;
    Ok(RunRow {
        key: RunKey {
            arm: arm.name.clone(),
            benchmark: benchmark.benchmark.name.clone(),
            instance_id,
            run: 0,
        },
        run_source: RunSource::Rank,
        instance_source: InstanceSource::File,
        benchmark_source: benchmark.source.as_str(),
        file: log.shown,
        head: LogHead::of(log.trajectory),
        superseded_by: None,
        parent_id: None,
        parent_turn: None,
        root_id: id.clone(),
        id,
    })
}
