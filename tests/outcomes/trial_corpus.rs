//! Trials of the corpus: every row of EXPECTED-other.tsv that a Harbor or Terminal-Bench file says, the runs of whole arms,
//! and the pairs of Terminal-Bench 2.0.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use ethogram::formats;
use ethogram::model::{Termination, Verdict};
use ethogram::outcomes::{Fate, OutcomeFile, Settings, Settled, SettledRun, Trial, recognise, settle};
use ethogram::sources::{Limits, members, walk};

use super::folder::packed_arm;
use super::trials::words;
use crate::support;

/// One row of EXPECTED-other.tsv.
struct Row {
    file: String,
    format: String,
    instance: String,
    run: String,
    steps: String,
    end: String,
    outcome: String,
    note: String,
}

fn expected(archive: &str, formats: &[&str]) -> Vec<Row> {
    let text = std::fs::read_to_string(support::shared("corpus/EXPECTED-other.tsv").unwrap()).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let rows =
        rows.filter(|cells| cells[0] == format!("{archive}.tar.zst") && formats.contains(&cells[2].as_str()));
    rows.map(|cells| {
        let cell = |index: usize| cells.get(index).cloned().unwrap_or_default();
        let [file, format, instance, run] = [1, 2, 3, 4].map(cell);
        let [steps, end, outcome, note] = [6, 8, 9, 10].map(cell);
        Row { file, format, instance, run, steps, end, outcome, note }
    })
    .collect()
}

/// Outcome files of an archive by path, and its `commands.txt`.
fn packed(archive: &str) -> (BTreeMap<String, OutcomeFile>, BTreeMap<String, Vec<u8>>) {
    let path = support::shared(&format!("corpus/{archive}.tar.zst")).unwrap();
    let packed = walk(&path).unwrap().files.remove(0);
    let (mut files, mut commands) = (BTreeMap::new(), BTreeMap::new());
    let problems = members(&packed, &Limits::default(), |member| {
        if let Some(shape) = recognise(&member.path, &member.bytes) {
            assert!(formats::claims(&member.bytes).is_empty(), "{} is a log too", member.path);
            let file = (shape.read)(&member.path, &member.bytes);
            assert_eq!(file.problems, [], "{}", member.path);
            files.insert(member.path.clone(), file);
        } else if member.path.ends_with("/commands.txt") {
            commands.insert(member.path.clone(), member.bytes.clone());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(problems.unwrap(), [], "{archive}");
    (files, commands)
}

/// Outcome files below a folder, with paths below it.
fn arm(files: &BTreeMap<String, OutcomeFile>, root: &str) -> Vec<OutcomeFile> {
    let below = |path: &str| path.strip_prefix(root)?.strip_prefix('/').map(str::to_owned);
    let mut found: Vec<OutcomeFile> = Vec::new();
    for (path, file) in files {
        let Some(path) = below(path) else { continue };
        let mut file = OutcomeFile { path, ..file.clone() };
        for trial in &mut file.trials {
            trial.folder = below(&trial.folder).unwrap_or_default();
            trial.job = trial.job.take().map(|job| below(&job).unwrap_or_default());
        }
        found.push(file);
    }
    found
}

fn settled(files: &[OutcomeFile]) -> Settled {
    settle(&[], files, &Settings::default())
}

fn only<'a>(files: &'a BTreeMap<String, OutcomeFile>, path: &str) -> &'a Trial {
    // The table keeps 200 characters of a path.
    let (_, file) = files
        .range(path.to_owned()..)
        .next()
        .filter(|(found, _)| *found == path || path.len() == 200 && found.starts_with(path))
        .unwrap_or_else(|| panic!("{path} is no outcome file"));
    assert_eq!(file.trials.len(), 1, "{path}");
    &file.trials[0]
}

fn reward_words(verdict: &Verdict) -> String {
    verdict.reward.map_or_else(String::new, |reward| format!("reward={reward:?}"))
}

#[test]
#[ignore = "slow: unpacks and reads two archives of real trials"]
fn harbor_trials_and_jobs() {
    if support::shared("corpus").is_none() {
        return;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for archive in ["harbor/openclaw-glm5-tb2", "harbor/predev-tb2"] {
        let (files, _) = packed(archive);
        for row in expected(archive, &["harbor-trial", "harbor-trial+atif", "harbor-job"]) {
            *counts.entry(row.format.clone()).or_default() += 1;
            let at = format!("{archive} {}", row.file);
            if row.format == "harbor-job" {
                harbor_job(&files[&row.file], &row, &at);
                continue;
            }
            let folder = match row.file.strip_suffix("/result.json") {
                Some(folder) => folder.to_owned(),
                None => folder_above(&files, &row.file).unwrap_or_else(|| panic!("{at}: lies in no trial")),
            };
            let trial = only(&files, &format!("{folder}/result.json"));
            assert_eq!(trial.folder, folder, "{at}");
            assert_eq!(
                (trial.instance_id.as_str(), trial.name.as_str()),
                (row.instance.as_str(), row.run.as_str()),
                "{at}"
            );
            assert_eq!(trial.raw_status.as_deref().unwrap_or("none"), row.end, "{at}");
            assert_eq!(reward_words(&trial.verdict), row.outcome, "{at}");
            let is_timeout = row.end == "AgentTimeoutError";
            assert_eq!(trial.termination == Termination::TimeLimit, is_timeout, "{at}");
        }
    }
    let want = [("harbor-job", 6), ("harbor-trial", 43), ("harbor-trial+atif", 176)];
    assert_eq!(counts, want.map(|(format, count)| (format.to_owned(), count)).into());
}

fn folder_above(files: &BTreeMap<String, OutcomeFile>, path: &str) -> Option<String> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        if files.get(&format!("{above}/result.json")).is_some_and(|file| file.shape == "harbor-trial") {
            return Some(above.to_owned());
        }
        folder = above;
    }
    None
}

/// A job's mean is over all of its trials; its trials are those that ended.
fn harbor_job(file: &OutcomeFile, row: &Row, at: &str) {
    assert_eq!(file.shape, "harbor-job", "{at}");
    let exceptions = file.trials.iter().filter(|trial| trial.raw_status.is_some()).count();
    assert_eq!(row.note, format!("errored={exceptions}"), "{at}");
    let mean: f64 = row.outcome.rsplit("'mean': ").next().unwrap().trim_end_matches('}').parse().unwrap();
    let rewards: f64 = file.trials.iter().filter_map(|trial| trial.verdict.reward).sum();
    let n_total: f64 = row.steps.parse().unwrap_or(0.0);
    let n_listed = file.trials.len() as f64;
    let of_listed = (rewards / n_listed - mean).abs() < 1e-9;
    assert!(
        of_listed || (rewards / n_total - mean).abs() < 1e-9,
        "{at}: {rewards} of {n_listed}, mean {mean}"
    );
}

#[test]
#[ignore = "slow: unpacks and reads an archive of real trials"]
fn pairs_of_terminal_bench_2() {
    if support::shared("corpus").is_none() {
        return;
    }
    let (files, _) = packed("harbor/predev-tb2");
    let [haiku, sonnet] =
        ["predev-haiku-4-5__41.6", "predev-sonnet-4-6__56.2"].map(|root| settled(&arm(&files, root)));
    let verdicts = |settled: &Settled| -> BTreeMap<String, String> {
        assert!(settled.runs.iter().all(|run| run.run == 0));
        settled.runs.iter().map(|run| (run.instance_id.clone(), words(&run.verdict))).collect()
    };
    let (haiku, sonnet) = (verdicts(&haiku), verdicts(&sonnet));
    assert_eq!(haiku.keys().collect::<Vec<_>>(), sonnet.keys().collect::<Vec<_>>());
    let mut cells: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (id, verdict) in &haiku {
        *cells.entry((verdict, &sonnet[id])).or_default() += 1;
    }
    let want = [
        (("AgentTimeoutError", "true"), 1),
        (("false", "false"), 34),
        (("false", "true"), 17),
        (("true", "false"), 5),
        (("true", "true"), 32),
    ];
    assert_eq!(cells, want.into());
}

#[test]
#[ignore = "slow: unpacks and reads an archive of real trials"]
fn a_job_of_which_a_third_is_left() {
    if support::shared("corpus").is_none() {
        return;
    }
    let (files, _) = packed("harbor/openclaw-glm5-tb2");
    let settled = settled(&arm(&files, "HEAD"));
    let coverage = &settled.coverage;
    assert_eq!((coverage.instances, coverage.runs, coverage.scored, coverage.resolved), (89, 89, 85, 37));
    assert_eq!(coverage.unscored, BTreeMap::from([("RewardFileNotFoundError".to_owned(), 4)]));
    let by_shape = |shape: &str| {
        settled.runs.iter().filter(|run| run.source.as_ref().is_some_and(|(name, _)| *name == shape)).count()
    };
    assert_eq!((by_shape("harbor-trial"), by_shape("harbor-job")), (29, 60));
}

#[test]
#[ignore = "slow: unpacks and reads two archives of real trials"]
fn terminal_bench_trials_runs_and_commands() {
    if support::shared("corpus").is_none() {
        return;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for archive in ["terminal-bench/tb-core-0.1.1-results", "terminal-bench/tb-core-traces"] {
        let (files, commands) = packed(archive);
        for row in expected(archive, &["tb-trial-results", "tb-run-results", "tb-commands"]) {
            *counts.entry(row.format.clone()).or_default() += 1;
            let at = format!("{archive} {}", row.file);
            match row.format.as_str() {
                "tb-trial-results" => tb_trial(only(&files, &row.file), &row, &at),
                "tb-run-results" => tb_run(&files[&row.file], &row, &at),
                _ => tb_commands(&commands[&row.file], &row, &at),
            }
        }
        if archive.ends_with("results") {
            scaffolds(&files);
        }
    }
    let want = [("tb-commands", 122), ("tb-run-results", 54), ("tb-trial-results", 3765)];
    assert_eq!(counts, want.map(|(format, count)| (format.to_owned(), count)).into());
}

fn tb_trial(trial: &Trial, row: &Row, at: &str) {
    assert_eq!(
        (trial.instance_id.as_str(), trial.name.as_str()),
        (row.instance.as_str(), row.run.as_str()),
        "{at}"
    );
    assert_eq!(trial.raw_status.as_deref(), Some(row.end.as_str()), "{at}");
    let outcome = match (trial.verdict.scored, trial.verdict.resolved) {
        (true, Some(true)) => "True",
        (true, Some(false)) => "False",
        _ => "None",
    };
    assert_eq!(outcome, row.outcome, "{at}");
    let tests =
        trial.verdict.counts.map(|counts| format!("tests={}/{}", counts.f2p_passed, counts.f2p_total));
    assert_eq!(tests.unwrap_or_else(|| "no-tests".to_owned()), row.note, "{at}");
}

fn tb_run(file: &OutcomeFile, row: &Row, at: &str) {
    assert_eq!(file.shape, "terminal-bench-run", "{at}");
    assert_eq!(file.trials.len().to_string(), row.steps, "{at}");
    let resolved = file.trials.iter().filter(|trial| trial.verdict.resolved == Some(true)).count();
    assert_eq!(format!("resolved={resolved}"), row.note, "{at}");
    let accuracy: f64 = row.outcome.strip_prefix("accuracy=").unwrap().parse().unwrap();
    assert!((resolved as f64 / file.trials.len() as f64 - accuracy).abs() < 1e-9, "{at}");
}

fn tb_commands(bytes: &[u8], row: &Row, at: &str) {
    let names: Vec<&str> = formats::claims(bytes).iter().map(|format| format.name).collect();
    assert_eq!(names, ["terminal-bench-commands"], "{at}");
    let read = formats::read_file(formats::claims(bytes)[0], bytes);
    let [run] = read.trajectories.as_slice() else { panic!("{at}: one trajectory") };
    assert_eq!(run.steps.unwrap().to_string(), row.steps, "{at}");
    assert!(
        !run.has_turn_boundaries && !run.has_log && run.turns.is_empty(),
        "{at}: the harness typed all of it"
    );
}

/// Each submission is an arm of 80 tasks with 5 runs, from 0; nested repeats add nothing.
fn scaffolds(files: &BTreeMap<String, OutcomeFile>) {
    let roots: BTreeSet<&str> = files.keys().filter_map(|path| path.split('/').next()).collect();
    assert_eq!(roots.len(), 13);
    for root in roots {
        let settled = settled(&arm(files, root));
        let mut runs: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for run in &settled.runs {
            runs.entry(&run.instance_id).or_default().push(run.run);
        }
        assert_eq!(runs.len(), 80, "{root}");
        for (id, numbers) in &runs {
            assert_eq!(numbers, &[0, 1, 2, 3, 4], "{root} {id}");
        }
        // Every run file that is no nested repeat says how many of its trials are resolved.
        let of_runs = files.iter().filter(|(path, file)| {
            path.starts_with(&format!("{root}/"))
                && file.shape == "terminal-bench-run"
                && !path.contains("19-28-24/2025-08-15__16")
        });
        let want: usize = of_runs
            .map(|(_, file)| file.trials.iter().filter(|trial| trial.verdict.resolved == Some(true)).count())
            .sum();
        let is_resolved = |run: &&SettledRun| run.verdict.resolved == Some(true);
        assert_eq!(settled.runs.iter().filter(is_resolved).count(), want, "{root}");
        assert!(settled.problems.is_empty(), "{root}: {:?}", settled.problems);
    }
}

/// Of 219 trials some have several logs (sessions, their copies and snapshots, ATIF), some none: each is one run.
#[test]
#[ignore = "slow: unpacks and reads two archives of real trials"]
fn logs_of_real_trials() {
    let Some(corpus) = support::shared("corpus") else { return };
    let mut seen = Vec::new();
    for archive in ["harbor/openclaw-glm5-tb2", "harbor/predev-tb2"] {
        let arm = packed_arm(&corpus.join(format!("{archive}.tar.zst")));
        let settled = settle(&arm.logs, &arm.outcomes, &Settings::default());
        assert!(settled.conflicts.is_empty());
        let trials = arm.outcomes.iter().filter(|file| file.shape == "harbor-trial").count();
        let live = settled.logs.iter().filter(|log| log.fate == Fate::Live).count();
        assert_eq!(settled.coverage.runs_with_log, live as i64, "{archive}");
        for (head, log) in arm.logs.iter().zip(&settled.logs).filter(|(_, log)| log.fate == Fate::Live) {
            assert_eq!(head.format, "atif", "{archive} {}", head.file);
            assert!(log.spoken.is_some(), "{archive} {}", head.file);
        }
        seen.push((trials, live, settled.runs.len()));
    }
    // The first holds four versions of one job and two additions: 109 names, 68 of them only in the jobs' lists.
    assert_eq!(seen, [(41, 41, 109), (178, 135, 178)]);
}
