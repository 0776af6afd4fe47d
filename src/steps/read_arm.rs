//! Reads one arm on one benchmark: outcome files first, since the benchmark is settled before the first log is opened;
//! then the logs, in order, through many threads (`interface.md`, Benchmark).

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::arm_files::{ArmFile, ArmFiles, named_outcomes, template};
use super::error::StepError;
use super::pipeline::{Pipeline, Scratch};
use super::study::{Arm, Study};
use super::tag_rows;
use crate::data::benchmarks::{SettledBenchmark, settle_benchmark};
use crate::facts::Context;
use crate::formats::{self, Format};
use crate::model::{Origin, Problem, Trajectory, Weight};
use crate::outcomes::{self, LogHead, OutcomeFile, Settings, Settled, instance_in_path, patch_digest};
use crate::sources::{self, Limits, SourceKind};

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

/// What becomes of one file.
enum Opened {
    /// A log: what was read of it.
    Log { seen: Seen, logs: Vec<ReadLog>, problems: Vec<Problem> },
    /// An outcome file.
    Outcome { seen: Seen, file: OutcomeFile },
    /// Nobody claims it.
    Unclaimed { seen: Seen, problem: Option<Problem> },
    /// It could not be opened.
    Refused { seen: Seen, problem: Problem },
}

/// Everything of one arm on one benchmark but the logs themselves, which went to the sink.
#[derive(Debug)]
pub struct ReadArm {
    /// Benchmark.
    pub benchmark: SettledBenchmark,
    /// Heads of logs, in order.
    pub heads: Vec<LogHead>,
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

/// Item of a pipeline: a file with its bytes, or the way to them.
struct Item<'a> {
    file: &'a ArmFile,
    shown: String,
    relative: String,
    modified: Option<i64>,
    bytes: Option<Vec<u8>>,
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
    let forced = study.format.and_then(formats::named);
    let mut first = FirstPass::default();
    first.read(arm, files)?;
    let benchmark = benchmark(study, files, &first);
    let template = template(arm)?;

    let mut second = SecondPass::default();
    {
        let second = &mut second;
        let benchmark = &benchmark;
        let work = |item: Item, scratch: &mut Scratch| {
            let opened = open(item, forced, Pass::Logs, scratch);
            match opened {
                Opened::Log { seen, logs, problems } => {
                    let found = logs
                        .into_iter()
                        .map(|mut log| {
                            mark_prefix(&mut log.trajectory, arm.prefix_turns);
                            let context = tag_rows::context(&benchmark.benchmark, &instance_of(&log));
                            let findings = find(&context, &mut log.trajectory);
                            (log, findings)
                        })
                        .collect();
                    Worked { seen, logs: found, problems, unclaimed: None }
                }
                Opened::Outcome { seen, .. } => Worked::nothing(seen),
                Opened::Unclaimed { seen, problem } => {
                    let ending = sources::extension(&seen.shown).to_owned();
                    let unclaimed = problem.is_none().then_some(ending);
                    Worked { seen, logs: Vec::new(), problems: problem.into_iter().collect(), unclaimed }
                }
                Opened::Refused { seen, problem } => {
                    Worked { seen, logs: Vec::new(), problems: vec![problem], unclaimed: None }
                }
            }
        };
        let template = template.as_ref();
        let sink = |worked: Worked<F>| {
            second.problems.extend(worked.problems);
            if let Some(ending) = worked.unclaimed {
                *second.unclaimed.entry(ending).or_default() += 1;
            }
            second.seen.push(worked.seen);
            for (log, findings) in worked.logs {
                // Demonstrations are listed by `inspect`, but they are no runs.
                if !is_demonstration(&log.trajectory) {
                    second.heads.push(head(&log, template.is_some()));
                }
                each(benchmark, log, findings)?;
            }
            Ok(())
        };
        let mut pipeline = Pipeline::new(work, sink);
        let claimed = &first.claimed;
        feed(
            files.files.iter().filter(|file| file.may_be_log),
            &mut first.archive_problems,
            |item, bytes| {
                if claimed.contains_key(&item.shown) { Ok(()) } else { pipeline.push(item, bytes) }
            },
        )?;
        pipeline.finish()?;
    }
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

impl<F> Worked<F> {
    fn nothing(seen: Seen) -> Worked<F> {
        Worked { seen, logs: Vec::new(), problems: Vec::new(), unclaimed: None }
    }
}

#[derive(Default)]
struct SecondPass {
    heads: Vec<LogHead>,
    seen: Vec<Seen>,
    problems: Vec<Problem>,
    unclaimed: BTreeMap<String, i64>,
}

/// Outcome files, found before a log is opened.
#[derive(Default)]
struct FirstPass {
    outcomes: Vec<OutcomeFile>,
    /// Files that pass two need not open, by shown path.
    claimed: BTreeMap<String, Seen>,
    problems: Vec<Problem>,
    archive_problems: Vec<Problem>,
}

impl FirstPass {
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
        let mut pipeline = Pipeline::new(
            |item: Item, scratch: &mut Scratch| open(item, None, Pass::Outcomes, scratch),
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
        feed(files, &mut self.archive_problems, |item, bytes| {
            if is_named_as_log(&item.relative) { Ok(()) } else { pipeline.push(item, bytes) }
        })?;
        pipeline.finish()
    }
}

/// Gives files, and members of archives, to a pipeline in order.
fn feed<'a>(
    files: impl Iterator<Item = &'a ArmFile>,
    problems: &mut Vec<Problem>,
    mut push: impl FnMut(Item<'a>, u64) -> Result<(), StepError>,
) -> Result<(), StepError> {
    for file in files {
        match file.source.kind {
            SourceKind::Binary => {}
            SourceKind::Plain | SourceKind::Compressed => {
                let item = Item {
                    file,
                    shown: file.shown.clone(),
                    relative: file.relative.clone(),
                    modified: file.source.modified,
                    bytes: None,
                };
                push(item, file.source.size)?;
            }
            SourceKind::Archive => feed_archive(file, problems, &mut push)?,
        }
    }
    Ok(())
}

fn feed_archive<'a>(
    file: &'a ArmFile,
    problems: &mut Vec<Problem>,
    push: &mut impl FnMut(Item<'a>, u64) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let mut fault = None;
    let found = sources::members(&file.source, &Limits::default(), |member| {
        let bytes = member.bytes.len() as u64;
        let item = Item {
            file,
            shown: format!("{}/{}", file.shown, member.path),
            relative: format!("{}/{}", file.relative, member.path),
            modified: member.modified,
            bytes: Some(member.bytes),
        };
        match push(item, bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    let mut odd = match found {
        Ok(found) => found,
        Err(error) => vec![Problem::new(Weight::Refused, "", error.to_string())],
    };
    for problem in &mut odd {
        problem.file.clone_from(&file.shown);
    }
    // Both passes read an archive; what is odd in it is said once.
    problems.retain(|problem| !odd.contains(problem));
    problems.extend(odd);
    Ok(())
}

/// What a pass looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Outcomes,
    Logs,
}

fn open(item: Item, forced: Option<&'static Format>, pass: Pass, scratch: &mut Scratch) -> Opened {
    let mut seen = Seen {
        shown: item.shown,
        relative: item.relative,
        read_as: None,
        bytes: item.file.source.size,
        modified: item.modified,
        digest: None,
        may_be_log: item.file.may_be_log,
    };
    let bytes: &[u8] = match &item.bytes {
        Some(bytes) => bytes,
        None => match sources::read_into(&item.file.source, &Limits::default(), scratch) {
            Ok(()) => scratch,
            Err(error) => {
                let mut problem = Problem::new(Weight::Refused, "", error.to_string());
                problem.file.clone_from(&seen.shown);
                return Opened::Refused { seen, problem };
            }
        },
    };
    seen.bytes = bytes.len() as u64;
    // A reader must not fail on input; where one does, the file is refused and the others go on.
    let shown = seen.shown.clone();
    let relative = seen.relative.clone();
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        recognise(&mut seen, &relative, bytes, forced, pass)
    }));
    match read {
        Ok(Some(opened)) => opened,
        Ok(None) => {
            let problem = formats::refusal(&relative, bytes).map(|mut problem| {
                problem.file = shown;
                problem
            });
            Opened::Unclaimed { seen, problem }
        }
        Err(_) => {
            let mut problem = Problem::new(
                Weight::Refused,
                "",
                "the reader failed on it: a bug; please report it with this file",
            );
            problem.file = shown;
            Opened::Refused { seen, problem }
        }
    }
}

fn recognise(
    seen: &mut Seen,
    relative: &str,
    bytes: &[u8],
    forced: Option<&'static Format>,
    pass: Pass,
) -> Option<Opened> {
    if pass == Pass::Outcomes {
        let shape = outcomes::recognise(relative, bytes)?;
        seen.read_as = Some(shape.name);
        seen.digest = Some(blake3::hash(bytes));
        return Some(Opened::Outcome { seen: seen.clone(), file: (shape.read)(relative, bytes) });
    }
    let format = forced.or_else(|| formats::recognise(bytes))?;
    let digest = blake3::hash(bytes);
    seen.read_as = Some(format.name);
    seen.digest = Some(digest);
    let read = formats::read_file(format, bytes);
    let mut problems = read.problems;
    problems.extend(read.unknown_keys.0.iter().map(|((level, key), count)| {
        Problem::new(
            Weight::Note,
            "",
            format!("the {} key `{key}` is not known to this reader ({count} times)", level.as_str()),
        )
    }));
    problems.extend(read.masked.iter().map(|(kind, count)| {
        Problem::new(Weight::Note, "", format!("{count} secrets of kind {kind} were masked"))
    }));
    for problem in &mut problems {
        problem.file.clone_from(&seen.shown);
    }
    let logs = read
        .trajectories
        .into_iter()
        .enumerate()
        .map(|(ordinal, trajectory)| ReadLog {
            shown: seen.shown.clone(),
            relative: relative.to_owned(),
            ordinal,
            content: content(&digest, &trajectory.place),
            trajectory,
        })
        .collect();
    Some(Opened::Log { seen: seen.clone(), logs, problems })
}

fn content(file: &blake3::Hash, place: &str) -> blake3::Hash {
    if place.is_empty() {
        return *file;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(file.as_bytes()).update(place.as_bytes());
    hasher.finalize()
}

/// The first turns of a log whose study says that they are copied from a reference; a marker in the log beats it.
fn mark_prefix(trajectory: &mut Trajectory, prefix_turns: usize) {
    if trajectory.turns.iter().all(|turn| turn.origin == Origin::Model) {
        for turn in trajectory.turns.iter_mut().take(prefix_turns) {
            turn.origin = Origin::Prefix;
        }
    }
}

fn head(log: &ReadLog, is_templated: bool) -> LogHead {
    let trajectory = &log.trajectory;
    LogHead {
        file: log.relative.clone(),
        template_path: if is_templated { log.shown.clone() } else { log.relative.clone() },
        place: trajectory.place.clone(),
        ordinal: log.ordinal,
        instance_id: trajectory.instance_id.clone(),
        session_id: None,
        run: trajectory.run,
        is_sample: false,
        started_at: trajectory.started_at,
        model: trajectory.model.clone(),
        patch_state: trajectory.patch_state,
        patch: trajectory.patch.as_deref().and_then(patch_digest),
        has_log: trajectory.has_log,
        format: trajectory.format,
        n_turns: trajectory.turns.len() as i64,
        trial: None,
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
        claims.chain(file.predictions.iter().map(|made| made.instance_id.clone()))
    });
    let mut ids: Vec<String> = of_paths.chain(of_outcomes).collect();
    ids.sort_unstable();
    ids.dedup();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    settle_benchmark(named, &ids, None)
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
