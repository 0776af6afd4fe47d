//! What paths say: templates, run numbers, instance ids, spellings.

use std::collections::{BTreeMap, BTreeSet};

use ethogram::outcomes::PathRun::{Number, Seed};
use ethogram::outcomes::{
    PathIdentity, PathTemplate, Spellings, TemplateError, common_spelling, file_stem, instance_in_path,
    is_searched_in_parent, run_in_path,
};

fn find(template: &str, path: &str) -> Option<(Option<String>, Option<i64>)> {
    let found = PathTemplate::parse(template).unwrap().find(path)?;
    Some((found.instance_id, found.run))
}

fn some(id: &str, run: i64) -> Option<(Option<String>, Option<i64>)> {
    Some((Some(id.to_owned()), Some(run)))
}

#[test]
fn templates_read_identity() {
    let study = "runs/base/run_{run}/{instance_id}/*";
    assert_eq!(find(study, "runs/base/run_3/django__django-1/x.traj"), some("django__django-1", 3));
    assert_eq!(find(study, "./runs/base/run_03/a/x.traj"), some("a", 3));
    assert_eq!(find(study, "runs/base/run_x/a/x.traj"), None, "a run is a number");
    assert_eq!(find(study, "runs/base/run_3/a/b/x.traj"), None, "* stays in its folder");
    assert_eq!(find("**/run{run}/**/{instance_id}.*", "a/b/run10/c/d/i-1.traj"), some("i-1", 10));
    assert_eq!(find("**/run{run}/**/{instance_id}.*", "run10/i-1.traj"), some("i-1", 10));
    assert_eq!(
        find("{instance_id}.*", "owner__name-1.traj.json.gz"),
        Some((Some("owner__name-1".to_owned()), None))
    );
    let dotted = "owner__name.1fd52536.combine__abc";
    assert_eq!(find("{instance_id}.*", &format!("{dotted}.traj")), Some((Some(dotted.to_owned()), None)));
    assert_eq!(
        find("a/(b)+/{instance_id}/log?.txt", "a/(b)+/x/log1.txt"),
        Some((Some("x".to_owned()), None))
    );
    let arms = PathTemplate::parse("ckpt/{arm}/run_{run}/**/*.traj").unwrap();
    let want = PathIdentity { arm: Some("step-10".to_owned()), instance_id: None, run: Some(0) };
    assert_eq!(arms.find("ckpt/step-10/run_0/x.traj"), Some(want));
    assert_eq!(arms.glob(), "ckpt/*/run_*/**/*.traj");
}

#[test]
fn wrong_templates_are_errors() {
    let error = |template: &str| PathTemplate::parse(template).unwrap_err();
    assert!(matches!(error("{id}/*"), TemplateError::Unknown { placeholder, .. } if placeholder == "id"));
    assert!(matches!(error("{run}/{run}"), TemplateError::Twice { .. }));
    assert!(matches!(error("a/{run"), TemplateError::Unclosed { .. }));
    assert!(error("{id}/*").to_string().contains("{instance_id}"));
}

#[test]
fn paths_name_runs() {
    for (path, run) in [
        ("run_3/a/a.traj", Some(Number(3))),
        ("rollout-3/a.traj", Some(Number(3))),
        ("data/full_i0_run12/preds.json", Some(Number(12))),
        ("Run 2/a.traj", Some(Number(2))),
        ("run_1/attempt_4/a.traj", Some(Number(4))),
        ("run_5.tar.gz/a.traj", Some(Number(5))),
        ("a/seed_42/x.traj", Some(Seed(42))),
        ("a/run_0.jsonl", Some(Number(0))),
        ("run_20251118/a.traj", None),
        ("sample_3/a.traj", None),
        ("prune3/a.traj", None),
        ("run_3_old/a.traj", None),
        ("rollout-2025-05-07T17-24-21.jsonl", None),
        ("acme__run-3.traj", None),
        ("a.traj", None),
    ] {
        assert_eq!(run_in_path(path), run, "{path}");
    }
}

#[test]
fn paths_name_instances() {
    for (path, id) in [
        ("trajs/a__b-1/a__b-1.traj", Some("a__b-1")),
        ("a__b-1.traj.json", Some("a__b-1")),
        ("a__b-1.traj.json.zst", Some("a__b-1")),
        ("x/a__b-1.pred", Some("a__b-1")),
        ("logs/a__b-1/report.json", Some("a__b-1")),
        ("report.json", None),
        ("x/session.jsonl", None),
    ] {
        assert_eq!(instance_in_path(path), id, "{path}");
    }
    assert_eq!(file_stem("x/session.v1.jsonl.gz"), "session.v1");
    assert_eq!(file_stem("x/a__b-1.traj.json"), "a__b-1");
    assert_eq!(file_stem(".json"), ".json");
}

#[test]
fn spellings_of_one_id() {
    let spellings = Spellings::new(
        ["instance_acme__a-1", "acme__B-2", "acme__c-3", "acme__C-3", "acme__d-4"],
        ["acme__a-1", "ACME__b-2", "acme/c-3", "Acme__c-3", "acme__D-4", "ACME__d-4", "other__x-1"],
    );
    for (id, key) in [
        ("acme__a-1", "instance_acme__a-1"),
        ("ACME__b-2", "acme__B-2"),
        ("acme/c-3", "acme__c-3"),
        // Case is no guide where either side has two spellings.
        ("Acme__c-3", "Acme__c-3"),
        ("acme__D-4", "acme__D-4"),
        ("ACME__d-4", "ACME__d-4"),
        ("other__x-1", "other__x-1"),
        ("never-seen", "never-seen"),
    ] {
        assert_eq!(spellings.key(id), key, "{id}");
    }
}

#[test]
fn arms_share_one_spelling() {
    let set = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>();
    let arms = [set(&["a__b-1", "a__b-2"]), set(&["instance_a__b-1", "A__b-2", "a__b-3"]), set(&["A__B-3"])];
    let changes = common_spelling(&arms);
    let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    assert_eq!(changes[0], map(&[]));
    assert_eq!(changes[1], map(&[("A__b-2", "a__b-2"), ("instance_a__b-1", "a__b-1")]));
    assert_eq!(changes[2], map(&[("A__B-3", "a__b-3")]));
}

#[test]
fn some_files_of_the_parent_are_searched() {
    for (path, searched) in [
        ("acme.run1.json", true),
        ("logs/run_evaluation/r/m/a/report.json", true),
        ("evaluation/x.json", true),
        ("other-arm/results.json", false),
        ("logs/a/report.json", false),
        ("notes.txt", false),
    ] {
        assert_eq!(is_searched_in_parent(path), searched, "{path}");
    }
}
