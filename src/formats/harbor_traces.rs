//! The `traces` export of Harbor: a list of objects with `conversations`, one object a response, each of which repeats the
//! history (`atif.md` §5, T17).

use super::json::{self, lenient};
use super::openhands;
use super::terminus::{self, Message, Role};
use super::{Evidence, Format, Input, Read, Sketch, Sniff};
use crate::data::statuses;
use crate::model::{Parent, Problem, TaskKind, Termination, Trajectory, Verdict, Weight};
use lenient::{filled, list, text};
use serde_json::Value;
use std::collections::BTreeMap;

/// Harbor's export.
pub const FORMAT: Format = Format {
    name: "harbor-traces",
    written_by: "the export of traces of Harbor",
    files: "*.traces.json",
    lacks: &["times, tokens", "an answer to the last response", "structured calls"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Terminal),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

fn sniff(values: &[Sketch]) -> bool {
    let is_episode = |value: &Sketch| {
        value.get("conversations").is_some_and(Sketch::is_list)
            && value.text("episode").is_some()
            && ["trial_name", "run_id", "task"].iter().any(|key| value.text(key).is_some())
    };
    match values.first() {
        Some(Sketch::List(elements)) => elements.first().is_some_and(is_episode),
        Some(value) => is_episode(value),
        None => false,
    }
}

/// An element of the list.
struct Episode {
    record: usize,
    value: Value,
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut runs: Vec<Vec<Episode>> = Vec::new();
    for episode in episodes(input.bytes(), &mut read.problems) {
        if !episode.value.get("conversations").is_some_and(Value::is_array) {
            let what = "no list `conversations`: the element is left out";
            read.problems.push(Problem::new(Weight::Refused, place(&episode), what));
            continue;
        }
        let count = runs.len();
        match runs.get_mut(*places.entry(key(&episode.value)).or_insert(count)) {
            Some(episodes) => episodes.push(episode),
            None => runs.push(vec![episode]),
        }
    }
    let is_one = runs.len() == 1;
    for mut episodes in runs {
        // Exports of several runs may be mixed; within a run the number tells the order.
        episodes.sort_by_key(|episode| number(&episode.value));
        let place = if is_one { String::new() } else { episodes.first().map(place).unwrap_or_default() };
        read.trajectories.push(trajectory(&episodes, place));
    }
    read
}

/// The elements of a list, or the lines of JSON Lines.
fn episodes(bytes: &[u8], problems: &mut Vec<Problem>) -> Vec<Episode> {
    let mut found = Vec::new();
    if json::without_mark(bytes).trim_ascii_start().starts_with(b"[") {
        let skipped = [(json::ANYWHERE, &["tool_definitions"][..])];
        if let Some(Value::Array(elements)) = json::pruned(bytes, &skipped, problems) {
            let numbered = elements.into_iter().enumerate();
            found.extend(numbered.map(|(place, value)| Episode { record: place + 1, value }));
        }
    } else {
        json::records(bytes, 0, problems, |record, _| {
            found.push(Episode { record: found.len() + 1, value: record.value });
        });
    }
    found
}

fn place(episode: &Episode) -> String {
    format!("record {}", episode.record)
}

/// What the elements of one run have in common. Files of helpers bear the names of the run that they helped.
fn key(value: &Value) -> String {
    let parts = ["trial_name", "run_id", "task"].map(|key| text(value, key).unwrap_or_default());
    parts.join("\n")
}

/// The number in `episode-N`.
fn number(value: &Value) -> Option<u64> {
    text(value, "episode")?.rsplit('-').next()?.parse().ok()
}

fn trajectory(episodes: &[Episode], place: String) -> Trajectory {
    let mut run = Trajectory::new(FORMAT.name, "");
    run.place = place;
    run.is_sample = true;
    if let Some(Episode { value, .. }) = episodes.last() {
        run.scaffold = filled(value, "agent").unwrap_or_default().to_owned();
        run.model = filled(value, "model").map(str::to_owned);
        run.instance_id = filled(value, "task").map(str::to_owned);
        run.session_id = filled(value, "trial_name").map(str::to_owned);
    }
    let snapshots: Vec<Vec<Message>> = episodes.iter().map(|episode| messages(&episode.value)).collect();
    let messages = terminus::unrolled(&snapshots, false);
    terminus::converse(&mut run, &messages);
    if run.scaffold == openhands::SCAFFOLD {
        run.turns.iter_mut().flat_map(|turn| &mut turn.calls).for_each(openhands::refine);
        run.logs_exit_codes =
            run.turns.iter().flat_map(|turn| &turn.calls).any(|call| call.exit_code.is_some());
    }
    run.steps = Some(episodes.len() as i64);
    if terminus::is_helper(&messages) {
        run.parent = Some(Parent { ordinal: None, session_id: run.session_id.clone(), turn: None });
    }
    if let Some(last) = episodes.last() {
        outcome(&mut run, &last.value);
    }
    run
}

/// The result is the reward, or the exception that ended the trial.
fn outcome(run: &mut Trajectory, value: &Value) {
    if let Some(reward) = lenient::number(value, "result") {
        run.verdict = Some(Verdict { reward: Some(reward), ..Verdict::scored(reward >= 1.0) });
    } else if let Some(status) = filled(value, "result") {
        run.raw_exit_status = Some(status.to_owned());
        run.termination = statuses::termination("harbor", status).unwrap_or(Termination::Unknown);
    }
}

fn messages(value: &Value) -> Vec<Message> {
    let message = |message: &Value| {
        let role = match text(message, "role")? {
            "system" => Role::System,
            "assistant" => Role::Assistant,
            _ => Role::User,
        };
        Some(Message { role, text: lenient::content(message.get("content"))? })
    };
    list(value, "conversations").iter().filter_map(message).collect()
}
