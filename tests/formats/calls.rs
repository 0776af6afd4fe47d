//! Actions, their quality and what came back (`definitions.md` §2).

use super::only;
use ethogram::model::quality_reason::{NO_ACTION, PROSE, SEVERAL_ACTIONS, UNKNOWN_TOOL, USAGE};
use ethogram::model::{Call, ObservationState, Quality, Turn};

fn swe_agent_1(action: &str, observation: &str, state: &str) -> Turn {
    let step = serde_json::json!({"action": action, "observation": observation, "response": "r", "thought": "t",
        "execution_time": 0.0, "state": serde_json::from_str::<serde_json::Value>(state).unwrap(), "query": []});
    only(&format!(r#"{{"trajectory":[{step}],"info":{{}}}}"#)).turns.remove(0)
}

fn quality(action: &str, observation: &str) -> (Quality, Option<&'static str>) {
    let turn = swe_agent_1(action, observation, r#"{"working_dir":"/r"}"#);
    (turn.quality(), turn.quality_reason())
}

#[test]
fn a_rejected_form_is_parsable_and_a_refused_state_is_valid() {
    let parsable = |reason| (Quality::Parsable, Some(reason));
    let valid = (Quality::Valid, None);
    for (action, observation, want) in [
        ("edit a.py 6:6\nx\nend_of_edit", "Usage: edit <start_line>:<end_line>\n", parsable(USAGE)),
        ("goto f", "Usage: goto <line>\nError: <line> must be a number", parsable(USAGE)),
        (
            "search_file x a.py",
            "Usage: search_file <search_term> [<file>]\nError: File name a.py not found.",
            valid,
        ),
        ("open a.py", "File a.py not found", valid),
        (
            "str_replace_editor veiw /r",
            "Unrecognized command veiw. The allowed commands are: view",
            parsable(USAGE),
        ),
        (
            "str_replace_editor insert /r/a.py",
            "Parameter `insert_line` is required for command: insert",
            parsable(USAGE),
        ),
        ("str_replace_editor view /x", "The path /x does not exist. Please provide a valid path.", valid),
        ("scroll_down", "/bin/bash: line 1: scroll_down: command not found", parsable(UNKNOWN_TOOL)),
        ("mvn test", "/bin/bash: line 1: mvn: command not found", valid),
        ("python manage.py --bad", "usage: manage.py [-h]", valid),
        ("DISCUSSION\nLet's look at the file.", "/bin/bash: DISCUSSION: command not found", parsable(PROSE)),
    ] {
        assert_eq!(quality(action, observation), want, "{action}: {observation}");
    }
}

#[test]
fn a_step_that_never_ran_was_refused() {
    let no_action = swe_agent_1("", "", "{}");
    assert_eq!(
        (no_action.accepted, no_action.quality(), no_action.calls.len()),
        (false, Quality::Unparsable, 0)
    );
    assert_eq!(no_action.quality_reason(), Some(NO_ACTION));
    let blocked = swe_agent_1("vim a.py", "", "{}");
    assert_eq!((blocked.accepted, blocked.quality(), blocked.calls.len()), (false, Quality::Parsable, 1));
    assert_eq!(blocked.calls[0].observation_state, ObservationState::Missing);
}

#[test]
fn places_and_diffs_follow_the_state_after_each_step() {
    let step = |action: &str, cwd: &str, diff: &str| {
        serde_json::json!({"action": action, "observation": "o", "response": "r", "execution_time": 0.25,
            "state": {"working_dir": cwd, "open_file": "n/a", "diff": diff}, "query": []})
    };
    let steps = [step("ls", "/r", ""), step("cd s", "/r/s", ""), step("sed -i x a", "/r/s", "d")];
    let text = format!(
        r#"{{"trajectory":{},"info":{{}},"replay_config":"{{\"env\":{{\"repo\":{{\"repo_name\":\"r\"}}}},\"agent\":{{\"model\":{{\"name\":\"m\"}}}}}}"}}"#,
        serde_json::to_string(&steps).unwrap()
    );
    let run = only(&text);
    assert_eq!((run.model.as_deref(), run.repository_root.as_deref()), (Some("m"), Some("/r")));
    let cwds: Vec<_> = run.turns.iter().map(|turn| turn.calls[0].cwd.as_deref()).collect();
    assert_eq!(cwds, [Some("/r"), Some("/r"), Some("/r/s")]);
    let digest = |text: &str| Some(blake3::hash(text.as_bytes()));
    let diffs: Vec<_> = run.turns.iter().map(|turn| turn.diff_after).collect();
    assert_eq!(diffs, [digest(""), digest(""), digest("d")]);
    assert_eq!(run.turns[0].calls[0].duration_ms, Some(250));
}

fn mini(response: &str, pattern: Option<&str>) -> Turn {
    let agent = pattern.map_or(serde_json::json!({}), |pattern| serde_json::json!({"action_regex": pattern}));
    let text = serde_json::json!({"info": {"config": {"agent": agent}}, "trajectory_format": "mini-swe-agent-1",
        "messages": [{"role": "assistant", "content": response}]});
    only(&text.to_string()).turns.remove(0)
}

/// What the pattern of mini-swe-agent takes, as Python's `re` has it.
#[test]
fn exactly_one_block_is_an_action() {
    let command = |response: &str| {
        let turn = mini(response, None);
        turn.calls.first().map(|call| call.input.clone()).ok_or(turn.quality_reason)
    };
    let action = |text: &str| Ok(text.to_owned());
    assert_eq!(command("THOUGHT: x\n\n```bash\nls -la\n```"), action("ls -la"));
    assert_eq!(command("```bash  \n\n  ls\n\n```\nrest"), action("ls"));
    assert_eq!(command("```mswea_bash_command\nls\n```"), action("ls"));
    assert_eq!(command("```python\nx\n```\n```bash\ncat <<E\n``\nE\n```"), action("cat <<E\n``\nE"));
    assert_eq!(command("```bash\n\n```"), action(""));
    assert_eq!(command("```bash\nls```"), Err(Some(NO_ACTION)));
    assert_eq!(command("```bashful\nls\n```"), Err(Some(NO_ACTION)));
    assert_eq!(command("no block"), Err(Some(NO_ACTION)));
    assert_eq!(command("```bash\nls\n```\n```bash\npwd\n```"), Err(Some(SEVERAL_ACTIONS)));
    let own = mini("<run>ls</run> ```bash\nx\n```", Some("<run>(.*?)</run>"));
    assert_eq!(own.calls[0].input, "ls");
    // A pattern that Rust cannot read leaves the usual one.
    let odd = mini("```bash\nls\n```", Some("(?<=x)(.*)"));
    assert_eq!(odd.calls[0].input, "ls");
}

fn seen(content: &str, extra: &str) -> Call {
    let text = format!(
        r#"{{"trajectory_format":"mini-swe-agent-1.1","info":{{}},"messages":[
        {{"role":"assistant","content":null,"extra":{{"actions":[{{"command":"ls","tool_call_id":"c1"}}]}}}},
        {{"role":"tool","tool_call_id":"c1","content":{},"extra":{extra}}}]}}"#,
        serde_json::to_string(content).unwrap()
    );
    only(&text).turns.remove(0).calls.remove(0)
}

#[test]
fn wrapping_is_taken_off() {
    let told = |call: &Call| (call.exit_code, call.observation.clone().unwrap());
    assert_eq!(
        told(&seen("<returncode>1</returncode>\n<output>\na\n</output>", "{}")),
        (Some(1), "a\n".to_owned())
    );
    let inner = "<output>\nx</output>\n";
    let nested = seen(&format!("<returncode>0</returncode>\n<output>\n{inner}</output>"), "{}");
    assert_eq!(nested.observation.as_deref(), Some(inner));
    let cut = seen(
        "<returncode>0</returncode>\n<warning>\ntoo long\n</warning><output_head>\nhead\n</output_head>\n<elided_chars>\n9 characters elided\n</elided_chars>\n<output_tail>\ntail\n</output_tail>",
        "{}",
    );
    assert_eq!(cut.observation.as_deref(), Some("head\n9 characters elided\ntail\n"));
    assert_eq!(cut.observation_state, ObservationState::Cut);
    let killed = seen(
        "<exception>An error occurred: timed out after 60 seconds</exception>\n<returncode>-1</returncode>\n<output>\n..</output>",
        r#"{"returncode":-1,"exception_type":"TimeoutExpired"}"#,
    );
    assert!(killed.timed_out);
    assert_eq!(told(&killed), (Some(-1), "..".to_owned()));
    let failed =
        seen("<exception>no container</exception>\n<returncode>-1</returncode>\n<output>\n</output>", "{}");
    assert_eq!((failed.timed_out, failed.observation.as_deref()), (false, Some("no container\n")));
    let first = seen(
        "The last command <command>pytest</command> timed out and has been killed.\nThe output of the command was:\n <output>\n. F\n</output>\nPlease try another command.",
        "{}",
    );
    assert_eq!((first.timed_out, first.exit_code, first.observation.as_deref()), (true, None, Some(". F")));
    assert_eq!(seen("plain", r#"{"returncode":"2"}"#).exit_code, Some(2));
}

#[test]
fn results_find_their_call_by_id_and_a_lost_one_leaves_the_others() {
    let text = r#"[{"role":"assistant","tool_calls":[
        {"id":"a","function":{"name":"bash","arguments":"{\"command\":\"one\"}"}},
        {"id":"b","function":{"name":"bash","arguments":"{\"command\":\"two\"}"}},
        {"id":"c","function":{"name":"look","arguments":{"path":"x"}}}]},
        {"role":"tool","tool_call_id":"c","content":"3"},{"role":"tool","tool_call_id":"a","content":"1"}]"#;
    let run = only(text);
    let seen: Vec<_> =
        run.turns[0].calls.iter().map(|call| (call.input.as_str(), call.observation.as_deref())).collect();
    assert_eq!(seen, [("one", Some("1")), ("two", None), (r#"{"path":"x"}"#, Some("3"))]);
    assert_eq!(run.turns[0].calls[1].observation_state, ObservationState::Missing);
}
