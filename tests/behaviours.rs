//! Behaviours: every example says what one run must show.

use std::collections::BTreeSet;

use ethogram::behaviours::{self, BEHAVIOURS, Behaviour, BehaviourKind, Evidence, Measured};
use ethogram::facts;
use ethogram::model::turn_lines;
use ethogram::tags::{self, Example};

use crate::support::context;

/// Behaviours of which an example is a size that turn lines cannot say, or that always apply.
const ALWAYS_APPLY: [BehaviourKind; 1] = [BehaviourKind::Size];

/// What the example's log shows of each behaviour.
fn counted(name: &str, example: &Example) -> (turn_lines::Example, Vec<(&'static Behaviour, Measured)>) {
    let lines = turn_lines::parse(example.log).unwrap_or_else(|error| panic!("{name}: {error}"));
    let context = context();
    let facts = facts::compute(&lines.trajectory, &context);
    let tagged = tags::apply_all(&context, &lines.trajectory, &facts);
    let evidence =
        Evidence { context: &context, trajectory: &lines.trajectory, facts: &facts, tagged: &tagged };
    let counted = behaviours::count(&evidence);
    (lines, counted)
}

fn shown(measured: Measured) -> String {
    format!("{}/{}", measured.num.map_or("?".to_owned(), |num| num.to_string()), measured.den)
}

fn check(behaviour: &Behaviour, example: &Example) -> Vec<String> {
    let name = format!("{} / {}", behaviour.code, example.name);
    let (lines, counted) = counted(&name, example);
    assert!(
        lines.run_marks.iter().any(|mark| mark.label == behaviour.code),
        "{name}: `#! run: {} …` is missing",
        behaviour.code
    );
    let differs = lines.run_marks.iter().filter_map(|mark| {
        let (_, measured) = counted
            .iter()
            .find(|(behaviour, _)| behaviour.code == mark.label)
            .unwrap_or_else(|| panic!("{name}: `{}` is no counted behaviour", mark.label));
        let got = shown(*measured);
        (got != mark.value).then(|| format!("{name}: {}: want {}, got {got}", mark.label, mark.value))
    });
    differs.collect()
}

#[test]
fn every_example_shows_what_it_says() {
    let found: Vec<String> = BEHAVIOURS
        .iter()
        .flat_map(|behaviour| behaviour.examples.iter().flat_map(|example| check(behaviour, example)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_wrong_number_is_caught() {
    let behaviour = behaviours::find("acted").unwrap();
    let wrong = Example { name: "wrong", log: "run ls -> 0: a\n#! run: acted 0/1\n" };
    assert_eq!(check(behaviour, &wrong), ["acted / wrong: acted: want 0/1, got 1/1"]);
}

/// Values of the behaviour in its own examples.
fn values(behaviour: &Behaviour) -> Vec<Measured> {
    let examples = behaviour.examples.iter().map(|example| counted(behaviour.code, example).1);
    examples
        .map(|counted| counted.into_iter().find(|(other, _)| other.code == behaviour.code).unwrap().1)
        .collect()
}

#[test]
fn every_counted_behaviour_has_examples_of_each_kind() {
    for behaviour in BEHAVIOURS.iter().filter(|behaviour| behaviour.count.is_some()) {
        let values = values(behaviour);
        let code = behaviour.code;
        let has = |test: fn(&Measured) -> bool| values.iter().any(test);
        let is_size = ALWAYS_APPLY.contains(&behaviour.kind);
        if is_size {
            assert!(has(|value| value.num.is_some_and(|num| num > 0)), "{code}: no example with a value");
            assert!(
                has(|value| value.num.is_none() || value.num == Some(0)),
                "{code}: no example without one"
            );
            continue;
        }
        assert!(has(|value| value.num == Some(0) && value.den > 0), "{code}: no example with num 0");
        assert!(has(|value| value.num.is_some_and(|num| num > 0)), "{code}: no example with num > 0");
        let applies_by_condition = behaviour.kind == BehaviourKind::Rate || is_conditional(code);
        assert_eq!(has(|value| value.den == 0), applies_by_condition, "{code}: example with den 0");
    }
}

/// Shares that do not apply to every run (`definitions.md` §5, the column num / den).
fn is_conditional(code: &str) -> bool {
    let conditional = [
        "abnormal_end",
        "empty_patch",
        "explicit_submission",
        "fixed_after_failed_test",
        "reedit_given_failure",
        "test_after_edit",
        "verified_submission",
    ];
    conditional.contains(&code)
}

#[test]
fn codes_are_unique_and_twins_exist() {
    let codes: BTreeSet<&str> = BEHAVIOURS.iter().map(|behaviour| behaviour.code).collect();
    assert_eq!(codes.len(), BEHAVIOURS.len());
    for behaviour in BEHAVIOURS {
        assert!(!behaviour.meaning.is_empty() && !behaviour.name.is_empty());
        assert!(behaviour.twin_of.is_none_or(|twin| codes.contains(twin)), "{}", behaviour.code);
        assert!(behaviour.count.is_some() || behaviour.examples.is_empty(), "{}", behaviour.code);
    }
}
