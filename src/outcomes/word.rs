//! One word for every run: which file counts, what an empty patch means, what contradicts (`definitions.md` §1,
//! §7 scored).

use std::collections::{BTreeMap, BTreeSet};

use super::arm::{Arm, Key, note, refused};
use super::choose::{Candidate, Choice, Speaker, choose, is_incomplete};
use super::hear::Heard;
use super::identity::stays;
use super::outcome_file::Rank;
use super::settled::Spoken;
use crate::model::{FailedReason, UnscoredReason, Verdict};

/// What counts, by log and by run without a log.
#[derive(Default)]
pub struct Said {
    pub logs: BTreeMap<usize, Spoken>,
    pub runs: BTreeMap<Key, Spoken>,
}

impl Arm<'_> {
    /// One word for every log and run; empty patches fail where the arm was graded at all.
    pub fn decide(&mut self, heard: Heard) -> Said {
        let graded = heard.logs.values().chain(heard.runs.values()).flatten().any(|said| said.verdict.scored);
        let mut said = Said::default();
        for index in 0..self.logs.len() {
            if stays(&self.placed, index) != index {
                continue;
            }
            let candidates = heard.logs.get(&index).map_or(&[][..], Vec::as_slice);
            let made = heard.handed_in_by_log.get(&index).map_or(&[][..], Vec::as_slice);
            let key = (self.placed[index].instance_id.clone(), self.placed[index].run);
            if let Some(spoken) = self.word(&key, candidates, made, graded) {
                said.logs.insert(index, spoken);
            }
        }
        let with_log: BTreeSet<Key> =
            self.placed.iter().map(|placed| (placed.instance_id.clone(), placed.run)).collect();
        let without_log: Vec<Key> =
            self.runs.keys().filter(|key| !with_log.contains(*key)).cloned().collect();
        for key in without_log {
            let candidates = heard.runs.get(&key).map_or(&[][..], Vec::as_slice);
            let made = heard.handed_in_by_run.get(&key).map_or(&[][..], Vec::as_slice);
            if let Some(spoken) = self.word(&key, candidates, made, graded) {
                said.runs.insert(key, spoken);
            }
        }
        said
    }

    /// The word on one run, if any file speaks of it.
    fn word(
        &mut self,
        key: &Key,
        candidates: &[Candidate],
        made: &[(usize, usize, bool)],
        graded: bool,
    ) -> Option<Spoken> {
        let chosen = match choose(candidates) {
            Choice::One(chosen) => {
                self.note_overruled(key, &chosen, candidates);
                Some(self.spoken(with_tests(chosen.verdict, candidates), chosen.speaker))
            }
            Choice::Contradiction(sides) => Some(match sides.as_slice() {
                // Rewards or copies of a trial that disagree are told where they were read.
                [side] if side.rank == Rank::Trial => self.spoken(side.verdict.clone(), side.speaker),
                _ => self.contradiction(key, &sides),
            }),
            Choice::Silence => None,
        };
        let implied_failure = candidates.iter().all(|said| self.implies_failures(said.speaker))
            && chosen.as_ref().is_some_and(|chosen| chosen.verdict == Verdict::scored(false));
        let open = chosen.as_ref().is_none_or(|chosen| is_incomplete(&chosen.verdict)) || implied_failure;
        match shown_empty(made).filter(|_| graded && open) {
            Some(file) => Some(self.spoken(Verdict::failed(FailedReason::EmptyPatch), Speaker::File(file))),
            None => chosen,
        }
    }

    fn spoken(&self, verdict: Verdict, speaker: Speaker) -> Spoken {
        let shape = match speaker {
            Speaker::File(file) => self.files[file].shape,
            Speaker::Log(log) => self.logs[log].format,
        };
        Spoken { verdict, shape, file: self.path_of(speaker).to_owned() }
    }

    fn path_of(&self, speaker: Speaker) -> &str {
        match speaker {
            Speaker::File(file) => &self.files[file].path,
            Speaker::Log(log) => &self.logs[log].file,
        }
    }

    fn implies_failures(&self, speaker: Speaker) -> bool {
        matches!(speaker, Speaker::File(file) if self.files[file].others_failed)
    }

    /// A report that overrules a summary is noted: the two gradings differ.
    fn note_overruled(&mut self, (id, run): &Key, chosen: &Candidate, candidates: &[Candidate]) {
        let opposite = |said: &&Candidate| {
            chosen.verdict.scored && said.verdict.scored && said.verdict.resolved != chosen.verdict.resolved
        };
        // What a list of winners only implies is no word against a report.
        let spoken = |said: &&Candidate| said.rank > Rank::WinnersOnly;
        if let Some(other) = candidates.iter().filter(spoken).find(opposite) {
            let (path, by) = (self.path_of(other.speaker), self.path_of(chosen.speaker));
            let what = format!("`{id}` run {run}: says the opposite of `{by}`, which weighs more");
            let noted = note(path, what);
            self.problems.push(noted);
        }
    }

    fn contradiction(&mut self, (id, run): &Key, sides: &[Candidate]) -> Spoken {
        let (first, path) = match sides.first() {
            Some(side) => (side.speaker, self.path_of(side.speaker).to_owned()),
            None => unreachable!("a contradiction has a side"),
        };
        let others: BTreeSet<&str> = sides
            .iter()
            .filter(|side| side.speaker != first)
            .map(|side| self.path_of(side.speaker))
            .collect();
        let what = match others.is_empty() {
            true => format!("`{id}` run {run}: this file says both resolved and not resolved: unscored"),
            false => {
                let others = others.into_iter().collect::<Vec<_>>().join("`, `");
                format!(
                    "`{id}` run {run}: contradicts `{others}`: unscored; name the right file with outcomes"
                )
            }
        };
        self.problems.push(refused(&path, what));
        self.spoken(Verdict::unscored(UnscoredReason::Contradiction), first)
    }
}

/// A verdict with the grader's tests of another file that says the same, where its own speaker lists none: in a trial the
/// harness keeps the reward, and the report beside it the tests.
fn with_tests(verdict: Verdict, candidates: &[Candidate]) -> Verdict {
    let has_tests = |verdict: &Verdict| !verdict.tests.is_empty() || verdict.counts.is_some();
    let agrees = |said: &&Candidate| {
        said.rank == Rank::PerInstance && said.verdict.scored && said.verdict.resolved == verdict.resolved
    };
    if !verdict.scored || has_tests(&verdict) {
        return verdict;
    }
    match candidates.iter().filter(agrees).find(|said| has_tests(&said.verdict)) {
        Some(other) => Verdict {
            tests: other.verdict.tests.clone(),
            counts: other.verdict.counts,
            applied: verdict.applied.or(other.verdict.applied),
            ..verdict
        },
        None => verdict,
    }
}

/// The file that shows that nothing was handed in: the deepest predictions, all of them empty.
fn shown_empty(made: &[(usize, usize, bool)]) -> Option<usize> {
    let deepest = made.iter().map(|(depth, ..)| *depth).max()?;
    let mut nearest = made.iter().filter(|(depth, ..)| *depth == deepest);
    let first = nearest.clone().map(|(_, file, _)| *file).next();
    nearest.all(|(.., handed_in)| !handed_in).then_some(first).flatten()
}
