//! Reads one arm on one benchmark: outcome files first, since the benchmark is settled before the first log is opened;
//! then the logs, in order, through many threads (`interface.md`, Benchmark).

use std::collections::BTreeMap;

use super::arm_files::{ArmFiles, template};
use super::error::StepError;
use super::first_pass::{FirstPass, benchmark};
use super::items::{Grouping, Item, feed};
use super::open::open_log;
use super::pipeline::{Pipeline, Scratch};
use super::second_pass::{Known, SecondPass, Worked, worked};
use super::study::{Arm, Study};
use super::tag_rows;
use super::trials::{apply, late_turns, without_log};
use crate::data::benchmarks::{SettledBenchmark, kind_of_ids};
use crate::facts::Context;
use crate::formats;
use crate::model::{Origin, Problem, TaskKind, Trajectory};
use crate::outcomes::{self, LogHead, OutcomeFile, Settings, Settled, TrialFolders, instance_in_path};
use crate::sources::{self, SourceKind};
use crate::store::InputPart;

/// A file that was read, or not, and as what.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Path as given, joined with what lies below it.
    pub shown: String,
    /// Path below the arm's root, by which outcome files are named.
    pub relative: String,
    /// What it was read as: a format, a shape of outcome file; `None` for a file that nobody claims.
    pub read_as: Option<&'static str>,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change, UTC milliseconds.
    pub modified: Option<i64>,
    /// BLAKE3 of its bytes, where it was read.
    pub digest: Option<blake3::Hash>,
    /// Whether a log was looked for in it.
    pub may_be_log: bool,
    /// Of a folder that is one log: the files that it is made of.
    pub parts: Vec<InputPart>,
}

/// One log, read.
#[derive(Debug)]
pub struct ReadLog {
    /// Path as given, joined with what lies below it.
    pub shown: String,
    /// Path below the arm's root.
    pub relative: String,
    /// Order of its place in the file.
    pub ordinal: usize,
    /// Content's digest.
    pub content: blake3::Hash,
    /// The log.
    pub trajectory: Trajectory,
}

/// What a log is among the logs of its arm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Its head; `None` for demonstrations and sub-agents, which are no runs.
    pub head: Option<usize>,
    /// Of a sub-agent: the log of its parent, where that was read.
    pub parent: Option<usize>,
    /// Of a sub-agent: its parent's turn that started it.
    pub parent_turn: Option<usize>,
    /// Of a sub-agent: the session id of its parent, where the log says it.
    pub parent_session: Option<String>,
    /// It is a sub-agent's.
    pub is_child: bool,
}

/// Everything of one arm on one benchmark but the logs themselves, which went to the sink.
#[derive(Debug)]
pub struct ReadArm {
    /// Benchmark.
    pub benchmark: SettledBenchmark,
    /// Heads of the logs that are runs, in order.
    pub heads: Vec<LogHead>,
    /// What each log is that went to the sink, in order.
    pub places: Vec<Placed>,
    /// Outcome files.
    pub outcomes: Vec<OutcomeFile>,
    /// Identity and verdicts.
    pub settled: Settled,
    /// Files, in order.
    pub seen: Vec<Seen>,
    /// What was odd.
    pub problems: Vec<Problem>,
    /// Files that nobody claims and no option named, by ending.
    pub unclaimed: BTreeMap<String, i64>,
}

/// A log by its ending: pass one leaves it to pass two, so that large logs are read once.
pub fn is_named_as_log(relative: &str) -> bool {
    let bare = [".gz", ".zst"].iter().find_map(|end| relative.strip_suffix(end)).unwrap_or(relative);
    bare.ends_with(".traj") || bare.ends_with(".traj.json")
}

/// Reads an arm. `each` gets every log in the order of path and place, with what `find` made of it on another thread.
///
/// # Errors
/// A template or pattern is wrong, a named outcome file is missing, or the sink refuses.
pub fn read<F: Send>(
    study: &Study,
    arm: &Arm,
    files: &ArmFiles,
    find: impl Fn(&Context, &mut Trajectory) -> F + Sync,
    mut each: impl FnMut(&SettledBenchmark, ReadLog, F) -> Result<(), StepError> + Send,
) -> Result<ReadArm, StepError> {
    let mut first = FirstPass::default();
    first.read(arm, files)?;
    let template = template(arm)?;
    let trials = TrialFolders::of(&first.outcomes);
    let reading = Reading {
        study,
        arm,
        files,
        benchmark: benchmark(study, files, &first),
        known: Known { is_templated: template.is_some(), trials: &trials },
    };
    let mut second = SecondPass::default();
    reading.logs(&first.claimed, &mut first.archive_problems, &mut second, &find, &mut each)?;
    reading.records(&first.claimed, &mut second, &find, &mut each)?;
    second.find_parents();
    let settings = settings(study, arm, template.as_ref());
    let settled = outcomes::settle(&second.heads, &first.outcomes, &settings);
    Ok(gathered(files, reading.benchmark, first, second, settled))
}

/// An arm whose logs are being read.
struct Reading<'a> {
    study: &'a Study,
    arm: &'a Arm,
    files: &'a ArmFiles,
    benchmark: SettledBenchmark,
    known: Known<'a>,
}

impl Reading<'_> {
    /// The logs, through many threads.
    fn logs<F: Send>(
        &self,
        claimed: &BTreeMap<String, Seen>,
        archive_problems: &mut Vec<Problem>,
        second: &mut SecondPass,
        find: &(impl Fn(&Context, &mut Trajectory) -> F + Sync),
        each: &mut (impl FnMut(&SettledBenchmark, ReadLog, F) -> Result<(), StepError> + Send),
    ) -> Result<(), StepError> {
        let settle = |log: &mut ReadLog, problems: &mut Vec<Problem>| self.settle(log, problems, find);
        let work = |item: Item, scratch: &mut Scratch| worked(open_log(&item, self.study, scratch), &settle);
        let sink = |worked: Worked<F>| {
            second.take(worked, self.known, |log, findings| each(&self.benchmark, log, findings))
        };
        let mut pipeline = Pipeline::new(work, sink);
        feed(
            self.files.files.iter().filter(|file| file.may_be_log),
            // Who looks at files sees each file by itself; a study has runs.
            if self.study.any_arm { Grouping::Logs } else { Grouping::Runs },
            self.study.reading.forced(),
            archive_problems,
            |item, bytes| {
                if claimed.contains_key(&item.shown) { Ok(()) } else { pipeline.push(item, bytes) }
            },
        )?;
        pipeline.finish()
    }

    /// What is known of a log beside it, and what is found in it.
    fn settle<F>(
        &self,
        log: &mut ReadLog,
        problems: &mut Vec<Problem>,
        find: &impl Fn(&Context, &mut Trajectory) -> F,
    ) -> F {
        mark_prefix(&mut log.trajectory, self.arm.prefix_turns);
        let trial = self.known.trials.of_path(&log.relative);
        if let Some(trial) = trial {
            apply(trial, &mut log.trajectory);
            problems.extend(late_turns(trial, log));
        }
        let instance_id = instance_of(log);
        let kind = kind_of_task(&self.benchmark, &log.trajectory, &instance_id, trial.is_some());
        log.trajectory.task_kind = Some(kind);
        find(
            &tag_rows::context(&self.benchmark.benchmark, &instance_id, &log.trajectory),
            &mut log.trajectory,
        )
    }

    /// Trials without a log.
    fn records<F>(
        &self,
        claimed: &BTreeMap<String, Seen>,
        second: &mut SecondPass,
        find: &impl Fn(&Context, &mut Trajectory) -> F,
        each: &mut impl FnMut(&SettledBenchmark, ReadLog, F) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        for mut log in without_log(self.known.trials, &second.trials, claimed) {
            let findings = self.settle(&mut log, &mut Vec::new(), find);
            second.take_record(&log, self.known);
            each(&self.benchmark, log, findings)?;
        }
        Ok(())
    }
}

/// The kind of a log's task (`interface.md`, Benchmark): the benchmark's; else what the log carries of an earlier reading;
/// else that of the pattern which its own id fits; else the trial's, else that of its own format. Never that of its
/// neighbours, so that a log has one kind alone, in a folder, in an archive and as a copy.
fn kind_of_task(
    benchmark: &SettledBenchmark,
    trajectory: &Trajectory,
    instance_id: &str,
    is_trial: bool,
) -> TaskKind {
    let of_format = |name: &str| formats::named(name).and_then(|format| format.task_kind);
    benchmark
        .is_kind_told
        .then_some(benchmark.benchmark.kind)
        .or(trajectory.task_kind)
        .or_else(|| kind_of_ids(&[instance_id]))
        .or_else(|| of_format(if is_trial { formats::TRIAL_RECORD.name } else { trajectory.format }))
        .unwrap_or(benchmark.benchmark.kind)
}

/// Everything that both passes found.
fn gathered(
    files: &ArmFiles,
    benchmark: SettledBenchmark,
    first: FirstPass,
    mut second: SecondPass,
    settled: Settled,
) -> ReadArm {
    let mut problems = files.problems.clone();
    problems.extend(first.archive_problems);
    problems.extend(first.problems);
    problems.extend(second.problems);
    problems.extend(as_given(&settled.problems, &first.claimed));
    let mut seen: Vec<Seen> = first.claimed.into_values().collect();
    seen.extend(second.seen);
    seen.sort_by(|left, right| left.shown.cmp(&right.shown));
    for file in files.files.iter().filter(|file| file.source.kind == SourceKind::Binary || !file.may_be_log) {
        if !seen.iter().any(|known| known.shown == file.shown) && file.source.kind != SourceKind::Archive {
            *second.unclaimed.entry(sources::extension(&file.relative).to_owned()).or_default() += 1;
        }
    }
    ReadArm {
        benchmark,
        heads: second.heads,
        places: second.places,
        outcomes: first.outcomes,
        settled,
        seen,
        problems,
        unclaimed: second.unclaimed,
    }
}

/// Outcome files are told apart by their paths below the root; a person is told the path as given.
fn as_given(problems: &[Problem], claimed: &BTreeMap<String, Seen>) -> Vec<Problem> {
    let given: BTreeMap<&str, &str> =
        claimed.values().map(|seen| (seen.relative.as_str(), seen.shown.as_str())).collect();
    let as_given = |problem: &Problem| {
        let file = given.get(problem.file.as_str()).copied().unwrap_or(&problem.file);
        Problem { file: file.to_owned(), ..problem.clone() }
    };
    problems.iter().map(as_given).collect()
}

/// A demonstration is no run (`formats-swe.md` §0).
pub fn is_demonstration(trajectory: &Trajectory) -> bool {
    trajectory.format == "swe-agent-demonstration"
}

/// The first turns of a log whose study says that they are copied from a reference; a marker in the log beats it.
fn mark_prefix(trajectory: &mut Trajectory, prefix_turns: usize) {
    if trajectory.turns.iter().all(|turn| turn.origin == Origin::Model) {
        for turn in trajectory.turns.iter_mut().take(prefix_turns) {
            turn.origin = Origin::Prefix;
        }
    }
}

/// The instance that a log or its path names, before the arm is settled.
pub fn instance_of(log: &ReadLog) -> String {
    log.trajectory
        .instance_id
        .clone()
        .or_else(|| instance_in_path(&log.relative).map(str::to_owned))
        .unwrap_or_else(|| outcomes::file_stem(&log.relative).to_owned())
}

fn settings<'a>(
    study: &Study,
    arm: &'a Arm,
    template: Option<&'a crate::outcomes::PathTemplate>,
) -> Settings<'a> {
    Settings {
        arm: (!study.any_arm).then_some(arm.name.as_str()),
        template,
        numbering: arm.runs.clone(),
        duplicates: study.duplicates,
        expect_runs: study.expect_runs,
        resolved_at: arm.resolved_at.unwrap_or(1.0),
        outcomes_named: arm.outcomes.is_some(),
    }
}
