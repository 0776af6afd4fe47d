//! Completion logs of ASAP (`formats-other.md` §14, `docs/asap-logs.md`): a base model continues a text of steps, `## Thinking`
//! and an action in tags, the harness writes what came back. The paper fixes no layout of files; this is ours.
//!
//! Never here: other logs of completions; their tags and keys are settings of a map.

mod element;
mod steps;
mod tags;

pub use tags::Tags;

use super::json::lenient::{as_number, filled, verdict, whole};
use super::json::{self, Record};
use super::row::{Row, name};
use super::{Evidence, Format, Input, Read, Sketch, Sniff};
use crate::data::statuses::termination;
use crate::model::{Operation, Origin, Problem, Termination, Trajectory, Weight};
use serde_json::Value;
use std::borrow::Cow;
use steps::Prefix;

/// Name of the scaffold.
pub const SCAFFOLD: &str = "asap";

/// The text alone.
pub const FORMAT: Format = Format {
    name: "asap",
    written_by: "harnesses after ASAP that keep the text of a run",
    files: "*.txt, *.md",
    lacks: &["instance, model, outcome, times, tokens"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Text(is_text),
    read: |input| read_text(input, &Tags::default()),
};

/// One run a line.
pub const FORMAT_ROWS: Format = Format {
    name: "asap-rows",
    written_by: "harnesses after ASAP that keep one run a line",
    files: "*.jsonl",
    lacks: &["times, tokens"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(is_rows),
    read: |input| read_rows(input, row, &Tags::default()),
};

fn is_text(text: &str) -> bool {
    let tags = Tags::default();
    let has_heading = text.lines().any(|line| line.trim_end() == tags.thinking);
    has_heading && ["<bash>", "<observation", "<submit"].iter().any(|tag| text.contains(tag))
}

fn is_rows(values: &[Sketch]) -> bool {
    let is_row = |value: &Sketch| {
        let completion = match value.get("completion") {
            Some(Sketch::List(parts)) => parts.first().and_then(Sketch::as_text),
            Some(text) => text.as_text(),
            None => None,
        };
        let shows = |text: &str| {
            ["## Thinking", "<bash>", "<observation", "<submit"].iter().any(|tag| text.contains(tag))
        };
        completion.is_some_and(|text| shows(text) || value.has("prefix_turns"))
            && value.get("prompt").is_none_or(|prompt| prompt.as_text().is_some())
    };
    values.iter().filter(|value| is_row(value)).count() * 2 > values.len()
}

/// What a row holds: what it says of its run, and its text.
pub struct Told {
    /// What it says of its run.
    pub row: Row,
    /// What the model was given.
    pub prompt: String,
    /// What the model and the harness wrote after it.
    pub completion: String,
    /// Steps that are copied from a reference.
    pub prefix_turns: Option<usize>,
}

/// Reads rows; `told` says what a row holds.
pub fn read_rows(input: &Input, told: impl Fn(&Value) -> Option<Told>, tags: &Tags) -> Read {
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    json::records(input.bytes(), input.lines_before, problems, |record: Record, problems| {
        match told(&record.value) {
            Some(mut told) => {
                told.row.place = record.place();
                trajectories.push(trajectory(FORMAT_ROWS.name, told, tags, problems));
            }
            None => problems.push(Problem::new(Weight::Refused, record.place(), "no `completion`: left out")),
        }
    });
    read
}

/// Reads the text of one run.
pub fn read_text(input: &Input, tags: &Tags) -> Read {
    let mut read = Read::default();
    let bytes = json::without_mark(input.bytes());
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        let what = "bytes that are no UTF-8 were replaced";
        read.problems.push(Problem::new(Weight::Repaired, "", what));
    }
    let told = Told {
        row: Row::default(),
        prompt: String::new(),
        completion: text.into_owned(),
        prefix_turns: None,
    };
    read.trajectories.push(trajectory(FORMAT.name, told, tags, &mut read.problems));
    read
}

/// What a row of our own layout holds.
fn row(value: &Value) -> Option<Told> {
    let outcomes = ["resolved", "reward"];
    Some(Told {
        prompt: filled(value, "prompt").unwrap_or_default().to_owned(),
        completion: completion(value.get("completion")?)?,
        prefix_turns: whole(value, "prefix_turns").and_then(|turns| usize::try_from(turns).ok()),
        row: Row {
            instance_id: name(value, &["instance_id", "task_id"]),
            run: whole(value, "run"),
            scaffold: filled(value, "scaffold").map(str::to_owned),
            model: name(value, &["model"]),
            reward: value.get("reward").and_then(as_number),
            resolved: verdict(value, "resolved"),
            is_unscored: outcomes.iter().any(|key| value.get(*key).is_some_and(Value::is_null)),
            status: name(value, &["termination"]),
            patch: filled(value, "model_patch").map(str::to_owned),
            has_patch: value.get("model_patch").is_some(),
            train_step: whole(value, "train_step"),
            is_sample: true,
            ..Row::default()
        },
    })
}

/// The text of a completion: one, or one a step.
pub fn completion(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

/// The run of a text.
pub fn trajectory(
    format: &'static str,
    mut told: Told,
    tags: &Tags,
    problems: &mut Vec<Problem>,
) -> Trajectory {
    told.row.scaffold.get_or_insert_with(|| SCAFFOLD.to_owned());
    told.row.can_submit = true;
    let text = format!("{}{}", told.prompt, told.completion);
    let prefix = Prefix { turns: told.prefix_turns, given: told.prompt.len() };
    let steps = steps::steps(&text, tags, prefix);
    let mut run = told.row.empty(format);
    run.task = Some(steps.task).filter(|task| !task.is_empty());
    run.logs_exit_codes =
        steps.turns.iter().flat_map(|turn| &turn.calls).any(|call| call.exit_code.is_some());
    run.turns = steps.turns;
    run.steps = told.row.steps.or(Some(run.turns.len() as i64));
    run.has_log = !run.turns.is_empty();
    if !run.has_log {
        let what = format!("no line `{}`: no step was found", tags.thinking);
        problems.push(Problem::new(Weight::Refused, run.place.clone(), what));
    }
    end(&mut run, told.row.status.or(steps.end), told.row.termination);
    if run.termination == Termination::Incomplete && steps.is_cut {
        let what = "the text ends in the middle of a tag: it was cut off";
        problems.push(Problem::new(Weight::Note, run.place.clone(), what));
    }
    run
}

/// The end: what the log says of it, else a submission that nothing came back from.
fn end(run: &mut Trajectory, status: Option<String>, meaning: Option<Termination>) {
    let hands_in = run.turns.last().is_some_and(|turn| {
        turn.origin == Origin::Model
            && turn.accepted
            && turn.calls.iter().any(|call| call.operation == Some(Operation::Submit))
    });
    run.termination = if hands_in { Termination::Submitted } else { Termination::Incomplete };
    if let Some(status) = status {
        run.termination = meaning.or_else(|| termination(SCAFFOLD, &status)).unwrap_or(Termination::Unknown);
        run.raw_exit_status = Some(status);
    }
    if run.termination == Termination::Submitted && hands_in {
        run.submitting_turn = run.turns.len().checked_sub(1);
    }
}
