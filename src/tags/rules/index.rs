//! Which rules may hold of a segment at all: most ask for a program, a tool or a subcommand by name, so that a look-up
//! leaves a few of any number of rules. The others ask for a host or a path, which few segments have; what is left is tried
//! on every segment.

use std::collections::HashMap;

use super::condition::{Condition, Field, Test};
use super::unit::Unit;

/// Rules by what they cannot do without.
#[derive(Debug, Default)]
pub(super) struct Index {
    programs: HashMap<String, Vec<usize>>,
    subcommands: HashMap<String, Vec<usize>>,
    tools: HashMap<String, Vec<usize>>,
    hosts: Vec<usize>,
    paths: Vec<usize>,
    open: Vec<usize>,
}

/// Something without which a condition does not hold.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Program(String),
    Subcommand(String),
    Tool(String),
    Host,
    Path,
}

impl Key {
    fn rank(&self) -> usize {
        match self {
            Key::Program(_) | Key::Subcommand(_) | Key::Tool(_) => 0,
            Key::Host => 1,
            Key::Path => 2,
        }
    }
}

/// Keys of which one must be there; `None` where the condition may hold of anything.
fn keys(condition: &Condition) -> Option<Vec<Key>> {
    match condition {
        Condition::All(all) => all
            .iter()
            .filter_map(keys)
            .min_by_key(|keys| (keys.iter().map(Key::rank).max().unwrap_or_default(), keys.len())),
        Condition::Any(any) => {
            let each: Option<Vec<Vec<Key>>> = any.iter().map(keys).collect();
            each.map(|each| each.concat())
        }
        Condition::None(_) => None,
        Condition::Value { field, tests } => {
            let words = || {
                tests.iter().find_map(|test| match test {
                    Test::OneOf(words) => Some(words.clone()),
                    _ => None,
                })
            };
            let named = |key: fn(String) -> Key| Some(words()?.into_iter().map(key).collect());
            match field {
                Field::Program => named(Key::Program),
                Field::Subcommand => named(Key::Subcommand),
                Field::Tool => named(Key::Tool),
                Field::Host => Some(vec![Key::Host]),
                Field::Path => Some(vec![Key::Path]),
                Field::Argument | Field::Text | Field::Observation => None,
            }
        }
    }
}

impl Index {
    pub(super) fn of<'c>(conditions: impl Iterator<Item = &'c Condition>) -> Index {
        let mut index = Index::default();
        for (rule, condition) in conditions.enumerate() {
            match keys(condition) {
                None => index.open.push(rule),
                Some(keys) => keys.into_iter().for_each(|key| index.put(key, rule)),
            }
        }
        index
    }

    fn put(&mut self, key: Key, rule: usize) {
        let rules = match key {
            Key::Program(word) => self.programs.entry(word).or_default(),
            Key::Subcommand(word) => self.subcommands.entry(word).or_default(),
            Key::Tool(word) => self.tools.entry(word).or_default(),
            Key::Host => &mut self.hosts,
            Key::Path => &mut self.paths,
        };
        if rules.last() != Some(&rule) {
            rules.push(rule);
        }
    }

    /// Rules that may hold of a unit; one may come twice.
    pub(super) fn candidates<'i>(&'i self, unit: &Unit) -> impl Iterator<Item = usize> + 'i {
        let of = |map: &'i HashMap<String, Vec<usize>>, word: Option<&str>| {
            word.and_then(|word| map.get(word)).map(Vec::as_slice).unwrap_or_default()
        };
        let subcommand = if self.subcommands.is_empty() { None } else { unit.subcommand() };
        let hosts: &[usize] = if !self.hosts.is_empty() && unit.has_host() { &self.hosts } else { &[] };
        let paths: &[usize] = if !self.paths.is_empty() && unit.has_path() { &self.paths } else { &[] };
        let lists = [
            of(&self.programs, unit.program()),
            of(&self.subcommands, subcommand),
            of(&self.tools, Some(unit.tool())),
            hosts,
            paths,
            self.open.as_slice(),
        ];
        lists.into_iter().flatten().copied()
    }
}
