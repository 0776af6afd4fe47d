//! One word for every run: which file counts, what an empty patch means, what contradicts (`definitions.md` §1,
//! §7 scored).

use std::collections::{BTreeMap, BTreeSet};

use super::arm::{Arm, Key, note, refused};
use super::choose::{Candidate, Choice, choose, is_incomplete};
use super::hear::Heard;
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
            if self.placed[index].copy_of.is_some() {
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
                Some(self.spoken(chosen.verdict, chosen.file))
            }
            Choice::Contradiction(sides) => Some(self.contradiction(key, &sides)),
            Choice::Silence => None,
        };
        let implied_failure = candidates.iter().all(|said| self.files[said.file].others_failed)
            && chosen.as_ref().is_some_and(|chosen| chosen.verdict == Verdict::scored(false));
        let open = chosen.as_ref().is_none_or(|chosen| is_incomplete(&chosen.verdict)) || implied_failure;
        match shown_empty(made).filter(|_| graded && open) {
            Some(file) => Some(self.spoken(Verdict::failed(FailedReason::EmptyPatch), file)),
            None => chosen,
        }
    }

    fn spoken(&self, verdict: Verdict, file: usize) -> Spoken {
        Spoken { verdict, shape: self.files[file].shape, file: self.files[file].path.clone() }
    }

    /// A report that overrules a summary is noted: the two gradings differ.
    fn note_overruled(&mut self, (id, run): &Key, chosen: &Candidate, candidates: &[Candidate]) {
        let opposite = |said: &&Candidate| {
            chosen.verdict.scored && said.verdict.scored && said.verdict.resolved != chosen.verdict.resolved
        };
        // What a list of winners only implies is no word against a report.
        let spoken = |said: &&Candidate| said.rank > Rank::WinnersOnly;
        if let Some(other) = candidates.iter().filter(spoken).find(opposite) {
            let (path, by) = (&self.files[other.file].path, &self.files[chosen.file].path);
            let what = format!("`{id}` run {run}: says the opposite of `{by}`, which weighs more");
            self.problems.push(note(path, what));
        }
    }

    fn contradiction(&mut self, (id, run): &Key, sides: &[Candidate]) -> Spoken {
        let (first, path) = match sides.first() {
            Some(side) => (side.file, self.files[side.file].path.clone()),
            None => unreachable!("a contradiction has a side"),
        };
        let others: BTreeSet<&str> = sides
            .iter()
            .filter(|side| side.file != first)
            .map(|side| self.files[side.file].path.as_str())
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

/// The file that shows that nothing was handed in: the deepest predictions, all of them empty.
fn shown_empty(made: &[(usize, usize, bool)]) -> Option<usize> {
    let deepest = made.iter().map(|(depth, ..)| *depth).max()?;
    let mut nearest = made.iter().filter(|(depth, ..)| *depth == deepest);
    let first = nearest.clone().map(|(_, file, _)| *file).next();
    nearest.all(|(.., handed_in)| !handed_in).then_some(first).flatten()
}
