//! The rules of definitions.md §1 and §7 and of interface.md (outcomes are searched), one test a sentence. Expected
//! values are worked out by hand.

use ethogram::model::{InstanceSource, PatchState, RunSource, Weight};
use ethogram::outcomes::{
    Duplicates, Fate, LogHead, Numbering, OutcomeFile, PathTemplate, Settings, Settled, needs_parent,
    patch_digest, recognise, settle,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A log whose id is its file stem; its content is its path, so that no two are copies.
pub fn log(path: &str) -> LogHead {
    LogHead {
        collection: None,
        file: path.to_owned(),
        template_path: path.to_owned(),
        place: String::new(),
        ordinal: 0,
        instance_id: None,
        session_id: None,
        run: None,
        is_sample: false,
        started_at: None,
        model: None,
        patch_state: PatchState::Nonempty,
        patch: patch_digest(path),
        has_log: true,
        format: "mini-swe-agent-2",
        n_turns: 3,
        trial: None,
        verdict: None,
        content: blake3::hash(path.as_bytes()),
    }
}

fn logs(paths: &[&str]) -> Vec<LogHead> {
    paths.iter().map(|path| log(path)).collect()
}

/// An outcome file, recognised from its content.
fn file(path: &str, content: Value) -> OutcomeFile {
    text_file(path, &content.to_string())
}

fn text_file(path: &str, content: &str) -> OutcomeFile {
    let shape = recognise(path, content.as_bytes()).unwrap_or_else(|| panic!("{path} is no outcome file"));
    (shape.read)(path, content.as_bytes())
}

fn summary(path: &str, resolved: &[&str], unresolved: &[&str]) -> OutcomeFile {
    let completed: Vec<&&str> = resolved.iter().chain(unresolved).collect();
    file(
        path,
        json!({"submitted_ids": completed, "completed_ids": completed, "resolved_ids": resolved, "unresolved_ids": unresolved}),
    )
}

fn report(path: &str, id: &str, resolved: bool) -> OutcomeFile {
    file(path, json!({id: {"patch_is_None": false, "patch_exists": true, "resolved": resolved}}))
}

fn winners(path: &str, resolved: &[&str]) -> OutcomeFile {
    file(path, json!({"no_generation": [], "no_logs": [], "resolved": resolved}))
}

fn predictions(path: &str, patches: &[(&str, &str)]) -> OutcomeFile {
    let records = patches.iter().map(|(id, patch)| {
        ((*id).to_owned(), json!({"model_name_or_path": "acme/m", "instance_id": id, "model_patch": patch}))
    });
    file(path, Value::Object(records.collect()))
}

fn auto(logs: &[LogHead], files: &[OutcomeFile]) -> Settled {
    settle(logs, files, &Settings::default())
}

/// `id run: verdict` of every run, `*` where it has a log.
fn runs(settled: &Settled) -> Vec<String> {
    let line = |run: &ethogram::outcomes::SettledRun| {
        let verdict = match (&run.verdict.unscored_reason, run.verdict.failed_reason) {
            (Some(reason), _) => format!("unscored:{}", reason.as_str()),
            (None, Some(reason)) => format!("false:{}", reason.as_str()),
            (None, None) => run.verdict.resolved.unwrap().to_string(),
        };
        format!("{} {}{}: {verdict}", run.instance_id, run.run, if run.log.is_some() { "*" } else { "" })
    };
    settled.runs.iter().map(line).collect()
}

fn places(settled: &Settled) -> Vec<(&str, i64, RunSource)> {
    settled.logs.iter().map(|log| (log.instance_id.as_str(), log.run, log.run_source)).collect()
}

fn refusals(settled: &Settled) -> Vec<&str> {
    let refused = settled.problems.iter().filter(|problem| problem.weight == Weight::Refused);
    refused.map(|problem| problem.what.as_str()).collect()
}

// ---- identity

#[test]
fn the_instance_comes_from_log_template_path_session_or_stem() {
    let template = PathTemplate::parse("x/{instance_id}/*").unwrap();
    let by_log = LogHead { instance_id: Some("said".to_owned()), ..log("x/by_path/a.traj") };
    let by_session = LogHead { session_id: Some("s-1".to_owned()), ..log("y/z.jsonl") };
    let heads =
        [by_log, log("x/by_template/a.traj"), log("y/by_stem.traj.json"), by_session, log("y/z.jsonl")];
    let settings = Settings { template: Some(&template), ..Settings::default() };
    let settled = settle(&heads, &[], &settings);
    let got: Vec<_> =
        settled.logs.iter().map(|log| (log.instance_id.as_str(), log.instance_source)).collect();
    assert_eq!(
        got,
        [
            ("said", InstanceSource::Log),
            ("by_template", InstanceSource::Path),
            ("by_stem", InstanceSource::Path),
            ("s-1", InstanceSource::Session),
            ("z", InstanceSource::File),
        ]
    );
}

#[test]
fn run_numbers_of_paths_start_at_0() {
    let settled = auto(&logs(&["run_1/a.traj", "run_2/a.traj", "run_2/b.traj"]), &[]);
    assert_eq!(
        places(&settled),
        [("a", 0, RunSource::Path), ("a", 1, RunSource::Path), ("b", 1, RunSource::Path)]
    );
    let settled = auto(&logs(&["run_0/a.traj", "run_2/a.traj"]), &[]);
    assert_eq!(places(&settled), [("a", 0, RunSource::Path), ("a", 2, RunSource::Path)]);
}

#[test]
fn the_log_beats_the_path_and_the_template_beats_the_folder() {
    let said = LogHead { run: Some(5), ..log("run_1/a.traj") };
    assert_eq!(places(&auto(&[said], &[])), [("a", 5, RunSource::Log)]);
    let template = PathTemplate::parse("t{run}/run_9/*").unwrap();
    let settings = Settings { template: Some(&template), ..Settings::default() };
    assert_eq!(places(&settle(&logs(&["t3/run_9/a.traj"]), &[], &settings)), [("a", 3, RunSource::Path)]);
}

/// Samples 1 of two tasks are two instances; who looks at files without an arm sees the ids as the logs write them.
#[test]
fn equal_ids_of_two_collections_are_two_instances_of_an_arm() {
    let heads: Vec<LogHead> = [("a.eval", "arc"), ("b.eval", "gsm"), ("c.eval", "gsm")]
        .into_iter()
        .zip(["1", "1", "2"])
        .map(|((path, task), id)| LogHead {
            collection: Some(task.to_owned()),
            instance_id: Some(id.to_owned()),
            ..log(path)
        })
        .collect();
    let ids = |arm| {
        let settled = settle(&heads, &[], &Settings { arm, ..Settings::default() });
        settled.logs.into_iter().map(|log| log.instance_id).collect::<Vec<String>>()
    };
    assert_eq!(ids(Some("base")), ["arc/1", "gsm/1", "gsm/2"]);
    assert_eq!(ids(None), ["1", "1", "2"]);
}

#[test]
fn seeds_are_ranked_upwards() {
    let settled = auto(&logs(&["seed_1337/a.traj", "seed_42/a.traj", "seed_7/b.traj"]), &[]);
    assert_eq!(settled.logs.iter().map(|log| log.run).collect::<Vec<_>>(), [2, 1, 0]);
}

#[test]
fn rank_needs_equal_numbers_of_logs() {
    let equal = auto(&logs(&["x/a.traj", "y/a.traj", "x/b.traj", "y/b.traj"]), &[]);
    assert_eq!(places(&equal).iter().map(|(_, run, _)| *run).collect::<Vec<_>>(), [0, 1, 0, 1]);
    let unequal = logs(&["x/a.traj", "y/a.traj", "x/b.traj"]);
    let settled = auto(&unequal, &[]);
    assert_eq!(places(&settled).iter().map(|(_, run, _)| *run).collect::<Vec<_>>(), [0, 0, 0], "duplicates");
    assert_eq!(settled.coverage.superseded, 1);
    let ranked = settle(&unequal, &[], &Settings { numbering: Numbering::Rank, ..Settings::default() });
    assert_eq!(places(&ranked).iter().map(|(_, run, _)| *run).collect::<Vec<_>>(), [0, 1, 0]);
    let samples: Vec<LogHead> =
        unequal.iter().map(|log| LogHead { is_sample: true, ..log.clone() }).collect();
    assert_eq!(places(&auto(&samples, &[])).iter().map(|(_, run, _)| *run).collect::<Vec<_>>(), [0, 1, 0]);
}

#[test]
fn rank_goes_by_start_time_else_by_path_and_place() {
    let started = |path: &str, at: i64| LogHead { started_at: Some(at), ..log(path) };
    let timed = auto(&[started("x/a.traj", 9), started("y/a.traj", 3)], &[]);
    assert_eq!(timed.logs.iter().map(|log| log.run).collect::<Vec<_>>(), [1, 0]);
    let half = auto(&[started("x/a.traj", 9), log("y/a.traj")], &[]);
    assert_eq!(half.logs.iter().map(|log| log.run).collect::<Vec<_>>(), [0, 1]);
    let record = |ordinal: usize| LogHead {
        place: format!("record {ordinal}"),
        ordinal,
        instance_id: Some("a".to_owned()),
        content: blake3::hash(&[ordinal as u8]),
        ..log("x.jsonl")
    };
    let in_file = auto(&[record(10), record(9)], &[]);
    assert_eq!(in_file.logs.iter().map(|log| log.run).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn copies_are_dropped_before_ranking_and_their_reports_count() {
    let mut heads = logs(&["x/a.traj", "y/a.traj", "x/b.traj"]);
    heads[1].content = heads[0].content;
    let settled = auto(&heads, &[report("y/report.json", "a", true)]);
    assert_eq!(settled.logs[1].fate, Fate::Copy { of: 0 });
    assert_eq!(runs(&settled), ["a 0*: true", "b 0*: unscored:no_report"]);
    assert_eq!((settled.coverage.copies, settled.coverage.superseded), (1, 0));
    assert!(settled.conflicts.is_empty());
}

#[test]
fn equal_content_of_numbered_runs_is_no_copy() {
    let mut heads = logs(&["run_0/a.traj", "run_1/a.traj"]);
    heads[1].content = heads[0].content;
    assert_eq!(auto(&heads, &[]).runs.len(), 2);
}

#[test]
fn ids_of_outcome_files_take_the_spelling_of_the_log() {
    let heads = logs(&["instance_acme__a-1.traj", "acme__B-2.traj"]);
    let settled = auto(&heads, &[summary("s.json", &["acme/a-1"], &["acme__b-2"])]);
    assert_eq!(runs(&settled), ["acme__B-2 0*: false", "instance_acme__a-1 0*: true"]);
    assert_eq!(settled.coverage.respelled, 2);
}

// ---- a run exists

#[test]
fn summaries_create_runs_of_what_was_handed_in() {
    let summary = file(
        "s.json",
        json!({"submitted_ids": ["a", "b", "c"], "completed_ids": ["a"], "resolved_ids": ["a"],
        "unresolved_ids": [], "incomplete_ids": ["d"], "empty_patch_ids": ["b"], "error_ids": ["c"]}),
    );
    let settled = auto(&logs(&["d.traj"]), &[summary]);
    assert_eq!(
        runs(&settled),
        ["a 0: true", "b 0: false:empty_patch", "c 0: unscored:error", "d 0*: unscored:incomplete"]
    );
    assert_eq!((settled.coverage.runs, settled.coverage.runs_with_log, settled.coverage.scored), (4, 1, 2));
}

#[test]
fn winners_create_no_run_and_fail_those_that_exist() {
    let list = file(
        "results.json",
        json!({"no_generation": ["b", "x"], "no_logs": ["c", "y"], "resolved": ["a", "z"]}),
    );
    let settled = auto(&logs(&["a.traj", "b.traj", "c.traj", "d.traj"]), &[list]);
    assert_eq!(
        runs(&settled),
        ["a 0*: true", "b 0*: false:no_generation", "c 0*: unscored:no_logs", "d 0*: false"]
    );
    assert!(
        settled
            .problems
            .iter()
            .any(|problem| problem.what.starts_with("3 verdicts are on instances or runs"))
    );
}

#[test]
fn predictions_create_runs() {
    let settled =
        auto(&[], &[predictions("preds.json", &[("a", "x"), ("b", "")]), winners("results.json", &[])]);
    assert_eq!(runs(&settled), ["a 0: false", "b 0: false:empty_patch"]);
}

#[test]
fn tables_by_run_create_every_run_of_every_id() {
    let table = || {
        file(
            "t.json",
            json!({"r10": {"w__a-1": 1}, "r2": {"w__a-1": 0, "w__b-1": 1}, "other": {"w__c-1": 1}}),
        )
    };
    let settled = auto(&[], &[table()]);
    // Names in the order of people: other, r2, r10.
    let a: Vec<String> = runs(&settled).into_iter().filter(|run| run.starts_with("w__a-1")).collect();
    assert_eq!(a, ["w__a-1 0: false:no_generation", "w__a-1 1: false", "w__a-1 2: true"]);
    assert_eq!(settled.runs.len(), 9);
    let names = vec!["r10".to_owned(), "r2".to_owned()];
    let chosen =
        settle(&[], &[table()], &Settings { numbering: Numbering::Named(names), ..Settings::default() });
    assert_eq!(
        runs(&chosen),
        ["w__a-1 0: true", "w__a-1 1: false", "w__b-1 0: false:no_generation", "w__b-1 1: true"]
    );
    let wrong = Numbering::Named(vec!["r3".to_owned()]);
    let settled = settle(&[], &[table()], &Settings { numbering: wrong, ..Settings::default() });
    assert_eq!(refusals(&settled), ["no outcome file has a run `r3`; there are: other, r10, r2"]);
}

#[test]
fn rows_of_other_arms_are_passed_over() {
    let rows = "{\"arm\":\"base\",\"instance_id\":\"a\",\"resolved\":true}\n{\"arm\":\"rl\",\"instance_id\":\"a\",\"resolved\":false}\n";
    let rows = text_file("outcomes.jsonl", rows);
    let settings = Settings { arm: Some("rl"), ..Settings::default() };
    assert_eq!(runs(&settle(&[], std::slice::from_ref(&rows), &settings)), ["a 0: false"]);
    assert_eq!(runs(&auto(&[], &[rows])), ["a 0: unscored:contradiction"], "inspect knows no arm");
}

#[test]
fn rows_that_tables_with_gaps_write_are_read() {
    let rows = "{\"instance_id\":\"a\",\"run\":0.0,\"resolved\":1.0,\"reward\":NaN}\n\
                {\"instance_id\":\"b\",\"run\":0.0,\"resolved\":\"False\",\"reward\":-Infinity}\n\
                {\"instance_id\":\"c\",\"run\":0.0,\"resolved\":NaN,\"unscored_reason\":\"says NaN\"}\n";
    let rows = text_file("outcomes.jsonl", rows);
    assert_eq!(runs(&auto(&[], &[rows])), ["a 0: true", "b 0: false", "c 0: unscored:says NaN"]);
}

#[test]
fn numbered_rows_start_at_0() {
    let rows = |first: i64| {
        let line = |run: i64, resolved: bool| {
            json!({"instance_id": "a", "run": run, "resolved": resolved}).to_string()
        };
        text_file("outcomes.jsonl", &format!("{}\n{}\n", line(first, true), line(first + 1, false)))
    };
    assert_eq!(runs(&auto(&[], &[rows(0)])), ["a 0: true", "a 1: false"]);
    assert_eq!(runs(&auto(&[], &[rows(1)])), ["a 0: true", "a 1: false"]);
    let from_0 = logs(&["run_0/a.traj", "run_1/a.traj", "run_2/a.traj"]);
    assert_eq!(runs(&auto(&from_0, &[rows(1)])), ["a 0*: unscored:not_listed", "a 1*: true", "a 2*: false"]);
    let from_1 = logs(&["run_1/a.traj", "run_2/a.traj"]);
    assert_eq!(runs(&auto(&from_1, &[rows(0)])), ["a 0*: true", "a 1*: false"]);
    assert_eq!(runs(&auto(&from_1, &[rows(1)])), ["a 0*: true", "a 1*: false"]);
}

// ---- of whom a file speaks

#[test]
fn a_file_in_a_folder_of_another_run_never_speaks_for_this_run() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj"]);
    let settled = auto(&heads, &[summary("run_2/results.json", &["a"], &[])]);
    assert_eq!(runs(&settled), ["a 0*: unscored:not_listed", "a 1*: true"]);
    let elsewhere =
        auto(&heads, &[summary("eval/run_1/s.json", &["a"], &[]), summary("eval/run_2/s.json", &[], &["a"])]);
    assert_eq!(runs(&elsewhere), ["a 0*: true", "a 1*: false"]);
}

#[test]
fn a_list_of_winners_in_a_run_folder_fails_that_run_only() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj", "run_1/b.traj", "run_2/b.traj"]);
    let settled = auto(&heads, &[winners("run_1/results.json", &["a"])]);
    assert_eq!(
        runs(&settled),
        ["a 0*: true", "a 1*: unscored:not_listed", "b 0*: false", "b 1*: unscored:not_listed"]
    );
}

#[test]
fn an_empty_list_of_winners_in_a_run_folder_fails_that_run_only() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj"]);
    let settled = auto(&heads, &[winners("run_1/results.json", &[]), winners("run_2/results.json", &["a"])]);
    assert_eq!(runs(&settled), ["a 0*: false", "a 1*: true"]);
}

#[test]
fn a_file_that_names_no_run_speaks_for_none_of_several() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj", "run_1/b.traj"]);
    let settled = auto(&heads, &[summary("s.json", &["a", "b"], &[])]);
    assert_eq!(runs(&settled), ["a 0*: unscored:not_listed", "a 1*: unscored:not_listed", "b 0*: true"]);
    assert!(refusals(&settled)[0].starts_with("1 instances have several runs"));
}

#[test]
fn the_study_may_give_the_run_of_a_file() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj"]);
    let given = OutcomeFile { run: Some(2), ..summary("x.json", &["a"], &[]) };
    assert_eq!(runs(&auto(&heads, &[given])), ["a 0*: unscored:not_listed", "a 1*: true"]);
}

#[test]
fn the_number_of_a_grading_is_no_run() {
    let settled = auto(&logs(&["a/a.traj"]), &[report("my_evaluation_run_33/m/a/report.json", "a", true)]);
    assert_eq!(runs(&settled), ["a 0*: true"]);
}

#[test]
fn runs_without_logs_are_numbered_by_the_paths_of_their_files() {
    let files = [summary("run_1/r.json", &["a"], &[]), summary("run_2/r.json", &[], &["a"])];
    assert_eq!(runs(&auto(&[], &files)), ["a 0: true", "a 1: false"]);
}

#[test]
fn the_name_of_a_file_tells_the_run_where_a_log_has_it() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj"]);
    let files = [summary("acme.run_1.json", &["a"], &[]), summary("acme.run_2.json", &[], &["a"])];
    assert_eq!(runs(&auto(&heads, &files)), ["a 0*: true", "a 1*: false"]);
    assert_eq!(runs(&auto(&[], &files)), ["a 0: true", "a 1: false"]);
    // A run id of the harness that no log has says nothing.
    let one_run = logs(&["run_0/a.traj"]);
    assert_eq!(runs(&auto(&one_run, &[summary("acme.my_run_7.json", &["a"], &[])])), ["a 0*: true"]);
    assert_eq!(runs(&auto(&[], &[summary("acme.my_run_7.json", &["a"], &[])])), ["a 0: true"]);
}

#[test]
fn a_list_without_winners_fails_the_run_of_its_folder() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj"]);
    let settled = auto(&heads, &[winners("grading/run_2/results.json", &[])]);
    assert_eq!(runs(&settled), ["a 0*: unscored:not_listed", "a 1*: false"]);
}

#[test]
fn predictions_that_name_none_of_several_runs_are_noted() {
    let heads = logs(&["run_1/a.traj", "run_2/a.traj"]);
    let settled =
        auto(&heads, &[predictions("preds.json", &[("a", "")]), summary("run_1/s.json", &["a"], &[])]);
    assert_eq!(runs(&settled), ["a 0*: true", "a 1*: unscored:not_listed"]);
    assert!(settled.problems.iter().any(|problem| problem.what.starts_with("1 predictions name none")));
}

#[test]
fn files_of_the_parent_share_no_folder() {
    let heads = logs(&["x/a.traj"]);
    let files = [report("../x/a/report.json", "a", true)];
    assert!(!needs_parent(&files));
    assert_eq!(runs(&auto(&heads, &files)), ["a 0*: true"]);
    assert!(needs_parent(&[predictions("preds.json", &[("a", "x")])]), "predictions are no verdicts");
}

#[test]
fn the_deepest_shared_folder_tells_the_log() {
    let heads = logs(&["x/one/a.traj", "x/two/a.traj"]);
    let files = [report("x/one/eval/report.json", "a", true), report("x/two/eval/report.json", "a", false)];
    assert_eq!(runs(&auto(&heads, &files)), ["a 0*: true", "a 1*: false"]);
}

#[test]
fn among_equals_the_deepest_shared_folder_wins() {
    let files = [summary("old.json", &[], &["a"]), summary("x/new.json", &["a"], &[])];
    let settled = auto(&logs(&["x/a.traj"]), &files);
    assert_eq!(runs(&settled), ["a 0*: true"]);
    assert_eq!(settled.runs[0].source, Some(("harness-summary", "x/new.json".to_owned())));
}

#[test]
fn a_report_beats_a_summary_and_a_summary_beats_winners() {
    let heads = logs(&["x/a.traj"]);
    let all = [
        report("logs/a/report.json", "a", true),
        summary("x/s.json", &[], &["a"]),
        winners("x/results.json", &[]),
    ];
    let settled = auto(&heads, &all);
    assert_eq!(runs(&settled), ["a 0*: true"]);
    assert!(
        settled
            .problems
            .iter()
            .any(|problem| problem.file == "x/s.json" && problem.what.contains("the opposite"))
    );
    assert_eq!(settled.problems.len(), 1, "what a list of winners implies is no opposite word");
    assert_eq!(runs(&auto(&heads, &all[1..])), ["a 0*: false"]);
    assert_eq!(
        runs(&auto(&heads, &[summary("s.json", &["a"], &[]), winners("x/results.json", &[])])),
        ["a 0*: true"]
    );
}

#[test]
fn equals_that_contradict_leave_the_run_unscored() {
    let files = [summary("one.json", &["a", "b"], &[]), summary("two.json", &["b"], &["a"])];
    let settled = auto(&logs(&["a.traj", "b.traj"]), &files);
    assert_eq!(runs(&settled), ["a 0*: unscored:contradiction", "b 0*: true"]);
    assert_eq!(
        refusals(&settled),
        ["`a` run 0: contradicts `two.json`: unscored; name the right file with outcomes"]
    );
}

#[test]
fn incomplete_is_no_word_against_a_verdict() {
    let left_out =
        file("x/s.json", json!({"submitted_ids": [], "completed_ids": [], "incomplete_ids": ["a"]}));
    let heads = logs(&["x/a.traj"]);
    assert_eq!(runs(&auto(&heads, &[left_out.clone(), summary("t.json", &["a"], &[])])), ["a 0*: true"]);
    assert_eq!(runs(&auto(&heads, &[left_out.clone(), winners("results.json", &["a"])])), ["a 0*: true"]);
    assert_eq!(runs(&auto(&heads, &[left_out])), ["a 0*: unscored:incomplete"]);
}

#[test]
fn reports_of_other_models_are_passed_over_and_listed() {
    let heads = logs(&["a.traj"]);
    let made = predictions("preds.json", &[("a", "x")]);
    let own = report("eval_results/acme__m/a/report.json", "a", true);
    let other = report("eval_results/other__m/a/report.json", "a", false);
    let settled = auto(&heads, &[made.clone(), own, other.clone()]);
    assert_eq!(runs(&settled), ["a 0*: true"]);
    assert_eq!(settled.other_models, ["eval_results/other__m/a/report.json"]);
    // Without the arm's own folder beside it nothing tells that the folder is a model.
    assert_eq!(runs(&auto(&heads, &[made.clone(), other.clone()])), ["a 0*: false"]);
    let named = Settings { outcomes_named: true, ..Settings::default() };
    let harness = report("logs/run_evaluation/r/other__m/a/report.json", "a", false);
    assert_eq!(runs(&auto(&heads, &[made.clone(), harness.clone()])), ["a 0*: unscored:no_outcome_file"]);
    assert_eq!(runs(&settle(&heads, &[made.clone(), harness], &named)), ["a 0*: false"], "the user named it");
    let summaries =
        [made, summary("acme__m.r.1.json", &["a"], &[]), summary("other__m.r.1.json", &[], &["a"])];
    assert_eq!(runs(&auto(&heads, &summaries)), ["a 0*: true"]);
}

#[test]
fn without_predictions_the_logs_tell_the_model() {
    let heads = [LogHead { model: Some("openai/acme-7b".to_owned()), ..log("a.traj") }];
    let own = report("logs/run_evaluation/r/acme-7b/a/report.json", "a", true);
    let other = report("logs/run_evaluation/r/acme-1b/a/report.json", "a", false);
    assert_eq!(runs(&auto(&heads, &[own, other])), ["a 0*: true"]);
}

// ---- scored

#[test]
fn an_empty_patch_fails_only_where_the_arm_was_graded() {
    let made = || predictions("preds.json", &[("a", ""), ("b", "x"), ("c", " \n")]);
    let left_out =
        || file("s.json", json!({"submitted_ids": [], "completed_ids": [], "incomplete_ids": ["a", "b"]}));
    let never = auto(&[], &[made()]);
    assert_eq!(
        runs(&never),
        ["a 0: unscored:no_outcome_file", "b 0: unscored:no_outcome_file", "c 0: unscored:no_outcome_file"]
    );
    assert_eq!(
        runs(&auto(&[], &[made(), left_out()])),
        ["a 0: unscored:incomplete", "b 0: unscored:incomplete", "c 0: unscored:not_listed"]
    );
    let graded = auto(&[], &[made(), left_out(), report("z/report.json", "d", true)]);
    assert_eq!(
        runs(&graded),
        ["a 0: false:empty_patch", "b 0: unscored:incomplete", "c 0: false:empty_patch", "d 0: true"]
    );
}

#[test]
fn the_log_alone_never_makes_a_verdict() {
    let empty = LogHead { patch_state: PatchState::Empty, patch: None, ..log("a.traj") };
    let settled = auto(&[empty, log("b.traj")], &[summary("s.json", &["b"], &[])]);
    assert_eq!(runs(&settled), ["a 0*: unscored:not_listed", "b 0*: true"]);
    assert_eq!(settled.logs[0].spoken, None, "no file speaks of it");
}

#[test]
fn a_verdict_beats_the_empty_patch_of_the_predictions() {
    let made = predictions("preds.json", &[("a", ""), ("b", "")]);
    let graded = file(
        "s.json",
        json!({"submitted_ids": ["a", "b"], "completed_ids": ["a"], "unresolved_ids": ["a"], "error_ids": ["b"]}),
    );
    assert_eq!(runs(&auto(&[], &[made, graded])), ["a 0: false", "b 0: unscored:error"]);
}

#[test]
fn rewards_are_held_against_the_threshold() {
    let line = |id: &str, reward: f64, resolved: Option<bool>| match resolved {
        Some(resolved) => json!({"instance_id": id, "reward": reward, "resolved": resolved}).to_string(),
        None => json!({"instance_id": id, "reward": reward}).to_string(),
    };
    let rows = [
        line("a", 1.0 - 1e-10, None),
        line("b", 0.999, None),
        line("c", 0.5, None),
        line("d", 0.5, Some(true)),
        line("e", 0.0, Some(true)),
        line("f", 1.0, Some(false)),
    ];
    let rows = text_file("outcomes.jsonl", &rows.join("\n"));
    let settled = auto(&[], std::slice::from_ref(&rows));
    assert_eq!(
        runs(&settled),
        [
            "a 0: true",
            "b 0: false",
            "c 0: false",
            "d 0: true",
            "e 0: unscored:contradiction",
            "f 0: unscored:contradiction",
        ]
    );
    assert_eq!(settled.runs[2].verdict.reward, Some(0.5));
    let half = settle(&[], &[rows], &Settings { resolved_at: 0.5, ..Settings::default() });
    assert_eq!(runs(&half)[..3], ["a 0: true", "b 0: true", "c 0: true"]);
}

#[test]
fn silence_has_a_reason() {
    let heads = logs(&["a.traj"]);
    assert_eq!(runs(&auto(&heads, &[])), ["a 0*: unscored:no_outcome_file"]);
    assert_eq!(
        runs(&auto(&heads, &[predictions("preds.json", &[("a", "x")])])),
        ["a 0*: unscored:no_outcome_file"]
    );
    let reports = [report("b/report.json", "b", true)];
    assert_eq!(runs(&auto(&heads, &reports)), ["a 0*: unscored:no_report", "b 0: true"]);
    let rows = [text_file("outcomes.jsonl", "{\"instance_id\":\"b\",\"resolved\":true}\n")];
    assert_eq!(runs(&auto(&heads, &rows)), ["a 0*: unscored:not_listed", "b 0: true"]);
}

// ---- duplicates: unequal numbers of logs, so that nothing is ranked

fn two_tries(files: &[OutcomeFile], duplicates: Duplicates) -> Settled {
    let started = |path: &str, at: i64| LogHead { started_at: Some(at), ..log(path) };
    let heads = [started("x/a.traj", 2), started("y/a.traj", 1), log("x/b.traj")];
    settle(&heads, files, &Settings { duplicates, ..Settings::default() })
}

#[test]
fn the_scored_one_of_two_tries_lives() {
    let settled = two_tries(&[report("y/report.json", "a", false)], Duplicates::Refuse);
    assert_eq!(settled.logs[0].fate, Fate::Superseded { by: 1 });
    assert_eq!(runs(&settled), ["a 0*: false", "b 0*: unscored:no_report"]);
    assert_eq!(settled.runs[0].log, Some(1));
}

#[test]
fn with_none_scored_the_last_started_lives() {
    let settled = two_tries(&[], Duplicates::Refuse);
    assert_eq!((settled.logs[0].fate, settled.logs[1].fate), (Fate::Live, Fate::Superseded { by: 0 }));
}

#[test]
fn two_scored_tries_are_a_conflict_unless_the_user_chose() {
    let files = [report("x/report.json", "a", true), report("y/report.json", "a", false)];
    let refused = two_tries(&files, Duplicates::Refuse);
    assert_eq!(refused.conflicts.len(), 1);
    assert_eq!(refused.conflicts[0].logs, [1, 0], "first started first");
    let first = two_tries(&files, Duplicates::First);
    assert!(first.conflicts.is_empty());
    assert_eq!(runs(&first)[0], "a 0*: false");
    assert_eq!(runs(&two_tries(&files, Duplicates::Last))[0], "a 0*: true");
    let as_runs = two_tries(&files, Duplicates::AsRuns);
    assert_eq!(runs(&as_runs)[..2], ["a 0*: false", "a 1*: true"]);
    assert_eq!(as_runs.coverage.superseded, 0);
}

#[test]
fn a_verdict_belongs_to_the_log_whose_patch_was_graded() {
    let graded = summary("s.json", &["a"], &[]);
    // Nothing tells the logs apart: the verdict is on both, which is a conflict.
    assert_eq!(two_tries(std::slice::from_ref(&graded), Duplicates::Refuse).conflicts.len(), 1);
    // The prediction has the patch of the second log (a stand-in: its path).
    let made = predictions("preds.json", &[("a", "y/a.traj\n")]);
    let settled = two_tries(&[graded.clone(), made], Duplicates::Refuse);
    assert!(settled.conflicts.is_empty());
    assert_eq!(settled.logs[0].fate, Fate::Superseded { by: 1 });
    // A prediction beside each log tells nothing of which was graded.
    let both = [
        predictions("x/p.json", &[("a", "x/a.traj")]),
        predictions("y/p.json", &[("a", "y/a.traj")]),
        graded.clone(),
    ];
    assert_eq!(two_tries(&both, Duplicates::Refuse).conflicts.len(), 1);
    // Only one log hands anything in.
    let without = LogHead { patch_state: PatchState::Missing, patch: None, ..log("y/a.traj") };
    let settled = auto(&[log("x/a.traj"), without, log("x/b.traj")], std::slice::from_ref(&graded));
    assert!(settled.conflicts.is_empty());
    assert_eq!(settled.logs[1].fate, Fate::Superseded { by: 0 });
    assert_eq!(runs(&settled)[0], "a 0*: true");
    // An empty patch was that of the log without one.
    let empty =
        file("s.json", json!({"submitted_ids": ["a"], "completed_ids": [], "empty_patch_ids": ["a"]}));
    let nothing = LogHead { patch_state: PatchState::Missing, patch: None, ..log("x/a.traj") };
    let settled = auto(&[nothing, log("y/a.traj"), log("x/b.traj")], &[empty]);
    assert!(settled.conflicts.is_empty());
    assert_eq!(settled.logs[1].fate, Fate::Superseded { by: 0 });
}

// ---- the design, order, coverage

#[test]
fn missing_runs_of_the_design_are_counted() {
    let heads = logs(&["run_0/a.traj", "run_1/a.traj", "run_2/a.traj", "run_0/b.traj"]);
    let settled = settle(&heads, &[], &Settings { expect_runs: Some(3), ..Settings::default() });
    assert_eq!(settled.short_instances, [("b".to_owned(), 2)]);
    assert_eq!(settled.coverage.missing_runs, 2);
    assert_eq!(auto(&heads, &[]).short_instances, []);
}

#[test]
fn an_arm_of_nothing_is_empty() {
    let settled = auto(&[], &[]);
    assert!(settled.runs.is_empty() && settled.problems.is_empty());
}

proptest! {
    /// The order in which a walk finds logs and files changes nothing.
    #[test]
    fn order_does_not_matter(seed in any::<u64>()) {
        let heads = logs(&["x/a.traj", "y/a.traj", "x/b.traj", "x/acme__C-1.traj", "run_3/d.traj", "run_4/d.traj"]);
        let files = vec![
            summary("one.json", &["a"], &["b"]),
            summary("two.json", &["acme__c-1"], &["a", "d"]),
            report("y/report.json", "a", true),
            winners("run_4/results.json", &[]),
            predictions("preds.json", &[("a", "y/a.traj"), ("e", "")]),
        ];
        let want = auto(&heads, &files);
        let shuffle = |len: usize| {
            let mut order: Vec<usize> = (0..len).collect();
            order.sort_by_key(|index| seed.wrapping_mul(2 * *index as u64 + 1).rotate_left(17) ^ seed);
            order
        };
        let log_order = shuffle(heads.len());
        let shuffled_logs: Vec<LogHead> = log_order.iter().map(|index| heads[*index].clone()).collect();
        let shuffled_files: Vec<OutcomeFile> = shuffle(files.len()).iter().map(|index| files[*index].clone()).collect();
        let got = auto(&shuffled_logs, &shuffled_files);
        prop_assert_eq!(runs(&got), runs(&want));
        prop_assert_eq!(&got.problems, &want.problems);
        for (position, index) in log_order.iter().enumerate() {
            prop_assert_eq!(&got.logs[position].spoken, &want.logs[*index].spoken);
        }
    }
}

/// One log of a session.
fn of_session(path: &str, format: &'static str, n_turns: i64) -> LogHead {
    LogHead { session_id: Some("5a".to_owned()), started_at: Some(1000), format, n_turns, ..log(path) }
}

/// The runs of an arm, and which of its logs live.
fn runs_and_lives(logs: &[LogHead]) -> (usize, Vec<bool>) {
    let settled = auto(logs, &[]);
    (settled.runs.len(), settled.logs.iter().map(|log| log.fate == Fate::Live).collect())
}

#[test]
fn what_was_printed_and_what_was_kept_of_a_session_are_one_run() {
    let printed = of_session("a/claude-code.txt", "claude-stream-json", 4);
    let kept = of_session("a/projects/5a.jsonl", "claude-code-session", 5);
    assert_eq!(runs_and_lives(&[printed, kept]), (1, vec![false, true]));
    // A list of what was done has more entries than a log of responses has turns.
    let listed = of_session("exec.jsonl", "codex-exec-json", 40);
    let rollout = of_session("rollout-5a.jsonl", "codex-rollout", 12);
    assert_eq!(runs_and_lives(&[listed, rollout]), (1, vec![false, true]));
}

#[test]
fn an_earlier_state_of_a_session_is_no_run_of_its_own() {
    let earlier = of_session("5a.checkpoint.7b.jsonl", "pi-session", 3);
    let whole = of_session("5a.jsonl", "pi-session", 9);
    assert_eq!(runs_and_lives(&[earlier, whole.clone()]), (1, vec![false, true]));
    // The same id with another beginning is another session: ids may be made up.
    let other = LogHead { started_at: Some(2000), ..of_session("6c.jsonl", "pi-session", 3) };
    assert_eq!(runs_and_lives(&[whole.clone(), other]).0, 2);
    // Numbered runs are what their paths say.
    let again = LogHead { run: Some(1), ..of_session("b/5a.jsonl", "claude-code-session", 9) };
    assert_eq!(runs_and_lives(&[LogHead { run: Some(0), ..whole }, again]).0, 2);
}

#[test]
fn responses_beside_a_log_are_its_responses() {
    let of = |path: &str, format, n_turns| LogHead {
        instance_id: Some("a__b-1".to_owned()),
        format,
        n_turns,
        ..log(path)
    };
    let row = of("output.jsonl", "openhands-output", 6);
    let responses = of("llm_completions/a__b-1", "openhands-completions", 7);
    assert_eq!(runs_and_lives(&[responses.clone(), row]), (1, vec![false, true]));
    assert_eq!(runs_and_lives(&[responses]), (1, vec![true]));
}
