//! The program as a user runs it: what it prints, what it leaves, how it ends (`interface.md`, exit codes).

mod asap;
mod corpus;
mod corpus_other;
mod faults;
mod identity;
mod init;
mod inspect;
mod kinds;
mod labels;
mod parted;
mod rewards;
mod rules;
mod show;
mod stores;
mod streams;
mod totals;

use std::path::Path;

use tempfile::TempDir;

use crate::support::repository;

/// A folder with a copy of the first study: `base`, `rl` and `study.toml`.
fn first_study() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&repository().join("fixtures/studies/first"), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

/// A log of the first study.
const LOG: &str = "base/run_0/acme__gears-12.traj";
