//! A run whose files follow each other (`X.json`, `X.cont-1.json`): one run of a study, two logs for who looks at files.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::copy;
use crate::support::{ethogram, repository};

/// A file of one run with these steps; the last goes on in no other.
fn part(next: Option<&str>, steps: &[Value], total: i64) -> String {
    json!({
        "schema_version": "ATIF-v1.5",
        "session_id": "s",
        "agent": {"name": "agent", "version": "1"},
        "steps": steps,
        "continued_trajectory_ref": next,
        "final_metrics": {"total_prompt_tokens": total},
    })
    .to_string()
}

fn step(id: i64, command: &str, is_copied: bool) -> Value {
    json!({
        "step_id": id,
        "source": "agent",
        "message": "m",
        "is_copied_context": is_copied,
        "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {"command": command}}],
        "metrics": {"prompt_tokens": 10},
    })
}

/// Ten files after the first, so that their order is by number; each repeats the step of the file before.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("arm");
    fs::create_dir(&logs).unwrap();
    for number in 0..=10 {
        let name = if number == 0 { "t.json".to_owned() } else { format!("t.cont-{number}.json") };
        let next = (number < 10).then(|| format!("t.cont-{}.json", number + 1));
        let mut steps = vec![step(2, &format!("echo {number}"), false)];
        if number > 0 {
            steps.insert(0, step(1, &format!("echo {}", number - 1), true));
        }
        fs::write(logs.join(name), part(next.as_deref(), &steps, 10 * number + 500)).unwrap();
    }
    fs::write(logs.join("u.cont-1.json"), part(None, &[step(1, "ls", false)], 10)).unwrap();
    folder
}

/// All files below a folder, as paths below it.
fn files_below(root: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn asked(folder: &TempDir, sql: &str) -> String {
    let ran = ethogram(folder.path(), &["query", "out/store", sql, "--format", "csv"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_that_goes_on_in_further_files_is_one_run() {
    let folder = folder();
    let _ = ethogram(folder.path(), &["study", "arm", "--out", "out"]);
    let runs = "SELECT file, n_model_turns, tokens_in FROM trajectories ORDER BY file";
    assert_eq!(asked(&folder, runs), "arm/t.json,11,600\narm/u.cont-1.json,1,10");
    // What a file repeats of the one before counts once where both are joined.
    assert_eq!(asked(&folder, "SELECT steps FROM trajectories ORDER BY file"), "11\n1");
    let order = "SELECT input FROM call_text JOIN trajectories USING (trajectory_id) \
                 WHERE n_model_turns = 11 ORDER BY turn";
    let said: Vec<String> = (0..=10).map(|number| format!("echo {number}")).collect();
    assert_eq!(asked(&folder, order), said.join("\n"));
    assert_eq!(asked(&folder, "SELECT kind FROM benchmarks"), "terminal");
}

#[test]
fn runs_of_several_files_are_not_read_again() {
    let folder = folder();
    let ingest = || {
        let ran = ethogram(folder.path(), &["ingest", "arm", "--store", "s"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    assert!(ingest().contains("2 trajectories read"));
    assert!(ingest().contains("unchanged, not read again"));
    let last = folder.path().join("arm/t.cont-10.json");
    fs::write(&last, part(None, &[step(2, "echo changed", false)], 10)).unwrap();
    assert!(ingest().contains("2 trajectories read"), "a file of the run changed");
    fs::remove_file(&last).unwrap();
    assert!(ingest().contains("2 trajectories read"), "a file of the run is gone");
    assert!(ingest().contains("unchanged, not read again"));
}

#[test]
fn a_folder_that_is_one_log_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("arm/log");
    copy(&repository().join("fixtures/formats/openhands-0-session/cache-beside-events"), &log);
    let ingest = || {
        let ran = ethogram(folder.path(), &["ingest", "arm", "--store", "s"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    assert!(ingest().contains("1 trajectories read"));
    assert!(ingest().contains("unchanged, not read again"));
    let events = files_below(&log).into_iter().find(|path| path.contains("events/")).unwrap();
    let path = log.join(&events);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text + "\n").unwrap();
    assert!(ingest().contains("1 trajectories read"), "{events} changed");
}

#[test]
fn who_looks_at_files_sees_each_file() {
    let folder = folder();
    let ran = ethogram(folder.path(), &["inspect", "arm"]);
    let turns: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["turns"].clone())
        .collect();
    assert_eq!(turns, vec![json!(1); 12]);
}
