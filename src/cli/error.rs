//! Errors that a user must act on, each with its exit code (`interface.md`, exit codes).

use std::path::PathBuf;

/// What ends a command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Arguments or study file are wrong.
    #[error("{0}")]
    Usage(String),
    /// The study file cannot be read.
    #[error("cannot read the study file `{}`: {source}", path.display())]
    StudyUnreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A step failed.
    #[error(transparent)]
    Step(#[from] crate::steps::StepError),
    /// A file of the report or standard output cannot be written.
    #[error("cannot write {what}: {source}")]
    Output {
        /// What was written.
        what: String,
        /// Why.
        source: std::io::Error,
    },
}

/// Exit codes (`interface.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// Done, and something was refused, or no verdicts were found.
    Refusals,
    /// Usage, or another process writes this store.
    Usage,
    /// Nothing could be done.
    Nothing,
}

impl Exit {
    /// The process's exit code.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Refusals => 1,
            Exit::Usage => 2,
            Exit::Nothing => 3,
        }
    }
}
