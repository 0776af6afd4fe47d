//! ATIF, the Agent Trajectory Interchange Format, 1.0 to 1.8 (`atif.md`): a lenient reader that joins what writers have parted,
//! a strict check, and a writer.
//!
//! Never here: end and reward of a trial, which stand in the trial's own file.

mod chain;
mod end;
mod kept;
mod operation;
mod predev;
mod result;
mod steps;
mod strict;
mod subagents;
mod usage;
mod write;

pub use chain::{began_in, goes_on};
pub use strict::{Violation, violations};
pub use write::{Loss, write};

use super::json::{self, Pruned, lenient};
use super::{Evidence, Format, Read, Sketch, Sniff};
use crate::model::{Problem, TaskKind, Trajectory, Weight};
use serde_json::Value;

/// ATIF.
pub const FORMAT: Format = Format {
    name: "atif",
    written_by: "agents in Harbor, converters of many agents' logs, and `ethogram convert`",
    files: "agent/trajectory.json",
    lacks: &[
        "instance, run, end and reward (the trial's result.json)",
        "exit codes, where the writer does not put them into `extra`",
    ],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Terminal),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read: |input| match input.parts {
        parts @ [_, _, ..] => chain::read(parts),
        _ => read(input.bytes()),
    },
};

/// Lists of numbers, one a token, that are most of a file's bytes where a writer keeps them.
const SKIPPED: [Pruned; 1] =
    [(json::ANYWHERE, &["prompt_token_ids", "completion_token_ids", "logprobs", "tool_definitions"])];

fn sniff(values: &[Sketch]) -> bool {
    let is_atif = |value: &Sketch| {
        value.text("schema_version").is_some_and(is_version)
            && value.get("steps").is_some_and(|steps| steps.is_list())
    };
    match values.first() {
        Some(Sketch::List(elements)) => elements.first().is_some_and(is_atif),
        Some(value) => is_atif(value),
        None => false,
    }
}

/// `ATIF-v1.N`.
fn is_version(text: &str) -> bool {
    text.strip_prefix("ATIF-v1.")
        .is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read(bytes: &[u8]) -> Read {
    let mut read = Read::default();
    match json::pruned(bytes, &SKIPPED, &mut read.problems) {
        Some(Value::Array(roots)) => {
            for (number, root) in roots.iter().enumerate() {
                trajectory(root, Some(number + 1), &mut read);
            }
        }
        Some(root) => trajectory(&root, None, &mut read),
        None => {}
    }
    read
}

/// Reads one root object; its sub-agents follow it.
fn trajectory(root: &Value, record: Option<usize>, read: &mut Read) {
    let place = record.map_or(String::new(), |number| format!("record {number}"));
    if !root.get("steps").is_some_and(Value::is_array) {
        let what = "no list `steps`: nothing was read";
        read.problems.push(Problem::new(Weight::Refused, place, what));
        return;
    }
    let before = read.trajectories.len();
    subagents::read(root, place, None, read);
    note_continuation(root, read.trajectories.get(before), &mut read.problems);
}

/// Says where the run goes on.
fn note_continuation(root: &Value, run: Option<&Trajectory>, problems: &mut Vec<Problem>) {
    let place = run.map_or(String::new(), |run| run.place.clone());
    if let Some(next) = lenient::filled(root, "continued_trajectory_ref") {
        let what = format!("the run goes on in `{next}`, which repeats steps of this file as copied context");
        problems.push(Problem::new(Weight::Note, place, what));
    }
}
