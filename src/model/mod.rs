//! Plain data that every layer may use: keys, trajectories, outcomes, tags, problems, tables, series.
//! No IO, no parsing of logs, no polars.

pub mod benchmark;
pub mod kept;
pub mod key;
pub mod nearest;
pub mod outcome;
pub mod problem;
pub mod quality_reason;
mod scaffold_commands;
pub mod series;
pub mod table;
pub mod tag;
pub mod termination;
pub mod time;
pub mod trajectory;
pub mod transfer;
pub mod turn_lines;

pub use benchmark::{Benchmark, TaskKind};
pub use key::{InstanceSource, RunKey, RunSource};
pub use outcome::{FailedReason, TestStatus, UnscoredReason, Verdict};
pub use problem::{Problem, Weight};
pub use tag::{Field, Tag, TagName, TagRow};
pub use termination::{EndClass, Termination};
pub use trajectory::{
    Call, CallKind, CommandSet, ObservationState, Operation, Origin, Parent, PatchState, Quality, Refusal,
    Trajectory, Turn,
};
pub use transfer::Transfer;
