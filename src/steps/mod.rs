//! Ingest, tag, compare, report as library calls: the only users of rayon, beside resampling.

pub mod arm_files;
pub mod compare;
mod error;
mod first_pass;
pub mod ingest;
mod items;
pub mod labels;
mod open;
mod outcome_rows;
mod pipeline;
pub mod read_arm;
pub mod report;
mod run_rows;
mod second_pass;
pub mod study;
pub mod tag;
pub mod tag_rows;
mod trials;

pub use error::StepError;
pub use pipeline::with_threads;
