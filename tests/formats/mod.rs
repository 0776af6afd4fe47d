//! Tests of readers and of turn lines.

mod atif;
mod calls;
mod cases;
mod claude_code;
mod cli_agents;
mod ends;
mod evaluations;
mod faults;
mod fixtures;
mod joins;
mod mapped;
mod masking;
mod mutations;
mod openhands;
mod rows;
mod tools;
mod turn_lines;

use ethogram::formats::{self, Read};
use ethogram::model::Trajectory;

/// Reads bytes by the format that claims them.
fn read(bytes: &[u8]) -> Read {
    let format = formats::recognise(bytes).expect("a format claims it");
    formats::read_file(format, bytes)
}

/// The only trajectory of a text.
fn only(text: &str) -> Trajectory {
    let mut read = read(text.as_bytes());
    assert_eq!(read.trajectories.len(), 1);
    read.trajectories.remove(0)
}

/// Problems as lines.
fn problems(read: &Read) -> Vec<String> {
    let lines = read.problems.iter();
    lines.map(|problem| format!("{} {}: {}", problem.weight.as_str(), problem.place, problem.what)).collect()
}
