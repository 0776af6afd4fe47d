//! `submissions.csv`: by which action a scaffold hands in (`definitions.md` §3, submission).

use super::csv::records;
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
    pub scaffold: String,
    /// Form.
    pub kind: SubmissionKind,
    /// The command, the text or the tool's name.
    pub action: String,
}

static SUBMISSIONS: LazyLock<Vec<Submission>> = LazyLock::new(|| {
    let rows = records(include_str!("submissions.csv")).into_iter().skip(1);
    rows.map(|row| {
        let [scaffold, kind, action, _note] = <[String; 4]>::try_from(row).expect("four columns");
        let kind = match kind.as_str() {
            "command" => SubmissionKind::Command,
            "marker" => SubmissionKind::Marker,
            "tool" => SubmissionKind::Tool,
            _ => unreachable!("each row names a form"),
        };
        Submission { scaffold, kind, action }
    })
    .collect()
});

/// The actions by which a scaffold hands in; none for a scaffold that has no such action.
pub fn submissions(scaffold: &str) -> impl Iterator<Item = &'static Submission> {
    SUBMISSIONS.iter().filter(move |submission| submission.scaffold == scaffold)
}
