//! The store: schema, Parquet, manifest and SQL. The only layer that knows arrow, parquet and polars, and the only
//! one that writes files into a store (`interface.md`, The store).

mod cursor;
mod error;
mod frame;
mod lint;
mod lock;
mod log_rows;
mod logs;
mod manifest;
mod parts;
mod queries;
mod read;
mod recover;
mod remove;
mod rows;
mod schema;
mod sql;
mod views;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};

pub use error::StoreError;
pub use frame::{Frame, FrameColumn, FrameRow, Value};
pub use log_rows::{LogHead, RunRow, write_log, write_run};
pub use logs::{Logs, StoredLog, logs};
pub use manifest::{Contents, Input, InputPart, Manifest, Noted, Part};
pub use queries::{QUERIES, query};
pub use rows::{Row, TableWriter};
pub use schema::{ColumnSchema, ColumnType, SCHEMA_VERSION, SCHEMAS, Schema, schema};
pub use sql::Sql;
pub use views::duckdb_views;
pub use writer::StoreWriter;

/// A folder of Parquet, as its manifest had it when it was opened. Readers never lock.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    manifest: Manifest,
}

impl Store {
    /// Opens a store; mends it first where a writer was cut off and none is at work.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        // A store that may not be written, or that is being written, is read as its manifest has it.
        if path.join(recover::NEW).exists()
            && let Ok(_lock) = lock::Lock::take(path)
        {
            recover::recover(path)?;
        }
        let read = || {
            Manifest::read(&path.join(manifest::MANIFEST))?
                .ok_or_else(|| StoreError::NotAStore { path: path.to_owned() })
        };
        let mut manifest = read()?;
        // A writer may have replaced parts since the manifest was read; where it is the same manifest, they are lost.
        while let Err(damage) = check_parts(path, &manifest) {
            let now = read()?;
            if now == manifest {
                return Err(damage);
            }
            manifest = now;
        }
        Ok(Store { path: path.to_owned(), manifest })
    }

    /// Opens a store, or makes one without rows where the folder is empty or absent; it stands on disk from the
    /// first commit on.
    pub fn create_or_open(path: &Path) -> Result<Store, StoreError> {
        match Store::open(path) {
            Err(StoreError::NotAStore { .. }) if is_free(path) => {
                Ok(Store { path: path.to_owned(), manifest: Manifest::empty() })
            }
            Err(StoreError::NotAStore { path }) => Err(StoreError::NotEmpty { path }),
            other => other,
        }
    }

    /// The one writer; an error where another process has it.
    pub fn writer(&self) -> Result<StoreWriter, StoreError> {
        StoreWriter::begin(self.path.clone())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the store holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The live parts of a table in the order of their rows.
    pub fn parts(&self, table: &str) -> Vec<PathBuf> {
        let folder = self.path.join(table);
        self.manifest.parts.get(table).into_iter().flatten().map(|part| folder.join(&part.name)).collect()
    }

    /// All rows of a small table in the order in which they were written.
    pub fn read(&self, table: &str) -> Result<Frame, StoreError> {
        read::table(self, table)
    }
}

/// Every live part lies in its folder with its size; its content is looked at when it is read.
fn check_parts(store: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    for (table, parts) in &manifest.parts {
        for part in parts {
            match fs::metadata(store.join(table).join(&part.name)) {
                Ok(found) if found.len() == part.bytes => {}
                Ok(found) => {
                    let what = format!("`{}` has {} bytes, not {}", part.name, found.len(), part.bytes);
                    return Err(StoreError::damaged(table, what));
                }
                Err(error) => return Err(StoreError::damaged(table, format!("`{}`: {error}", part.name))),
            }
        }
    }
    Ok(())
}

/// A folder in which a store may be made: none yet, or nothing in it but what an undone commit left.
fn is_free(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().all(|entry| {
            matches!(entry.file_name().to_str(), Some(".lock" | ".new" | "views.sql"))
                || entry.file_name().to_str().is_some_and(|name| schema(name).is_some())
        }),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
