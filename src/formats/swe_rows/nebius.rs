//! Rows of nebius' SWE-agent trajectories: `trajectory` of `role` (system, user, ai) and `text`, with exit status, patch and
//! whether the tests passed (`target`).

use super::fenced::{Shell, is_made_up};
use crate::data::statuses;
use crate::formats::json::lenient::{filled, flag, list, text};
use crate::formats::row::{name, read_trajectories};
use crate::formats::{Evidence, Format, Sketch, Sniff, swe_agent};
use crate::model::{CommandSet, Problem, Trajectory, UnscoredReason, Verdict, Weight};
use serde_json::Value;

/// Rows of nebius' data set of SWE-agent's runs.
pub const NEBIUS: Format = Format {
    name: "swe-agent-rows",
    written_by: "nebius' data set of SWE-agent 0.x, exported as JSON Lines",
    files: "*.jsonl",
    lacks: &["times, tokens and cost", "exit codes"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().any(is_row)),
    read: |input| read_trajectories(input, trajectory),
};

/// Entries of role and text under `trajectory`, and what the data set says of the run.
fn is_row(value: &Sketch) -> bool {
    let is_entry = |entry: &Sketch| {
        matches!(entry.text("role"), Some("system" | "user" | "ai"))
            && (entry.has("text") || entry.has("system_prompt"))
            && !entry.has("content")
    };
    let is_chat = value.first("trajectory").is_some_and(is_entry);
    is_chat && value.text("instance_id").is_some() && (value.has("exit_status") || value.has("target"))
}

fn trajectory(value: &Value, place: String, problems: &mut Vec<Problem>) -> Trajectory {
    let mut run = Trajectory::new(NEBIUS.name, swe_agent::SCAFFOLD);
    run.place = place;
    run.commands = CommandSet::SweAgent;
    run.instance_id = name(value, &["instance_id"]);
    run.model = name(value, &["model_name", "model"]);
    run.is_sample = true;
    let entries = list(value, "trajectory");
    let made_up = entries.last().filter(|entry| text(entry, "role") == Some("ai"));
    let made_up = made_up.and_then(|entry| text(entry, "text")).filter(|text| is_made_up(text));
    let kept = entries.len() - usize::from(made_up.is_some());
    let (mut shell, mut strange) = (Shell::default(), 0);
    for entry in entries.iter().take(kept) {
        let said = text(entry, "text").unwrap_or_default();
        match text(entry, "role") {
            Some("system") => {
                let prompt = filled(entry, "system_prompt").or_else(|| filled(entry, "text"));
                run.system = run.system.take().or(prompt.map(str::to_owned));
            }
            Some("ai") => shell.respond(&mut run, said),
            Some("user") => shell.prompt(&mut run, said),
            _ => strange += 1,
        }
    }
    if strange > 0 {
        let what = format!("{strange} entries have no known role and were left out");
        problems.push(Problem::new(Weight::Refused, run.place.clone(), what));
    }
    run.has_log = !run.turns.is_empty();
    run.steps = i64::try_from(run.turns.len() + usize::from(made_up.is_some())).ok();
    run.verdict = verdict(value);
    let status = filled(value, "exit_status").map(str::to_owned);
    // Where the row says nothing, the text that the scaffold made up does.
    let status = status.or_else(|| {
        made_up.map(str::to_owned).filter(|text| statuses::termination(swe_agent::SCAFFOLD, text).is_some())
    });
    swe_agent::settle(&mut run, status, filled(value, "generated_patch").map(str::to_owned), None);
    run
}

fn verdict(value: &Value) -> Option<Verdict> {
    match value.get("target")? {
        Value::Null => Some(Verdict::unscored(UnscoredReason::Null)),
        _ => flag(value, "target").map(Verdict::scored),
    }
}
