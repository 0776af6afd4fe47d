//! What reading a file gives.

use super::{Format, Input, Part, mask, quality};
use crate::model::{Problem, Termination, Trajectory, Weight};
use std::collections::BTreeMap;

/// Where an unknown key stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// At the top of the file.
    Top,
    /// In `info`.
    Info,
    /// In a step of `trajectory`.
    Step,
    /// In a message.
    Message,
}

impl Level {
    /// The word in lists.
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Top => "top",
            Level::Info => "info",
            Level::Step => "step",
            Level::Message => "message",
        }
    }
}

/// Keys that a reader does not know, counted: its next version starts there (`style.md` §8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownKeys(pub BTreeMap<(Level, String), u64>);

impl UnknownKeys {
    /// Counts one.
    pub fn count(&mut self, level: Level, key: &str) {
        // A log whose keys are data (paths, ids) must not grow the list without end.
        if let Some(count) = self.0.get_mut(&(level, key.to_owned())) {
            *count += 1;
        } else if self.0.len() < 1000 {
            self.0.insert((level, key.to_owned()), 1);
        }
    }
}

/// What reading a file gives: never an error as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// Trajectories in the order of the file; none where nothing could be read.
    pub trajectories: Vec<Trajectory>,
    /// What was odd; their `file` is empty.
    pub problems: Vec<Problem>,
    /// Keys that the reader does not know.
    pub unknown_keys: UnknownKeys,
    /// Secrets that were masked, by kind.
    pub masked: BTreeMap<&'static str, u64>,
}

/// Reads a file of a format.
pub fn read_file(format: &Format, bytes: &[u8]) -> Read {
    read(format, &Input { parts: &[Part { path: "", bytes }], lines_before: 0 })
}

/// Reads an input of a format. Secrets are masked before anything leaves here, and ends of no known meaning are noted.
pub fn read(format: &Format, input: &Input) -> Read {
    finished((format.read)(input))
}

/// What was read, ready to leave: secrets masked, forms judged by the tools' answers, lost results and ends of no known
/// meaning noted, and never nothing without a word.
pub fn finished(mut read: Read) -> Read {
    for trajectory in &mut read.trajectories {
        for (kind, count) in mask(trajectory) {
            *read.masked.entry(kind).or_default() += count;
        }
        quality::judge_tools(trajectory);
        if trajectory.lost_results > 0 {
            let what = format!("{} results answer no call of the log: left out", trajectory.lost_results);
            read.problems.push(Problem::new(Weight::Note, trajectory.place.clone(), what));
        }
        if trajectory.lost_calls > 0 {
            let what = format!(
                "{} calls stand in the text of responses that hold more than are taken out of one: left out",
                trajectory.lost_calls
            );
            read.problems.push(Problem::new(Weight::Refused, trajectory.place.clone(), what));
        }
        if let (Termination::Unknown, Some(raw)) = (trajectory.termination, &trajectory.raw_exit_status) {
            let what = format!("exit status `{raw}` is of no known meaning: its end is unknown");
            read.problems.push(Problem::new(Weight::Note, trajectory.place.clone(), what));
        }
    }
    if read.trajectories.is_empty() && read.problems.iter().all(|problem| problem.weight < Weight::Refused) {
        read.problems.push(Problem::new(Weight::Refused, "", "holds no trajectory"));
    }
    read
}
