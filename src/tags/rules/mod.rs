//! User rules: tags without Rust. A rule of a file gives a turn one of our tags, with a code of its own, where a segment or
//! structured tool meets its conditions over `Facts` (`interface.md`, `tag --rules`; `definitions.md` §3).
//!
//! Owns   what a rule may say, its examples as its test, the version that is a digest of what it matches.
//! Never  parses a command, reads a file, or changes facts: edits, test runs and network attempts stay what they are, so
//!        that behaviours that rest on them do not move.

mod check;
mod condition;
mod index;
mod node;
mod patterns;
mod read;
mod unit;

use std::collections::BTreeMap;

use super::Tagged;
use super::row::Found;
use crate::facts::Facts;
use crate::model::{Tag, TagName, Trajectory};
use condition::{Condition, Scans, Sets};
use index::Index;

pub use condition::Field;
pub use node::{Entry, Node, NodeValue};
pub use read::{RuleFault, read};

/// Tags that a rule may give: those of single turns. Recoveries and loops are of whole runs, and have events of their own.
pub const RULE_TAGS: [TagName; 9] = TagName::PRIMARY;

/// What stands before the code in the name of a rule's behaviour.
pub const BEHAVIOUR_PREFIX: &str = "rule:";

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Stable code; it stands in the column `code` and names the behaviour `rule:CODE`.
    pub code: &'static str,
    /// Name in words.
    pub name: String,
    /// Why it is counted, and what it does not show.
    pub about: String,
    /// The tag with the code.
    pub tag: Tag,
    /// Digest of tag and conditions: names, words and examples change no row, so they change no version.
    pub version: i64,
    /// Examples as the file has them.
    pub examples: Vec<RuleExample>,
    /// Near misses.
    pub near_misses: Vec<RuleExample>,
    /// The file that it stands in, as given.
    pub file: String,
    /// Its conditions in a text that is equal where they are.
    pub conditions: String,
    when: Condition,
}

/// Turn lines of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleExample {
    /// Line of the file on which the text begins.
    pub line: usize,
    /// Turn lines.
    pub text: String,
}

/// All rules of some files, compiled into one matcher.
#[derive(Debug, Default)]
pub struct Rules {
    list: Vec<Rule>,
    index: Index,
    sets: Sets,
}

/// Rules are equal where they tag alike.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.versions() == other.versions()
    }
}

impl Rules {
    fn new(list: Vec<Rule>, sets: Sets) -> Rules {
        let index = Index::of(list.iter().map(|rule| &rule.when));
        Rules { list, index, sets }
    }

    /// The rules in the order of the files.
    pub fn list(&self) -> &[Rule] {
        &self.list
    }

    /// No rule.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Version of each rule by code.
    pub fn versions(&self) -> BTreeMap<String, i64> {
        self.list.iter().map(|rule| (rule.code.to_owned(), rule.version)).collect()
    }

    /// Puts the rows of all rules. Cost: a look-up a segment, and the few rules that it leaves; each response and
    /// observation is read once, and only where a rule has got so far.
    pub fn apply(&self, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
        tagged.rules.extend(self.list.iter().map(|rule| rule.code));
        if self.list.is_empty() {
            return;
        }
        let mut scans = Scans::new(&self.sets);
        for unit in unit::units(trajectory, facts) {
            for rule in self.index.candidates(&unit).filter_map(|rule| self.list.get(rule)) {
                if rule.when.holds(&unit, &mut scans) {
                    let found = Found::at(unit.place, unit.span);
                    tagged.put((rule.code, rule.version), rule.tag, found);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::condition::Test;
    use super::*;
    use crate::data::benchmarks::settle_benchmark;
    use crate::facts::{self, Context};
    use crate::model::turn_lines;
    use proptest::prelude::*;

    const RUN: &str = r"
        run cd src && git -C /a log --oneline | head -5 -> 0: abc
        run sudo timeout 5 ruff check --fix a.py -> 1: Found 1 error.
        edit src/a.py: x => y -> ok
        run curl -s https://api.example.com/v1 > out.json -> 0:
        view docs/a.md: 1-20 -> ok: # A
        run python -m pytest -q tests/test_a.py; rm out.json -> 0: 3 passed in 0.1s
        tool@tracker_search a -> ok: b
        say done
    ";

    fn words() -> impl Strategy<Value = String> {
        prop::sample::select(vec![
            "git",
            "log",
            "ruff",
            "check",
            "a.py",
            "src/a.py",
            "api.example.com",
            "edit",
            "view",
            "tracker_search",
            "pytest",
            "bash",
            "rm",
            "src/",
            "docs/",
            "-q",
        ])
        .prop_map(str::to_owned)
    }

    fn tests() -> impl Strategy<Value = Vec<Test>> {
        let test = prop_oneof![
            3 => prop::collection::vec(words(), 1..3).prop_map(Test::OneOf),
            1 => words().prop_map(Test::Prefix),
            1 => words().prop_map(Test::Suffix),
        ];
        prop::collection::vec(test, 1..3)
    }

    fn conditions() -> impl Strategy<Value = Condition> {
        let value = (prop::sample::select(Field::ALL.to_vec()), tests())
            .prop_map(|(field, tests)| Condition::Value { field, tests });
        value.prop_recursive(3, 12, 3, |inner| {
            let inner = prop::collection::vec(inner, 1..4);
            prop_oneof![
                inner.clone().prop_map(Condition::All),
                inner.clone().prop_map(Condition::Any),
                inner.prop_map(Condition::None),
            ]
        })
    }

    proptest! {
        /// The look-up leaves out no rule that holds: it agrees with trying every rule on every segment.
        #[test]
        fn the_index_loses_nothing(conditions in prop::collection::vec(conditions(), 1..6)) {
            let run = turn_lines::parse(RUN).unwrap().trajectory;
            let benchmark = settle_benchmark(None, &[]).benchmark;
            let facts = facts::compute(&run, &Context { benchmark, source_paths: Vec::new(), repository: None });
            let index = Index::of(conditions.iter());
            let sets = Sets::default();
            let mut scans = Scans::new(&sets);
            for unit in unit::units(&run, &facts) {
                let mut found: Vec<usize> =
                    index.candidates(&unit).filter(|rule| conditions[*rule].holds(&unit, &mut scans)).collect();
                found.sort_unstable();
                found.dedup();
                let every: Vec<usize> =
                    (0..conditions.len()).filter(|rule| conditions[*rule].holds(&unit, &mut scans)).collect();
                prop_assert_eq!(found, every, "{}", unit.described());
            }
        }
    }
}
