//! Data files that are compiled in, and the readers of their small formats. Never reads the disk.

pub mod accuracy;
pub mod benchmarks;
pub mod csv;
pub mod fonts;
pub mod hosts;
pub mod pattern;
pub mod statuses;
pub mod submissions;
