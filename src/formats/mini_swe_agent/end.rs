//! How a run of mini-swe-agent ended (`definitions.md` §6): the exception's class is the status.

use super::SCAFFOLD;
use super::document::{Config, Info};
use super::message::Message;
use crate::data::statuses;
use crate::model::{ObservationState, PatchState, Termination, Trajectory};

/// The message by which 2.x says how the run ended.
pub struct Exit {
    status: Option<String>,
    submission: Option<String>,
    /// UTC milliseconds.
    pub time: Option<i64>,
}

/// Takes the exit message off the list.
pub fn take_exit(messages: &mut Vec<Message<'_>>) -> Option<Exit> {
    let message = messages.pop_if(|message| message.role.get() == Some("exit"))?;
    let submission = message.extra.submission.get().or(message.content.get());
    Some(Exit {
        status: message.extra.exit_status.get().map(str::to_owned),
        submission: submission.map(str::to_owned),
        time: message.extra.timestamp,
    })
}

/// Sets termination, the turn that handed in, and the patch.
pub fn settle(run: &mut Trajectory, info: &Info, config: &Config, exit: Option<Exit>, is_cut: bool) {
    let (status, submission, time) =
        exit.map_or((None, None, None), |exit| (exit.status, exit.submission, exit.time));
    run.ended_at = time.or(run.ended_at);
    // An empty status is that of a run that is still going: the file is saved after every step.
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let raw = filled(info.exit_status.clone()).or(filled(status));
    let text = filled(info.submission.clone()).or(filled(submission));
    run.termination = match raw.as_deref() {
        None if run.has_log => Termination::Incomplete,
        None => Termination::Unknown,
        Some(raw) => match statuses::termination(SCAFFOLD, raw) {
            Some(Termination::Limit) => which_limit(run, config),
            Some(termination) => termination,
            None => Termination::Unknown,
        },
    };
    let handed_in = run.termination == Termination::Submitted;
    if handed_in && !is_cut {
        run.submitting_turn =
            run.turns.len().checked_sub(1).filter(|turn| !run.turns[*turn].calls.is_empty());
        show_submission(run, text.as_deref());
    }
    // After an exception the error's text stands in the patch's place.
    let patch = text.filter(|text| handed_in || raw.is_none() || is_patch(text));
    run.auto_submitted = patch.is_some() && !handed_in && raw.is_some();
    run.patch_state = match (&patch, run.termination) {
        (Some(_), _) => PatchState::Nonempty,
        (None, Termination::Incomplete) => PatchState::Missing,
        (None, _) if raw.is_none() => PatchState::Missing,
        (None, _) => PatchState::Empty,
    };
    run.raw_exit_status = raw;
    run.patch = patch;
}

/// The limit that was reached, where the settings tell.
fn which_limit(run: &Trajectory, config: &Config) -> Termination {
    let reached = |value: Option<f64>, limit: Option<f64>| matches!((value, limit), (Some(value), Some(limit)) if value >= limit);
    let steps = reached(run.api_calls.map(|calls| calls as f64), config.step_limit);
    let cost = reached(run.cost_usd, config.cost_limit);
    match (steps, cost) {
        (true, false) => Termination::StepLimit,
        (false, true) => Termination::CostLimit,
        _ => Termination::Limit,
    }
}

/// What the command that handed in printed is in the exit message alone.
fn show_submission(run: &mut Trajectory, text: Option<&str>) {
    let Some(turn) = run.submitting_turn else { return };
    let Some(call) = run.turns[turn].calls.last_mut() else { return };
    if call.observation.is_none() {
        call.observation = Some(text.unwrap_or_default().to_owned());
        call.observation_state = ObservationState::Full;
    }
}

/// The text is a diff, not an error's message.
fn is_patch(text: &str) -> bool {
    text.starts_with("diff --git ")
        || text.contains("\ndiff --git ")
        || text.starts_with("--- ") && text.contains("\n+++ ")
        || text.contains("\n--- ") && text.contains("\n+++ ")
}
