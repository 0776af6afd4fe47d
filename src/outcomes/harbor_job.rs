//! Harbor's `result.json` of one job (`formats-other.md` §1): the names of its trials under each reward and each exception.
//! It repeats the trials; it is the only word on those whose folders are gone.
//!
//! Says   name, reward and exception of each trial that came to an end.
//! Traps  rewards are keys written as texts (`"1.0"`); the mean divides by all trials, the scored ones are fewer; old files
//!        name the counts otherwise; a job that was stopped lists what had ended by then; a trial's name cuts its task's to
//!        32 characters.

use std::collections::BTreeMap;

use serde_json::Value;

use super::harbor_trial::{self, Ended};
use super::outcome_file::{OutcomeFile, Rank};
use super::trial::{ToldBy, Trial, above, below};
use super::{Head, OutcomeShape, lists};
use crate::model::InstanceSource;

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "harbor-job",
    about: "result.json of a Harbor job: trials by reward and by exception",
    sniff,
    read,
};

/// A table of trials that people make of jobs whose folders they do not publish.
pub const TABLE: OutcomeShape = OutcomeShape {
    name: "harbor-table",
    about: "a list of tasks with trial_name, task_name and reward, made of a Harbor job",
    sniff: sniff_table,
    read: read_table,
};

fn sniff(head: &Head) -> bool {
    let json = &head.json;
    let is_count = json.value("n_total_trials").is_some_and(|first| first.is_ascii_digit());
    !json.is_list && is_count && json.value("stats") == Some(b'{')
}

fn sniff_table(head: &Head) -> bool {
    !head.json.is_list && head.json.has_list_of("tasks", &["trial_name", "task_name", "reward"])
}

/// What the lists say of one trial.
#[derive(Default)]
struct Told {
    rewards: Vec<(String, f64)>,
    exception: Option<String>,
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Trial);
    let job = Value::Object(lists::object(&mut file, bytes));
    let folder = above(path);
    for record in job.get("trial_results").and_then(Value::as_array).into_iter().flatten() {
        let name = record.get("trial_name").and_then(Value::as_str).unwrap_or_default();
        let trial = harbor_trial::trial(&mut file, record, below(folder, name), ToldBy::List);
        file.trials.extend(trial);
    }
    for (name, told) in told_by_lists(&job) {
        if file.trials.iter().any(|trial| trial.name == name) {
            continue;
        }
        let ended = Ended { exception: told.exception.as_deref(), is_valid: None };
        let (termination, verdict) =
            (ended.termination(), harbor_trial::verdict(&mut file, name, &told.rewards, &ended));
        file.trials.push(Trial {
            instance_source: InstanceSource::Path,
            job: Some(folder.to_owned()),
            termination,
            verdict,
            raw_status: told.exception,
            ..Trial::new(below(folder, name), name.to_owned(), instance_of(name).to_owned(), ToldBy::List)
        });
    }
    file
}

/// Trials by name.
fn told_by_lists(job: &Value) -> BTreeMap<&str, Told> {
    let mut trials: BTreeMap<&str, Told> = BTreeMap::new();
    let evals = job.get("stats").and_then(|stats| stats.get("evals")).and_then(Value::as_object);
    for eval in evals.into_iter().flat_map(serde_json::Map::values) {
        let of = |key: &str| eval.get(key).and_then(Value::as_object).into_iter().flatten();
        for (key, by_reward) in of("reward_stats") {
            for (reward, names) in by_reward.as_object().into_iter().flatten() {
                let Some(reward) = reward.trim().parse().ok().filter(|reward: &f64| reward.is_finite())
                else {
                    continue;
                };
                for name in names_of(names) {
                    trials.entry(name).or_default().rewards.push((key.clone(), reward));
                }
            }
        }
        for (exception, names) in of("exception_stats") {
            for name in names_of(names) {
                trials.entry(name).or_default().exception = Some(exception.clone());
            }
        }
    }
    trials
}

fn names_of(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).filter(|name| !name.is_empty())
}

/// The task in a trial's name: all but the random end. Long names of tasks are cut in it.
pub(super) fn instance_of(name: &str) -> &str {
    name.rsplit_once("__").map_or(name, |(task, _)| task)
}

fn read_table(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, TABLE.name, Rank::Trial);
    let table = Value::Object(lists::object(&mut file, bytes));
    let folder = above(path);
    for row in table.get("tasks").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| row.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (Some(name), Some(instance_id)) = (text("trial_name"), text("task_name")) else { continue };
        let reward = row.get("reward").and_then(Value::as_f64).filter(|reward| reward.is_finite());
        let rewards: Vec<(String, f64)> =
            reward.map(|reward| ("reward".to_owned(), reward)).into_iter().collect();
        let ended = Ended { exception: text("exception_type"), is_valid: None };
        let (termination, verdict) =
            (ended.termination(), harbor_trial::verdict(&mut file, name, &rewards, &ended));
        file.trials.push(Trial {
            job: Some(folder.to_owned()),
            raw_status: ended.exception.map(str::to_owned),
            termination,
            verdict,
            ..Trial::new(below(folder, name), name.to_owned(), instance_id.to_owned(), ToldBy::List)
        });
    }
    file
}
