//! Archives, read member by member and never unpacked to the disk: tar, packed or not, as one stream; ZIP by `zipped`.

use super::compression::{buffered, capped, unpacked};
use super::{Limits, SourceError, SourceFile, SourceKind, zipped};
use crate::model::{Problem, Weight};
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Component, Path};

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Path in the archive, with `/` between its parts.
    pub path: String,
    /// Content, unpacked where the member is compressed itself.
    pub bytes: Vec<u8>,
    /// Last change, UTC milliseconds.
    pub modified: Option<i64>,
}

/// Gives the files of an archive to `each`, in their order there. Members that are refused (over a cap, a path that leads out,
/// links, archives within) are problems; so is an archive that breaks off, after what stands before.
pub fn members(
    file: &SourceFile,
    limits: &Limits,
    mut each: impl FnMut(Member) -> ControlFlow<()>,
) -> Result<Vec<Problem>, SourceError> {
    let corrupt = |source| SourceError::Corrupt { path: file.path.clone(), source };
    let mut stream = buffered(&file.path)?;
    if zipped::is_zip(stream.fill_buf().map_err(corrupt)?) {
        return zipped::entries(stream, file.size, limits, each).map_err(corrupt);
    }
    let total = limits.archive.max(file.size.saturating_mul(limits.ratio));
    let stream = unpacked(stream).map_err(corrupt)?;
    let mut stream = Counted { stream, left: total };
    let mut archive = tar::Archive::new(&mut stream);
    let mut problems = Vec::new();
    let mut seen = 0;
    let fault = 'members: {
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => break 'members Some(error),
        };
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => break 'members Some(error),
            };
            match member(&mut entry, limits) {
                Ok(Found::Member(member)) => {
                    seen += 1;
                    if each(member).is_break() {
                        break 'members None;
                    }
                }
                Ok(Found::Refused(problem)) => problems.push(problem),
                Ok(Found::Nothing) => {}
                Err(error) => break 'members Some(error),
            }
        }
        None
    };
    if let Some(fault) = fault {
        if seen == 0 && stream.left > 0 {
            return Err(corrupt(fault));
        }
        problems.push(broken_off(&stream, total, seen, &fault));
    }
    Ok(problems)
}

fn broken_off<S>(stream: &Counted<S>, total: u64, seen: usize, fault: &std::io::Error) -> Problem {
    let what = if stream.left == 0 {
        format!(
            "the archive unpacks to more than {total} bytes: refused; {seen} files were read, the last one may be cut"
        )
    } else {
        format!("the archive breaks off ({fault}); {seen} files were read, the last one may be cut")
    };
    Problem::new(Weight::Refused, "", what)
}

enum Found {
    Member(Member),
    Refused(Problem),
    Nothing,
}

fn member(entry: &mut tar::Entry<'_, impl Read>, limits: &Limits) -> std::io::Result<Found> {
    let kind = entry.header().entry_type();
    let is_link = kind.is_symlink() || kind.is_hard_link();
    if !(is_link || kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse()) {
        return Ok(Found::Nothing);
    }
    let Some(path) = entry.path().ok().and_then(|path| within(&path)) else {
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        return Ok(refused(&path, "its path leads out of the archive: left out"));
    };
    if is_link {
        let what = "a link within an archive: not followed";
        return Ok(Found::Refused(Problem::new(Weight::Note, format!("member {path}"), what)));
    }
    let kind = SourceKind::of(&path);
    if kind == SourceKind::Archive {
        return Ok(refused(&path, "an archive within an archive: unpack it first"));
    }
    let modified =
        entry.header().mtime().ok().and_then(|seconds| i64::try_from(seconds).ok()?.checked_mul(1000));
    if kind == SourceKind::Binary {
        return Ok(Found::Member(Member { path, bytes: Vec::new(), modified }));
    }
    let mut bytes = Vec::new();
    let fits = match kind {
        SourceKind::Compressed => capped(unpacked(BufReader::new(&mut *entry))?, limits.member, &mut bytes),
        _ => capped(&mut *entry, limits.member, &mut bytes),
    };
    Ok(match fits {
        Ok(true) => Found::Member(Member { path, bytes, modified }),
        Ok(false) => refused(&path, &format!("over the limit of {} bytes: refused", limits.member)),
        // A member that does not unpack leaves the next ones readable; the archive's own faults show there again.
        Err(error) => refused(&path, &format!("cannot unpack it: {error}")),
    })
}

fn refused(path: &str, what: &str) -> Found {
    Found::Refused(Problem::new(Weight::Refused, format!("member {path}"), what))
}

/// The path of a member with `/` between its parts, where it stays within the archive.
pub(super) fn within(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// A stream that fails when more is read than the cap, so that a bomb ends here and not in memory or time.
struct Counted<S> {
    stream: S,
    left: u64,
}

impl<S: Read> Read for Counted<S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Err(std::io::Error::other("the cap is reached"));
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.stream.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}
