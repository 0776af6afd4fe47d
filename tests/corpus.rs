//! Whole real logs against what an independent reader says of them (`corpus/EXPECTED-swe.tsv`). Slow: run before a release, or
//! after a change of a reader.

use crate::support::shared;
use ethogram::formats;
use ethogram::model::{PatchState, Problem, Trajectory, Weight};
use ethogram::sources::{Limits, Member, members, walk};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The independent reader's name of each format.
const NAMES: [(&str, &str); 9] = [
    ("message-list", "message-list"),
    ("mini-swe-agent-1", "mini-1"),
    ("mini-swe-agent-1-no-messages", "mini-1-no-messages"),
    ("mini-swe-agent-2", "mini-2"),
    ("stub", "stub"),
    ("swe-agent-0.x", "swe-agent-0.x"),
    ("swe-agent-1.0", "swe-agent-1.0"),
    ("swe-agent-1.1", "swe-agent-1.1"),
    ("swe-agent-demonstration", "swe-agent-history"),
];

#[test]
#[ignore = "slow: unpacks and reads a gigabyte of real logs"]
fn every_log_of_the_swe_family_is_read_as_expected() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-swe.tsv")).unwrap();
    let mut by_archive: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        by_archive.entry(row[0]).or_default().insert(row[1], row[2..].to_vec());
    }
    let mut differences = Vec::new();
    let mut read = 0;
    for (archive, rows) in &by_archive {
        let mut rows = rows.clone();
        let packed = walk(&corpus.join(format!("{archive}.tar.zst"))).unwrap().files.remove(0);
        let problems = members(&packed, &Limits::default(), |Member { path, bytes, .. }| {
            if let Some(want) = rows.remove(path.as_str()) {
                read += 1;
                let difference = difference(&path, &bytes, &want);
                differences.extend(difference.map(|what| format!("{archive} {path}: {what}")));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(problems.unwrap(), [], "{archive}");
        differences.extend(rows.keys().map(|file| format!("{archive} {file}: not in the archive")));
    }
    assert!(differences.is_empty(), "{} of {read} differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(read, 2235);
}

fn difference(file: &str, bytes: &[u8], want: &[&str]) -> Option<String> {
    let Some(format) = formats::recognise(bytes) else { return Some("no format claims it".to_owned()) };
    let read = formats::read(format, bytes);
    let refused: Vec<&Problem> =
        read.problems.iter().filter(|problem| problem.weight > Weight::Note).collect();
    if !refused.is_empty() {
        return Some(format!("{refused:?}"));
    }
    if !read.unknown_keys.0.is_empty() {
        return Some(format!("unknown keys {:?}", read.unknown_keys.0));
    }
    let [run] = read.trajectories.as_slice() else {
        return Some(format!("{} trajectories", read.trajectories.len()));
    };
    let got = row(format.name, file, run);
    let want = [want[0], want[1], want[2], want[3], want[4], want[6]].map(str::to_owned);
    (got != want).then(|| format!("want {want:?}, got {got:?}"))
}

fn row(format: &str, file: &str, run: &Trajectory) -> [String; 6] {
    let name = NAMES.iter().find(|(ours, _)| *ours == format).unwrap().1;
    let stem = || formats::instance_of(file).unwrap().0;
    [
        name.to_owned(),
        run.instance_id.clone().unwrap_or_else(stem),
        run.steps.unwrap_or_default().to_string(),
        run.shown_turns().to_string(),
        run.raw_exit_status.clone().unwrap_or_else(|| "<missing>".to_owned()),
        u8::from(run.patch_state == PatchState::Nonempty).to_string(),
    ]
}
