//! The only test binary. Each module is one kind of test (CONTRIBUTING.md).

// Clippy allows `unwrap` inside `#[test]` functions only, not in what they call.
#![allow(clippy::unwrap_used)]

mod behaviours;
#[cfg(feature = "query")]
mod cases;
#[cfg(feature = "query")]
mod charts;
#[cfg(feature = "query")]
mod cli;
mod corpus;
#[cfg(feature = "query")]
mod docs;
mod facts;
mod formats;
#[cfg(feature = "query")]
mod labels;
mod outcomes;
#[cfg(feature = "query")]
mod queries;
#[cfg(feature = "query")]
mod report;
mod runners;
mod shell;
mod sources;
mod stats;
#[cfg(feature = "query")]
mod store;
#[cfg(feature = "query")]
mod studies;
mod support;
mod tags;
mod tidy;
