//! Outcome files: shapes, identity, verdicts, benchmarks, and the real corpus.

mod benchmarks;
mod cases;
mod corpus;
mod folder;
mod paths;
mod settle;
mod shapes;
mod trial_corpus;
mod trials;
