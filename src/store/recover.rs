//! What a cut-off writer left behind. `store/.new/` stands from a writer's first row to its last deletion; whoever
//! finds it without a living writer finishes the commit (the next manifest is already whole) or undoes it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::manifest::{MANIFEST, Manifest, Part};
use super::schema::SCHEMAS;

/// Folder in which new parts wait.
pub(super) const NEW: &str = ".new";

/// The manifest that is about to become the store's.
pub(super) fn next_manifest(store: &Path) -> PathBuf {
    store.join(NEW).join(MANIFEST)
}

/// Finishes or undoes what was cut off. The lock is held.
pub(super) fn recover(store: &Path) -> Result<(), StoreError> {
    if !store.join(NEW).exists() {
        return Ok(());
    }
    // A next manifest that does not parse was never renamed into its place by us; it is left out with the rest.
    if let Ok(Some(next)) = Manifest::read(&next_manifest(store))
        && next.parts.iter().all(|(table, parts)| parts.iter().all(|part| exists(store, table, part)))
    {
        go_live(store, &next)?;
    }
    sweep(store, Manifest::read(&store.join(MANIFEST))?.as_ref())
}

fn exists(store: &Path, table: &str, part: &Part) -> bool {
    store.join(table).join(&part.name).exists() || store.join(NEW).join(table).join(&part.name).exists()
}

/// Moves the new parts into their tables and makes the next manifest the store's.
pub(super) fn go_live(store: &Path, next: &Manifest) -> Result<(), StoreError> {
    for (table, parts) in &next.parts {
        let folder = store.join(table);
        fs::create_dir_all(&folder).map_err(|error| StoreError::io("create", &folder, error))?;
        for part in parts {
            let waiting = store.join(NEW).join(table).join(&part.name);
            if waiting.exists() {
                let live = folder.join(&part.name);
                fs::rename(&waiting, &live).map_err(|error| StoreError::io("write", &live, error))?;
            }
        }
    }
    let manifest = store.join(MANIFEST);
    fs::rename(next_manifest(store), &manifest).map_err(|error| StoreError::io("write", &manifest, error))
}

/// Deletes parts that the manifest does not name, then the folder of new parts.
pub(super) fn sweep(store: &Path, manifest: Option<&Manifest>) -> Result<(), StoreError> {
    for schema in SCHEMAS.iter() {
        let live: BTreeSet<&str> = manifest
            .into_iter()
            .flat_map(|manifest| manifest.parts.get(schema.table).into_iter().flatten())
            .map(|part| part.name.as_str())
            .collect();
        sweep_table(&store.join(schema.table), &live)?;
    }
    let new = store.join(NEW);
    match fs::remove_dir_all(&new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::io("delete", &new, error))
        }
        _ => Ok(()),
    }
}

fn sweep_table(folder: &Path, live: &BTreeSet<&str>) -> Result<(), StoreError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if name.ends_with(".parquet") && !live.contains(name) {
            let path = entry.path();
            fs::remove_file(&path).map_err(|error| StoreError::io("delete", &path, error))?;
        }
    }
    Ok(())
}
