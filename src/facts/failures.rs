//! Whether a call failed, by its exit code or by an error text (`definitions.md` §6, failing events; the rules tell
//! test verdicts and empty searches apart).

use super::evidence::Result;
use crate::model::{Call, ObservationState};

/// Whether a call failed; `None` where nothing came back.
pub(super) fn failed(call: &Call, result: Result) -> Option<bool> {
    if let Some(is_error) = call.is_error {
        return Some(is_error);
    }
    if let Some(exit) = call.exit_code {
        return Some(exit != 0);
    }
    if call.timed_out {
        return Some(true);
    }
    if call.observation_state == ObservationState::Missing {
        return None;
    }
    Some(says_error(result.text?))
}

/// Openings of a line by which tools and shells say that a command failed.
const OPENINGS: &[&str] = &[
    "fatal: ",
    "error: ",
    "Error: ",
    "ERROR: ",
    "Usage: ",
    "usage: ",
    "Traceback (most recent call last)",
    "No file open",
    "Your proposed edit has introduced",
    "Your edit was not applied",
    "No replacement was performed",
    "Invalid `",
    "The path ",
    "EXECUTION TIMED OUT",
    "The command ",
    "Exception in thread",
    "E: ",
    "make: *** ",
    "[ERROR] ",
    "BUILD FAILURE",
    "FAILURE: ",
    "npm ERR! ",
    "File already exists at",
];

/// Ends of a line that only an error has.
const ENDINGS: &[&str] = &[
    "command not found",
    ": not found",
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "Operation not permitted",
    "cannot execute binary file",
];

/// Whether a text that came back shows an error: in its first or its last line.
fn says_error(text: &str) -> bool {
    let trimmed = text.trim();
    let first = trimmed.lines().next().unwrap_or("").trim_end();
    let last = trimmed.rsplit('\n').next().unwrap_or("").trim_end();
    let opens = |line: &str| OPENINGS.iter().any(|opening| line.starts_with(opening));
    let ends = |line: &str| ENDINGS.iter().any(|ending| line.ends_with(ending)) && line.contains(": ");
    // A numbered or searched line that holds the words is content.
    let is_content = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let is_shell = |line: &str| {
        ["bash: ", "/bin/bash: ", "sh: ", "/bin/sh: "].iter().any(|shell| line.starts_with(shell))
    };
    let is_not_found = |line: &str| {
        line.starts_with("File ") && line.ends_with(" not found")
            || line.starts_with("Directory ") && line.ends_with(" not found")
    };
    (opens(first) && !is_content(first))
        || is_shell(first)
        || is_not_found(first)
        || [first, last].iter().any(|line| ends(line) && !is_content(line))
        || is_shell(last)
        || super::tracebacks::ending(text).is_some()
}
