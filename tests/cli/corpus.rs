//! `inspect` over all real logs of the SWE family against what an independent reader says of them
//! (`corpus/EXPECTED-swe.tsv`): instance, steps, turns, exit status, outcome, patch. Slow: run before a release.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;

use crate::support::{ethogram, shared};

/// Files of the table.
const FILES: usize = 2235;

#[test]
#[ignore = "slow: inspects a gigabyte of real logs"]
fn inspect_agrees_with_the_independent_reader() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-swe.tsv")).unwrap();
    let mut by_archive: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        by_archive.entry(row[0]).or_default().insert(row[1], row[2..].to_vec());
    }
    let mut differences = Vec::new();
    let mut agreed = 0;
    for (archive, mut rows) in by_archive {
        let begun = Instant::now();
        let name = format!("{archive}.tar.zst");
        let ran = ethogram(&corpus, &["inspect", &name]);
        let count = rows.len();
        for object in ran.objects() {
            let file = object["file"].as_str().unwrap()[name.len() + 1..].to_owned();
            let Some(want) = rows.remove(file.as_str()) else {
                differences.push(format!("{archive} {file}: the table does not have it"));
                continue;
            };
            let (want, got) = (expected(&want), row(&object));
            if want == got {
                agreed += 1;
            } else {
                differences.push(format!("{archive} {file}: want {want:?}, got {got:?}"));
            }
        }
        differences.extend(rows.keys().map(|file| format!("{archive} {file}: not printed")));
        println!("{archive}: {count} files, exit {}, {:.1} s", ran.code, begun.elapsed().as_secs_f64());
    }
    println!("{agreed} of {FILES} agree");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(agreed, FILES);
}

/// Instance, steps, turns, exit status, outcome, whether there is a patch.
fn expected(row: &[&str]) -> [String; 6] {
    let outcome = match row[5] {
        // `inspect` prints null where no file speaks of the run; why none does is said of the arm.
        "unscored:no_outcome_file" | "unscored:not_listed" | "unscored:no_report" => "null",
        outcome => outcome,
    };
    [row[1], row[2], row[3], row[4], outcome, row[6]].map(str::to_owned)
}

fn row(object: &Value) -> [String; 6] {
    let text = |key: &str, missing: &str| object[key].as_str().unwrap_or(missing).to_owned();
    let has_patch = matches!(object["patch"].as_str(), Some("nonempty" | "foreign"));
    [
        text("instance_id", ""),
        object["steps"].as_i64().unwrap_or_default().to_string(),
        object["turns"].to_string(),
        text("raw_exit_status", "<missing>"),
        outcome(&object["outcome"]),
        u8::from(has_patch).to_string(),
    ]
}

fn outcome(outcome: &Value) -> String {
    let reason = outcome["reason"].as_str().map(|reason| format!(":{reason}")).unwrap_or_default();
    match (&outcome["scored"], &outcome["resolved"]) {
        (Value::Bool(true), Value::Bool(resolved)) => format!("{resolved}{reason}"),
        (Value::Bool(false), _) => format!("unscored{reason}"),
        _ => "null".to_owned(),
    }
}
