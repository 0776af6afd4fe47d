//! What a reader is given: the bytes of a file, of a run of lines of it, or of all files that make one trajectory.

/// One file of an input.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Path below the folder that is one trajectory, with `/`; empty where the input is one file.
    pub path: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What a reader is given.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The files, by path; one where the format is of files.
    pub parts: &'a [Part<'a>],
    /// Lines of the file that stand before these bytes: large JSON Lines are read in pieces.
    pub lines_before: u64,
}

impl<'a> Input<'a> {
    /// The bytes of the only file.
    pub fn bytes(&self) -> &'a [u8] {
        self.parts.first().map_or(&[], |part| part.bytes)
    }

    /// The file of this path.
    pub fn part(&self, path: &str) -> Option<&'a [u8]> {
        self.parts.iter().find(|part| part.path == path).map(|part| part.bytes)
    }
}
