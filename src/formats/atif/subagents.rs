//! A root object with its sub-agents: embedded ones, and those whose steps stand among its own. Each is a trajectory that names
//! its parent.

use super::steps::{self, Sidechain, Told};
use super::{end, kept, usage};
use crate::formats::Read;
use crate::formats::json::lenient::{at, filled, list};
use crate::model::{Parent, Trajectory};
use serde_json::Value;

/// Reads a root object and what is embedded in it; `parent` is set for one that is embedded.
pub fn read(root: &Value, place: String, parent: Option<Parent>, read: &mut Read) {
    let mut run = Trajectory::new(super::FORMAT.name, "");
    run.place = place.clone();
    usage::settle(&mut run, root, &mut read.problems);
    run.parent = parent.or_else(|| outside(root));
    let ordinal = read.trajectories.len();
    if let Some(kept) = at(root, &["extra", kept::KEY]) {
        // Written by ourselves: a step is a turn, and what ATIF has no field for stands in `extra`.
        kept::restore(&mut run, root, kept);
        read.trajectories.push(run);
        embedded(root, &place, ordinal, &Told::default(), read);
        return;
    }
    let own: Vec<&Value> = list(root, "steps").iter().collect();
    let told = steps::turns(&mut run, root, &own, &mut read.problems);
    end::settle(&mut run, root, told.stop_reason.as_deref());
    read.trajectories.push(run);
    sidechains(root, &place, ordinal, &told, read);
    embedded(root, &place, ordinal, &told, read);
}

/// The parent that a helper's file names.
fn outside(root: &Value) -> Option<Parent> {
    let session = at(root, &["agent", "extra", "parent_session_id"])?.as_str()?;
    Some(Parent { ordinal: None, session_id: Some(session.to_owned()), turn: None })
}

fn embedded(root: &Value, place: &str, ordinal: usize, told: &Told, read: &mut Read) {
    let turns = read.trajectories.get(ordinal).map_or(0, |run| run.turns.len());
    for (number, child) in list(root, "subagent_trajectories").iter().enumerate() {
        if !child.get("steps").is_some_and(Value::is_array) {
            continue;
        }
        let ids = [filled(child, "trajectory_id"), filled(child, "session_id")];
        let started = ids.iter().flatten().find_map(|id| told.started.get(*id)).copied();
        let kept = at(child, &["extra", kept::KEY]).and_then(kept::parent_turn);
        let parent = Parent {
            ordinal: Some(ordinal),
            session_id: None,
            turn: started.or(kept).filter(|turn| *turn < turns),
        };
        let member = ids[0].map_or_else(|| format!("{}", number + 1), str::to_owned);
        let own =
            if place.is_empty() { format!("member {member}") } else { format!("{place} member {member}") };
        self::read(child, own, Some(parent), read);
    }
}

fn sidechains(root: &Value, place: &str, ordinal: usize, told: &Told, read: &mut Read) {
    for Sidechain { agent, after_turn, steps } in &told.sidechains {
        let mut run = Trajectory::new(super::FORMAT.name, "");
        let member = format!("member {agent}");
        run.place = if place.is_empty() { member } else { format!("{place} {member}") };
        let parent = read.trajectories.get(ordinal);
        if let Some(parent) = parent {
            run.scaffold.clone_from(&parent.scaffold);
            run.scaffold_version.clone_from(&parent.scaffold_version);
            run.model.clone_from(&parent.model);
        }
        run.session_id = Some((*agent).to_owned());
        run.parent = Some(Parent { ordinal: Some(ordinal), session_id: None, turn: *after_turn });
        run.steps = Some(steps.len() as i64);
        // Their mark parts them from the run; among themselves it says nothing.
        let own: Vec<Value> = steps.iter().map(|step| without_mark(step)).collect();
        let own: Vec<&Value> = own.iter().collect();
        let mut unused = Vec::new();
        let told = steps::turns(&mut run, root, &own, &mut unused);
        end::settle(&mut run, &Value::Null, told.stop_reason.as_deref());
        read.problems.append(&mut unused);
        let times: Vec<i64> = run.turns.iter().filter_map(|turn| turn.logged_at).collect();
        (run.started_at, run.ended_at) = (times.first().copied(), times.last().copied());
        read.trajectories.push(run);
    }
}

fn without_mark(step: &Value) -> Value {
    let mut step = step.clone();
    if let Some(extra) = step.get_mut("extra").and_then(Value::as_object_mut) {
        extra.remove("is_sidechain");
    }
    step
}
