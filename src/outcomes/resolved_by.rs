//! `resolved_by_repo.json`, `resolved_by_time.json`: counts by group. They name no instance. Recognised so that
//! they can be ignored aloud.

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape};
use crate::model::{Problem, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "resolved-by",
    about: "resolved_by_repo.json, resolved_by_time.json: counts by group, ignored aloud",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    let is_count = |(key, value): &(&str, u8)| matches!(*key, "resolved" | "total") && value.is_ascii_digit();
    !head.json.is_list
        && !head.json.entries.is_empty()
        && head.json.entries.iter().all(|entry| entry.inner.len() == 2 && entry.inner.iter().all(is_count))
}

fn read(path: &str, _bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::WinnersOnly);
    file.problem(Problem::new(Weight::Note, "", "counts by group name no instance: ignored"));
    file
}
