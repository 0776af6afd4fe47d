//! Logs of evaluation programs (τ-bench, τ², BrowseComp-Plus, Inspect) against what an independent reader counted in real ones.

use super::read;
use crate::support::shared;
use ethogram::formats;
use ethogram::model::{Termination, Trajectory, Weight};
use ethogram::outcomes;
use ethogram::sources::{self, Limits};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// What the independent reader says of one log.
struct Wanted {
    file: String,
    instance: String,
    run: String,
    turns: String,
    status: String,
    outcome: String,
}

/// The rows of an archive and format.
fn wanted(archive: &str, format: &str) -> Option<Vec<Wanted>> {
    let text = std::fs::read_to_string(shared("corpus/EXPECTED-other.tsv")?).unwrap();
    let rows = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let rows = rows.filter(|row| row[0] == archive && row[2] == format);
    let found: Vec<Wanted> = rows
        .map(|row| Wanted {
            file: row[1].clone(),
            instance: row[3].clone(),
            run: row[4].clone(),
            turns: row[7].clone(),
            status: row[8].clone(),
            outcome: row[9].clone(),
        })
        .collect();
    assert!(!found.is_empty(), "{archive} has no rows of {format}");
    Some(found)
}

/// The files of an archive of the corpus.
fn files(archive: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let path = shared(&format!("corpus/{archive}"))?;
    let walked = sources::walk(Path::new(&path)).unwrap().files.remove(0);
    let mut files = BTreeMap::new();
    let problems = sources::members(&walked, &Limits::default(), |member| {
        files.insert(member.path, member.bytes);
        ControlFlow::Continue(())
    });
    assert!(problems.unwrap().is_empty());
    Some(files)
}

/// A log of Inspect with one sample, whose last response ended so.
fn stopped(reason: &str, tool_calls: &str, log: &str, scores: &str) -> Trajectory {
    let text = format!(
        r#"{{"version":2,"status":"{log}","eval":{{"task":"t","model":"m"}},"samples":[{{"id":"a","epoch":1,"input":"Q",
        "scores":{scores},"events":[{{"event":"model","model":"m","output":{{"choices":[{{"stop_reason":"{reason}",
        "message":{{"role":"assistant","content":"I would","tool_calls":{tool_calls}}}}}]}}}}]}}]}}"#
    );
    read(text.as_bytes()).trajectories.remove(0)
}

#[test]
fn a_sample_of_inspect_may_end_with_a_response_that_was_cut_off() {
    let scored = r#"{"s":{"value":"I"}}"#;
    let end = |reason, log, scores| stopped(reason, "[]", log, scores).termination;
    assert_eq!(end("stop", "success", scored), Termination::Finished);
    assert_eq!(end("max_tokens", "success", scored), Termination::Limit);
    assert_eq!(end("model_length", "success", scored), Termination::ContextLimit);
    assert_eq!(end("content_filter", "success", scored), Termination::ModelError);
    // What ended the log ended the sample that nobody scored.
    assert_eq!(end("max_tokens", "cancelled", "{}"), Termination::Cancelled);
    assert_eq!(end("max_tokens", "cancelled", scored), Termination::Limit);
    let calls = r#"[{"id":"1","function":"bash","arguments":{"cmd":"ls"}}]"#;
    assert_eq!(stopped("max_tokens", calls, "success", scored).termination, Termination::Finished);
}

fn turns(run: &Trajectory) -> String {
    if run.has_turn_boundaries { run.shown_turns().to_string() } else { String::new() }
}

fn reward(run: &Trajectory) -> Option<f64> {
    run.verdict.as_ref()?.reward
}

#[test]
fn tau_bench_conversations_are_counted_as_an_independent_reader_counts() {
    let archive = "tau-bench/tau-bench-gpt4o-airline.tar.zst";
    let Some((want, files)) = wanted(archive, "tau-bench").zip(files(archive)) else { return };
    let found = read(&files["gpt-4o-airline.json"]);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(found.trajectories.len(), want.len());
    let mut wanted: Vec<_> = want
        .iter()
        .map(|want| {
            (
                want.instance.clone(),
                want.run.clone(),
                want.turns.clone(),
                want.outcome.parse::<f64>().unwrap(),
            )
        })
        .collect();
    let mut runs: Vec<_> = found
        .trajectories
        .iter()
        .map(|run| {
            (run.instance_id.clone().unwrap(), run.run.unwrap().to_string(), turns(run), reward(run).unwrap())
        })
        .collect();
    wanted.sort_by(|left, right| left.partial_cmp(right).unwrap());
    runs.sort_by(|left, right| left.partial_cmp(right).unwrap());
    assert_eq!(runs, wanted);
    let passed = found.trajectories.iter().filter(|run| reward(run) == Some(1.0)).count();
    assert_eq!(passed, 84);
    // All k of 4 trials pass, over 50 tasks: 0.42, 0.273, 0.22, 0.20.
    let mut by_task = BTreeMap::<_, u32>::new();
    for run in &found.trajectories {
        *by_task.entry(run.instance_id.clone()).or_default() += u32::from(reward(run) == Some(1.0));
    }
    let choose =
        |n: u32, k: u32| (0..k).map(|i| f64::from(n.saturating_sub(i)) / f64::from(i + 1)).product::<f64>();
    for (k, want) in [(1, 0.42), (2, 0.273), (3, 0.22), (4, 0.20)] {
        let sum: f64 = by_task.values().map(|passed| choose(*passed, k) / choose(4, k)).sum();
        assert!((sum / 50.0 - want).abs() < 5e-4, "pass^{k}: {}", sum / 50.0);
    }
}

#[test]
fn spoken_simulations_have_no_turns() {
    let archive = "tau-bench/tau2-testdata.tar.zst";
    let Some((want, files)) = wanted(archive, "tau2-simulation").zip(files(archive)) else { return };
    for want in &want {
        let found = read(&files[&want.file]);
        let run = &found.trajectories[0];
        assert_eq!((run.format, run.instance_id.as_deref()), ("tau2", Some(want.instance.as_str())));
        assert_eq!(run.run.map(|run| run.to_string()).as_ref(), Some(&want.run));
        assert_eq!((turns(run), run.raw_exit_status.as_ref()), (want.turns.clone(), Some(&want.status)));
    }
    let others = files.iter().filter(|(path, _)| !want.iter().any(|want| want.file == **path));
    for (path, bytes) in others {
        assert!(formats::recognise(bytes).is_none(), "{path}");
    }
}

#[test]
fn public_browsecomp_runs_have_no_turns_and_the_judge_speaks_of_one_arm() {
    let archive = "browsecomp-plus/bcp-gpt41-single-vs-decentralized.tar.zst";
    let Some((want, files)) = wanted(archive, "browsecomp-plus-run").zip(files(archive)) else { return };
    for want in &want {
        let found = read(&files[&want.file]);
        let run = &found.trajectories[0];
        assert_eq!(
            (run.format, run.instance_id.as_deref()),
            ("browsecomp-plus", Some(want.instance.as_str()))
        );
        assert_eq!((turns(run), run.raw_exit_status.as_ref()), (want.turns.clone(), Some(&want.status)));
        assert!(outcomes::recognise(&want.file, &files[&want.file]).is_none(), "{}", want.file);
    }
    let Some(want) = wanted(archive, "browsecomp-plus-eval") else { return };
    let path = &want[0].file;
    let shape = outcomes::recognise(path, &files[path]).unwrap();
    assert_eq!(shape.name, "judged-queries");
    assert!(formats::recognise(&files[path]).is_none());
    let said = (shape.read)(path, &files[path]);
    let mut words: Vec<(String, &str)> = Vec::new();
    for claim in &said.claims {
        let word = match claim.verdict.resolved {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        words.push((claim.instance_id.clone(), word));
    }
    let mut wanted: Vec<(String, &str)> =
        want.iter().map(|want| (want.instance.clone(), want.outcome.as_str())).collect();
    words.sort();
    wanted.sort();
    assert_eq!(words, wanted);
    assert_eq!(words.iter().filter(|(_, word)| *word == "yes").count(), 74);
}

#[test]
fn half_rewards_never_add_up() {
    let Some(folder) = shared("cases/outcome/059-fractional-rewards/input") else { return };
    let found = read(&std::fs::read(folder.join("acme-airline.json")).unwrap());
    let rewards: Vec<_> = found.trajectories.iter().map(|run| (run.run, turns(run), reward(run))).collect();
    let want = [(0, 0.5), (1, 0.5), (0, 1.0), (1, 0.0)];
    assert_eq!(rewards, want.map(|(run, reward)| (Some(run), "1".to_owned(), Some(reward))));
    assert!(found.trajectories.iter().all(|run| run.verdict.as_ref().unwrap().resolved.is_none()));
}

/// `name=C`, `name=I` and `name=0.0` as a reward.
fn letter(outcome: &str) -> Option<f64> {
    match outcome.rsplit_once('=')?.1 {
        "C" => Some(1.0),
        "I" => Some(0.0),
        number => number.parse().ok(),
    }
}

#[test]
fn inspect_samples_are_counted_as_an_independent_reader_counts() {
    let archive = "inspect/inspect-logs.tar.zst";
    let Some((want, files)) = wanted(archive, "inspect").zip(files(archive)) else { return };
    let mut by_file: BTreeMap<&str, Vec<&Wanted>> = BTreeMap::new();
    for want in &want {
        by_file.entry(want.file.split('!').next().unwrap()).or_default().push(want);
    }
    for (file, want) in &by_file {
        let found = read(&files[*file]);
        assert!(found.problems.is_empty(), "{file}: {:?}", found.problems);
        assert_eq!(found.trajectories.len(), want.len(), "{file}");
        for (index, want) in want.iter().enumerate() {
            let place = match want.file.split_once('!') {
                Some((_, member)) => format!("member {member}"),
                None => format!("record {}", index + 1),
            };
            let run = found.trajectories.iter().find(|run| run.place == place).unwrap();
            let at = format!("{file} {place}");
            assert_eq!(run.instance_id.as_deref(), Some(want.instance.as_str()), "{at}");
            let epoch = run.run.map(|run| format!("epoch{}", run + 1)).unwrap();
            assert!(want.run.ends_with(&format!("/{epoch}")), "{at}: {}", want.run);
            assert_eq!(turns(run), want.turns, "{at}");
            assert_eq!(run.raw_exit_status.as_ref(), Some(&want.status), "{at}");
            assert_eq!(reward(run), letter(&want.outcome), "{at}");
            assert!(
                run.turns.iter().flat_map(|turn| &turn.calls).all(|call| call.observation.is_some()),
                "{at}"
            );
        }
    }
    // What is no log: heads without samples, and events or skeletons that the tool's own tests keep.
    let others: Vec<&str> = files
        .iter()
        .filter(|(path, bytes)| !by_file.contains_key(path.as_str()) && formats::recognise(bytes).is_some())
        .map(|(path, _)| path.rsplit('/').next().unwrap())
        .collect();
    let want = [
        "2025-05-12T20-28-13-04-00_no-samples.json",
        "2024-08-29T15-11-17+00-00_popularity_5EAmX6wjMFqea6WY7XHzZp.json",
        "2024-08-29T15-11-18+00-00_popularity_5EAmX6wjMFqea6WY7XHzZp.json",
    ];
    assert_eq!(others, want);
}

#[test]
fn samples_with_an_error_have_no_verdict() {
    let Some(folder) = shared("cases/outcome/071-errored-samples-are-unscored/input") else { return };
    let found = read(&std::fs::read(folder.join("log.json")).unwrap());
    let said: Vec<_> = found
        .trajectories
        .iter()
        .map(|run| {
            let verdict = run.verdict.as_ref().unwrap();
            (verdict.scored, verdict.reward, verdict.unscored_reason.as_ref().map(|reason| reason.as_str()))
        })
        .collect();
    let (solved, failed) = ((true, Some(1.0), None), (true, Some(0.0), None));
    let error = (false, None, Some("sample_error"));
    assert_eq!(said, [solved, solved, failed, failed, failed, failed, error, error]);
    assert!(found.trajectories.iter().all(|run| run.turns.len() == 1));
    let ends: Vec<_> = found.trajectories.iter().map(|run| run.termination.as_str()).collect();
    assert_eq!(ends[5..], ["finished", "model_error", "model_error"]);
}

#[test]
fn a_log_that_is_cut_off_keeps_the_samples_before_the_cut() {
    let Some(files) = files("inspect/inspect-logs.tar.zst") else { return };
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".eval")) {
        let whole = read(bytes);
        for part in 1..8 {
            let cut = read(&bytes[..bytes.len() * part / 8]);
            assert!(cut.problems.iter().any(|problem| problem.weight == Weight::Refused), "{path} {part}");
            // The last one may be cut itself; what stands before it is as it was, but for what the head says.
            let before = cut.trajectories.len().saturating_sub(1);
            for run in cut.trajectories.iter().take(before) {
                let same = whole.trajectories.iter().find(|known| known.place == run.place).unwrap();
                assert_eq!((&run.turns, &run.verdict), (&same.turns, &same.verdict), "{path} {}", run.place);
            }
        }
        let most = read(&bytes[..bytes.len() * 7 / 8]).trajectories.len();
        assert!(most * 4 >= whole.trajectories.len() * 3 || whole.trajectories.len() < 10, "{path}: {most}");
    }
}
