//! From a tag row back to the facts it stems from: the attributes of `definitions.md` §3 that `inspect` prints and labels
//! are compared with.

use crate::facts::{EditFact, Facts, NetworkFact, Place, SegmentFact, TestRunFact};
use crate::model::{TagName, TagRow};

/// What stands behind one row. One editing row stands for all edits of its kind by one command.
#[derive(Clone, Debug, Default)]
pub struct Source<'a> {
    /// The segment; `None` for a structured tool or a tag of the turn.
    pub segment: Option<&'a SegmentFact>,
    /// Edits of an `editing` row.
    pub edits: Vec<&'a EditFact>,
    /// The test run of a `testing` row.
    pub test_run: Option<&'a TestRunFact>,
    /// Attempts of a `network` row.
    pub network: Vec<&'a NetworkFact>,
    /// The harness took the submission; `None` for a first confirmation, or where the log does not say.
    pub accepted: Option<bool>,
}

/// What stands behind a row.
pub fn source<'a>(facts: &'a Facts, row: &TagRow) -> Source<'a> {
    let Some(call) = row.call else { return Source::default() };
    let place = Place { turn: row.turn, call, segment: row.segment };
    let kind = row.tag.kind;
    let mut source =
        Source { segment: at(&facts.segments, place, |segment| segment.place).first(), ..Source::default() };
    match row.tag.name {
        TagName::Editing => {
            let edits = at(&facts.edits, place, |edit| edit.place).iter();
            source.edits = edits.filter(|edit| kind == Some(edit.kind.as_str())).collect();
        }
        TagName::Testing => source.test_run = at(&facts.test_runs, place, |run| run.place).first(),
        TagName::Network => {
            let network = at(&facts.network, place, |fact| fact.place).iter();
            source.network = network.filter(|fact| fact.attempt).collect();
        }
        TagName::Submission => {
            source.accepted = match kind {
                Some("accepted") => Some(true),
                Some("rejected") => Some(false),
                _ => None,
            };
        }
        _ => {}
    }
    source
}

/// The rows of one place; the lists of facts are in order of place.
pub(super) fn at<T>(list: &[T], place: Place, of: impl Fn(&T) -> Place) -> &[T] {
    let from = list.partition_point(|item| of(item) < place);
    let to = from + list[from..].partition_point(|item| of(item) == place);
    &list[from..to]
}
