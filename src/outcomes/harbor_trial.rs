//! Harbor's `result.json` of one trial (`formats-other.md` §1): who ran, how long, how it ended, what the verifier gave.
//!
//! Says   instance, model, agent, times, tokens; the end is `exception_type`, the outcome is `rewards`.
//! Traps  a time-out says nothing of the outcome (14 of 45 timed-out trials of the corpus passed); a reward counts only where
//!        the harness's policy lets it: not after errors of environment, set-up, model service or verifier, and not after a
//!        cancellation, which leaves a reward 0 behind; the folder's name cuts long task names, `task_name` does not.

use serde_json::Value;

use super::outcome_file::{OutcomeFile, Rank};
use super::trial::{ToldBy, Trial, above};
use super::{Head, OutcomeShape, lists};
use crate::data::statuses;
use crate::model::time::iso;
use crate::model::{EndClass, Problem, Termination, UnscoredReason, Verdict, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "harbor-trial",
    about: "result.json of a Harbor trial: reward, exception, times, tokens",
    sniff,
    read,
};

/// The harness's name in `statuses.csv`.
const HARNESS: &str = "harbor";

/// The reward that a set of several is known by.
const MAIN_REWARD: &str = "reward";

/// Exceptions of the verifier. They say nothing of the run's end, and the reward beside them is none.
const VERIFIER_ERRORS: [&str; 6] = [
    "AddTestsDirError",
    "DownloadVerifierDirError",
    "RewardFileEmptyError",
    "RewardFileNotFoundError",
    "VerifierOutputParseError",
    "VerifierTimeoutError",
];

fn sniff(head: &Head) -> bool {
    let json = &head.json;
    !json.is_list
        && json.value("trial_name") == Some(b'"')
        && json.value("task_name") == Some(b'"')
        && matches!(json.value("agent_info"), Some(b'{' | b'n'))
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Trial);
    let record = Value::Object(lists::object(&mut file, bytes));
    if let Some(trial) = trial(&mut file, &record, above(path).to_owned(), ToldBy::Record) {
        file.trials.push(trial);
    }
    file
}

/// The trial of a record; `None` where it names no instance. Used for the records in a job's file too.
pub(super) fn trial(
    file: &mut OutcomeFile,
    record: &Value,
    folder: String,
    told_by: ToldBy,
) -> Option<Trial> {
    let text = |path: &[&str]| find(record, path).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (Some(name), Some(instance_id)) = (text(&["trial_name"]), text(&["task_name"])) else {
        if !record.as_object().is_none_or(serde_json::Map::is_empty) {
            file.problem(Problem::new(
                Weight::Refused,
                "",
                "a trial without a task's name: its verdict is lost",
            ));
        }
        return None;
    };
    let count = |key: &str| find(record, &["agent_result", key]).and_then(Value::as_i64);
    let time = |path: &[&str]| text(path).and_then(iso);
    let exception = text(&["exception_info", "exception_type"]);
    let ended = Ended { exception, is_valid: validity(record) };
    let rewards = rewards(find(record, &["verifier_result", "rewards"]));
    Some(Trial {
        id: text(&["id"]).map(str::to_owned),
        job: (!folder.is_empty()).then(|| above(&folder).to_owned()),
        model: model(record),
        scaffold: text(&["agent_info", "name"]).map(str::to_owned),
        started_at: time(&["started_at"]),
        agent_ended_at: time(&["agent_execution", "finished_at"]),
        ended_at: time(&["finished_at"]),
        raw_status: exception.map(str::to_owned),
        termination: ended.termination(),
        tokens_in: count("n_input_tokens"),
        tokens_out: count("n_output_tokens"),
        cost_usd: find(record, &["agent_result", "cost_usd"]).and_then(Value::as_f64),
        verdict: verdict(file, name, &rewards, &ended),
        ..Trial::new(folder, name.to_owned(), instance_id.to_owned(), told_by)
    })
}

fn find<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| value.get(*key)).filter(|value| !value.is_null())
}

/// `provider/name`; agents that are loaded by an import path have none there, and may have one in their config.
fn model(record: &Value) -> Option<String> {
    let text = |path: &[&str]| find(record, path).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text(&["agent_info", "model_info", "provider"]), text(&["agent_info", "model_info", "name"])) {
        (Some(provider), Some(name)) => Some(format!("{provider}/{name}")),
        (None, Some(name)) => Some(name.to_owned()),
        (_, None) => text(&["config", "agent", "model_name"]).map(str::to_owned),
    }
}

/// The harness's own word on the reward, in files new enough to have one.
fn validity(record: &Value) -> Option<bool> {
    let places: [&[&str]; 3] =
        [&["reward_valid"], &["verifier_result", "reward_valid"], &["exception_info", "reward_valid"]];
    places.into_iter().find_map(|place| find(record, place)?.as_bool())
}

/// How a trial ended, as far as it tells whether its reward counts.
pub(super) struct Ended<'a> {
    /// Name of the exception's class.
    pub exception: Option<&'a str>,
    /// The harness's own word.
    pub is_valid: Option<bool>,
}

impl Ended<'_> {
    /// What the exception says of the end.
    pub fn termination(&self) -> Termination {
        let known = self.exception.and_then(|name| statuses::termination(HARNESS, name));
        known.unwrap_or(Termination::Unknown)
    }

    /// Names that nobody knows leave the reward valid, as the harness itself has it.
    fn lets_count(&self) -> bool {
        self.is_valid.unwrap_or_else(|| {
            let is_verifiers = self.exception.is_some_and(|name| VERIFIER_ERRORS.contains(&name));
            !is_verifiers && self.termination().class() != EndClass::Infrastructure
        })
    }

    fn reason(&self) -> UnscoredReason {
        match (self.exception, self.is_valid) {
            (Some(name), _) => UnscoredReason::Other(name.to_owned()),
            (None, Some(false)) => UnscoredReason::Error,
            (None, _) => UnscoredReason::Null,
        }
    }
}

/// Rewards by key; what is no finite number is none.
pub(super) fn rewards(map: Option<&Value>) -> Vec<(String, f64)> {
    let entries = map.and_then(Value::as_object).into_iter().flatten();
    let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
    entries.filter_map(|(key, value)| Some((key.clone(), number(value)?))).collect()
}

/// The verdict of some rewards. Several that stand on both sides of 1 disagree: no verdict, and it is listed.
pub(super) fn verdict(
    file: &mut OutcomeFile,
    name: &str,
    rewards: &[(String, f64)],
    ended: &Ended,
) -> Verdict {
    if !ended.lets_count() || rewards.is_empty() {
        return Verdict::unscored(ended.reason());
    }
    let passes = |reward: f64| reward >= 1.0 - 1e-9;
    let first = rewards[0].1;
    if rewards.iter().any(|(_, reward)| passes(*reward) != passes(first)) {
        let listed: Vec<String> = rewards.iter().map(|(key, reward)| format!("{key} {reward}")).collect();
        let what = format!("`{name}`: rewards that disagree ({}): unscored", listed.join(", "));
        file.problem(Problem::new(Weight::Refused, "", what));
        return Verdict::unscored(UnscoredReason::Contradiction);
    }
    let main = rewards.iter().find(|(key, _)| key == MAIN_REWARD).map(|(_, reward)| *reward);
    let shared = rewards.iter().all(|(_, reward)| *reward == first).then_some(first);
    match main.or(shared) {
        Some(reward) => Verdict { resolved: None, reward: Some(reward), ..Verdict::scored(false) },
        None => Verdict::scored(passes(first)),
    }
}
