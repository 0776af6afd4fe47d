//! The summary of the SWE-bench harness (`<model>.<run_id>.json`, sb-cli reports, schema 2) and of
//! Multi-SWE-bench, which calls its list of winners `resolved`.
//!
//! Says   resolved, unresolved, empty patch, error, incomplete, by lists of ids.
//! Traps  an id that was never handed in stands in `incomplete_ids` and has no run; an id in two opposite lists is
//!        a contradiction, never the better of the two; an id without a list of its own has no verdict.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, lists};
use crate::model::{FailedReason, UnscoredReason, Verdict};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "harness-summary",
    about: "SWE-bench harness, sb-cli and Multi-SWE-bench summary: lists of ids by verdict",
    sniff,
    read,
};

/// Lists that tell a summary. One alone may belong to anything.
const TELLING: [&str; 6] =
    ["submitted_ids", "completed_ids", "incomplete_ids", "resolved_ids", "unresolved_ids", "error_ids"];

fn sniff(head: &Head) -> bool {
    !head.json.is_list
        && !head.json.is_lines
        // A run of Terminal-Bench has lists of the same names beside its trials.
        && !head.json.has("results")
        && (TELLING.iter().filter(|key| head.json.has_list(key)).count() >= 2
            // The window may end within the first long list, the counts stand before it.
            || head.json.has("resolved_instances") && TELLING.iter().any(|key| head.json.has_list(key)))
}

/// The lists of a summary.
struct Lists<'a> {
    resolved: BTreeSet<&'a str>,
    unresolved: BTreeSet<&'a str>,
    empty_patch: BTreeSet<&'a str>,
    error: BTreeSet<&'a str>,
    infra_failure: BTreeSet<&'a str>,
    failed: BTreeSet<&'a str>,
    pending: BTreeSet<&'a str>,
    incomplete: BTreeSet<&'a str>,
    completed: BTreeSet<&'a str>,
    submitted: BTreeSet<&'a str>,
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Summary);
    let object = lists::object(&mut file, bytes);
    let lists = Lists::of(&object);
    for id in lists.all() {
        let creates_run = lists.submitted.contains(id) || !lists.incomplete.contains(id);
        file.claim(id, lists.verdict(id), creates_run);
    }
    file
}

impl<'a> Lists<'a> {
    fn of(object: &'a Map<String, Value>) -> Lists<'a> {
        let mut resolved = lists::ids(object, "resolved_ids");
        resolved.extend(lists::ids(object, "resolved"));
        Lists {
            resolved,
            unresolved: lists::ids(object, "unresolved_ids"),
            empty_patch: lists::ids(object, "empty_patch_ids"),
            error: lists::ids(object, "error_ids"),
            infra_failure: lists::ids(object, "infra_failure_ids"),
            failed: lists::ids(object, "failed_ids"),
            pending: lists::ids(object, "pending_ids"),
            incomplete: lists::ids(object, "incomplete_ids"),
            completed: lists::ids(object, "completed_ids"),
            submitted: lists::ids(object, "submitted_ids"),
        }
    }

    fn all(&self) -> BTreeSet<&'a str> {
        let lists = [
            &self.resolved,
            &self.unresolved,
            &self.empty_patch,
            &self.error,
            &self.infra_failure,
            &self.failed,
            &self.pending,
            &self.incomplete,
            &self.completed,
            &self.submitted,
        ];
        lists.into_iter().flatten().copied().collect()
    }

    /// The verdict on an id. Harness rules: a broken report puts an id into `completed` and `error`; a failure of
    /// the infrastructure stands in `unresolved` or `error` too, and is no verdict.
    fn verdict(&self, id: &str) -> Verdict {
        let failed = self.unresolved.contains(id) || self.empty_patch.contains(id) || self.error.contains(id);
        match () {
            () if self.resolved.contains(id) && failed => Verdict::unscored(UnscoredReason::Contradiction),
            () if self.resolved.contains(id) => Verdict::scored(true),
            () if self.empty_patch.contains(id) => Verdict::failed(FailedReason::EmptyPatch),
            () if self.infra_failure.contains(id) => other("infra_failure"),
            () if self.error.contains(id) => Verdict::unscored(UnscoredReason::Error),
            () if self.unresolved.contains(id) => Verdict::scored(false),
            () if self.failed.contains(id) => other("failed"),
            () if self.pending.contains(id) => other("pending"),
            () if self.completed.contains(id) => Verdict::unscored(UnscoredReason::NoReport),
            () if self.submitted.contains(id) => Verdict::unscored(UnscoredReason::NotListed),
            () => Verdict::unscored(UnscoredReason::Incomplete),
        }
    }
}

fn other(reason: &str) -> Verdict {
    Verdict::unscored(UnscoredReason::Other(reason.to_owned()))
}
