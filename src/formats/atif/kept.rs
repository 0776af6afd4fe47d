//! What ATIF has no field for, in `extra` under one key: written and read here, so that a run comes back as it was.

use super::operation;
use super::steps::made;
use super::usage::tokens;
use crate::formats::json::lenient::{at, content, filled, flag, list, number, text, time, whole};
use crate::model::{
    Call, CallKind, CommandSet, ObservationState, Origin, PatchState, Quality, Refusal, TaskKind,
    Termination, Trajectory, Turn, Verdict, quality_reason,
};
use serde_json::{Map, Value, json};

/// The key in `extra`.
pub const KEY: &str = "ethogram";

/// An object without the values that are null.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// A value that is said only where it is not the usual one.
fn unusual(is_usual: bool, value: impl Into<Value>) -> Value {
    if is_usual { Value::Null } else { value.into() }
}

/// A number as a text: JSON readers may be off by the last bit of one.
fn exact(number: Option<f64>) -> Value {
    json!(number.map(|number| number.to_string()))
}

/// What the root keeps of a run.
pub fn of_run(run: &Trajectory) -> Value {
    let refusals: Vec<Value> = run.refusals.iter().map(|refusal| json!(refusal.before_turn)).collect();
    let verdict = run.verdict.as_ref().filter(|verdict| verdict.scored);
    let fields = object([
        ("version", 1.into()),
        ("source_format", run.format.into()),
        ("scaffold", run.scaffold.as_str().into()),
        ("scaffold_version", json!(run.scaffold_version)),
        ("commands", unusual(run.commands == CommandSet::Plain, "swe-agent")),
        ("model", json!(run.model)),
        ("instance_id", json!(run.instance_id)),
        ("collection", json!(run.collection)),
        ("task_kind", json!(run.task_kind.map(TaskKind::as_str))),
        ("run", json!(run.run)),
        ("is_sample", unusual(!run.is_sample, true)),
        ("session_id", json!(run.session_id)),
        ("parent_turn", json!(run.parent.as_ref().and_then(|parent| parent.turn))),
        ("resolved", json!(verdict.and_then(|verdict| verdict.resolved))),
        ("reward", exact(verdict.and_then(|verdict| verdict.reward))),
        ("steps", json!(run.steps)),
        ("copied_steps", unusual(run.copied_steps == 0, run.copied_steps)),
        ("api_calls", json!(run.api_calls)),
        ("has_log", unusual(run.has_log, false)),
        ("has_turn_boundaries", unusual(run.has_turn_boundaries, false)),
        ("refusals", unusual(refusals.is_empty(), refusals)),
        ("termination", run.termination.as_str().into()),
        ("auto_submitted", unusual(!run.auto_submitted, true)),
        ("submitting_turn", json!(run.submitting_turn)),
        ("can_submit", unusual(run.can_submit, false)),
        ("exit_status", json!(run.raw_exit_status)),
        ("patch", json!(run.patch)),
        ("patch_state", run.patch_state.as_str().into()),
        ("tokens_in", json!(run.tokens_in)),
        ("tokens_out", json!(run.tokens_out)),
        ("cost_usd", exact(run.cost_usd)),
        ("started_at", json!(run.started_at)),
        ("ended_at", json!(run.ended_at)),
        ("train_step", json!(run.train_step)),
        ("repository_root", json!(run.repository_root)),
        ("logs_exit_codes", unusual(!run.logs_exit_codes, true)),
    ]);
    Value::Object(fields)
}

/// What a step keeps of a turn; null where ATIF has a field for all of it.
pub fn of_turn(turn: &Turn) -> Value {
    let is_plain = matches!(turn.origin, Origin::Model | Origin::Copied);
    let fields = object([
        ("origin", unusual(is_plain, turn.origin.as_str())),
        ("accepted", unusual(turn.accepted, false)),
        ("quality", unusual(turn.quality_without_call == Quality::None, turn.quality_without_call.as_str())),
        ("quality_reason", json!(turn.quality_reason)),
        ("diff_after", json!(turn.diff_after.map(|hash| hash.to_hex().to_string()))),
    ]);
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}

/// What a tool call keeps of a call; `arguments` are those that are written.
pub fn of_call(call: &Call, arguments: &Value) -> Value {
    let plain = made(&json!({"function_name": call.tool, "arguments": arguments}));
    let is_plain = plain.kind == call.kind
        && plain.input == call.input
        && plain.operation == call.operation
        && plain.cwd == call.cwd;
    let mut fields = object([
        ("quality", unusual(call.quality == Quality::Valid, call.quality.as_str())),
        ("quality_reason", json!(call.quality_reason)),
        ("open_file", json!(call.open_file)),
    ]);
    if !is_plain {
        let input = unusual(input_of(call.kind, arguments) == call.input, call.input.as_str());
        fields.extend(object([
            ("kind", call.kind.as_str().into()),
            ("input", input),
            ("operation", call.operation.as_ref().map_or(Value::Null, operation::write)),
            ("cwd", json!(call.cwd)),
        ]));
    }
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}

/// The input that arguments stand for where nothing else is said.
fn input_of(kind: CallKind, arguments: &Value) -> String {
    match kind {
        CallKind::Shell => text(arguments, "command").unwrap_or_default().to_owned(),
        CallKind::Tool => arguments.to_string(),
    }
}

/// What a result keeps beside its text.
pub fn of_result(call: &Call) -> Map<String, Value> {
    let usual = if call.observation.is_some() { ObservationState::Full } else { ObservationState::Missing };
    let more = object([
        ("timed_out", unusual(!call.timed_out, true)),
        ("state", unusual(call.observation_state == usual, call.observation_state.as_str())),
    ]);
    object([
        ("exit_code", json!(call.exit_code)),
        ("is_error", json!(call.is_error)),
        ("duration_ms", json!(call.duration_ms)),
        (KEY, unusual(more.is_empty(), more)),
    ])
}

/// The turn of the parent that started a sub-agent.
pub fn parent_turn(kept: &Value) -> Option<usize> {
    usize::try_from(whole(kept, "parent_turn")?).ok()
}

/// Puts everything back into a run that we wrote.
pub fn restore(run: &mut Trajectory, root: &Value, kept: &Value) {
    let part = |key: &str| text(kept, key).map(str::to_owned);
    run.scaffold = part("scaffold").unwrap_or_default();
    run.scaffold_version = part("scaffold_version");
    run.commands = if kept.get("commands").is_some() { CommandSet::SweAgent } else { CommandSet::Plain };
    run.model = part("model");
    run.instance_id = part("instance_id");
    run.collection = part("collection");
    run.task_kind = text(kept, "task_kind").and_then(TaskKind::parse);
    run.run = whole(kept, "run");
    run.is_sample = flag(kept, "is_sample") == Some(true);
    run.session_id = part("session_id");
    run.verdict = flag(kept, "resolved")
        .map(|resolved| Verdict { reward: number(kept, "reward"), ..Verdict::scored(resolved) });
    run.steps = whole(kept, "steps");
    run.copied_steps = whole(kept, "copied_steps").unwrap_or_default();
    run.api_calls = whole(kept, "api_calls");
    run.has_log = flag(kept, "has_log") != Some(false);
    run.has_turn_boundaries = flag(kept, "has_turn_boundaries") != Some(false);
    let before = |value: &Value| value.as_u64().and_then(|turn| usize::try_from(turn).ok());
    run.refusals =
        list(kept, "refusals").iter().map(|value| Refusal { before_turn: before(value) }).collect();
    run.termination = text(kept, "termination").and_then(Termination::parse).unwrap_or(Termination::Unknown);
    run.auto_submitted = flag(kept, "auto_submitted") == Some(true);
    run.submitting_turn = whole(kept, "submitting_turn").and_then(|turn| usize::try_from(turn).ok());
    run.can_submit = flag(kept, "can_submit") != Some(false);
    run.raw_exit_status = part("exit_status");
    run.patch = part("patch");
    run.patch_state = [PatchState::Nonempty, PatchState::Empty, PatchState::Foreign, PatchState::Missing]
        .into_iter()
        .find(|state| text(kept, "patch_state") == Some(state.as_str()))
        .unwrap_or(PatchState::Missing);
    run.tokens_in = whole(kept, "tokens_in");
    run.tokens_out = whole(kept, "tokens_out");
    run.cost_usd = number(kept, "cost_usd");
    run.started_at = whole(kept, "started_at");
    run.ended_at = whole(kept, "ended_at");
    run.train_step = whole(kept, "train_step");
    run.repository_root = part("repository_root");
    run.logs_exit_codes = flag(kept, "logs_exit_codes") == Some(true);
    for step in list(root, "steps") {
        match text(step, "source") {
            Some("agent") => run.turns.push(turn(step)),
            _ if flag(&kept_of(step), "is_placeholder") == Some(true) => {}
            Some("system") if run.system.is_none() => run.system = content(step.get("message")),
            Some("user") if run.task.is_none() => run.task = content(step.get("message")),
            _ => {}
        }
    }
    // A file that was changed by hand must not point beyond its turns.
    run.submitting_turn = run.submitting_turn.filter(|turn| *turn < run.turns.len());
    let count = run.turns.len();
    run.refusals.retain(|refusal| refusal.before_turn.is_none_or(|turn| turn <= count));
}

fn kept_of(value: &Value) -> Value {
    at(value, &["extra", KEY]).cloned().unwrap_or(Value::Null)
}

fn turn(step: &Value) -> Turn {
    let kept = kept_of(step);
    let mut turn = Turn::new(text(step, "message").unwrap_or_default());
    let is_copied = flag(step, "is_copied_context") == Some(true);
    turn.origin = [Origin::Prefix, Origin::Demo, Origin::Abandoned]
        .into_iter()
        .find(|origin| text(&kept, "origin") == Some(origin.as_str()))
        .unwrap_or(if is_copied { Origin::Copied } else { Origin::Model });
    turn.accepted = flag(&kept, "accepted") != Some(false);
    turn.reasoning = text(step, "reasoning_content").map(str::to_owned);
    turn.quality_without_call = quality(&kept).unwrap_or(Quality::None);
    turn.quality_reason = filled(&kept, "quality_reason").and_then(quality_reason::parse);
    (turn.tokens_in, turn.tokens_out) = tokens(step, false);
    turn.logged_at = time(step, "timestamp");
    turn.diff_after = text(&kept, "diff_after").and_then(|hex| blake3::Hash::from_hex(hex).ok());
    let results = at(step, &["observation", "results"]).and_then(Value::as_array);
    for logged in list(step, "tool_calls") {
        let id = filled(logged, "tool_call_id");
        let of_call = |result: &&Value| filled(result, "source_call_id") == id;
        let result = results.and_then(|results| results.iter().find(of_call));
        turn.calls.push(call(logged, result));
    }
    turn
}

fn quality(kept: &Value) -> Option<Quality> {
    let word = text(kept, "quality")?;
    [Quality::Unparsable, Quality::Parsable, Quality::Valid, Quality::None]
        .into_iter()
        .find(|quality| quality.as_str() == word)
}

fn call(logged: &Value, result: Option<&Value>) -> Call {
    let kept = kept_of(logged);
    let arguments = logged.get("arguments").unwrap_or(&Value::Null);
    let kind =
        [CallKind::Shell, CallKind::Tool].into_iter().find(|kind| text(&kept, "kind") == Some(kind.as_str()));
    let mut call = match kind {
        None => made(logged),
        Some(kind) => {
            let input = text(&kept, "input").map_or_else(|| input_of(kind, arguments), str::to_owned);
            let mut call = Call::new(text(logged, "function_name").unwrap_or_default(), kind, input);
            call.operation = kept.get("operation").and_then(operation::read);
            call.cwd = text(&kept, "cwd").map(str::to_owned);
            call
        }
    };
    call.quality = quality(&kept).unwrap_or(Quality::Valid);
    call.quality_reason = filled(&kept, "quality_reason").and_then(quality_reason::parse);
    call.open_file = text(&kept, "open_file").map(str::to_owned);
    if let Some(result) = result {
        give(&mut call, result);
    }
    call
}

fn give(call: &mut Call, result: &Value) {
    let extra = result.get("extra").unwrap_or(&Value::Null);
    call.observation = text(result, "content").map(str::to_owned);
    call.exit_code = whole(extra, "exit_code");
    call.is_error = flag(extra, "is_error");
    call.duration_ms = whole(extra, "duration_ms");
    let kept = extra.get(KEY).unwrap_or(&Value::Null);
    call.timed_out = flag(kept, "timed_out") == Some(true);
    let usual = if call.observation.is_some() { ObservationState::Full } else { ObservationState::Missing };
    let states =
        [ObservationState::Full, ObservationState::Cut, ObservationState::Missing, ObservationState::Shared];
    let word = text(kept, "state");
    call.observation_state = states.into_iter().find(|state| word == Some(state.as_str())).unwrap_or(usual);
}
