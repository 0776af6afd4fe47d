//! Who a run is, and who speaks of it, where files could be taken for each other (`definitions.md` §1).

use std::fs;

use serde_json::{Value, json};

use crate::support::ethogram;

fn asked(folder: &std::path::Path, sql: &str) -> String {
    let ran = ethogram(folder, &["query", "out/store", sql, "--format", "csv"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().skip(1).collect::<Vec<_>>().join(" ")
}

/// A log of Inspect with one sample, whose id is 1 in every task.
fn task(name: &str, id: i64, answer: &str) -> String {
    json!({
        "version": 2,
        "status": "success",
        "eval": {"task": name, "model": "m"},
        "samples": [{
            "id": id,
            "epoch": 1,
            "input": "q",
            "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": answer}],
            "scores": {"match": {"value": "C"}},
        }],
    })
    .to_string()
}

#[test]
fn tasks_that_share_ids_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("arm")).unwrap();
    fs::write(folder.path().join("arm/a.json"), task("gsm8k", 1, "4")).unwrap();
    fs::write(folder.path().join("arm/b.json"), task("math", 1, "5")).unwrap();
    fs::write(folder.path().join("arm/c.json"), task("math", 2, "6")).unwrap();
    let ran = ethogram(folder.path(), &["study", "arm", "--out", "out"]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    let runs = "SELECT instance_id, resolved FROM outcomes ORDER BY instance_id";
    assert_eq!(asked(folder.path(), runs), "gsm8k/1,true math/1,true math/2,true");
    // Alone, a task's ids are as they are.
    let ran = ethogram(folder.path(), &["inspect", "arm/a.json"]);
    let object: Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(object["instance_id"], "1");
}

/// Naming outcomes switches the search off; the record of a trial is part of its log, and says nothing of a run of which a
/// named file speaks.
#[test]
fn a_trial_keeps_its_record_beside_named_outcomes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, reward) in [("hello__AbCdEfG", 0.0), ("other__AbCdEfG", 1.0)] {
        let trial = folder.path().join("arm").join(name);
        fs::create_dir_all(trial.join("agent")).unwrap();
        let record = json!({
            "task_name": name.split("__").next().unwrap(),
            "trial_name": name,
            "agent_info": {"name": "agent"},
            "exception_info": {"exception_type": "AgentTimeoutError"},
            "verifier_result": {"rewards": {"reward": reward}},
        });
        fs::write(trial.join("result.json"), record.to_string()).unwrap();
        let step = json!({"step_id": 1, "source": "agent", "message": name});
        let log = json!({"schema_version": "ATIF-v1.5", "session_id": name, "agent": {"name": "a", "version": "1"},
                         "steps": [step]});
        fs::write(trial.join("agent/trajectory.json"), log.to_string()).unwrap();
    }
    // A list that nobody named: it is not searched for.
    fs::write(folder.path().join("arm/outcomes.csv"), "instance_id,resolved\nother,false\n").unwrap();
    fs::write(folder.path().join("graded.csv"), "instance_id,resolved\nhello,true\n").unwrap();
    let ran = ethogram(folder.path(), &["study", "arm", "--outcomes", "graded.csv", "--out", "out"]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    let runs = "SELECT instance_id, resolved FROM outcomes ORDER BY instance_id";
    assert_eq!(asked(folder.path(), runs), "hello,true other,true");
    let ends = "SELECT instance_id, termination FROM trajectories ORDER BY instance_id";
    assert_eq!(asked(folder.path(), ends), "hello,time_limit other,time_limit");
}
