//! What writers, crashes and disks do to JSON: repaired, or named with its place; never lost in silence, never a panic.

use super::{only, problems, read};
use ethogram::formats::{self, Head, instance_of, refusal};
use ethogram::model::{InstanceSource, ObservationState, PatchState, Quality, Termination, Weight};

const STEP: &str = r#"{"action":"ls\n","observation":"a.py","response":"Look.","thought":"Look.","state":"{\"open_file\": \"n/a\", \"working_dir\": \"/r\"}"}"#;

fn log(steps: &[&str], info: &str) -> String {
    format!(r#"{{"environment":"e","trajectory":[{}],"history":[],"info":{info}}}"#, steps.join(","))
}

#[test]
fn what_python_writes_beside_the_standard_is_repaired() {
    let odd = STEP.replace("a.py\"", "a \\ud83d b\"");
    let text = log(
        &[&odd],
        r#"{"exit_status":"submitted","model_stats":{"instance_cost":NaN,"api_calls":1,"x":-Infinity}}"#,
    );
    let read = read(text.as_bytes());
    let run = &read.trajectories[0];
    assert_eq!(run.turns[0].calls[0].observation.as_deref(), Some("a \u{fffd} b"));
    assert_eq!((run.cost_usd, run.api_calls), (None, Some(1)));
    assert_eq!(run.termination, Termination::Submitted);
    let found = problems(&read);
    assert_eq!(found.len(), 1, "{found:?}");
    let place = text.find("\\ud83d").unwrap();
    assert!(found[0].starts_with(&format!("repaired byte {place}: ")), "{found:?}");
    assert!(found[0].contains("`NaN` or `Infinity` read as null (2)"), "{found:?}");
    assert!(found[0].contains("lone surrogates replaced by U+FFFD (1)"), "{found:?}");
}

#[test]
fn whole_pairs_and_escaped_backslashes_are_left_alone() {
    let odd = STEP.replace("a.py\"", "\\ud83d\\ude00 \\\\ud83d NaN \u{1}\"");
    let run = only(&log(&[&odd], "{}"));
    assert_eq!(run.turns[0].calls[0].observation.as_deref(), Some("😀 \\ud83d NaN \u{1}"));
}

#[test]
fn numbers_too_large_and_numbers_in_quotes_are_read_where_they_are_numbers() {
    let stats = r#"{"model_stats":{"instance_cost":"0.5","api_calls":"1","tokens_sent":1e400,"tokens_received":12345678901234567890}}"#;
    let run = only(&log(&[STEP], stats));
    assert_eq!(
        (run.cost_usd, run.api_calls, run.tokens_in, run.tokens_out),
        (Some(0.5), Some(1), None, None)
    );
}

#[test]
fn broken_bytes_and_a_byte_order_mark_are_no_reason_to_lose_a_log() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(log(&[&STEP.replace("a.py", "a?py")], "{}").bytes());
    let place = bytes.iter().position(|byte| *byte == b'?').unwrap();
    bytes[place] = 0xff;
    let read = read(&bytes);
    assert_eq!(read.trajectories[0].turns[0].calls[0].observation.as_deref(), Some("a\u{fffd}py"));
    assert_eq!(
        problems(&read),
        [format!("repaired byte {}: bytes that are no UTF-8 were replaced", place - 3)]
    );
}

#[test]
fn a_step_of_the_wrong_shape_loses_no_other() {
    let odd = r#"{"action":7,"observation":["a"],"response":"Look.","state":{"open_file":"/r/a.py","working_dir":"/r"}}"#;
    let text = log(&[STEP, "3", "null", "\"text\"", odd, STEP], r#"{"exit_status":"submitted"}"#);
    let read = read(text.as_bytes());
    let run = &read.trajectories[0];
    assert_eq!((run.steps, run.turns.len()), (Some(6), 3));
    assert_eq!(run.turns[1].quality(), Quality::Unparsable);
    assert_eq!(run.turns[2].calls[0].cwd.as_deref(), Some("/r"));
    assert_eq!(
        problems(&read),
        [
            "refused turn 1: the step is a number, no object: it is left out",
            "refused turn 2: the step is null, no object: it is left out",
            "refused turn 3: the step is a string, no object: it is left out",
            "repaired turn 4: `action` is a number, no string: taken as empty",
        ]
    );
}

#[test]
fn of_a_key_that_stands_twice_the_last_counts() {
    let text = format!(
        r#"{{"trajectory":[{STEP}],"trajectory":[{STEP},{STEP}],"info":{{"exit_status":"exit_cost"}},"info":{{"exit_status":"submitted"}}}}"#
    );
    let read = read(text.as_bytes());
    assert_eq!(read.trajectories[0].turns.len(), 2);
    assert_eq!(read.trajectories[0].termination, Termination::Submitted);
    assert_eq!(
        problems(&read),
        [
            "repaired : the key `trajectory` stands twice: the last one counts",
            "repaired : the key `info` stands twice: the last one counts"
        ]
    );
}

#[test]
fn a_cut_log_keeps_the_turns_before_the_cut() {
    let whole = log(&[STEP, STEP, STEP], r#"{"exit_status":"submitted","submission":"diff"}"#);
    let place = whole.rfind("working_dir").unwrap();
    let read = read(&whole.as_bytes()[..place]);
    let run = &read.trajectories[0];
    assert_eq!(
        (run.turns.len(), run.termination, run.patch_state),
        (2, Termination::Incomplete, PatchState::Missing)
    );
    assert_eq!(
        problems(&read),
        [format!(
            "refused byte {}: the file ends in the middle of the log; 2 turns before the cut were read",
            place - 1
        )]
    );
    let torn = whole.replace("\"history\":[]", "\"history\":[}");
    let torn = super::read(torn.as_bytes());
    assert_eq!(torn.trajectories[0].turns.len(), 3);
    assert!(problems(&torn)[0].contains("no valid JSON from here on"), "{:?}", problems(&torn));
    let trailing = super::read(format!("{whole} {{}}").as_bytes());
    assert_eq!(trailing.trajectories[0].termination, Termination::Submitted);
    assert!(problems(&trailing)[0].contains("trailing"), "{:?}", problems(&trailing));
}

#[test]
fn deep_nesting_ends_in_no_overflow() {
    for depth in [200, 200_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let text = format!(r#"{{"odd":{deep},"trajectory":[{STEP}],"info":{{"odd":{deep}}}}}"#);
        assert_eq!(only(&text).turns.len(), 1);
        let within = STEP.replace("\"ls\\n\"", &deep);
        assert_eq!(only(&log(&[&within, STEP], "{}")).turns.len(), 2);
    }
    let open = format!(r#"{{"trajectory":[{STEP},{}"#, "[".repeat(200_000));
    assert_eq!(only(&open).turns.len(), 1);
    assert!(Head::of("[".repeat(200_000).as_bytes()).is_some());
}

#[test]
fn text_beyond_the_cap_is_cut_and_marked() {
    let long = "é".repeat(9 << 20);
    let run = only(&log(&[&STEP.replace("a.py", &long)], "{}"));
    let call = &run.turns[0].calls[0];
    assert_eq!(call.observation_state, ObservationState::Cut);
    assert_eq!(call.observation.as_ref().unwrap().len(), 16 << 20);
}

#[test]
fn keys_that_no_reader_knows_are_counted_by_level() {
    let step = STEP.replace("{\"action\"", "{\"mood\":[1],\"action\"");
    let text = log(&[&step, &step], r#"{"colour":1}"#).replace("\"environment\"", "\"weather\"");
    let unknown = read(text.as_bytes()).unknown_keys.0;
    let lines: Vec<String> =
        unknown.iter().map(|((level, key), count)| format!("{} {key} {count}", level.as_str())).collect();
    assert_eq!(lines, ["top weather 1", "info colour 1", "step mood 2"]);
}

#[test]
fn a_log_by_its_name_that_is_none_is_refused_with_the_reason() {
    for (path, text, word) in [
        ("runs/a.traj", "", "empty"),
        ("runs/a.traj.json", " \n", "empty"),
        ("runs/a.traj", "INFO starting the agent\n", "plain text"),
        ("runs/a.traj.gz", "{\"hello\": 1}", "no format claims it"),
    ] {
        assert!(formats::recognise(text.as_bytes()).is_none());
        let problem = refusal(path, text.as_bytes()).unwrap();
        assert_eq!(problem.weight, Weight::Refused);
        assert!(problem.what.contains(word), "{path}: {}", problem.what);
    }
    assert_eq!(refusal("runs/notes.txt", b"text"), None);
    assert_eq!(refusal("runs/a.pred", b"{}"), None);
}

#[test]
fn the_instance_is_in_the_name_where_the_format_puts_it_there() {
    for (path, name, source) in [
        ("trajs/django__django-1.traj", "django__django-1", InstanceSource::Path),
        ("a/x__y-2/x__y-2.traj.json.gz", "x__y-2", InstanceSource::Path),
        ("a/x__y-2.pred", "x__y-2", InstanceSource::Path),
        ("a/session.jsonl", "session", InstanceSource::File),
        ("noending", "noending", InstanceSource::File),
    ] {
        assert_eq!(instance_of(path), Some((name.to_owned(), source)), "{path}");
    }
}

#[test]
fn rows_of_data_sets_and_other_json_are_claimed_by_nobody() {
    for text in [
        r#"{"trajectory":[{"role":"ai","text":"x"}],"instance_id":"a"}"#,
        r#"{"trajectory":[{"action":3,"reward":1.0,"observation":[0]}],"robot":"a"}"#,
        r#"{"trajectory":[{"x":1,"y":2}]}"#,
        r#"[{"role":"admin","content":"x"}]"#,
        r#"{"resolved_ids":[],"submitted_ids":[]}"#,
        r#"[{"instance_id":"a","model_patch":""}]"#,
        r#"{"a":{"steps":3}}"#,
        "[]",
        "{}",
        "3",
        "",
    ] {
        assert!(formats::recognise(text.as_bytes()).is_none(), "{text}");
    }
}

/// Rows of chats, each changed by `odd`.
fn rows(odd: impl Fn(String) -> String) -> String {
    let row = |number: usize| {
        odd(format!(
            r#"{{"id":"i{number}","reward":1.0,"messages":[{{"role":"user","content":"Go."}},{{"role":"assistant","content":"Done."}}]}}"#
        ))
    };
    (0..5).map(|number| row(number) + "\n").collect()
}

#[test]
fn rows_that_are_odd_each_for_itself_are_recognised_and_read() {
    for (name, text) in [
        ("numbers that are none", rows(|row| row.replace("1.0", "NaN"))),
        ("numbers out of range", rows(|row| row.replace("1.0", "-1e999"))),
        ("lone surrogates", rows(|row| row.replace("Go.", "\\ud83d"))),
        ("marks in the middle", rows(|row| format!("\u{feff}{row}"))),
        ("marks between glued rows", rows(|row| row).replace("}\n{", "}\u{feff}{")),
    ] {
        let read = read(text.as_bytes());
        let ids: Vec<_> = read.trajectories.iter().filter_map(|run| run.instance_id.clone()).collect();
        assert_eq!(ids, ["i0", "i1", "i2", "i3", "i4"], "{name}");
        assert!(
            read.problems.iter().all(|problem| problem.weight < Weight::Refused),
            "{name}: {:?}",
            read.problems
        );
    }
}

#[test]
fn a_document_is_recognised_behind_what_python_writes() {
    for odd in ["NaN", "1e999", "\"\\ud83d\""] {
        let text = format!(
            r#"{{"reward":{odd},"messages":[{{"role":"user","content":"Go."}},{{"role":"assistant","content":"Done."}}]}}"#
        );
        let read = read(text.as_bytes());
        assert_eq!(read.trajectories.len(), 1, "{odd}");
        assert_eq!(read.trajectories[0].turns.len(), 1, "{odd}");
        assert!(
            read.problems.iter().all(|problem| problem.weight == Weight::Repaired),
            "{odd}: {:?}",
            read.problems
        );
    }
}

#[test]
fn nul_bytes_behind_a_log_cost_nothing() {
    let read = read((log(&[STEP], r#"{"exit_status":"submitted"}"#) + &"\0".repeat(4096)).as_bytes());
    assert_eq!((read.trajectories[0].termination, problems(&read)), (Termination::Submitted, vec![]));
}

#[test]
fn json_in_utf_16_is_refused_with_what_to_do() {
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}{\"messages\": []}".encode_utf16().flat_map(order).collect()
    };
    for bytes in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        assert!(formats::recognise(&bytes).is_none());
        let problem = refusal("chat.json", &bytes).unwrap();
        assert!(
            problem.weight == Weight::Refused && problem.what.contains("save it as UTF-8"),
            "{problem:?}"
        );
    }
    assert_eq!(refusal("notes.txt", b"\xff\xfeh\0i\0"), None);
}

#[test]
fn calls_beyond_those_that_a_response_may_hold_are_named() {
    let call = r#"<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>"#;
    let chat = |calls: usize| {
        format!("<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n{}<|im_end|>\n", call.repeat(calls))
    };
    let many = read(chat(203).as_bytes());
    assert_eq!(many.trajectories[0].turns[0].calls.len(), 200);
    let found = problems(&many);
    assert!(found.iter().any(|said| said.starts_with("refused") && said.contains("3 calls")), "{found:?}");
    assert_eq!(problems(&read(chat(200).as_bytes())), Vec::<String>::new());
}

#[test]
fn a_text_with_one_mark_of_a_template_is_no_chat() {
    let is_chat =
        |text: &str| formats::recognise(text.as_bytes()).is_some_and(|format| format.name == "rendered-chat");
    for text in [
        "USER: root\nCOMMAND: ls\nASSISTANT: none on duty\n",
        "[INST] marks a turn, [/INST] ends it.\nserver started\n",
        "<|user|>\nis the mark that begins a message\n",
        "<|im_start|>user\nis how a message begins\n",
        "SYSTEM: up\nUSER: bob\nASSISTANT: carol\n",
    ] {
        assert!(!is_chat(text), "{text}");
    }
    for text in [
        "USER: Fix it. ASSISTANT: Which file?</s>USER: The first. ASSISTANT:",
        "<s>[INST] Fix it. [/INST] Which file?",
        "<|user|>\nFix it.<|end|>\n<|assistant|>\nWhich file?<|end|>\n",
        "<|im_start|>user\nFix it.<|im_end|>\n<|im_start|>assistant\nWhich file?<|im_end|>\n",
    ] {
        assert!(is_chat(text), "{text}");
    }
    // A prompt that fills all that is looked at.
    let long = format!(
        "<|im_start|>system\n{}<|im_end|>\n<|im_start|>assistant\nWell?<|im_end|>\n",
        "x ".repeat(40_000)
    );
    assert!(is_chat(&long));
}
