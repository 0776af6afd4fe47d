//! Settles one arm: every log gets its identity, every run its verdict (`definitions.md` §1 a run exists, run
//! number, duplicates, equal ids; §7 scored). Files do the parts: `identity` keys and copies, `speech` of whom a
//! file speaks, `choose` which word counts, `duplicates` which log lives, `models` whose reports are passed over.
//! Pure: the caller walks folders and reads bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::choose::{Candidate, Choice, choose, is_incomplete, with_threshold};
use super::duplicates;
use super::identity::{self, NativeNumbers, Placed};
use super::instance_id::Spellings;
use super::models::other_models;
use super::outcome_file::{OutcomeFile, Rank};
use super::report;
use super::settled::{Coverage, Fate, LogHead, Numbering, Settings, Settled, SettledLog, SettledRun, Spoken};
use super::speech::{self, HandedIn, Hearers, Instance, Sentence};
use crate::model::{FailedReason, Problem, RunSource, UnscoredReason, Verdict, Weight};

/// Settles an arm from the heads of its logs and its outcome files.
///
/// Demonstrations are no runs and must not be among the heads. Outcome files of the root's parent (paths that begin
/// with `../`) are to be given only where no file below the root `holds_verdicts`.
pub fn settle(logs: &[LogHead], files: &[OutcomeFile], settings: &Settings) -> Settled {
    let mut problems: Vec<Problem> = files.iter().flat_map(|file| file.problems.clone()).collect();
    let others = if settings.outcomes_named { BTreeSet::new() } else { other_models(logs, files) };
    problems
        .extend(others.iter().map(|path| note(path, "speaks of another model than the arm's: passed over")));
    let files: Vec<&OutcomeFile> = files.iter().filter(|file| !others.contains(&file.path)).collect();

    let found = identity::template_finds(logs, settings);
    let sources: Vec<_> =
        logs.iter().zip(&found).map(|(log, found)| identity::instance_of(log, found)).collect();
    let spellings = Spellings::new(sources.iter().map(|(id, _)| *id), ids_of_files(&files));
    let keys: Vec<String> = sources.iter().map(|(id, _)| spellings.key(id).to_owned()).collect();
    let numbers = NativeNumbers::of(logs, &found, &files);
    let natives: Vec<_> = logs.iter().enumerate().map(|(index, log)| numbers.of_log(index, log)).collect();
    let placed = identity::place(logs, &keys, &natives, settings);

    let (sentences, rows_of_other_arms) = speech::sentences(&files, &numbers, &spellings, settings);
    let handed_in = speech::handed_in(&files, &numbers, &spellings);
    let mut arm =
        Arm { logs, files, placed, sentences, handed_in, settings, problems, runs: BTreeMap::new() };
    arm.note_rows_of_other_arms(rows_of_other_arms);
    arm.note_unknown_names();
    let respelled = arm.note_respelled(&spellings);
    arm.find_runs();
    let heard = arm.hear();
    let said = arm.decide(heard);
    let mut settled_logs: Vec<SettledLog> = (0..logs.len())
        .map(|index| SettledLog {
            instance_id: arm.placed[index].instance_id.clone(),
            instance_source: sources[index].1,
            run: arm.placed[index].run,
            run_source: arm.placed[index].run_source,
            fate: arm.placed[index].copy_of.map_or(Fate::Live, |of| Fate::Copy { of }),
            spoken: said.logs.get(&arm.placed[index].copy_of.unwrap_or(index)).cloned(),
        })
        .collect();
    let conflicts = duplicates::resolve(logs, &mut settled_logs, settings.duplicates);
    let runs = arm.settled_runs(&settled_logs, &said);
    let short_instances = short_instances(&runs, settings.expect_runs);
    let coverage = coverage(&runs, &settled_logs, logs, respelled, &short_instances);
    let problems = arm.problems;
    Settled {
        logs: settled_logs,
        runs,
        conflicts,
        short_instances,
        problems,
        other_models: others.into_iter().collect(),
        coverage,
    }
}

/// Ids of claims and predictions in the order of the files.
fn ids_of_files<'a>(files: &[&'a OutcomeFile]) -> impl Iterator<Item = &'a str> {
    let ids = |file: &&'a OutcomeFile| {
        let (claims, predictions) = (&file.claims, &file.predictions);
        let claimed = claims.iter().map(|claim| claim.instance_id.as_str());
        claimed.chain(predictions.iter().map(|made| made.instance_id.as_str())).collect::<Vec<_>>()
    };
    files.iter().flat_map(ids).collect::<Vec<_>>().into_iter()
}

fn note(path: &str, what: impl Into<String>) -> Problem {
    Problem { file: path.to_owned(), ..Problem::new(Weight::Note, "", what) }
}

fn refused(path: &str, what: impl Into<String>) -> Problem {
    Problem { file: path.to_owned(), ..Problem::new(Weight::Refused, "", what) }
}

/// The key of a run within an arm.
type Key = (String, i64);

/// What files say, by log and by run without a log.
#[derive(Default)]
struct Heard {
    logs: BTreeMap<usize, Vec<Candidate>>,
    runs: BTreeMap<Key, Vec<Candidate>>,
    /// Predictions: folders shared with the log, the file, and whether something was handed in.
    handed_in_by_log: BTreeMap<usize, Vec<(usize, usize, bool)>>,
    handed_in_by_run: BTreeMap<Key, Vec<(usize, usize, bool)>>,
}

/// What counts, by log and by run without a log.
#[derive(Default)]
struct Said {
    logs: BTreeMap<usize, Spoken>,
    runs: BTreeMap<Key, Spoken>,
}

/// An arm while it is settled.
struct Arm<'a> {
    logs: &'a [LogHead],
    files: Vec<&'a OutcomeFile>,
    placed: Vec<Placed>,
    sentences: Vec<Sentence>,
    handed_in: Vec<HandedIn>,
    settings: &'a Settings<'a>,
    problems: Vec<Problem>,
    runs: BTreeMap<Key, RunSource>,
}

impl Arm<'_> {
    fn note_rows_of_other_arms(&mut self, skipped: usize) {
        if skipped > 0 {
            let arm = self.settings.arm.unwrap_or_default();
            self.problems
                .push(note("", format!("{skipped} outcome rows name another arm than `{arm}`: passed over")));
        }
    }

    /// Named runs that the study asks for and no file has.
    fn note_unknown_names(&mut self) {
        let Numbering::Named(names) = &self.settings.numbering else { return };
        let known = speech::named_runs(&self.files);
        for name in names.iter().filter(|name| !known.contains(name.as_str())) {
            let there = known.iter().copied().collect::<Vec<_>>().join(", ");
            self.problems
                .push(refused("", format!("no outcome file has a run `{name}`; there are: {there}")));
        }
    }

    /// Counts ids that match a log only after the spelling rules.
    fn note_respelled(&mut self, spellings: &Spellings) -> i64 {
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
    fn find_runs(&mut self) {
        for placed in &self.placed {
            self.runs.entry((placed.instance_id.clone(), placed.run)).or_insert(placed.run_source);
        }
        let creating = self.sentences.iter().filter(|sentence| sentence.creates_run);
        let named = creating.map(|sentence| (&sentence.instance_id, sentence.run));
        let named: Vec<_> =
            named.chain(self.handed_in.iter().map(|made| (&made.instance_id, made.run))).collect();
        for (id, run) in &named {
            if let Some(run) = run {
                self.runs.entry(((*id).clone(), *run)).or_insert(RunSource::Path);
            }
        }
        let known: BTreeSet<String> = self.runs.keys().map(|(id, _)| id.clone()).collect();
        for (id, _) in named.into_iter().filter(|(id, run)| run.is_none() && !known.contains(*id)) {
            self.runs.insert((id.clone(), 0), RunSource::Rank);
        }
    }

    /// Instances with their logs and runs.
    fn instances(&self) -> BTreeMap<String, Instance<'_>> {
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

    /// Brings every claim and prediction to the logs and runs of which it speaks.
    fn hear(&mut self) -> Heard {
        let mut heard = Heard::default();
        let mut tally: BTreeMap<usize, Tally> = BTreeMap::new();
        {
            let instances = self.instances();
            let predictions = self.hear_predictions(&instances, &mut heard);
            let implied = self.implied(&instances);
            for sentence in self.sentences.iter().chain(&implied) {
                let Some(instance) = instances.get(&sentence.instance_id) else {
                    tally.entry(sentence.file).or_default().without_run(sentence);
                    continue;
                };
                let path = &self.files[sentence.file].path;
                match instance.hearers(path, sentence.run) {
                    Hearers::Logs(nearest, depth) => {
                        let candidate = self.candidate(sentence, depth);
                        let prediction = nearest.first().and_then(|index| predictions.get(index).copied());
                        for index in graded_logs(self.logs, &nearest, &candidate.verdict, prediction) {
                            heard.logs.entry(index).or_default().push(candidate.clone());
                        }
                    }
                    Hearers::Run(run) => {
                        let key = (sentence.instance_id.clone(), run);
                        heard.runs.entry(key).or_default().push(self.candidate(sentence, 0));
                    }
                    Hearers::Nobody => tally.entry(sentence.file).or_default().without_run(sentence),
                    Hearers::Unclear => tally.entry(sentence.file).or_default().unclear += 1,
                }
            }
        }
        self.note_tally(&tally);
        heard
    }

    fn candidate(&self, sentence: &Sentence, depth: usize) -> Candidate {
        Candidate {
            rank: self.files[sentence.file].rank,
            depth,
            file: sentence.file,
            verdict: with_threshold(&sentence.verdict, self.settings.resolved_at),
        }
    }

    /// Predictions by log and run. Returns, for the logs of each key, what was handed in to the grader.
    fn hear_predictions(
        &self,
        instances: &BTreeMap<String, Instance>,
        heard: &mut Heard,
    ) -> BTreeMap<usize, Option<blake3::Hash>> {
        let mut handed_in = BTreeMap::new();
        for made in &self.handed_in {
            let Some(instance) = instances.get(&made.instance_id) else { continue };
            match instance.hearers(&self.files[made.file].path, made.run) {
                Hearers::Logs(nearest, depth) => {
                    for index in &nearest {
                        handed_in.insert(*index, made.patch);
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
                Hearers::Nobody | Hearers::Unclear => {}
            }
        }
        handed_in
    }

    /// Failures that a list of winners implies: for every instance with a run that it does not name.
    fn implied(&self, instances: &BTreeMap<String, Instance>) -> Vec<Sentence> {
        let mut implied = Vec::new();
        for (file, _) in self.files.iter().enumerate().filter(|(_, file)| file.others_failed) {
            let of_file = self.sentences.iter().filter(|sentence| sentence.file == file);
            let named: BTreeSet<&str> =
                of_file.clone().map(|sentence| sentence.instance_id.as_str()).collect();
            let run = of_file.clone().find_map(|sentence| sentence.run);
            let others = instances.keys().filter(|id| !named.contains(id.as_str()));
            implied.extend(others.map(|id| Sentence {
                file,
                instance_id: id.clone(),
                run,
                verdict: Verdict::scored(false),
                creates_run: false,
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
            if tally.without_run > 0 {
                let what = format!(
                    "{} verdicts are on instances or runs that this arm does not have",
                    tally.without_run
                );
                self.problems.push(note(path, what));
            }
        }
    }

    /// One word for every log and run; empty patches fail where the arm was graded at all.
    fn decide(&mut self, heard: Heard) -> Said {
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

    /// All runs: those with a living log, then those without, in the order of their keys.
    fn settled_runs(&self, logs: &[SettledLog], said: &Said) -> Vec<SettledRun> {
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

/// Sentences of one file that reached nobody.
#[derive(Default)]
struct Tally {
    unclear: i64,
    without_run: i64,
}

impl Tally {
    /// An instance that was not handed in, or that a list only implies, is not missed.
    fn without_run(&mut self, sentence: &Sentence) {
        self.without_run += i64::from(!is_incomplete(&sentence.verdict));
    }
}

/// The logs of one key whose patch this verdict is on.
fn graded_logs(
    logs: &[LogHead],
    nearest: &[usize],
    verdict: &Verdict,
    prediction: Option<Option<blake3::Hash>>,
) -> Vec<usize> {
    let nothing =
        matches!(verdict.failed_reason, Some(FailedReason::EmptyPatch | FailedReason::NoGeneration));
    let handed_in = if nothing { Some(None) } else { prediction };
    speech::graded(logs, nearest, handed_in).into_iter().copied().collect()
}

/// The file that shows that nothing was handed in: the deepest predictions, all of them empty.
fn shown_empty(made: &[(usize, usize, bool)]) -> Option<usize> {
    let deepest = made.iter().map(|(depth, ..)| *depth).max()?;
    let mut nearest = made.iter().filter(|(depth, ..)| *depth == deepest);
    let first = nearest.clone().map(|(_, file, _)| *file).next();
    nearest.all(|(.., handed_in)| !handed_in).then_some(first).flatten()
}

/// Instances with fewer runs than the design asks for.
fn short_instances(runs: &[SettledRun], expected: Option<i64>) -> Vec<(String, i64)> {
    let Some(expected) = expected else { return Vec::new() };
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for run in runs {
        *counts.entry(&run.instance_id).or_default() += 1;
    }
    let short = counts.into_iter().filter(|(_, count)| *count < expected);
    short.map(|(id, count)| (id.to_owned(), expected - count)).collect()
}

fn coverage(
    runs: &[SettledRun],
    settled: &[SettledLog],
    logs: &[LogHead],
    respelled: i64,
    short: &[(String, i64)],
) -> Coverage {
    let count = |claim: &dyn Fn(&SettledRun) -> bool| runs.iter().filter(|run| claim(run)).count() as i64;
    let fates = |claim: &dyn Fn(Fate) -> bool| settled.iter().filter(|log| claim(log.fate)).count() as i64;
    let mut unscored: BTreeMap<String, i64> = BTreeMap::new();
    for reason in runs.iter().filter_map(|run| run.verdict.unscored_reason.as_ref()) {
        *unscored.entry(reason.as_str().to_owned()).or_default() += 1;
    }
    Coverage {
        instances: runs.iter().map(|run| &run.instance_id).collect::<BTreeSet<_>>().len() as i64,
        runs: runs.len() as i64,
        runs_with_log: count(&|run| run.log.is_some_and(|log| logs[log].has_log)),
        scored: count(&|run| run.verdict.scored),
        resolved: count(&|run| run.verdict.resolved == Some(true)),
        unscored,
        copies: fates(&|fate| matches!(fate, Fate::Copy { .. })),
        superseded: fates(&|fate| matches!(fate, Fate::Superseded { .. })),
        respelled,
        missing_runs: short.iter().map(|(_, missing)| missing).sum(),
    }
}
