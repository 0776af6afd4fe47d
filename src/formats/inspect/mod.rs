//! Logs of Inspect (`formats-other.md` §10): `.eval`, a ZIP with a file for each sample, and the same as one JSON document.
//! A trajectory is one sample in one epoch; the head of the log tells model, release and how all of it ended.
//!
//! Never here: how a ZIP is read.

mod attachments;
mod events;
mod pieces;
mod responses;
mod sample;
mod scores;

use super::json::lenient::{at, filled, text};
use super::{Evidence, Format, Input, Read, Sketch, Sniff, json};
use crate::model::{Problem, Trajectory, Weight};
use crate::sources::{Limits, Member, first_zip_member, zip_members};
use pieces::{Kind, Pieces};
use sample::Sample;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const EVAL: &str = "inspect";
const JSON: &str = "inspect-json";
const WRITTEN_BY: &str = "Inspect";
const LACKS: &[&str] = &["patch", "exit codes of tools that use no sandbox"];

/// `.eval` files.
pub const FORMAT_EVAL: Format = Format {
    name: EVAL,
    written_by: WRITTEN_BY,
    files: "*.eval",
    lacks: LACKS,
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Packed(is_eval),
    read: read_eval,
};

/// JSON logs.
pub const FORMAT_JSON: Format = Format {
    name: JSON,
    written_by: WRITTEN_BY,
    files: "*.json with `version`, `status`, `eval`, `samples`",
    lacks: LACKS,
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Values(is_log),
    read: read_json,
};

fn is_eval(bytes: &[u8]) -> bool {
    let name = first_zip_member(bytes).unwrap_or_default();
    // A log is begun with its journal; packed anew, its files stand in any order.
    name.starts_with("_journal/")
        || matches!(name, "header.json" | "summaries.json" | "reductions.json")
        || (name.starts_with("samples/") && name.contains("_epoch_") && name.ends_with(".json"))
}

fn is_log(values: &[Sketch]) -> bool {
    values.first().is_some_and(|value| {
        value.get("eval").is_some_and(|eval| eval.text("task").is_some() && eval.text("model").is_some())
            && value.text("status").is_some()
            && ["version", "samples", "plan", "results", "stats"].iter().any(|key| value.has(key))
    })
}

/// What is not built of a log: events repeat the conversation so far (`input`), the request as sent (`call`), the schema of
/// every tool, and every change of the state.
const PRUNED: &[json::Pruned] = &[
    ("", OF_EVENTS),
    ("events", OF_EVENTS),
    ("tools", &["parameters", "description", "options"]),
    ("tool_calls", &["view"]),
];
const OF_EVENTS: &[&str] =
    &["input", "input_refs", "call", "call_refs", "config", "changes", "state", "view", "options", "sample"];

/// The trajectories of one sample: the sample's own, then those of its sub-agents.
type Sampled = Vec<Trajectory>;

fn read_eval(input: &Input) -> Read {
    let mut read = Read::default();
    let (mut header, mut start) = (None, None);
    let mut samples: BTreeMap<String, Sampled> = BTreeMap::new();
    let mut pieces: BTreeMap<String, Pieces> = BTreeMap::new();
    let mut order = Vec::new();
    let take = |member: Member| {
        let kind = Kind::of(&member.path);
        if matches!(kind, Kind::Other) {
            return ControlFlow::Continue(());
        }
        let place = format!("member {}", member.path);
        let mut problems = Vec::new();
        let value = json::pruned(&member.bytes, PRUNED, &mut problems);
        let is_whole = problems.iter().all(|problem| problem.weight < Weight::Refused);
        match (kind, value) {
            (Kind::Header, value) => header = value,
            (Kind::Start, value) => start = value,
            (Kind::Sample, Some(value)) => {
                let sampled = Sample::read(EVAL, &place, value, is_whole, &mut problems);
                // A sample that was written again replaces what stood before.
                if samples.insert(member.path.clone(), sampled).is_none() {
                    order.push(member.path);
                }
            }
            (Kind::Piece { sample, name }, Some(value)) => {
                if !pieces.contains_key(sample) {
                    order.push(sample.to_owned());
                }
                pieces.entry(sample.to_owned()).or_default().add(name, value);
            }
            _ => {}
        }
        read.problems.extend(problems.into_iter().map(|problem| within(&place, problem)));
        ControlFlow::Continue(())
    };
    match zip_members(input.bytes(), &Limits::default(), take) {
        Ok(problems) => read.problems.extend(problems),
        Err(error) => read.problems.push(Problem::new(
            Weight::Refused,
            "",
            format!("cannot unpack the log: {error}; is it cut off?"),
        )),
    }
    for (path, pieces) in pieces {
        let (sample, place) = (pieces.sample(), format!("member {path}"));
        samples.insert(path, Sample::read(EVAL, &place, sample, true, &mut read.problems));
    }
    if header.is_none() {
        let what = "the log has no head (`header.json`): the run did not end, or the file is cut off";
        read.problems.push(Problem::new(Weight::Note, "", what));
    }
    let header = header.or(start).unwrap_or_default();
    let samples = order.iter().filter_map(|path| samples.remove(path)).collect();
    finish(&mut read, &header, samples);
    read
}

/// A problem within a member.
fn within(place: &str, mut problem: Problem) -> Problem {
    problem.place = match problem.place.as_str() {
        "" => place.to_owned(),
        inner if inner.starts_with(place) => inner.to_owned(),
        inner => format!("{place}, {inner}"),
    };
    problem
}

fn read_json(input: &Input) -> Read {
    let mut read = Read::default();
    let Some(mut document) = json::pruned(input.bytes(), PRUNED, &mut read.problems) else { return read };
    let is_whole = read.problems.iter().all(|problem| problem.weight < Weight::Refused);
    let samples = document.get_mut("samples").map(Value::take).unwrap_or_default();
    let Value::Array(samples) = samples else {
        let status = text(&document, "status").unwrap_or("unknown");
        let what = format!("only the head of a log, without samples; its status is `{status}`");
        read.problems.push(Problem::new(Weight::Refused, "", what));
        return read;
    };
    let mut found = Vec::new();
    for (index, value) in samples.into_iter().enumerate() {
        let place = format!("record {}", index + 1);
        if value.is_object() {
            found.push(Sample::read(JSON, &place, value, is_whole, &mut read.problems));
        } else {
            read.problems.push(Problem::new(Weight::Refused, place, "a sample that is no object"));
        }
    }
    finish(&mut read, &document, found);
    read
}

/// Adds what the head of the log says to all its samples, and tells sub-agents whose they are.
fn finish(read: &mut Read, header: &Value, samples: Vec<Sampled>) {
    let model = at(header, &["eval", "model"]).and_then(Value::as_str);
    let task = at(header, &["eval"]).and_then(|eval| filled(eval, "task"));
    let version = at(header, &["eval", "packages"]).and_then(|packages| filled(packages, "inspect_ai"));
    let status = text(header, "status").unwrap_or("started");
    let is_invalid = header.get("invalidated") == Some(&Value::Bool(true));
    for sampled in samples {
        let parent = read.trajectories.len();
        for mut run in sampled {
            run.scaffold_version = version.map(str::to_owned);
            run.collection = task.map(str::to_owned);
            match &mut run.parent {
                Some(known) => known.ordinal = Some(parent),
                None => {
                    run.model = model.map(str::to_owned);
                    sample::end(&mut run, status);
                    if is_invalid {
                        run.verdict = Some(scores::invalidated());
                    }
                }
            }
            read.trajectories.push(run);
        }
    }
}
