//! Step dumps of verl (`formats-other.md` §11): one sample a line, prompt and response as text rendered by a chat template,
//! with marks or stripped of them.
//!
//! Never here: which environment made the extra keys.

use super::json;
use super::json::lenient::{as_number, filled, flag, text, whole};
use super::rendered_chat::continued;
use super::row::{Row, name, of_prompt};
use super::{Evidence, Format, Read, Sketch, Sniff};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// Step dumps of verl.
pub const FORMAT: Format = Format {
    name: "verl",
    written_by: "verl, rollout and validation dumps (`{step}.jsonl`)",
    files: "{step}.jsonl",
    lacks: &[
        "the task's id, unless it is among the extra keys: samples of one prompt are one instance",
        "model, times, tokens, how a sample ended",
        "turns, where the decoder left neither marks nor role words",
    ],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().filter(|value| is_sample(value)).count() * 2 > values.len()),
    read: |input| {
        let mut read = Read::default();
        let Read { trajectories, problems, .. } = &mut read;
        json::records(input.bytes(), input.lines_before, problems, |record, problems| {
            match sample(&record.value, record.place()) {
                Some(run) => trajectories.push(run),
                None => {
                    let what = "no `input` and `output`: left out";
                    problems.push(Problem::new(Weight::Refused, record.place(), what));
                }
            }
        });
        read
    },
};

fn is_sample(value: &Sketch) -> bool {
    let has_texts = value.text("input").is_some() && value.text("output").is_some();
    has_texts && ["score", "step"].iter().all(|key| matches!(value.get(key), Some(Sketch::Number(_))))
}

fn sample(value: &Value, place: String) -> Option<Trajectory> {
    let (prompt, output) = (text(value, "input")?, text(value, "output")?);
    let said = continued(prompt, output);
    // A score may be negative, or sum up more than success; `acc` is success alone.
    let accuracy = flag(value, "acc").or_else(|| value.get("acc").and_then(as_number).map(|acc| acc >= 1.0));
    let row = Row {
        place,
        instance_id: name(value, &["instance_id", "task_id", "uid"]).or_else(|| Some(of_prompt(prompt))),
        session_id: filled(value, "request_id").map(str::to_owned),
        reward: value.get("score").and_then(as_number),
        resolved: accuracy,
        is_unscored: value.get("score").is_some_and(Value::is_null),
        train_step: whole(value, "step"),
        is_sample: true,
        ..Row::default()
    };
    Some(row.continued(FORMAT.name, said.before, said.after))
}
