//! Results find their calls where ids come again, or stand for two calls (`formats-other.md` §4): the same rule for every way of
//! logging.

use super::{only, problems, read};
use serde_json::{Value, json};

type Told = Vec<Vec<(String, Option<String>)>>;

/// Inputs of all calls, each with what came back.
fn told(text: &str) -> Told {
    let turns = only(text).turns.into_iter();
    turns.map(|turn| turn.calls.into_iter().map(|call| (call.input, call.observation)).collect()).collect()
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// Two responses that give the same id, of which the first is never answered, and one that gives two calls one id.
fn expected() -> Told {
    let own = |word: &str, answer: Option<&str>| (format!("echo {word}"), answer.map(str::to_owned));
    vec![
        vec![own("one", None)],
        vec![own("two", Some("two"))],
        vec![own("three", Some("three")), own("four", Some("four"))],
    ]
}

#[test]
fn sessions_of_claude_code_keep_calls_whose_ids_come_again() {
    let asked = |id: &str, calls: &[(&str, &str)]| {
        let block = |(id, word): &(&str, &str)| json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("echo {word}")}});
        let blocks: Vec<Value> = calls.iter().map(block).collect();
        json!({"role": "assistant", "id": id, "model": "m", "content": blocks})
    };
    let answered = |id: &str, word: &str| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": word}]});
    let messages = [
        json!({"role": "user", "content": "Go."}),
        asked("m1", &[("toolu_01", "one")]),
        asked("m2", &[("toolu_01", "two")]),
        answered("toolu_01", "two"),
        asked("m3", &[("toolu_01", "three")]),
        // A line that repeats the response as far as it goes.
        asked("m3", &[("toolu_01", "three"), ("toolu_02", "four")]),
        answered("toolu_02", "four"),
        answered("toolu_01", "three"),
    ];
    let line = |(number, message): (usize, Value)| {
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        json!({"type": message["role"], "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": "s",
            "isSidechain": false, "timestamp": "2026-01-01T00:00:00Z", "message": message})
    };
    let session: Vec<Value> = messages.into_iter().enumerate().map(line).collect();
    assert_eq!(told(&lines(&session)), expected());
}

#[test]
fn sessions_of_pi_tell_calls_of_one_id_apart() {
    let said =
        |message: Value| json!({"type": "message", "timestamp": "2026-01-01T00:00:00Z", "message": message});
    let asked = |calls: &[(&str, &str)]| {
        let block = |(id, word): &(&str, &str)| json!({"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": format!("echo {word}")}});
        let blocks: Vec<Value> = calls.iter().map(block).collect();
        said(json!({"role": "assistant", "content": blocks, "stopReason": "toolUse"}))
    };
    let answered = |id: &str, word: &str| {
        said(json!({"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": word}]}))
    };
    let session = [
        json!({"type": "session", "id": "s", "cwd": "/w", "timestamp": "2026-01-01T00:00:00Z"}),
        asked(&[("c", "one")]),
        asked(&[("c", "two")]),
        answered("c", "two"),
        asked(&[("c", "three"), ("c", "four")]),
        answered("c", "three"),
        answered("c", "four"),
    ];
    assert_eq!(told(&lines(&session)), expected());
}

#[test]
fn steps_of_atif_answer_the_last_call_of_an_id() {
    let asked = |step: i64, calls: &[(&str, &str)]| {
        let call = |(id, word): &(&str, &str)| json!({"tool_call_id": id, "function_name": "bash", "arguments": {"command": format!("echo {word}")}});
        let calls: Vec<Value> = calls.iter().map(call).collect();
        json!({"step_id": step, "source": "agent", "message": "", "tool_calls": calls})
    };
    let answered = |step: i64, call: &str, word: &str| {
        json!({"step_id": step, "source": "agent", "message": word, "observation": {"results": [{"content": word}]},
            "extra": {"openclaw_role": "toolResult", "tool_call_id": call}})
    };
    let steps = [
        asked(1, &[("c", "one")]),
        asked(2, &[("c", "two")]),
        answered(3, "c", "two"),
        asked(4, &[("c", "three"), ("c", "four")]),
        answered(5, "c", "three"),
        answered(6, "c", "four"),
    ];
    let text = json!({"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "a", "version": "1"},
        "steps": steps});
    assert_eq!(told(&text.to_string()), expected());
}

#[test]
fn results_that_answer_nothing_are_listed_in_every_format() {
    let messages = json!([
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "function": {"name": "bash", "arguments": "{\"command\":\"ls\"}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
        {"role": "tool", "tool_call_id": "b", "content": "y"},
    ]);
    let copilot = lines(&[
        json!({"type": "session.start", "id": "1", "timestamp": "2026-01-01T00:00:00Z", "data": {"sessionId": "s"}}),
        json!({"type": "tool.execution_complete", "id": "2", "timestamp": "2026-01-01T00:00:00Z",
            "data": {"toolCallId": "b", "success": true}}),
    ]);
    for text in [messages.to_string(), json!({"messages": messages}).to_string(), copilot] {
        let want = ["note : 1 results answer no call of the log: left out"];
        assert_eq!(problems(&read(text.as_bytes())), want, "{text}");
    }
}
