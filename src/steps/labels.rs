//! Labels: the turns that a file of labels names are looked up in a store, with what the rules said of them there; turns are
//! drawn for a reader. What is measured is what the store holds, not what rules would say anew.

use std::collections::{BTreeMap, BTreeSet};

use super::error::StepError;
use crate::facts::HostKind;
use crate::measure::labels::{
    Answer, Drawn, Edit, Label, Pair, Stratum, Test, draw, parse_outcome, parse_quality,
};
use crate::model::TagName;
use crate::runners::TestOutcome;
use crate::store::{Frame, FrameRow, Sql, Store, StoreError};

/// Labels beside what the store says of their turns.
#[derive(Clone, Debug, Default)]
pub struct Matched {
    /// Labelled turns that the store holds.
    pub pairs: Vec<Pair>,
    /// Items that it does not hold, each with the reason.
    pub missing: Vec<(String, String)>,
}

/// Looks up the turns of labels.
///
/// # Errors
/// The store cannot be read.
pub fn matched(store: &Store, labels: Vec<Label>) -> Result<Matched, StepError> {
    let logs = logs(store)?;
    let mut found = Matched::default();
    for label in labels {
        match place(&logs, &label.log, label.turn) {
            Ok((log, turn)) => found.pairs.push(Pair {
                trajectory: log.id.clone(),
                turn,
                format: log.format.clone(),
                label,
                engine: Answer::default(),
            }),
            Err(why) => found.missing.push((label.item, why)),
        }
    }
    let mut answers = answers(store, &found.pairs)?;
    for pair in &mut found.pairs {
        pair.engine = answers.remove(&(pair.trajectory.clone(), pair.turn)).unwrap_or_default();
    }
    Ok(found)
}

/// One log of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Trajectory.
    pub id: String,
    /// File, as given joined with what lies below it.
    pub file: String,
    /// Format.
    pub format: String,
    arm: String,
    turns: usize,
    is_live: bool,
}

/// The logs of a store in its order.
///
/// # Errors
/// The store cannot be read.
pub fn logs(store: &Store) -> Result<Vec<Log>, StepError> {
    let log = |row: FrameRow| -> Result<Log, StoreError> {
        Ok(Log {
            id: row.text("trajectory_id")?.to_owned(),
            file: row.text("file")?.to_owned(),
            format: row.text("format")?.to_owned(),
            arm: row.text("arm")?.to_owned(),
            turns: usize::try_from(row.opt_int("n_turns")?.unwrap_or_default()).unwrap_or_default(),
            is_live: row.opt_text("superseded_by")?.is_none(),
        })
    };
    Ok(store.read("trajectories")?.iter().map(log).collect::<Result<_, _>>()?)
}

/// Draws turns of the model for a reader, formats alike.
///
/// # Errors
/// The store cannot be read.
pub fn sample(store: &Store, count: usize, seed: u64) -> Result<Vec<Drawn>, StepError> {
    let mut by_log: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let statement =
        "SELECT trajectory_id, turn FROM turns WHERE origin = 'model' ORDER BY trajectory_id, turn";
    for row in Sql::open(store)?.run(statement)?.iter() {
        let (id, turn) = key(row)?;
        by_log.entry(id).or_default().push(turn);
    }
    let mut strata: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for log in logs(store)?.into_iter().filter(|log| log.is_live) {
        let turns = by_log.remove(&log.id).unwrap_or_default();
        strata.entry(log.format).or_default().extend(turns.into_iter().map(|turn| (log.id.clone(), turn)));
    }
    let strata: Vec<Stratum> = strata.into_iter().map(|(format, turns)| Stratum { format, turns }).collect();
    Ok(draw(&strata, count, seed))
}

/// The log and the turn that an item names: by the trajectory's id, else by `archive:file`. The turns of a file that holds
/// several logs are counted through.
fn place<'l>(logs: &'l [Log], named: &str, turn: usize) -> Result<(&'l Log, usize), String> {
    let by_id: Vec<&Log> = logs.iter().filter(|log| log.id == named).collect();
    let of_file = if by_id.is_empty() { by_file(logs, named)? } else { by_id };
    let mut left = turn;
    for log in &of_file {
        if left < log.turns {
            return Ok((log, left));
        }
        left -= log.turns;
    }
    match of_file.is_empty() {
        true => Err("the store holds no such log".to_owned()),
        false => Err(format!("its log has {} turns", turn - left)),
    }
}

/// Logs whose file ends in the file's whole path, below a folder or an archive of the archive's name, or in an arm of that
/// name: archives of one benchmark hold files of one name, so that a file alone says too little.
fn by_file<'l>(logs: &'l [Log], named: &str) -> Result<Vec<&'l Log>, String> {
    let (archive, file) = named.split_once(':').unwrap_or(("", named));
    let folder = archive.rsplit('/').next().unwrap_or_default();
    let below = |log: &Log| {
        let parent = log.file.strip_suffix(file)?;
        // A path ends between two names.
        (parent.is_empty() || parent.ends_with('/')).then(|| parent.to_owned())
    };
    let is_named = |log: &Log, parent: &str| {
        let mut names = parent.split('/').rev().filter(|name| !name.is_empty());
        folder.is_empty()
            || log.arm == archive
            || log.arm == folder
            || names.next().is_some_and(|name| name == folder || name.starts_with(&format!("{folder}.")))
    };
    let found: Vec<&Log> =
        logs.iter().filter(|log| below(log).is_some_and(|parent| is_named(log, &parent))).collect();
    let live: Vec<&Log> = found.iter().copied().filter(|log| log.is_live).collect();
    let found = if live.is_empty() { found } else { live };
    let files: BTreeSet<&str> = found.iter().map(|log| log.file.as_str()).collect();
    let arms: BTreeSet<&str> = found.iter().map(|log| log.arm.as_str()).collect();
    match files.len().max(arms.len()) {
        0 | 1 => Ok(found),
        several => Err(format!("{several} logs of the store are called so")),
    }
}

/// A turn of a trajectory.
type Turn = (String, usize);

/// What the tag tables say of the turns of some pairs.
fn answers(store: &Store, pairs: &[Pair]) -> Result<BTreeMap<Turn, Answer>, StoreError> {
    let mut answers: BTreeMap<Turn, Answer> =
        pairs.iter().map(|pair| ((pair.trajectory.clone(), pair.turn), Answer::default())).collect();
    let ids: BTreeSet<&str> = pairs.iter().map(|pair| pair.trajectory.as_str()).collect();
    if ids.is_empty() {
        return Ok(answers);
    }
    let sql = Sql::open(store)?;
    for (table, columns, order, take) in TABLES {
        for row in rows(&sql, table, columns, order, &ids)?.iter() {
            if let Some(answer) = answers.get_mut(&key(row)?) {
                take(answer, row)?;
            }
        }
    }
    Ok(answers)
}

type Take = fn(&mut Answer, FrameRow) -> Result<(), StoreError>;

/// Tables that say something of a turn: columns, order, and how a row enters the answer.
const TABLES: [(&str, &str, &str, Take); 5] = [
    ("turns", "quality", "", quality),
    ("tags", "tag, kind, n", ", tag, n", tag),
    ("edits", "call, n, path, kind, target, effective", ", call, n", edit),
    ("test_runs", "call, n, kind, outcome, reason", ", call, n", test),
    ("network", "call, n, attempt, host_kind, result", ", call, n", network),
];

fn rows(
    sql: &Sql,
    table: &str,
    columns: &str,
    order: &str,
    ids: &BTreeSet<&str>,
) -> Result<Frame, StoreError> {
    let ids: Vec<String> = ids.iter().map(|id| format!("'{}'", id.replace('\'', "''"))).collect();
    sql.run(&format!(
        "SELECT trajectory_id, turn, {columns} FROM {table} WHERE trajectory_id IN ({}) \
         ORDER BY trajectory_id, turn{order}",
        ids.join(", ")
    ))
}

fn key(row: FrameRow) -> Result<Turn, StoreError> {
    let turn = usize::try_from(row.int("turn")?).unwrap_or_default();
    Ok((row.text("trajectory_id")?.to_owned(), turn))
}

fn owned(row: FrameRow, column: &str) -> Result<Option<String>, StoreError> {
    Ok(row.opt_text(column)?.map(str::to_owned))
}

fn quality(answer: &mut Answer, row: FrameRow) -> Result<(), StoreError> {
    answer.quality = parse_quality(row.text("quality")?);
    Ok(())
}

fn tag(answer: &mut Answer, row: FrameRow) -> Result<(), StoreError> {
    let Some(name) = TagName::parse(row.text("tag")?) else { return Ok(()) };
    answer.tags.insert(name);
    let kinds = match name {
        TagName::Exploration => &mut answer.exploration_kinds,
        TagName::Execution => &mut answer.execution_kinds,
        _ => return Ok(()),
    };
    kinds.extend(owned(row, "kind")?);
    Ok(())
}

fn edit(answer: &mut Answer, row: FrameRow) -> Result<(), StoreError> {
    answer.edits.push(Edit {
        path: owned(row, "path")?,
        kind: row.text("kind")?.to_owned(),
        target: owned(row, "target")?,
        effective: row.opt_flag("effective")?,
    });
    Ok(())
}

fn test(answer: &mut Answer, row: FrameRow) -> Result<(), StoreError> {
    answer.tests.push(Test {
        kind: row.text("kind")?.to_owned(),
        outcome: parse_outcome(row.text("outcome")?).unwrap_or(TestOutcome::Unknown),
        reason: owned(row, "reason")?,
    });
    Ok(())
}

/// Of several hosts of one turn the first in the order of kinds decides.
fn network(answer: &mut Answer, row: FrameRow) -> Result<(), StoreError> {
    let kind = row.text("host_kind")?;
    let rank = |kind: &str| HOST_KINDS.iter().position(|known| known.as_str() == kind);
    let is_first = answer.network_kind.as_deref().is_none_or(|held| rank(kind) < rank(held));
    if row.opt_flag("attempt")? == Some(true) && is_first {
        answer.network_kind = Some(kind.to_owned());
        answer.network_result = owned(row, "result")?;
    }
    Ok(())
}

const HOST_KINDS: [HostKind; 11] = [
    HostKind::CodeHostUpstream,
    HostKind::Mirror,
    HostKind::Search,
    HostKind::DataHost,
    HostKind::CodeHostOther,
    HostKind::Other,
    HostKind::Docs,
    HostKind::PackageRegistry,
    HostKind::Unknown,
    HostKind::Private,
    HostKind::Loopback,
];
