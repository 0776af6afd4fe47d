//! Everything that was refused, cut, repaired or guessed: a row, never an abort.

/// How much a problem weighs (`interface.md`, exit codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A note about identity or an unknown field: free.
    Note,
    /// A record was repaired, or a byte-equal copy dropped: reported, no error.
    Repaired,
    /// A file, record or verdict was refused or lost: exit code 1.
    Refused,
}

impl Weight {
    /// The word in the store and in `left_out.csv`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Weight::Note => "note",
            Weight::Repaired => "repaired",
            Weight::Refused => "refused",
        }
    }
}

/// One thing that a reader met and says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, as given joined with what lies below it; readers leave it empty and their caller fills it in.
    pub file: String,
    /// `byte N`, `line N`, `record N`, `turn N`, `member NAME`, or empty for the whole file.
    pub place: String,
    /// What is odd, and what to do.
    pub what: String,
    /// How much it weighs.
    pub weight: Weight,
}

impl Problem {
    /// A problem of the file that is being read.
    pub fn new(weight: Weight, place: impl Into<String>, what: impl Into<String>) -> Self {
        Problem { file: String::new(), place: place.into(), what: what.into(), weight }
    }
}
