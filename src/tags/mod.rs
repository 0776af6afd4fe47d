//! Tag families: one file each turns the facts of one trajectory into tag rows (`definitions.md` §3, §6). A family
//! reads facts, never text that facts have parsed, and names its tags as constants, so that a misspelt tag does
//! not compile.

mod delegation;
mod editing;
mod execution;
mod exploration;
mod failing;
mod loops;
mod network;
mod planning;
mod recovery;
mod row;
pub mod rules;
mod setup;
mod source;
mod submission;
mod testing;
mod turn_facts;
mod turns;

use crate::facts::{Context, Facts};
use crate::model::{Tag, TagName, TagRow, Trajectory};

pub use failing::{TestFailure, test_failures};
pub use loops::{
    ALTERNATION_ROUNDS, DEGENERATE_LENGTH, DEGENERATE_PERIOD, DEGENERATE_TIMES, FAILED_EDIT_GAP,
    FAILED_EDITS, GROWING_EDITS, MONOLOGUE, READING_WINDOW, READINGS, REPEATS, SAME_FAILURES, UNPARSABLE,
};
pub use recovery::{COMMAND_WINDOW, EDIT_WINDOW, FORMAT_WINDOW};
pub use rules::{Rule, Rules};
pub use source::{Source, source};

/// Everything that families say of one trajectory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tagged {
    /// Tag rows, in order of turn.
    pub rows: Vec<TagRow>,
    /// Failing events and what came of them (recovery).
    pub events: Vec<Event>,
    /// Loops.
    pub loops: Vec<Loop>,
    /// One a turn: primary tag and the attributes that are no tag.
    pub turns: Vec<TurnFact>,
    /// Codes of the user rules that ran, whether or not they found something.
    pub rules: Vec<&'static str>,
}

/// What is known of a turn beside its tags (table `turn_facts`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnFact {
    /// Primary tag, for stacked charts and transitions only; `None` = untagged.
    pub primary: Option<TagName>,
    /// The same action as the model turn before (with a call).
    pub repeat_action: bool,
    /// The same observation as the model turn before (with a call).
    pub same_observation: bool,
    /// Waits for a process.
    pub poll: bool,
}

/// Kind of a failing event (`definitions.md` §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum EventKind {
    Format,
    Tool,
    Edit,
    Command,
    Test,
}

impl EventKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventKind::Format => "format",
            EventKind::Tool => "tool",
            EventKind::Edit => "edit",
            EventKind::Command => "command",
            EventKind::Test => "test",
        }
    }
}

/// What came of a failing event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Fate {
    Recovered,
    Repeated,
    GaveUp,
    MovedOn,
    Ended,
    /// A refusal that the log only counts: nobody knows where it lay.
    Unknown,
}

impl Fate {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Fate::Recovered => "recovered",
            Fate::Repeated => "repeated",
            Fate::GaveUp => "gave_up",
            Fate::MovedOn => "moved_on",
            Fate::Ended => "ended",
            Fate::Unknown => "unknown",
        }
    }
}

/// One failing event (table `events`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Kind.
    pub kind: EventKind,
    /// Turn; `None` for an unsaved refusal.
    pub turn: Option<usize>,
    /// For an unsaved refusal: the turn before which it lies, where the log tells.
    pub before_turn: Option<usize>,
    /// Call within the turn.
    pub call: Option<usize>,
    /// File, for edits.
    pub path: Option<String>,
    /// Program, for commands and tests.
    pub program: Option<String>,
    /// Turn that recovers.
    pub recovered_turn: Option<usize>,
    /// Code of the recovery (`R1` … `R5`).
    pub code: Option<&'static str>,
    /// For a `test` event: R4 and R5 are both possible; the turn of the pass of the same test (R5), where R4 came
    /// first.
    pub fixed_turn: Option<usize>,
    /// For a `test` event: `failed_test_seen` counts it (it follows an effective source edit).
    pub after_source_edit: bool,
    /// Fate.
    pub fate: Fate,
}

/// One loop (table `loops`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Code `L1` … `L10`.
    pub code: &'static str,
    /// First turn.
    pub first_turn: usize,
    /// Last turn.
    pub last_turn: usize,
    /// Rounds.
    pub rounds: i64,
    /// The turns of the loop, over all origins, ascending.
    pub turns: Vec<usize>,
    /// The harness broke it.
    pub broken_by_harness: bool,
}

/// An example that is a test: turn lines with the family's own tags marked (`model::turn_lines`).
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name; near misses begin with `near miss`.
    pub name: &'static str,
    /// Turn lines.
    pub log: &'static str,
}

/// One tag family.
pub struct Family {
    /// Name.
    pub name: &'static str,
    /// Bumped when any stored result may change.
    pub version: i64,
    /// Tags that it sets, with their meaning.
    pub tags: &'static [(Tag, &'static str)],
    /// Families that must have run before, since this one reads their rows.
    pub needs: &'static [&'static str],
    /// What is tagged, and what is not.
    pub what: &'static str,
    /// Why it is counted.
    pub why: &'static str,
    /// What it does not show.
    pub not_shown: &'static str,
    /// Sets the tags.
    pub apply: fn(&Context, &Trajectory, &Facts, &mut Tagged),
    /// Examples, near misses among them.
    pub examples: &'static [Example],
}

/// All families, sorted by name; `apply_all` runs them in this order.
pub const FAMILIES: &[&Family] = &[
    &delegation::FAMILY,
    &editing::FAMILY,
    &execution::FAMILY,
    &exploration::FAMILY,
    &loops::FAMILY,
    &network::FAMILY,
    &planning::FAMILY,
    &recovery::FAMILY,
    &setup::FAMILY,
    &submission::FAMILY,
    &testing::FAMILY,
];

/// The family of a name.
pub fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().copied().find(|family| family.name == name)
}

/// What all families say of one trajectory: rows in order of turn, call and segment, each once; and one `TurnFact` a turn.
pub fn apply_all(context: &Context, trajectory: &Trajectory, facts: &Facts) -> Tagged {
    apply_with(&Rules::default(), context, trajectory, facts)
}

/// The same with user rules: the turn bears their tags as it bears those of families.
pub fn apply_with(rules: &Rules, context: &Context, trajectory: &Trajectory, facts: &Facts) -> Tagged {
    let mut tagged = Tagged::default();
    for family in FAMILIES {
        (family.apply)(context, trajectory, facts, &mut tagged);
    }
    rules.apply(trajectory, facts, &mut tagged);
    // One command may edit several files in one way, or reach several hosts: one row.
    tagged.rows.sort_by_key(|row| (row.turn, row.call, row.segment, row.tag, row.span));
    tagged.rows.dedup_by_key(|row| (row.turn, row.call, row.segment, row.tag));
    tagged.turns = turn_facts::of(trajectory, facts, &tagged.rows);
    tagged
}
