//! Records of trials (`formats-other.md` §1, §2): a harness says that an attempt took place, how it ended and what came of
//! it, and no log of it lies in its folder. They come from outcome files, never from a file of their own.

use super::{Evidence, Format, Read, Sniff};
use crate::model::TaskKind;

/// A trial without a log.
pub const FORMAT: Format = Format {
    name: "trial-record",
    written_by: "Harbor and Terminal-Bench",
    files: "result.json, results.json",
    lacks: &["a log: only how the trial ended and what the verifier found"],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Terminal),
    is_rows: false,
    sniff: Sniff::Never,
    read: |_| Read::default(),
};
