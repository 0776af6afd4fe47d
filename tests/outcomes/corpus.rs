//! The verdicts of the SWE corpus: column `outcome` of EXPECTED-swe.tsv for every log, both tables of pairs and the
//! table of repeats of README-swe.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ethogram::outcomes::{LogHead, Numbering, OutcomeFile, Settings, Settled, SettledRun, settle};

use super::folder::{Arm, packed_arm};
use crate::support;

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

/// An outcome in the words of EXPECTED-swe.tsv.
fn verdict_word(verdict: &ethogram::model::Verdict) -> String {
    match (&verdict.unscored_reason, verdict.failed_reason) {
        (Some(reason), _) => format!("unscored:{}", reason.as_str()),
        (None, Some(reason)) => format!("false:{}", reason.as_str()),
        (None, None) => verdict.resolved.unwrap().to_string(),
    }
}

/// All archives of the tables of pairs and of EXPECTED-swe.tsv, by name.
fn arms(corpus: &Path) -> BTreeMap<String, Arm> {
    let with_logs = expected().into_keys();
    let without = markdown_rows("## Archives without trajectories").into_iter().map(|row| row[0].clone());
    let names: BTreeSet<String> = with_logs.chain(without).collect();
    names
        .into_iter()
        .map(|name| (name.clone(), packed_arm(&corpus.join(format!("{name}.tar.zst")))))
        .collect()
}

/// One test, so that the gigabyte is read once.
#[test]
#[ignore = "slow: unpacks and reads a gigabyte of real logs"]
fn verdicts_of_the_swe_family() {
    let Some(corpus) = support::shared("corpus") else { return };
    let arms = arms(&corpus);
    let settled: BTreeMap<&str, Settled> = arms
        .iter()
        .map(|(name, arm)| (name.as_str(), settle(&arm.logs, &arm.outcomes, &Settings::default())))
        .collect();
    outcomes_of_all_logs(&arms, &settled);
    compare_table("### Pairs by trajectory file", 16, |arm, _| by_instance(&settled[arm], true));
    pairs_by_outcome_file(&arms);
    repeated_runs(&arms["repeats/sonnet-4.5"]);
    repeated_versions(&settled);
}

fn outcomes_of_all_logs(arms: &BTreeMap<String, Arm>, settled: &BTreeMap<&str, Settled>) {
    let mut count = 0;
    for (archive, mut want) in expected() {
        let (arm, settled) = (&arms[&archive], &settled[archive.as_str()]);
        for (head, log) in arm.logs.iter().zip(&settled.logs) {
            let of_run = |run: &&SettledRun| (&run.instance_id, run.run) == (&log.instance_id, log.run);
            let run = settled.runs.iter().find(of_run).unwrap();
            let verdict = log.spoken.as_ref().map_or(&run.verdict, |spoken| &spoken.verdict);
            assert_eq!(Some(verdict_word(verdict)), want.remove(&head.file), "{archive} {}", head.file);
            count += 1;
        }
        for path in &arm.demonstrations {
            assert_eq!(want.remove(path).as_deref(), Some("unscored:no_outcome_file"), "{archive} {path}");
            count += 1;
        }
        assert!(want.is_empty(), "{archive}: {want:?}");
        assert!(settled.conflicts.is_empty(), "{archive}: {:?}", settled.conflicts);
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

/// Outcome files alone, without logs. A list of winners creates no run (definitions.md §1), while the table takes
/// every instance of the benchmark as run by such an arm: `pretended` are instances of which a log is pretended.
fn by_outcome_file(files: &[OutcomeFile], pretended: &BTreeSet<String>) -> BTreeMap<String, String> {
    let heads: Vec<LogHead> =
        pretended.iter().map(|id| super::settle::log(&format!("{id}/{id}.traj"))).collect();
    by_instance(&settle(&heads, files, &Settings::default()), false)
}

fn pairs_by_outcome_file(arms: &BTreeMap<String, Arm>) {
    let ids_of = |arm: &str| -> BTreeSet<String> {
        let files = &arms[arm].outcomes;
        let claims = files.iter().flat_map(|file| &file.claims);
        let named = claims.filter(|claim| claim.creates_run || claim.verdict.scored);
        let made = files.iter().flat_map(|file| &file.predictions).map(|made| made.instance_id.clone());
        named.map(|claim| claim.instance_id.clone()).chain(made).collect()
    };
    compare_table("### Pairs by outcome file", 36, |arm, other| {
        let lists_winners_only = arms[arm].outcomes.iter().any(|file| file.others_failed);
        let pretended = if lists_winners_only { &ids_of(arm) | &ids_of(other) } else { BTreeSet::new() };
        by_outcome_file(&arms[arm].outcomes, &pretended)
    });
}

/// Solved runs of each instance.
fn solved(settled: &[&Settled]) -> BTreeMap<String, i64> {
    let mut solved: BTreeMap<String, i64> = BTreeMap::new();
    for run in settled.iter().flat_map(|settled| &settled.runs) {
        *solved.entry(run.instance_id.clone()).or_default() += i64::from(run.verdict.resolved == Some(true));
    }
    solved
}

/// The row of the table of repeats: instances, runs, pass@1, always, never, mixed.
fn compare_repeats(row: &[String], solved: &BTreeMap<String, i64>, runs: i64) {
    let instances = |claim: &dyn Fn(i64) -> bool| solved.values().filter(|count| claim(**count)).count();
    let share = solved.values().sum::<i64>() as f64 / (solved.len() as f64 * runs as f64);
    let got = [
        solved.len().to_string(),
        runs.to_string(),
        format!("{share:.4}"),
        instances(&|n| n == runs).to_string(),
        instances(&|n| n == 0).to_string(),
        instances(&|n| 0 < n && n < runs).to_string(),
    ];
    assert_eq!(got, [1, 2, 3, 10, 11, 12].map(|cell| row[cell].clone()), "{}", row[0]);
}

/// Five identical runs, verdicts only.
fn repeated_runs(arm: &Arm) {
    let tables = arm.outcomes.iter().filter(|file| file.shape == "runs-table");
    let tables: Vec<OutcomeFile> = tables.cloned().collect();
    let names = (1..=5).map(|run| format!("i0_run{run}")).collect();
    let settled =
        settle(&[], &tables, &Settings { numbering: Numbering::Named(names), ..Settings::default() });
    assert_eq!(settled.runs.len(), 500);
    compare_repeats(&markdown_rows("### Repeated runs")[0], &solved(&[&settled]), 5);
    let of_run = |wanted: i64| {
        settled.runs.iter().filter(|run| run.run == wanted && run.verdict.resolved == Some(true)).count()
    };
    assert_eq!([0, 1, 2, 3, 4].map(of_run), [79, 75, 77, 76, 72], "published resolve rates");
}

/// Six versions of one agent, each an arm of its own.
fn repeated_versions(settled: &BTreeMap<&str, Settled>) {
    let versions = settled.iter().filter(|(name, _)| name.starts_with("cs294-react/"));
    let versions: Vec<&Settled> = versions.map(|(_, settled)| settled).collect();
    compare_repeats(&markdown_rows("### Repeated runs")[1], &solved(&versions), versions.len() as i64);
}
