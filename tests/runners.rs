//! Tests of runners.
