//! Texts in order that wait until they may be printed: in memory while they are few, then in a file of the machine's
//! folder for temporary files, so that memory stays bounded whatever the number of logs.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Error, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::value::RawValue;

use super::super::error::CommandError;

/// Bytes that are held in memory.
const IN_MEMORY: usize = 32 << 20;

/// Texts of JSON, each its own value.
#[derive(Default)]
pub struct Spool {
    lengths: VecDeque<usize>,
    memory: String,
    file: Option<Overflow>,
    failed: Option<Error>,
}

impl Spool {
    /// Puts a text behind the others. A disk that refuses is told when the texts are read.
    pub fn push(&mut self, text: &str) {
        if self.failed.is_some() {
            return;
        }
        self.lengths.push_back(text.len());
        self.memory.push_str(text);
        if self.memory.len() >= IN_MEMORY
            && let Err(error) = self.flush()
        {
            self.failed = Some(error);
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(Overflow::create()?),
        };
        file.writer.write_all(self.memory.as_bytes())?;
        self.memory.clear();
        Ok(())
    }

    /// Reads the texts from the first.
    pub fn reader(&mut self) -> Result<Reader<'_>, CommandError> {
        if let Some(error) = self.failed.take() {
            return Err(refused(error));
        }
        let file = match &mut self.file {
            Some(file) => Some(file.rewound().map_err(refused)?),
            None => None,
        };
        Ok(Reader { lengths: &mut self.lengths, file, memory: self.memory.as_bytes() })
    }
}

/// Reads texts in the order in which they came.
pub struct Reader<'a> {
    lengths: &'a mut VecDeque<usize>,
    file: Option<BufReader<&'a File>>,
    memory: &'a [u8],
}

impl Reader<'_> {
    /// The next text; `None` behind the last.
    pub fn next(&mut self) -> Result<Option<Box<RawValue>>, CommandError> {
        let Some(length) = self.lengths.pop_front() else { return Ok(None) };
        let mut bytes = vec![0; length];
        self.fill(&mut bytes).map_err(refused)?;
        let text = String::from_utf8(bytes).map_err(|error| refused(Error::other(error)))?;
        RawValue::from_string(text).map(Some).map_err(|error| refused(Error::other(error)))
    }

    /// What overflowed came first; a text lies wholly in the file or wholly in memory.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        if let Some(file) = &mut self.file {
            match file.read_exact(bytes) {
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => self.file = None,
                done => return done,
            }
        }
        self.memory.read_exact(bytes)
    }
}

fn refused(source: Error) -> CommandError {
    let what = format!("a file for turns in `{}`", std::env::temp_dir().display());
    CommandError::Output { what, source }
}

/// A file that is gone when its owner is.
struct Overflow {
    path: PathBuf,
    writer: BufWriter<File>,
}

impl Overflow {
    fn create() -> Result<Overflow, Error> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ethogram-inspect-{}-{number}", std::process::id()));
        // Never through a link or into a file that somebody else has put there.
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        Ok(Overflow { path, writer: BufWriter::new(file) })
    }

    fn rewound(&mut self) -> Result<BufReader<&File>, Error> {
        self.writer.flush()?;
        let mut file = self.writer.get_ref();
        file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::new(file))
    }
}

impl Drop for Overflow {
    fn drop(&mut self) {
        // A file that is left behind harms nobody.
        let _ = std::fs::remove_file(&self.path);
    }
}
