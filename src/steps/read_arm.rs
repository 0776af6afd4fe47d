//! Reads one arm on one benchmark: outcome files first, since the benchmark is settled before the first log is opened;
//! then the logs, in order, through many threads (`interface.md`, Benchmark).

use std::collections::{BTreeMap, BTreeSet};

use super::arm_files::{ArmFile, ArmFiles, named_outcomes, template};
use super::error::StepError;
use super::items::{Content, Grouping, Item, feed};
use super::open::{Opened, open_log, open_outcome};
use super::pipeline::{Pipeline, Scratch};
use super::study::{Arm, Study};
use super::tag_rows;
use super::trials::{apply, late_turns, without_log};
use crate::data::benchmarks::{SettledBenchmark, settle_benchmark};
use crate::facts::Context;
use crate::formats::{self, Format};
use crate::model::{Origin, Problem, TaskKind, Trajectory, Weight};
use crate::outcomes::{
    self, LogHead, OutcomeFile, Settings, Settled, TrialFolders, instance_in_path, patch_digest,
};
use crate::sources::{self, SourceKind};

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
    let benchmark = benchmark(study, files, &first);
    let template = template(arm)?;

    let trials = TrialFolders::of(&first.outcomes);
    let trials = &trials;
    let mut second = SecondPass::default();
    {
        let second = &mut second;
        let benchmark = &benchmark;
        let settle = |log: &mut ReadLog, problems: &mut Vec<Problem>| {
            mark_prefix(&mut log.trajectory, arm.prefix_turns);
            if let Some(trial) = trials.of_path(&log.relative) {
                apply(trial, &mut log.trajectory);
                problems.extend(late_turns(trial, log));
            }
            find(&tag_rows::context(&benchmark.benchmark, &instance_of(log)), &mut log.trajectory)
        };
        let work = |item: Item, scratch: &mut Scratch| worked(open_log(&item, study, scratch), &settle);
        let template = template.as_ref();
        let sink = |worked: Worked<F>| {
            second.problems.extend(worked.problems);
            if let Some(ending) = worked.unclaimed {
                *second.unclaimed.entry(ending).or_default() += 1;
            }
            let base = second.see(worked.seen);
            for (mut log, findings) in worked.logs {
                log.ordinal += base.ordinal;
                second.place(&log, base.log, template.is_some(), trials);
                each(benchmark, log, findings)?;
            }
            second.pieces = second.places.len() - base.log + base.ordinal;
            Ok(())
        };
        let mut pipeline = Pipeline::new(work, sink);
        let claimed = &first.claimed;
        feed(
            files.files.iter().filter(|file| file.may_be_log),
            // Who looks at files sees each file by itself; a study has runs.
            if study.any_arm { Grouping::Logs } else { Grouping::Runs },
            study.reading.forced(),
            &mut first.archive_problems,
            |item, bytes| {
                if claimed.contains_key(&item.shown) { Ok(()) } else { pipeline.push(item, bytes) }
            },
        )?;
        pipeline.finish()?;
    }
    for mut log in without_log(trials, &second.trials, &first.claimed) {
        let context = tag_rows::context(&benchmark.benchmark, &instance_of(&log));
        let findings = find(&context, &mut log.trajectory);
        let base = second.places.len();
        second.place(&log, base, template.is_some(), trials);
        each(&benchmark, log, findings)?;
    }
    second.find_parents();
    let settings = settings(study, arm, template.as_ref());
    let settled = outcomes::settle(&second.heads, &first.outcomes, &settings);
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
    Ok(ReadArm {
        benchmark,
        heads: second.heads,
        places: second.places,
        outcomes: first.outcomes,
        settled,
        seen,
        problems,
        unclaimed: second.unclaimed,
    })
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

struct Worked<F> {
    seen: Seen,
    logs: Vec<(ReadLog, F)>,
    problems: Vec<Problem>,
    unclaimed: Option<String>,
}

/// What became of an item; each log that it holds is settled and looked at on the same thread.
fn worked<F>(opened: Opened, settle: &impl Fn(&mut ReadLog, &mut Vec<Problem>) -> F) -> Worked<F> {
    let nothing = |seen| Worked { seen, logs: Vec::new(), problems: Vec::new(), unclaimed: None };
    match opened {
        Opened::Log { seen, logs, mut problems } => {
            let look = |mut log| {
                let findings = settle(&mut log, &mut problems);
                (log, findings)
            };
            let logs = logs.into_iter().map(look).collect();
            Worked { seen, logs, problems, unclaimed: None }
        }
        Opened::Outcome { seen, .. } => nothing(seen),
        Opened::Unclaimed { seen, problem } => {
            let ending = sources::extension(&seen.shown).to_owned();
            let unclaimed = problem.is_none().then_some(ending);
            Worked { problems: problem.into_iter().collect(), unclaimed, ..nothing(seen) }
        }
        Opened::Refused { seen, problem } => Worked { problems: vec![problem], ..nothing(seen) },
    }
}

#[derive(Default)]
struct SecondPass {
    heads: Vec<LogHead>,
    places: Vec<Placed>,
    /// Logs by their session.
    sessions: BTreeMap<String, usize>,
    /// Folders of trials in which a log lies.
    trials: BTreeSet<String>,
    /// Logs that were read of the file that is read now, over its pieces.
    pieces: usize,
    seen: Vec<Seen>,
    problems: Vec<Problem>,
    unclaimed: BTreeMap<String, i64>,
}

/// Where the logs of an item begin: among all logs, and among those of its file.
struct Base {
    log: usize,
    ordinal: usize,
}

impl SecondPass {
    /// Notes a file; a further piece of the same file belongs to what was noted.
    fn see(&mut self, seen: Seen) -> Base {
        let log = self.places.len();
        match self.seen.last_mut() {
            Some(last) if last.shown == seen.shown => {
                last.bytes = last.bytes.saturating_add(seen.bytes);
                last.digest = match (last.digest, seen.digest) {
                    (Some(before), Some(piece)) => {
                        let mut hasher = blake3::Hasher::new();
                        hasher.update(before.as_bytes()).update(piece.as_bytes());
                        Some(hasher.finalize())
                    }
                    (digest, None) | (None, digest) => digest,
                };
                Base { log, ordinal: self.pieces }
            }
            _ => {
                self.seen.push(seen);
                Base { log, ordinal: 0 }
            }
        }
    }

    /// Gives a log its place. Demonstrations and sub-agents are listed by `inspect`, but they are no runs.
    fn place(&mut self, log: &ReadLog, base: usize, is_templated: bool, trials: &TrialFolders) {
        let trajectory = &log.trajectory;
        let trial = trials.of_path(&log.relative).map(|trial| trial.folder.clone());
        self.trials.extend(trial.clone());
        // A sub-agent that carries its parent's session must not stand in for it.
        if let Some(session) = trajectory.session_id.as_ref().filter(|_| trajectory.parent.is_none()) {
            self.sessions.entry(session.clone()).or_insert(self.places.len());
        }
        let mut placed = Placed::default();
        if let Some(parent) = &trajectory.parent {
            placed.is_child = true;
            placed.parent = parent.ordinal.map(|ordinal| base + ordinal);
            placed.parent_turn = parent.turn;
            placed.parent_session.clone_from(&parent.session_id);
        } else if !is_demonstration(trajectory) {
            placed.head = Some(self.heads.len());
            self.heads.push(head(log, is_templated, trial));
        }
        self.places.push(placed);
    }

    /// Sub-agents whose parents lie in other files.
    fn find_parents(&mut self) {
        for index in 0..self.places.len() {
            let placed = &self.places[index];
            let Some(session) = placed.parent_session.as_ref().filter(|_| placed.parent.is_none()) else {
                continue;
            };
            let found = self.sessions.get(session).copied().filter(|parent| *parent != index);
            self.places[index].parent = found;
        }
    }
}

/// Outcome files, found before a log is opened.
#[derive(Default)]
struct FirstPass {
    outcomes: Vec<OutcomeFile>,
    /// Files that pass two need not open, by shown path.
    claimed: BTreeMap<String, Seen>,
    problems: Vec<Problem>,
    archive_problems: Vec<Problem>,
    /// What the first files that may be logs are.
    formats: Vec<&'static Format>,
}

/// Files that are asked for their format before the first log is opened.
const ASKED: usize = 16;
/// Bytes by which they are asked.
const ASKED_BYTES: usize = 64 << 10;

impl FirstPass {
    /// The kind of task that trials, else the logs' formats, suggest; none where they disagree.
    fn kind_of_task(&self) -> Option<TaskKind> {
        if self.outcomes.iter().any(|file| !file.trials.is_empty()) {
            return formats::task_kind(formats::TRIAL_RECORD.name);
        }
        let mut kinds = self.formats.iter().map(|format| formats::task_kind(format.name));
        let first = kinds.next()??;
        kinds.all(|kind| kind == Some(first)).then_some(first)
    }

    fn read(&mut self, arm: &Arm, files: &ArmFiles) -> Result<(), StepError> {
        if let Some(names) = &arm.outcomes {
            for (file, run) in named_outcomes(arm, names)? {
                let before = self.outcomes.len();
                self.search(std::iter::once(&file))?;
                for outcome in self.outcomes.iter_mut().skip(before) {
                    outcome.run = run;
                }
                if self.outcomes.len() == before {
                    let mut problem = Problem::new(
                        Weight::Refused,
                        "",
                        "named as an outcome file, but of no known shape; see `ethogram list outcomes`",
                    );
                    problem.file.clone_from(&file.shown);
                    self.problems.push(problem);
                }
            }
            return Ok(());
        }
        self.search(files.files.iter())?;
        if outcomes::needs_parent(&self.outcomes) {
            self.search(files.parents.iter())?;
        }
        Ok(())
    }

    fn search<'a>(&mut self, files: impl Iterator<Item = &'a ArmFile>) -> Result<(), StepError> {
        let outcomes = &mut self.outcomes;
        let claimed = &mut self.claimed;
        let problems = &mut self.problems;
        let formats = &mut self.formats;
        let mut asked = 0;
        let mut pipeline = Pipeline::new(
            |item: Item, scratch: &mut Scratch| open_outcome(&item, scratch),
            |opened| {
                match opened {
                    Opened::Outcome { seen, mut file } => {
                        for problem in &mut file.problems {
                            problem.file.clone_from(&seen.shown);
                        }
                        claimed.insert(seen.shown.clone(), seen);
                        outcomes.push(file);
                    }
                    Opened::Refused { seen, problem } if !seen.may_be_log => problems.push(problem),
                    // Pass two says what became of it.
                    Opened::Log { .. } | Opened::Unclaimed { .. } | Opened::Refused { .. } => {}
                }
                Ok(())
            },
        );
        let files = files.filter(|file| !is_named_as_log(&file.relative));
        feed(files, Grouping::Files, None, &mut self.archive_problems, |item, bytes| {
            if is_named_as_log(&item.relative) {
                return Ok(());
            }
            if asked < ASKED && item.file.may_be_log {
                asked += 1;
                formats.extend(format_of_head(&item));
            }
            // A folder that is one log holds no outcome file: it only tells the format.
            if matches!(item.content, Content::Folder { .. }) { Ok(()) } else { pipeline.push(item, bytes) }
        })?;
        pipeline.finish()
    }
}

/// The format that the beginning of a file tells.
fn format_of_head(item: &Item) -> Option<&'static Format> {
    match &item.content {
        Content::Bytes(bytes) => formats::recognise(bytes.get(..ASKED_BYTES).unwrap_or(bytes)),
        Content::Closed => {
            formats::recognise(&sources::read_head(&item.file.source, ASKED_BYTES).unwrap_or_default())
        }
        Content::Folder { format, .. } => Some(format),
        Content::Piece { .. } => None,
    }
}

/// The first turns of a log whose study says that they are copied from a reference; a marker in the log beats it.
fn mark_prefix(trajectory: &mut Trajectory, prefix_turns: usize) {
    if trajectory.turns.iter().all(|turn| turn.origin == Origin::Model) {
        for turn in trajectory.turns.iter_mut().take(prefix_turns) {
            turn.origin = Origin::Prefix;
        }
    }
}

fn head(log: &ReadLog, is_templated: bool, trial: Option<String>) -> LogHead {
    let trajectory = &log.trajectory;
    LogHead {
        file: log.relative.clone(),
        template_path: if is_templated { log.shown.clone() } else { log.relative.clone() },
        place: trajectory.place.clone(),
        ordinal: log.ordinal,
        instance_id: trajectory.instance_id.clone(),
        session_id: trajectory.session_id.clone(),
        run: trajectory.run,
        is_sample: trajectory.is_sample,
        started_at: trajectory.started_at,
        model: trajectory.model.clone(),
        patch_state: trajectory.patch_state,
        patch: trajectory.patch.as_deref().and_then(patch_digest),
        has_log: trajectory.has_log,
        format: trajectory.format,
        n_turns: trajectory.turns.len() as i64,
        trial,
        verdict: trajectory.verdict.clone(),
        content: log.content,
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

fn benchmark(study: &Study, files: &ArmFiles, first: &FirstPass) -> SettledBenchmark {
    let named = files.benchmark.as_deref().or(study.benchmark.as_deref());
    let of_paths = files
        .files
        .iter()
        .filter(|file| file.may_be_log && is_named_as_log(&file.relative))
        .filter_map(|file| instance_in_path(&file.relative).map(str::to_owned));
    let of_outcomes = first.outcomes.iter().flat_map(|file| {
        let claims = file.claims.iter().map(|claim| claim.instance_id.clone());
        let made = file.predictions.iter().map(|made| made.instance_id.clone());
        claims.chain(made).chain(file.trials.iter().map(|trial| trial.instance_id.clone()))
    });
    let mut ids: Vec<String> = of_paths.chain(of_outcomes).collect();
    ids.sort_unstable();
    ids.dedup();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    settle_benchmark(named, &ids, first.kind_of_task())
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
