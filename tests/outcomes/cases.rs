//! The cases of `shared/cases/outcome` that identity and verdicts decide; the others need readers of other logs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ethogram::model::{EndClass, Weight};
use ethogram::outcomes::{PathTemplate, Settings, Settled, settle};
use serde_json::{Value, json};

use super::folder;
use crate::support;

struct Case {
    root: PathBuf,
    expected: Value,
}

fn case(name: &str) -> Option<Case> {
    let root = support::shared(&format!("cases/outcome/{name}"))?;
    let expected = serde_json::from_slice(&std::fs::read(root.join("expected.json")).unwrap()).unwrap();
    Some(Case { root: root.join("input"), expected })
}

/// The settled input of a case for `inspect`, checked against its `want`, `problems` and `exit`.
fn inspect(name: &str) -> Option<Settled> {
    let case = case(name)?;
    let found = folder::arm(&case.root);
    let logs = &found.logs;
    let settled = settle(logs, &found.outcomes, &Settings::default());
    let want = match &case.expected["want"] {
        Value::Array(list) => list.clone(),
        one => vec![one.clone()],
    };
    assert_eq!(want.len(), logs.len(), "{name}");
    for (log, want) in settled.logs.iter().zip(&want) {
        if let Some(id) = want["instance_id"].as_str() {
            assert_eq!(log.instance_id, id, "{name}");
        }
        for (key, got) in [("run", json!(log.run)), ("run_source", json!(log.run_source.as_str()))] {
            assert!(want[key].is_null() || want[key] == got, "{name} {}: {key} {got}", log.instance_id);
        }
        let verdict =
            &log.spoken.as_ref().unwrap_or_else(|| panic!("{name}: nothing on {}", log.instance_id)).verdict;
        let unscored = verdict.unscored_reason.as_ref().map(|reason| reason.as_str());
        let reason = unscored.or(verdict.failed_reason.map(|reason| reason.as_str()));
        let got = json!({"scored": verdict.scored, "resolved": verdict.resolved, "reason": reason});
        for (key, value) in want["outcome"].as_object().unwrap() {
            assert_eq!(&got[key], value, "{name} {} {key}", log.instance_id);
        }
    }
    for wanted in case.expected["problems"].as_array().into_iter().flatten() {
        let words: Vec<&str> = wanted["what_contains"].as_str().unwrap().split('|').collect();
        let found =
            settled.problems.iter().any(|problem| words.iter().any(|word| problem.what.contains(word)));
        assert!(found, "{name}: no problem with {words:?} in {:?}", settled.problems);
    }
    if let Some(exit) = case.expected["exit"].as_i64() {
        assert_eq!(
            i64::from(settled.problems.iter().any(|problem| problem.weight == Weight::Refused)),
            exit,
            "{name}"
        );
    }
    Some(settled)
}

/// One arm of a case for `study`: the template and the outcome files that its study file names.
fn arm(case: &Case, arm: &str, template: Option<&str>, named: Option<&str>) -> Settled {
    let folder::Arm { mut logs, mut outcomes, .. } = folder::arm(&case.root.join(arm));
    for log in &mut logs {
        log.template_path = format!("{arm}/{}", log.file);
    }
    if let Some(named) = named {
        outcomes.retain(|file| file.path.contains(named));
    }
    let template = template.map(|template| PathTemplate::parse(&format!("{arm}/{template}")).unwrap());
    let settings = Settings {
        arm: Some(arm),
        template: template.as_ref(),
        outcomes_named: named.is_some(),
        ..Settings::default()
    };
    settle(&logs, &outcomes, &settings)
}

/// Runs, scored and resolved runs of an arm by instance.
fn counts(settled: &Settled) -> BTreeMap<&str, [i64; 3]> {
    let mut counts: BTreeMap<&str, [i64; 3]> = BTreeMap::new();
    for run in &settled.runs {
        let [runs, scored, resolved] = counts.entry(&run.instance_id).or_default();
        *runs += 1;
        *scored += i64::from(run.verdict.scored);
        *resolved += i64::from(run.verdict.resolved == Some(true));
    }
    counts
}

/// The table `instance_pairs` of two arms.
pub fn instance_pairs(base: &Settled, trained: &Settled) -> Value {
    let (base, trained) = (counts(base), counts(trained));
    let ids: BTreeSet<&str> = base.keys().chain(trained.keys()).copied().collect();
    let row = |id: &str| {
        let [base_runs, base_scored, base_resolved] = base.get(id).copied().unwrap_or_default();
        let [trained_runs, trained_scored, trained_resolved] = trained.get(id).copied().unwrap_or_default();
        let state = match (base_runs, trained_runs, base_scored > 0, trained_scored > 0) {
            (_, 0, ..) => "base_only",
            (0, ..) => "trained_only",
            (.., true, true) => "both_scored",
            (.., false, false) => "both_unscored",
            _ => "one_unscored",
        };
        json!({"instance_id": id, "state": state,
            "base_runs": base_runs, "base_scored": base_scored, "base_resolved": base_resolved,
            "trained_runs": trained_runs, "trained_scored": trained_scored, "trained_resolved": trained_resolved})
    };
    ids.into_iter().map(row).collect()
}

fn study(name: &str, template: Option<&str>, base_named: Option<&str>, trained_named: Option<&str>) {
    let Some(case) = case(name) else { return };
    let (base, trained) =
        (arm(&case, "base", template, base_named), arm(&case, "rl", template, trained_named));
    assert_eq!(instance_pairs(&base, &trained), case.expected["want"]["instance_pairs"], "{name}");
    assert!(base.conflicts.is_empty() && trained.conflicts.is_empty());
}

#[test]
fn verifier_timeout() {
    let Some(settled) = inspect("057-verifier-timeout-no-reward") else { return };
    assert_eq!(settled.coverage.unscored, BTreeMap::from([("VerifierTimeoutError".to_owned(), 1)]));
    let case = case("057-verifier-timeout-no-reward").unwrap();
    let trials: Vec<_> =
        folder::arm(&case.root).outcomes.iter().flat_map(|file| file.trials.clone()).collect();
    assert_eq!(trials[0].raw_status.as_deref(), Some("VerifierTimeoutError"));
    assert_eq!(trials[0].termination.class(), EndClass::Unknown, "the end is not the verifier's");
}

#[test]
fn never_started_and_cancelled() {
    study("058-never-started-and-cancelled", None, None, None);
    let Some(case) = case("058-never-started-and-cancelled") else { return };
    let base = arm(&case, "base", None, None);
    let reasons = [("CancelledError".to_owned(), 1), ("EnvironmentStartTimeoutError".to_owned(), 1)];
    assert_eq!(base.coverage.unscored, BTreeMap::from(reasons));
    assert_eq!(base.coverage.runs_with_log, 3, "t3 never started, its record makes it a run");
}

#[test]
fn fractional_rewards() {
    let Some(settled) = inspect("059-fractional-rewards") else { return };
    let rewards: Vec<_> = settled.runs.iter().map(|run| run.verdict.reward.unwrap()).collect();
    assert!(rewards.contains(&0.5), "{rewards:?}");
}

#[test]
fn errored_samples() {
    let Some(settled) = inspect("071-errored-samples-are-unscored") else { return };
    let coverage = &settled.coverage;
    assert_eq!((coverage.runs, coverage.scored, coverage.resolved), (8, 6, 2));
}

#[test]
fn rollouts_out_of_order_and_masked() {
    let Some(settled) = inspect("075-rollouts-out-of-order-and-masked") else { return };
    assert_eq!(settled.coverage.unscored, BTreeMap::from([("mask_sample".to_owned(), 1)]));
}

#[test]
fn resolved_and_unresolved_overlap() {
    inspect("061-resolved-and-unresolved-overlap");
}

#[test]
fn empty_patch_and_incomplete() {
    let Some(settled) = inspect("062-empty-patch-and-incomplete") else { return };
    let coverage = &settled.coverage;
    assert_eq!((coverage.runs, coverage.scored, coverage.resolved), (4, 3, 1));
}

#[test]
fn report_of_another_run() {
    let named = Some("evaluation/exp1/");
    study("063-report-of-another-run", None, named, named);
}

#[test]
fn gold_reports_beside_are_a_contradiction_when_searched() {
    let Some(case) = case("063-report-of-another-run") else { return };
    let base = arm(&case, "base", None, None);
    assert_eq!(base.coverage.resolved, 1, "widget-1 is resolved in both");
    assert_eq!(base.coverage.unscored, BTreeMap::from([("contradiction".to_owned(), 1)]));
}

#[test]
fn long_ids_with_commit_suffix() {
    inspect("065-long-ids-with-commit-suffix");
}

#[test]
fn slash_in_model_name() {
    let Some(settled) = inspect("066-slash-in-model-name") else { return };
    assert_eq!(settled.other_models, ["logs/run_evaluation/r1/acme__small-1b/acme__widget-1/report.json"]);
}

#[test]
fn winners_only_and_trailing_comma() {
    inspect("067-winners-only-and-trailing-comma");
}

#[test]
fn retry_replaces_aborted_run() {
    study(
        "069-retry-replaces-aborted-run",
        Some("run_{run}/*/{instance_id}.*"),
        None,
        Some("outcomes.jsonl"),
    );
    let Some(case) = case("069-retry-replaces-aborted-run") else { return };
    let base = arm(&case, "base", Some("run_{run}/*/{instance_id}.*"), None);
    assert_eq!(base.logs[0].fate, ethogram::outcomes::Fate::Superseded { by: 1 });
    assert_eq!(base.runs[0].log, Some(1), "the resumed log lives");
}

#[test]
fn two_scored_runs_under_one_key() {
    let Some(case) = case("070-two-scored-runs-under-one-key") else { return };
    let base = arm(&case, "base", Some("run_{run}/*/{instance_id}.*"), None);
    assert_eq!(base.conflicts.len(), 1);
    assert_eq!((base.conflicts[0].instance_id.as_str(), base.conflicts[0].run), ("acme__widget-1", 0));
    assert_eq!(base.conflicts[0].logs, [0, 1]);
    assert!(arm(&case, "rl", Some("run_{run}/*/{instance_id}.*"), None).conflicts.is_empty());
}

#[test]
fn instance_in_one_arm_only() {
    study("073-instance-in-one-arm-only", None, Some("outcomes.jsonl"), Some("outcomes.jsonl"));
}

#[test]
fn unequal_runs() {
    study("074-unequal-runs-equal-weight", None, Some("outcomes.jsonl"), Some("outcomes.jsonl"));
}
