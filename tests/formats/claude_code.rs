//! Claude Code: sessions and events (`formats-other.md` §6).

use super::{only, problems, read};
use crate::support::shared;
use ethogram::formats::{self, Read};
use ethogram::model::{ObservationState, Origin, Problem, Quality, Termination, Trajectory, Weight};
use ethogram::sources::{Limits, Member, members, walk};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Cases of `cases/parse` that are sessions, and whose input is a file of the case.
const CASES: [&str; 12] = [
    "001-torn-last-line",
    "002-torn-line-in-the-middle",
    "003-nul-bytes",
    "005-glued-records",
    "006-torn-record-glued-to-the-next",
    "007-unicode-line-separators",
    "009-lone-surrogates",
    "010-raw-control-and-invalid-bytes",
    "015-wrong-shape-records",
    "019-one-response-in-several-lines",
    "021-branch-writes-each-message-twice",
    "022-sub-agent-in-the-same-file",
];

#[test]
fn sessions_of_the_cases_are_read_as_they_expect() {
    for name in CASES.into_iter().chain(["023-synthetic-error-messages"]) {
        let Some(folder) = shared(&format!("cases/parse/{name}")) else { return };
        let expected: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
        let log = std::fs::read_dir(folder.join("input")).unwrap().next().unwrap().unwrap().path();
        holds(name, &read(&std::fs::read(log).unwrap()), &expected);
    }
}

/// What a reader alone can give of what a case expects.
fn holds(name: &str, read: &Read, expected: &Value) {
    let run = read.trajectories.iter().find(|run| run.parent.is_none()).unwrap();
    let want = &expected["want"];
    assert_eq!(run.shown_turns() as u64, want["turns"].as_u64().unwrap(), "{name}");
    if let Some(model) = want["model"].as_str() {
        assert_eq!(run.model.as_deref(), Some(model), "{name}");
    }
    let shown = run.turns.iter().filter(|turn| turn.origin == Origin::Model);
    for (turn, want) in shown.zip(want["turn"].as_array().unwrap()) {
        let calls = want["calls"].as_array().unwrap();
        assert_eq!(turn.calls.len(), calls.len(), "{name}");
        for (call, want) in turn.calls.iter().zip(calls) {
            let bytes = call.observation.as_ref().map(|text| json!(text.len()));
            for (key, got) in [
                ("input", Some(json!(call.input))),
                ("tool", Some(json!(call.tool))),
                ("observation_bytes", bytes),
            ] {
                if let Some(want) = want.get(key) {
                    assert_eq!(&got.unwrap_or(Value::Null), want, "{name} {key}");
                }
            }
        }
    }
    for want in expected["problems"].as_array().into_iter().flatten() {
        let words: Vec<&str> = want["what_contains"].as_str().unwrap().split('|').collect();
        let is_wanted = |problem: &&Problem| {
            let what = problem.what.to_lowercase();
            problem.place == format!("line {}", want["place"].as_str().unwrap())
                && words.iter().any(|word| what.contains(word))
        };
        assert!(read.problems.iter().any(|problem| is_wanted(&problem)), "{name}: {:?}", problems(read));
    }
    if expected["problems"].as_array().is_some_and(Vec::is_empty) {
        assert!(read.problems.iter().all(|problem| problem.weight == Weight::Note), "{name}");
    }
    let refused = read.problems.iter().any(|problem| problem.weight == Weight::Refused);
    assert_eq!(refused, expected["exit"] == json!(1), "{name}: {:?}", problems(read));
}

/// What the cases say in sentences.
#[test]
fn sentences_of_the_cases_hold() {
    let case = |name: &str| {
        let folder = shared(&format!("cases/parse/{name}/input"))?;
        Some(read(&std::fs::read(folder.join("acme__widget-12.jsonl")).unwrap()))
    };
    let Some(nul) = case("003-nul-bytes") else { return };
    assert!(problems(&nul)[0].starts_with("repaired line 4: a line of NUL bytes"), "{:?}", problems(&nul));
    let half = case("009-lone-surrogates").unwrap();
    assert_eq!(half.trajectories[0].turns[0].calls[0].observation.as_deref(), Some("ok \u{fffd}"));
    let bytes = case("010-raw-control-and-invalid-bytes").unwrap();
    let places: Vec<&str> = bytes.problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["line 4", "line 6"]);
    let odd = case("015-wrong-shape-records").unwrap();
    let places: Vec<&str> = odd.problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["line 4", "line 5", "line 6", "line 7", "line 8", "line 9"]);
    let parts = case("019-one-response-in-several-lines").unwrap();
    assert_eq!(parts.trajectories[0].turns[0].tokens_out, Some(159));
    let branch = case("021-branch-writes-each-message-twice").unwrap();
    let turns: Vec<_> =
        branch.trajectories[0].turns.iter().map(|turn| (turn.origin, turn.calls.len())).collect();
    assert_eq!(turns, [(Origin::Copied, 1), (Origin::Copied, 1), (Origin::Model, 1)]);
    let side = case("022-sub-agent-in-the-same-file").unwrap();
    assert_eq!(side.trajectories.len(), 2);
    let child = &side.trajectories[1];
    assert_eq!((child.turns.len(), child.parent.as_ref().unwrap().turn), (2, Some(0)));
}

fn line(kind: &str, uuid: &str, parent: Option<&str>, message: Value) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": false, "message": message})
}

fn asked(uuid: &str, parent: Option<&str>, words: &str) -> Value {
    line("user", uuid, parent, json!({"role": "user", "content": words}))
}

fn answered(uuid: &str, parent: &str, id: &str, blocks: Value) -> Value {
    let message =
        json!({"id": id, "role": "assistant", "model": "m", "content": blocks, "stop_reason": null});
    line("assistant", uuid, Some(parent), message)
}

fn said(uuid: &str, parent: &str, id: &str) -> Value {
    answered(uuid, parent, id, json!([{"type": "text", "text": id}]))
}

fn ran(uuid: &str, parent: &str, id: &str, call: &str, command: &str) -> Value {
    let input = json!({"command": command});
    answered(uuid, parent, id, json!([{"type": "tool_use", "id": call, "name": "Bash", "input": input}]))
}

fn came(uuid: &str, parent: &str, call: &str, content: &str, is_error: bool) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": call, "content": content, "is_error": is_error});
    line("user", uuid, Some(parent), json!({"role": "user", "content": [block]}))
}

fn session(lines: &[Value]) -> Read {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    read(text.as_bytes())
}

fn origins(run: &Trajectory) -> Vec<(&str, Origin)> {
    run.turns.iter().map(|turn| (turn.text.as_str(), turn.origin)).collect()
}

/// Cases 013 and 014, whose inputs are made by a program.
#[test]
fn deep_records_and_huge_lines_cost_nothing_else() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut result = came("3", "2", "t", "a.py", false);
    result["toolUseResult"] = json!("DEEP");
    let lines = [asked("1", None, "Fix it."), ran("2", "1", "a", "t", "ls"), result, said("4", "3", "b")];
    let text: String = lines.iter().map(|line| format!("{line}\n").replace("\"DEEP\"", &deep)).collect();
    let read = read(text.as_bytes());
    assert_eq!(read.trajectories[0].turns.len(), 2);
    assert_eq!(read.trajectories[0].turns[0].calls[0].observation.as_deref(), Some("a.py"));
    assert!(read.problems.iter().all(|problem| problem.place == "line 3"), "{:?}", problems(&read));

    let long = "x".repeat(12 << 20);
    let huge = session(&[
        asked("1", None, "Fix it."),
        ran("2", "1", "a", "t", "cat big.log"),
        came("3", "2", "t", &long, false),
        ran("4", "3", "b", "u", "ls"),
        came("5", "4", "u", "a.py\n", false),
        said("6", "5", "c"),
    ]);
    assert_eq!(huge.problems, []);
    let calls: Vec<usize> = huge.trajectories[0]
        .turns
        .iter()
        .flat_map(|turn| &turn.calls)
        .map(|call| call.observation.as_ref().unwrap().len())
        .collect();
    assert_eq!((huge.trajectories[0].turns.len(), calls), (3, vec![12 << 20, 5]));
}

#[test]
fn a_rewound_branch_is_abandoned_and_parallel_calls_are_none() {
    let read = session(&[
        asked("1", None, "q"),
        said("2", "1", "first"),
        asked("3", Some("2"), "go left"),
        said("4", "3", "left"),
        asked("5", Some("2"), "go right"),
        ran("6", "5", "two", "t", "ls"),
        ran("7", "6", "two", "u", "pwd"),
        came("8", "6", "t", "a", false),
        came("9", "7", "u", "/", false),
        said("10", "8", "right"),
    ]);
    use Origin::{Abandoned, Model};
    assert_eq!(
        origins(&read.trajectories[0]),
        [("first", Model), ("left", Abandoned), ("", Model), ("right", Model)]
    );
    assert_eq!(read.problems, []);
}

#[test]
fn compaction_and_cleared_conversations_are_no_rewind() {
    let mut boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "3", "parentUuid": null,
        "logicalParentUuid": "2", "sessionId": "s", "isSidechain": false});
    let mut summary = asked("4", Some("3"), "Summary of what was.");
    summary["isCompactSummary"] = json!(true);
    for logical in [json!("2"), Value::Null] {
        boundary["logicalParentUuid"] = logical;
        let read = session(&[
            asked("1", None, "q"),
            said("2", "1", "before"),
            boundary.clone(),
            summary.clone(),
            said("5", "4", "after"),
            asked("6", None, "<command-name>/clear</command-name>"),
            asked("7", None, "anew"),
            said("8", "7", "anew"),
        ]);
        let run = &read.trajectories[0];
        assert!(run.turns.iter().all(|turn| turn.origin == Origin::Model), "{:?}", origins(run));
        assert_eq!((run.turns.len(), run.task.as_deref()), (3, Some("q")));
    }
}

#[test]
fn lines_of_the_session_that_was_resumed_are_copies() {
    let old = |mut line: Value| {
        line["sessionId"] = json!("old");
        line
    };
    let lines = [
        old(asked("1", None, "q")),
        old(said("2", "1", "before")),
        asked("3", Some("2"), "go on"),
        said("4", "3", "after"),
    ];
    let read = session(&lines);
    let run = &read.trajectories[0];
    assert_eq!(origins(run), [("before", Origin::Copied), ("after", Origin::Model)]);
    assert_eq!((run.session_id.as_deref(), run.shown_turns()), (Some("s"), 1));
    // Two sessions that somebody joined: nothing of the second hangs on the first.
    let mut apart = lines;
    apart[2]["parentUuid"] = Value::Null;
    let read = session(&apart);
    assert_eq!(origins(&read.trajectories[0]), [("before", Origin::Model), ("after", Origin::Model)]);
    assert_eq!(problems(&read), ["note : holds lines of other sessions, too: old"]);
}

#[test]
fn lines_that_repeat_a_response_as_far_as_it_goes_are_one() {
    let text = |words: &str| json!({"type": "text", "text": words});
    let call = json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}});
    let run = session(&[
        asked("1", None, "q"),
        answered("2", "1", "a", json!([text("Look")])),
        answered("3", "2", "a", json!([text("Look first."), call])),
        answered("4", "3", "a", json!([text("Look first."), call, text("Then go.")])),
    ]);
    let turn = &run.trajectories[0].turns[0];
    assert_eq!((turn.text.as_str(), turn.calls.len()), ("Look first.\nThen go.", 1));
}

#[test]
fn what_came_back_is_unwrapped() {
    let seen = |content: &str, is_error: bool| {
        let lines =
            [asked("1", None, "q"), ran("2", "1", "a", "t", "make"), came("3", "2", "t", content, is_error)];
        session(&lines).trajectories.remove(0).turns.remove(0).calls.remove(0)
    };
    let failed = seen("Exit code 2\nno rule", true);
    assert_eq!((failed.exit_code, failed.observation.as_deref()), (Some(2), Some("no rule")));
    // Without an error these words are the command's own.
    let own = seen("Exit code 2\nno rule", false);
    assert_eq!((own.exit_code, own.observation.as_deref()), (None, Some("Exit code 2\nno rule")));
    let silent = seen("Exit code 127", true);
    assert_eq!((silent.exit_code, silent.observation.as_deref()), (Some(127), Some("")));
    let killed = seen("Command timed out after 2m 0.0s\n..", true);
    assert!(killed.timed_out && killed.exit_code.is_none());
    let cut = seen("a\n\n... [312 lines truncated] ...\n\nb", false);
    assert_eq!(cut.observation_state, ObservationState::Cut);
    let lacks =
        "<tool_use_error>InputValidationError: The required parameter `command` is missing</tool_use_error>";
    assert_eq!(
        (seen(lacks, true).quality, seen(lacks, true).quality_reason),
        (Quality::Parsable, Some("missing argument"))
    );
    let unknown = seen("<tool_use_error>Error: No such tool available: Bsh</tool_use_error>", true);
    assert_eq!(unknown.quality_reason, Some("unknown tool"));
    let state = seen("<tool_use_error>File has not been read yet.</tool_use_error>", true);
    assert_eq!(
        (state.quality, state.observation.as_deref()),
        (Quality::Valid, Some("File has not been read yet."))
    );
}

#[test]
fn the_last_line_tells_the_end() {
    let stopped = |stop: &str| {
        let mut line = said("2", "1", "a");
        line["message"]["stop_reason"] = json!(stop);
        line
    };
    let failed = || {
        let mut line = said("3", "2", "e");
        line["isApiErrorMessage"] = json!(true);
        line
    };
    use Termination::*;
    for (lines, want) in [
        (vec![said("2", "1", "a")], Finished),
        (vec![stopped("end_turn")], Finished),
        (vec![stopped("max_tokens")], Limit),
        (vec![ran("2", "1", "a", "t", "ls")], Incomplete),
        (vec![ran("2", "1", "a", "t", "ls"), came("3", "2", "t", "x", false)], Incomplete),
        (vec![stopped("end_turn"), asked("3", Some("2"), "more")], Incomplete),
        (vec![stopped("end_turn"), asked("3", Some("2"), "<command-name>/exit</command-name>")], Finished),
        (vec![stopped("tool_use"), asked("3", Some("2"), "[Request interrupted by user]")], Cancelled),
        (vec![stopped("end_turn"), failed()], ModelError),
        (vec![], Incomplete),
        (vec![stopped("new_word")], Unknown),
    ] {
        let lines: Vec<Value> = std::iter::once(asked("1", None, "q")).chain(lines).collect();
        assert_eq!(session(&lines).trajectories[0].termination, want, "{lines:?}");
    }
    let text = format!("{}\n{}\n{{\"type\":\"us", asked("1", None, "q"), stopped("end_turn"));
    assert_eq!(only(&text).termination, Incomplete);
}

const INIT: &str = r#"{"type":"system","subtype":"init","cwd":"/r","session_id":"s","model":"m","claude_code_version":"2.0.1"}"#;

/// A line of a response; the program writes the kind first.
fn response(parent: Option<&str>, id: &str, blocks: Value) -> String {
    let usage = json!({"input_tokens": 3, "cache_read_input_tokens": 7, "output_tokens": 1});
    let message = json!({"id": id, "role": "assistant", "model": "m", "content": blocks, "usage": usage});
    let parent = json!(parent);
    format!(r#"{{"type":"assistant","message":{message},"parent_tool_use_id":{parent},"session_id":"s"}}"#)
}

#[test]
fn the_last_event_tells_the_end() {
    use Termination::*;
    for (result, want) in [
        (
            r#"{"type":"result","subtype":"success","is_error":false,"num_turns":9,"session_id":"s"}"#,
            Finished,
        ),
        (
            r#"{"type":"result","subtype":"success","is_error":true,"num_turns":9,"session_id":"s"}"#,
            ModelError,
        ),
        (r#"{"type":"result","subtype":"error_max_turns","is_error":false,"session_id":"s"}"#, StepLimit),
        (
            r#"{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"s"}"#,
            ModelError,
        ),
        ("", Incomplete),
    ] {
        let text = format!(
            "{INIT}\n{}\n{result}\n",
            response(None, "a", json!([{"type": "text", "text": "Done."}]))
        );
        let run = only(&text);
        assert_eq!(
            (run.format, run.turns.len(), run.termination),
            ("claude-stream-json", 1, want),
            "{result}"
        );
        assert_eq!((run.turns[0].tokens_in, run.turns[0].tokens_out), (Some(10), None));
    }
}

/// An event that is cut behind its beginning, with the prefix of a log in the middle, is read as if it were whole.
#[test]
fn an_event_cut_by_a_prefix_is_joined_wherever_it_is_cut() {
    let call =
        json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "echo \"[a] \\n\" {b}"}});
    let event =
        response(None, "a", json!([{"type": "text", "text": "[x](y) é \\ \" {\"type\":\"user\""}, call]));
    let whole = only(&format!("{INIT}\n{event}\n"));
    for cut in (r#"{"type":""#.len()..event.len()).filter(|cut| event.is_char_boundary(*cut)) {
        let (first, second) = event.split_at(cut);
        let text = format!(
            "starting\n[2026-01-05T10:00:00.000Z] [INFO] {INIT}\n[2026-01-05T10:00:01.000Z] [INFO] {first}\n[2026-01-05T10:00:02.500Z] [DEBUG] {second}\n[2026-01-05T10:00:03.000Z] [INFO] bye\n"
        );
        let read = read(text.as_bytes());
        assert_eq!(problems(&read), [""; 0], "{cut}: {first}");
        let mut turns = read.trajectories[0].turns.clone();
        assert_eq!(turns.len(), 1, "{cut}");
        assert_eq!(turns[0].logged_at, Some(1_767_607_201_000));
        turns[0].logged_at = None;
        assert_eq!(turns, whole.turns, "{cut}");
    }
}

/// A log printed the escape character as `^[` and left its backslash.
#[test]
fn escapes_that_json_lacks_are_kept_as_text() {
    let lines =
        [asked("1", None, "q"), ran("2", "1", "a", "t", "ls"), came("3", "2", "t", "ESC red ESC", false)];
    let text: String =
        lines.iter().map(|line| format!("{line}\n").replace("ESC", r"\^[[31m\u0041\n\uX")).collect();
    let read = read(text.as_bytes());
    let seen = read.trajectories[0].turns[0].calls[0].observation.clone().unwrap();
    assert_eq!(seen, "\\^[[31mA\n\\uX red \\^[[31mA\n\\uX");
    assert_eq!(problems(&read), ["repaired line 3: backslashes of no known escape kept as text (4)"]);
}

#[test]
fn torn_events_cost_themselves() {
    let done = response(None, "b", json!([{"type": "text", "text": "Done."}]));
    let prefix = "[2026-01-05T10:00:01.000Z] [INFO] ";
    let torn = &done[..80];
    for text in [
        format!("{prefix}{INIT}\n{prefix}{torn}\n{prefix}killed\n{prefix}{done}\n"),
        format!("{INIT}\n{torn}\n{done}\n"),
        format!("log of a run\n{INIT}\n{{\n  \"type\": \"assistant\",\n  \"mess\n{done}\n"),
    ] {
        let read = read(text.as_bytes());
        assert_eq!(read.trajectories[0].turns.len(), 1, "{text}");
        let weights: Vec<Weight> = read.problems.iter().map(|problem| problem.weight).collect();
        assert_eq!(weights, [Weight::Refused], "{:?}", problems(&read));
    }
    // Many of them take no time that grows with their square.
    let many = format!("{INIT}\n{}", format!("{prefix}{torn}\n").repeat(20_000));
    assert_eq!(read(many.as_bytes()).problems.len(), 20_000);
}

#[test]
fn several_runs_and_their_sub_agents_are_told_apart() {
    let task = json!([{"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "look"}}]);
    let text = json!([{"type": "text", "text": "Done."}]);
    let other = INIT.replace("\"s\"", "\"other\"");
    let log = [
        INIT.to_owned(),
        response(None, "a", task),
        response(Some("t"), "c", text.clone()),
        INIT.to_owned(),
        response(None, "b", text.clone()),
        other,
        response(None, "d", text),
    ];
    let read = read(log.join("\n").as_bytes());
    let found: Vec<_> = read
        .trajectories
        .iter()
        .map(|run| {
            let parent = run.parent.as_ref().map(|parent| (parent.ordinal, parent.turn));
            (run.place.as_str(), run.session_id.as_deref(), run.turns.len(), parent)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("line 1", Some("s"), 2, None),
            ("line 3", None, 1, Some((Some(0), Some(0)))),
            ("line 6", Some("other"), 1, None)
        ]
    );
}

#[test]
fn neighbours_are_not_taken_for_sessions() {
    for text in [
        r#"{"type":"session_meta","payload":{"id":"a"},"timestamp":"t"}"#,
        r#"{"type":"session","id":"a","cwd":"/r","version":3}"#,
        r#"{"type":"message","id":"a","message":{"role":"user","content":"q"}}"#,
        r#"{"sessionId":"a","messages":[{"type":"user","content":"q"}]}"#,
        r#"{"type":"user","content":"q","uuid":"u"}"#,
        r#"{"type":"thread.started","thread_id":"a"}"#,
        r#"{"type":"step_start","sessionID":"a","part":{}}"#,
    ] {
        let claims = formats::claims(text.as_bytes());
        assert!(claims.iter().all(|format| !format.name.starts_with("claude")), "{text}");
    }
}

/// `EXPECTED-other.tsv`: all turns of the main conversation, those of sub-agents, session, model.
#[test]
#[ignore = "slow: unpacks and reads real logs"]
fn logs_of_the_corpus_are_read_as_expected() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-other.tsv")).unwrap();
    let mut rows: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        if matches!(row[2], "claude-code-session" | "claude-stream-json") {
            rows.entry(row[0]).or_default().insert(row[1], row);
        }
    }
    let mut differences = Vec::new();
    for (archive, rows) in &mut rows {
        let packed = walk(&corpus.join(archive)).unwrap().files.remove(0);
        let found = members(&packed, &Limits::default(), |Member { path, bytes, .. }| {
            if let Some(row) = rows.remove(path.as_str()) {
                differences.extend(difference(&bytes, &row).map(|what| format!("{path}: {what}")));
            } else if let Some(format) =
                formats::recognise(&bytes).filter(|format| format.name.starts_with("claude"))
            {
                differences.push(format!("{path}: taken for {}", format.name));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(found.unwrap(), []);
        differences.extend(rows.keys().map(|path| format!("{path}: not in the archive")));
    }
    assert_eq!(differences, [""; 0]);
}

fn difference(bytes: &[u8], row: &[&str]) -> Option<String> {
    let claims: Vec<&str> = formats::claims(bytes).iter().map(|format| format.name).collect();
    if claims != [row[2]] {
        return Some(format!("claimed by {claims:?}"));
    }
    let read = read(bytes);
    let turns = |is_child: bool| -> usize {
        let runs = read.trajectories.iter().filter(|run| run.parent.is_some() == is_child);
        runs.map(|run| run.turns.len()).sum()
    };
    // Only one file was made with broken lines on purpose.
    let lost = read.problems.iter().filter(|problem| problem.weight == Weight::Refused).count();
    if (lost > 0) != row[1].ends_with("claude-code-log/edge_cases.jsonl") {
        return Some(format!("lost records: {:?}", problems(&read)));
    }
    let note = |key: &str| row[10].split(' ').find_map(|word| word.strip_prefix(key)?.parse::<usize>().ok());
    let (main, side) = (turns(false), turns(true));
    let want = (row[7].parse().unwrap_or(0), note("sub=").unwrap_or(0));
    if (main, side) != want {
        return Some(format!("{main} turns and {side} of sub-agents, want {want:?}"));
    }
    let first = read.trajectories.first()?;
    // A file of a sub-agent names the session of its parent.
    let parent = first.parent.as_ref().and_then(|parent| parent.session_id.clone());
    let session = parent.or(first.session_id.clone()).unwrap_or_default();
    // Where a file holds two sessions the reader names the later one.
    if !row[4].split(';').any(|id| id == session.as_str()) {
        return Some(format!("session {session}, want {}", row[4]));
    }
    let model = first.model.as_deref().unwrap_or_default();
    (!row[5].is_empty() && model != row[5]).then(|| format!("model {model}, want {}", row[5]))
}
