//! Data files that are compiled in.
