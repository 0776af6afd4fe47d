//! One loop over `FAMILIES`: every example is a test, every tag has a positive and the family a near miss.

use std::collections::BTreeSet;

use ethogram::model::TagRow;
use ethogram::model::turn_lines::{self, Example as Lines};
use ethogram::tags::{Example, FAMILIES, Family};

use super::tagged;

fn label(row: &TagRow) -> String {
    row.tag.label()
}

/// Labels of the family's own tags that a turn must bear, or one of its calls.
fn wanted(lines: &Lines, turn: usize, call: Option<usize>) -> BTreeSet<String> {
    let marks = lines.marks.iter().filter(|mark| mark.turn == turn && mark.call == call);
    marks.map(|mark| mark.label.clone()).collect()
}

fn check(family: &Family, example: &Example) -> Vec<String> {
    let name = format!("{} / {}", family.name, example.name);
    let lines = turn_lines::parse(example.log).unwrap_or_else(|error| panic!("{name}: {error}"));
    let own: BTreeSet<String> = family.tags.iter().map(|(tag, _)| tag.label()).collect();
    for mark in &lines.marks {
        assert!(own.contains(&mark.label), "{name}: `{}` is no tag of this family", mark.label);
    }
    let (_, tagged) = tagged(&lines.trajectory);
    let rows = || tagged.rows.iter().filter(|row| row.rule == family.name);
    let mut found = Vec::new();
    for turn in 0..lines.trajectory.turns.len() {
        let marked = lines.marks.iter().filter(|mark| mark.turn == turn).map(|mark| mark.label.clone());
        let wanted_here: BTreeSet<String> = marked.collect();
        let got: BTreeSet<String> = rows().filter(|row| row.turn == turn).map(label).collect();
        if got != wanted_here {
            found.push(format!("{name}: turn {turn}: want {wanted_here:?}, got {got:?}"));
        }
        for call in 1..lines.trajectory.turns[turn].calls.len() {
            let wanted = wanted(&lines, turn, Some(call));
            let at = |row: &&TagRow| row.turn == turn && row.call == Some(call);
            let got: BTreeSet<String> = rows().filter(at).map(label).collect();
            if !wanted.is_subset(&got) {
                found.push(format!("{name}: turn {turn}, call {call}: want {wanted:?}, got {got:?}"));
            }
        }
    }
    found
}

#[test]
fn every_example_is_tagged_as_marked() {
    let found: Vec<String> = FAMILIES
        .iter()
        .flat_map(|family| family.examples.iter().flat_map(|example| check(family, example)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A mark that is wrong must make the loop above fail: an example turned round is caught.
#[test]
fn a_wrong_mark_is_caught() {
    let family = ethogram::tags::find("exploration").unwrap();
    let wrong = Example { name: "wrong", log: "run cat a.py -> 0: x   #! exploration/search\n" };
    assert_eq!(check(family, &wrong).len(), 1);
    let missed = Example { name: "missed", log: "run cat a.py -> 0: x\n" };
    assert_eq!(check(family, &missed).len(), 1);
}

fn marks(family: &Family) -> BTreeSet<String> {
    let lines = family.examples.iter().map(|example| turn_lines::parse(example.log).unwrap());
    lines.flat_map(|lines| lines.marks).map(|mark| mark.label).collect()
}

#[test]
fn every_tag_has_an_example_and_every_family_a_near_miss() {
    for family in FAMILIES {
        let marked = marks(family);
        for (tag, meaning) in family.tags {
            assert!(!meaning.is_empty(), "{} has no meaning", tag.label());
            assert!(marked.contains(&tag.label()), "{}: no example marks {}", family.name, tag.label());
        }
        let misses = || family.examples.iter().filter(|example| example.name.starts_with("near miss"));
        assert!(misses().next().is_some(), "{}: no near miss", family.name);
        for miss in misses() {
            let lines = turn_lines::parse(miss.log).unwrap();
            let stays_bare = lines.marks.is_empty();
            assert!(stays_bare, "{} / {}: a near miss bears none of its tags", family.name, miss.name);
        }
    }
}

#[test]
fn every_code_has_a_positive_and_a_near_miss_of_its_own() {
    for family in FAMILIES {
        for code in family.tags.iter().filter_map(|(tag, _)| tag.code) {
            let names = |miss: bool| {
                family.examples.iter().any(move |example| {
                    let words = example.name.split(':').next().unwrap_or_default();
                    words.starts_with("near miss") == miss && words.split([' ', ',']).any(|word| word == code)
                })
            };
            assert!(names(false), "{code}: no positive example");
            assert!(names(true), "{code}: no near miss");
        }
    }
}

#[test]
fn families_are_sorted_named_once_and_explained() {
    let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
    let mut tags = BTreeSet::new();
    for (place, family) in FAMILIES.iter().enumerate() {
        assert!(family.version >= 1);
        for (part, text) in [("what", family.what), ("why", family.why), ("not_shown", family.not_shown)] {
            assert!(text.ends_with('.'), "{}: `{part}` is no sentence", family.name);
        }
        for need in family.needs {
            assert!(names[..place].contains(need), "{} needs {need}, which runs later", family.name);
        }
        for (tag, _) in family.tags {
            assert!(tags.insert(tag.label()), "{} is set by two families", tag.label());
        }
        let examples: BTreeSet<&str> = family.examples.iter().map(|example| example.name).collect();
        assert_eq!(examples.len(), family.examples.len(), "{}: two examples of one name", family.name);
    }
}
