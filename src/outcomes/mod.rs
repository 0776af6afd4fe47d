//! Outcome files: one file a shape. A shape is recognised from content, whatever the file is called, and read into
//! claims and predictions (`formats-swe.md` §7); `settle` then gives every run of an arm its verdict
//! (`definitions.md` §1, §7). Bytes and values in, values out: nothing here opens a file.

use self::json_head::JsonHead;

mod all_preds;
mod arm;
mod choose;
mod duplicates;
mod eval_results;
mod exit_statuses;
mod harbor_job;
mod harbor_reward;
mod harbor_trial;
mod harness_summary;
mod hear;
mod identity;
mod instance_id;
mod json_head;
mod judged_queries;
mod lenient_json;
mod lists;
mod models;
mod neutral;
mod older_results;
mod openhands_evaluation;
mod outcome_file;
mod patch;
mod path_template;
mod pred;
mod preds;
mod report;
mod resolved_by;
mod run_number;
mod runs_table;
mod search;
mod settle;
mod settled;
mod speech;
mod terminal_bench;
mod trial;
mod trial_runs;
mod winners;
mod word;

pub use instance_id::{Spellings, common_spelling, file_stem, instance_in_path};
pub use json_head::HEAD_BYTES;
pub use outcome_file::{Claim, ClaimedRun, OutcomeFile, Prediction, Rank, patch_digest};
pub use path_template::{PathIdentity, PathTemplate, TemplateError};
pub use run_number::{PathRun, run_in_path};
pub use search::{is_searched_in_parent, needs_parent};
pub use settle::settle;
pub use settled::{
    Conflict, Coverage, Duplicates, Fate, LogHead, Numbering, Settings, Settled, SettledLog, SettledRun,
    Spoken,
};
pub use trial::{ToldBy, Trial, TrialFolders};

/// One shape of outcome file.
pub struct OutcomeShape {
    /// Name, as the store's column `source` and `list formats` print it.
    pub name: &'static str,
    /// What it holds and who writes it.
    pub about: &'static str,
    /// Does this head belong to the shape? Cheap, and no for logs and for any other JSON.
    pub sniff: fn(&Head) -> bool,
    /// Reads the whole file; `path` is below the arm's root with `/`.
    pub read: fn(path: &str, bytes: &[u8]) -> OutcomeFile,
}

/// What a shape sees when it sniffs.
pub struct Head<'a> {
    /// Path below the arm's root.
    pub path: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// Its first keys, empty where it is no JSON.
    json: JsonHead<'a>,
}

impl<'a> Head<'a> {
    /// Looks at a file.
    pub fn of(path: &'a str, bytes: &'a [u8]) -> Head<'a> {
        Head { path, bytes, json: JsonHead::scan(bytes) }
    }

    /// The file's name.
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// The first line, at most 4 kB of it; empty where it is not text.
    fn first_line(&self) -> &str {
        let window = &self.bytes[..self.bytes.len().min(4096)];
        let line = window.split(|&byte| byte == b'\n').next().unwrap_or_default();
        std::str::from_utf8(line).unwrap_or_default().trim_end()
    }
}

/// All shapes, by name.
pub const OUTCOMES: &[OutcomeShape] = &[
    all_preds::SHAPE,
    eval_results::SHAPE,
    exit_statuses::SHAPE,
    harbor_job::SHAPE,
    harbor_reward::SHAPE,
    harbor_job::TABLE,
    harbor_trial::SHAPE,
    harness_summary::SHAPE,
    judged_queries::SHAPE,
    older_results::SHAPE,
    openhands_evaluation::SHAPE,
    neutral::CSV,
    neutral::JSONL,
    patch::SHAPE,
    pred::SHAPE,
    preds::SHAPE,
    report::SHAPE,
    resolved_by::SHAPE,
    runs_table::SHAPE,
    terminal_bench::RUN,
    terminal_bench::TRIAL,
    winners::SHAPE,
];

/// The shape of a file, by its content; `None` for anything that is no outcome file. The first `HEAD_BYTES` are
/// enough, so that large files need not be read whole to be passed over.
pub fn recognise(path: &str, bytes: &[u8]) -> Option<&'static OutcomeShape> {
    let head = Head::of(path, bytes);
    if head.json.is_log {
        return None;
    }
    OUTCOMES.iter().find(|shape| (shape.sniff)(&head))
}
