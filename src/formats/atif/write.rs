//! Writes a run as ATIF 1.7: every file passes the strict check, and our own reader gives the same turns back. What ATIF has no
//! field for goes into `extra`, where no other reader looks, and is named as a loss.

use super::kept::{self, KEY, object};
use crate::model::{Call, CallKind, ObservationState, Origin, Quality, Trajectory, Turn};
use serde_json::{Map, Value, json};

/// Something that ATIF has no place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What it is.
    pub what: &'static str,
    /// How often it occurs in the run.
    pub count: usize,
    /// It stands in `extra`, so that ethogram reads it back; other readers lose it.
    pub is_kept: bool,
}

/// The version that is written.
const VERSION: &str = "ATIF-v1.7";

/// A run as one ATIF document, with its sub-agents embedded, and what is lost by it.
pub fn write(run: &Trajectory, subagents: &[&Trajectory]) -> (String, Vec<Loss>) {
    let ids = ids(subagents);
    let mut root = document(run, None, subagents, &ids);
    let children: Vec<Value> = subagents
        .iter()
        .zip(&ids)
        .map(|(child, id)| Value::Object(document(child, Some(id), &[], &[])))
        .collect();
    if !children.is_empty() {
        root.insert("subagent_trajectories".to_owned(), children.into());
    }
    let mut losses = Vec::new();
    for run in std::iter::once(&run).chain(subagents) {
        add(&mut losses, run);
    }
    losses.retain(|loss: &Loss| loss.count > 0);
    (Value::Object(root).to_string(), losses)
}

/// Ids of sub-agents: their session's, where it is one of its own.
fn ids(subagents: &[&Trajectory]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (number, child) in subagents.iter().enumerate() {
        let session = child.session_id.clone().filter(|id| !id.trim().is_empty() && !ids.contains(id));
        let mut id = session.unwrap_or_else(|| format!("subagent-{}", number + 1));
        while ids.contains(&id) {
            id.push('+');
        }
        ids.push(id);
    }
    ids
}

fn document(
    run: &Trajectory,
    id: Option<&str>,
    subagents: &[&Trajectory],
    ids: &[String],
) -> Map<String, Value> {
    let mut steps = Vec::new();
    for (source, text) in [("system", &run.system), ("user", &run.task)] {
        if let Some(text) = text {
            steps.push(object([("source", source.into()), ("message", text.as_str().into())]));
        }
    }
    for (number, turn) in run.turns.iter().enumerate() {
        let started = subagents
            .iter()
            .zip(ids)
            .filter(|(child, _)| child.parent.as_ref().is_some_and(|parent| parent.turn == Some(number)));
        let started: Vec<&str> = started.map(|(_, id)| id.as_str()).collect();
        steps.push(step(run, number, turn, &started));
    }
    if steps.is_empty() {
        let extra = json!({KEY: {"is_placeholder": true}});
        let message = "The log of this run holds no turns.".into();
        steps.push(object([("source", "system".into()), ("message", message), ("extra", extra)]));
    }
    let count = steps.len();
    let steps: Vec<Value> = steps
        .into_iter()
        .enumerate()
        .map(|(number, mut step)| {
            step.insert("step_id".to_owned(), (number + 1).into());
            Value::Object(step)
        })
        .collect();
    let agent = object([
        ("name", run.scaffold.as_str().into()),
        ("version", run.scaffold_version.as_deref().unwrap_or("unknown").into()),
        ("model_name", json!(run.model)),
    ]);
    let totals = object([
        ("total_prompt_tokens", json!(run.tokens_in)),
        ("total_completion_tokens", json!(run.tokens_out)),
        ("total_cost_usd", json!(run.cost_usd)),
        ("total_steps", count.into()),
    ]);
    object([
        ("schema_version", VERSION.into()),
        ("session_id", json!(run.session_id)),
        ("trajectory_id", json!(id)),
        ("agent", agent.into()),
        ("steps", steps.into()),
        ("final_metrics", totals.into()),
        ("extra", json!({KEY: kept::of_run(run)})),
    ])
}

fn step(run: &Trajectory, number: usize, turn: &Turn, started: &[&str]) -> Map<String, Value> {
    let id = |call: usize| format!("call_{number}_{call}");
    let calls: Vec<Value> =
        turn.calls.iter().enumerate().map(|(place, call)| tool_call(call, &id(place))).collect();
    let mut results: Vec<Value> =
        turn.calls.iter().enumerate().filter_map(|(place, call)| result(call, &id(place))).collect();
    if !started.is_empty() {
        let references: Vec<Value> = started.iter().map(|id| json!({"trajectory_id": id})).collect();
        results.push(json!({"subagent_trajectory_ref": references}));
    }
    let metrics =
        object([("prompt_tokens", json!(turn.tokens_in)), ("completion_tokens", json!(turn.tokens_out))]);
    let kept = kept::of_turn(turn);
    let null_or = |is_empty: bool, value: Value| if is_empty { Value::Null } else { value };
    object([
        ("timestamp", json!(turn.logged_at.and_then(iso))),
        ("source", "agent".into()),
        ("model_name", json!(run.model)),
        ("message", turn.text.as_str().into()),
        ("reasoning_content", json!(turn.reasoning)),
        ("tool_calls", null_or(calls.is_empty(), calls.into())),
        ("observation", null_or(results.is_empty(), json!({"results": results}))),
        ("metrics", null_or(metrics.is_empty(), metrics.into())),
        ("is_copied_context", null_or(turn.origin != Origin::Copied, true.into())),
        ("extra", null_or(kept.is_null(), json!({KEY: kept}))),
    ])
}

fn tool_call(call: &Call, id: &str) -> Value {
    let arguments = arguments(call);
    let kept = kept::of_call(call, &arguments);
    let extra = if kept.is_null() { Value::Null } else { json!({KEY: kept}) };
    let fields = object([
        ("tool_call_id", id.into()),
        ("function_name", call.tool.as_str().into()),
        ("arguments", arguments),
        ("extra", extra),
    ]);
    Value::Object(fields)
}

/// Arguments as an object, which they must be.
fn arguments(call: &Call) -> Value {
    match call.kind {
        CallKind::Shell => json!({"command": call.input}),
        CallKind::Tool => match serde_json::from_str(&call.input) {
            Ok(Value::Object(arguments)) => Value::Object(arguments),
            _ if call.input.is_empty() => json!({}),
            _ => json!({"input": call.input}),
        },
    }
}

fn result(call: &Call, id: &str) -> Option<Value> {
    let extra = kept::of_result(call);
    if call.observation.is_none() && extra.is_empty() {
        return None;
    }
    let extra = if extra.is_empty() { Value::Null } else { extra.into() };
    let fields =
        object([("source_call_id", id.into()), ("content", json!(call.observation)), ("extra", extra)]);
    Some(Value::Object(fields))
}

/// UTC milliseconds as ISO 8601; `None` beyond the years that it spells with four digits.
fn iso(time: i64) -> Option<String> {
    let (day, rest) = (time.div_euclid(86_400_000), time.rem_euclid(86_400_000));
    // Civil date of a day count, by eras of 400 years from 1 March 0000.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (seconds, milliseconds) = (rest / 1000, rest % 1000);
    let clock =
        format!("{:02}:{:02}:{:02}.{milliseconds:03}Z", seconds / 3600, seconds / 60 % 60, seconds % 60);
    (1..=9999).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}T{clock}"))
}

/// Counts what a run has and ATIF has not.
fn add(losses: &mut Vec<Loss>, run: &Trajectory) {
    let calls = || run.turns.iter().flat_map(|turn| &turn.calls);
    let turns = |does: fn(&Turn) -> bool| run.turns.iter().filter(|turn| does(turn)).count();
    let count = |does: fn(&Call) -> bool| calls().filter(|call| does(call)).count();
    let verdict = run.verdict.as_ref();
    let is_told = verdict.is_some_and(|verdict| verdict.resolved.is_some());
    for (what, number, is_kept) in [
        ("exit codes", count(|call| call.exit_code.is_some()), true),
        ("calls that the scaffold calls failed", count(|call| call.is_error.is_some()), true),
        ("calls that a time limit stopped", count(|call| call.timed_out), true),
        (
            "observations that are cut or shared",
            count(|call| matches!(call.observation_state, ObservationState::Cut | ObservationState::Shared)),
            true,
        ),
        ("working directories", count(|call| call.cwd.is_some()), true),
        ("malformed calls", count(|call| call.quality < Quality::Valid), true),
        ("refused responses", turns(|turn| !turn.accepted), true),
        ("refusals without a response", run.refusals.len(), true),
        ("digests of the work tree", turns(|turn| turn.diff_after.is_some()), true),
        (
            "turns of prefixes, demonstrations and abandoned branches",
            turns(|turn| matches!(turn.origin, Origin::Prefix | Origin::Demo | Origin::Abandoned)),
            true,
        ),
        ("the instance", usize::from(run.instance_id.is_some()), true),
        ("the kind of task", usize::from(run.task_kind.is_some()), true),
        ("the number of the run", usize::from(run.run.is_some()), true),
        ("why the run ended", 1, true),
        ("the patch", usize::from(run.patch.is_some()), true),
        ("whether it is resolved", usize::from(is_told), true),
        ("why there is no verdict", usize::from(verdict.is_some() && !is_told), false),
        (
            "the grader's tests",
            verdict.map_or(0, |verdict| verdict.tests.len() + usize::from(verdict.counts.is_some())),
            false,
        ),
        ("the place in a file of several", usize::from(!run.place.is_empty()), false),
        (
            "the parent in another file",
            usize::from(run.parent.as_ref().is_some_and(|parent| parent.session_id.is_some())),
            false,
        ),
    ] {
        match losses.iter_mut().find(|loss| loss.what == what) {
            Some(loss) => loss.count += number,
            None => losses.push(Loss { what, count: number, is_kept }),
        }
    }
}
