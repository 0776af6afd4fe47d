//! NeMo-Gym rollouts (`formats-other.md` §11): one rollout a line, items of the Responses API in `response.output`, what the
//! environment measured beside it. Lines are written as rollouts finish: their order is no number of a run.
//!
//! Never here: aggregates (`*_reward_profiling.jsonl`) and inputs without a response; they are no logs.

use super::dialogue::{self, Said};
use super::json::lenient::{as_whole, at, content, filled, flag, list, number, text, verdict, whole};
use super::json::{self, Record};
use super::messages::{say, say_all};
use super::{Evidence, Format, Read, Sketch, Sniff};
use crate::data::statuses::termination;
use crate::model::outcome::TestCounts;
use crate::model::{
    Origin, PatchState, Problem, Termination, Trajectory, Turn, UnscoredReason, Verdict, Weight,
};
use serde_json::Value;

/// NeMo-Gym rollouts.
pub const FORMAT: Format = Format {
    name: "nemo-gym",
    written_by: "NeMo-Gym, rollouts of any of its agents",
    files: "*rollouts*.jsonl",
    lacks: &[
        "times",
        "tokens, where a harness counts 0",
        "all but the last exchange, where a harness keeps no more: the turns are then a lower bound",
        "the task's id, in old versions: the row's number stands in",
    ],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: true,
    sniff: Sniff::Values(sniff),
    read: |input| {
        let mut read = Read::default();
        let Read { trajectories, problems, .. } = &mut read;
        json::records(input.bytes(), input.lines_before, problems, |record, problems| {
            trajectories.extend(rollout(&record, problems));
        });
        read
    },
};

fn sniff(values: &[Sketch]) -> bool {
    let is_rollout = |value: &Sketch| {
        value.get("responses_create_params").is_some_and(Sketch::is_object)
            && value.at(&["response", "output"]).is_some_and(Sketch::is_list)
    };
    values.iter().any(is_rollout)
}

/// Harnesses by a part of the agent's name, with the scaffold's name.
const SCAFFOLDS: [(&str, &str); 11] = [
    ("mini_swe_agent", "mini-swe-agent"),
    ("swe_agent", "swe-agent"),
    ("claude_code", "claude-code"),
    ("openhands", "openhands"),
    ("opencode", "opencode"),
    ("openclaw", "openclaw"),
    ("hermes", "hermes"),
    ("terminus", "terminus"),
    ("codex", "codex"),
    ("tau2", "tau2"),
    ("anyswe_pi", "pi"),
];

fn rollout(record: &Record, problems: &mut Vec<Problem>) -> Option<Trajectory> {
    let row = &record.value;
    let response = row.get("response").filter(|response| response.get("output").is_some_and(Value::is_array));
    let Some(response) = response else {
        problems.push(Problem::new(Weight::Refused, record.place(), "no `response.output`: no rollout"));
        return None;
    };
    let mut run = Trajectory::new(FORMAT.name, &scaffold(row));
    run.place = record.place();
    run.is_sample = true;
    run.can_submit = run.scaffold == "mini-swe-agent";
    identity(&mut run, record, response, problems);
    outcome(&mut run, row);
    patch(&mut run, row);
    let output = list(response, "output");
    prompt(&mut run, row, output);
    let earlier = run.turns.len();
    let (said, strange) = say_all(output);
    if strange > 0 {
        let what = format!("{strange} items of no known kind were left out");
        problems.push(Problem::new(Weight::Note, record.place(), what));
    }
    dialogue::fill(&mut run, said);
    run.steps = Some(output.len() as i64);
    run.has_log = run.turns.len() > earlier;
    if let Some(usage) = response.get("usage") {
        // Some harnesses count nothing and say 0.
        run.tokens_in = whole(usage, "input_tokens").filter(|count| *count > 0);
        run.tokens_out = whole(usage, "output_tokens").filter(|count| *count > 0);
    }
    if run.has_log
        && let Some(why) = lost(&run, row, response, earlier)
    {
        let what =
            format!("the output holds the end of the rollout only ({why}): its turns are a lower bound");
        problems.push(Problem::new(Weight::Note, record.place(), what));
    }
    end(&mut run, row, response);
    Some(run)
}

fn scaffold(row: &Value) -> String {
    let names = [
        at(row, &["instance_config", "agent_server_module"]),
        at(row, &["agent_ref", "name"]),
        at(row, &["instance_config", "name"]),
    ];
    let mut names = names.into_iter().flatten().filter_map(Value::as_str);
    let known = names.clone().find_map(|name| SCAFFOLDS.iter().find(|(part, _)| name.contains(part)));
    match known {
        Some((_, scaffold)) => (*scaffold).to_owned(),
        None => names.next().unwrap_or("nemo-gym").to_owned(),
    }
}

fn identity(run: &mut Trajectory, record: &Record, response: &Value, problems: &mut Vec<Problem>) {
    let row = &record.value;
    let places: [&[&str]; 9] = [
        &["instance_id"],
        &["instance_config", "problem_info", "instance_id"],
        &["instance_config", "instance_id"],
        &["responses_create_params", "metadata", "instance_id"],
        &["verifier_metadata", "instance_id"],
        &["verifier_metadata", "task_id"],
        &["task_id"],
        &["uuid"],
        &["_ng_task_index"],
    ];
    run.instance_id = places.iter().find_map(|place| {
        let value = at(row, place)?;
        let text = value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        text.or_else(|| as_whole(value).map(|number| number.to_string()))
    });
    if run.instance_id.is_none() {
        // The file lists its tasks in order where it does not number them.
        run.instance_id = Some((record.line - 1).to_string());
        let what =
            "the row names no task: its number, from 0, stands in; it pairs with rows of the same order only";
        problems.push(Problem::new(Weight::Note, record.place(), what));
    }
    run.run = whole(row, "_ng_rollout_index").filter(|run| *run >= 0);
    run.model = filled(response, "model").map(str::to_owned);
    run.session_id = filled(response, "id").map(str::to_owned);
}

fn outcome(run: &mut Trajectory, row: &Value) {
    let reward = number(row, "reward");
    let is_masked = flag(row, "mask_sample") == Some(true);
    let resolved = verdict(row, "resolved").or_else(|| reward.map(|reward| reward >= 1.0));
    let mut given = match resolved {
        _ if is_masked => Verdict::unscored(UnscoredReason::MaskSample),
        Some(resolved) => Verdict::scored(resolved),
        None if row.get("reward").is_some() => Verdict::unscored(UnscoredReason::Null),
        None => return,
    };
    given.reward = reward;
    given.applied = flag(row, "apply_failed").map(|failed| !failed);
    let count = |key| whole(row, key);
    if let (Some(f2p_passed), Some(f2p_total), Some(p2p_passed), Some(p2p_total)) =
        (count("f2p_passed"), count("f2p_total"), count("p2p_passed"), count("p2p_total"))
    {
        given.counts = TestCounts { f2p_passed, f2p_total, p2p_passed, p2p_total }.sound();
    }
    run.verdict = Some(given);
}

fn patch(run: &mut Trajectory, row: &Value) {
    let key = row.get("model_patch").or_else(|| at(row, &["metadata", "model_patch"]));
    let is_known = key.is_some() || row.get("patch_exists").is_some();
    run.patch = key.and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned);
    // Where the patch lies elsewhere, its size tells that there is one.
    let has_size = whole(row, "model_patch_bytes").is_some_and(|size| size > 0);
    run.patch_state = match (&run.patch, is_known) {
        (Some(_), _) => PatchState::Nonempty,
        _ if has_size => PatchState::Nonempty,
        (None, true) => PatchState::Empty,
        (None, false) => PatchState::Missing,
    };
}

/// System prompt and task; responses that were given as the prompt are copies of an earlier exchange.
fn prompt(run: &mut Trajectory, row: &Value, output: &[Value]) {
    let Some(parameters) = row.get("responses_create_params") else { return };
    run.system = filled(parameters, "instructions").map(str::to_owned);
    match parameters.get("input") {
        Some(Value::String(text)) => run.task = Some(text.clone()),
        Some(Value::Array(messages)) => {
            let ids = |values: &[Value]| -> Vec<String> {
                values.iter().filter_map(|value| text(value, "call_id")).map(str::to_owned).collect()
            };
            let known = ids(output);
            let repeats = ids(messages).iter().any(|id| known.contains(id));
            let mut said = Vec::new();
            for message in messages {
                say(message, &mut said);
            }
            said.retain(|said| !repeats || matches!(said, Said::System(_) | Said::User(_)));
            dialogue::fill(run, said);
            for turn in &mut run.turns {
                turn.origin = Origin::Copied;
            }
        }
        _ => {}
    }
}

/// Why the output can't be the whole rollout; `None` where nothing says so.
fn lost(run: &Trajectory, row: &Value, response: &Value, earlier: usize) -> Option<String> {
    let turns = run.turns.get(earlier..).unwrap_or_default();
    let hidden = at(response, &["usage", "output_tokens_details", "reasoning_tokens"])
        .and_then(as_whole)
        .unwrap_or_default();
    let tokens = run.tokens_out.unwrap_or_default() - hidden;
    let bytes: usize = list(response, "output")
        .iter()
        .filter(|item| text(item, "type") != Some("function_call_output"))
        .map(|item| {
            let said = content(item.get("content")).map_or(0, |text| text.len());
            let thought = content(item.get("summary")).map_or(0, |text| text.len());
            said + thought + text(item, "arguments").map_or(0, str::len)
        })
        .sum();
    // No tokenizer makes more tokens than bytes.
    if tokens > 1000 && tokens > bytes as i64 {
        return Some(format!("{tokens} tokens were written, {bytes} bytes are here"));
    }
    let used = whole(row, "turns_used").unwrap_or_default();
    if used > turns.len() as i64 {
        return Some(format!("{used} turns were used"));
    }
    let is_silent = turns.iter().all(|turn| turn.calls.is_empty() && turn.text.trim().is_empty());
    (is_silent && run.patch.is_some()).then(|| "there is a patch, and neither a call nor a word".to_owned())
}

/// The end: what the harness says of it, else what the last turn tells. `other` as the kind of an agent's error is said of
/// good runs too and means nothing.
fn end(run: &mut Trajectory, row: &Value, response: &Value) {
    let is_true = |key: &str| flag(row, key) == Some(true);
    let said = if is_true("agent_timed_out") || is_true("container_timed_out") {
        Some("agent_timed_out".to_owned())
    } else {
        let kinds = ["error_kind", "agent_error_kind"].iter().filter_map(|key| filled(row, key));
        // A verifier that ran out of time changes the outcome, not the end.
        let kind = kinds.map(str::to_owned).find(|kind| !matches!(kind.as_str(), "other" | "eval_timeout"));
        let reason = at(row, &["result", "termination_reason"]).and_then(Value::as_str).map(str::to_owned);
        let details = at(response, &["incomplete_details", "reason"]).and_then(Value::as_str);
        kind.or(reason).or_else(|| details.map(str::to_owned))
    };
    dialogue::end(run);
    let is_silent = |turn: &Turn| turn.calls.is_empty() && turn.text.trim().is_empty();
    if !run.has_log || run.turns.last().is_some_and(is_silent) {
        // A response of nothing tells nothing of the end.
        run.termination = Termination::Unknown;
    }
    if let Some(said) = said {
        run.termination = termination("nemo-gym", &said).unwrap_or(Termination::Unknown);
        run.raw_exit_status = Some(said);
        if run.termination != Termination::Submitted {
            run.submitting_turn = None;
        }
        return;
    }
    let finished = ["finished_naturally", "opencode_finished"].iter().any(|key| is_true(key));
    if finished && run.termination == Termination::Incomplete {
        run.termination = Termination::Finished;
    }
    run.raw_exit_status = filled(response, "status").map(str::to_owned);
}
