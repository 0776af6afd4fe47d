//! `ethogram ingest`: logs and outcomes are added to a store.

use std::sync::Arc;

use super::arguments::{IngestArguments, Names, arm_of, study_of};
use super::error::{CommandError, Exit};
use super::output;
use super::progress::Progress;
use super::rules_file;
use crate::steps::ingest::{Extent, ingest, refusals};
use crate::steps::study::{Arm, Role};
use crate::store::Store;

/// Runs the command.
pub fn run(arguments: &IngestArguments) -> Result<Exit, CommandError> {
    let mut study = study_of(arms(arguments)?);
    arguments.common.apply(&mut study)?;
    study.rules = Arc::new(rules_file::read(&arguments.rules)?);
    let store = Store::create_or_open(&arguments.store)?;
    let progress = Progress::start();
    let done = ingest(&study, &store, Extent::Added, &|what| progress.say(what));
    progress.end();
    let (store, ingested) = done?;
    for arm in &ingested.unchanged {
        output::print(&format!("{arm}: unchanged, not read again\n"))?;
    }
    output::print(&format!(
        "{} trajectories read into {}\n",
        ingested.trajectories,
        arguments.store.display()
    ))?;
    let refused = refusals(&store.manifest().contents);
    if refused > 0 {
        for problem in store.manifest().contents.problems.iter().filter(|p| p.weight == "refused").take(20) {
            output::error(&format!("refused: `{}` {}: {}", problem.file, problem.place, problem.what));
        }
        return Ok(Exit::Refusals);
    }
    Ok(Exit::Done)
}

fn arms(arguments: &IngestArguments) -> Result<Vec<Arm>, CommandError> {
    let role = match arguments.role.as_deref() {
        None => None,
        Some("base") => Some(Role::Base),
        Some("trained") => Some(Role::Trained),
        Some(other) => {
            return Err(CommandError::Usage(format!("`{other}` is no role; write base or trained")));
        }
    };
    let mut arms: Vec<Arm> = Vec::new();
    let mut names = Names::default();
    for path in &arguments.paths {
        let name = match &arguments.arm {
            Some(name) => name.clone(),
            None if path.is_file() => {
                return Err(CommandError::Usage(format!(
                    "`{}` is a file: name its arm with --arm NAME",
                    path.display()
                )));
            }
            None => names.unique(path),
        };
        let mut arm = arm_of(path, name);
        arm.role = role;
        match arms.iter_mut().find(|known| known.name == arm.name) {
            Some(known) => known.logs.extend(arm.logs),
            None => arms.push(arm),
        }
    }
    Ok(arms)
}
