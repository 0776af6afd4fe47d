//! Where a rollout that was forked, resumed into a new file or spawned as a sub-agent stops repeating its parent
//! (`definitions.md` §2, origin `copied`). The copy is written at once: with the times of the parent, which lie before the
//! file's own beginning, or with the time of the copying. Ids of turns that are UUIDs of version 7 hold the time at which
//! the turn really began, and settle it where they are there.

use crate::formats::json::lenient::{text, time};
use serde_json::Value;

/// No response of a model comes so soon after its session began, and no copy is written so slowly.
const BURST_MS: i64 = 1000;

/// Tells copied records from own ones.
#[derive(Debug, Default)]
pub struct Gate {
    /// The file's own session began then, by the time of its first record.
    began: Option<i64>,
    /// The same by its own id or its own word.
    minted: Option<i64>,
    /// Records are of the parent.
    pub is_copying: bool,
}

impl Gate {
    /// Takes the file's own `session_meta`.
    pub fn begin(&mut self, meta: &Value, at: Option<i64>) {
        self.began = at;
        self.minted = text(meta, "id").and_then(minted).or_else(|| time(meta, "timestamp")).or(at);
        self.is_copying = text(meta, "forked_from_id").is_some();
    }

    /// A `session_meta` of another session stands in the file: what follows is its.
    pub fn foreign(&mut self) {
        self.is_copying = true;
    }

    /// Looks at a record: the first own one ends the copy.
    pub fn pass(&mut self, payload: &Value, at: Option<i64>) {
        if !self.is_copying {
            return;
        }
        let turn = text(payload, "turn_id").and_then(minted);
        let is_own_turn = matches!((turn, self.minted), (Some(turn), Some(own)) if turn >= own);
        let is_later = matches!((at, self.began), (Some(at), Some(began)) if at > began + BURST_MS);
        if is_own_turn || (turn.is_none() && is_later) {
            self.is_copying = false;
        }
    }
}

/// The time in a UUID of version 7, UTC milliseconds.
fn minted(id: &str) -> Option<i64> {
    let digits: String = id.chars().filter(|character| *character != '-').collect();
    let is_seventh = digits.len() == 32 && digits.get(12..13)? == "7";
    is_seventh.then(|| i64::from_str_radix(digits.get(..12)?, 16).ok())?
}
