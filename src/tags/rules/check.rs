//! A rule's examples are its test: each turn that is marked must bear the tag, every other must not. A failing one refuses
//! the file, with the line, what was expected and what came.

use std::collections::BTreeSet;

use super::read::Fault;
use super::unit::units;
use super::{Rule, RuleExample, Rules};
use crate::data::benchmarks::settle_benchmark;
use crate::facts::{self, Context, Facts};
use crate::model::{TagRow, turn_lines};
use crate::tags::Tagged;

/// Runs the examples and near misses of a rule.
pub(super) fn examples(rules: &Rules, rule: &Rule) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut marked = 0;
    for example in &rule.examples {
        marked += check(rules, rule, example, false, &mut faults);
    }
    if marked == 0 && faults.is_empty() {
        let line = rule.examples.first().map_or(1, |example| example.line);
        faults.push((line, format!("no example marks a turn with `#! {}`", rule.tag.label())));
    }
    for example in &rule.near_misses {
        check(rules, rule, example, true, &mut faults);
    }
    faults
}

/// Checks one text; the number of marks.
fn check(rules: &Rules, rule: &Rule, example: &RuleExample, is_miss: bool, faults: &mut Vec<Fault>) -> usize {
    let lines = match turn_lines::parse(&example.text) {
        Ok(lines) => lines,
        Err(error) => {
            faults.push((line_of(example, error.line), format!("no turn line: {}", error.what)));
            return 0;
        }
    };
    if lines.trajectory.turns.is_empty() {
        faults.push((example.line, "it holds no turn".to_owned()));
    }
    let label = rule.tag.label();
    let line = |turn: usize| line_of(example, lines.lines.get(turn).copied().unwrap_or(1));
    for mark in &lines.marks {
        if mark.label != label || mark.value.is_some() {
            faults.push((
                line(mark.turn),
                format!("the mark `{}` is not that of this rule: `{label}`", mark.label),
            ));
        } else if is_miss {
            faults.push((
                line(mark.turn),
                "a near miss bears no mark; examples stand in `examples`".to_owned(),
            ));
        }
    }
    let context = Context {
        benchmark: settle_benchmark(None, &[]).benchmark,
        source_paths: Vec::new(),
        repository: None,
    };
    let facts = facts::compute(&lines.trajectory, &context);
    let mut tagged = Tagged::default();
    rules.apply(&lines.trajectory, &facts, &mut tagged);
    let rows: Vec<&TagRow> = tagged.rows.iter().filter(|row| row.tag == rule.tag).collect();
    for turn in 0..lines.trajectory.turns.len() {
        let calls: BTreeSet<Option<usize>> =
            lines.marks.iter().filter(|mark| mark.turn == turn).map(|mark| mark.call).collect();
        let got: BTreeSet<Option<usize>> =
            rows.iter().filter(|row| row.turn == turn).map(|row| row.call).collect();
        let seen = || described(&lines.trajectory, &facts, turn);
        if calls.is_empty() && !got.is_empty() {
            faults.push((line(turn), format!("`{label}` is not expected and came; the turn is {}", seen())));
        }
        // A mark of a further call asks for that call.
        let met = |call: &Option<usize>| if call.is_some() { got.contains(call) } else { !got.is_empty() };
        if !calls.iter().all(met) {
            faults.push((
                line(turn),
                format!("`{label}` is expected and did not come; the turn is {}", seen()),
            ));
        }
    }
    lines.marks.len()
}

fn line_of(example: &RuleExample, line: usize) -> usize {
    example.line + line.saturating_sub(1)
}

/// What the parser made of a turn.
fn described(trajectory: &crate::model::Trajectory, facts: &Facts, turn: usize) -> String {
    let units: Vec<String> = units(trajectory, facts)
        .filter(|unit| unit.place.turn == turn)
        .map(|unit| unit.described())
        .collect();
    if units.is_empty() { "no command and no tool".to_owned() } else { units.join("; ") }
}
