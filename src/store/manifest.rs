//! The manifest: what of the folder is the store. It is replaced as one file, so that a store is always whole
//! (`interface.md`, The store). It holds no clock, host or thread count, so that equal inputs give equal bytes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::schema::SCHEMA_VERSION;
use crate::model::Problem;

/// Name of the file.
pub const MANIFEST: &str = "manifest.json";

/// What a store holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the tables.
    pub schema_version: i64,
    /// Version of ethogram that wrote last.
    pub engine_version: String,
    /// What the caller says of the rows.
    pub contents: Contents,
    /// Live parts by table, in the order of their rows.
    pub parts: BTreeMap<String, Vec<Part>>,
}

/// The part of a manifest that every version has; it is read first, since the rest may have another shape.
#[derive(Deserialize)]
struct Versioned {
    schema_version: i64,
}

/// What the caller says of the rows; it is replaced as a whole at each commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// Files that were read, in the order of their rows.
    pub inputs: Vec<Input>,
    /// Versions of the rules whose rows are stored, by family.
    pub rules: BTreeMap<String, i64>,
    /// Everything else on which stored rows rest (prefix turns of an arm, a policy), by name.
    pub settings: BTreeMap<String, String>,
    /// What was refused, repaired or noted.
    pub problems: Vec<Noted>,
}

/// One file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Path, as given joined with what lies below it.
    pub path: String,
    /// Arm whose file it is.
    pub arm: String,
    /// What it was read as (a format, a shape of outcome file).
    pub read_as: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of its last change, UTC milliseconds; `None` for a member of an archive.
    pub modified_ms: Option<i64>,
    /// BLAKE3 of its bytes.
    pub digest: String,
    /// Trajectories that it gave.
    pub trajectories: Vec<String>,
    /// Of a folder that is one log: the files that it is made of, by which a later command tells whether it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<InputPart>,
}

/// A file of a folder that is one log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputPart {
    /// Path as given, joined with what lies below it.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change, UTC milliseconds.
    pub modified_ms: Option<i64>,
}

/// A problem in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Noted {
    /// Arm that was read; its problems stay and go with it.
    #[serde(default)]
    pub arm: String,
    /// File.
    pub file: String,
    /// Place in it, empty for the whole.
    pub place: String,
    /// What is odd.
    pub what: String,
    /// How much it weighs: note, repaired, refused.
    pub weight: String,
}

impl Noted {
    /// A problem that an arm's files gave.
    pub fn of(arm: &str, problem: &Problem) -> Noted {
        Noted {
            arm: arm.to_owned(),
            file: problem.file.clone(),
            place: problem.place.clone(),
            what: problem.what.clone(),
            weight: problem.weight.as_str().to_owned(),
        }
    }
}

/// One Parquet file of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// File name: the first 16 hex digits of the BLAKE3 of its bytes.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// Size in bytes.
    pub bytes: u64,
}

impl Manifest {
    /// The manifest of a store without rows.
    pub(super) fn empty() -> Manifest {
        Manifest {
            schema_version: SCHEMA_VERSION,
            engine_version: env!("CARGO_PKG_VERSION").to_owned(),
            contents: Contents::default(),
            parts: BTreeMap::new(),
        }
    }

    /// Reads one; `None` where there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Manifest>, StoreError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::io("read", path, error)),
        };
        let failed = |source| StoreError::Manifest { path: path.to_owned(), source };
        let Versioned { schema_version } = serde_json::from_slice(&bytes).map_err(failed)?;
        if schema_version != SCHEMA_VERSION {
            let store = path.parent().unwrap_or(path).to_owned();
            return Err(StoreError::Version { path: store, found: schema_version, expected: SCHEMA_VERSION });
        }
        serde_json::from_slice(&bytes).map(Some).map_err(failed)
    }

    /// Writes one beside `path` and renames it there, so that a file of this name is always whole.
    pub(super) fn write(&self, path: &Path) -> Result<(), StoreError> {
        let beside = path.with_extension("part");
        let failed = |error| StoreError::io("write", &beside, error);
        let mut file = fs::File::create(&beside).map_err(failed)?;
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|source| StoreError::Manifest { path: path.to_owned(), source })?;
        text.push(b'\n');
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(failed)?;
        fs::rename(&beside, path).map_err(|error| StoreError::io("write", path, error))
    }

    /// Rows of a table.
    pub fn rows(&self, table: &str) -> u64 {
        self.parts.get(table).map_or(0, |parts| parts.iter().map(|part| part.rows).sum())
    }
}
