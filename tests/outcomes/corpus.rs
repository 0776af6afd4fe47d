//! The verdicts of the SWE corpus: column `outcome` of EXPECTED-swe.tsv for every log, both tables of pairs and the
//! table of repeats of README-swe.md. Needs the unpacked corpus: `ETHOGRAM_CORPUS=DEST cargo test corpus -- --ignored`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ethogram::model::PatchState;
use ethogram::outcomes::{LogHead, Numbering, OutcomeFile, Settings, Settled, SettledLog, recognise, settle};

use super::folder;
use crate::support;

/// The unpacked corpus, else the test is skipped aloud.
fn corpus() -> Option<PathBuf> {
    let found = std::env::var_os("ETHOGRAM_CORPUS").map(PathBuf::from).filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: ETHOGRAM_CORPUS is not an unpacked corpus (shared/corpus/unpack DEST)");
    }
    found
}

/// Rows of a table of the shared data, cells trimmed, rules and heads left out.
fn markdown_rows(heading: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(support::shared("corpus/README-swe.md").unwrap()).unwrap();
    let section = text.split(heading).nth(1).unwrap_or_else(|| panic!("{heading}"));
    let lines = section.lines().skip(1).skip_while(|line| !line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.take_while(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

/// EXPECTED-swe.tsv: archive to file to outcome.
fn expected() -> BTreeMap<String, BTreeMap<String, String>> {
    let text = std::fs::read_to_string(support::shared("corpus/EXPECTED-swe.tsv").unwrap()).unwrap();
    let mut rows: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        rows.entry(cells[0].to_owned()).or_default().insert(cells[1].to_owned(), cells[7].to_owned());
    }
    rows
}

/// An outcome in the words of EXPECTED-swe.tsv. A log that no file speaks of has the verdict of its run.
fn word(settled: &Settled, log: &SettledLog) -> String {
    let run = || {
        settled.runs.iter().find(|run| (&run.instance_id, run.run) == (&log.instance_id, log.run)).unwrap()
    };
    let verdict = log.spoken.as_ref().map_or_else(|| &run().verdict, |spoken| &spoken.verdict);
    verdict_word(verdict)
}

fn verdict_word(verdict: &ethogram::model::Verdict) -> String {
    match (&verdict.unscored_reason, verdict.failed_reason) {
        (Some(reason), _) => format!("unscored:{}", reason.as_str()),
        (None, Some(reason)) => format!("false:{}", reason.as_str()),
        (None, None) => verdict.resolved.unwrap().to_string(),
    }
}

#[test]
#[ignore = "slow: reads the unpacked corpus"]
fn corpus_outcomes_of_all_logs() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for (archive, files) in expected() {
        let (logs, outcomes) = folder::arm(&corpus.join(&archive));
        let settled = settle(&logs, &outcomes, &Settings::default());
        assert_eq!(logs.len(), files.len(), "{archive}");
        for (head, log) in logs.iter().zip(&settled.logs) {
            assert_eq!(word(&settled, log), files[&head.file], "{archive} {}", head.file);
            count += 1;
        }
        assert!(settled.conflicts.is_empty(), "{archive}: {:?}", settled.conflicts);
        println!("{archive}: {:?}", settled.coverage);
        settled.problems.iter().for_each(|problem| println!("  {problem:?}"));
    }
    assert_eq!(count, 2235);
}

/// The seven counts of one line of the tables.
fn cells(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> [i64; 7] {
    let mut cells = [0; 7];
    let universe: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    for id in universe {
        let cell = match (a.get(id), b.get(id)) {
            (None, _) => 5,
            (_, None) => 6,
            (Some(a), Some(b)) if a.starts_with("unscored") || b.starts_with("unscored") => 4,
            (Some(a), Some(b)) => match (a == "true", b == "true") {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            },
        };
        cells[cell] += 1;
    }
    cells
}

fn compare_table(heading: &str, want_rows: usize, arms: impl Fn(&str, &str) -> BTreeMap<String, String>) {
    let rows = markdown_rows(heading);
    assert_eq!(rows.len(), want_rows);
    for row in rows {
        let (family, _) = row[0].split_once('/').unwrap();
        let second = format!("{family}/{}", row[1]);
        let (a, b) = (arms(&row[0], &second), arms(&second, &row[0]));
        let want: Vec<i64> = row[2..9].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells(&a, &b).to_vec(), want, "{} {}", row[0], row[1]);
    }
}

/// Verdict by instance of the runs that pass; every arm here has one run an instance.
fn by_instance(settled: &Settled, with_log: bool) -> BTreeMap<String, String> {
    let runs = settled.runs.iter().filter(|run| !with_log || run.log.is_some());
    runs.map(|run| (run.instance_id.clone(), verdict_word(&run.verdict))).collect()
}

#[test]
#[ignore = "slow: reads the unpacked corpus"]
fn corpus_pairs_by_trajectory_file() {
    let Some(corpus) = corpus() else { return };
    let arms: BTreeMap<String, BTreeMap<String, String>> = expected()
        .into_keys()
        .map(|archive| {
            let (logs, outcomes) = folder::arm(&corpus.join(&archive));
            let settled = settle(&logs, &outcomes, &Settings::default());
            (archive, by_instance(&settled, true))
        })
        .collect();
    compare_table("### Pairs by trajectory file", 16, |arm, _| arms[arm].clone());
}

/// Outcome files alone, without logs. A list of winners creates no run (definitions.md §1), while the table takes
/// every instance of the benchmark as run by such an arm: `pretended` are instances of which a log is pretended.
fn by_outcome_file(files: &[OutcomeFile], pretended: &BTreeSet<String>) -> BTreeMap<String, String> {
    let heads: Vec<LogHead> = pretended
        .iter()
        .map(|id| LogHead {
            patch_state: PatchState::Nonempty,
            ..folder::head(&format!("{id}/{id}.traj"), id.as_bytes())
        })
        .collect();
    by_instance(&settle(&heads, files, &Settings::default()), false)
}

#[test]
#[ignore = "slow: reads the unpacked corpus"]
fn corpus_pairs_by_outcome_file() {
    let Some(corpus) = corpus() else { return };
    let mut arms: BTreeMap<String, Vec<OutcomeFile>> = BTreeMap::new();
    for family in support::folders(&corpus) {
        for arm in support::folders(&family) {
            let name = arm.strip_prefix(&corpus).unwrap().to_str().unwrap().to_owned();
            if name.starts_with("swebench-verified/") {
                arms.insert(name, folder::arm(&arm).1);
            }
        }
    }
    let ids_of = |arm: &str| -> BTreeSet<String> {
        let claims = arms[arm]
            .iter()
            .flat_map(|file| &file.claims)
            .filter(|claim| claim.creates_run || claim.verdict.scored);
        let made = arms[arm].iter().flat_map(|file| &file.predictions).map(|made| made.instance_id.clone());
        claims.map(|claim| claim.instance_id.clone()).chain(made).collect()
    };
    compare_table("### Pairs by outcome file", 36, |arm, other| {
        let lists_winners_only = arms[arm].iter().any(|file| file.others_failed);
        let pretended = if lists_winners_only { &ids_of(arm) | &ids_of(other) } else { BTreeSet::new() };
        by_outcome_file(&arms[arm], &pretended)
    });
}

#[test]
#[ignore = "slow: reads the unpacked corpus"]
fn corpus_repeated_runs() {
    let Some(corpus) = corpus() else { return };
    let path = "scored/per_run_results.json";
    let bytes = std::fs::read(corpus.join("repeats/sonnet-4.5").join(path)).unwrap();
    let file = (recognise(path, &bytes).unwrap().read)(path, &bytes);
    let names = (1..=5).map(|run| format!("i0_run{run}")).collect();
    let settings = Settings { numbering: Numbering::Named(names), ..Settings::default() };
    let settled = settle(&[], &[file], &settings);
    assert_eq!(settled.runs.len(), 500);
    let mut solved: BTreeMap<&str, i64> = BTreeMap::new();
    for run in &settled.runs {
        *solved.entry(&run.instance_id).or_default() += i64::from(run.verdict.resolved == Some(true));
    }
    let instances = |claim: fn(i64) -> bool| solved.values().filter(|count| claim(**count)).count();
    assert_eq!(solved.len(), 100);
    assert_eq!([instances(|n| n == 5), instances(|n| n == 0), instances(|n| n > 0 && n < 5)], [66, 16, 18]);
    assert_eq!(solved.values().sum::<i64>(), 379, "pass@1 = 0.758 of 500");
    let by_run: Vec<usize> = (0..5)
        .map(|wanted| {
            settled.runs.iter().filter(|run| run.run == wanted && run.verdict.resolved == Some(true)).count()
        })
        .collect();
    assert_eq!(by_run, [79, 75, 77, 76, 72], "published resolve rates");
}
