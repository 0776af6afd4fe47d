//! Tests of behaviours.
