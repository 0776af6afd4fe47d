//! ethogram: trajectory analytics for coding agents. The modules stand in layer order, lowest first
//! (ARCHITECTURE.md); imports point to lower layers only, which `tests/tidy.rs` holds.

/// Plain data: keys, trajectories, turns, calls, outcomes, tags, problems, tables. No IO, no polars.
pub mod model;

/// Data files compiled in: benchmarks, hosts, statuses, submissions, fonts.
pub mod data;
/// A command line becomes segments, each with its bytes.
pub mod shell;
/// Folders, archives and compressed files become paths and bytes.
pub mod sources;
/// Numbers in, numbers out: tests, intervals, pass@k, resampling.
pub mod stats;

/// One file a log format: bytes become trajectories and problems.
pub mod formats;
/// One file a shape of result file: bytes become verdicts.
pub mod outcomes;
/// One file a test runner: a command is recognised, its output becomes an outcome with counts.
pub mod runners;

/// One file a group: tags of one trajectory become code, numerator and denominator.
pub mod behaviours;
/// What one trajectory did, computed once, without judgement.
pub mod facts;
/// One file a tag family: facts become tag rows.
pub mod tags;

/// One file a chart: a series becomes SVG and PNG.
#[cfg(feature = "query")]
pub mod charts;
/// One file a command, thin.
#[cfg(feature = "query")]
pub mod cli;
/// One file a table, T1 … T14: columns of all trajectories become tables and series.
#[cfg(feature = "query")]
pub mod measure;
/// A number becomes text: the only place.
#[cfg(feature = "query")]
pub mod number;
/// One file an output format: tables, charts and the verdict become files.
#[cfg(feature = "query")]
pub mod report;
/// Ingest, tag, compare, report as library calls.
#[cfg(feature = "query")]
pub mod steps;
/// Schema, Parquet, manifest and SQL: the only users of arrow, parquet and polars.
#[cfg(feature = "query")]
pub mod store;
