//! Logs of single completions, 0.x (`log_completions`) and the SDK: the prompt, which repeats the history, and the response. One
//! file is one response; the folder `llm_completions/INSTANCE` holds those of a run.

use super::files::{object, parted};
use super::{SCAFFOLD, end, result};
use crate::formats::dialogue::{self, Said};
use crate::formats::json::lenient::{as_time, at, filled, list, number, text, whole};
use crate::formats::{Evidence, Format, Input, Read, Sketch, Sniff, json, messages};
use crate::model::{Origin, Problem, Termination, Trajectory, Weight};
use serde_json::Value;
use std::collections::BTreeSet;

/// One completion.
pub const COMPLETION: Format = Format {
    name: "openhands-completion",
    written_by: "OpenHands 0.x and 1.x (`log_completions`)",
    files: "<model>-<time>.json",
    lacks: &["a run: one response and the history before it", "instance, outcome and patch"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Values(|values| matches!(values, [only] if is_completion(only))),
    read: read_one,
};

/// The completions of a run.
pub const COMPLETIONS: Format = Format {
    name: "openhands-completions",
    written_by: "OpenHands 0.x and 1.x (`log_completions` of an evaluation)",
    files: "llm_completions/<instance>/*.json",
    lacks: &["outcome and patch", "results of the last response"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Folder(root),
    read: read_folder,
};

/// A prompt of messages with a response of the chat interface, and when or how long.
fn is_completion(value: &Sketch) -> bool {
    let has_prompt = value.first("messages").is_some_and(|message| message.text("role").is_some());
    let has_response = value.at(&["response", "choices"]).is_some_and(Sketch::is_list);
    has_prompt && has_response && value.has("timestamp") && (value.has("kwargs") || value.has("latency_sec"))
}

/// `<…>/llm_completions/<instance>/<file>.json`.
fn root(path: &str) -> Option<usize> {
    let (folder, name) = parted(path);
    let is_log = name.ends_with(".json") && parted(parted(folder).0).1 == "llm_completions";
    is_log.then_some(folder.len())
}

/// One response with its prompt.
struct Completion {
    value: Value,
    time: Option<i64>,
}

impl Completion {
    fn of(value: Value) -> Option<Completion> {
        let is_one = value.get("messages").is_some_and(Value::is_array)
            && value.get("response").is_some_and(Value::is_object);
        let time = value.get("timestamp").and_then(as_time);
        is_one.then_some(Completion { value, time })
    }

    /// The prompt, with structured calls where the model itself was given text.
    fn prompt(&self) -> &[Value] {
        let structured = ["fncall_messages", "raw_messages"].iter().map(|key| list(&self.value, key));
        structured.into_iter().find(|messages| !messages.is_empty()).unwrap_or(list(&self.value, "messages"))
    }

    fn response(&self) -> &Value {
        let structured = self.value.get("fncall_response").filter(|response| response.is_object());
        structured.or_else(|| self.value.get("response")).unwrap_or(&Value::Null)
    }

    /// What the response says.
    fn said(&self) -> Vec<Said> {
        let message = list(self.response(), "choices").first().and_then(|choice| choice.get("message"));
        let (mut said, _) = messages::say_all(message.map_or(&[][..], std::slice::from_ref));
        if let Some(Said::Response(response)) = said.first_mut() {
            let usage = self.response().get("usage");
            response.tokens_in = usage.and_then(|usage| whole(usage, "prompt_tokens"));
            response.tokens_out = usage.and_then(|usage| whole(usage, "completion_tokens"));
            response.logged_at = self.time;
        }
        said
    }

    /// Messages of the prompt behind its last response: what came back from that.
    fn news(&self) -> &[Value] {
        let prompt = self.prompt();
        let last = prompt.iter().rposition(|message| text(message, "role") == Some("assistant"));
        last.and_then(|last| prompt.get(last + 1..)).unwrap_or_default()
    }

    fn has_system(&self) -> bool {
        self.prompt().iter().any(|message| text(message, "role") == Some("system"))
    }
}

/// Fills a run with the history of the first completion and all responses.
fn fill(run: &mut Trajectory, completions: &[Completion]) {
    let Some(first) = completions.first() else { return };
    let (mut said, _) = messages::say_all(first.prompt());
    let copied = said.iter().filter(|said| matches!(said, Said::Response(_))).count();
    for (index, completion) in completions.iter().enumerate() {
        if index > 0 {
            said.extend(messages::say_all(completion.news()).0);
        }
        said.extend(completion.said());
        run.model = run.model.take().or_else(|| filled(completion.response(), "model").map(str::to_owned));
        let latency =
            number(&completion.value, "latency_sec").map(|seconds| (seconds * 1000.0).round() as i64);
        let begun = completion.time.map(|time| time - latency.unwrap_or(0).max(0));
        run.started_at = run.started_at.or(begun);
        run.ended_at = completion.time.or(run.ended_at);
    }
    dialogue::fill(run, said);
    run.turns.iter_mut().take(copied).for_each(|turn| turn.origin = Origin::Copied);
    run.turns.iter_mut().flat_map(|turn| &mut turn.calls).for_each(result::refine);
    run.logs_exit_codes = true;
    if end::hands_in(run) {
        run.termination = Termination::Submitted;
        run.submitting_turn = run.turns.len().checked_sub(1);
    } else {
        run.termination = Termination::Incomplete;
    }
}

/// Costs and tokens of all completions, those of helpers too.
fn set_use(run: &mut Trajectory, completions: &[Completion]) {
    for completion in completions {
        if let Some(cost) = number(&completion.value, "cost").filter(|cost| *cost > 0.0) {
            run.cost_usd = Some(run.cost_usd.unwrap_or(0.0) + cost);
        }
        let Some(usage) = completion.response().get("usage") else { continue };
        let add = |sum: Option<i64>, key: &str| match whole(usage, key) {
            Some(tokens) => Some(sum.unwrap_or(0).saturating_add(tokens)),
            None => sum,
        };
        run.tokens_in = add(run.tokens_in, "prompt_tokens");
        run.tokens_out = add(run.tokens_out, "completion_tokens");
    }
}

fn read_one(input: &Input) -> Read {
    let mut read = Read::default();
    let Some(value) = json::document(input.bytes(), &mut read.problems) else { return read };
    let Some(completion) = Completion::of(value) else {
        let what = "a completion without its response";
        read.problems.push(Problem::new(Weight::Refused, "", what));
        return read;
    };
    let mut run = Trajectory::new(COMPLETION.name, SCAFFOLD);
    run.session_id = filled(completion.response(), "id").map(str::to_owned);
    run.steps = i64::try_from(completion.prompt().len()).ok();
    let completions = [completion];
    set_use(&mut run, &completions);
    fill(&mut run, &completions);
    read.trajectories.push(run);
    read
}

fn read_folder(input: &Input) -> Read {
    let mut read = Read::default();
    let mut completions = Vec::new();
    let mut ids = BTreeSet::new();
    for part in input.parts {
        let Some(value) = object(*part, &mut read.problems) else { continue };
        let Some(completion) = Completion::of(value) else {
            let what = "a completion without its response";
            read.problems.push(Problem::new(Weight::Refused, format!("member {}", part.path), what));
            continue;
        };
        let id = at(&completion.value, &["response", "id"]).and_then(Value::as_str);
        if id.is_none_or(|id| ids.insert(id.to_owned())) {
            completions.push(completion);
        }
    }
    let mut run = Trajectory::new(COMPLETIONS.name, SCAFFOLD);
    set_use(&mut run, &completions);
    // The condenser asks without the agent's instructions: its responses are no turns.
    let all = completions.len();
    if completions.iter().any(Completion::has_system) {
        completions.retain(Completion::has_system);
    }
    if completions.len() < all {
        let what = format!(
            "{} completions of helpers (no instructions of the agent) are no turns",
            all - completions.len()
        );
        read.problems.push(Problem::new(Weight::Note, "", what));
    }
    completions.sort_by_key(|completion| completion.time);
    if completions.is_empty() {
        return read;
    }
    run.steps = i64::try_from(all).ok();
    run.api_calls = run.steps;
    fill(&mut run, &completions);
    read.trajectories.push(run);
    read
}
