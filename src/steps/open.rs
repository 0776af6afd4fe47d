//! Opens what the pipeline works on: its bytes, what they are, and what a reader makes of them. A reader that fails costs
//! its file, never the others.

use std::borrow::Cow;

use super::arm_files::ArmFile;
use super::items::{self, Content, FolderPart, Item};
use super::pipeline::Scratch;
use super::read_arm::{ReadLog, Seen};
use super::study::{Reading, Study};
use crate::formats::{self, Format, Input, Part, Read};
use crate::model::{Problem, Weight};
use crate::outcomes::{self, OutcomeFile};
use crate::sources;
use crate::store::InputPart;

/// What becomes of one file.
pub(super) enum Opened {
    /// A log: what was read of it.
    Log { seen: Seen, logs: Vec<ReadLog>, problems: Vec<Problem> },
    /// An outcome file.
    Outcome { seen: Seen, file: OutcomeFile },
    /// Nobody claims it.
    Unclaimed { seen: Seen, problem: Option<Problem> },
    /// It could not be opened.
    Refused { seen: Seen, problem: Problem },
}

fn seen_of(item: &Item) -> Seen {
    Seen {
        shown: item.shown.clone(),
        relative: item.relative.clone(),
        read_as: None,
        bytes: item.file.source.size,
        modified: item.modified,
        digest: None,
        may_be_log: item.file.may_be_log,
        parts: parts(&item.content),
    }
}

/// The files on the disk that a folder is made of.
fn parts(content: &Content) -> Vec<InputPart> {
    let Content::Folder { parts, .. } = content else { return Vec::new() };
    let part = |file: &ArmFile| InputPart {
        path: file.shown.clone(),
        bytes: file.source.size,
        modified_ms: file.source.modified,
    };
    parts.iter().filter_map(|found| found.file.map(part)).collect()
}

fn refused(seen: Seen, what: String) -> Opened {
    let mut problem = Problem::new(Weight::Refused, "", what);
    problem.file.clone_from(&seen.shown);
    Opened::Refused { seen, problem }
}

/// Pass one: a file is read whole only where its head is that of an outcome file.
pub(super) fn open_outcome(item: &Item, scratch: &mut Scratch) -> Opened {
    let mut seen = seen_of(item);
    if matches!(item.content, Content::Closed) && item.file.source.size > outcomes::HEAD_BYTES as u64 {
        match sources::read_head(&item.file.source, outcomes::HEAD_BYTES) {
            Ok(head) if outcomes::recognise(&item.relative, &head).is_none() => {
                return Opened::Unclaimed { seen, problem: None };
            }
            Ok(_) => {}
            Err(error) => return refused(seen, error.to_string()),
        }
    }
    let bytes = match items::bytes(item, scratch) {
        Ok(bytes) => bytes,
        Err(error) => return refused(seen, error.to_string()),
    };
    seen.bytes = bytes.len() as u64;
    let read = guarded(|| {
        let shape = outcomes::recognise(&item.relative, bytes)?;
        // Rows of rollouts name an instance and a reward, as lists of outcomes do: with a log in them they are logs.
        if item.file.may_be_log && formats::recognise(bytes).is_some() {
            return None;
        }
        Some((shape.name, (shape.read)(&item.relative, bytes)))
    });
    match read {
        Ok(Some((name, file))) => {
            seen.read_as = Some(name);
            seen.digest = Some(blake3::hash(bytes));
            Opened::Outcome { seen, file }
        }
        Ok(None) => Opened::Unclaimed { seen, problem: None },
        Err(what) => refused(seen, what),
    }
}

/// A reader must not fail on input; where one does, the file is refused and the others go on.
fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read))
        .map_err(|_| "the reader failed on it: a bug; please report it with this file".to_owned())
}

/// Pass two.
pub(super) fn open_log(item: &Item, study: &Study, scratch: &mut Scratch) -> Opened {
    let mut seen = seen_of(item);
    if let Content::Folder { format, parts } = &item.content {
        return open_folder(seen, format, parts);
    }
    let bytes = match items::bytes(item, scratch) {
        Ok(bytes) => bytes,
        Err(error) => return refused(seen, error.to_string()),
    };
    seen.bytes = bytes.len() as u64;
    let (piece, lines_before) = match item.content {
        Content::Piece { format, lines_before, .. } => (Some(format), lines_before),
        _ => (None, 0),
    };
    let relative = &item.relative;
    let read = guarded(|| {
        let format = piece.or_else(|| format_of(&study.reading, bytes))?;
        let parts = [Part { path: "", bytes }];
        let digest = blake3::hash(bytes);
        let mut read = study.reading.read(format, &Input { parts: &parts, lines_before });
        if study.is_strict {
            read.problems.extend(formats::breaches(format, bytes));
        }
        Some((format, digest, read))
    });
    match read {
        Ok(Some((format, digest, read))) => {
            seen.read_as = Some(format.name);
            seen.digest = Some(digest);
            let lines = format.is_rows.then(|| Lines::of(bytes, lines_before));
            let content = |place: &str| {
                lines
                    .as_ref()
                    .and_then(|lines| lines.digest(place))
                    .unwrap_or_else(|| content(&digest, place))
            };
            opened(seen, read, relative, content)
        }
        Ok(None) => {
            let problem = formats::refusal(relative, bytes).map(|mut problem| {
                problem.file.clone_from(&seen.shown);
                problem
            });
            Opened::Unclaimed { seen, problem }
        }
        Err(what) => refused(seen, what),
    }
}

/// The format by which a file is read. A map serves files that hold rows; other files beside them are what they are.
fn format_of(reading: &Reading, bytes: &[u8]) -> Option<&'static Format> {
    match reading {
        Reading::Map(map) if !map.serves(bytes) => formats::recognise(bytes),
        reading => reading.forced().or_else(|| formats::recognise(bytes)),
    }
}

fn open_folder(mut seen: Seen, format: &'static Format, parts: &[FolderPart]) -> Opened {
    let mut files: Vec<(&str, Cow<[u8]>)> = Vec::new();
    for part in parts {
        match part.read() {
            Ok(bytes) => files.push((&part.path, bytes)),
            Err(error) => return refused(seen, error.to_string()),
        }
    }
    let mut hasher = blake3::Hasher::new();
    for (path, bytes) in &files {
        hasher.update(path.as_bytes()).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    let digest = hasher.finalize();
    seen.bytes = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    seen.digest = Some(digest);
    let parts: Vec<Part> = files.iter().map(|(path, bytes)| Part { path, bytes }).collect();
    let read = match guarded(|| formats::read(format, &Input { parts: &parts, lines_before: 0 })) {
        Ok(read) => read,
        Err(what) => return refused(seen, what),
    };
    // A path alone proves nothing: files that only lie as those of a log would are nobody's.
    if read.trajectories.is_empty() {
        return Opened::Unclaimed { seen, problem: None };
    }
    seen.read_as = Some(format.name);
    let relative = seen.relative.clone();
    opened(seen, read, &relative, |place| content(&digest, place))
}

fn opened(seen: Seen, read: Read, relative: &str, content: impl Fn(&str) -> blake3::Hash) -> Opened {
    let mut problems = read.problems;
    problems.extend(read.unknown_keys.0.iter().map(|((level, key), count)| {
        Problem::new(
            Weight::Note,
            "",
            format!("the {} key `{key}` is not known to this reader ({count} times)", level.as_str()),
        )
    }));
    problems.extend(read.masked.iter().map(|(kind, count)| {
        Problem::new(Weight::Note, "", format!("{count} secrets of kind {kind} were masked"))
    }));
    for problem in &mut problems {
        problem.file.clone_from(&seen.shown);
    }
    let logs = read
        .trajectories
        .into_iter()
        .enumerate()
        .map(|(ordinal, trajectory)| ReadLog {
            shown: seen.shown.clone(),
            relative: relative.to_owned(),
            ordinal,
            content: content(&trajectory.place),
            trajectory,
        })
        .collect();
    Opened::Log { seen, logs, problems }
}

/// The lines of a file of rows: a row's content is its line, wherever the file was parted.
struct Lines<'b> {
    lines: Vec<&'b [u8]>,
    before: u64,
}

impl<'b> Lines<'b> {
    fn of(bytes: &'b [u8], before: u64) -> Lines<'b> {
        Lines { lines: bytes.split(|byte| *byte == b'\n').collect(), before }
    }

    /// The digest of the line that a place names.
    fn digest(&self, place: &str) -> Option<blake3::Hash> {
        let line: u64 = place.strip_prefix("line ")?.parse().ok()?;
        let index = usize::try_from(line.checked_sub(self.before)?.checked_sub(1)?).ok()?;
        self.lines.get(index).map(|line| blake3::hash(line))
    }
}

fn content(file: &blake3::Hash, place: &str) -> blake3::Hash {
    if place.is_empty() {
        return *file;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(file.as_bytes()).update(place.as_bytes());
    hasher.finalize()
}
