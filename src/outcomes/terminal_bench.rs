//! Terminal-Bench's `results.json` of a trial and of a run (`formats-other.md` §2). The run's file repeats its trials, and is
//! the only word on those whose folders are gone.
//!
//! Says   `is_resolved` and the result of every test; the end is `failure_mode`.
//! Traps  a time-out says nothing of the outcome (239 of 1,021 in the corpus are resolved); `is_resolved: null` is no failure
//!        though the tool counts it as one; 0 tokens means unknown; the number of a trial is in its name (`k-of-n`), and with
//!        `1-of-1` in five folders the folders are the runs; files of several runs may lie in one folder.

use serde_json::Value;

use super::outcome_file::{OutcomeFile, Rank};
use super::trial::{ToldBy, Trial, above, below};
use super::{Head, OutcomeShape, lists};
use crate::data::statuses;
use crate::model::outcome::{GraderTest, TestCounts};
use crate::model::time::iso;
use crate::model::{Problem, Termination, TestStatus, UnscoredReason, Verdict, Weight};

/// One trial.
pub const TRIAL: OutcomeShape = OutcomeShape {
    name: "terminal-bench-trial",
    about: "results.json of a Terminal-Bench trial: resolved or not, test by test, and how it ended",
    sniff: sniff_trial,
    read: read_trial,
};

/// All trials of a run.
pub const RUN: OutcomeShape = OutcomeShape {
    name: "terminal-bench-run",
    about: "results.json of a Terminal-Bench run: all of its trials",
    sniff: sniff_run,
    read: read_run,
};

/// The harness's name in `statuses.csv`.
const HARNESS: &str = "terminal-bench";
/// Keys of every trial.
const TRIAL_KEYS: [&str; 4] = ["trial_name", "task_id", "is_resolved", "failure_mode"];
/// A terminal task has no tests that passed before.
const GROUP: &str = "FAIL_TO_PASS";

fn sniff_trial(head: &Head) -> bool {
    !head.json.is_list && TRIAL_KEYS.iter().all(|key| head.json.has(key))
}

fn sniff_run(head: &Head) -> bool {
    let json = &head.json;
    let is_empty = json.has_list("results") && json.has("n_resolved") && json.has("n_unresolved");
    !json.is_list && (json.has_list_of("results", &TRIAL_KEYS) || is_empty)
}

fn read_trial(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, TRIAL.name, Rank::Trial);
    let record = Value::Object(lists::object(&mut file, bytes));
    let folder = above(path).to_owned();
    // RUN/TASK/TRIAL/results.json
    let job = (!folder.is_empty()).then(|| above(above(&folder)).to_owned());
    match trial(&record, folder, ToldBy::Record) {
        Some(trial) => file.trials.push(Trial { job, ..trial }),
        None if file.problems.is_empty() => lost(&mut file, String::new()),
        None => {}
    }
    file
}

fn read_run(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, RUN.name, Rank::Trial);
    let run = Value::Object(lists::object(&mut file, bytes));
    let folder = above(path);
    for (index, record) in run.get("results").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        let of_trial = below(&below(folder, text("task_id")), text("trial_name"));
        match trial(record, of_trial, ToldBy::List) {
            Some(trial) => file.trials.push(Trial { job: Some(job_of(path)), ..trial }),
            None => lost(&mut file, format!("record {}", index + 1)),
        }
    }
    file
}

fn lost(file: &mut OutcomeFile, place: String) {
    file.problem(Problem::new(Weight::Refused, place, "a trial without a task's id: its verdict is lost"));
}

/// A run is its folder; where files of several runs lie in one folder, it is the file.
fn job_of(path: &str) -> String {
    match path.rsplit('/').next() {
        Some("results.json") => above(path).to_owned(),
        _ => path.strip_suffix(".json").unwrap_or(path).to_owned(),
    }
}

fn trial(record: &Value, folder: String, told_by: ToldBy) -> Option<Trial> {
    let text = |key: &str| record.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (name, instance_id) = (text("trial_name")?, text("task_id")?);
    let number = number(name, instance_id);
    let raw_status = text("failure_mode");
    let known = raw_status.and_then(|raw| statuses::termination(HARNESS, raw));
    let time = |key: &str| text(key).and_then(iso);
    let count = |key: &str| record.get(key).and_then(Value::as_i64).filter(|count| *count > 0);
    Some(Trial {
        id: text("id").or_else(|| text("uuid")).map(str::to_owned),
        run: number.map(|(run, _)| run),
        attempts: number.map(|(_, attempts)| attempts),
        started_at: time("trial_started_at"),
        agent_ended_at: time("agent_ended_at"),
        ended_at: time("trial_ended_at"),
        raw_status: raw_status.map(str::to_owned),
        termination: known.unwrap_or(Termination::Unknown),
        tokens_in: count("total_input_tokens"),
        tokens_out: count("total_output_tokens"),
        verdict: verdict(record, raw_status),
        ..Trial::new(folder, name.to_owned(), instance_id.to_owned(), told_by)
    })
}

/// Run from 0 and attempts of `TASK.2-of-5.RUN`.
fn number(name: &str, task: &str) -> Option<(i64, i64)> {
    let numbers = name.strip_prefix(task)?.strip_prefix('.')?;
    let (run, attempts) = numbers.split('.').next()?.split_once("-of-")?;
    let number = |text: &str| if text.len() <= 5 { text.parse::<i64>().ok() } else { None };
    let (run, attempts) = (number(run)?, number(attempts)?);
    (1..=attempts).contains(&run).then_some((run - 1, attempts))
}

fn verdict(record: &Value, raw_status: Option<&str>) -> Verdict {
    let bare = match record.get("is_resolved").and_then(Value::as_bool) {
        Some(resolved) => Verdict::scored(resolved),
        None => Verdict::unscored(match raw_status {
            Some("test_timeout") => UnscoredReason::TestTimeout,
            None | Some("unset" | "none") => UnscoredReason::Null,
            Some(raw) => UnscoredReason::Other(raw.to_owned()),
        }),
    };
    let tests = tests(record);
    let passed = tests.iter().filter(|test| test.status == TestStatus::Passed).count() as i64;
    let counts =
        TestCounts { f2p_passed: passed, f2p_total: tests.len() as i64, p2p_passed: 0, p2p_total: 0 };
    Verdict { counts: (!tests.is_empty()).then_some(counts), tests, ..bare }
}

fn tests(record: &Value) -> Vec<GraderTest> {
    let results = record.get("parser_results").and_then(Value::as_object).into_iter().flatten();
    let status = |value: &Value| match value.as_str()? {
        "passed" => Some(TestStatus::Passed),
        "failed" => Some(TestStatus::Failed),
        _ => None,
    };
    let test = |(name, value): (&String, &Value)| {
        Some(GraderTest { group: GROUP.to_owned(), name: name.clone(), status: status(value)? })
    };
    results.filter_map(test).collect()
}
