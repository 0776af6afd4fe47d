//! From the trials of an arm to its runs (`definitions.md` §1, run number): what tells a trial twice is one trial, copies of a
//! job in another folder are dropped, and every trial that is left gets its run. Jobs are ranked by start time, else by path;
//! a job of n attempts takes n numbers, and a trial that is missing in it leaves its number unused.

use std::collections::{BTreeMap, BTreeSet};

use super::arm::{note, refused};
use super::outcome_file::OutcomeFile;
use super::run_number::{PathRun, natural, run_in_path};
use super::trial::{ToldBy, Trial};
use crate::model::{InstanceSource, Problem, RunSource, UnscoredReason, Verdict};

/// One trial that is a run of the arm.
#[derive(Clone, Debug)]
pub struct TrialRun<'a> {
    /// Index of the file that tells it.
    pub file: usize,
    /// The trial, as its best source tells it.
    pub trial: &'a Trial,
    /// Folder of its job, of copies the one that lies highest.
    pub job: &'a str,
    /// Instance; a name that was cut is made whole where a record of the arm has it whole.
    pub instance_id: String,
    /// Run from 0.
    pub run: i64,
    /// Where the number comes from.
    pub run_source: RunSource,
    /// Its verdict.
    pub verdict: Verdict,
}

/// The trials of an arm.
#[derive(Debug, Default)]
pub struct TrialRuns<'a> {
    /// Trials that are runs.
    pub runs: Vec<TrialRun<'a>>,
    /// What lies beside the arm's root: it says something of runs that exist, and makes none.
    pub beside: Vec<(usize, &'a Trial)>,
    /// Folders to runs, those of copies included.
    folders: BTreeMap<&'a str, usize>,
    /// What was odd.
    pub problems: Vec<Problem>,
}

impl<'a> TrialRuns<'a> {
    /// The runs of the trials of some files.
    pub fn of(files: &[&'a OutcomeFile]) -> TrialRuns<'a> {
        let mut all: Vec<(usize, &Trial)> = Vec::new();
        for (index, file) in files.iter().enumerate() {
            all.extend(file.trials.iter().map(|trial| (index, trial)));
        }
        let (mut own, beside): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, trial)| trial.is_of_arm());
        // The best source first; of copies the one that lies highest.
        own.sort_by(|(_, a), (_, b)| {
            let depth = |trial: &Trial| trial.folder.split('/').count();
            (b.told_by.cmp(&a.told_by)).then(depth(a).cmp(&depth(b))).then_with(|| a.folder.cmp(&b.folder))
        });
        let mut trials = TrialRuns { beside, ..TrialRuns::default() };
        trials.take_in(&own, files);
        trials.mend_cut_names();
        trials.note_several_agents(files);
        trials.number(files);
        trials
    }

    /// The run of the trial that is this folder.
    pub fn of_folder(&self, folder: &str) -> Option<usize> {
        self.folders.get(folder).copied()
    }

    /// One run a trial. The same folder is the same trial; the same name and id is a copy.
    fn take_in(&mut self, own: &[(usize, &'a Trial)], files: &[&'a OutcomeFile]) {
        let mut by_name: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        let mut opposed: BTreeMap<usize, usize> = BTreeMap::new();
        for &(file, trial) in own {
            let in_folder = self.folders.get(trial.folder.as_str()).copied();
            let named = by_name.entry((trial.instance_id.as_str(), trial.name.as_str())).or_default();
            let copy_of = named.iter().copied().find(|known| is_same(self.runs[*known].trial, trial));
            match in_folder.or(copy_of) {
                Some(known) => {
                    if in_folder.is_none() && is_opposite(self.runs[known].trial, trial) {
                        opposed.entry(known).or_insert(file);
                    }
                    self.folders.entry(&trial.folder).or_insert(known);
                    let place = |job: &'a str| (job.matches('/').count(), job);
                    let (job, other) = (self.runs[known].job, trial.job.as_deref().unwrap_or_default());
                    self.runs[known].job = if place(other) < place(job) { other } else { job };
                }
                None => {
                    named.push(self.runs.len());
                    self.folders.insert(&trial.folder, self.runs.len());
                    self.runs.push(TrialRun {
                        file,
                        trial,
                        job: trial.job.as_deref().unwrap_or_default(),
                        instance_id: trial.instance_id.clone(),
                        run: 0,
                        run_source: RunSource::Rank,
                        verdict: trial.verdict.clone(),
                    });
                }
            }
        }
        for (run, other) in opposed {
            let run = &mut self.runs[run];
            run.verdict = Verdict::unscored(UnscoredReason::Contradiction);
            let (path, of) = (&files[run.file].path, &files[other].path);
            let what = format!("trial `{}`: contradicts its copy in `{of}`: unscored", run.trial.name);
            self.problems.push(refused(path, what));
        }
    }

    /// Names of trials cut those of their tasks: a task that a record names whole is taken where only one fits.
    fn mend_cut_names(&mut self) {
        let mut whole: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let is_known = |run: &&TrialRun| run.trial.instance_source == InstanceSource::Log;
        for run in self.runs.iter().filter(is_known) {
            if let Some((cut, _)) = run.trial.name.rsplit_once("__") {
                whole.entry(cut).or_default().insert(&run.trial.instance_id);
            }
        }
        let mut left = Vec::new();
        for run in self.runs.iter_mut().filter(|run| run.trial.instance_source == InstanceSource::Path) {
            match whole.get(run.instance_id.as_str()) {
                Some(ids) if ids.len() == 1 => {
                    run.instance_id = ids.first().map_or_else(String::new, |id| (*id).to_owned());
                }
                _ if run.instance_id.chars().count() >= CUT_AT => left.push(run.instance_id.clone()),
                _ => {}
            }
        }
        if let Some(first) = left.first() {
            let what = format!(
                "{} trials are known by name only, and their tasks' names may be cut in it, first `{first}`",
                left.len()
            );
            self.problems.push(note("", what));
        }
    }

    /// Trials of several agents or models in one arm would count as repeats of one system.
    fn note_several_agents(&mut self, files: &[&OutcomeFile]) {
        let mut systems: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for run in &self.runs {
            let (scaffold, model) = (run.trial.scaffold.as_deref(), run.trial.model.as_deref());
            if scaffold.is_some() || model.is_some() {
                systems.entry((scaffold.unwrap_or("?"), model.unwrap_or("?"))).or_insert(run.file);
            }
        }
        if systems.len() > 1 {
            let named: Vec<String> =
                systems.keys().map(|(scaffold, model)| format!("{scaffold} with {model}")).collect();
            let path = systems.values().next().map_or("", |file| files[*file].path.as_str());
            let what =
                format!("trials of several systems in one arm ({}): make each an arm", named.join(", "));
            self.problems.push(note(path, what));
        }
    }

    fn number(&mut self, files: &[&OutcomeFile]) {
        let mut jobs = self.jobs(files);
        let by_path = numbered_by_path(&mut jobs);
        if !by_path {
            rank_jobs(&mut jobs);
        }
        let is_only = jobs.len() == 1;
        let mut next: i64 = 0;
        let widest = jobs.iter().map(|job| job.width).max().unwrap_or(1);
        for job in &jobs {
            let offset = if by_path { job.number.unwrap_or(0).saturating_mul(widest) } else { next };
            next = next.saturating_add(job.width);
            let native = match (by_path, is_only) {
                (true, _) => RunSource::Path,
                (false, true) => RunSource::Log,
                (false, false) => RunSource::Rank,
            };
            for indices in job.instances.values() {
                self.number_instance(indices, offset, native);
            }
        }
    }

    /// Numbers the trials of one instance in one job: as they say, else by start time, else by name.
    fn number_instance(&mut self, indices: &[usize], offset: i64, native: RunSource) {
        let said: BTreeSet<i64> = indices.iter().filter_map(|index| self.runs[*index].trial.run).collect();
        if said.len() == indices.len() {
            for index in indices {
                let run = &mut self.runs[*index];
                run.run = offset.saturating_add(run.trial.run.unwrap_or(0));
                run.run_source = native;
            }
            return;
        }
        let mut order = indices.to_vec();
        let timed = order.iter().all(|index| self.runs[*index].trial.started_at.is_some());
        let key = |index: &usize| {
            let trial = self.runs[*index].trial;
            (trial.started_at.filter(|_| timed), &trial.name, &trial.folder)
        };
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        for (rank, index) in order.into_iter().enumerate() {
            self.runs[index].run = offset.saturating_add(rank as i64);
            self.runs[index].run_source =
                if native == RunSource::Path && indices.len() == 1 { native } else { RunSource::Rank };
        }
    }

    /// The jobs that have runs.
    fn jobs(&self, files: &[&OutcomeFile]) -> Vec<Job<'a>> {
        let mut jobs: BTreeMap<&str, Job> = BTreeMap::new();
        for (index, run) in self.runs.iter().enumerate() {
            let folder = run.job;
            let of_path = || match run_in_path(&format!("{folder}/_"))? {
                PathRun::Number(number) | PathRun::Seed(number) => Some(number),
            };
            let job = jobs.entry(folder).or_insert_with(|| Job {
                folder,
                number: files[run.file].run.or_else(of_path),
                started_at: None,
                width: 1,
                instances: BTreeMap::new(),
            });
            let started_at = run.trial.started_at;
            job.started_at =
                job.started_at.map_or(started_at, |at| Some(started_at.map_or(at, |new| at.min(new))));
            let indices = job.instances.entry(run.instance_id.clone()).or_default();
            indices.push(index);
            let said = run.trial.attempts.or(run.trial.run.map(|run| run + 1)).unwrap_or(1);
            job.width = job.width.max(indices.len() as i64).max(said);
        }
        jobs.into_values().collect()
    }
}

/// Characters that a trial's name keeps of its task's.
const CUT_AT: usize = 32;

/// One job of the arm.
#[derive(Debug)]
struct Job<'a> {
    folder: &'a str,
    /// The number that the study or its path gives it.
    number: Option<i64>,
    /// Start of its first trial.
    started_at: Option<i64>,
    /// Numbers that it takes.
    width: i64,
    /// Trials by instance.
    instances: BTreeMap<String, Vec<usize>>,
}

/// Whether every job has a number of its own; numbers that start at 1 lose 1.
fn numbered_by_path(jobs: &mut [Job]) -> bool {
    let numbers: BTreeSet<i64> = jobs.iter().filter_map(|job| job.number).collect();
    if jobs.is_empty() || numbers.len() != jobs.len() {
        return false;
    }
    let shift = i64::from(numbers.first() == Some(&1));
    for job in jobs.iter_mut() {
        job.number = job.number.map(|number| number - shift);
    }
    true
}

fn rank_jobs(jobs: &mut [Job]) {
    let timed = jobs.iter().all(|job| job.started_at.is_some());
    jobs.sort_by(|a, b| {
        let by_time = if timed { a.started_at.cmp(&b.started_at) } else { std::cmp::Ordering::Equal };
        by_time.then_with(|| natural(a.folder, b.folder))
    });
}

/// Whether two trials of the same name are one. Names are random at their end where there is no id.
fn is_same(a: &Trial, b: &Trial) -> bool {
    match (&a.id, &b.id) {
        (Some(a), Some(b)) => a == b,
        _ => a.started_at.is_none() || b.started_at.is_none() || a.started_at == b.started_at,
    }
}

/// Whether two equally good sources say opposite things.
fn is_opposite(a: &Trial, b: &Trial) -> bool {
    let said = |trial: &Trial| (trial.verdict.scored, trial.verdict.resolved, trial.verdict.reward);
    a.told_by == b.told_by && a.told_by > ToldBy::Reward && said(a) != said(b)
}
