//! What can go wrong in a store, each with what to do. `cli` maps a variant to an exit code; `Locked` is 2.

use std::io;
use std::path::{Path, PathBuf};

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder is no store.
    #[error("`{}` is no store (it has no manifest.json); make one with `ethogram ingest` or `ethogram study`", .path.display())]
    NotAStore {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds other things, and a store would be made among them.
    #[error("`{}` is no store and is not empty; name another folder", .path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes the store.
    #[error("`{}` is being written by another process{}; wait for it to end", .path.display(), of_process(.pid))]
    Locked {
        /// The store.
        path: PathBuf,
        /// The process, where its number could be read.
        pid: Option<u32>,
    },
    /// The store was made by a version whose tables differ.
    #[error(
        "`{}` has tables of version {found}, this ethogram reads version {expected}; \
         move it away and ingest the logs again", .path.display()
    )]
    Version {
        /// The store.
        path: PathBuf,
        /// Version of its tables.
        found: i64,
        /// Version that this engine reads.
        expected: i64,
    },
    /// The manifest cannot be read.
    #[error("cannot read `{}`: {source}; move the store away and ingest the logs again", .path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The file system refuses.
    #[error("cannot {action} `{}`: {source}", .path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A part cannot be read or written as Parquet.
    #[error("cannot {action} `{}` as Parquet: {why}", .path.display())]
    Parquet {
        /// What was tried, as a verb.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A part does not hold what its schema says.
    #[error("table `{table}` of the store is damaged: {what}; move the store away and ingest the logs again")]
    Damaged {
        /// The table.
        table: String,
        /// What is odd.
        what: String,
    },
    /// No schema has this name.
    #[error("there is no table `{table}`; `ethogram query --schema` lists them")]
    UnknownTable {
        /// The name.
        table: String,
    },
    /// A row was given a column that its table does not have, or of another type, or twice.
    #[error("table `{table}` takes no {given} in column `{column}`")]
    Column {
        /// The table.
        table: &'static str,
        /// The column as it was given.
        column: String,
        /// What was given.
        given: &'static str,
    },
    /// A row lacks a value that may not be null.
    #[error("a row of `{table}` lacks `{column}`, which is never null")]
    Lacking {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// One value is too large to be kept.
    #[error("a value of `{table}.{column}` has {bytes} bytes; cut it before it is stored")]
    TooLong {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// Its size.
        bytes: usize,
    },
    /// A statement that would give wrong rows, with the remedies.
    #[error("this statement would give wrong rows: {}", .remedies.join("; "))]
    Unsafe {
        /// One sentence for each construct, with what to write in its place.
        remedies: Vec<String>,
    },
    /// A statement that is no SQL, or that fails.
    #[error("cannot run the statement: {why}")]
    Sql {
        /// Why.
        why: String,
    },
}

fn of_process(pid: &Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

impl StoreError {
    /// An error of the file system.
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> StoreError {
        StoreError::Io { action, path: path.to_owned(), source }
    }

    /// An error of arrow or parquet.
    pub(super) fn parquet(action: &'static str, path: &Path, why: impl ToString) -> StoreError {
        StoreError::Parquet { action, path: path.to_owned(), why: why.to_string() }
    }

    /// A table that does not hold what its schema says.
    pub(super) fn damaged(table: &str, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { table: table.to_owned(), what: what.into() }
    }
}
