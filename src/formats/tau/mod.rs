//! Conversations of an agent with a simulated user about a task with a policy: τ-bench and τ² (`formats-other.md` §12). Both
//! give a reward to each conversation and repeat each task in trials.
//!
//! Never here: whose turn a reward is; a reward of 1 is held against the arm's threshold elsewhere.

mod bench;
mod two;

pub use bench::FORMAT_1;
pub use two::FORMAT_2;

use super::json::lenient::{as_number, as_whole, text};
use crate::model::{UnscoredReason, Verdict};
use serde_json::Value;

/// A task's id: a text or a number.
fn task_id(record: &Value) -> Option<String> {
    let id = text(record, "task_id").map(str::to_owned);
    id.or_else(|| record.get("task_id").and_then(as_whole).map(|id| id.to_string()))
}

/// The verdict that a reward is.
fn verdict(reward: Option<&Value>) -> Verdict {
    match reward.and_then(as_number) {
        Some(reward) => Verdict { resolved: None, reward: Some(reward), ..Verdict::scored(false) },
        None => Verdict::unscored(UnscoredReason::Null),
    }
}
