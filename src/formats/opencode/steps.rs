//! Parts of OpenCode's messages as turns: `step-start` opens one, `step-finish` closes it.

use super::SCAFFOLD;
use crate::data::statuses;
use crate::formats::json::lenient::{at, filled, flag, number, text, time, whole};
use crate::formats::{ends, observation, quality, tools};
use crate::model::quality_reason::{ARGUMENTS, UNKNOWN_TOOL};
use crate::model::{Call, CallKind, ObservationState, Origin, Quality, Termination, Trajectory, Turn};
use serde_json::Value;
use std::collections::BTreeMap;

/// Turns in the making.
pub struct Steps {
    /// The run.
    pub run: Trajectory,
    /// Sessions of sub-agents, and the turn whose call started each.
    pub children: BTreeMap<String, usize>,
    /// Origin of the next turns.
    pub origin: Origin,
    /// Folder of the commands.
    pub cwd: Option<String>,
    is_open: bool,
    /// Why the last step ended.
    pub reason: Option<String>,
}

impl Steps {
    /// Nothing yet.
    pub fn new(run: Trajectory) -> Steps {
        Steps {
            run,
            children: BTreeMap::new(),
            origin: Origin::Model,
            cwd: None,
            is_open: false,
            reason: None,
        }
    }

    /// The run as far as it came: its end is the last word of an error, of a step, or of the conversation.
    pub fn into_trajectory(mut self) -> Trajectory {
        let run = &mut self.run;
        quality::judge_shell_calls(run);
        run.raw_exit_status = run.raw_exit_status.take().or(self.reason);
        run.termination = match &run.raw_exit_status {
            Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
            None => ends::of_conversation(run),
        };
        self.run
    }

    /// The next part begins a turn.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Takes a part of a message of the assistant.
    pub fn part(&mut self, part: &Value, at: Option<i64>) {
        match text(part, "type").unwrap_or_default() {
            "step-start" => {
                self.close();
                self.turn(at);
            }
            "step-finish" => self.finish(part),
            "text" => {
                let said = filled(part, "text").unwrap_or_default().to_owned();
                join(&mut self.turn(at).text, &said);
            }
            "reasoning" => {
                if let Some(thought) = filled(part, "text") {
                    join(self.turn(at).reasoning.get_or_insert_default(), thought);
                }
            }
            "tool" => self.tool(part, at),
            // Patches and snapshots say what OpenCode kept for itself.
            _ => {}
        }
    }

    fn turn(&mut self, at: Option<i64>) -> &mut Turn {
        if !self.is_open || self.run.turns.is_empty() {
            let mut turn = Turn::new("");
            turn.logged_at = at;
            turn.origin = self.origin;
            self.run.turns.push(turn);
            self.is_open = true;
        }
        let last = self.run.turns.len() - 1;
        &mut self.run.turns[last]
    }

    fn finish(&mut self, part: &Value) {
        self.reason = filled(part, "reason").map(str::to_owned);
        if self.is_open
            && let (Some(turn), Some(tokens)) = (self.run.turns.last_mut(), part.get("tokens"))
        {
            (turn.tokens_in, turn.tokens_out) = usage(tokens);
            let add = |sum: Option<i64>, more: Option<i64>| {
                more.map(|more| sum.unwrap_or_default().saturating_add(more)).or(sum)
            };
            self.run.tokens_in = add(self.run.tokens_in, turn.tokens_in);
            self.run.tokens_out = add(self.run.tokens_out, turn.tokens_out);
        }
        // A model without a price costs 0.
        if let Some(cost) = number(part, "cost").filter(|cost| *cost > 0.0) {
            self.run.cost_usd = Some(self.run.cost_usd.unwrap_or_default() + cost);
        }
        self.close();
    }

    fn tool(&mut self, part: &Value, at_time: Option<i64>) {
        let state = part.get("state").unwrap_or(&Value::Null);
        let mut call = made(part, state);
        if call.kind == CallKind::Shell {
            call.cwd = call.cwd.take().or_else(|| self.cwd.clone());
        }
        answer(&mut call, state);
        self.turn(at_time).calls.push(call);
        let turn = self.run.turns.len() - 1;
        let child = ["sessionID", "sessionId"].iter().find_map(|key| at(state, &["metadata", key])?.as_str());
        self.children.extend(child.map(|child| (child.to_owned(), turn)));
    }
}

/// A call. One that OpenCode could not take stands under a tool of its own, which names the real one and the fault, and ends
/// well.
fn made(part: &Value, state: &Value) -> Call {
    let input = state.get("input").unwrap_or(&Value::Null);
    let fault = filled(input, "error").filter(|_| text(part, "tool") == Some("invalid"));
    let Some(fault) = fault else { return tools::called(text(part, "tool"), Some(input)) };
    let mut call = Call::new(filled(input, "tool").unwrap_or("invalid"), CallKind::Tool, fault);
    call.quality = Quality::Parsable;
    call.quality_reason = Some(if fault.contains("unavailable tool") { UNKNOWN_TOOL } else { ARGUMENTS });
    call
}

fn answer(call: &mut Call, state: &Value) {
    let status = text(state, "status").unwrap_or_default();
    call.exit_code = at(state, &["metadata"]).and_then(|metadata| whole(metadata, "exit"));
    let times = ["start", "end"].map(|key| state.get("time").and_then(|span| time(span, key)));
    if let [Some(start), Some(end)] = times {
        call.duration_ms = Some(end.saturating_sub(start)).filter(|span| *span >= 0);
    }
    let said = text(state, "output").or_else(|| text(state, "error"));
    if matches!(status, "completed" | "error") {
        if call.exit_code.is_none() {
            call.is_error = Some(status == "error");
        }
        let is_cut = at(state, &["metadata"]).and_then(|metadata| flag(metadata, "truncated")) == Some(true);
        let kept = if is_cut { ObservationState::Cut } else { ObservationState::Full };
        if let Some(said) = said {
            observation::set(call, said.to_owned().into(), kept);
        }
    }
}

/// Prompt and completion tokens.
fn usage(tokens: &Value) -> (Option<i64>, Option<i64>) {
    let cache = ["read", "write"].map(|key| tokens.get("cache").and_then(|cache| whole(cache, key)));
    let cached = cache.iter().flatten().fold(0_i64, |sum, part| sum.saturating_add(*part));
    let thought = whole(tokens, "reasoning").unwrap_or_default();
    (
        whole(tokens, "input").map(|input| input.saturating_add(cached)),
        whole(tokens, "output").map(|output| output.saturating_add(thought)),
    )
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}
