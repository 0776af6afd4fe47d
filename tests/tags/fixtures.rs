//! Long cases and regressions: `fixtures/tags/*.turns`, where every tag of every family is marked.
//!
//! A mark may say what stands behind the row: `testing/suite=fail`, `editing/replace=source`,
//! `editing/replace=false` (effective), `submission=…` by its kind.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use ethogram::facts::Facts;
use ethogram::model::{TagRow, turn_lines};
use ethogram::tags;

use super::tagged;
use crate::support::repository;

fn files() -> Vec<PathBuf> {
    let folder = repository().join("fixtures/tags");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "turns"));
    files.sort();
    files
}

/// Words that a mark may give of a row.
fn words(facts: &Facts, row: &TagRow) -> BTreeSet<&'static str> {
    let source = tags::source(facts, row);
    let effective = |effective: Option<bool>| match effective {
        Some(true) => "true",
        Some(false) => "false",
        None => "unknown",
    };
    let edits = source.edits.iter().flat_map(|edit| {
        [edit.target.map_or("nowhere", |target| target.as_str()), effective(edit.effective)]
    });
    let test = source.test_run.map(|run| run.outcome.as_str());
    let network = source.network.iter().map(|fact| fact.result.as_str());
    edits.chain(test).chain(network).collect()
}

#[test]
fn every_tag_of_the_long_cases_is_marked() {
    let mut found = Vec::new();
    for file in files() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let lines = turn_lines::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (facts, tagged) = tagged(&lines.trajectory);
        for turn in 0..lines.trajectory.turns.len() {
            let marks: Vec<_> = lines.marks.iter().filter(|mark| mark.turn == turn).collect();
            let want: BTreeSet<String> = marks.iter().map(|mark| mark.label.clone()).collect();
            let rows: Vec<&TagRow> = tagged.rows.iter().filter(|row| row.turn == turn).collect();
            let got: BTreeSet<String> = rows.iter().map(|row| row.tag.label()).collect();
            if want != got {
                found.push(format!("{name}: turn {turn}: want {want:?}, got {got:?}"));
            }
            for mark in marks {
                let Some(value) = &mark.value else { continue };
                let of_label = rows.iter().filter(|row| row.tag.label() == mark.label);
                let words: BTreeSet<&str> = of_label.flat_map(|row| words(&facts, row)).collect();
                if !value.split(',').all(|value| words.contains(value)) {
                    found.push(format!("{name}: turn {turn}: {} is {words:?}, not {value}", mark.label));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn there_are_long_cases() {
    assert!(files().len() >= 4, "fixtures/tags holds {} cases", files().len());
}
