//! Tests of stats.
