//! Bytes of a file, unpacked where it is compressed. The cap is applied while unpacking, not afterwards.

use super::{Limits, SourceError, SourceFile, SourceKind};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The content of a plain or compressed file. Several compressed members in one file are one stream, as `cat` makes them.
pub fn read(file: &SourceFile, limits: &Limits) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    read_into(file, limits, &mut bytes)?;
    Ok(bytes)
}

/// The same into memory that was used before, whose content goes: fresh memory for each file costs as much as its
/// bytes.
pub fn read_into(file: &SourceFile, limits: &Limits, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
    bytes.clear();
    let too_large = |limit| SourceError::TooLarge { path: file.path.clone(), limit };
    if file.kind != SourceKind::Compressed {
        if file.size > limits.plain {
            return Err(too_large(limits.plain));
        }
        let io = |source| SourceError::Io { path: file.path.clone(), source };
        bytes.reserve(usize::try_from(file.size).unwrap_or_default());
        let fits = capped(open(&file.path)?, limits.plain, bytes).map_err(io)?;
        return fits.then_some(()).ok_or_else(|| too_large(limits.plain));
    }
    let corrupt = |source| SourceError::Corrupt { path: file.path.clone(), source };
    let stream = unpacked(buffered(&file.path)?).map_err(corrupt)?;
    let fits = capped(stream, limits.member, bytes).map_err(corrupt)?;
    fits.then_some(()).ok_or_else(|| too_large(limits.member))
}

/// The first bytes of a plain or compressed file, unpacked.
pub fn read_head(file: &SourceFile, bytes: usize) -> Result<Vec<u8>, SourceError> {
    let io = |source| SourceError::Io { path: file.path.clone(), source };
    let mut head = Vec::new();
    stream(file)?.take(bytes as u64).read_to_end(&mut head).map_err(io)?;
    Ok(head)
}

/// The content of a plain or compressed file as a stream, for files that are too large to be held.
pub fn stream(file: &SourceFile) -> Result<BufReader<Box<dyn Read>>, SourceError> {
    let corrupt = |source| SourceError::Corrupt { path: file.path.clone(), source };
    if file.kind == SourceKind::Compressed {
        return Ok(BufReader::new(unpacked(buffered(&file.path)?).map_err(corrupt)?));
    }
    Ok(BufReader::with_capacity(1 << 17, Box::new(open(&file.path)?)))
}

/// Everything a stream gives, into empty memory; whether that is within the cap.
pub(super) fn capped(stream: impl Read, limit: u64, bytes: &mut Vec<u8>) -> std::io::Result<bool> {
    stream.take(limit + 1).read_to_end(bytes)?;
    Ok(bytes.len() as u64 <= limit)
}

pub(super) fn open(path: &Path) -> Result<File, SourceError> {
    File::open(path).map_err(|source| SourceError::Io { path: path.to_owned(), source })
}

pub(super) fn buffered(path: &Path) -> Result<BufReader<File>, SourceError> {
    Ok(BufReader::with_capacity(1 << 17, open(path)?))
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The unpacked stream of one that begins as gzip or zstd does; another stream as it is.
pub(super) fn unpacked<'s>(mut stream: impl BufRead + 's) -> std::io::Result<Box<dyn Read + 's>> {
    let start = stream.fill_buf()?;
    if start.starts_with(GZIP) {
        Ok(Box::new(MultiGzDecoder::new(stream)))
    } else if start.starts_with(ZSTD) {
        Ok(Box::new(zstd::Decoder::with_buffer(stream)?))
    } else {
        Ok(Box::new(stream))
    }
}
