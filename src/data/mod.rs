//! Data files that are compiled in.

pub mod fonts;
