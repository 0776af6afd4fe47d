//! `statuses.csv`: what the raw exit statuses of the scaffolds mean (`definitions.md` §6, termination). A status that stands
//! in no row is unknown, never guessed.

use super::rows::rows;
use crate::model::Termination;
use std::sync::LazyLock;

/// One row: a raw status, or the beginning of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Scaffold, or `any`.
    pub scaffold: &'static str,
    /// The status as logged.
    pub raw: &'static str,
    /// Whether more may follow it.
    pub is_prefix: bool,
    /// What it means.
    pub termination: Termination,
}

static STATUSES: LazyLock<Vec<Status>> = LazyLock::new(|| {
    rows(include_str!("statuses.csv"), 5)
        .map(|row| Status {
            scaffold: row[0],
            raw: row[1],
            is_prefix: row[2] == "prefix",
            termination: Termination::parse(row[3]).expect("each row names a termination"),
        })
        .collect()
});

/// All rows, in the order of the file.
pub fn statuses() -> impl Iterator<Item = &'static Status> {
    STATUSES.iter()
}

/// The meaning of a raw status of a scaffold; `None` for a status of no known meaning.
pub fn termination(scaffold: &str, raw: &str) -> Option<Termination> {
    let found = STATUSES.iter().find(|status| {
        (status.scaffold == scaffold || status.scaffold == "any")
            && if status.is_prefix { raw.starts_with(status.raw) } else { raw == status.raw }
    });
    found.map(|status| status.termination)
}
