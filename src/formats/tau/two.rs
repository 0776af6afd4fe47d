//! τ²: `results.json` with all simulations, or one simulation a file. The user has tools of its own there: `requestor` says
//! whose a call is. Voice runs are ticks of a fifth of a second and have no responses that could be counted.

use super::super::json::lenient::{at, filled, list, number, text, time, whole};
use super::super::{Evidence, Format, Input, Read, Sketch, Sniff, dialogue, json, messages};
use super::{task_id, verdict};
use crate::data::statuses;
use crate::model::{Problem, TaskKind, Termination, Trajectory, Weight};
use serde_json::Value;

const NAME: &str = "tau2";

/// τ².
pub const FORMAT_2: Format = Format {
    name: NAME,
    written_by: "τ²-bench",
    files: "results.json, simulations/ID.json",
    lacks: &["exit codes", "response boundaries, where the run was spoken"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(sniff),
    read,
};

fn sniff(values: &[Sketch]) -> bool {
    values.first().is_some_and(|value| {
        is_simulation(value)
            || (value.get("info").is_some_and(Sketch::is_object)
                && value.get("tasks").is_some_and(Sketch::is_list)
                && value.first("simulations").is_some_and(is_simulation))
    })
}

fn is_simulation(value: &Sketch) -> bool {
    let has_list = |key: &str| value.get(key).is_some_and(Sketch::is_list);
    value.has("task_id") && value.has("termination_reason") && (has_list("messages") || has_list("ticks"))
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let Some(document) = json::document(input.bytes(), &mut read.problems) else { return read };
    if document.get("simulations").is_none() {
        read.trajectories.push(trajectory(&document, String::new()));
        return read;
    }
    let agent = at(&document, &["info", "agent_info"]);
    for (index, simulation) in list(&document, "simulations").iter().enumerate() {
        let place = format!("record {}", index + 1);
        if !simulation.is_object() {
            read.problems.push(Problem::new(Weight::Refused, place, "a simulation that is no object"));
            continue;
        }
        let mut run = trajectory(simulation, place);
        run.model = agent.and_then(|agent| filled(agent, "llm")).map(str::to_owned);
        read.trajectories.push(run);
    }
    read
}

fn trajectory(simulation: &Value, place: String) -> Trajectory {
    let mut run = Trajectory::new(NAME, NAME);
    run.place = place;
    run.instance_id = task_id(simulation);
    run.run = whole(simulation, "trial").filter(|run| *run >= 0);
    run.session_id = filled(simulation, "id").map(str::to_owned);
    run.is_sample = true;
    run.can_submit = false;
    run.started_at = time(simulation, "start_time");
    run.ended_at = time(simulation, "end_time");
    run.cost_usd = number(simulation, "agent_cost");
    run.verdict = simulation.get("reward_info").map(|info| verdict(info.get("reward")));
    run.has_turn_boundaries = !simulation.get("ticks").is_some_and(Value::is_array);
    if run.has_turn_boundaries {
        let (said, _) = messages::say_all(&spoken(list(simulation, "messages")));
        dialogue::fill(&mut run, said);
    } else {
        run.has_log = false;
    }
    run.raw_exit_status = filled(simulation, "termination_reason").map(str::to_owned);
    run.termination = run.raw_exit_status.as_deref().map_or(Termination::Incomplete, |raw| {
        statuses::termination(NAME, raw).unwrap_or(Termination::Unknown)
    });
    run
}

/// The messages in common spelling, without what no model of the agent wrote: the greeting that the harness puts before the
/// first user message, and the results of the user's own tools.
fn spoken(messages: &[Value]) -> Vec<Value> {
    let first_user = messages.iter().position(|message| text(message, "role") == Some("user"));
    let is_greeting = |index: usize, message: &Value| {
        first_user.is_none_or(|user| index < user)
            && text(message, "role") == Some("assistant")
            && list(message, "tool_calls").is_empty()
            && at(message, &["usage"]).is_none()
            && at(message, &["raw_data"]).is_none()
    };
    let kept = messages.iter().enumerate().filter(|(index, message)| !is_greeting(*index, message));
    // Several results may stand in one message.
    let parts = kept.flat_map(|(_, message)| match list(message, "tool_messages") {
        [] => std::slice::from_ref(message),
        several => several,
    });
    let is_of_user =
        |message: &Value| text(message, "role") == Some("tool") && text(message, "requestor") == Some("user");
    parts.filter(|message| !is_of_user(message)).map(result).collect()
}

/// A result names its call by its own id, and its fault by `error`.
fn result(message: &Value) -> Value {
    let mut message = message.clone();
    if text(&message, "role") == Some("tool") {
        message["tool_call_id"] = message.get("id").cloned().unwrap_or_default();
        message["is_error"] = message.get("error").cloned().unwrap_or_default();
    }
    message
}
