//! Structured tools of the scaffolds in common words (`definitions.md` §2, §3).

use super::only;
use ethogram::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, UNKNOWN_TOOL};
use ethogram::model::{Call, CallKind, Operation, Quality, Termination};
use serde_json::{Value, json};

/// The call that a message of a chat makes.
fn call(name: &str, arguments: &Value) -> Call {
    let row = json!({"messages": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": name, "arguments": arguments.to_string()}}]},
    ]});
    only(&row.to_string()).turns.remove(0).calls.remove(0)
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn lines_of_shell_are_taken_from_every_key() {
    for (name, arguments, input, cwd) in [
        ("bash", json!({"command": "ls"}), "ls", None),
        ("functions.bash:0", json!({"command": "ls"}), "ls", None),
        ("shell", json!({"command": ["bash", "-lc", "ls | wc"], "workdir": "/w"}), "ls | wc", Some("/w")),
        ("shell", json!({"command": ["grep", "a b", "x"]}), "grep 'a b' x", None),
        ("exec_command", json!({"cmd": "ls", "workdir": "/w"}), "ls", Some("/w")),
        ("run_shell_command", json!({"command": "ls", "directory": "src"}), "ls", Some("src")),
        ("bash_session", json!({"action": "type_submit", "input": "ls"}), "ls", None),
        ("code_interpreter", json!({"code": "print(1)"}), "python3 - <<'PYTHON'\nprint(1)\nPYTHON", None),
        ("python", json!({"code": "x\nPYTHON\ny"}), "python3 - <<'PYTHON_'\nx\nPYTHON\ny\nPYTHON_", None),
        ("apply_patch", json!({"input": "*** Begin"}), "apply_patch <<'PATCH'\n*** Begin\nPATCH", None),
    ] {
        let call = call(name, &arguments);
        assert_eq!((call.kind, call.input.as_str()), (CallKind::Shell, input), "{name}");
        assert_eq!((call.cwd.as_deref(), call.quality), (cwd, Quality::Valid), "{name}");
    }
}

#[test]
fn tools_do_what_their_names_and_keys_say() {
    let view = |path| Operation::View { path: some(path), lines: None };
    let replace = |old: Option<&str>, new: &str| Operation::Replace {
        path: some("a.py"),
        old: old.map(str::to_owned),
        new: some(new),
    };
    let insert = Operation::Insert { path: some("a.py"), new: some("y") };
    let search = Operation::Search { path: None, pattern: some("q") };
    for (name, arguments, operation) in [
        ("read_file", json!({"filePath": "a.py"}), view("a.py")),
        ("planning_file_editor", json!({"command": "view", "path": "a.py"}), view("a.py")),
        (
            "text_editor",
            json!({"command": "undo_edit", "path": "a.py"}),
            Operation::Undo { path: some("a.py") },
        ),
        ("text_editor", json!({"command": "str_replace", "path": "a.py", "diff": "@@"}), replace(None, "@@")),
        ("edit", json!({"path": "a.py", "before": "x", "after": "y"}), replace(Some("x"), "y")),
        (
            "replace_string_in_file",
            json!({"filePath": "a.py", "oldString": "x", "newString": "y"}),
            replace(Some("x"), "y"),
        ),
        (
            "search_and_replace",
            json!({"path": "a.py", "search": "x", "replace": "y"}),
            replace(Some("x"), "y"),
        ),
        ("apply_diff", json!({"path": "a.py", "diff": "<<<<"}), replace(None, "<<<<")),
        ("insert_content", json!({"path": "a.py", "line": 3, "content": "y"}), insert),
        (
            "MultiEdit",
            json!({"file_path": "a.py", "edits": [{"old_string": "x", "new_string": "y"}]}),
            replace(Some("x"), "y"),
        ),
        ("NotebookEdit", json!({"notebook_path": "a.py", "new_source": "y"}), replace(None, "y")),
        ("codebase_search", json!({"query": "q"}), search),
        ("browser.search", json!({"query": "q"}), Operation::Web { target: some("q") }),
        ("browser.open", json!({"id": 3}), Operation::Web { target: None }),
        ("write_stdin", json!({"session_id": 1, "chars": "q"}), Operation::Neutral),
        ("bash", json!({"restart": true}), Operation::Neutral),
        ("bash_session", json!({"action": "read"}), Operation::Neutral),
        ("bash_session", json!({"action": "interrupt"}), Operation::Neutral),
        ("task_done", json!({}), Operation::Submit),
        ("update_todo_list", json!({"todos": "x"}), Operation::Plan),
    ] {
        let call = call(name, &arguments);
        assert_eq!((call.operation, call.quality), (Some(operation), Quality::Valid), "{name} {arguments}");
    }
}

#[test]
fn what_lacks_its_argument_is_parsable() {
    for (name, arguments, reason) in [
        ("bash", json!({}), MISSING_ARGUMENT),
        ("bash", json!({"restart": false}), MISSING_ARGUMENT),
        ("write_file", json!({"content": "x"}), MISSING_ARGUMENT),
        ("str_replace_editor", json!({"path": "a.py"}), MISSING_ARGUMENT),
        ("str_replace_editor", json!({"command": "view"}), MISSING_ARGUMENT),
        ("str_replace_editor", json!({"command": "veiw", "path": "a.py"}), ARGUMENTS),
    ] {
        let call = call(name, &arguments);
        assert_eq!(
            (call.quality, call.quality_reason),
            (Quality::Parsable, Some(reason)),
            "{name} {arguments}"
        );
        assert_eq!(call.operation, None, "{name}");
    }
}

#[test]
fn an_answer_that_refuses_the_form_counts_in_every_format() {
    let given = json!({"command": "str_replace", "path": "/a"});
    let answer = "Parameter `old_str` is required for command: str_replace.";
    let messages = json!([
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "function": {"name": "str_replace_editor", "arguments": given.to_string()}}]},
        {"role": "tool", "tool_call_id": "a", "content": answer},
    ]);
    let step = json!({"step_id": 1, "source": "agent", "message": "",
        "tool_calls": [{"tool_call_id": "a", "function_name": "str_replace_editor", "arguments": given}],
        "observation": {"results": [{"source_call_id": "a", "content": answer}]}});
    let output = json!([
        {"type": "function_call", "call_id": "a", "name": "str_replace_editor", "arguments": given.to_string()},
        {"type": "function_call_output", "call_id": "a", "output": answer},
    ]);
    for log in [
        messages.clone(),
        json!({"messages": messages}),
        json!({"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": [step]}),
        json!({"responses_create_params": {"input": "Go."}, "reward": 0.0, "response": {"output": output}}),
    ] {
        let run = only(&log.to_string());
        let turn = &run.turns[0];
        assert_eq!(
            (turn.quality(), turn.quality_reason()),
            (Quality::Parsable, Some(MISSING_ARGUMENT)),
            "{log}"
        );
    }
}

#[test]
fn a_last_response_that_ran_into_its_limit_ends_by_it() {
    let end = |reason: &str| {
        let last = json!({"role": "assistant", "content": "I would", "finish_reason": reason});
        only(&json!({"messages": [{"role": "user", "content": "Go."}, last]}).to_string()).termination
    };
    assert_eq!(end("length"), Termination::Limit);
    assert_eq!(end("stop"), Termination::Finished);
}

#[test]
fn opencode_keeps_what_it_could_not_take_under_a_tool_of_its_own() {
    let event = |kind: &str, part: Value| {
        json!({"type": kind, "sessionID": "ses_1", "timestamp": 1_760_000_000_000_i64, "part": part})
            .to_string()
            + "\n"
    };
    let invalid = |error: &str| {
        let state = json!({"status": "completed", "input": {"tool": "librarian", "error": error},
            "output": "The arguments provided to the tool are invalid."});
        event("step_start", json!({"type": "step-start"}))
            + &event("tool_use", json!({"type": "tool", "tool": "invalid", "callID": "a", "state": state}))
            + &event("step_finish", json!({"type": "step-finish", "reason": "tool-calls"}))
    };
    for (error, reason) in [
        ("Model tried to call unavailable tool 'librarian'. Available tools: bash", UNKNOWN_TOOL),
        ("Invalid input for tool librarian: JSON parsing failed", ARGUMENTS),
    ] {
        let call = only(&invalid(error)).turns.remove(0).calls.remove(0);
        assert_eq!(
            (call.tool.as_str(), call.quality, call.quality_reason),
            ("librarian", Quality::Parsable, Some(reason))
        );
    }
}
