//! Events of `opencode run --format json`: `step_start` to `step_finish` is one turn.

use super::SCAFFOLD;
use super::steps::Steps;
use crate::formats::json::lenient::{at, filled, text, time};
use crate::formats::json::records;
use crate::formats::{Evidence, Format, Input, Read, Sketch, Sniff};
use crate::model::{Problem, TaskKind, Trajectory, Weight};
use serde_json::Value;

/// Events of `opencode run --format json`.
pub const EVENTS: Format = Format {
    name: "opencode-run",
    written_by: "opencode run --format json",
    files: "*.jsonl, *.txt",
    lacks: &["instance, model, prompt, patch, outcome"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

/// Kinds of events.
const KINDS: &[&str] = &["step_start", "step_finish", "text", "tool_use", "reasoning", "error"];

fn sniff(values: &[Sketch]) -> bool {
    values.iter().all(|value| {
        value.text("type").is_some_and(|kind| KINDS.contains(&kind))
            && value.text("sessionID").is_some()
            && (value.get("part").is_some_and(Sketch::is_object) || value.has("error"))
    })
}

fn read(input: &Input) -> Read {
    let mut problems = Vec::new();
    let mut sessions: Vec<Steps> = Vec::new();
    records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
        let Some(session) = filled(&record.value, "sessionID") else {
            let what = "no event of a session";
            problems.push(Problem::new(Weight::Refused, record.place(), what));
            return;
        };
        let known = sessions.iter().position(|steps| steps.run.session_id.as_deref() == Some(session));
        let place = known.unwrap_or_else(|| {
            let mut run = Trajectory::new(EVENTS.name, SCAFFOLD);
            run.session_id = Some(session.to_owned());
            run.place = if sessions.is_empty() { String::new() } else { record.place() };
            run.can_submit = false;
            run.logs_exit_codes = true;
            sessions.push(Steps::new(run));
            sessions.len() - 1
        });
        event(&mut sessions[place], &record.value);
    });
    Read {
        trajectories: sessions.into_iter().map(Steps::into_trajectory).collect(),
        problems,
        ..Read::default()
    }
}

fn event(steps: &mut Steps, value: &Value) {
    let logged_at = time(value, "timestamp");
    steps.run.started_at = steps.run.started_at.or(logged_at);
    steps.run.ended_at = logged_at.or(steps.run.ended_at);
    if text(value, "type") == Some("error") {
        let name = value.get("error").and_then(|error| filled(error, "name"));
        steps.run.raw_exit_status = Some(name.unwrap_or("error").to_owned());
        return;
    }
    let Some(part) = value.get("part") else { return };
    steps.run.raw_exit_status = None;
    let began = at(part, &["time"]).and_then(|span| time(span, "start"));
    steps.part(part, began.or(logged_at));
}
