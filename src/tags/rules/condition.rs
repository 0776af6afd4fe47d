//! What a rule asks of one segment or structured tool: conditions over fields of facts. Nothing is parsed again; every
//! pattern runs in time linear in the text.

use globset::GlobMatcher;
use regex::{Regex, RegexSet, SetMatches};

use super::unit::Unit;

/// What a condition may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Program after wrappers are seen through.
    Program,
    /// Subcommand; of a program that the shell's parser does not know the first argument that is no option.
    Subcommand,
    /// Name of the tool of the scaffold.
    Tool,
    /// A host that the command or tool addresses.
    Host,
    /// A file that the command or tool reads or edits, from the repository's root where that is known.
    Path,
    /// An argument behind the program.
    Argument,
    /// The text of the response.
    Text,
    /// What came back from the call.
    Observation,
}

impl Field {
    /// All fields, the cheapest first.
    pub const ALL: [Field; 8] = [
        Field::Program,
        Field::Subcommand,
        Field::Tool,
        Field::Host,
        Field::Path,
        Field::Argument,
        Field::Text,
        Field::Observation,
    ];

    /// The key in a file of rules.
    pub const fn as_str(self) -> &'static str {
        match self {
            Field::Program => "program",
            Field::Subcommand => "subcommand",
            Field::Tool => "tool",
            Field::Host => "host",
            Field::Path => "path",
            Field::Argument => "argument",
            Field::Text => "text",
            Field::Observation => "observation",
        }
    }

    /// It names a segment or a tool; a text alone says nothing of what was done.
    pub const fn names_action(self) -> bool {
        !matches!(self, Field::Text | Field::Observation)
    }
}

/// A condition.
#[derive(Debug)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    None(Vec<Condition>),
    /// One value of the field meets all tests.
    Value {
        field: Field,
        tests: Vec<Test>,
    },
}

/// A test of one value.
#[derive(Debug)]
pub(super) enum Test {
    OneOf(Vec<String>),
    Prefix(String),
    Suffix(String),
    Glob(GlobMatcher),
    Regex(Regex),
    /// The pattern of this number among all that look at `text` or `observation`: long texts are read once for all rules.
    Scan(usize),
}

/// All patterns that look at long texts.
#[derive(Debug, Default)]
pub(super) struct Sets {
    pub text: Option<RegexSet>,
    pub observation: Option<RegexSet>,
}

/// What the sets said of the text at hand.
pub(super) struct Scans<'r> {
    sets: &'r Sets,
    text: Option<(usize, SetMatches)>,
    observation: Option<((usize, usize), SetMatches)>,
}

impl<'r> Scans<'r> {
    pub(super) fn new(sets: &'r Sets) -> Scans<'r> {
        Scans { sets, text: None, observation: None }
    }

    fn holds(&mut self, pattern: usize, field: Field, unit: &Unit, value: &str) -> bool {
        let (turn, call) = (unit.place.turn, unit.place.call);
        let matches = match field {
            Field::Text => scanned(&mut self.text, self.sets.text.as_ref(), turn, value),
            _ => scanned(&mut self.observation, self.sets.observation.as_ref(), (turn, call), value),
        };
        matches.is_some_and(|matches| matches.matched(pattern))
    }
}

fn scanned<'s, P: PartialEq>(
    held: &'s mut Option<(P, SetMatches)>,
    set: Option<&RegexSet>,
    place: P,
    value: &str,
) -> Option<&'s SetMatches> {
    if held.as_ref().is_none_or(|(at, _)| *at != place) {
        *held = Some((place, set?.matches(value)));
    }
    held.as_ref().map(|(_, matches)| matches)
}

impl Condition {
    pub(super) fn holds(&self, unit: &Unit, scans: &mut Scans) -> bool {
        match self {
            Condition::All(all) => all.iter().all(|one| one.holds(unit, scans)),
            Condition::Any(any) => any.iter().any(|one| one.holds(unit, scans)),
            Condition::None(none) => !none.iter().any(|one| one.holds(unit, scans)),
            Condition::Value { field, tests } => unit.any(*field, |value| {
                tests.iter().all(|test| match test {
                    Test::Scan(pattern) => scans.holds(*pattern, *field, unit, value),
                    other => other.holds(value),
                })
            }),
        }
    }

    /// Each way to meet it names a segment or a tool.
    pub(super) fn names_action(&self) -> bool {
        match self {
            Condition::All(all) => all.iter().any(Condition::names_action),
            Condition::Any(any) => !any.is_empty() && any.iter().all(Condition::names_action),
            Condition::None(_) => false,
            Condition::Value { field, .. } => field.names_action(),
        }
    }

    /// Long texts are looked at last.
    pub(super) fn cost(&self) -> usize {
        match self {
            Condition::All(inner) | Condition::Any(inner) | Condition::None(inner) => {
                inner.iter().map(Condition::cost).max().unwrap_or_default()
            }
            Condition::Value { field, .. } => {
                Field::ALL.iter().position(|known| known == field).unwrap_or_default()
            }
        }
    }
}

impl Test {
    fn holds(&self, value: &str) -> bool {
        match self {
            Test::OneOf(words) => words.iter().any(|word| word == value),
            Test::Prefix(prefix) => value.starts_with(prefix.as_str()),
            Test::Suffix(suffix) => value.ends_with(suffix.as_str()),
            Test::Glob(glob) => glob.is_match(value),
            Test::Regex(regex) => regex.is_match(value),
            Test::Scan(_) => false,
        }
    }
}
