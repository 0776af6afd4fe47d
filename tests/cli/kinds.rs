//! The kind of a log's task is the log's own (`interface.md`, Benchmark): its neighbours, an archive and a copy change no tag.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::ethogram;

/// Writes a script where no repository is known: the deliverable of a terminal task, a scratch file elsewhere
/// (`definitions.md` §3.1).
const COMMAND: &str = "cat > answer.py <<'END'\nprint(1)\nEND";

fn atif() -> String {
    json!({
        "schema_version": "ATIF-v1.5",
        "session_id": "s",
        "agent": {"name": "agent", "version": "1"},
        "steps": [{
            "step_id": 1,
            "source": "agent",
            "message": "m",
            "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {"command": COMMAND}}],
            "observation": {"results": [{"source_call_id": "c", "content": ""}]},
        }],
    })
    .to_string()
}

/// A format that suggests no kind.
fn openhands() -> String {
    let at = "2026-01-01T00:00:00";
    let seen = json!({"metadata": {"exit_code": 0}});
    json!([
        {"id": 0, "timestamp": at, "source": "user", "action": "message", "args": {"content": "Do it"}},
        {"id": 1, "timestamp": at, "source": "agent", "action": "run", "args": {"command": COMMAND}},
        {"id": 2, "timestamp": at, "source": "agent", "observation": "run", "cause": 1, "content": "", "extras": seen},
    ])
    .to_string()
}

/// One log of each kind, and one that its trial makes a terminal task.
fn mixed() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("mixed");
    fs::create_dir_all(logs.join("trial/agent")).unwrap();
    fs::write(logs.join("a.json"), atif()).unwrap();
    fs::write(logs.join("b.json"), openhands()).unwrap();
    fs::write(logs.join("trial/agent/c.json"), openhands()).unwrap();
    let trial = json!({
        "task_name": "hello",
        "trial_name": "hello__AbCdEfG",
        "agent_info": {"name": "openhands"},
        "verifier_result": {"rewards": {"reward": 1.0}},
    });
    fs::write(logs.join("trial/result.json"), trial.to_string()).unwrap();
    folder
}

/// Targets of edits, by the name of the file.
fn targets(folder: &Path, path: &str) -> BTreeMap<String, Vec<Value>> {
    let ran = ethogram(folder, &["inspect", "--tags", path]);
    let objects = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_object = |object: Value| {
        let file = object["file"].as_str().unwrap();
        let name = file.rsplit('/').next().unwrap().trim_end_matches(".atif.json").to_owned();
        let turns = object["turn"].as_array().cloned().unwrap_or_default();
        let tags = turns.iter().flat_map(|turn| turn["tags"].as_array().unwrap().clone());
        (name, tags.filter(|tag| tag["tag"] == "editing").map(|tag| tag["target"].clone()).collect())
    };
    objects.map(of_object).collect()
}

#[test]
fn neighbours_change_no_kind() {
    let folder = mixed();
    let want: BTreeMap<String, Vec<Value>> =
        [("a.json", "source"), ("b.json", "scratch"), ("c.json", "source")]
            .map(|(name, target)| (name.to_owned(), vec![json!(target)]))
            .into();
    assert_eq!(targets(folder.path(), "mixed"), want);
    for name in ["a.json", "b.json"] {
        assert_eq!(targets(folder.path(), &format!("mixed/{name}"))[name], want[name], "{name} alone");
    }
    // Copies lie in no trial: they carry what was settled.
    let ran = ethogram(folder.path(), &["convert", "mixed", "--to", "atif", "--out", "copies"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(targets(folder.path(), "copies"), want);
}

#[test]
fn a_store_keeps_the_kind_of_each_log() {
    let folder = mixed();
    let _ = ethogram(folder.path(), &["study", "mixed", "--out", "out"]);
    let asked = |sql: &str| {
        let ran = ethogram(folder.path(), &["query", "out/store", sql, "--format", "csv"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout.lines().skip(1).collect::<Vec<_>>().join(" ")
    };
    let edits = "SELECT task_kind, target FROM edits JOIN trajectories USING (trajectory_id) ORDER BY file";
    let want = "terminal,source repo,scratch terminal,source";
    assert_eq!(asked(edits), want);
    // The benchmark, which nothing names, is of the kind of most.
    assert_eq!(asked("SELECT kind FROM benchmarks"), "terminal");
    let ran = ethogram(folder.path(), &["tag", "out/store", "--again"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(asked(edits), want, "tagged anew");
}
