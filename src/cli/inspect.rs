//! `ethogram inspect`: what the readers make of logs, one JSON object a run or trajectory, without a store
//! (`interface.md`, `inspect` JSON). Which run a log is, and what is said of it, is known when the last log of a path
//! was read: until then only heads are held, and turns wait in a spool. No rule of duplicates is applied.

mod object;
mod print;
mod problems;
mod spool;
mod tags;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::arguments::{InspectArguments, Names, arm_of, study_of};
use super::error::{CommandError, Exit};
use super::progress::Progress;
use super::rules_file;
use crate::facts::Context;
use crate::model::{PatchState, Trajectory};
use crate::outcomes::{self, SettledLog};
use crate::sources::{self, Limits, SourceKind};
use crate::steps::arm_files::{self, ArmFile, ArmFiles};
use crate::steps::read_arm::{self, Placed, ReadArm};
use crate::steps::study::{Arm, Study};
use crate::steps::with_threads;
use crate::tags::Rules;
use object::{Head, Object, Outcome, ParentObject};
use print::Printer;
use problems::Said;
use spool::Spool;

/// Runs the command.
pub fn run(arguments: &InspectArguments) -> Result<Exit, CommandError> {
    let mut names = Names::default();
    let mut printer = Printer::new(arguments);
    let mut said = Said::default();
    let rules = Arc::new(rules_file::read(&arguments.rules)?);
    for path in &arguments.paths {
        said.begin(path);
        let study = study(path, names.unique(path), arguments, &rules)?;
        for arm in &study.arms {
            for files in arm_files::walk(arm)? {
                let mut inspected = Inspected::read(&study, arm, &files, arguments)?;
                said.note(&inspected.heads, &inspected.read);
                inspected.print(&mut printer)?;
            }
        }
    }
    printer.finish()?;
    Ok(said.finish())
}

/// What a file would be read as: the name of a format or of a shape of outcome file, or why it would not be read.
pub fn read_as(file: &ArmFile) -> &'static str {
    match file.source.kind {
        SourceKind::Archive => return "archive",
        SourceKind::Binary => return "nothing",
        SourceKind::Plain | SourceKind::Compressed => {}
    }
    if let Some((format, _)) = crate::formats::recognise_folder(&file.relative).filter(|_| file.may_be_log) {
        return format.name;
    }
    let Ok(bytes) = sources::read(&file.source, &Limits::default()) else { return "unreadable" };
    let shape = || outcomes::recognise(&file.relative, &bytes).map(|shape| shape.name);
    let format = || crate::formats::recognise(&bytes).filter(|_| file.may_be_log).map(|format| format.name);
    // The order of `read_arm`: a file that is named as a log is no outcome file.
    let found = if read_arm::is_named_as_log(&file.relative) { format() } else { shape().or_else(format) };
    found.unwrap_or("nothing")
}

/// One path as a study of one arm, of which every row of an outcome file speaks.
fn study(
    path: &Path,
    name: String,
    arguments: &InspectArguments,
    rules: &Arc<Rules>,
) -> Result<Study, CommandError> {
    let mut study = study_of(vec![arm_of(path, name)]);
    arguments.common.apply(&mut study)?;
    study.rules = Arc::clone(rules);
    study.any_arm = true;
    study.is_strict = arguments.strict;
    Ok(study)
}

/// The logs of one path on one benchmark.
struct Inspected {
    read: ReadArm,
    /// One a log, in the order of path and place, demonstrations among them.
    heads: Vec<Head>,
    /// The turns of each, where they are wanted.
    spool: Spool,
}

impl Inspected {
    fn read(
        study: &Study,
        arm: &Arm,
        files: &ArmFiles,
        arguments: &InspectArguments,
    ) -> Result<Inspected, CommandError> {
        let progress = Progress::start();
        progress.say(&format!("reading {}", arm.name));
        let mut heads = Vec::new();
        let mut spool = Spool::default();
        let read = with_threads(study.threads, || {
            read_arm::read(
                study,
                arm,
                files,
                |context, trajectory| look(context, trajectory, arguments, &study.rules),
                |_, log, turns: Option<String>| {
                    turns.iter().for_each(|turns| spool.push(turns));
                    heads.push(Head::of(log));
                    Ok(())
                },
            )
        });
        progress.end();
        Ok(Inspected { read: read?, heads, spool })
    }

    /// Prints the objects in order, each with what is odd in it.
    fn print(&mut self, printer: &mut Printer) -> Result<(), CommandError> {
        let outcome_files: BTreeMap<&str, &str> =
            self.read.seen.iter().map(|seen| (seen.relative.as_str(), seen.shown.as_str())).collect();
        let mut problems = problems::by_head(&self.heads, &self.read.problems);
        let mut spool = self.spool.reader()?;
        for (place, head) in self.heads.iter().enumerate() {
            // Demonstrations and sub-agents are no runs: nobody settled who they are.
            let placed = self.read.places.get(place);
            let log = placed.and_then(|placed| self.read.settled.logs.get(placed.head?));
            let parent = placed.and_then(|placed| parent(&self.heads, placed));
            let outcome = log.and_then(|log| outcome(log, &outcome_files));
            let turns = spool.next()?;
            let problems = problems.remove(&place).unwrap_or_default();
            printer.print(&Object::new(head, log, parent, outcome, turns.as_deref(), problems))?;
        }
        Ok(())
    }
}

/// Of a sub-agent: whose it is.
fn parent<'a>(heads: &'a [Head], placed: &'a Placed) -> Option<ParentObject<'a>> {
    let head = placed.parent.and_then(|parent| heads.get(parent));
    placed.is_child.then(|| ParentObject::new(head, placed))
}

/// Settles what only facts can tell, and writes the turns where they are wanted.
fn look(
    context: &Context,
    trajectory: &mut Trajectory,
    arguments: &InspectArguments,
    rules: &Rules,
) -> Option<String> {
    if !arguments.tags && trajectory.patch_state != PatchState::Nonempty {
        return arguments.turns.then(|| object::turns(trajectory, None));
    }
    let facts = crate::facts::compute(trajectory, context);
    trajectory.patch_state = facts.patch_state;
    let tagged = arguments.tags.then(|| crate::tags::apply_with(rules, context, trajectory, &facts));
    let tags = tagged.as_ref().map(|tagged| tags::by_turn(trajectory, &facts, tagged));
    (arguments.turns || arguments.tags).then(|| object::turns(trajectory, tags.as_deref()))
}

fn outcome<'a>(log: &'a SettledLog, files: &BTreeMap<&'a str, &'a str>) -> Option<Outcome<'a>> {
    let spoken = log.spoken.as_ref()?;
    let file = files.get(spoken.file.as_str()).copied().unwrap_or(&spoken.file);
    Some(Outcome::new(&spoken.verdict, spoken.shape, file))
}
