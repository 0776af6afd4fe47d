//! Tests of sources.
