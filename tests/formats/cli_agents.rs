//! Sessions of command-line agents: real logs against what an independent reader says of them
//! (`corpus/EXPECTED-other.tsv`), and what fixtures cannot show.

use crate::support::shared;
use ethogram::formats;
use ethogram::model::{Origin, Trajectory};
use ethogram::sources::{Limits, Member, members, walk};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The independent reader's formats that are read here, and its words for ends with ours.
const FORMATS: [&str; 4] = ["codex-exec-json", "codex-rollout", "gemini-chat", "pi-session"];
const ENDS: [(&str, &str); 6] = [
    ("(cut)", "incomplete"),
    ("stop", "finished"),
    ("task_complete", "finished"),
    ("toolUse", "incomplete"),
    ("turn.completed", "finished"),
    ("turn.failed", "model_error"),
];
/// Rows that differ by a definition: file, our number of turns, why.
const DIFFERENCES: [(&str, usize, &str); 1] = [(
    "cass/message_grouping/codex_session.jsonl",
    4,
    "messages of the role `function` are results: what the model says after one is a response of its own (§2)",
)];

#[test]
#[ignore = "slow: unpacks archives of real logs"]
fn every_real_session_is_read_as_expected() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-other.tsv")).unwrap();
    let mut archives: BTreeMap<&str, BTreeMap<&str, Vec<Vec<&str>>>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        if FORMATS.contains(&row[2]) {
            archives.entry(row[0]).or_default().entry(row[1]).or_default().push(row[2..].to_vec());
        }
    }
    let (mut agreed, mut differences) = (0, Vec::new());
    for (archive, mut files) in archives {
        let packed = walk(&corpus.join(archive)).unwrap().files.remove(0);
        let problems = members(&packed, &Limits::default(), |Member { path, bytes, .. }| {
            if let Some(rows) = files.remove(path.as_str()) {
                let (good, bad) = compared(&path, &bytes, &rows);
                agreed += good;
                differences.extend(bad.into_iter().map(|what| format!("{path}: {what}")));
            }
            ControlFlow::Continue(())
        });
        problems.unwrap();
        differences.extend(files.keys().map(|path| format!("{path}: not in {archive}")));
    }
    assert!(differences.is_empty(), "{} agree\n{}", agreed, differences.join("\n"));
    assert_eq!(agreed, 7 + 30 + 59 + 2);
}

fn compared(path: &str, bytes: &[u8], rows: &[Vec<&str>]) -> (usize, Vec<String>) {
    let Some(format) = formats::recognise(bytes) else { return (0, vec!["no format claims it".to_owned()]) };
    let read = formats::read_file(format, bytes);
    let mut bad = Vec::new();
    for row in rows {
        let found = read.trajectories.iter().find(|run| run.session_id.as_deref().unwrap_or("") == row[2]);
        let Some(run) = found else {
            bad.push(format!("no session {}", row[2]));
            continue;
        };
        bad.extend(difference(path, run, row));
    }
    (rows.len() - bad.len().min(rows.len()), bad)
}

/// `format instance run model steps turns end outcome note`.
fn difference(path: &str, run: &Trajectory, row: &[&str]) -> Option<String> {
    let known = DIFFERENCES.iter().find(|(file, ..)| *file == path).map(|(_, turns, _)| turns.to_string());
    let turns = run.turns.iter().filter(|turn| turn.origin != Origin::Abandoned).count().to_string();
    let want = known.unwrap_or_else(|| row[5].to_owned());
    if run.has_turn_boundaries && turns != want || run.has_turn_boundaries == want.is_empty() {
        return Some(format!("{turns} turns, want {want}"));
    }
    let end = ENDS.iter().find(|(raw, _)| *raw == row[6]).map_or(row[6], |(_, end)| end);
    if !end.is_empty() && run.termination.as_str() != end {
        return Some(format!("ends {}, want {end}", run.termination.as_str()));
    }
    let calls: usize = run.turns.iter().map(|turn| turn.calls.len()).sum();
    let counted = row[8].split(' ').find_map(|part| part.strip_prefix("tool_items="));
    let acting =
        run.turns.iter().flat_map(|turn| &turn.calls).filter(|call| call.tool != "update_plan").count();
    match counted {
        Some(items) if items != acting.to_string() => {
            Some(format!("{acting} of {calls} calls, want {items}"))
        }
        _ => None,
    }
}
