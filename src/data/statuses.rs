//! `statuses.csv`: what the raw exit statuses of the scaffolds mean (`definitions.md` §6, termination). A status that stands
//! in no row is unknown, never guessed.

use super::csv::records;
use crate::model::Termination;
use std::sync::LazyLock;

/// One row: a raw status, or the beginning of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Scaffold, or `any`.
    pub scaffold: String,
    /// The status as logged.
    pub raw: String,
    /// Whether more may follow it.
    pub is_prefix: bool,
    /// What it means.
    pub termination: Termination,
}

static STATUSES: LazyLock<Vec<Status>> = LazyLock::new(|| {
    let rows = records(include_str!("statuses.csv")).into_iter().skip(1);
    rows.map(|row| {
        let [scaffold, raw, matching, termination, _source] =
            <[String; 5]>::try_from(row).expect("five columns");
        let termination = Termination::parse(&termination).expect("each row names a termination");
        Status { scaffold, raw, is_prefix: matching == "prefix", termination }
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
            && if status.is_prefix { raw.starts_with(&status.raw) } else { raw == status.raw }
    });
    found.map(|status| status.termination)
}
