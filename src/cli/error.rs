//! Errors that a user must act on, each with its exit code (`interface.md`, exit codes).

use std::path::PathBuf;

use crate::steps::StepError;
use crate::store::StoreError;

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
    Step(#[from] StepError),
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

impl CommandError {
    /// The exit code that an error ends the process with.
    pub fn exit(&self) -> Exit {
        match self {
            CommandError::Usage(_) | CommandError::StudyUnreadable { .. } => Exit::Usage,
            CommandError::Step(error) => of_step(error),
            CommandError::Output { .. } => Exit::Refusals,
        }
    }
}

fn of_step(error: &StepError) -> Exit {
    match error {
        StepError::Source(_)
        | StepError::EmptyArm { .. }
        | StepError::Conflicts { .. }
        | StepError::Sessions { .. }
        | StepError::Totals { .. }
        | StepError::UnknownTrajectory { .. } => Exit::Nothing,
        StepError::Store(error) => of_store(error),
        StepError::Template(_)
        | StepError::StudyTable { .. }
        | StepError::Pattern { .. }
        | StepError::OtherRules { .. }
        | StepError::UnknownArm { .. }
        | StepError::Threads { .. } => Exit::Usage,
        StepError::Report(_) => Exit::Refusals,
    }
}

fn of_store(error: &StoreError) -> Exit {
    match error {
        StoreError::NotAStore { .. }
        | StoreError::NotEmpty { .. }
        | StoreError::Locked { .. }
        | StoreError::Version { .. }
        | StoreError::UnknownTable { .. }
        | StoreError::Unsafe { .. }
        | StoreError::Sql { .. } => Exit::Usage,
        StoreError::Manifest { .. }
        | StoreError::Io { .. }
        | StoreError::Parquet { .. }
        | StoreError::Damaged { .. }
        | StoreError::Column { .. }
        | StoreError::Lacking { .. }
        | StoreError::TooLong { .. } => Exit::Nothing,
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        CommandError::Step(StepError::Store(error))
    }
}
