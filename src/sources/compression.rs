//! Bytes of a file, unpacked where it is compressed. The cap is applied while unpacking, not afterwards.

use super::{Limits, SourceError, SourceFile, SourceKind};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The content of a plain or compressed file. Several compressed members in one file are one stream, as `cat` makes them.
pub fn read(file: &SourceFile, limits: &Limits) -> Result<Vec<u8>, SourceError> {
    let too_large = |limit| SourceError::TooLarge { path: file.path.clone(), limit };
    if file.kind != SourceKind::Compressed {
        if file.size > limits.plain {
            return Err(too_large(limits.plain));
        }
        let io = |source| SourceError::Io { path: file.path.clone(), source };
        let expected = usize::try_from(file.size).unwrap_or_default();
        let bytes = capped(open(&file.path)?, limits.plain, expected).map_err(io)?;
        return bytes.ok_or_else(|| too_large(limits.plain));
    }
    let corrupt = |source| SourceError::Corrupt { path: file.path.clone(), source };
    let stream = unpacked(buffered(&file.path)?).map_err(corrupt)?;
    capped(stream, limits.member, 0).map_err(corrupt)?.ok_or_else(|| too_large(limits.member))
}

/// Everything a stream gives; `None` where that is more than the cap.
pub(super) fn capped(stream: impl Read, limit: u64, expected: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::with_capacity(expected);
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
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
