//! Ingest, tag, compare, report as library calls: the only users of rayon, beside resampling.

pub mod arm_files;
pub mod compare;
mod counts_file;
mod csv_table;
mod error;
pub mod external_file;
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
mod study_tables;
pub mod tag;
pub mod tag_rows;
mod trials;
mod unchanged;

pub use error::StepError;
pub use pipeline::with_threads;
