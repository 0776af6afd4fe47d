//! Model, scaffold, tokens, cost and times of an ATIF trajectory.

use crate::formats::json::lenient::{at, filled, list, number, text, time, whole};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// Puts what the root says of the run into it.
pub fn settle(run: &mut Trajectory, root: &Value, problems: &mut Vec<Problem>) {
    let agent = root.get("agent").unwrap_or(&Value::Null);
    run.scaffold = filled(agent, "name").unwrap_or("unknown").to_owned();
    run.scaffold_version =
        filled(agent, "version").filter(|version| *version != "unknown").map(str::to_owned);
    let steps = list(root, "steps");
    let of_step = || steps.iter().find_map(|step| filled(step, "model_name"));
    run.model = filled(agent, "model_name").or_else(of_step).map(str::to_owned);
    run.session_id = filled(root, "session_id").map(str::to_owned);
    // The tool's own number: what was copied from the file before is among its steps, as it is in the file's own count.
    run.steps = Some(steps.len() as i64);
    run.copied_steps = steps.iter().filter(|step| is_copied(step)).count() as i64;
    // Only where the writer counts calls at all: a step may hold several responses, or none.
    let counts: Vec<i64> = steps.iter().filter_map(|step| whole(step, "llm_call_count")).collect();
    run.api_calls = (!counts.is_empty()).then(|| counts.iter().sum());
    let mut times = steps.iter().filter_map(|step| time(step, "timestamp"));
    run.started_at = times.next();
    run.ended_at = times.next_back().or(run.started_at);
    totals(run, root, problems);
}

/// Tokens that a step's prompt and answer took. Where a file counts cached tokens beside the prompt, they are added.
pub fn tokens(step: &Value, is_cache_apart: bool) -> (Option<i64>, Option<i64>) {
    let metrics = step.get("metrics").unwrap_or(&Value::Null);
    (prompt(metrics, ["prompt_tokens", "cached_tokens"], is_cache_apart), whole(metrics, "completion_tokens"))
}

fn prompt(metrics: &Value, [prompt, cached]: [&str; 2], is_cache_apart: bool) -> Option<i64> {
    let prompt = whole(metrics, prompt).filter(|count| *count >= 0)?;
    let cached = whole(metrics, cached).filter(|_| is_cache_apart).unwrap_or_default();
    Some(prompt.saturating_add(cached))
}

/// Cached tokens are to be part of the prompt's; in files of some writers they are not, which shows where they are more.
pub fn is_cache_apart(root: &Value) -> bool {
    let is_more = |metrics: &Value| {
        matches!((whole(metrics, "prompt_tokens"), whole(metrics, "cached_tokens")),
            (Some(prompt), Some(cached)) if cached > prompt)
    };
    list(root, "steps").iter().filter_map(|step| step.get("metrics")).any(is_more)
}

fn is_copied(step: &Value) -> bool {
    step.get("is_copied_context").and_then(Value::as_bool) == Some(true)
}

fn totals(run: &mut Trajectory, root: &Value, problems: &mut Vec<Problem>) {
    let is_apart = is_cache_apart(root);
    if is_apart {
        let what =
            "cached tokens are counted beside the prompt's, against the format's rule: they were added";
        problems.push(Problem::new(Weight::Note, run.place.clone(), what));
    }
    // The totals of a continuation are those of the whole run.
    let is_continuation = at(root, &["agent", "extra", "continuation_index"]).is_some();
    let totals = root.get("final_metrics").filter(|_| !is_continuation).unwrap_or(&Value::Null);
    let own = || list(root, "steps").iter().filter(|step| !is_copied(step));
    let sum_in = || sum(own().filter_map(|step| tokens(step, is_apart).0));
    let sum_out = || sum(own().filter_map(|step| tokens(step, is_apart).1));
    let total_in = prompt(totals, ["total_prompt_tokens", "total_cached_tokens"], is_apart);
    // Zero stands for unknown in files that count nothing.
    let is_known = |number: &i64| *number > 0;
    run.tokens_in = total_in.or_else(sum_in).filter(is_known);
    run.tokens_out = whole(totals, "total_completion_tokens").or_else(sum_out).filter(is_known);
    let cost = |metrics: &Value, key: &str| number(metrics, key).filter(|cost| *cost > 0.0);
    let of_steps: f64 = own().filter_map(|step| cost(step.get("metrics")?, "cost_usd")).sum();
    run.cost_usd = cost(totals, "total_cost_usd").or((of_steps > 0.0).then_some(of_steps));
}

/// What the run took by the last file of a chain, whose totals are those of all its files.
pub fn of_whole_run(run: &mut Trajectory, root: &Value) {
    let totals = root.get("final_metrics").unwrap_or(&Value::Null);
    let is_known = |number: &i64| *number > 0;
    let total_in = prompt(totals, ["total_prompt_tokens", "total_cached_tokens"], is_cache_apart(root));
    run.tokens_in = total_in.filter(is_known).or(run.tokens_in);
    run.tokens_out = whole(totals, "total_completion_tokens").filter(is_known).or(run.tokens_out);
    run.cost_usd = number(totals, "total_cost_usd").filter(|cost| *cost > 0.0).or(run.cost_usd);
}

/// The sum; `None` where there is nothing to add.
fn sum(numbers: impl Iterator<Item = i64>) -> Option<i64> {
    numbers.reduce(i64::saturating_add)
}

/// The stop reason that some writers keep beside a response.
pub fn stop_reason(step: &Value) -> Option<&str> {
    text(step.get("extra")?, "stop_reason").filter(|reason| !reason.is_empty())
}
