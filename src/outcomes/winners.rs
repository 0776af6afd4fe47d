//! `results.json` of the SWE-bench experiments repository: `no_generation`, `no_logs`, `resolved`.
//!
//! Says   who won; everyone else of the benchmark that ran has failed.
//! Traps  any id, even one that does not exist, reads as failed: so it creates no run, it scores runs that exist.

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, lists};
use crate::model::{FailedReason, UnscoredReason, Verdict};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "winners",
    about: "results.json of the SWE-bench experiments: only winners are listed, other runs have failed",
    sniff,
    read,
};

fn sniff(head: &Head) -> bool {
    let json = &head.json;
    // A long `no_generation` may fill the window before `resolved` comes.
    let lists = ["no_generation", "no_logs"].iter().filter(|key| json.has_list(key)).count();
    let winners = json.has_list("resolved") && (lists > 0 || head.name() == "results.json");
    (winners || lists == 2)
        && !json.has("with_logs")
        && !json.has("generated")
        && !json.has_list("submitted_ids")
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::WinnersOnly);
    let object = lists::object(&mut file, bytes);
    // A file that cannot be read names no winners, and must not fail everyone.
    file.others_failed = object.contains_key("resolved");
    let resolved = lists::ids(&object, "resolved");
    for id in &resolved {
        file.claim(id, Verdict::scored(true), false);
    }
    for id in lists::ids(&object, "no_generation").difference(&resolved) {
        file.claim(id, Verdict::failed(FailedReason::NoGeneration), false);
    }
    let generated = lists::ids(&object, "no_generation");
    for id in
        lists::ids(&object, "no_logs").iter().filter(|id| !resolved.contains(*id) && !generated.contains(*id))
    {
        file.claim(id, Verdict::unscored(UnscoredReason::NoLogs), false);
    }
    file
}
