//! Archives, read member by member and never unpacked to the disk: tar, packed or not, as one stream; ZIP by `zipped`.

use super::compression::{buffered, capped, unpacked};
use super::{Limits, SourceError, SourceFile, SourceKind, zipped};
use crate::model::{Problem, Weight};
use std::cell::Cell;
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
    let room = Room { total: Cell::new(total), step: Cell::new(HEADERS) };
    let mut archive = tar::Archive::new(Counted { stream, room: &room });
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
            room.step.set(stored(&entry).saturating_add(HEADERS));
            match member(&mut entry, limits, &room) {
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
        if seen == 0 && room.total.get() > 0 {
            return Err(corrupt(fault));
        }
        problems.push(broken_off(&room, total, seen, &fault));
    }
    Ok(problems)
}

/// Bytes that an entry takes in the archive.
fn stored<R: Read>(entry: &tar::Entry<'_, R>) -> u64 {
    match entry.header().entry_type().is_gnu_sparse() {
        // A sparse file tells the bytes that it stands for.
        true => entry.header().entry_size().unwrap_or_default(),
        false => entry.size(),
    }
}

fn broken_off(room: &Room, total: u64, seen: usize, fault: &std::io::Error) -> Problem {
    let what = if room.total.get() == 0 {
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

fn member(entry: &mut tar::Entry<'_, impl Read>, limits: &Limits, room: &Room) -> std::io::Result<Found> {
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
        SourceKind::Compressed => {
            let limit = limits.member.min(room.total.get());
            let fits = capped(unpacked(BufReader::new(&mut *entry))?, limit, &mut bytes);
            room.take(bytes.len() as u64);
            fits
        }
        _ => capped(&mut *entry, limits.member, &mut bytes),
    };
    if room.total.get() == 0 {
        return Err(std::io::Error::other(FULL));
    }
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

/// Most bytes of headers and padding between two members: names of gigabytes are built in memory before they are seen.
const HEADERS: u64 = 1 << 20;

const FULL: &str = "the cap is reached";

/// Bytes that may still come out of an archive, so that a bomb ends here and not in memory or time.
struct Room {
    /// Of all of it, members unpacked.
    total: Cell<u64>,
    /// Up to the next member.
    step: Cell<u64>,
}

impl Room {
    fn take(&self, bytes: u64) {
        self.total.set(self.total.get().saturating_sub(bytes));
    }
}

/// A stream that fails when more is read than there is room for.
struct Counted<'r, S> {
    stream: S,
    room: &'r Room,
}

impl<S: Read> Read for Counted<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let left = self.room.total.get().min(self.room.step.get());
        if left == 0 {
            let is_full = self.room.total.get() == 0;
            return Err(std::io::Error::other(if is_full { FULL } else { "a name longer than any path" }));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.stream.read(&mut buffer[..most])?;
        self.room.take(read as u64);
        self.room.step.set(self.room.step.get().saturating_sub(read as u64));
        Ok(read)
    }
}
