//! Trials of Harbor and Terminal-Bench: their runs, their logs and their verdicts (`definitions.md` §1 run number, §7 scored;
//! `formats-other.md` §1, §2). Expected values are worked out by hand.

use ethogram::model::{FailedReason, InstanceSource, RunSource, UnscoredReason, Verdict, Weight};
use ethogram::outcomes::{
    Fate, LogHead, OutcomeFile, Settings, Settled, Trial, TrialFolders, needs_parent, recognise, settle,
};
use serde_json::{Value, json};

use super::settle::log;

fn file(path: &str, content: Value) -> OutcomeFile {
    let bytes = content.to_string();
    let shape =
        recognise(path, bytes.as_bytes()).unwrap_or_else(|| panic!("{path} is no outcome file: {bytes}"));
    (shape.read)(path, bytes.as_bytes())
}

/// Harbor's record of a trial in `folder`, started in this minute.
fn harbor(
    folder: &str,
    task: &str,
    minute: i64,
    reward: Option<f64>,
    exception: Option<&str>,
) -> OutcomeFile {
    let name = folder.rsplit('/').next().unwrap();
    let rewards = reward.map(|reward| json!({"rewards": {"reward": reward}}));
    let exception = exception.map(|name| json!({"exception_type": name}));
    file(
        &format!("{folder}/result.json"),
        json!({"id": name, "trial_name": name, "task_name": task, "agent_info": {"name": "acme-agent"},
            "verifier_result": rewards, "exception_info": exception,
            "started_at": format!("2026-01-05T10:{minute:02}:00Z")}),
    )
}

/// One trial of Terminal-Bench as record; `id` makes copies equal.
fn tb_record(task: &str, name: &str, resolved: Value, mode: &str) -> Value {
    json!({"id": format!("id of {name}"), "trial_name": name, "task_id": task, "instruction": "",
        "is_resolved": resolved, "failure_mode": mode, "parser_results": {"a": "passed"}})
}

fn tb(run: &str, task: &str, name: &str, resolved: Value) -> OutcomeFile {
    file(&format!("{run}/{task}/{name}/results.json"), tb_record(task, name, resolved, "unset"))
}

fn tb_run(path: &str, records: &[Value]) -> OutcomeFile {
    file(path, json!({"results": records, "n_resolved": 0, "n_unresolved": 0, "accuracy": 0.0}))
}

fn auto(logs: &[LogHead], files: &[OutcomeFile]) -> Settled {
    let heads: Vec<LogHead> = logs.iter().map(|log| placed(log.clone(), files)).collect();
    settle(&heads, files, &Settings::default())
}

/// A log with the trial in which it lies, as the steps of a study find it.
fn placed(log: LogHead, files: &[OutcomeFile]) -> LogHead {
    LogHead { trial: TrialFolders::of(files).of_path(&log.file).map(|trial| trial.folder.clone()), ..log }
}

pub fn words(verdict: &Verdict) -> String {
    match (&verdict.unscored_reason, verdict.resolved) {
        (Some(reason), _) => reason.as_str().to_owned(),
        (None, Some(resolved)) => resolved.to_string(),
        (None, None) => "open".to_owned(),
    }
}

/// `instance run by source: verdict`, `*` where the run has a log.
fn runs(settled: &Settled) -> Vec<String> {
    let line = |run: &ethogram::outcomes::SettledRun| {
        let mark = if run.log.is_some() { "*" } else { "" };
        let (id, number, source) = (&run.instance_id, run.run, run.run_source.as_str());
        format!("{id} {number}{mark} by {source}: {}", words(&run.verdict))
    };
    settled.runs.iter().map(line).collect()
}

fn told(settled: &Settled, weight: Weight) -> Vec<&str> {
    let problems = settled.problems.iter().filter(|problem| problem.weight == weight);
    problems.map(|problem| problem.what.as_str()).collect()
}

// ---- which trial a log lies in

#[test]
fn a_path_lies_in_the_deepest_trial_that_holds_it() {
    let files =
        [harbor("J/a__1", "a", 0, Some(1.0), None), harbor("J/a__1/inner/b__2", "b", 0, Some(0.0), None)];
    let trials = TrialFolders::of(&files);
    let of = |path: &str| trials.of_path(path).map(|trial| trial.folder.as_str());
    assert_eq!(of("J/a__1/agent/trajectory.json"), Some("J/a__1"));
    assert_eq!(of("J/a__1/inner/b__2/agent/x.jsonl"), Some("J/a__1/inner/b__2"));
    assert_eq!(of("J/a__10/agent/trajectory.json"), None, "a name that begins alike");
    assert_eq!(of("J/job.log"), None);
}

#[test]
fn a_root_that_is_a_trial_or_lies_in_one_is_held_by_it() {
    let is_root = [file(
        "result.json",
        json!({"trial_name": "a__1", "task_name": "a", "agent_info": {},
        "verifier_result": {"rewards": {"reward": 1}}}),
    )];
    assert_eq!(runs(&auto(&[log("agent/trajectory.json")], &is_root)), ["a 0* by rank: true"]);
    let above = [file(
        "../result.json",
        json!({"trial_name": "a__1", "task_name": "a", "agent_info": {},
        "verifier_result": {"rewards": {"reward": 0}}}),
    )];
    assert_eq!(runs(&auto(&[log("trajectory.json")], &above)), ["a 0* by rank: false"]);
}

#[test]
fn trials_beside_the_root_make_no_runs() {
    let job = [file(
        "../result.json",
        json!({"n_total_trials": 2, "stats": {"evals": {"x": {"reward_stats": {"reward":
            {"1.0": ["a__1"], "0.0": ["b__2"]}}}}}}),
    )];
    let head = LogHead { instance_id: Some("a".to_owned()), ..log("agent/trajectory.json") };
    let settled = auto(&[head], &job);
    assert_eq!(runs(&settled), ["a 0* by rank: true"]);
}

#[test]
fn trials_hold_verdicts_so_that_the_parent_is_not_searched() {
    assert!(!needs_parent(&[harbor("J/a__1", "a", 0, None, None)]));
}

// ---- runs

#[test]
fn a_trial_without_a_log_is_a_run_with_its_outcome() {
    let files = [
        harbor("J/a__1", "a", 0, Some(1.0), Some("AgentTimeoutError")),
        harbor("J/b__2", "b", 0, None, None),
    ];
    let settled = auto(&[log("J/b__2/agent/trajectory.json")], &files);
    assert_eq!(runs(&settled), ["a 0 by rank: true", "b 0* by rank: null"]);
    assert_eq!(settled.runs[0].source, Some(("harbor-trial", "J/a__1/result.json".to_owned())));
    assert_eq!(settled.logs[0].instance_source, InstanceSource::Log);
}

#[test]
fn attempts_of_one_job_are_ranked_by_start_time() {
    let files = [
        harbor("J/a__1", "a", 9, Some(1.0), None),
        harbor("J/a__2", "a", 3, Some(0.0), None),
        harbor("J/a__3", "a", 5, None, Some("VerifierTimeoutError")),
        harbor("J/b__4", "b", 1, Some(1.0), None),
    ];
    let settled = auto(&[log("J/a__1/agent/trajectory.json")], &files);
    assert_eq!(
        runs(&settled),
        [
            "a 0 by rank: false",
            "a 1 by rank: VerifierTimeoutError",
            "a 2* by rank: true",
            "b 0 by rank: true"
        ]
    );
}

#[test]
fn k_of_n_is_the_run_of_a_single_job() {
    let files = [tb("R", "a", "a.3-of-5.R", json!(true)), tb("R", "a", "a.1-of-5.R", json!(null))];
    assert_eq!(runs(&auto(&[], &files)), ["a 0 by log: null", "a 2 by log: true"]);
}

#[test]
fn jobs_are_ranked_and_a_missing_trial_leaves_its_number_unused() {
    // Without times the jobs stand as people count their folders; the first takes 2 numbers, the others 1.
    let files = [
        tb("run-x2", "a", "a.1-of-2.r2", json!(true)),
        tb("run-x2", "a", "a.2-of-2.r2", json!(false)),
        tb("run-x2", "b", "b.1-of-2.r2", json!(true)),
        tb("run-x10", "a", "a.1-of-1.r10", json!(true)),
        tb("run-x11", "a", "a.1-of-1.r11", json!(false)),
        tb("run-x11", "b", "b.1-of-1.r11", json!(true)),
    ];
    assert_eq!(
        runs(&auto(&[], &files)),
        [
            "a 0 by rank: true",
            "a 1 by rank: false",
            "a 2 by rank: true",
            "a 3 by rank: false",
            "b 0 by rank: true",
            "b 3 by rank: true"
        ]
    );
}

#[test]
fn jobs_with_times_are_ranked_by_their_first_trial() {
    let files = [
        harbor("job-a/a__1", "a", 30, Some(1.0), None),
        harbor("job-b/a__2", "a", 20, Some(0.0), None),
        harbor("job-b/b__3", "b", 10, Some(0.0), None),
    ];
    assert_eq!(
        runs(&auto(&[], &files)),
        ["a 0 by rank: false", "a 1 by rank: true", "b 0 by rank: false"],
        "job-b started first, with b"
    );
}

#[test]
fn jobs_whose_folders_are_numbered_have_these_numbers() {
    let files = [
        harbor("run_1/a__1", "a", 30, Some(1.0), None),
        harbor("run_3/a__2", "a", 20, Some(0.0), None),
        harbor("run_3/b__2", "b", 20, Some(0.0), None),
    ];
    assert_eq!(runs(&auto(&[], &files)), ["a 0 by path: true", "a 2 by path: false", "b 2 by path: false"]);
}

#[test]
fn run_files_in_one_folder_are_runs_of_their_own() {
    let files = [
        tb_run("2025-08-27_results.json", &[tb_record("a", "a.1-of-1.r1", json!(true), "unset")]),
        tb_run("2025-08-29_results.json", &[tb_record("a", "a.1-of-1.r2", json!(false), "unset")]),
    ];
    assert_eq!(runs(&auto(&[], &files)), ["a 0 by rank: true", "a 1 by rank: false"]);
}

// ---- what is told twice

#[test]
fn a_list_adds_what_no_trial_says_and_nothing_else() {
    let list = tb_run(
        "R/results.json",
        &[
            tb_record("a", "a.1-of-1.R", json!(true), "unset"),
            tb_record("b", "b.1-of-1.R", json!(null), "parse_error"),
        ],
    );
    let files = [tb("R", "a", "a.1-of-1.R", json!(true)), list];
    let settled = auto(&[], &files);
    assert_eq!(runs(&settled), ["a 0 by log: true", "b 0 by log: parse_error"]);
    assert_eq!(settled.runs[0].source.as_ref().unwrap().0, "terminal-bench-trial");
    assert_eq!(settled.runs[1].source.as_ref().unwrap().0, "terminal-bench-run");
}

#[test]
fn a_job_tells_trials_whose_folders_are_gone() {
    let job = file(
        "J/result.json",
        json!({"n_total_trials": 3, "stats": {"evals": {"x": {
            "reward_stats": {"reward": {"1.0": ["a__1", "b__2"], "0.0": ["c__3"]}},
            "exception_stats": {"AgentTimeoutError": ["b__2"], "CancelledError": ["c__3"]}}}}}),
    );
    let settled = auto(&[], &[harbor("J/a__1", "a", 0, Some(1.0), None), job]);
    assert_eq!(runs(&settled), ["a 0 by rank: true", "b 0 by rank: true", "c 0 by rank: CancelledError"]);
    assert_eq!(settled.coverage.scored, 2);
}

#[test]
fn a_nested_run_that_repeats_another_is_dropped() {
    let names = ["a", "b"].map(|task| (task, format!("{task}.1-of-1.R1")));
    let records: Vec<Value> =
        names.iter().map(|(task, name)| tb_record(task, name, json!(true), "unset")).collect();
    let mut files = vec![tb_run("R1/results.json", &records), tb_run("R2/R1/results.json", &records)];
    files.extend(names.iter().map(|(task, name)| tb("R2/R1", task, name, json!(true))));
    files.push(tb("R2", "a", "a.1-of-1.R2", json!(false)));
    let mut copied = log("R2/R1/a/a.1-of-1.R1/agent-logs/x.jsonl");
    copied.content = blake3::hash(b"the same");
    let settled = auto(&[copied], &files);
    assert_eq!(runs(&settled), ["a 0* by rank: true", "a 1 by rank: false", "b 0 by rank: true"]);
}

#[test]
fn copies_that_contradict_each_other_are_unscored() {
    let files = [tb("R1", "a", "a.1-of-1.R1", json!(true)), tb("old/R1", "a", "a.1-of-1.R1", json!(false))];
    let settled = auto(&[], &files);
    assert_eq!(runs(&settled), ["a 0 by log: contradiction"]);
    assert_eq!(
        told(&settled, Weight::Refused),
        ["trial `a.1-of-1.R1`: contradicts its copy in `old/R1/a/a.1-of-1.R1/results.json`: unscored"]
    );
}

#[test]
fn names_alone_make_no_copies_where_trials_have_ids() {
    let mut other = tb_record("a", "a.1-of-1.mine", json!(false), "unset");
    other["id"] = json!("another");
    let files =
        [tb("seed-a", "a", "a.1-of-1.mine", json!(true)), file("seed-b/a/a.1-of-1.mine/results.json", other)];
    assert_eq!(runs(&auto(&[], &files)), ["a 0 by rank: true", "a 1 by rank: false"]);
}

#[test]
fn the_reward_file_counts_only_where_the_record_is_missing() {
    let reward = |folder: &str| {
        let path = format!("{folder}/verifier/reward.txt");
        (recognise(&path, b"1\n").unwrap().read)(&path, b"1\n")
    };
    let files = [
        harbor("J/a__1", "a", 0, None, Some("RewardFileNotFoundError")),
        reward("J/a__1"),
        reward("J/b__2"),
        file(
            "J/result.json",
            json!({"n_total_trials": 3, "stats": {"evals": {"x": {"exception_stats": {"CancelledError": ["c__3"]}}}}}),
        ),
        reward("J/c__3"),
    ];
    assert_eq!(
        runs(&auto(&[], &files)),
        ["a 0 by rank: RewardFileNotFoundError", "b 0 by rank: true", "c 0 by rank: CancelledError"]
    );
}

#[test]
fn a_name_that_was_cut_is_made_whole_where_a_record_has_it_whole() {
    let cut = "a-very-long-name-of-a-task-that-";
    let job = file(
        "J/result.json",
        json!({"n_total_trials": 2, "stats": {"evals": {"x": {"reward_stats": {"reward":
            {"1.0": [format!("{cut}__2"), "another-very-long-name-of-a-task__3"]}}}}}}),
    );
    let files =
        [harbor(&format!("J/{cut}__1"), "a-very-long-name-of-a-task-that-goes-on", 0, Some(0.0), None), job];
    let settled = auto(&[], &files);
    assert_eq!(
        runs(&settled),
        [
            "a-very-long-name-of-a-task-that-goes-on 0 by rank: false",
            "a-very-long-name-of-a-task-that-goes-on 1 by rank: true",
            "another-very-long-name-of-a-task 0 by rank: true"
        ]
    );
    let notes = told(&settled, Weight::Note);
    assert!(notes.iter().any(|what| what.contains("may be cut")), "{notes:?}");
}

#[test]
fn trials_of_several_systems_in_one_arm_are_noted() {
    let of = |folder: &str, model: &str| {
        file(
            &format!("{folder}/result.json"),
            json!({"trial_name": folder, "task_name": "a", "verifier_result": {"rewards": {"reward": 1}},
                "agent_info": {"name": "acme-agent", "model_info": {"provider": "acme", "name": model}}}),
        )
    };
    let settled = auto(&[], &[of("a__1", "large"), of("a__2", "small")]);
    let notes = told(&settled, Weight::Note);
    assert!(notes.iter().any(|what| what.contains("acme-agent with acme/large, acme-agent with acme/small")));
}

// ---- logs of a trial

#[test]
fn of_several_logs_of_a_trial_one_lives() {
    let trial = [harbor("J/a__1", "a", 0, Some(1.0), None)];
    let of = |name: &str, format: &'static str, n_turns: i64| LogHead {
        format,
        n_turns,
        ..log(&format!("J/a__1/agent/{name}"))
    };
    let copy = LogHead { content: blake3::hash(b"session"), ..of("openclaw-session.jsonl", "pi", 40) };
    let session = LogHead { file: "J/a__1/agent/sessions/x.jsonl".to_owned(), ..copy.clone() };
    let checkpoint = of("sessions/x.checkpoint.y.jsonl", "pi", 25);
    let atif = of("trajectory.json", "atif", 38);
    let settled = auto(&[copy.clone(), session.clone(), checkpoint.clone(), atif.clone()], &trial);
    let fates: Vec<Fate> = settled.logs.iter().map(|log| log.fate).collect();
    assert_eq!(
        fates,
        [Fate::Superseded { by: 3 }, Fate::Copy { of: 0 }, Fate::Superseded { by: 3 }, Fate::Live]
    );
    assert_eq!(runs(&settled), ["a 0* by rank: true"]);
    assert_eq!(settled.runs[0].log, Some(3));
    assert_eq!((settled.coverage.copies, settled.coverage.superseded), (1, 2));
    assert!(settled.conflicts.is_empty());

    let without_atif = auto(&[checkpoint.clone(), copy, session], &trial);
    assert_eq!(without_atif.runs[0].log, Some(1), "the session with most turns");

    let empty = LogHead { n_turns: 0, ..atif };
    let settled = auto(&[empty, checkpoint], &trial);
    assert_eq!(settled.runs[0].log, Some(1), "a shared form without turns shows nothing");
}

#[test]
fn what_was_typed_stands_behind_any_log() {
    let trial = [tb("R", "a", "a.1-of-1.R", json!(true))];
    let typed =
        LogHead { format: "terminal-bench-commands", n_turns: 90, ..log("R/a/a.1-of-1.R/commands.txt") };
    let session = LogHead { format: "claude-code", n_turns: 4, ..log("R/a/a.1-of-1.R/agent-logs/x.jsonl") };
    assert_eq!(auto(&[typed.clone(), session], &trial).runs[0].log, Some(1));
    assert_eq!(auto(&[typed], &trial).runs[0].log, Some(0));
}

#[test]
fn a_log_takes_instance_run_and_verdict_of_its_trial() {
    let files =
        [harbor("J/a__1", "task-a", 0, Some(0.0), None), harbor("J/a__2", "task-a", 5, Some(1.0), None)];
    let says = LogHead {
        instance_id: Some("another".to_owned()),
        run: Some(7),
        session_id: Some("s".to_owned()),
        verdict: Some(Verdict::scored(false)),
        ..log("J/a__2/agent/run_4/trajectory.json")
    };
    let settled = auto(&[says], &files);
    assert_eq!(runs(&settled), ["task-a 0 by rank: false", "task-a 1* by rank: true"]);
    let notes = told(&settled, Weight::Note);
    assert!(notes.iter().any(|what| what.contains("says the opposite")), "{notes:?}");
}

#[test]
fn the_report_in_a_trial_lends_its_tests_and_never_its_verdict() {
    let report = |folder: &str| {
        file(
            &format!("{folder}/verifier/report.json"),
            json!({"acme__a-1": {"patch_successfully_applied": true, "resolved": true, "tests_status":
                {"FAIL_TO_PASS": {"success": ["t"], "failure": []}, "PASS_TO_PASS": {"success": [], "failure": []}}}}),
        )
    };
    let valid =
        auto(&[], &[harbor("J/acme__a-1__X", "acme__a-1", 0, Some(1.0), None), report("J/acme__a-1__X")]);
    assert_eq!(runs(&valid), ["acme__a-1 0 by rank: true"]);
    assert_eq!(valid.runs[0].verdict.tests.len(), 1);
    assert_eq!(valid.runs[0].verdict.applied, Some(true));
    let cancelled = Some("CancelledError");
    let invalid = auto(
        &[],
        &[harbor("J/acme__a-1__X", "acme__a-1", 0, Some(1.0), cancelled), report("J/acme__a-1__X")],
    );
    assert_eq!(runs(&invalid), ["acme__a-1 0 by rank: CancelledError"]);
}

#[test]
fn the_arms_threshold_holds_for_rewards_of_trials() {
    let files = [harbor("J/a__1", "a", 0, Some(0.5), None)];
    assert_eq!(runs(&auto(&[], &files)), ["a 0 by rank: false"]);
    let lenient = Settings { resolved_at: 0.5, ..Settings::default() };
    let settled = settle(&[], &files, &lenient);
    assert_eq!(runs(&settled), ["a 0 by rank: true"]);
    assert_eq!(settled.runs[0].verdict.reward, Some(0.5));
}

#[test]
fn every_exception_of_the_policy_table() {
    let verdict =
        |name: &str| words(&auto(&[], &[harbor("J/a__1", "a", 0, Some(0.0), Some(name))]).runs[0].verdict);
    for valid in [
        "AgentTimeoutError",
        "NonZeroAgentExitCodeError",
        "ContextLengthExceededError",
        "OutputLengthExceededError",
        "SomethingNobodyKnowsError",
    ] {
        assert_eq!(verdict(valid), "false", "{valid}");
    }
    for invalid in [
        "EnvironmentStartTimeoutError",
        "EnvironmentBuildTimeoutError",
        "AgentSetupTimeoutError",
        "ApiRateLimitError",
        "VerifierTimeoutError",
        "VerifierOutputParseError",
        "RewardFileNotFoundError",
        "RewardFileEmptyError",
        "CancelledError",
    ] {
        assert_eq!(verdict(invalid), invalid);
    }
}

// ---- what logs say of themselves

#[test]
fn a_log_that_says_its_outcome_is_scored_by_it() {
    let says = |path: &str, verdict: Verdict| LogHead { verdict: Some(verdict), ..log(path) };
    let reward = Verdict { resolved: None, reward: Some(1.0), ..Verdict::scored(false) };
    let masked = Verdict::unscored(UnscoredReason::MaskSample);
    let heads = [says("a.traj", reward), says("b.traj", masked), log("c.traj")];
    let settled = auto(&heads, &[]);
    assert_eq!(
        runs(&settled),
        ["a 0* by rank: true", "b 0* by rank: mask_sample", "c 0* by rank: no_outcome_file"]
    );
    assert_eq!(settled.runs[0].source, Some(("mini-swe-agent-2", "a.traj".to_owned())));
}

#[test]
fn a_log_and_a_report_that_contradict_each_other_leave_the_run_unscored() {
    let says = LogHead { verdict: Some(Verdict::scored(true)), ..log("logs/deep/a.traj") };
    let rows = |resolved: bool| {
        let row = json!({"instance_id": "a", "resolved": resolved}).to_string();
        (recognise("outcomes.jsonl", row.as_bytes()).unwrap().read)("outcomes.jsonl", row.as_bytes())
    };
    let settled = auto(std::slice::from_ref(&says), &[rows(false)]);
    assert_eq!(runs(&settled), ["a 0* by rank: contradiction"]);
    assert_eq!(told(&settled, Weight::Refused).len(), 1);
    assert_eq!(runs(&auto(std::slice::from_ref(&says), &[rows(true)])), ["a 0* by rank: true"]);
    // A summary weighs less than the log; what the user names settles it.
    let summary =
        file("s.json", json!({"submitted_ids": ["a"], "resolved_ids": [], "unresolved_ids": ["a"]}));
    assert_eq!(runs(&auto(std::slice::from_ref(&says), &[summary])), ["a 0* by rank: true"]);
    let named = Settings { outcomes_named: true, ..Settings::default() };
    assert_eq!(runs(&settle(&[says], &[rows(false)], &named)), ["a 0* by rank: false"]);
}

#[test]
fn an_empty_prediction_does_not_overrule_what_the_log_says() {
    let says = LogHead { verdict: Some(Verdict::scored(true)), ..log("a.traj") };
    let empty =
        file("preds.json", json!({"a": {"instance_id": "a", "model_name_or_path": "m", "model_patch": ""}}));
    let settled = auto(&[says, log("b.traj")], &[empty]);
    assert_eq!(settled.runs[0].verdict, Verdict::scored(true));
    assert_ne!(settled.runs[1].verdict.failed_reason, Some(FailedReason::EmptyPatch));
}

// ---- samples and sessions

#[test]
fn samples_of_unequal_number_are_ranked_and_other_logs_are_not() {
    let sample = |place: &str, ordinal: usize, id: &str| LogHead {
        place: place.to_owned(),
        ordinal,
        instance_id: Some(id.to_owned()),
        is_sample: true,
        content: blake3::hash(place.as_bytes()),
        ..log("rollouts.jsonl")
    };
    let rows = [sample("line 1", 0, "a"), sample("line 2", 1, "b"), sample("line 3", 2, "a")];
    let places = |heads: &[LogHead]| -> Vec<(String, i64, RunSource)> {
        let settled = auto(heads, &[]);
        settled.logs.iter().map(|log| (log.instance_id.clone(), log.run, log.run_source)).collect()
    };
    let rank = RunSource::Rank;
    assert_eq!(places(&rows), [("a".into(), 0, rank), ("b".into(), 0, rank), ("a".into(), 1, rank)]);
    let logs = rows.map(|row| LogHead { is_sample: false, ..row });
    assert_eq!(places(&logs), [("a".into(), 0, rank), ("b".into(), 0, rank), ("a".into(), 0, rank)]);
}

#[test]
fn a_trial_is_plain_data_that_says_what_is_not_known() {
    let trials: Vec<Trial> = harbor("J/a__1", "a", 0, None, None).trials;
    let [trial] = trials.as_slice() else { panic!("one trial") };
    assert_eq!((trial.tokens_in, trial.model.as_deref(), trial.raw_status.as_deref()), (None, None, None));
}
