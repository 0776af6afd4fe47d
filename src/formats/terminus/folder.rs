//! Folders of prompts and responses: `sample_N/{prompt,response}.json` of replay benchmarks, `episode-N/{prompt,response}.txt`
//! of the tool's own log. Answers of other models beside a response are replays on the same prefix, no turns.

use super::chat::{Message, Role, converse};
use super::snapshots::unrolled;
use crate::formats::json::{self, lenient};
use crate::formats::{Evidence, Format, Input, Part, Read, Sniff};
use crate::model::{Problem, TaskKind, Trajectory, Weight};
use serde_json::Value;
use std::collections::BTreeMap;

/// Samples of a replay benchmark.
pub const SNAPSHOTS: Format = Format {
    name: "terminus-snapshots",
    written_by: "replay benchmarks made of runs of Terminus 2",
    files: "<task>/sample_<n>/{prompt,response}.json",
    lacks: &[
        "instance (folder name)",
        "model, times, tokens",
        "exit codes",
        "an answer to the last response",
    ],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Terminal),
    is_rows: false,
    sniff: Sniff::Folder(|path| root(path, "sample_", &["prompt.json", "response.json", "responses"])),
    read: read_snapshots,
};

/// The log folder of Terminus.
pub const EPISODES: Format = Format {
    name: "terminus-episodes",
    written_by: "Terminus 1 and 2 in Terminal-Bench and Harbor",
    files: "agent-logs/episode-<n>/{prompt,response}.txt",
    lacks: &["instance (trial folder)", "model, times, tokens", "exit codes"],
    evidence: Evidence::Documentation,
    task_kind: Some(TaskKind::Terminal),
    is_rows: false,
    sniff: Sniff::Folder(|path| root(path, "episode-", &["prompt.txt", "response.txt", "debug.json"])),
    read: read_episodes,
};

/// Bytes of the path before the folder of a turn; `None` where the file is of none.
fn root(path: &str, start: &str, files: &[&str]) -> Option<usize> {
    let mut place = 0;
    for segment in path.split('/') {
        let rest = path.get(place + segment.len() + 1..).unwrap_or_default();
        let file = rest.split('/').next().unwrap_or_default();
        if number(segment, start).is_some() && files.contains(&file) {
            return place.checked_sub(1).or(Some(0));
        }
        place += segment.len() + 1;
    }
    None
}

/// The number of a turn's folder.
fn number(segment: &str, start: &str) -> Option<u64> {
    segment.strip_prefix(start)?.parse().ok()
}

/// The files of each turn, by its number.
fn turns<'a>(input: &Input<'a>, start: &str) -> BTreeMap<u64, Vec<Part<'a>>> {
    let mut turns: BTreeMap<u64, Vec<Part<'a>>> = BTreeMap::new();
    for part in input.parts {
        let Some((folder, name)) = part.path.split_once('/') else { continue };
        if let Some(number) = number(folder, start) {
            turns.entry(number).or_default().push(Part { path: name, bytes: part.bytes });
        }
    }
    turns
}

fn file<'a>(parts: &[Part<'a>], name: &str) -> Option<&'a [u8]> {
    parts.iter().find(|part| part.path == name).map(|part| part.bytes)
}

fn read_snapshots(input: &Input) -> Read {
    let mut read = Read::default();
    let mut snapshots = Vec::new();
    let turns = turns(input, "sample_");
    for (number, parts) in &turns {
        let place = |name: &str| format!("member sample_{number}/{name}");
        let mut value = |name: &str| {
            let mut problems = Vec::new();
            let value = file(parts, name).and_then(|bytes| json::document(bytes, &mut problems));
            problems.iter_mut().for_each(|problem| problem.place = place(name));
            read.problems.append(&mut problems);
            value
        };
        let (prompt, response) = (value("prompt.json"), value("response.json"));
        let mut messages = prompt.as_ref().map(messages).unwrap_or_default();
        match response.as_ref().and_then(message) {
            Some(response) => messages.push(response),
            None => {
                let what = "a prompt without a response: no turn";
                read.problems.push(Problem::new(Weight::Note, place("response.json"), what));
            }
        }
        snapshots.push(messages);
    }
    gap(turns.keys().copied(), "sample_", &mut read.problems);
    read.trajectories.extend(told(SNAPSHOTS.name, &unrolled(&snapshots, turns.keys().next() > Some(&0))));
    read
}

fn read_episodes(input: &Input) -> Read {
    let mut read = Read::default();
    let mut messages = Vec::new();
    let turns = turns(input, "episode-");
    for parts in turns.values() {
        for (name, role) in [("prompt.txt", Role::User), ("response.txt", Role::Assistant)] {
            let text = file(parts, name).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            messages.extend(text.map(|text| Message { role, text }));
        }
    }
    gap(turns.keys().copied(), "episode-", &mut read.problems);
    read.trajectories.extend(told(EPISODES.name, &messages));
    read
}

/// Says which turn has no folder, though later ones have.
fn gap(numbers: impl Iterator<Item = u64>, start: &str, problems: &mut Vec<Problem>) {
    let mut next = 0;
    for number in numbers {
        if number > next {
            let what = format!("no folder for {} of the turns before this one", number - next);
            problems.push(Problem::new(Weight::Note, format!("member {start}{number}"), what));
        }
        next = number.saturating_add(1);
    }
}

fn told(format: &'static str, messages: &[Message]) -> Option<Trajectory> {
    let mut run = Trajectory::new(format, "");
    converse(&mut run, messages);
    run.steps = Some(messages.iter().filter(|message| message.role != Role::Reset).count() as i64);
    (!run.turns.is_empty()).then_some(run)
}

/// The messages of a prompt: a list of them, or an object that holds one.
pub(super) fn messages(value: &Value) -> Vec<Message> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_else(|| lenient::list(value, "messages"));
    list.iter().filter_map(message).collect()
}

fn message(value: &Value) -> Option<Message> {
    let role = match lenient::text(value, "role")? {
        "system" | "developer" => Role::System,
        "assistant" => Role::Assistant,
        _ => Role::User,
    };
    Some(Message { role, text: lenient::content(value.get("content"))? })
}
