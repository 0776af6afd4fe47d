//! Rows of SWE-smith's trajectories: `messages` (a list, or its JSON in a text) of runs of SWE-agent, in three spellings of
//! the same calls: structured, `<function=…>` tags, fenced blocks.

use super::fenced::{Shell, is_made_up, see};
use crate::data::statuses;
use crate::formats::dialogue::{self, Said};
use crate::formats::json::lenient::{content, list, text};
use crate::formats::messages::{Role, is_message, say_all};
use crate::formats::row::{Row, name};
use crate::formats::{Evidence, Format, Input, Read, Sketch, Sniff, json, swe_agent, tools};
use crate::model::{CommandSet, Problem, Termination, Trajectory, Weight};
use serde_json::Value;

/// Rows of SWE-smith's data set of trajectories.
pub const SWE_SMITH: Format = Format {
    name: "swe-smith-rows",
    written_by: "SWE-smith's data set of SWE-agent 1.x (splits tool, xml, ticks), exported as JSON Lines",
    files: "*.jsonl",
    lacks: &["exit status, times, tokens and cost", "exit codes"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(|values| values.iter().any(is_row)),
    read,
};

/// The sentence that the data set puts in the place of an exit at the limit of cost, with a call that hands in.
const INSTEAD_OF_LIMIT: &str = "Since we have successfully fixed the issue and verified it works";

/// Messages, and the id that only this data set has.
fn is_row(value: &Sketch) -> bool {
    let has_messages = match value.get("messages") {
        Some(Sketch::Text(text)) => text.trim_start().starts_with("[{") && text.contains("\"role\""),
        Some(_) => value.first("messages").is_some_and(is_message),
        None => false,
    };
    has_messages && value.text("traj_id").is_some()
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    json::records(input.bytes(), input.lines_before, problems, |record, problems| {
        match tools::arguments(record.value.get("messages")) {
            Ok(Value::Array(messages)) => {
                trajectories.push(trajectory(&record.value, &messages, record.place(), problems));
            }
            _ => {
                let what = "a row without a list of messages: left out";
                problems.push(Problem::new(Weight::Refused, record.place(), what));
            }
        }
    });
    read
}

fn trajectory(value: &Value, messages: &[Value], place: String, problems: &mut Vec<Problem>) -> Trajectory {
    let row = Row {
        place: place.clone(),
        instance_id: name(value, &["instance_id"]),
        session_id: name(value, &["traj_id"]),
        scaffold: Some(swe_agent::SCAFFOLD.to_owned()),
        model: name(value, &["model"]),
        resolved: value.get("resolved").and_then(Value::as_bool),
        is_unscored: value.get("resolved").is_some_and(Value::is_null),
        patch: text(value, "patch").map(str::to_owned),
        has_patch: value.get("patch").is_some(),
        is_sample: true,
        can_submit: true,
        ..Row::default()
    };
    let made_up = messages.last().and_then(made_up);
    let messages = messages.get(..messages.len() - usize::from(made_up.is_some())).unwrap_or_default();
    let mut run = row.empty(SWE_SMITH.name);
    if is_fenced(messages) {
        fill_fenced(&mut run, messages);
    } else {
        let (said, strange) = say_all(messages);
        if strange > 0 {
            let what = format!("{strange} messages have no known role and were left out");
            problems.push(Problem::new(Weight::Refused, place, what));
        }
        fill(&mut run, said);
    }
    row.close(&mut run);
    run.commands = CommandSet::SweAgent;
    if let Some(termination) = made_up {
        run.termination = termination;
        run.submitting_turn = None;
        run.auto_submitted = run.patch.is_some();
    }
    run
}

/// The end that a last response tells which the scaffold, or the data set, made up.
fn made_up(message: &Value) -> Option<Termination> {
    let said = content(message.get("content"))?;
    if text(message, "role") != Some("assistant") {
        return None;
    }
    if said.starts_with(INSTEAD_OF_LIMIT) {
        return Some(Termination::CostLimit);
    }
    is_made_up(&said)
        .then(|| statuses::termination(swe_agent::SCAFFOLD, said.trim()).unwrap_or(Termination::Unknown))
}

/// No response has a structured call or a tag, and at least one a fence.
fn is_fenced(messages: &[Value]) -> bool {
    let mut has_fence = false;
    for message in messages.iter().filter(|message| text(message, "role") == Some("assistant")) {
        let said = content(message.get("content")).unwrap_or_default();
        if !list(message, "tool_calls").is_empty() || said.contains("<function=") {
            return false;
        }
        has_fence |= said.contains("\n```");
    }
    has_fence
}

fn fill_fenced(run: &mut Trajectory, messages: &[Value]) {
    let mut shell = Shell::default();
    for message in messages {
        let said = content(message.get("content")).unwrap_or_default();
        match text(message, "role").and_then(Role::of) {
            Some(Role::System) => run.system = run.system.take().or(Some(said)),
            Some(Role::Model) => shell.respond(run, &said),
            Some(Role::User | Role::Result) => shell.prompt(run, &said),
            None => {}
        }
    }
}

fn fill(run: &mut Trajectory, said: Vec<Said>) {
    dialogue::fill(run, said);
    for turn in &mut run.turns {
        // The scaffold keeps the text of a response a second time, as its thought.
        if turn.reasoning.as_deref().is_some_and(|thought| turn.text.trim().starts_with(thought.trim())) {
            turn.reasoning = None;
        }
        for call in &mut turn.calls {
            if let Some(text) = call.observation.take() {
                see(call, &text);
            }
        }
    }
}
