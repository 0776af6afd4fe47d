//! Folders, archives and compressed files become paths and bytes. The only part below `store` that touches the disk; it knows
//! no format, and reads nothing twice.

mod archive;
mod compression;
mod walk;
mod zipped;

pub use archive::{Member, members};
pub use compression::{read, read_head, read_into, stream};
pub use walk::{Walk, walk};
pub use zipped::{first_zip_member, is_zip, zip_members};

use std::path::PathBuf;

/// How a file is to be opened, by its name: what is in it is told by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// Bytes as they are.
    Plain,
    /// One compressed file (`.gz`, `.zst`): `read` gives its content.
    Compressed,
    /// `.tar`, `.tar.gz`, `.tar.zst` and their short names, `.zip`: `members` gives its files. A log that is a ZIP under
    /// another ending (`.eval`) is one plain file.
    Archive,
    /// A name that no log and no outcome has (pictures, binaries, archives of other kinds): counted, not opened.
    Binary,
}

/// A file below a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Path below the root with `/` between its parts; the file's own name where the root is a file.
    pub relative: String,
    /// Bytes on the disk.
    pub size: u64,
    /// Last change, UTC milliseconds.
    pub modified: Option<i64>,
    /// How it is to be opened.
    pub kind: SourceKind,
}

/// Caps that hold while a stream is unpacked, so that a small file cannot become a large one (sizes that an archive
/// declares are not trusted).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file that lies there plainly.
    pub plain: u64,
    /// Bytes of one unpacked file or member.
    pub member: u64,
    /// Unpacked bytes of a whole archive, whatever its size.
    pub archive: u64,
    /// Unpacked bytes of a whole archive a packed byte, where that is more. Real logs reach 100.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { plain: 4 << 30, member: 256 << 20, archive: 1 << 30, ratio: 500 }
    }
}

/// A file or folder that could not be read; the caller goes on with the next.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The path leads nowhere.
    #[error("cannot read `{}`: there is no such file or folder", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is larger than the cap.
    #[error("`{}` is over the limit of {limit} bytes: refused; split or unpack it if it is a log", path.display())]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// The cap.
        limit: u64,
    },
    /// It does not unpack.
    #[error("cannot unpack `{}`: {source}; is it cut off?", path.display())]
    Corrupt {
        /// The path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Endings of archives.
const ARCHIVES: [&str; 6] = [".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst", ".zip"];
/// Endings of compressed files.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];
/// Endings that no log and no outcome has.
const BINARY: [&str; 40] = [
    ".7z",
    ".a",
    ".avi",
    ".bin",
    ".bz2",
    ".class",
    ".db",
    ".dll",
    ".doc",
    ".docx",
    ".dylib",
    ".exe",
    ".gif",
    ".ico",
    ".jar",
    ".jpeg",
    ".jpg",
    ".mkv",
    ".mov",
    ".mp3",
    ".mp4",
    ".npy",
    ".npz",
    ".o",
    ".otf",
    ".pdf",
    ".png",
    ".pptx",
    ".pyc",
    ".safetensors",
    ".so",
    ".sqlite",
    ".ttf",
    ".wasm",
    ".wav",
    ".webm",
    ".webp",
    ".woff",
    ".woff2",
    ".xz",
];

impl SourceKind {
    /// The kind that a name tells.
    pub fn of(name: &str) -> SourceKind {
        let name = name.to_ascii_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|end| name.ends_with(end));
        if ends(&ARCHIVES) {
            SourceKind::Archive
        } else if ends(&COMPRESSED) {
            SourceKind::Compressed
        } else if ends(&BINARY) {
            SourceKind::Binary
        } else {
            SourceKind::Plain
        }
    }
}

/// The ending by which a file is counted where nobody reads it: `.py`, or the whole name where it has none.
pub fn extension(relative: &str) -> &str {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    match name.rfind('.') {
        Some(0) | None => name,
        Some(place) => &name[place..],
    }
}
