//! Studies end to end: logs in, a report out. What is printed is golden, and was read; what it rests on is counted by hand
//! from the fixture, or comes from an independent reader of the shared corpus.

mod transfer;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{golden, repository, shared};

/// Runs the program in the repository, so that no path of a machine reaches a golden.
fn ethogram(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ethogram"))
        .current_dir(repository())
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn study(arguments: &[&str], out: &Path) -> Output {
    let mut all = vec!["study"];
    all.extend(arguments);
    let out = out.to_str().unwrap();
    all.extend(["--out", out]);
    ethogram(&all)
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display())))
        .unwrap()
}

fn row<'a>(table: &'a Value, id: &str) -> &'a Value {
    let rows = table["rows"].as_array().unwrap();
    rows.iter().find(|row| row["row"] == id).unwrap_or_else(|| panic!("no row {id}"))
}

/// (both, only base, only trained, neither) of the first row of T5.
fn cells(table: &Value) -> (i64, i64, i64, i64) {
    let resolved = row(table, "resolved");
    let count = |name: &str| resolved[name].as_i64().unwrap();
    (count("both"), count("lost"), count("gained"), count("neither"))
}

#[test]
fn the_first_study_prints_what_was_read() {
    let out = tempfile::tempdir().unwrap();
    let done = study(&["fixtures/studies/first/study.toml"], out.path());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let report = out.path().join("report");
    let want = repository().join("fixtures/studies/first/want");
    golden(&want.join("report.md"), &std::fs::read_to_string(report.join("report.md")).unwrap());
    let mut tables: Vec<PathBuf> =
        std::fs::read_dir(report.join("tables")).unwrap().map(|entry| entry.unwrap().path()).collect();
    tables.sort();
    assert!(tables.len() >= 21, "T1, T2, T4, T5, T14, funnel and decomposition in three formats");
    for table in tables.iter().filter(|path| path.extension().is_some_and(|ending| ending == "csv")) {
        let name = table.file_name().unwrap();
        golden(&want.join("tables").join(name), &std::fs::read_to_string(table).unwrap());
    }
}

/// Counted by hand from `results.json` of the four runs: base solves 2 and 1 of 6, rl 4 and 4 of 6.
#[test]
fn the_first_study_counts_its_verdicts() {
    let out = tempfile::tempdir().unwrap();
    study(&["fixtures/studies/first/study.toml", "--threads", "3"], out.path());
    let tables = out.path().join("report/tables");
    let t1 = json(tables.join("T1.json"));
    for (arm, resolved) in [("base", 3), ("rl", 8)] {
        let row = row(&t1, &format!("unnamed.{arm}"));
        assert_eq!((row["runs"].as_i64(), row["scored"].as_i64()), (Some(12), Some(12)));
        assert_eq!(row["resolved"].as_i64(), Some(resolved));
    }
    let t5 = json(tables.join("T5.base-rl.json"));
    let delta = row(&t5, "resolved")["delta"].as_f64().unwrap();
    assert!((delta - 5.0 / 12.0).abs() < 1e-12, "{delta}");
    // The base arm's only test command meets a missing runner.
    assert_eq!(row(&t5, "active_testing")["base"]["value"].as_f64(), Some(0.0));
    let parts = json(tables.join("decomposition.base-rl.json"));
    let contribution = |id: &str| row(&parts, id)["contribution"].as_f64().unwrap();
    let sum: f64 = ["acted", "explored", "edited_source", "patched", "applied", "resolved", "off_path"]
        .into_iter()
        .map(contribution)
        .sum();
    assert!((sum - contribution("delta_resolved")).abs() < 1e-12, "{sum}");
}

/// Two repositories of three instances each; base solves 1 and 2 of 6 runs, rl 3 and 5: 1/6 → 3/6 and 2/6 → 5/6.
#[test]
fn a_comparison_parts_its_instances_where_it_is_asked_to() {
    let out = tempfile::tempdir().unwrap();
    study(&["fixtures/studies/first/study.toml"], out.path());
    let store = out.path().join("store");
    let store = store.to_str().unwrap();
    let plain = String::from_utf8(ethogram(&["compare", store]).stdout).unwrap();
    assert!(!plain.contains("strata"));
    let asked = String::from_utf8(ethogram(&["compare", store, "--by", "repo"]).stdout).unwrap();
    let strata: Vec<Vec<&str>> = asked
        .lines()
        .filter(|line| line.starts_with("strata.base-rl"))
        .map(|line| line.split('\t').collect())
        .collect();
    let names: Vec<&str> = strata.iter().map(|row| row[1]).collect();
    assert_eq!(names, ["repo.acme/gears", "repo.acme/widgets", "repo:all"]);
    let contribution = |row: &Vec<&str>| row.last().unwrap().parse::<f64>().unwrap();
    // (3 − 1) / 12 and (5 − 2) / 12, rounded to 10⁻⁶.
    assert_eq!(strata.iter().map(contribution).collect::<Vec<f64>>(), [0.166667, 0.25, 0.416667]);
    assert_eq!(ethogram(&["compare", store, "--by", "colour"]).status.code(), Some(2));
}

#[test]
fn a_second_run_reads_nothing_and_changes_nothing() {
    let out = tempfile::tempdir().unwrap();
    let first = study(&["fixtures/studies/first/study.toml"], out.path());
    let manifest = out.path().join("store/manifest.json");
    let before =
        (std::fs::read(&manifest).unwrap(), std::fs::metadata(&manifest).unwrap().modified().unwrap());
    let report = std::fs::read(out.path().join("report/report.md")).unwrap();
    let second = study(&["fixtures/studies/first/study.toml"], out.path());
    assert_eq!(first.stdout, second.stdout);
    let after =
        (std::fs::read(&manifest).unwrap(), std::fs::metadata(&manifest).unwrap().modified().unwrap());
    assert_eq!(before, after);
    assert_eq!(report, std::fs::read(out.path().join("report/report.md")).unwrap());
}

/// An archive of the shared corpus, read in place.
fn archive(name: &str) -> Option<String> {
    shared(&format!("corpus/{name}")).map(|path| path.to_str().unwrap().to_owned())
}

fn compared(base: &str, trained: &str, out: &Path) -> Value {
    let done = study(&["--base", base, "--trained", trained], out);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let name = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().replace(".tar.zst", "");
    json(out.join(format!("report/tables/T5.{}-{}.json", name(base), name(trained))))
}

/// `README-swe.md` of the corpus, pairs by trajectory file.
#[test]
#[ignore = "slow: two arms of the shared corpus"]
fn java_pairs_as_the_independent_count_does() {
    let (Some(base), Some(trained)) = (
        archive("swebench-java/gpt-4o-2024-05-13.tar.zst"),
        archive("swebench-java/deepseek-chat-v2.tar.zst"),
    ) else {
        return;
    };
    let out = tempfile::tempdir().unwrap();
    let t5 = compared(&base, &trained, out.path());
    assert_eq!(cells(&t5), (3, 3, 6, 72));
    let pairs = std::fs::read_to_string(out.path().join("report/pairs.csv")).unwrap();
    let state = |word: &str| pairs.lines().filter(|line| line.contains(word)).count();
    assert_eq!((state(",one_unscored,"), state(",both_unscored,"), state(",trained_only,")), (5, 0, 2));
}

/// `README-swe.md` of the corpus, pairs by outcome file.
#[test]
#[ignore = "slow: outcomes of the shared corpus"]
fn outcomes_alone_pair_as_the_independent_count_does() {
    let (Some(base), Some(trained)) =
        (archive("swebench-verified/kat-32k.tar.zst"), archive("swebench-verified/kat-49k.tar.zst"))
    else {
        return;
    };
    let out = tempfile::tempdir().unwrap();
    let t5 = compared(&base, &trained, out.path());
    assert_eq!(cells(&t5), (16, 3, 9, 20));
    let p = row(&t5, "resolved")["p"].as_f64().unwrap();
    assert!((p - 0.146).abs() < 5e-4, "{p}");
}

/// Of the 18 runs that a design of three an instance asks for in an arm, 6 do not exist: they count as unscored.
#[test]
fn runs_that_the_design_asks_for_and_nobody_made_are_unscored() {
    let out = tempfile::tempdir().unwrap();
    study(&["fixtures/studies/first/study.toml", "--expect-runs", "3"], out.path());
    let t1 = json(out.path().join("report/tables/T1.json"));
    let base = row(&t1, "unnamed.base");
    assert_eq!((base["runs"].as_i64(), base["scored"].as_i64()), (Some(18), Some(12)));
    assert_eq!(base["as_failures"]["value"].as_f64(), Some(3.0 / 18.0));
}
