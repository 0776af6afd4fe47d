//! Settles one arm: every log gets its identity, every run its verdict (`definitions.md` §1 a run exists, run
//! number, duplicates, equal ids; §7 scored). The parts: `trial_runs` runs of trials, `identity` keys and copies, `models` whose reports are
//! passed over, `speech` and `hear` of whom a file speaks, `choose` and `word` which word counts, `duplicates` which
//! log lives.
//! Pure: the caller walks folders and reads bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::arm::{Arm, ids_of_files, note};
use super::duplicates;
use super::identity::{self, NativeNumbers};
use super::instance_id::Spellings;
use super::models::other_models;
use super::outcome_file::OutcomeFile;
use super::settled::{Coverage, Fate, LogHead, Settings, Settled, SettledLog, SettledRun};
use super::speech;
use super::trial_runs::TrialRuns;
use crate::model::Problem;

/// Settles an arm from the heads of its logs and its outcome files.
///
/// Demonstrations are no runs and must not be among the heads. Outcome files of the root's parent (paths that begin
/// with `../`) are to be given only where no file below the root `holds_verdicts`.
pub fn settle(logs: &[LogHead], files: &[OutcomeFile], settings: &Settings) -> Settled {
    let mut by_path: Vec<&OutcomeFile> = files.iter().collect();
    by_path.sort_by(|a, b| a.path.cmp(&b.path));
    let mut problems: Vec<Problem> = by_path.iter().flat_map(|file| file.problems.clone()).collect();
    let others = if settings.outcomes_named { BTreeSet::new() } else { other_models(logs, files) };
    problems
        .extend(others.iter().map(|path| note(path, "speaks of another model than the arm's: passed over")));
    let files: Vec<&OutcomeFile> = by_path.into_iter().filter(|file| !others.contains(&file.path)).collect();

    let tried = TrialRuns::of(&files);
    let trials: Vec<Option<usize>> = logs.iter().map(|log| tried.of_folder(log.trial.as_deref()?)).collect();
    let found = identity::template_finds(logs, settings);
    let source = |index: usize| match trials[index].map(|trial| &tried.runs[trial]) {
        Some(run) => (run.instance_id.as_str(), run.trial.instance_source),
        None => identity::instance_of(&logs[index], &found[index]),
    };
    let sources: Vec<_> = (0..logs.len()).map(source).collect();
    let mut in_order: Vec<usize> = (0..logs.len()).collect();
    in_order.sort_by(|a, b| identity::by_place(&logs[*a], &logs[*b]));
    let spellings = Spellings::new(in_order.iter().map(|index| sources[*index].0), ids_of_files(&files));
    let mut keys: Vec<String> = sources.iter().map(|(id, _)| spellings.key(id).to_owned()).collect();
    // Who looks at files joins nothing: ids stay as their logs write them.
    if settings.arm.is_some() {
        problems.extend(identity::name_collections(logs, &mut keys));
    }
    let numbers = NativeNumbers::of(logs, &found, &files, &trials);
    let native = |index: usize| match trials[index].map(|trial| &tried.runs[trial]) {
        Some(run) => Some((run.run, run.run_source)),
        None => numbers.of_log(index, &logs[index]),
    };
    let natives: Vec<_> = (0..logs.len()).map(native).collect();
    let mut placed = identity::place(logs, &keys, &natives, settings);
    identity::one_log_a_trial(&mut placed, logs, &trials);

    let (mut sentences, rows_of_other_arms) = speech::sentences(&files, &numbers, &spellings, settings);
    sentences.extend(speech::of_trials(&tried, &spellings));
    problems.extend(tried.problems);
    let handed_in = speech::handed_in(&files, &numbers, &spellings);
    let file_runs = (0..files.len()).map(|index| numbers.of_file(index)).collect();
    let runs = BTreeMap::new();
    let mut arm = Arm { logs, files, file_runs, placed, sentences, handed_in, settings, problems, runs };
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
            fate: match (arm.placed[index].copy_of, arm.placed[index].superseded_by) {
                (Some(of), _) => Fate::Copy { of },
                (None, Some(by)) => Fate::Superseded { by },
                (None, None) => Fate::Live,
            },
            spoken: said.logs.get(&identity::stays(&arm.placed, index)).cloned(),
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
