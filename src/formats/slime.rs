//! Samples of slime and Miles as JSON Lines (`formats-other.md` §11). Their own files are pickles, which nobody should open
//! but the program that wrote them: `refusal` says how a person exports one.
//!
//! Never here: pickles.

use super::json;
use super::json::lenient::{as_number, as_whole, at, filled, flag, list, number, whole};
use super::messages::say_all;
use super::rendered_chat::continued;
use super::row::{Row, name, of_prompt};
use super::{Evidence, Format, Read, Sketch, Sniff};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// Samples of slime and Miles.
pub const FORMAT: Format = Format {
    name: "slime",
    written_by: "slime and Miles, samples exported as JSON Lines",
    files: "{rollout}.jsonl",
    lacks: &[
        "the task's id, unless it is among the metadata: samples of one prompt are one instance",
        "which samples are parts of one run, where a run was parted",
        "model, times",
    ],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().filter(|value| is_sample(value)).count() * 2 > values.len()),
    read: |input| {
        let mut read = Read::default();
        let Read { trajectories, problems, .. } = &mut read;
        json::records(input.bytes(), input.lines_before, problems, |record, problems| {
            // A dump that was exported whole holds its samples in a list.
            let samples = list(&record.value, "samples");
            let step = whole(&record.value, "rollout_id");
            if samples.is_empty() {
                trajectories.extend(sample(&record.value, None, record.place(), problems));
            }
            for (index, value) in samples.iter().enumerate() {
                let place = format!("{}, sample {}", record.place(), index + 1);
                trajectories.extend(sample(value, step, place, problems));
            }
        });
        read
    },
};

/// States of a sample.
const STATES: [&str; 5] = ["pending", "completed", "truncated", "aborted", "failed"];

fn is_sample(value: &Sketch) -> bool {
    if let Some(first) = value.first("samples") {
        return value.has("rollout_id") && first.has("response");
    }
    let has_state = value.text("status").is_some_and(|state| STATES.contains(&state));
    let has_prompt = value.get("prompt").is_some_and(|prompt| prompt.is_list() || prompt.as_text().is_some());
    has_state && has_prompt && value.text("response").is_some() && value.has("reward")
}

fn sample(
    value: &Value,
    step: Option<i64>,
    place: String,
    problems: &mut Vec<Problem>,
) -> Option<Trajectory> {
    let Some(response) = value.get("response").and_then(Value::as_str) else {
        problems.push(Problem::new(Weight::Refused, place, "no `response`: left out"));
        return None;
    };
    let (before, after, prompt) = match value.get("prompt") {
        Some(Value::String(prompt)) => {
            let said = continued(prompt, response);
            (said.before, said.after, prompt.clone())
        }
        prompt => {
            let messages = prompt.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let prompt = prompt.map(Value::to_string).unwrap_or_default();
            (say_all(messages).0, continued("", response).after, prompt)
        }
    };
    let metadata = value.get("metadata").unwrap_or(&Value::Null);
    let reward = value.get("reward").and_then(|reward| match reward {
        Value::Object(_) => ["score", "reward", "acc"].iter().find_map(|key| number(reward, key)),
        reward => as_number(reward),
    });
    let row = Row {
        place,
        instance_id: name(metadata, &["instance_id", "task_id"]).or_else(|| Some(of_prompt(&prompt))),
        session_id: name(value, &["session_id", "rollout_id"]),
        reward,
        resolved: at(metadata, &["resolved"]).and_then(Value::as_bool),
        is_unscored: value.get("reward").is_some_and(Value::is_null),
        is_masked: flag(value, "remove_sample") == Some(true),
        scaffold: Some("slime".to_owned()),
        status: filled(value, "status").map(str::to_owned),
        train_step: whole(value, "train_step").or(step),
        is_sample: true,
        ..Row::default()
    };
    let mut run = row.continued(FORMAT.name, before, after);
    // The length counts what the environment wrote too; the mask tells the model's own tokens.
    let own = list(value, "loss_mask").iter().filter_map(as_whole).sum::<i64>();
    run.tokens_out = Some(own).filter(|count| *count > 0);
    Some(run)
}
