//! `exit_statuses_*.yaml`, `run_batch_exit_statuses.yaml`: how runs ended, by invocation. An id may stand in
//! several; the logs say it better. Recognised so that it can be ignored aloud.

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape};
use crate::model::{Problem, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "exit-statuses",
    about: "exit_statuses_*.yaml of batch runs: no verdicts, ignored aloud",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    head.first_line() == "instances_by_exit_status:"
}

fn read(path: &str, _bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::WinnersOnly);
    file.problem(Problem::new(Weight::Note, "", "exit statuses by invocation hold no verdicts: ignored"));
    file
}
