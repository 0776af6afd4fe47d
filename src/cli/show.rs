//! `ethogram show`: trajectories of a store as turn lines, as a person reads them. What is not the log's (numbers of turns,
//! identity, evidence of tags) stands in comments, so that what is printed can be pasted into an example.

mod compared;
mod evidence;
mod runs;

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::ShowArguments;
use super::error::{CommandError, Exit};
use super::output;
use super::rules_file;
use crate::model::turn_lines;
use crate::steps::StepError;
use crate::store::{Store, StoreError, StoredLog};
pub(super) use evidence::Tags;
use runs::{Run, Runs};

/// Bytes of a text, where the whole trajectory is shown. One turn is shown whole.
const LIMIT: usize = 600;

/// Runs the command.
pub fn run(arguments: &ShowArguments) -> Result<Exit, CommandError> {
    let store = Store::open(&arguments.store)?;
    let runs = Runs::read(&store)?;
    let chosen = runs.named(&arguments.id);
    if chosen.is_empty() {
        return Err(StepError::UnknownTrajectory { id: arguments.id.clone() }.into());
    }
    let groups = groups(&runs, chosen, arguments.diff);
    let ids: BTreeSet<&str> =
        groups.iter().flatten().filter_map(|run| run.trajectory_id.as_deref()).collect();
    let logs = logs(&store, &ids)?;
    let rules = rules_file::read(&arguments.rules)?;
    let mut tags = if arguments.tags { Tags::read(&store, &ids)? } else { Tags::default() };
    logs.values().for_each(|stored| tags.add_rules(&rules, stored));
    for group in &groups {
        show(group, &logs, &tags, arguments)?;
    }
    Ok(Exit::Done)
}

/// Each run with those that it is held against, which then need no place of their own.
fn groups<'r>(runs: &'r Runs, chosen: Vec<&'r Run>, diff: bool) -> Vec<Vec<&'r Run>> {
    let mut groups: Vec<Vec<&Run>> = Vec::new();
    for run in chosen {
        let is_shown = groups.iter().flatten().any(|shown| std::ptr::eq(*shown, run));
        if !diff {
            groups.push(vec![run]);
        } else if !is_shown {
            groups.push(std::iter::once(run).chain(runs.counterparts(run)).collect());
        }
    }
    groups
}

/// The logs of these trajectories; the walk ends with the last of them.
pub(super) fn logs(store: &Store, ids: &BTreeSet<&str>) -> Result<BTreeMap<String, StoredLog>, StoreError> {
    let mut found = BTreeMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    for log in crate::store::logs(store)? {
        let log = log?;
        if ids.contains(log.id.as_str()) {
            found.insert(log.id.clone(), log);
        }
        if found.len() == ids.len() {
            break;
        }
    }
    Ok(found)
}

/// A run, and behind it the runs that it is held against.
fn show(
    group: &[&Run],
    logs: &BTreeMap<String, StoredLog>,
    tags: &Tags,
    arguments: &ShowArguments,
) -> Result<(), CommandError> {
    let log = |run: &Run| run.trajectory_id.as_ref().and_then(|id| logs.get(id));
    let Some((first, others)) = group.split_first() else { return Ok(()) };
    if arguments.diff && others.is_empty() {
        output::error(&format!("no other arm has a run of {}", first.instance_id));
    }
    if others.is_empty() {
        return print_run(first, log(first), None, tags, arguments);
    }
    for other in others {
        let parting = log(first).zip(log(other)).map(|(one, other)| compared::parting(one, other));
        print_run(first, log(first), parting, tags, arguments)?;
        print_run(other, log(other), parting, tags, arguments)?;
    }
    Ok(())
}

fn print_run(
    run: &Run,
    log: Option<&StoredLog>,
    parting: Option<usize>,
    tags: &Tags,
    arguments: &ShowArguments,
) -> Result<(), CommandError> {
    let mut text = run.heading();
    if let Some(stored) = log {
        match arguments.turn {
            Some(turn) => text.push_str(&one_turn(stored, turn, tags)?),
            None => text.push_str(&whole(stored, parting, tags)),
        }
    }
    output::print(&(output::visible(&text) + "\n"))
}

fn whole(stored: &StoredLog, parting: Option<usize>, tags: &Tags) -> String {
    let parts = turn_lines::print_parts(&stored.log, Some(LIMIT), |turn| tags.marks(&stored.id, turn));
    let mut out = parts.facts;
    for (place, turn) in parts.turns.iter().enumerate() {
        if parting == Some(place) {
            out.push_str(compared::PARTING);
        }
        out.push_str(&numbered(stored, place, turn, tags));
    }
    if parting.is_some_and(|parting| parting >= parts.turns.len()) {
        out.push_str(compared::PARTING);
    }
    out + &parts.end
}

fn one_turn(stored: &StoredLog, turn: usize, tags: &Tags) -> Result<String, CommandError> {
    let parts = turn_lines::print_parts(&stored.log, None, |turn| tags.marks(&stored.id, turn));
    match parts.turns.get(turn) {
        Some(text) => Ok(numbered(stored, turn, text, tags)),
        None => Err(CommandError::Usage(match parts.turns.len() {
            0 => format!("trajectory {} has no turns", stored.id),
            turns => format!("trajectory {} has no turn {turn}: its turns are 0 to {}", stored.id, turns - 1),
        })),
    }
}

fn numbered(stored: &StoredLog, place: usize, turn: &str, tags: &Tags) -> String {
    let evidence = stored.log.turns.get(place).map(|logged| tags.evidence(&stored.id, place, logged));
    format!("# turn {place}\n{turn}{}", evidence.unwrap_or_default())
}
