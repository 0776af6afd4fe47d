//! Identity of the logs of an arm: instance id, run number and byte-equal copies (`definitions.md` §1, keys, run
//! number, duplicates). Verdicts play no part here.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::instance_id::{file_stem, instance_in_path};
use super::outcome_file::{ClaimedRun, OutcomeFile};
use super::path_template::PathIdentity;
use super::run_number::{PathRun, run_in_name, run_in_path};
use super::settled::{LogHead, Numbering, Settings};
use crate::model::{InstanceSource, Problem, RunSource, Weight};

/// What the template found, log by log.
pub fn template_finds(logs: &[LogHead], settings: &Settings) -> Vec<PathIdentity> {
    let find = |log: &LogHead| settings.template.and_then(|template| template.find(&log.template_path));
    logs.iter().map(|log| find(log).unwrap_or_default()).collect()
}

/// The id of a log and where it comes from: the log, the template, the format's own rule, the session, the stem.
pub fn instance_of<'a>(log: &'a LogHead, found: &'a PathIdentity) -> (&'a str, InstanceSource) {
    if let Some(id) = &log.instance_id {
        return (id, InstanceSource::Log);
    }
    if let Some(id) = found.instance_id.as_deref().or_else(|| instance_in_path(&log.file)) {
        return (id, InstanceSource::Path);
    }
    match &log.session_id {
        Some(id) => (id, InstanceSource::Session),
        None => (file_stem(&log.file), InstanceSource::File),
    }
}

/// Where several collections of one arm share an id, their logs are of different instances: each is named with its collection
/// (`definitions.md` §1, keys).
pub fn name_collections(logs: &[LogHead], keys: &mut [String]) -> Option<Problem> {
    let mut by_key: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (log, key) in logs.iter().zip(keys.iter()) {
        by_key.entry(key).or_default().extend(log.collection.as_deref());
    }
    let shared = by_key.values().filter(|collections| collections.len() > 1).count();
    if shared == 0 {
        return None;
    }
    for (log, key) in logs.iter().zip(keys.iter_mut()) {
        if let Some(collection) = &log.collection {
            *key = format!("{collection}/{key}");
        }
    }
    let what =
        format!("{shared} instance ids stand in several tasks of the arm: instances are named TASK/ID");
    Some(Problem::new(Weight::Note, "", what))
}

/// How the native run numbers of an arm are read together: numbers that start at 1 lose 1, seeds are ranked.
#[derive(Clone, Debug)]
pub struct NativeNumbers {
    /// Number written by each log's path.
    of_logs: Vec<Option<PathRun>>,
    seeds: Vec<i64>,
    shift: i64,
    row_shift: i64,
    /// Number written by each outcome file.
    of_files: Vec<Option<PathRun>>,
}

impl NativeNumbers {
    /// Reads the numbers of logs and outcome files. Logs of trials have the numbers of their trials.
    pub fn of(
        logs: &[LogHead],
        found: &[PathIdentity],
        files: &[&OutcomeFile],
        trials: &[Option<usize>],
    ) -> NativeNumbers {
        let by_path = |log: &LogHead, found: &PathIdentity| {
            found.run.map(PathRun::Number).or_else(|| run_in_path(&log.file))
        };
        let of_logs: Vec<Option<PathRun>> = (logs.iter().zip(found).zip(trials))
            .map(|((log, found), trial)| if trial.is_some() { None } else { by_path(log, found) })
            .collect();
        let of_files = written_by_files(logs, &of_logs, files);
        let logs_are_numbered = of_logs.iter().any(Option::is_some);
        let decisive = if logs_are_numbered { &of_logs } else { &of_files };
        let shift = i64::from(smallest_number(decisive) == Some(1));
        let row_shift = i64::from(smallest_row(files) == Some(1) && !(logs_are_numbered && shift == 0));
        let seeds: BTreeSet<i64> =
            of_logs.iter().chain(&of_files).flatten().copied().filter_map(seed).collect();
        NativeNumbers { of_logs, of_files, seeds: seeds.into_iter().collect(), shift, row_shift }
    }

    /// The run of a log by its own word or its path.
    pub fn of_log(&self, index: usize, log: &LogHead) -> Option<(i64, RunSource)> {
        let by_path = || self.of_logs.get(index).copied().flatten().map(|written| self.run(written));
        log.run.map(|run| (run, RunSource::Log)).or_else(|| by_path().map(|run| (run, RunSource::Path)))
    }

    /// The run that the study or the path of an outcome file names.
    pub fn of_file(&self, index: usize) -> Option<i64> {
        self.of_files.get(index).copied().flatten().map(|written| self.run(written))
    }

    /// The run of a numbered row.
    pub fn of_row(&self, written: i64) -> i64 {
        written - self.row_shift
    }

    fn run(&self, written: PathRun) -> i64 {
        match written {
            PathRun::Number(number) => number - self.shift,
            PathRun::Seed(seed) => self.seeds.partition_point(|known| *known < seed) as i64,
        }
    }
}

/// Numbers of outcome files: the study's, else the path's. A number in a path counts only where the logs are
/// numbered too or there are none, otherwise it numbers gradings (`my_evaluation_run_33`), not runs. One in the
/// file's own name must be that of a log, or one of several.
fn written_by_files(
    logs: &[LogHead],
    of_logs: &[Option<PathRun>],
    files: &[&OutcomeFile],
) -> Vec<Option<PathRun>> {
    let numbered = of_logs.iter().any(Option::is_some) || logs.iter().any(|log| log.run.is_some());
    let paths_count = logs.is_empty() || numbered;
    let known: BTreeSet<PathRun> = match logs.is_empty() {
        true => files.iter().filter_map(|file| run_in_name(&file.path)).collect(),
        false => of_logs.iter().flatten().copied().collect(),
    };
    let names_count = !logs.is_empty() || known.len() > 1;
    let by_name = |path: &str| run_in_name(path).filter(|written| names_count && known.contains(written));
    let by_path = |path: &str| run_in_path(path).or_else(|| by_name(path)).filter(|_| paths_count);
    let number = |file: &OutcomeFile| {
        let in_path = || if file.trials.is_empty() { by_path(&file.path) } else { None };
        file.run.map(PathRun::Number).or_else(in_path)
    };
    files.iter().map(|file| number(file)).collect()
}

fn smallest_number(written: &[Option<PathRun>]) -> Option<i64> {
    let number = |written: &PathRun| if let PathRun::Number(number) = written { Some(*number) } else { None };
    written.iter().flatten().filter_map(number).min()
}

fn seed(written: PathRun) -> Option<i64> {
    if let PathRun::Seed(seed) = written { Some(seed) } else { None }
}

fn smallest_row(files: &[&OutcomeFile]) -> Option<i64> {
    let runs = files.iter().flat_map(|file| &file.claims).filter_map(|claim| claim.run.as_ref());
    runs.filter_map(|run| if let ClaimedRun::Number(number) = run { Some(*number) } else { None }).min()
}

/// A log with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Instance, in the key's spelling.
    pub instance_id: String,
    /// Run from 0.
    pub run: i64,
    /// Where the run comes from.
    pub run_source: RunSource,
    /// The log that this one is a copy of.
    pub copy_of: Option<usize>,
    /// The log of its trial that stands for this one.
    pub superseded_by: Option<usize>,
}

/// The log that stands for a log: itself, where it is neither a copy nor one of several of a trial.
pub fn stays(placed: &[Placed], index: usize) -> usize {
    let first = placed[index].copy_of.unwrap_or(index);
    placed[first].superseded_by.unwrap_or(first)
}

/// Gives every log its run and finds copies. `keys` are the instance ids, `natives` the runs that logs or paths say.
pub fn place(
    logs: &[LogHead],
    keys: &[String],
    natives: &[Option<(i64, RunSource)>],
    settings: &Settings,
) -> Vec<Placed> {
    let copies = copies(logs, keys, natives);
    let told_again = told_again(logs, keys, natives, &copies);
    let is_only = |index: usize| copies[index].is_none() && told_again[index].is_none();
    let mut unnumbered: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for index in (0..logs.len()).filter(|index| natives[*index].is_none() && is_only(*index)) {
        unnumbered.entry(keys[index].as_str()).or_default().push(index);
    }
    let mut counts = unnumbered.values().map(Vec::len);
    let first = counts.next();
    let all_equal = counts.all(|count| Some(count) == first);
    let mut ranks = vec![0; logs.len()];
    for indices in unnumbered.values_mut() {
        let samples = indices.iter().all(|index| logs[*index].is_sample);
        if all_equal || samples || settings.numbering == Numbering::Rank {
            rank_order(logs, indices);
            indices.iter().enumerate().for_each(|(rank, index)| ranks[*index] = rank as i64);
        }
    }
    let placed = (0..logs.len()).map(|index| {
        let first = copies[index].unwrap_or(index);
        let (run, run_source) =
            natives[index].unwrap_or((ranks[told_again[first].unwrap_or(first)], RunSource::Rank));
        Placed {
            instance_id: keys[index].clone(),
            run,
            run_source,
            copy_of: copies[index],
            superseded_by: told_again[index],
        }
    });
    placed.collect()
}

/// The format that a harness writes beside the agent's own logs: the same turns, in one shape for all agents.
const SHARED_FORMAT: &str = "atif";
/// Formats without boundaries of responses: keystrokes, and a list of what was done.
const WITHOUT_TURNS: [&str; 2] = ["terminal-bench-commands", "codex-exec-json"];
/// A format that keeps the responses of a run beside its log, and that log's format.
const RESPONSES: (&str, &str) = ("openhands-completions", "openhands-output");

/// For each log the one that tells its run better, where one run is told twice outside of trials: one session in two formats
/// (what a program printed beside what it kept, `claude-code.txt` beside sessions), a session as it stood earlier (checkpoints
/// before a compaction), and responses one by one beside the log.
fn told_again(
    logs: &[LogHead],
    keys: &[String],
    natives: &[Option<(i64, RunSource)>],
    copies: &[Option<usize>],
) -> Vec<Option<usize>> {
    let mut by_key: BTreeMap<(&str, Option<i64>), Vec<usize>> = BTreeMap::new();
    for (index, log) in logs.iter().enumerate() {
        if copies[index].is_none() && log.trial.is_none() && log.has_log {
            let run = natives[index].map(|(run, _)| run);
            by_key.entry((&keys[index], run)).or_default().push(index);
        }
    }
    let mut told_again = vec![None; logs.len()];
    for mut indices in by_key.into_values().filter(|indices| indices.len() > 1) {
        indices.sort_by(|a, b| by_place(&logs[*a], &logs[*b]));
        let mut by_session: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for index in indices.iter().copied().filter(|index| !logs[*index].is_sample) {
            if let Some(session) = &logs[index].session_id {
                by_session.entry(session).or_default().push(index);
            }
        }
        for session in by_session.values() {
            let Some(best) = best_of(logs, session) else { continue };
            for index in session.iter().filter(|index| is_same_session(&logs[**index], &logs[best])) {
                told_again[*index] = Some(best);
            }
        }
        let of = |format| indices.iter().copied().filter(move |index| logs[*index].format == format);
        let (mut responses, mut runs) = (of(RESPONSES.0), of(RESPONSES.1));
        if let (Some(index), None, Some(run), None) =
            (responses.next(), responses.next(), runs.next(), runs.next())
        {
            told_again[index] = Some(run);
        }
    }
    told_again
}

/// Whether two logs of one session id are of one run: ids alone may be made up, and a file may hold several runs of a session.
fn is_same_session(log: &LogHead, other: &LogHead) -> bool {
    let starts_alike = log.started_at.is_some() && log.started_at == other.started_at;
    log.file != other.file && (log.format != other.format || starts_alike)
}

/// The first of the best, so that the order of paths decides between equals.
fn best_of(logs: &[LogHead], in_order: &[usize]) -> Option<usize> {
    in_order.iter().copied().rev().max_by_key(|index| worth(&logs[*index]))
}

/// Of several logs in one trial one stands for all.
pub fn one_log_a_trial(placed: &mut [Placed], logs: &[LogHead], trials: &[Option<usize>]) {
    let mut by_trial: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, trial) in trials.iter().enumerate() {
        if let (Some(trial), None) = (trial, placed[index].copy_of) {
            by_trial.entry(*trial).or_default().push(index);
        }
    }
    for mut indices in by_trial.into_values() {
        indices.sort_by(|a, b| by_place(&logs[*a], &logs[*b]));
        let best = best_of(logs, &indices);
        for index in indices {
            let other = best.filter(|best| *best != index);
            match logs[index].format {
                RECORD => placed[index].copy_of = other,
                _ => placed[index].superseded_by = other,
            }
        }
    }
}

/// A record of a trial whose folder holds no log: of several it is one told again.
const RECORD: &str = "trial-record";

/// How well a log shows what its run did.
fn worth(log: &LogHead) -> (bool, bool, bool, i64) {
    let shows_turns = log.has_log && log.n_turns > 0;
    let is_shared = shows_turns && log.format == SHARED_FORMAT;
    (shows_turns && !WITHOUT_TURNS.contains(&log.format), is_shared, log.has_log, log.n_turns)
}

/// For each log the first one of the same key and content, where that is another.
fn copies(logs: &[LogHead], keys: &[String], natives: &[Option<(i64, RunSource)>]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..logs.len()).collect();
    order.sort_by(|a, b| by_place(&logs[*a], &logs[*b]));
    let mut first: BTreeMap<(&str, Option<i64>, &[u8; 32]), usize> = BTreeMap::new();
    let mut copies = vec![None; logs.len()];
    for index in order {
        let run = natives[index].map(|(run, _)| run);
        let known = *first.entry((&keys[index], run, logs[index].content.as_bytes())).or_insert(index);
        copies[index] = (known != index).then_some(known);
    }
    copies
}

/// Order of path, then of place in the file.
pub fn by_place(a: &LogHead, b: &LogHead) -> Ordering {
    (&a.file, a.ordinal).cmp(&(&b.file, b.ordinal))
}

/// Order by start time where all have one, else by place.
pub fn rank_order(logs: &[LogHead], indices: &mut [usize]) {
    let timed = indices.iter().all(|index| logs[*index].started_at.is_some());
    indices.sort_by(|a, b| {
        let (a, b) = (&logs[*a], &logs[*b]);
        let time = if timed { a.started_at.cmp(&b.started_at) } else { Ordering::Equal };
        time.then_with(|| by_place(a, b))
    });
}
