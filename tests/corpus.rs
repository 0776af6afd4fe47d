//! Tests of corpus.
