//! `trajectories-dev.jsonl`: whole runs: edits, tests, behaviours, recoveries, loops.

use std::collections::{BTreeMap, BTreeSet};

use ethogram::behaviours::{self, Evidence};
use ethogram::facts::{EditKind, EditTarget, Facts, TestOutcome};
use ethogram::model::Trajectory;
use ethogram::tags::Tagged;
use serde_json::{Value, json};

use super::archives;
use crate::support::context;
use crate::tags::tagged;

/// Fields of a label that are behaviours, by the same code.
const BEHAVIOURS: [&str; 10] = [
    "autonomous_edit",
    "active_testing",
    "failed_test_seen",
    "reedit_after_failed_test",
    "fixed_after_failed_test",
    "test_after_edit",
    "verified_submission",
    "explicit_submission",
    "own_test_written",
    "loop",
];

/// One behaviour as labels write it: not applicable is false, as readers wrote it.
fn behaviour(code: &str, trajectory: &Trajectory, facts: &Facts, tagged: &Tagged) -> Value {
    let context = context();
    let evidence = Evidence { context: &context, trajectory, facts, tagged };
    let measured = (behaviours::find(code).unwrap().count.unwrap())(&evidence);
    json!(measured.num.is_some_and(|num| num > 0))
}

fn tests(facts: &Facts) -> Value {
    let order =
        [TestOutcome::Fail, TestOutcome::Error, TestOutcome::NotRun, TestOutcome::Unknown, TestOutcome::Pass];
    let rank = |outcome| order.iter().position(|other| *other == outcome).unwrap();
    let mut worst = BTreeMap::new();
    for run in &facts.test_runs {
        let held = worst.entry(run.place.turn).or_insert(run);
        if rank(run.outcome) < rank(held.outcome) {
            *held = run;
        }
    }
    worst.into_iter().map(|(turn, run)| json!([turn, run.kind.as_str(), run.outcome.as_str()])).collect()
}

fn source_edits(facts: &Facts) -> Vec<usize> {
    let is_source = |edit: &&ethogram::facts::EditFact| {
        edit.effective == Some(true)
            && edit.target == Some(EditTarget::Source)
            && edit.kind != EditKind::Revert
    };
    facts.edits.iter().filter(is_source).map(|edit| edit.place.turn).collect()
}

/// Everything a label says, as the rules see it.
fn found(trajectory: &Trajectory, facts: &Facts, tagged: &Tagged) -> BTreeMap<&'static str, Value> {
    let mut found: BTreeMap<&str, Value> =
        BEHAVIOURS.iter().map(|code| (*code, behaviour(code, trajectory, facts, tagged))).collect();
    found.insert("turns", json!(trajectory.shown_turns()));
    let edits = source_edits(facts);
    found.insert("first_effective_source_edit", json!(edits.first()));
    found.insert("last_effective_source_edit", json!(edits.last()));
    let failed: BTreeSet<usize> =
        facts.edits.iter().filter(|edit| edit.effective == Some(false)).map(|edit| edit.place.turn).collect();
    found.insert("failed_edits", json!(failed));
    found.insert("test_turns", tests(facts));
    let network: BTreeSet<usize> =
        facts.network.iter().filter(|fact| fact.attempt).map(|fact| fact.place.turn).collect();
    found.insert("network_turns", json!(network));
    let recoveries: BTreeSet<String> = tagged
        .events
        .iter()
        .flat_map(|event| {
            let first = event.code.zip(event.recovered_turn);
            let second = event.fixed_turn.map(|turn| ("R5", turn));
            first.into_iter().chain(second).map(|(code, turn)| json!([code, event.turn, turn]).to_string())
        })
        .collect();
    found.insert("recovery", json!(recoveries));
    let loops: BTreeSet<String> = tagged
        .loops
        .iter()
        .map(|circle| json!([circle.code, circle.first_turn, circle.last_turn]).to_string())
        .collect();
    found.insert("loops", json!(loops));
    found
}

/// A label's field in the same shape.
fn wanted(label: &Value, field: &str) -> Value {
    match field {
        "recovery" | "loops" => {
            let items: BTreeSet<String> =
                label[field].as_array().into_iter().flatten().map(Value::to_string).collect();
            json!(items)
        }
        "loop" => json!(label["loops"].as_array().is_some_and(|loops| !loops.is_empty())),
        "verified_submission" => json!(label[field] == json!(true)),
        _ => label[field].clone(),
    }
}

#[test]
#[ignore = "slow: reads labelled logs out of their archives"]
fn labelled_trajectories() {
    let Some(labels) = archives::labels("trajectories-dev.jsonl") else { return };
    let mut apart: BTreeMap<&str, usize> = BTreeMap::new();
    let mut runs = 0;
    archives::read(&labels, |file, labels, trajectory| {
        let (facts, tagged) = tagged(trajectory);
        for label in labels {
            runs += 1;
            for (field, got) in found(trajectory, &facts, &tagged) {
                let want = wanted(label, field);
                if want != got {
                    *apart.entry(field).or_default() += 1;
                    println!("{field:<28} {}:{}\n    want {want}\n    got  {got}", file.0, file.1);
                    println!("    hard {}", label["hard"]);
                }
            }
        }
    });
    println!("{runs} runs; apart: {apart:?}");
    let behaviours: usize = BEHAVIOURS.iter().filter_map(|code| apart.get(code)).sum();
    // The reader's own bound: at most one behaviour in thirty apart.
    assert!(behaviours * 30 <= runs * BEHAVIOURS.len(), "{behaviours} behaviours apart in {runs} runs");
}
