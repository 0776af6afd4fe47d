//! The verifier's own `reward.txt` or `reward.json` in a Harbor trial: the fallback where the trial's `result.json` is missing
//! (`formats-other.md` §1). Only the path can tell it: its content is a bare number.
//!
//! Traps  the folder's name is all that tells the task, and cuts it; the rewards of the steps of a multi-step trial are not
//!        the trial's; a `reward.json` may hold several numbers.

use serde_json::Value;

use super::harbor_job::instance_of;
use super::harbor_trial::{self, Ended};
use super::outcome_file::{OutcomeFile, Rank};
use super::trial::{ToldBy, Trial, above};
use super::{Head, OutcomeShape};
use crate::model::{InstanceSource, Problem, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "harbor-reward",
    about: "verifier/reward.txt or reward.json of a Harbor trial: used where its result.json is missing",
    sniff,
    read,
};

/// A number takes less.
const MAX_BYTES: usize = 4096;

fn sniff(head: &Head) -> bool {
    folder(head.path).is_some() && head.bytes.len() <= MAX_BYTES && !rewards(head.path, head.bytes).is_empty()
}

/// The trial's folder. A step's `steps/NAME/verifier` is none.
fn folder(path: &str) -> Option<&str> {
    let trial =
        ["verifier/reward.txt", "verifier/reward.json"].iter().find_map(|end| path.strip_suffix(end))?;
    let trial = trial.strip_suffix('/')?;
    let is_step = above(trial).rsplit('/').next() == Some("steps");
    (!is_step && trial != "..").then_some(trial)
}

fn rewards(path: &str, bytes: &[u8]) -> Vec<(String, f64)> {
    let text = String::from_utf8_lossy(bytes);
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    match number {
        Some(number) => vec![("reward".to_owned(), number)],
        None if path.ends_with(".json") => {
            harbor_trial::rewards(serde_json::from_slice::<Value>(bytes).ok().as_ref())
        }
        None => Vec::new(),
    }
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::Trial);
    let (Some(folder), rewards) = (folder(path), rewards(path, bytes)) else { return file };
    if rewards.is_empty() {
        file.problem(Problem::new(Weight::Refused, "", "no finite number: its verdict is lost"));
        return file;
    }
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let verdict =
        harbor_trial::verdict(&mut file, name, &rewards, &Ended { exception: None, is_valid: None });
    file.trials.push(Trial {
        instance_source: InstanceSource::Path,
        job: Some(above(folder).to_owned()),
        verdict,
        ..Trial::new(folder.to_owned(), name.to_owned(), instance_of(name).to_owned(), ToldBy::Reward)
    });
    file
}
