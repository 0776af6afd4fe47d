//! All files below a root: sorted, hidden ones too. Links are followed once and named; a folder or file that several paths lead
//! to is listed once, under its own name where that lies below the root.

use super::{SourceError, SourceFile, SourceKind};
use crate::model::{Problem, Weight};
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What lies below a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Files by their path below the root.
    pub files: Vec<SourceFile>,
    /// Links, and what could not be read; `file` is the path below the root.
    pub problems: Vec<Problem>,
}

/// Lists all files below a root, which may be a file itself.
pub fn walk(root: &Path) -> Result<Walk, SourceError> {
    let metadata = std::fs::metadata(root).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => SourceError::Missing { path: root.to_owned() },
        _ => SourceError::Io { path: root.to_owned(), source },
    })?;
    let mut walker = Walker::default();
    if metadata.is_file() {
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        walker.file(root.to_owned(), name, &metadata, real(root));
    } else {
        std::fs::read_dir(root).map_err(|source| SourceError::Io { path: root.to_owned(), source })?;
        walker.folder(root, "", real(root));
        walker.follow_links();
    }
    walker.walk.files.sort_by(|left, right| left.relative.cmp(&right.relative));
    walker.walk.problems.sort();
    Ok(walker.walk)
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[derive(Default)]
struct Walker {
    walk: Walk,
    /// Real paths of what was listed.
    seen: BTreeSet<PathBuf>,
    /// Links are followed when everything real is known, so that a file keeps its own name.
    links: Vec<(PathBuf, String)>,
}

impl Walker {
    /// A folder by its name and its real path. What lies in it and is no link has its real path below that one, so that
    /// the system is asked once a folder and not once a file.
    fn folder(&mut self, folder: &Path, relative: &str, real: PathBuf) {
        if !self.seen.insert(real.clone()) {
            return;
        }
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                return self.problem(Weight::Refused, relative, format!("cannot read the folder: {error}"));
            }
        };
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => paths.push(entry.path()),
                Err(error) => {
                    self.problem(Weight::Refused, relative, format!("cannot read the folder: {error}"))
                }
            }
        }
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let below = if relative.is_empty() { name.into_owned() } else { format!("{relative}/{name}") };
            let real = real.join(path.file_name().unwrap_or_default());
            self.entry(path, below, real);
        }
    }

    fn entry(&mut self, path: PathBuf, relative: String, real: PathBuf) {
        match std::fs::symlink_metadata(&path) {
            Err(error) => self.problem(Weight::Refused, &relative, format!("cannot read it: {error}")),
            Ok(metadata) if metadata.is_symlink() => self.links.push((path, relative)),
            // The objects of a repository are no logs, and there are thousands of them.
            Ok(metadata) if metadata.is_dir() && path.ends_with(".git") => {}
            Ok(metadata) if metadata.is_dir() => self.folder(&path, &relative, real),
            Ok(metadata) if metadata.is_file() => self.file(path, relative, &metadata, real),
            Ok(_) => {
                self.problem(Weight::Note, &relative, "no file but a socket, pipe or device: left out".into())
            }
        }
    }

    fn file(&mut self, path: PathBuf, relative: String, metadata: &Metadata, real: PathBuf) {
        // A real path is listed once.
        if !self.seen.insert(real) {
            return;
        }
        let modified = metadata.modified().ok().and_then(|time| {
            let since = time.duration_since(UNIX_EPOCH).ok()?;
            i64::try_from(since.as_millis()).ok()
        });
        let kind = SourceKind::of(&relative);
        self.walk.files.push(SourceFile { path, relative, size: metadata.len(), modified, kind });
    }

    /// Links found while following links wait for the next round; each real path is entered once, so it ends.
    fn follow_links(&mut self) {
        while !self.links.is_empty() {
            for (path, relative) in std::mem::take(&mut self.links) {
                self.link(path, relative);
            }
        }
    }

    fn link(&mut self, path: PathBuf, relative: String) {
        let Ok(target) = std::fs::canonicalize(&path) else {
            return self.problem(
                Weight::Refused,
                &relative,
                "a link that leads nowhere, or in a circle".into(),
            );
        };
        if self.seen.contains(&target) {
            let what = "a link to what is read under its own name: not read again";
            return self.problem(Weight::Note, &relative, what.into());
        }
        self.problem(Weight::Note, &relative, "a link that leads out of the folder: followed".into());
        match std::fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => self.folder(&path, &relative, target),
            Ok(metadata) if metadata.is_file() => self.file(path, relative, &metadata, target),
            Ok(_) => {}
            Err(error) => self.problem(Weight::Refused, &relative, format!("cannot read it: {error}")),
        }
    }

    fn problem(&mut self, weight: Weight, relative: &str, what: String) {
        let mut problem = Problem::new(weight, "", what);
        problem.file = relative.to_owned();
        self.walk.problems.push(problem);
    }
}
