//! `submissions.csv`: by which action a scaffold hands in (`definitions.md` §3, submission).

use super::rows::rows;
use std::sync::LazyLock;

/// Form of an action that hands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmissionKind {
    /// A word typed as a command.
    Command,
    /// A text that a command prints as its first line.
    Marker,
    /// A structured tool.
    Tool,
}

/// An action that hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Scaffold.
    pub scaffold: &'static str,
    /// Form.
    pub kind: SubmissionKind,
    /// The command, the text or the tool's name.
    pub action: &'static str,
}

static SUBMISSIONS: LazyLock<Vec<Submission>> = LazyLock::new(|| {
    rows(include_str!("submissions.csv"), 4)
        .map(|row| Submission {
            scaffold: row[0],
            kind: match row[1] {
                "command" => SubmissionKind::Command,
                "marker" => SubmissionKind::Marker,
                _ => SubmissionKind::Tool,
            },
            action: row[2],
        })
        .collect()
});

/// The actions by which a scaffold hands in; none for a scaffold that has no such action.
pub fn submissions(scaffold: &str) -> impl Iterator<Item = &'static Submission> {
    SUBMISSIONS.iter().filter(move |submission| submission.scaffold == scaffold)
}
