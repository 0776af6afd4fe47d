//! Tests of studies.
