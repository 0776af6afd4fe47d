//! What the pipeline works on: a file, a member of an archive, a piece of a large file of rows, or all files of a folder
//! that is one trajectory. Memory holds a piece or a folder, never a large file of rows as a whole.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::ops::ControlFlow;

use super::arm_files::ArmFile;
use super::error::StepError;
use super::pipeline::Scratch;
use crate::formats::{self, Format};
use crate::model::{Problem, Weight};
use crate::sources::{self, Limits, SourceError, SourceKind};

/// Bytes from which a file is asked whether it is of rows, and is then read in pieces.
const LARGE: u64 = 24 << 20;
/// Bytes of a piece; one record is never parted.
const PIECE: usize = 4 << 20;
/// Bytes by which a large file is recognised.
const HEAD: usize = 1 << 20;

/// One thing to work on.
pub struct Item<'a> {
    /// The file as it lies on the disk: an archive for its members.
    pub file: &'a ArmFile,
    /// Path as given, joined with what lies below it.
    pub shown: String,
    /// Path below the arm's root.
    pub relative: String,
    /// Last change, UTC milliseconds.
    pub modified: Option<i64>,
    /// Its content.
    pub content: Content<'a>,
}

/// Where the bytes of an item are.
pub enum Content<'a> {
    /// In its file, which whoever works on it opens.
    Closed,
    /// Here: a member of an archive.
    Bytes(Vec<u8>),
    /// Some lines of a file of rows.
    Piece {
        /// The format of the rows.
        format: &'static Format,
        /// Whole lines.
        bytes: Vec<u8>,
        /// Lines that stand before them.
        lines_before: u64,
    },
    /// The files of a folder that is one trajectory.
    Folder {
        /// Its format.
        format: &'static Format,
        /// Its files by their path below the folder.
        parts: Vec<FolderPart<'a>>,
    },
}

/// One file of a folder that is one trajectory.
pub struct FolderPart<'a> {
    /// Path below the folder.
    pub path: String,
    /// The file, where it lies plainly.
    pub file: Option<&'a ArmFile>,
    /// The bytes, where it was a member of an archive.
    pub bytes: Vec<u8>,
}

impl<'a> FolderPart<'a> {
    /// The bytes, read where they were not.
    pub fn read(&self) -> Result<Cow<'_, [u8]>, SourceError> {
        match self.file {
            Some(file) => sources::read(&file.source, &Limits::default()).map(Cow::Owned),
            None => Ok(Cow::Borrowed(&self.bytes)),
        }
    }
}

/// Whether files are taken together: logs may be folders and rows, outcome files are files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Each file by itself; those that belong to a folder are left out.
    Files,
    /// Folders that are one trajectory are one item, large files of rows are several.
    Logs,
    /// Also, the files of a run that goes on in further files are one item.
    Runs,
}

/// Gives files, members of archives, folders and pieces to a pipeline, in order of path.
pub fn feed<'a>(
    files: impl Iterator<Item = &'a ArmFile>,
    grouping: Grouping,
    forced: Option<&'static Format>,
    problems: &mut Vec<Problem>,
    mut push: impl FnMut(Item<'a>, u64) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let files: Vec<&ArmFile> = files.collect();
    let mut folders = Folders::of(&files, forced, grouping);
    for file in files {
        match file.source.kind {
            SourceKind::Binary => {}
            SourceKind::Archive => feed_archive(file, grouping, forced, problems, &mut push)?,
            SourceKind::Plain | SourceKind::Compressed => match folders.take(file) {
                Member::Alone if grouping != Grouping::Files && may_be_large(file) => {
                    feed_large(file, forced, problems, &mut push)?;
                }
                Member::Alone => push(closed(file), file.source.size)?,
                Member::First(folder) if grouping != Grouping::Files => {
                    let bytes = folder.files.iter().map(|file| file.source.size).sum();
                    push(folder.item(), bytes)?;
                }
                Member::First(_) | Member::Further => {}
            },
        }
    }
    Ok(())
}

fn closed(file: &ArmFile) -> Item<'_> {
    Item {
        file,
        shown: file.shown.clone(),
        relative: file.relative.clone(),
        modified: file.source.modified,
        content: Content::Closed,
    }
}

/// Folders that are one trajectory, by the files of a walk.
struct Folders<'a> {
    by_root: BTreeMap<String, (&'static Format, Vec<&'a ArmFile>)>,
    /// The roots of files that do not stand alone.
    roots: BTreeMap<&'a str, String>,
}

struct Folder<'a> {
    format: &'static Format,
    root: String,
    files: Vec<&'a ArmFile>,
}

enum Member<'a> {
    /// A log of its own, or none.
    Alone,
    /// The first file of a folder.
    First(Folder<'a>),
    /// Another file of a folder that was given already.
    Further,
}

/// The folder that a path belongs to. A format that was named by the user turns the search off.
fn folder_of(path: &str, forced: Option<&'static Format>) -> Option<(&'static Format, String)> {
    let (format, root) = formats::recognise_folder(path)?;
    forced.is_none_or(|forced| forced.name == format.name).then(|| (format, root.to_owned()))
}

impl<'a> Folders<'a> {
    fn of(files: &[&'a ArmFile], forced: Option<&'static Format>, grouping: Grouping) -> Folders<'a> {
        let mut folders = Folders { by_root: BTreeMap::new(), roots: BTreeMap::new() };
        for file in files {
            if let Some((format, root)) = folder_of(&file.relative, forced) {
                folders.add(file, format, root);
            }
        }
        if grouping == Grouping::Runs {
            folders.add_parted(files, forced);
        }
        folders
    }

    fn add(&mut self, file: &'a ArmFile, format: &'static Format, root: String) {
        self.by_root.entry(root.clone()).or_insert((format, Vec::new())).1.push(file);
        self.roots.insert(&file.relative, root);
    }

    /// Files in which a run goes on, each behind the one in which it began.
    fn add_parted(&mut self, files: &[&'a ArmFile], forced: Option<&'static Format>) {
        let by_path: BTreeMap<&str, &ArmFile> =
            files.iter().map(|file| (file.relative.as_str(), *file)).collect();
        let mut further: Vec<(String, u64, &ArmFile, &'static Format)> = Vec::new();
        for file in files {
            let Some((format, begun, number)) = formats::continues(&file.relative) else { continue };
            let Some(first) = by_path.get(begun.as_str()) else { continue };
            let is_free = forced.is_none_or(|forced| forced.name == format.name)
                && !self.roots.contains_key(file.relative.as_str());
            if is_free && is_of(first, format) && is_of(file, format) {
                further.push((begun, number, file, format));
            }
        }
        further.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        for (begun, _, file, format) in further {
            if !self.by_root.contains_key(&begun)
                && let Some(first) = by_path.get(begun.as_str())
            {
                self.add(first, format, begun.clone());
            }
            self.add(file, format, begun);
        }
    }

    fn take(&mut self, file: &ArmFile) -> Member<'a> {
        let Some(root) = self.roots.get(file.relative.as_str()) else { return Member::Alone };
        match self.by_root.remove(root) {
            Some((format, files)) => Member::First(Folder { format, root: root.clone(), files }),
            None => Member::Further,
        }
    }
}

/// Whether a file is of a format by what it holds.
fn is_of(file: &ArmFile, format: &'static Format) -> bool {
    let head = sources::read_head(&file.source, HEAD).unwrap_or_default();
    formats::recognise(&head).is_some_and(|found| found.name == format.name)
}

impl<'a> Folder<'a> {
    fn item(self) -> Item<'a> {
        let first = self.files[0];
        let parts = self
            .files
            .iter()
            .map(|file| FolderPart {
                path: below(&file.relative, &self.root).to_owned(),
                file: Some(*file),
                bytes: Vec::new(),
            })
            .collect();
        let path_below = below(&first.relative, &self.root);
        let shown = first.shown.strip_suffix(path_below).unwrap_or(&first.shown);
        Item {
            file: first,
            shown: shown.trim_end_matches('/').to_owned(),
            relative: self.root,
            modified: self.files.iter().filter_map(|file| file.source.modified).max(),
            content: Content::Folder { format: self.format, parts },
        }
    }
}

/// What of a path lies below a folder.
fn below<'p>(path: &'p str, root: &str) -> &'p str {
    path.strip_prefix(root).unwrap_or(path).trim_start_matches('/')
}

/// The unpacked size of a compressed file is not known: logs pack to about a tenth.
fn may_be_large(file: &ArmFile) -> bool {
    let size = file.source.size;
    size >= LARGE || (file.source.kind == SourceKind::Compressed && size >= LARGE / 10)
}

/// A large file: in pieces where it is of rows, else as a whole.
fn feed_large<'a>(
    file: &'a ArmFile,
    forced: Option<&'static Format>,
    problems: &mut Vec<Problem>,
    push: &mut impl FnMut(Item<'a>, u64) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let head = sources::read_head(&file.source, HEAD).unwrap_or_default();
    let format = forced.or_else(|| formats::recognise(&head)).filter(|format| format.is_rows);
    let Some(format) = format else { return push(closed(file), file.source.size) };
    let stream = match sources::stream(&file.source) {
        Ok(stream) => stream,
        Err(error) => {
            problems.push(of_file(file, error.to_string()));
            return Ok(());
        }
    };
    let mut pieces = Pieces { stream, lines: 0, limit: Limits::default().member };
    loop {
        let lines_before = pieces.lines;
        let bytes = match pieces.next() {
            Ok(bytes) => bytes,
            Err(error) => {
                problems.push(of_file(file, format!("line {}: {error}", pieces.lines + 1)));
                return Ok(());
            }
        };
        if bytes.is_empty() {
            return Ok(());
        }
        let size = bytes.len() as u64;
        let content = Content::Piece { format, bytes, lines_before };
        push(Item { content, ..closed(file) }, size)?;
    }
}

fn of_file(file: &ArmFile, what: String) -> Problem {
    let mut problem = Problem::new(Weight::Refused, "", what);
    problem.file.clone_from(&file.shown);
    problem
}

/// Whole lines of a stream.
struct Pieces<S> {
    stream: S,
    /// Lines that were given.
    lines: u64,
    /// Bytes of the longest line.
    limit: u64,
}

impl<S: BufRead> Pieces<S> {
    /// The next lines; none at the end.
    fn next(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while bytes.len() < PIECE {
            let before = bytes.len();
            let mut limited = std::io::Read::take(&mut self.stream, self.limit);
            if limited.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            if (bytes.len() - before) as u64 >= self.limit {
                return Err(std::io::Error::other(format!("a line over the limit of {} bytes", self.limit)));
            }
            self.lines += 1;
        }
        Ok(bytes)
    }
}

/// Members that make folders: format, last change and parts by root.
type MemberFolders<'a> = BTreeMap<String, (&'static Format, Option<i64>, Vec<FolderPart<'a>>)>;

fn of_member(file: &ArmFile, relative: String, modified: Option<i64>, bytes: Vec<u8>) -> Item<'_> {
    let path = below(&relative, &file.relative);
    Item { file, shown: format!("{}/{path}", file.shown), relative, modified, content: Content::Bytes(bytes) }
}

/// Members in which a run goes on, joined to the one in which it began; the others stand alone.
fn join_parted<'a>(
    mut members: BTreeMap<String, (Option<i64>, Vec<u8>)>,
    forced: Option<&'static Format>,
    folders: &mut MemberFolders<'a>,
    mut push: impl FnMut(String, Option<i64>, Vec<u8>) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let is_of = |bytes: &[u8], format: &Format| {
        forced.is_none_or(|forced| forced.name == format.name)
            && formats::recognise(bytes).is_some_and(|found| found.name == format.name)
    };
    let mut further: Vec<(String, u64, String, &'static Format)> = Vec::new();
    for (path, (_, bytes)) in &members {
        let Some((format, begun, number)) = formats::continues(path) else { continue };
        if is_of(bytes, format) && members.get(&begun).is_some_and(|(_, first)| is_of(first, format)) {
            further.push((begun, number, path.clone(), format));
        }
    }
    further.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    for (begun, _, path, format) in further {
        let (_, latest, parts) = folders.entry(begun.clone()).or_insert((format, None, Vec::new()));
        for path in [begun, path] {
            let Some((modified, bytes)) = members.remove(&path) else { continue };
            *latest = (*latest).max(modified);
            let path = if parts.is_empty() { String::new() } else { path };
            parts.push(FolderPart { path, file: None, bytes });
        }
    }
    members.into_iter().try_for_each(|(path, (modified, bytes))| push(path, modified, bytes))
}

fn feed_archive<'a>(
    file: &'a ArmFile,
    grouping: Grouping,
    forced: Option<&'static Format>,
    problems: &mut Vec<Problem>,
    push: &mut impl FnMut(Item<'a>, u64) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let mut fault = None;
    let mut folders = MemberFolders::new();
    let mut parted: BTreeMap<String, (Option<i64>, Vec<u8>)> = BTreeMap::new();
    let found = sources::members(&file.source, &Limits::default(), |member| {
        let relative = format!("{}/{}", file.relative, member.path);
        if let Some((format, root)) = folder_of(&relative, forced) {
            if grouping != Grouping::Files {
                let path = below(&relative, &root).to_owned();
                let (_, modified, parts) = folders.entry(root).or_insert((format, None, Vec::new()));
                *modified = (*modified).max(member.modified);
                parts.push(FolderPart { path, file: None, bytes: member.bytes });
            }
            return ControlFlow::Continue(());
        }
        if grouping == Grouping::Runs && formats::may_be_parted(&relative, &member.bytes) {
            parted.insert(relative, (member.modified, member.bytes));
            return ControlFlow::Continue(());
        }
        let bytes = member.bytes.len() as u64;
        match push(of_member(file, relative, member.modified, member.bytes), bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    join_parted(parted, forced, &mut folders, |relative, modified, bytes| {
        let size = bytes.len() as u64;
        push(of_member(file, relative, modified, bytes), size)
    })?;
    // The files of a folder may lie anywhere in an archive: only its end tells that all are there.
    for (root, (format, modified, mut parts)) in folders {
        // Parts of a run are in order already: the first has no path below it.
        if parts.first().is_none_or(|part| !part.path.is_empty()) {
            parts.sort_by(|left, right| left.path.cmp(&right.path));
        }
        let bytes = parts.iter().map(|part| part.bytes.len() as u64).sum();
        let shown = format!("{}/{}", file.shown, below(&root, &file.relative));
        let content = Content::Folder { format, parts };
        push(Item { file, shown, relative: root, modified, content }, bytes)?;
    }
    let mut odd = match found {
        Ok(found) => found,
        Err(error) => vec![Problem::new(Weight::Refused, "", error.to_string())],
    };
    for problem in &mut odd {
        problem.file.clone_from(&file.shown);
    }
    // Both passes read an archive; what is odd in it is said once.
    let known: BTreeSet<Problem> = odd.iter().cloned().collect();
    problems.retain(|problem| !known.contains(problem));
    problems.extend(odd);
    Ok(())
}

/// The bytes of a file or member, in memory that is used again where they lie on the disk.
pub fn bytes<'b>(item: &'b Item, scratch: &'b mut Scratch) -> Result<&'b [u8], SourceError> {
    match &item.content {
        Content::Bytes(bytes) | Content::Piece { bytes, .. } => Ok(bytes),
        Content::Closed | Content::Folder { .. } => {
            sources::read_into(&item.file.source, &Limits::default(), scratch)?;
            Ok(scratch)
        }
    }
}
