//! Maps: what they say wrongly, and what they read. The values are what a TOML file gives.

use ethogram::formats::mapped::{Map, read};
use ethogram::formats::{Input, Part, Read};
use ethogram::model::{Origin, Quality, Termination, Weight};
use serde_json::json;

fn read_by(map: serde_json::Value, text: &str) -> Read {
    let map = Map::of(&map).unwrap_or_else(|faults| panic!("{faults:?}"));
    read(&map, &Input { parts: &[Part { path: "", bytes: text.as_bytes() }], lines_before: 0 })
}

#[test]
fn a_map_says_what_is_wrong_with_it() {
    let faults = |map| Map::of(&map).expect_err("it is wrong");
    assert_eq!(
        faults(json!({"fields": {"messages": "log", "instnce_id": "task"}})),
        ["`fields.instnce_id` is no key of a map; did you mean `instance_id`?"]
    );
    assert_eq!(
        faults(json!({"filds": {"messages": "log"}})),
        [
            "`filds` is no key of a map; did you mean `fields`?",
            "`fields.messages` is missing: it says where a row keeps what was said"
        ]
    );
    assert_eq!(
        faults(json!({"kind": "row", "fields": {"messages": 3}})),
        [
            "kind = `row` is none; write \"rows\", \"rendered\" or \"asap\"",
            "`messages` is a word or a list of words",
            "`fields.messages` is missing: it says where a row keeps what was said"
        ]
    );
    assert_eq!(
        faults(json!({"fields": {"messages": "log"}, "statuses": {"late": "timelimit"}})),
        ["`statuses.late`: `timelimit` is no end of a run; did you mean `time_limit`?"]
    );
    assert_eq!(
        faults(json!({"fields": "log", "first_run": "one"})),
        [
            "`first_run` is a number",
            "`fields` is a table: write `[fields]`",
            "`fields.messages` is missing: it says where a row keeps what was said"
        ]
    );
}

#[test]
fn roles_and_keys_of_a_map_are_read() {
    let map = json!({
        "scaffold": "acme-agent",
        "first_run": 1,
        "resolved_at": 0.5,
        "fields": {"instance_id": "task.name", "run": "try", "model": "by.0", "reward": "score", "status": "why", "task": "task.text", "messages": "log"},
        "message": {"role": "who", "text": "say", "reasoning": "thought", "calls": "acts", "call_name": "tool", "call_arguments": "with", "call_id": "nr", "result_id": "of", "observation": "saw", "exit_code": "code"},
        "roles": {"model": ["planner", "coder"], "result": "box"},
        "statuses": {"out of time": "time_limit"}
    });
    let row = json!({"task": {"name": "shop-7", "text": "Fix it."}, "try": 1, "by": ["acme/large"], "score": "0.5", "why": "out of time", "log": [
        {"who": "planner", "say": "Look.", "thought": "Hm.", "acts": [{"tool": "bash", "with": {"command": "ls"}, "nr": 1}, {"tool": "bash", "with": "{\"command\": \"pw", "nr": 2}]},
        {"who": "box", "of": 2, "saw": "error: arguments", "code": 2},
        {"who": "box", "of": 1, "saw": "price.py", "code": 0},
        {"who": "narrator", "say": "Meanwhile."},
        {"who": "coder", "say": "Done."}
    ]});
    let read = read_by(map, &format!("{row}\n{{\"task\": {{\"name\": \"shop-8\"}}}}\n"));
    let lost: Vec<_> =
        read.problems.iter().map(|problem| (problem.place.as_str(), problem.what.as_str())).collect();
    assert_eq!(
        lost,
        [
            ("line 1", "1 of 5 messages have no known role and were left out"),
            ("line 2", "nothing where `fields.messages` points to: left out")
        ]
    );
    assert!(read.problems.iter().all(|problem| problem.weight == Weight::Refused));
    let [run] = read.trajectories.as_slice() else { panic!("one run") };
    assert_eq!(
        (run.instance_id.as_deref(), run.run, run.model.as_deref()),
        (Some("shop-7"), Some(0), Some("acme/large"))
    );
    assert_eq!(
        (run.scaffold.as_str(), run.task.as_deref(), run.place.as_str()),
        ("acme-agent", Some("Fix it."), "line 1")
    );
    assert_eq!(run.termination, Termination::TimeLimit);
    let verdict = run.verdict.as_ref().expect("a reward");
    assert_eq!((verdict.resolved, verdict.reward), (Some(true), Some(0.5)));
    assert_eq!(run.turns.len(), 2);
    let calls = &run.turns[0].calls;
    assert_eq!(
        (calls[0].input.as_str(), calls[0].observation.as_deref(), calls[0].exit_code),
        ("ls", Some("price.py"), Some(0))
    );
    assert_eq!(
        (calls[1].input.as_str(), calls[1].quality, calls[1].exit_code),
        ("{\"command\": \"pw", Quality::Parsable, Some(2))
    );
    assert_eq!(run.turns[0].reasoning.as_deref(), Some("Hm."));
}

#[test]
fn steps_without_roles_hold_command_and_observation() {
    let map = json!({"fields": {"messages": "steps", "resolved": "ok", "masked": "skip"}, "message": {"text": "thought", "command": "action", "observation": "result"}});
    let rows = json!([
        {"steps": [{"thought": "Look.", "action": "ls", "result": "price.py"}, {"thought": "Done.", "action": ""}], "ok": "yes"},
        {"steps": "[{\"thought\": \"Kept as a text.\"}]", "ok": null},
        {"steps": [{"thought": "Left out."}], "ok": true, "skip": 1}
    ]);
    let read = read_by(map, &rows.to_string());
    assert_eq!(read.problems, []);
    let runs = &read.trajectories;
    let places: Vec<&str> = runs.iter().map(|run| run.place.as_str()).collect();
    assert_eq!(places, ["record 1", "record 2", "record 3"]);
    assert_eq!(runs[0].turns[0].calls[0].observation.as_deref(), Some("price.py"));
    assert_eq!(runs[0].termination, Termination::Finished);
    let scored: Vec<_> = runs
        .iter()
        .map(|run| run.verdict.as_ref().map(|verdict| (verdict.scored, verdict.resolved)))
        .collect();
    assert_eq!(scored, [Some((true, Some(true))), Some((false, None)), Some((false, None))]);
}

#[test]
fn rendered_texts_go_on_from_their_prompt() {
    let map = json!({"kind": "rendered", "fields": {"prompt": "in", "completion": "out", "reward": "score"}});
    let marked = json!({"in": "<|im_start|>user\nFix it.<|im_end|>\n<|im_start|>assistant\nAsked before.<|im_end|>\n<|im_start|>user\nGo on.<|im_end|>\n<|im_start|>assistant\n<think>\n",
        "out": "Look.\n</think>\n<tool_call>\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\nprice.py\n</tool_response><|im_end|>\n<|im_start|>assistant\nDone.<|im_end|>", "score": 1});
    let stripped = json!({"in": "system\nYou fix shops.\nuser\nFix it.\nassistant\n",
        "out": "<tool_call>\n{\"name\": \"bash\", \"arguments\": {\"command\": \"cat a\"}}\n</tool_call>\nuser\n<tool_response>\nassistant\nis a line of a\n</tool_response>\nassistant\nDone.", "score": 0});
    let plain = json!({"in": "Q: 1 + 1", "out": "2", "score": 0.5});
    let read = read_by(map, &format!("{marked}\n{stripped}\n{plain}\n"));
    assert_eq!(read.problems, []);
    let turns: Vec<Vec<(Origin, usize)>> = read
        .trajectories
        .iter()
        .map(|run| run.turns.iter().map(|turn| (turn.origin, turn.calls.len())).collect())
        .collect();
    assert_eq!(
        turns,
        [
            vec![(Origin::Copied, 0), (Origin::Model, 1), (Origin::Model, 0)],
            vec![(Origin::Model, 1), (Origin::Model, 0)],
            vec![(Origin::Model, 0)]
        ]
    );
    let marked = &read.trajectories[0].turns[1];
    assert_eq!(
        (marked.reasoning.as_deref(), marked.calls[0].observation.as_deref()),
        (Some("Look."), Some("price.py"))
    );
    let stripped = &read.trajectories[1];
    assert_eq!(stripped.turns[0].calls[0].observation.as_deref(), Some("assistant\nis a line of a"));
    assert_eq!(
        (stripped.system.as_deref(), stripped.task.as_deref()),
        (Some("You fix shops."), Some("Fix it."))
    );
}

#[test]
fn tags_of_completion_logs_are_settings() {
    let map = json!({"kind": "asap", "fields": {"instance_id": "id", "completion": "text", "prefix_turns": "k"},
        "tags": {"thinking": "### Thought", "observation": "output", "submit": "finish", "actions": {"run": "bash", "patch": "edit"}}});
    let text = "### Thought\nLook.\n<run>ls</run>\n<output exit=\"0\">price.py</output>\n### Thought\n<patch file=\"price.py\"><find>a</find><new>b</new></patch>\n<output>edited</output>\n### Thought\n<finish/>\n";
    let read = read_by(map, &format!("{}\n", json!({"id": "shop-7", "text": text, "k": 1})));
    assert_eq!(read.problems, []);
    let run = &read.trajectories[0];
    let origins: Vec<Origin> = run.turns.iter().map(|turn| turn.origin).collect();
    assert_eq!(origins, [Origin::Prefix, Origin::Model, Origin::Model]);
    assert_eq!(run.turns[0].calls[0].exit_code, Some(0));
    assert_eq!((run.termination, run.submitting_turn), (Termination::Submitted, Some(2)));
}
