//! Rollouts and rendered chats: whole real logs against what an independent reader says of them
//! (`corpus/EXPECTED-other.tsv`), and which files of the same folders are no logs.

use crate::support::shared;
use ethogram::formats;
use ethogram::model::{Trajectory, Weight};
use ethogram::sources::{Limits, Member, members, walk};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The members of an archive.
fn unpacked(archive: &std::path::Path) -> BTreeMap<String, Vec<u8>> {
    let packed = walk(archive).unwrap().files.remove(0);
    let mut files = BTreeMap::new();
    let problems = members(&packed, &Limits::default(), |Member { path, bytes, .. }| {
        files.insert(path, bytes.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!(problems.unwrap(), []);
    files
}

/// Instance, run, model, turns, reward of a trajectory, as that table writes them.
fn row(run: &Trajectory) -> [String; 5] {
    let turns = if run.has_log { run.shown_turns().to_string() } else { String::new() };
    let reward = run.verdict.as_ref().and_then(|verdict| verdict.reward);
    [
        run.instance_id.clone().unwrap_or_default(),
        run.run.map(|run| run.to_string()).unwrap_or_default(),
        run.model.clone().unwrap_or_default(),
        turns,
        reward.map(|reward| format!("{reward:?}")).unwrap_or_default(),
    ]
}

#[test]
#[ignore = "slow: unpacks and reads real logs"]
fn rollouts_and_rendered_chats_are_read_as_expected() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-other.tsv")).unwrap();
    let mut seen = 0;
    let mut differences = Vec::new();
    for (format, name) in [("nemo-gym-rollout", "nemo-gym"), ("rendered-chat", "rendered-chat")] {
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split('\t').collect::<Vec<_>>())
            .filter(|row| row[2] == format)
            .collect();
        let files = unpacked(&corpus.join(rows[0][0]));
        let mut read = BTreeMap::new();
        for (path, bytes) in &files {
            let found = formats::recognise(bytes);
            let is_expected = rows.iter().any(|row| row[1] == path);
            assert_eq!(found.map(|format| format.name), is_expected.then_some(name), "{path}");
            let Some(found) = found else { continue };
            let log = formats::read_file(found, bytes);
            let lost: Vec<_> =
                log.problems.iter().filter(|problem| problem.weight == Weight::Refused).collect();
            assert!(lost.is_empty(), "{path}: {lost:?}");
            read.insert(path.as_str(), log.trajectories);
        }
        for want in rows {
            seen += 1;
            let note = want.get(10).copied().unwrap_or_default();
            let line = note.split(' ').find_map(|word| word.strip_prefix("line="));
            let place = line.map(|line| format!("line {line}")).unwrap_or_default();
            let Some(run) = read[want[1]].iter().find(|run| run.place == place) else {
                differences.push(format!("{} {place}: not read", want[1]));
                continue;
            };
            let got = row(run);
            let want_row = [want[3], want[4], want[5], want[7], want[9]];
            if got != want_row {
                differences.push(format!("{} {place}: want {want_row:?}, got {got:?}", want[1]));
            }
            if let Some(resolved) = note.split(' ').find_map(|word| word.strip_prefix("resolved=")) {
                let got = run.verdict.as_ref().and_then(|verdict| verdict.resolved);
                assert_eq!(got, Some(resolved == "True"), "{} {place}", want[1]);
            }
            // That reader counts items; commands in the text of one lone response are calls of ours.
            if want[1].contains("terminus") {
                continue;
            }
            let open = note.split(' ').find_map(|word| word.strip_prefix("open_calls="));
            let missing = run.turns.iter().flat_map(|turn| &turn.calls);
            let missing = missing.filter(|call| call.observation.is_none()).count();
            assert_eq!(missing.to_string(), open.unwrap_or("0"), "{} {place}", want[1]);
        }
    }
    assert!(differences.is_empty(), "{} of {seen} differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(seen, 86);
}

/// Thought and answer are two items and one response, also where the answer is Terminus's.
#[test]
fn items_of_one_response_are_one_turn_of_terminus() {
    let answer = r#"{\"state_analysis\": \"a\", \"explanation\": \"b\", \"commands\": [{\"keystrokes\": \"ls\\n\", \"is_blocking\": true, \"timeout_sec\": 5}], \"is_task_complete\": false}"#;
    let row = format!(
        r#"{{"responses_create_params":{{"input":"Fix it."}},"response":{{"output":[{{"type":"reasoning","summary":[{{"text":"Look."}}]}},{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{answer}"}}]}}]}},"reward":0.0,"instance_id":"a"}}"#
    );
    let read = super::read(row.as_bytes());
    let [run] = read.trajectories.as_slice() else { panic!("one run") };
    assert_eq!(run.turns.len(), 1);
    assert_eq!(run.turns[0].reasoning.as_deref(), Some("Look."));
    assert_eq!(run.turns[0].calls.len(), 1);
}

/// A dump of slime is a ZIP with a pickle: it is never opened, and the two lines that export it are said.
#[test]
fn a_pickle_is_refused_with_what_exports_it() {
    let zip =
        [&b"PK\x03\x04\x00\x00\x08\x08"[..], &[0; 18], b"\x0d\x00\x00\x000/data.pkl\x80\x02}q\x00"].concat();
    for (path, bytes) in
        [("dumps/0.pt", zip.as_slice()), ("dumps/eval_0.pt", b"\x80\x02}q\x00."), ("odd", &zip)]
    {
        assert!(formats::recognise(bytes).is_none(), "{path}");
        let problem = formats::refusal(path, bytes).expect("it is named");
        assert_eq!(problem.weight, Weight::Refused);
        let lines: Vec<&str> = problem.what.lines().collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[1].contains("torch.load(") && lines[2].contains("json.dumps("), "{lines:?}");
    }
    assert_eq!(formats::refusal("a.zip", b"PK\x03\x04 and no pickle"), None);
    assert_eq!(formats::refusal("cache.bin", b"\x80\x02}q\x00."), None);
}
