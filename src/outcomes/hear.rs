//! Brings the words of outcome files to the logs and runs of which they speak (`definitions.md` §1, duplicates;
//! `interface.md`, a file in a folder of another run never speaks for this run).

use std::collections::{BTreeMap, BTreeSet};

use super::arm::{Arm, Key, note, refused};
use super::choose::{Candidate, Speaker, is_incomplete, with_threshold};
use super::identity::stays;
use super::outcome_file::Rank;
use super::settled::LogHead;
use super::speech::{self, Hearers, Instance, Sentence, depth_of};
use crate::model::{FailedReason, RunSource, Verdict};

/// What files say, by log and by run without a log.
#[derive(Default)]
pub struct Heard {
    pub logs: BTreeMap<usize, Vec<Candidate>>,
    pub runs: BTreeMap<Key, Vec<Candidate>>,
    /// Predictions: folders shared with the log, the file, and whether something was handed in.
    pub handed_in_by_log: BTreeMap<usize, Vec<(usize, usize, bool)>>,
    pub handed_in_by_run: BTreeMap<Key, Vec<(usize, usize, bool)>>,
}

impl Arm<'_> {
    /// Brings every claim and prediction to the logs and runs of which it speaks.
    pub fn hear(&mut self) -> Heard {
        let mut heard = Heard::default();
        let mut tally: BTreeMap<usize, Tally> = BTreeMap::new();
        {
            let instances = self.instances();
            let predictions = self.hear_predictions(&instances, &mut heard, &mut tally);
            for sentence in &self.sentences {
                let tally = tally.entry(sentence.file).or_default();
                match self.bring(sentence, &instances, &predictions, &mut heard) {
                    // An instance that was not handed in is not missed.
                    Hearers::Nobody => tally.without_run += i64::from(!is_incomplete(&sentence.verdict)),
                    Hearers::Unclear => tally.unclear += 1,
                    Hearers::Logs(..) | Hearers::Run(_) => {}
                }
            }
            for sentence in self.implied(&instances) {
                if self.bring(&sentence, &instances, &predictions, &mut heard) == Hearers::Unclear {
                    tally.entry(sentence.file).or_default().unclear += 1;
                }
            }
        }
        self.note_tally(&tally);
        self.named_files_settle(&mut heard);
        self.hear_logs(&mut heard);
        heard
    }

    /// Where a file that the user names speaks of a run, the record of its trial does not.
    fn named_files_settle(&self, heard: &mut Heard) {
        let is_named = |said: &Candidate| match said.speaker {
            Speaker::File(file) => !self.files[file].is_part_of_log,
            Speaker::Log(_) => false,
        };
        for candidates in heard.logs.values_mut().chain(heard.runs.values_mut()) {
            if candidates.iter().any(|said| is_named(said) && !is_incomplete(&said.verdict)) {
                candidates.retain(is_named);
            }
        }
    }

    /// What logs say of themselves weighs as much as a report beside them, however far from them the report lies. Where the
    /// user names the outcomes, these are to settle it.
    fn hear_logs(&self, heard: &mut Heard) {
        for (index, log) in self.logs.iter().enumerate() {
            let (Some(verdict), true) = (&log.verdict, stays(&self.placed, index) == index) else { continue };
            let others = heard.logs.entry(index).or_default();
            let speaks = |said: &Candidate| !is_incomplete(&said.verdict);
            if self.settings.outcomes_named && others.iter().any(speaks) {
                continue;
            }
            let reports = others.iter().filter(|said| said.rank == Rank::PerInstance);
            let depth = reports.map(|said| said.depth).max().unwrap_or_else(|| depth_of(&log.file));
            others.push(Candidate {
                rank: Rank::PerInstance,
                depth,
                speaker: Speaker::Log(index),
                verdict: with_threshold(verdict, self.settings.resolved_at),
            });
        }
    }

    /// Brings one claim to its hearers.
    fn bring(
        &self,
        sentence: &Sentence,
        instances: &BTreeMap<String, Instance>,
        predictions: &Predictions,
        heard: &mut Heard,
    ) -> Hearers {
        let Some(instance) = instances.get(&sentence.instance_id) else {
            return Hearers::Nobody;
        };
        let hearers = instance.hearers(&self.files[sentence.file].path, sentence.run);
        match &hearers {
            Hearers::Logs(nearest, depth) => {
                let candidate = self.candidate(sentence, *depth);
                for index in graded_logs(self.logs, nearest, &candidate.verdict, predictions) {
                    heard.logs.entry(index).or_default().push(candidate.clone());
                }
            }
            Hearers::Run(run) => {
                let key = (sentence.instance_id.clone(), *run);
                heard.runs.entry(key).or_default().push(self.candidate(sentence, 0));
            }
            Hearers::Nobody | Hearers::Unclear => {}
        }
        hearers
    }

    fn candidate(&self, sentence: &Sentence, depth: usize) -> Candidate {
        Candidate {
            rank: self.files[sentence.file].rank,
            depth,
            speaker: Speaker::File(sentence.file),
            verdict: with_threshold(&sentence.verdict, self.settings.resolved_at),
        }
    }

    /// Predictions by log and run. Returns what was handed in to the grader, by log.
    fn hear_predictions(
        &self,
        instances: &BTreeMap<String, Instance>,
        heard: &mut Heard,
        tally: &mut BTreeMap<usize, Tally>,
    ) -> Predictions {
        let mut handed_in = Predictions::new();
        for made in &self.handed_in {
            let Some(instance) = instances.get(&made.instance_id) else { continue };
            match instance.hearers(&self.files[made.file].path, made.run) {
                Hearers::Logs(nearest, depth) => {
                    for index in &nearest {
                        let known = handed_in.entry(*index).or_insert((depth, made.patch));
                        if depth >= known.0 {
                            *known = (depth, made.patch);
                        }
                    }
                    for index in speech::graded(self.logs, &nearest, Some(made.patch)) {
                        let made = (depth, made.file, made.patch.is_some());
                        heard.handed_in_by_log.entry(*index).or_default().push(made);
                    }
                }
                Hearers::Run(run) => {
                    let key = (made.instance_id.clone(), run);
                    heard.handed_in_by_run.entry(key).or_default().push((0, made.file, made.patch.is_some()));
                }
                Hearers::Unclear => tally.entry(made.file).or_default().unclear_predictions += 1,
                Hearers::Nobody => {}
            }
        }
        handed_in
    }

    /// Failures that a list of winners implies: for every instance with a run that it does not name.
    fn implied(&self, instances: &BTreeMap<String, Instance>) -> Vec<Sentence> {
        let mut implied = Vec::new();
        for (file, _) in self.files.iter().enumerate().filter(|(_, file)| file.others_failed) {
            let of_file = self.sentences.iter().filter(|sentence| sentence.file == file);
            let named: BTreeSet<&str> = of_file.map(|sentence| sentence.instance_id.as_str()).collect();
            let run = self.file_runs[file];
            let others = instances.keys().filter(|id| !named.contains(id.as_str()));
            implied.extend(others.map(|id| Sentence {
                file,
                instance_id: id.clone(),
                run,
                verdict: Verdict::scored(false),
                creates_run: false,
                run_source: RunSource::Rank,
            }));
        }
        implied
    }

    fn note_tally(&mut self, tally: &BTreeMap<usize, Tally>) {
        for (file, tally) in tally {
            let path = &self.files[*file].path;
            if tally.unclear > 0 {
                let what = format!(
                    "{} instances have several runs, and neither the file nor its path says which one is meant: \
                     not used; give `{{run}}` in the outcome path",
                    tally.unclear
                );
                self.problems.push(refused(path, what));
            }
            if tally.unclear_predictions > 0 {
                let what =
                    format!("{} predictions name none of several runs: not used", tally.unclear_predictions);
                self.problems.push(note(path, what));
            }
            if tally.without_run > 0 {
                let what = format!(
                    "{} verdicts are on instances or runs that this arm does not have",
                    tally.without_run
                );
                self.problems.push(note(path, what));
            }
        }
    }
}

/// What was handed in to the grader by log, with the folders that the log shares with that file.
type Predictions = BTreeMap<usize, (usize, Option<blake3::Hash>)>;

/// Sentences of one file that reached nobody.
#[derive(Default)]
struct Tally {
    unclear: i64,
    unclear_predictions: i64,
    without_run: i64,
}

/// The logs of one key whose patch this verdict is on. A prediction tells only where it is one for all of them.
fn graded_logs(
    logs: &[LogHead],
    nearest: &[usize],
    verdict: &Verdict,
    predictions: &Predictions,
) -> Vec<usize> {
    let nothing =
        matches!(verdict.failed_reason, Some(FailedReason::EmptyPatch | FailedReason::NoGeneration));
    let prediction = |index: &usize| predictions.get(index).map(|(_, patch)| *patch);
    let first = nearest.first().and_then(prediction);
    let shared = first.filter(|_| nearest.iter().all(|index| prediction(index) == first));
    let handed_in = if nothing { Some(None) } else { shared };
    speech::graded(logs, nearest, handed_in).into_iter().copied().collect()
}
