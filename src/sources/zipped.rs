//! ZIP archives, of a file or of bytes in memory (a log that is itself a ZIP), member by member. Sizes that an archive declares
//! are believed only where they refuse; what is unpacked is counted. Several Zstandard frames in an entry are one stream.

use super::archive::{Member, within};
use super::compression::{capped, unpacked};
use super::{Limits, SourceKind};
use crate::model::{Problem, Weight};
use std::io::{BufReader, Cursor, Error, Read, Result, Seek};
use std::ops::ControlFlow;
use std::path::Path;
use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

/// How a ZIP begins: with its first member, or with its end where it has none.
const BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// The bytes begin as a ZIP does.
pub fn is_zip(start: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| start.starts_with(beginning))
}

/// The name of the first member, from the beginning of a ZIP alone.
pub fn first_zip_member(start: &[u8]) -> Option<&str> {
    let length = start.get(26..28).filter(|_| start.starts_with(BEGINNINGS[0]))?;
    let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
    std::str::from_utf8(start.get(30..30 + length)?).ok()
}

/// Gives the files of a ZIP that lies in memory to `each`, as `members` does.
///
/// # Errors
/// Nothing can be read of it.
pub fn zip_members(
    bytes: &[u8],
    limits: &Limits,
    each: impl FnMut(Member) -> ControlFlow<()>,
) -> Result<Vec<Problem>> {
    entries(Cursor::new(bytes), bytes.len() as u64, limits, each)
}

/// Gives the files of a ZIP to `each`: in the order of its list of files, where one name stands once, with its last content;
/// in their order in the file where the list is cut off.
pub(super) fn entries<R: Read + Seek>(
    mut stream: R,
    size: u64,
    limits: &Limits,
    each: impl FnMut(Member) -> ControlFlow<()>,
) -> Result<Vec<Problem>> {
    let total = limits.archive.max(size.saturating_mul(limits.ratio));
    let mut unpack =
        Unpack { limits, total, left: total, seen: 0, is_cut: false, problems: Vec::new(), each };
    match ZipArchive::new(&mut stream) {
        Ok(mut archive) => {
            for index in 0..archive.len() {
                let opened = match archive.by_index(index) {
                    Ok(entry) => Ok(unpack.entry(entry)),
                    Err(error) => Err(error),
                };
                match (opened, archive.by_index_data(index)) {
                    (Ok(ControlFlow::Break(())), _) => break,
                    (Err(fault), Ok(entry)) => {
                        let name = String::from_utf8_lossy(entry.name_raw());
                        unpack.closed(&name, entry.encrypted(), &fault);
                    }
                    _ => {}
                }
            }
        }
        Err(fault) => {
            stream.rewind()?;
            unpack.is_cut = true;
            unpack.in_order(&mut stream, fault)?;
        }
    }
    Ok(unpack.problems)
}

struct Unpack<'l, F> {
    limits: &'l Limits,
    total: u64,
    /// Bytes that may still be unpacked.
    left: u64,
    seen: usize,
    /// The list of files is missing: the archive is cut off, and its last member may be.
    is_cut: bool,
    problems: Vec<Problem>,
    each: F,
}

impl<F: FnMut(Member) -> ControlFlow<()>> Unpack<'_, F> {
    fn in_order(&mut self, stream: &mut impl Read, fault: ZipError) -> Result<()> {
        let end = loop {
            match read_zipfile_from_stream(stream) {
                Ok(None) => break fault,
                Ok(Some(entry)) => {
                    if self.entry(entry).is_break() {
                        return Ok(());
                    }
                }
                Err(error) => break error,
            }
        };
        if self.seen == 0 {
            return Err(Error::other(end.to_string()));
        }
        let what =
            format!("the archive breaks off ({end}); {} files were read, the last one may be cut", self.seen);
        self.problems.push(Problem::new(Weight::Refused, "", what));
        Ok(())
    }

    /// A member that cannot be opened at all.
    fn closed(&mut self, name: &str, is_encrypted: bool, fault: &ZipError) {
        match is_encrypted {
            true => self.refuse(name, "it is encrypted: unpack it with its password first"),
            false => self.refuse(name, &format!("cannot unpack it: {fault}")),
        }
    }

    fn entry<R: Read + ?Sized>(&mut self, mut entry: ZipFile<'_, R>) -> ControlFlow<()> {
        if entry.is_dir() {
            return ControlFlow::Continue(());
        }
        // Programs of Windows write `\`, which would hide a path that leads out.
        let name = String::from_utf8_lossy(entry.name_raw()).replace('\\', "/");
        let Some(path) = within(Path::new(&name)) else {
            self.refuse(&name, "its path leads out of the archive: left out");
            return ControlFlow::Continue(());
        };
        if entry.is_symlink() {
            let what = "a link within an archive: not followed";
            self.problems.push(Problem::new(Weight::Note, format!("member {path}"), what));
            return ControlFlow::Continue(());
        }
        match SourceKind::of(&path) {
            SourceKind::Archive => self.refuse(&path, "an archive within an archive: unpack it first"),
            SourceKind::Binary => return self.give(path, Vec::new()),
            kind => return self.content(&mut entry, path, kind),
        }
        ControlFlow::Continue(())
    }

    fn content<R: Read + ?Sized>(
        &mut self,
        entry: &mut ZipFile<'_, R>,
        path: String,
        kind: SourceKind,
    ) -> ControlFlow<()> {
        let limit = self.limits.member.min(self.left);
        let mut bytes = Vec::new();
        let declared = entry.size();
        let fits = if declared > limit && kind == SourceKind::Plain {
            Ok(false)
        } else if kind == SourceKind::Compressed {
            unpacked(BufReader::new(entry)).and_then(|stream| capped(stream, limit, &mut bytes))
        } else {
            capped(entry, limit, &mut bytes)
        };
        self.left = self.left.saturating_sub(bytes.len() as u64);
        match fits {
            Ok(true) => self.give(path, bytes),
            Ok(false) if self.limits.member <= limit => {
                self.refuse(&path, &format!("over the limit of {} bytes: refused", self.limits.member));
                ControlFlow::Continue(())
            }
            Ok(false) => {
                let what = format!(
                    "the archive unpacks to more than {} bytes: refused; {} files were read",
                    self.total, self.seen
                );
                self.problems.push(Problem::new(Weight::Refused, format!("member {path}"), what));
                ControlFlow::Break(())
            }
            // What is left of the last one is given too: its reader finds the turns before the cut.
            Err(_) if self.is_cut && !bytes.is_empty() => self.give(path, bytes),
            Err(error) => {
                self.refuse(&path, &format!("cannot unpack it: {error}"));
                ControlFlow::Continue(())
            }
        }
    }

    fn give(&mut self, path: String, bytes: Vec<u8>) -> ControlFlow<()> {
        self.seen += 1;
        // Times in a ZIP have no zone: they say nothing that can be compared.
        (self.each)(Member { path, bytes, modified: None })
    }

    fn refuse(&mut self, path: &str, what: &str) {
        self.problems.push(Problem::new(Weight::Refused, format!("member {path}"), what));
    }
}
