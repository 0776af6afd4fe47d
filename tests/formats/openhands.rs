//! Real logs of OpenHands against what an independent reader says of them (`corpus/EXPECTED-other.tsv`).

use crate::support::shared;
use ethogram::formats::{self, Input, Part, Read};
use ethogram::model::Trajectory;
use ethogram::sources::{Limits, members, walk};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The independent reader's name of each format, and ours.
const NAMES: [(&str, &str); 5] = [
    ("openhands-events-export", "openhands-0-events"),
    ("openhands-output-events", "openhands-output"),
    ("openhands-output-pairs", "openhands-output"),
    ("openhands-v1-events", "openhands-1-events"),
    ("openhands-v1-llm-log", "openhands-completion"),
];

/// All files of the archives by path.
fn files(archives: &[&str]) -> Option<BTreeMap<String, Vec<u8>>> {
    let corpus = shared("corpus")?;
    let mut found = BTreeMap::new();
    for archive in archives {
        let packed = walk(&corpus.join(archive)).unwrap().files.remove(0);
        let problems = members(&packed, &Limits::default(), |member| {
            found.insert(member.path.to_string(), member.bytes.to_vec());
            ControlFlow::Continue(())
        });
        assert_eq!(problems.unwrap(), []);
    }
    Some(found)
}

/// The files of a folder as one input.
fn folder(files: &BTreeMap<String, Vec<u8>>, root: &str) -> Read {
    let below =
        files.range(format!("{root}/")..).take_while(|(path, _)| path.starts_with(&format!("{root}/")));
    let parts: Vec<(&str, &[u8])> =
        below.map(|(path, bytes)| (&path[root.len() + 1..], bytes.as_slice())).collect();
    let parts: Vec<Part> = parts.iter().map(|(path, bytes)| Part { path, bytes }).collect();
    let (format, _) =
        formats::recognise_folder(&format!("{root}/{}", parts[0].path)).expect("a folder of a format");
    formats::read(format, &Input { parts: &parts, lines_before: 0 })
}

fn told(run: &Trajectory) -> String {
    let outcome = run.verdict.as_ref().and_then(|verdict| verdict.resolved);
    let outcome = outcome.map_or(String::new(), |is_solved| is_solved.to_string());
    format!("{} {} {outcome}", run.instance_id.clone().unwrap_or_default(), run.shown_turns())
}

#[test]
#[ignore = "slow: unpacks real logs"]
fn real_logs_are_read_as_the_independent_reader_reads_them() {
    let archives = [
        "openhands/openhands-v0.tar.zst",
        "openhands/openhands-v1.tar.zst",
        "harbor/harbor-golden-atif.tar.zst",
    ];
    let Some(files) = files(&archives) else { return };
    let corpus = shared("corpus").unwrap();
    let table = std::fs::read_to_string(corpus.join("EXPECTED-other.tsv")).unwrap();
    let mut rows: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>()) {
        if NAMES.iter().any(|(name, _)| *name == row[2]) {
            let of_file = rows.entry(row[1].clone()).or_default();
            // One file stands twice in the table.
            if !of_file.contains(&row) {
                of_file.push(row);
            }
        }
    }
    let (mut differences, mut count) = (Vec::new(), 0);
    for (file, rows) in &rows {
        let read = match file.strip_suffix('/') {
            Some(root) => folder(&files, root),
            None => {
                let bytes = &files[file];
                let claims = formats::claims(bytes);
                let names: Vec<&str> = claims.iter().map(|format| format.name).collect();
                let want = NAMES.iter().find(|(name, _)| *name == rows[0][2]).unwrap().1;
                assert_eq!(names, [want], "{file}");
                formats::read_file(claims[0], bytes)
            }
        };
        let mut got: Vec<String> = read.trajectories.iter().map(told).collect();
        let mut want: Vec<String> = rows
            .iter()
            .map(|row| {
                let outcome = match row[9].as_str() {
                    "" => "",
                    "True" | "{\"passed\": 1, \"status\": \"success\"}" | "{\"pass@1\": 1.0}" => "true",
                    other => panic!("{other}"),
                };
                format!("{} {} {outcome}", row[3], row[7])
            })
            .collect();
        got.sort();
        want.sort();
        count += want.len();
        if got != want {
            differences.push(format!("{file}: want {want:?}, got {got:?}; {:?}", super::problems(&read)));
        }
    }
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(count, 26);
}
