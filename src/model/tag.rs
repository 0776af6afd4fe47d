//! Tags: what a turn bears, and why (`definitions.md` §3).

/// Name of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TagName {
    /// Reads or searches and changes nothing.
    Exploration,
    /// Changes a file of the workspace.
    Editing,
    /// Runs something to learn whether behaviour is right.
    Testing,
    /// Runs code that is none of the other.
    Execution,
    /// Installs or configures the environment.
    Setup,
    /// Hands the work in.
    Submission,
    /// Recovers from a failing event (R1–R5).
    Recovery,
    /// Part of a loop (L1–L10).
    Loop,
    /// Tries to reach a host beyond this machine.
    Network,
    /// States a plan without acting.
    Planning,
    /// Starts a sub-agent or hands over.
    Delegation,
}

impl TagName {
    /// All names.
    pub const ALL: [TagName; 11] = [
        TagName::Exploration,
        TagName::Editing,
        TagName::Testing,
        TagName::Execution,
        TagName::Setup,
        TagName::Submission,
        TagName::Recovery,
        TagName::Loop,
        TagName::Network,
        TagName::Planning,
        TagName::Delegation,
    ];

    /// Order of the primary tag: the first that a turn bears (`definitions.md` §3). Recovery and loop are never
    /// primary.
    pub const PRIMARY: [TagName; 9] = [
        TagName::Submission,
        TagName::Editing,
        TagName::Testing,
        TagName::Delegation,
        TagName::Execution,
        TagName::Setup,
        TagName::Exploration,
        TagName::Network,
        TagName::Planning,
    ];

    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            TagName::Exploration => "exploration",
            TagName::Editing => "editing",
            TagName::Testing => "testing",
            TagName::Execution => "execution",
            TagName::Setup => "setup",
            TagName::Submission => "submission",
            TagName::Recovery => "recovery",
            TagName::Loop => "loop",
            TagName::Network => "network",
            TagName::Planning => "planning",
            TagName::Delegation => "delegation",
        }
    }

    /// The value of a word; `None` for a word that is none.
    pub fn parse(word: &str) -> Option<TagName> {
        TagName::ALL.into_iter().find(|name| name.as_str() == word)
    }
}

/// A tag constant of a family: name and, where it has one, kind (`testing/suite`) or code (`loop/L1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    /// Name.
    pub name: TagName,
    /// Kind of the definition (`suite`, `read`, `history` …).
    pub kind: Option<&'static str>,
    /// Stable code (`R4`, `L1`).
    pub code: Option<&'static str>,
}

impl Tag {
    /// A tag without a kind.
    pub const fn plain(name: TagName) -> Tag {
        Tag { name, kind: None, code: None }
    }

    /// A tag of a kind.
    pub const fn kind(name: TagName, kind: &'static str) -> Tag {
        Tag { name, kind: Some(kind), code: None }
    }

    /// A tag with a code.
    pub const fn code(name: TagName, code: &'static str) -> Tag {
        Tag { name, kind: None, code: Some(code) }
    }

    /// `testing/suite`, `loop/L1`, `planning`: the text in turn lines, lists and pages.
    pub fn label(self) -> String {
        match self.kind.or(self.code) {
            Some(detail) => format!("{}/{detail}", self.name.as_str()),
            None => self.name.as_str().to_owned(),
        }
    }
}

/// The text that a span of evidence points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// What the model wrote (`turn_text.text`).
    Text,
    /// A call's input (`call_text.input`).
    Input,
    /// A call's observation (`call_text.observation`).
    Observation,
}

impl Field {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Field::Text => "text",
            Field::Input => "input",
            Field::Observation => "observation",
        }
    }
}

/// Why a turn bears a tag. `n` of the table is the position among the rows of one turn and tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagRow {
    /// Turn, over all origins.
    pub turn: usize,
    /// Call within the turn; `None` for a tag of the response itself.
    pub call: Option<usize>,
    /// Segment within the call; `None` for a tool that is no shell.
    pub segment: Option<usize>,
    /// The tag.
    pub tag: Tag,
    /// Family that set it.
    pub rule: &'static str,
    /// Version of the family.
    pub rule_version: i64,
    /// Text that the span points into.
    pub field: Field,
    /// Bytes of evidence within that field, from and to; `None` for the whole.
    pub span: Option<(usize, usize)>,
}
