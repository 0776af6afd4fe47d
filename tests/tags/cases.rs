//! The shared cases of `classify`: exact tag names per turn, attributes where the case names them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ethogram::facts::{Facts, TestRunFact};
use ethogram::formats;
use ethogram::model::{TagRow, Trajectory};
use ethogram::tags::{self, Tagged};
use serde_json::{Map, Value, json};

use super::tagged;
use crate::support::{folders, shared};

/// One tag as `inspect --tags` shows it: an object for every edit, one for any other row.
fn shown(facts: &Facts, row: &TagRow) -> Vec<Map<String, Value>> {
    let source = tags::source(facts, row);
    let mut shown = Map::new();
    shown.insert("tag".to_owned(), json!(row.tag.name.as_str()));
    shown.insert("kind".to_owned(), json!(row.tag.kind));
    shown.insert("code".to_owned(), json!(row.tag.code));
    shown.insert("ran".to_owned(), json!(source.segment.and_then(|segment| segment.ran)));
    if let Some(run) = source.test_run {
        shown.extend(test(run));
    }
    if source.edits.is_empty() {
        return vec![shown];
    }
    let edits = source.edits.iter().map(|edit| {
        let mut shown = shown.clone();
        shown.insert("target".to_owned(), json!(edit.target.map(|target| target.as_str())));
        shown.insert("effective".to_owned(), json!(edit.effective));
        shown.insert("evidence".to_owned(), json!(edit.evidence.as_str()));
        shown
    });
    edits.collect()
}

fn test(run: &TestRunFact) -> [(String, Value); 2] {
    [
        ("outcome".to_owned(), json!(run.outcome.as_str())),
        ("reason".to_owned(), json!(run.reason.map(|reason| reason.as_str()))),
    ]
}

/// The differences of one turn: exact by name, and each listed item contained in one of the turn's tags.
fn turn_differences(turn: usize, want: &[Value], facts: &Facts, tagged: &Tagged) -> Vec<String> {
    let rows = tagged.rows.iter().filter(|row| row.turn == turn);
    let got: Vec<Map<String, Value>> = rows.flat_map(|row| shown(facts, row)).collect();
    let name = |tag: Option<&Value>| tag.and_then(Value::as_str).unwrap_or_default().to_owned();
    let wanted: BTreeSet<String> = want.iter().map(|tag| name(tag.get("tag"))).collect();
    let found: BTreeSet<String> = got.iter().map(|tag| name(tag.get("tag"))).collect();
    let mut differences = Vec::new();
    if wanted != found {
        differences.push(format!("turn {turn}: want {wanted:?}, got {found:?}"));
    }
    for item in want {
        let contains = |got: &Map<String, Value>| {
            item.as_object().unwrap().iter().all(|(key, value)| got.get(key) == Some(value))
        };
        if !got.iter().any(contains) {
            differences.push(format!("turn {turn}: {item} is in none of {}", json!(got)));
        }
    }
    differences
}

fn trajectories(case: &Path) -> Vec<Trajectory> {
    let mut files: Vec<_> =
        fs::read_dir(case.join("input")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = files.iter().filter_map(|file| {
        let bytes = fs::read(file).unwrap();
        Some(formats::read_file(formats::recognise(&bytes)?, &bytes).trajectories)
    });
    read.flatten().collect()
}

fn differences(case: &Path) -> Vec<String> {
    let expected: Value =
        serde_json::from_str(&fs::read_to_string(case.join("expected.json")).unwrap()).unwrap();
    let want = &expected["want"];
    let trajectories = trajectories(case);
    let [trajectory] = trajectories.as_slice() else {
        return vec![format!("{} trajectories", trajectories.len())];
    };
    let (facts, tagged) = tagged(trajectory);
    let mut differences = Vec::new();
    if want["turns"].as_u64().is_some_and(|turns| turns as usize != trajectory.shown_turns()) {
        differences.push(format!("want {} turns, got {}", want["turns"], trajectory.shown_turns()));
    }
    for (turn, want) in want["turn"].as_array().into_iter().flatten().enumerate() {
        if let Some(tags) = want["tags"].as_array() {
            differences.extend(turn_differences(turn, tags, &facts, &tagged));
        }
    }
    differences
}

#[test]
fn every_shared_case_is_tagged_as_expected() {
    let Some(root) = shared("cases/classify") else { return };
    let mut found = Vec::new();
    let cases = folders(&root);
    for case in &cases {
        let name = case.file_name().unwrap().to_string_lossy();
        found.extend(differences(case).into_iter().map(|difference| format!("{name}: {difference}")));
    }
    assert!(cases.len() >= 20, "only {} cases", cases.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What the cases ask for in words.
#[test]
fn what_the_cases_say_beside_the_tags_holds() {
    let Some(root) = shared("cases/classify") else { return };
    let of = |name: &str| {
        let case = folders(&root).into_iter().find(|case| case.ends_with(name)).unwrap();
        trajectories(&case).remove(0)
    };
    let labels = |name: &str, turn: usize| -> Vec<String> {
        let trajectory = of(name);
        let (_, tagged) = tagged(&trajectory);
        tagged.rows.iter().filter(|row| row.turn == turn).map(|row| row.tag.label()).collect()
    };
    assert!(labels("049-loop-with-changing-durations", 0).contains(&"loop/L7".to_owned()));
    assert!(!labels("047-git-subcommands", 7).iter().any(|label| label.starts_with("editing")));
    assert!(!labels("053-reproduction-and-scratch-runner", 4).contains(&"recovery/R4".to_owned()));
    let words = of("055-submission-words");
    let (facts, tagged) = tagged(&words);
    for row in tagged.rows.iter().filter(|row| row.tag.name == ethogram::model::TagName::Submission) {
        assert_eq!(tags::source(&facts, row).segment.and_then(|segment| segment.ran), Some(false));
    }
}
