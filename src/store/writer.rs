//! Writes a store: rows for its tables, then one commit. Until the commit nothing of it is seen; a writer that is
//! dropped or killed leaves the store as it was (`interface.md`, The store).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use super::Store;
use super::error::StoreError;
use super::lock::Lock;
use super::manifest::{Contents, MANIFEST, Manifest, Part};
use super::recover::{NEW, go_live, next_manifest, recover, sweep};
use super::remove::without_trajectories;
use super::rows::TableWriter;
use super::schema::{SCHEMA_VERSION, SCHEMAS, schema};
use super::views::duckdb_views;

/// The one writer of a store.
pub struct StoreWriter {
    path: PathBuf,
    old: Manifest,
    tables: BTreeMap<&'static str, TableWriter>,
    replaced: BTreeSet<&'static str>,
    removed: BTreeSet<String>,
    _lock: Lock,
}

impl StoreWriter {
    /// Takes the lock, mends what was cut off, and reads the manifest again, since another writer may have ended
    /// between opening the store and now.
    pub(super) fn begin(path: PathBuf) -> Result<StoreWriter, StoreError> {
        fs::create_dir_all(&path).map_err(|error| StoreError::io("create", &path, error))?;
        let lock = Lock::take(&path)?;
        recover(&path)?;
        let old = Manifest::read(&path.join(MANIFEST))?.unwrap_or_else(Manifest::empty);
        let new = path.join(NEW);
        fs::create_dir_all(&new).map_err(|error| StoreError::io("create", &new, error))?;
        Ok(StoreWriter {
            path,
            old,
            tables: BTreeMap::new(),
            replaced: BTreeSet::new(),
            removed: BTreeSet::new(),
            _lock: lock,
        })
    }

    /// What the store holds before this writer's commit.
    pub fn manifest(&self) -> &Manifest {
        &self.old
    }

    /// The writer of a table's rows; they come after the rows that the table has.
    pub fn table(&mut self, name: &str) -> Result<&mut TableWriter, StoreError> {
        let schema = schema(name).ok_or_else(|| unknown(name))?;
        let folder = self.path.join(NEW).join(schema.table);
        Ok(self.tables.entry(schema.table).or_insert_with(|| TableWriter::new(schema, folder, "new")))
    }

    /// At the commit these tables hold what this writer wrote and nothing else.
    pub fn replace_tables(&mut self, names: &[&str]) -> Result<(), StoreError> {
        for name in names {
            self.replaced.insert(schema(name).ok_or_else(|| unknown(name))?.table);
        }
        Ok(())
    }

    /// At the commit the store has no row of these trajectories but those that this writer wrote: their file changed
    /// or is gone. Tables without `trajectory_id` as a key are the caller's to replace.
    pub fn remove_trajectories(&mut self, ids: impl IntoIterator<Item = String>) {
        self.removed.extend(ids);
    }

    /// Makes the rows live, all at once.
    pub fn commit(mut self, contents: Contents) -> Result<Store, StoreError> {
        let mut parts = BTreeMap::new();
        for schema in SCHEMAS.iter() {
            parts.insert(schema.table.to_owned(), self.parts_of(schema.table)?);
        }
        let next = Manifest {
            schema_version: SCHEMA_VERSION,
            engine_version: env!("CARGO_PKG_VERSION").to_owned(),
            contents,
            parts,
        };
        self.write_views()?;
        next.write(&next_manifest(&self.path))?;
        go_live(&self.path, &next)?;
        sweep(&self.path, Some(&next))?;
        Ok(Store { path: self.path.clone(), manifest: next })
    }

    fn parts_of(&mut self, table: &'static str) -> Result<Vec<Part>, StoreError> {
        let mut parts = if self.replaced.contains(table) { Vec::new() } else { self.kept(table)? };
        self.table(table)?;
        let Some(writer) = self.tables.remove(table) else { return Ok(parts) };
        let new = if parts.is_empty() { writer.finish_with_part()? } else { writer.finish()? };
        for part in new {
            // The same rows again are the same part: it is live already.
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Ok(without_empty(parts))
    }

    fn kept(&self, table: &'static str) -> Result<Vec<Part>, StoreError> {
        let old = self.old.parts.get(table).cloned().unwrap_or_default();
        if self.removed.is_empty() {
            return Ok(old);
        }
        without_trajectories(&self.path, table, old, &self.removed)
    }

    fn write_views(&self) -> Result<(), StoreError> {
        let path = self.path.join("views.sql");
        fs::write(&path, duckdb_views()).map_err(|error| StoreError::io("write", &path, error))
    }
}

impl Drop for StoreWriter {
    fn drop(&mut self) {
        // After a commit the folder is gone. Where one was cut off between the two manifests it must stay: the next
        // command finishes it.
        if !next_manifest(&self.path).exists() {
            let _ = fs::remove_dir_all(self.path.join(NEW));
        }
    }
}

/// A part with 0 rows stands only where a table has no other.
fn without_empty(mut parts: Vec<Part>) -> Vec<Part> {
    if parts.iter().any(|part| part.rows > 0) {
        parts.retain(|part| part.rows > 0);
    } else {
        parts.truncate(1);
    }
    parts
}

fn unknown(name: &str) -> StoreError {
    StoreError::UnknownTable { table: name.to_owned() }
}
