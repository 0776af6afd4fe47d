//! Of whom an outcome file speaks: claims and predictions of all files of an arm, their runs numbered, and for each
//! the logs (or the run without a log) that it is about (`definitions.md` §1, duplicates; `interface.md`, outcomes
//! are searched).

use std::collections::{BTreeMap, BTreeSet};

use super::identity::{NativeNumbers, Placed, stays};
use super::instance_id::Spellings;
use super::outcome_file::{Claim, ClaimedRun, OutcomeFile};
use super::run_number::natural;
use super::settled::{LogHead, Numbering, Settings};
use super::trial_runs::TrialRuns;
use crate::model::{FailedReason, PatchState, RunSource, Verdict};

/// One claim with its key.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// Index of the file.
    pub file: usize,
    /// Instance, in the key's spelling.
    pub instance_id: String,
    /// Run from 0, where the claim or its path says it.
    pub run: Option<i64>,
    /// The verdict.
    pub verdict: Verdict,
    /// It proves that the run took place.
    pub creates_run: bool,
    /// Where the number comes from.
    pub run_source: RunSource,
}

/// One prediction with its key.
#[derive(Clone, Debug)]
pub struct HandedIn {
    /// Index of the file.
    pub file: usize,
    /// Instance, in the key's spelling.
    pub instance_id: String,
    /// Run from 0, where the path says it.
    pub run: Option<i64>,
    /// Digest; `None` = nothing was handed in.
    pub patch: Option<blake3::Hash>,
}

/// All claims of the arm, in the order of the files. `skipped` counts rows of other arms.
pub fn sentences(
    files: &[&OutcomeFile],
    numbers: &NativeNumbers,
    spellings: &Spellings,
    settings: &Settings,
) -> (Vec<Sentence>, usize) {
    let names = run_names(files, settings);
    let mut sentences = Vec::new();
    let mut skipped = 0;
    for (index, file) in files.iter().enumerate() {
        let by_path = numbers.of_file(index);
        for claim in &file.claims {
            if is_of_other_arm(claim, settings) {
                skipped += 1;
                continue;
            }
            let run = match &claim.run {
                None => by_path,
                Some(ClaimedRun::Number(written)) => Some(numbers.of_row(*written)),
                Some(ClaimedRun::Named(name)) => match names.iter().position(|known| known == name) {
                    Some(position) => Some(position as i64),
                    None => continue,
                },
            };
            sentences.push(Sentence {
                file: index,
                instance_id: spellings.key(&claim.instance_id).to_owned(),
                run,
                verdict: claim.verdict.clone(),
                creates_run: claim.creates_run,
                run_source: RunSource::Path,
            });
        }
    }
    let missing = missing_entries(files, &names, &sentences);
    sentences.extend(missing);
    (sentences, skipped)
}

fn is_of_other_arm(claim: &Claim, settings: &Settings) -> bool {
    matches!((&claim.arm, settings.arm), (Some(of), Some(arm)) if of != arm)
}

/// Named runs in their order: as the study says, else as people count.
pub fn run_names(files: &[&OutcomeFile], settings: &Settings) -> Vec<String> {
    if let Numbering::Named(names) = &settings.numbering {
        return names.clone();
    }
    let mut names: Vec<String> = named_runs(files).into_iter().map(str::to_owned).collect();
    names.sort_by(|a, b| natural(a, b));
    names
}

/// All names of runs in the files.
pub fn named_runs<'a>(files: &[&'a OutcomeFile]) -> BTreeSet<&'a str> {
    let runs = files.iter().flat_map(|file| &file.claims).filter_map(|claim| claim.run.as_ref());
    runs.filter_map(|run| if let ClaimedRun::Named(name) = run { Some(name.as_str()) } else { None })
        .collect()
}

/// In a table by run, an id that some chosen run names and another lacks: no valid patch came out of that run.
fn missing_entries(files: &[&OutcomeFile], names: &[String], sentences: &[Sentence]) -> Vec<Sentence> {
    let holds_names =
        |file: &&OutcomeFile| file.claims.iter().any(|claim| matches!(claim.run, Some(ClaimedRun::Named(_))));
    let mut missing = Vec::new();
    for (index, _) in files.iter().enumerate().filter(|(_, file)| holds_names(file)) {
        let of_file = sentences.iter().filter(|sentence| sentence.file == index);
        let known: BTreeSet<(&str, i64)> =
            of_file.filter_map(|sentence| Some((sentence.instance_id.as_str(), sentence.run?))).collect();
        let ids: BTreeSet<&str> = known.iter().map(|(id, _)| *id).collect();
        let runs: BTreeSet<i64> = known.iter().map(|(_, run)| *run).collect();
        // A chosen run that this file does not hold at all is missing from the file, not failed.
        for (id, run) in ids.iter().flat_map(|id| runs.iter().map(move |run| (*id, *run))) {
            if run < names.len() as i64 && !known.contains(&(id, run)) {
                missing.push(Sentence {
                    file: index,
                    instance_id: id.to_owned(),
                    run: Some(run),
                    verdict: Verdict::failed(FailedReason::NoGeneration),
                    creates_run: true,
                    run_source: RunSource::Path,
                });
            }
        }
    }
    missing
}

/// What trials say. Those beside the arm's root make no run.
pub fn of_trials(trials: &TrialRuns, spellings: &Spellings) -> Vec<Sentence> {
    let runs = trials.runs.iter().map(|run| Sentence {
        file: run.file,
        instance_id: spellings.key(&run.instance_id).to_owned(),
        run: Some(run.run),
        verdict: run.verdict.clone(),
        creates_run: true,
        run_source: run.run_source,
    });
    let beside = trials.beside.iter().map(|(file, trial)| Sentence {
        file: *file,
        instance_id: spellings.key(&trial.instance_id).to_owned(),
        run: None,
        verdict: trial.verdict.clone(),
        creates_run: false,
        run_source: RunSource::Rank,
    });
    runs.chain(beside).collect()
}

/// All predictions of the arm, in the order of the files.
pub fn handed_in(files: &[&OutcomeFile], numbers: &NativeNumbers, spellings: &Spellings) -> Vec<HandedIn> {
    let mut handed_in = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let run = numbers.of_file(index);
        handed_in.extend(file.predictions.iter().map(|made| HandedIn {
            file: index,
            instance_id: spellings.key(&made.instance_id).to_owned(),
            run,
            patch: made.patch,
        }));
    }
    handed_in
}

/// Of whom a claim or prediction speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hearers {
    /// Of these logs, all of one run, with the folders that they share with the file.
    Logs(Vec<usize>, usize),
    /// Of a run without a log.
    Run(i64),
    /// Of a run that does not exist.
    Nobody,
    /// The instance has several runs, and nothing says which one is meant.
    Unclear,
}

/// The logs and runs of one instance.
pub struct Instance<'a> {
    /// Heads of all logs of the arm.
    pub logs: &'a [LogHead],
    /// Their places.
    pub placed: &'a [Placed],
    /// Indices of the instance's logs, copies included.
    pub indices: Vec<usize>,
    /// All runs of the instance.
    pub runs: BTreeSet<i64>,
}

impl Instance<'_> {
    /// Of whom a file speaks that names this instance, and this run where it names one.
    pub fn hearers(&self, path: &str, run: Option<i64>) -> Hearers {
        let mut depths: BTreeMap<usize, usize> = BTreeMap::new();
        for &index in &self.indices {
            if run.is_none_or(|run| self.placed[index].run == run) {
                // A report beside a copy is a report on the log that stays.
                let stays = stays(self.placed, index);
                let shared = shared_folders(path, &self.logs[index].file);
                depths.entry(stays).and_modify(|depth| *depth = shared.max(*depth)).or_insert(shared);
            }
        }
        let Some(&deepest) = depths.values().max() else {
            return self.run_without_log(run);
        };
        let nearest: Vec<usize> =
            depths.into_iter().filter(|(_, depth)| *depth == deepest).map(|(index, _)| index).collect();
        let runs: BTreeSet<i64> = nearest.iter().map(|index| self.placed[*index].run).collect();
        if runs.len() > 1 { Hearers::Unclear } else { Hearers::Logs(nearest, deepest) }
    }

    fn run_without_log(&self, run: Option<i64>) -> Hearers {
        match run {
            Some(run) if self.runs.contains(&run) => Hearers::Run(run),
            Some(_) => Hearers::Nobody,
            None if self.runs.len() > 1 => Hearers::Unclear,
            None => self.runs.first().map_or(Hearers::Nobody, |run| Hearers::Run(*run)),
        }
    }
}

/// Folders in which a file lies.
pub fn depth_of(path: &str) -> usize {
    path.matches('/').count()
}

/// Folders from the root down that two paths share.
fn shared_folders(a: &str, b: &str) -> usize {
    let folders = |path: &str| -> Vec<String> {
        path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/').map(str::to_owned).collect()
    };
    let (a, b) = (folders(a), folders(b));
    a.iter().zip(&b).take_while(|(a, b)| a == b && !a.is_empty() && *a != "..").count()
}

/// Of several logs under one key, those whose patch was graded: by the prediction's digest, else the only one with
/// a patch (for an empty prediction: without one). All of them where that cannot be told.
pub fn graded<'a>(
    logs: &[LogHead],
    nearest: &'a [usize],
    prediction: Option<Option<blake3::Hash>>,
) -> Vec<&'a usize> {
    let handed_in_something =
        |log: &LogHead| !matches!(log.patch_state, PatchState::Empty | PatchState::Missing);
    let by_digest: Vec<&usize> = match prediction {
        Some(Some(patch)) => nearest.iter().filter(|index| logs[**index].patch == Some(patch)).collect(),
        Some(None) => nearest.iter().filter(|index| !handed_in_something(&logs[**index])).collect(),
        None => Vec::new(),
    };
    if !by_digest.is_empty() {
        return by_digest;
    }
    let with_patch: Vec<&usize> =
        nearest.iter().filter(|index| handed_in_something(&logs[**index])).collect();
    if with_patch.len() == 1 { with_patch } else { nearest.iter().collect() }
}
