//! Rows of data sets that keep OpenHands' prompts and responses as chat messages under `trajectory`, with patch and verdict.

use super::{SCAFFOLD, result};
use crate::formats::json::lenient::{as_whole, filled, list, text};
use crate::formats::messages::{is_message, say_all};
use crate::formats::row::{Row, name, read_trajectories};
use crate::formats::{Evidence, Format, Sketch, Sniff};
use crate::model::{Problem, Trajectory, UnscoredReason, Verdict, Weight};
use serde_json::Value;

/// Rows of data sets of OpenHands' runs.
pub const ROWS: Format = Format {
    name: "openhands-rows",
    written_by: "data sets of OpenHands' runs (nebius, nvidia), exported as JSON Lines",
    files: "*.jsonl",
    lacks: &["times, tokens and cost"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().any(is_row)),
    read: |input| read_trajectories(input, trajectory),
};

/// Chat messages under `trajectory`, an instance, and an id or a patch of the run.
fn is_row(value: &Sketch) -> bool {
    let is_chat = value.first("trajectory").is_some_and(|first| is_message(first) && first.has("content"));
    let has_run = value.text("trajectory_id").is_some() || value.has("model_patch");
    is_chat && has_run && value.text("instance_id").is_some() && !value.has("schema_version")
}

fn trajectory(value: &Value, place: String, problems: &mut Vec<Problem>) -> Trajectory {
    let (said, strange) = say_all(list(value, "trajectory"));
    if strange > 0 {
        let what = format!("{strange} messages have no known role and were left out");
        problems.push(Problem::new(Weight::Refused, place.clone(), what));
    }
    let row = Row {
        place,
        instance_id: name(value, &["instance_id"]),
        session_id: name(value, &["trajectory_id"]),
        scaffold: Some(SCAFFOLD.to_owned()),
        model: name(value, &["model", "model_name"]),
        status: filled(value, "exit_status").map(str::to_owned),
        patch: text(value, "model_patch").map(str::to_owned),
        has_patch: value.get("model_patch").is_some(),
        is_sample: true,
        can_submit: true,
        ..Row::default()
    };
    let mut run = row.trajectory(ROWS.name, said);
    run.verdict = verdict(value.get("resolved"));
    run.turns.iter_mut().flat_map(|turn| &mut turn.calls).for_each(result::refine);
    run.logs_exit_codes = run.has_log;
    run
}

/// 1 and 0, or true and false; a negative number says that nobody graded it.
fn verdict(resolved: Option<&Value>) -> Option<Verdict> {
    match resolved? {
        Value::Bool(is_solved) => Some(Verdict::scored(*is_solved)),
        number => Some(match as_whole(number)? {
            1 => Verdict::scored(true),
            0 => Verdict::scored(false),
            _ => Verdict::unscored(UnscoredReason::Incomplete),
        }),
    }
}
