//! Identity: the only place that makes a key (`definitions.md` §1). A key is never empty and never null.

/// One attempt at an instance by an arm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey {
    /// Arm: all runs of one system.
    pub arm: String,
    /// Benchmark, `unnamed` where none fits.
    pub benchmark: String,
    /// Task of the benchmark, in the log's spelling.
    pub instance_id: String,
    /// Run number from 0.
    pub run: i64,
}

/// Where the run number comes from (`definitions.md` §1, run number).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunSource {
    /// The log says it.
    Log,
    /// The path says it (`run_3`, `rollout-3`, a template of the study).
    Path,
    /// The rank among the logs of one instance.
    Rank,
}

impl RunSource {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            RunSource::Log => "log",
            RunSource::Path => "path",
            RunSource::Rank => "rank",
        }
    }
}

/// Where the instance id comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstanceSource {
    /// The log says it.
    Log,
    /// The path says it: a template of the study, or the format's own rule (file stem, folder name).
    Path,
    /// The session id stands in: such arms cannot be paired.
    Session,
    /// The file stem stands in.
    File,
}

impl InstanceSource {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            InstanceSource::Log => "log",
            InstanceSource::Path => "path",
            InstanceSource::Session => "session",
            InstanceSource::File => "file",
        }
    }
}

/// The key of a trajectory: the first 16 hex digits of a BLAKE3 over arm, instance, the path below the arm's
/// root, the place in the file and the content's digest. Benchmark and run are not in it, since they may be
/// settled later.
pub fn trajectory_id(
    arm: &str,
    instance_id: &str,
    path: &str,
    place: &str,
    content: &blake3::Hash,
) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [arm, instance_id, path, place] {
        // Length first, so that ("ab", "c") and ("a", "bc") differ.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(content.as_bytes());
    hasher.finalize().to_hex()[..16].to_owned()
}
