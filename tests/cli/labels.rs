//! `labels`: rules against labelled turns, and sheets for readers.

use serde_json::Value;
use tempfile::TempDir;

use super::copy;
use crate::support::{Ran, ethogram, repository};

/// A store of the two labelled logs, with their labels beside it.
fn labelled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&repository().join("fixtures/labels"), folder.path());
    let ran = ethogram(folder.path(), &["ingest", "logs", "--store", "store", "--arm", "labels"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    folder
}

fn labels(folder: &TempDir, arguments: &[&str]) -> Ran {
    ethogram(folder.path(), &[&["labels", "store"], arguments].concat())
}

/// The labels with one item changed.
fn with(folder: &TempDir, item: &str, change: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(folder.path().join("labels.jsonl")).unwrap();
    let changed = text.lines().map(|line| {
        let mut label: Value = serde_json::from_str(line).unwrap();
        if label["item"].as_str().unwrap().ends_with(item) {
            change(&mut label);
        }
        format!("{label}\n")
    });
    std::fs::write(folder.path().join("changed.jsonl"), changed.collect::<String>()).unwrap();
}

/// Words of the row of a table, by its first two cells.
fn row<'r>(text: &'r str, turns: &str, what: &str) -> Vec<&'r str> {
    let is = |line: &&str| {
        line.strip_prefix(turns).is_some_and(|rest| rest.trim_start().starts_with(&format!("{what} ")))
    };
    let line = text.lines().find(is).unwrap_or_else(|| panic!("no row {turns} {what} in\n{text}"));
    let at = line.find(what).unwrap() + what.len();
    line[at..].split_whitespace().collect()
}

#[test]
fn our_own_labels_agree_with_the_rules() {
    let folder = labelled();
    let ran = labels(&folder, &["labels.jsonl"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("0 of 17 labelled turns differ"), "{}", ran.stdout);
    assert_eq!(row(&ran.stdout, "all", "testing")[..3], ["6", "6", "100.0"]);
    assert_eq!(row(&ran.stdout, "all", "network")[..3], ["2", "2", "100.0"]);
    assert_eq!(row(&ran.stdout, "mini-swe-agent-1", "editing")[..3], ["3", "3", "100.0"]);
    assert_eq!(row(&ran.stdout, "drawn at random", "testing")[..2], ["1", "1"]);
}

#[test]
fn a_disagreement_is_counted_and_listed_with_both_sides_and_evidence() {
    let folder = labelled();
    with(&folder, "gears-9.traj.json:1", |label| label["tags"] = serde_json::json!(["execution"]));
    with(&folder, "gears-9.traj.json:5", |label| label["test"][0]["outcome"] = "pass".into());
    let ran = labels(&folder, &["changed.jsonl", "--html", "page.html"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("1 of 17 labelled turns differ"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  test outcome: label pass, rules fail\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  | run python -m pytest -q -> 1: F."), "{}", ran.stdout);
    assert!(ran.stdout.contains("testing/suite: python -m pytest -q (pytest, fail,"), "{}", ran.stdout);
    assert_eq!(row(&ran.stdout, "all", "test outcome")[..3], ["5", "6", "83.3"]);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<li>test outcome: label pass, rules fail</li>"), "{page}");
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("https://zlib\""));
}

#[test]
fn tags_apart_move_precision_and_recall() {
    let folder = labelled();
    with(&folder, "gears-9.traj.json:1", |label| label["tags"] = serde_json::json!(["execution"]));
    let ran = labels(&folder, &["changed.jsonl"]);
    // Exploration: found on turns 0, 1 and 6, labelled on 0 and 6: precision 2/3, recall 2/2, F1 4/5.
    let cells = row(&ran.stdout, "all", "exploration");
    assert_eq!(cells[..3], ["2", "3", "80.0"], "{cells:?}");
    // Execution: found on one turn, labelled on two: precision 1/1, recall 1/2, F1 2/3.
    assert_eq!(row(&ran.stdout, "all", "execution")[..3], ["2", "1", "66.7"]);
    assert!(ran.stdout.contains("  exploration: label no, rules yes\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  execution: label yes, rules no\n"), "{}", ran.stdout);
}

#[test]
fn the_four_cells_are_written_for_the_foot_of_tables() {
    let folder = labelled();
    with(&folder, "gears-9.traj.json:1", |label| label["tags"] = serde_json::json!(["execution"]));
    let written = |options: &[&str]| {
        let ran = labels(&folder, &[&["changed.jsonl", "--accuracy", "a.csv"], options].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        std::fs::read_to_string(folder.path().join("a.csv")).unwrap()
    };
    let text = written(&["--measured", "2026-12-01", "--were", "tuned"]);
    assert!(
        text.lines()
            .next()
            .unwrap()
            .starts_with("set,date,use,tag,version,format,turns,trajectories,tp,fn,fp,tn,")
    );
    // 17 turns of 2 logs; exploration is found on three and labelled on two of them, execution on one and two.
    for start in [
        "changed,2026-12-01,tuned,exploration,1,all,17,2,2,0,1,14,",
        "changed,2026-12-01,tuned,execution,1,all,17,2,1,1,0,15,",
    ] {
        assert!(text.lines().any(|line| line.starts_with(start)), "{start} is not in\n{text}");
    }
    assert!(text.contains(",mini-swe-agent-1,"), "{text}");
    assert!(
        written(&["--measured", "2026-12-02", "--were", "held-back"])
            .contains("changed,2026-12-02,held_back,")
    );
    // A measurement has a day, and says what its labels were.
    assert_eq!(labels(&folder, &["changed.jsonl", "--accuracy", "b.csv", "--were", "tuned"]).code, 2);
    assert_eq!(
        labels(&folder, &["changed.jsonl", "--accuracy", "b.csv", "--measured", "2026-12-01"]).code,
        2
    );
}

/// What is compiled in is whole: each tag of single turns, over all and by format, with cells that add up.
#[test]
fn the_accuracies_of_the_shipped_rules_add_up() {
    use ethogram::data::accuracy;
    let all = accuracy::on(None);
    assert_eq!(all.len(), 9, "nine tags of single turns");
    for row in accuracy::rows() {
        assert_eq!(row.both + row.only_label + row.only_rule + row.neither, row.turns, "{row:?}");
        assert!(row.trajectories <= row.turns && row.date.len() == 10 && !row.set.is_empty(), "{row:?}");
        for interval in [row.precision, row.recall, row.specificity].into_iter().flatten() {
            assert!(
                (0.0..=1.0).contains(&interval.0) && interval.0 <= interval.1 && interval.1 <= 1.0,
                "{row:?}"
            );
        }
    }
    for row in &all {
        let of_formats: i64 = accuracy::rows()
            .iter()
            .filter(|part| part.tag == row.tag && part.labels == row.labels && part.format.is_some())
            .map(|part| part.both)
            .sum();
        assert_eq!(of_formats, row.both, "{}", row.tag.as_str());
    }
}

#[test]
fn labels_that_cannot_be_taken_are_named() {
    let folder = labelled();
    let lines = [
        r#"{"item":"labels:logs/acme__gears-9.traj.json:0","tags":["exploration"]}"#,
        r#"{"item":"labels:logs/acme__gears-9.traj.json:0","tags":[]}"#,
        r#"{"item":"labels:logs/acme__gears-9.traj.json:8","tags":[]}"#,
        r#"{"item":"labels:logs/acme__gears-7.traj.json:0","tags":[]}"#,
        r#"{"item":"other:logs/acme__gears-9.traj.json:0","tags":["exploration"]}"#,
        r#"{"item":"labels:logs/acme__gears-9.traj.json:1","tags":["teting"]}"#,
        r#"{"item":"labels:logs/acme__gears-9.traj.json","tags":[]}"#,
        r#"{"item":"labels:logs/acme__gears-9.traj.json:2","tags":null}"#,
        "{",
    ];
    std::fs::write(folder.path().join("odd.jsonl"), lines.join("\n")).unwrap();
    let ran = labels(&folder, &["odd.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("0 of 1 labelled turns differ"), "{}", ran.stdout);
    for said in [
        "line 2: `labels:logs/acme__gears-9.traj.json:0` is labelled twice",
        "gears-9.traj.json:8: its log has 8 turns",
        "gears-7.traj.json:0: the store holds no such log",
        "other:logs/acme__gears-9.traj.json:0: the store holds no such log",
        "line 6: \"teting\" is no tag of a turn; known: exploration, editing",
        "names no turn: `LOG:TURN` is asked for",
        "line 9: no JSON",
        "1 turns of the sheet have no label yet",
    ] {
        assert!(ran.stderr.contains(said), "{said}\n{}", ran.stderr);
    }
    std::fs::write(folder.path().join("none.jsonl"), lines[3]).unwrap();
    assert_eq!(labels(&folder, &["none.jsonl"]).code, 3);
    assert_eq!(labels(&folder, &["absent.jsonl"]).code, 2);
    assert_eq!(labels(&folder, &[]).code, 2);
}

#[test]
fn a_sheet_is_blind_and_can_be_filled_in() {
    let folder = labelled();
    let ran = labels(&folder, &["--sample", "6", "--seed", "7"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines = std::fs::read_to_string(folder.path().join("labels-sheet.jsonl")).unwrap();
    let text = std::fs::read_to_string(folder.path().join("labels-sheet.txt")).unwrap();
    let sheet: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(sheet.len(), 6);
    assert!(sheet.iter().all(|label| label["tags"].is_null() && label["format"] == "mini-swe-agent-1"));
    assert_eq!(text.matches("\n# whole run: ethogram show store ").count(), 6);
    assert!(!text.contains("#!") && !text.contains("exploration") && !text.contains("editing"), "{text}");
    // What is drawn does not change, and what was filled in is not written over.
    let again = labels(&folder, &["--sample", "6", "--seed", "7", "--out", "again"]);
    assert_eq!(again.code, 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("again.jsonl")).unwrap(), lines);
    assert_eq!(labels(&folder, &["--sample", "6", "--seed", "7"]).code, 1);
    let filled: String = sheet
        .into_iter()
        .map(|mut label| {
            label["tags"] = serde_json::json!([]);
            format!("{label}\n")
        })
        .collect();
    std::fs::write(folder.path().join("filled.jsonl"), filled).unwrap();
    let ran = labels(&folder, &["filled.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains(" of 6 labelled turns differ"), "{}", ran.stdout);
}
