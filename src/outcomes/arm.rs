//! An arm while it is settled: its logs, files and runs, and what is noted on the way. `hear` brings the words of
//! the files to its runs, `word` decides between them (`definitions.md` §1, a run exists).

use std::collections::{BTreeMap, BTreeSet};

use super::identity::Placed;
use super::instance_id::Spellings;
use super::outcome_file::OutcomeFile;
use super::report;
use super::settled::{Fate, LogHead, Numbering, Settings, SettledLog, SettledRun, Spoken};
use super::speech::{self, HandedIn, Instance, Sentence};
use super::word::Said;
use crate::model::{Problem, RunSource, UnscoredReason, Verdict, Weight};

/// The key of a run within an arm.
pub type Key = (String, i64);

/// An arm while it is settled.
pub struct Arm<'a> {
    pub logs: &'a [LogHead],
    pub files: Vec<&'a OutcomeFile>,
    /// Run that each file's path names.
    pub file_runs: Vec<Option<i64>>,
    pub placed: Vec<Placed>,
    pub sentences: Vec<Sentence>,
    pub handed_in: Vec<HandedIn>,
    pub settings: &'a Settings<'a>,
    pub problems: Vec<Problem>,
    pub runs: BTreeMap<Key, RunSource>,
}

impl Arm<'_> {
    pub fn note_rows_of_other_arms(&mut self, skipped: usize) {
        if skipped > 0 {
            let arm = self.settings.arm.unwrap_or_default();
            self.problems
                .push(note("", format!("{skipped} outcome rows name another arm than `{arm}`: passed over")));
        }
    }

    /// Named runs that the study asks for and no file has.
    pub fn note_unknown_names(&mut self) {
        let Numbering::Named(names) = &self.settings.numbering else { return };
        let known = speech::named_runs(&self.files);
        for name in names.iter().filter(|name| !known.contains(name.as_str())) {
            let there = known.iter().copied().collect::<Vec<_>>().join(", ");
            self.problems
                .push(refused("", format!("no outcome file has a run `{name}`; there are: {there}")));
        }
    }

    /// Counts ids that match a log only after the spelling rules.
    pub fn note_respelled(&mut self, spellings: &Spellings) -> i64 {
        let all: BTreeSet<&str> = ids_of_files(&self.files).collect();
        let changed: Vec<(&str, &str)> =
            all.into_iter().map(|id| (id, spellings.key(id))).filter(|(id, key)| id != key).collect();
        if let Some((id, key)) = changed.first() {
            let what =
                format!("{} ids match only after the spelling rules, first `{id}` = `{key}`", changed.len());
            self.problems.push(note("", what));
        }
        changed.len() as i64
    }

    /// Runs exist by logs, by predictions and by claims that prove a run; numbered ones first, so that a claim
    /// without a number finds them.
    pub fn find_runs(&mut self) {
        for placed in &self.placed {
            self.runs.entry((placed.instance_id.clone(), placed.run)).or_insert(placed.run_source);
        }
        let creating = self.sentences.iter().filter(|sentence| sentence.creates_run);
        let named = creating.map(|sentence| (&sentence.instance_id, sentence.run, sentence.run_source));
        let made = self.handed_in.iter().map(|made| (&made.instance_id, made.run, RunSource::Path));
        let named: Vec<_> = named.chain(made).collect();
        for (id, run, source) in &named {
            if let Some(run) = run {
                self.runs.entry(((*id).clone(), *run)).or_insert(*source);
            }
        }
        let known: BTreeSet<String> = self.runs.keys().map(|(id, _)| id.clone()).collect();
        for (id, ..) in named.into_iter().filter(|(id, run, _)| run.is_none() && !known.contains(*id)) {
            self.runs.insert((id.clone(), 0), RunSource::Rank);
        }
    }

    /// Instances with their logs and runs.
    pub fn instances(&self) -> BTreeMap<String, Instance<'_>> {
        let mut instances: BTreeMap<String, Instance> = BTreeMap::new();
        for (id, run) in self.runs.keys() {
            let new = || Instance {
                logs: self.logs,
                placed: &self.placed,
                indices: Vec::new(),
                runs: BTreeSet::new(),
            };
            instances.entry(id.clone()).or_insert_with(new).runs.insert(*run);
        }
        for (index, placed) in self.placed.iter().enumerate() {
            if let Some(instance) = instances.get_mut(&placed.instance_id) {
                instance.indices.push(index);
            }
        }
        instances
    }

    /// All runs: those with a living log, then those without, in the order of their keys.
    pub fn settled_runs(&self, logs: &[SettledLog], said: &Said) -> Vec<SettledRun> {
        let silent = self.silent_reason();
        let run = |key: Key, run_source, log, spoken: Option<&Spoken>| SettledRun {
            instance_id: key.0,
            run: key.1,
            run_source,
            log,
            verdict: spoken
                .map_or_else(|| Verdict::unscored(silent.clone()), |spoken| spoken.verdict.clone()),
            source: spoken.map(|spoken| (spoken.shape, spoken.file.clone())),
        };
        let mut runs: BTreeMap<Key, SettledRun> = BTreeMap::new();
        for (index, log) in logs.iter().enumerate().filter(|(_, log)| log.fate == Fate::Live) {
            let key = (log.instance_id.clone(), log.run);
            runs.entry(key.clone())
                .or_insert_with(|| run(key, log.run_source, Some(index), log.spoken.as_ref()));
        }
        for (key, source) in &self.runs {
            runs.entry(key.clone()).or_insert_with(|| run(key.clone(), *source, None, said.runs.get(key)));
        }
        runs.into_values().collect()
    }

    /// Why a run of which no file speaks has no verdict.
    fn silent_reason(&self) -> UnscoredReason {
        let mut graders = self.files.iter().filter(|file| file.holds_verdicts()).peekable();
        if graders.peek().is_none() {
            return UnscoredReason::NoOutcomeFile;
        }
        match graders.all(|file| file.shape == report::SHAPE.name) {
            true => UnscoredReason::NoReport,
            false => UnscoredReason::NotListed,
        }
    }
}

/// Ids of claims, predictions and trials in the order of the files.
pub fn ids_of_files<'a>(files: &[&'a OutcomeFile]) -> impl Iterator<Item = &'a str> {
    let ids = |file: &&'a OutcomeFile| {
        let (claims, predictions) = (&file.claims, &file.predictions);
        let claimed = claims.iter().map(|claim| claim.instance_id.as_str());
        let made = predictions.iter().map(|made| made.instance_id.as_str());
        let tried = file.trials.iter().map(|trial| trial.instance_id.as_str());
        claimed.chain(made).chain(tried).collect::<Vec<_>>()
    };
    files.iter().flat_map(ids).collect::<Vec<_>>().into_iter()
}

/// A note on a file.
pub fn note(path: &str, what: impl Into<String>) -> Problem {
    Problem { file: path.to_owned(), ..Problem::new(Weight::Note, "", what) }
}

/// A verdict of a file that is lost.
pub fn refused(path: &str, what: impl Into<String>) -> Problem {
    Problem { file: path.to_owned(), ..Problem::new(Weight::Refused, "", what) }
}
