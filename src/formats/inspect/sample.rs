//! One sample in one epoch: who it is, what was asked, what came of it. Turns come from its events; where they are not
//! logged, from its messages.

use super::super::dialogue;
use super::super::json::lenient::{at, content, filled, list, text, time, whole};
use super::{attachments, events, responses, scores};
use crate::data::statuses;
use crate::model::{Parent, Problem, Termination, Trajectory, Weight};
use serde_json::Value;

/// The scaffold's name in the data files.
const SCAFFOLD: &str = "inspect";

/// Reads samples.
pub struct Sample;

impl Sample {
    /// The trajectories of a sample: its own, then those of its sub-agents.
    pub fn read(
        format: &'static str,
        place: &str,
        mut sample: Value,
        is_whole: bool,
        problems: &mut Vec<Problem>,
    ) -> Vec<Trajectory> {
        let kept = match sample.get_mut("attachments") {
            Some(kept) => Some(kept.take()),
            None => sample.get_mut("transcript").and_then(|log| Some(log.get_mut("content")?.take())),
        };
        if let Some(Value::Object(kept)) = kept
            && !attachments::put_back(&mut sample, &kept)
        {
            let what = "its attachments are larger than all that is read of a sample: some are left out";
            problems.push(Problem::new(Weight::Refused, place, what));
        }
        let mut run = Trajectory::new(format, SCAFFOLD);
        run.place = place.to_owned();
        identity(&mut run, &sample);
        let read = events::read(&mut run, &sample);
        if run.turns.is_empty() || !is_whole {
            from_messages(&mut run, &sample);
        }
        run.can_submit |=
            run.turns.iter().any(|turn| turn.calls.iter().any(|call| dialogue::hands_in(SCAFFOLD, call)));
        run.verdict = scores::verdict(&sample, place, problems);
        status(&mut run, &sample);
        let retries = list(&sample, "error_retries").len();
        if retries > 0 {
            let what = format!("attempts at it that failed before this one: {retries}; they are no turns");
            problems.push(Problem::new(Weight::Note, place, what));
        }
        let mut runs = vec![run];
        for (index, (mut child, turn)) in read.into_iter().enumerate() {
            child.format = format;
            child.place = format!("{place}, agent {}", index + 1);
            child.instance_id.clone_from(&runs[0].instance_id);
            child.run = runs[0].run;
            child.parent = Some(Parent { ordinal: None, session_id: None, turn });
            child.termination = match child.raw_exit_status.as_deref() {
                Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
                None => natural_end(&mut child),
            };
            runs.push(child);
        }
        runs
    }
}

fn identity(run: &mut Trajectory, sample: &Value) {
    run.instance_id = sample.get("id").and_then(|id| match id {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    });
    // Epochs are counted from 1.
    run.run = whole(sample, "epoch").and_then(|epoch| epoch.checked_sub(1)).filter(|run| *run >= 0);
    run.session_id = filled(sample, "uuid").map(str::to_owned);
    run.is_sample = true;
    run.can_submit = false;
    let asked = sample.get("input");
    let by_user = list(sample, "input").iter().find(|message| text(message, "role") == Some("user"));
    run.task = by_user.map_or_else(|| content(asked), |message| content(message.get("content")));
    let mut messages = list(sample, "messages").iter();
    let system = messages.find(|message| text(message, "role") == Some("system"));
    run.system = system.and_then(|message| content(message.get("content")));
    run.started_at = time(sample, "started_at");
    run.ended_at = time(sample, "completed_at");
    // With a grader beside it, the events tell whose tokens are whose.
    let usage = at(sample, &["model_usage"]).and_then(Value::as_object).filter(|usage| usage.len() == 1);
    if let Some(usage) = usage.and_then(|usage| usage.values().next()) {
        (run.tokens_in, run.tokens_out) = responses::tokens(usage);
    }
}

/// Turns from the final messages, where that gives more: a log that is cut off may hold them and not the events.
fn from_messages(run: &mut Trajectory, sample: &Value) {
    let mut other = Trajectory::new(run.format, SCAFFOLD);
    responses::add(&mut other, list(sample, "messages"));
    if other.turns.len() > run.turns.len() {
        run.turns = other.turns;
    }
}

/// The sample's own word on its end; that of the log is added by `end`.
fn status(run: &mut Trajectory, sample: &Value) {
    if let Some(error) = at(sample, &["error"]) {
        let message = text(error, "message").or_else(|| error.as_str()).unwrap_or_default();
        run.raw_exit_status = Some(exception(message).to_owned());
    } else if let Some(kind) = at(sample, &["limit"]).and_then(|limit| filled(limit, "type")) {
        run.raw_exit_status = Some(format!("limit:{kind}"));
    }
}

/// How a sample ended. A log that was cancelled or failed holds samples that had ended before: those that were scored.
pub fn end(run: &mut Trajectory, log: &str) {
    let is_over = log == "success" || run.verdict.is_some();
    // A response that was cut off ended the sample only where the log does not say what else did.
    let own = run.raw_exit_status.take().filter(|raw| is_over || !raw.starts_with(responses::CUT_BY));
    let has_ended = own.is_none() && is_over;
    let raw = own.unwrap_or_else(|| log.to_owned());
    run.termination = if has_ended {
        natural_end(run)
    } else {
        statuses::termination(SCAFFOLD, &raw).unwrap_or(Termination::Unknown)
    };
    run.raw_exit_status = Some(raw);
}

/// The end that the last turn tells, of a sample that nothing cut off: where there is no means to hand in, calls may be the
/// last thing (solvers that let the model call once, searches by the model's service).
fn natural_end(run: &mut Trajectory) -> Termination {
    let Some(last) = run.turns.last() else { return Termination::Incomplete };
    if last.calls.iter().any(|call| dialogue::hands_in(SCAFFOLD, call)) {
        run.submitting_turn = run.turns.len().checked_sub(1);
        return Termination::Submitted;
    }
    match (run.can_submit, last.calls.is_empty()) {
        (false, _) => Termination::Finished,
        (true, true) => Termination::GaveUp,
        (true, false) => Termination::Incomplete,
    }
}

/// The class of an exception at the beginning of its text; the beginning of the text, where there is none.
fn exception(message: &str) -> &str {
    let line = message.lines().find(|line| !line.trim().is_empty()).unwrap_or("error").trim();
    let end = line.find(['(', ':', ' ']).unwrap_or(line.len());
    let class = line.get(..end).unwrap_or_default().rsplit('.').next().unwrap_or_default();
    if class.ends_with("Error") || class.ends_with("Exception") || class == "Timeout" {
        return class;
    }
    line.char_indices().nth(100).map_or(line, |(end, _)| line.get(..end).unwrap_or_default())
}
