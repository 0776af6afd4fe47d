//! Tests of tags.
