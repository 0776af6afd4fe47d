//! What several test modules need: where the shared data lie.

use std::path::PathBuf;

/// A file or folder of the shared data (`ETHOGRAM_SHARED`, else `../shared` beside the repository). Where it is missing
/// the caller's test is skipped, aloud.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ETHOGRAM_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: no {}", found.display());
    None
}
