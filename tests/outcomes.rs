//! Tests of outcomes.
