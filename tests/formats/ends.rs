//! How runs end, and what was handed in (`definitions.md` §5, §6).

use super::{only, problems, read};
use ethogram::data::statuses::termination;
use ethogram::data::submissions::{SubmissionKind, submissions};
use ethogram::model::{Origin, PatchState, Termination, Trajectory};

fn step(action: &str, response: &str) -> String {
    serde_json::json!({"action": action, "observation": "seen", "response": response, "thought": "", "state": "{}"})
        .to_string()
}

fn swe_agent(steps: &[String], info: &str) -> Trajectory {
    only(&format!(r#"{{"trajectory":[{}],"info":{info}}}"#, steps.join(",")))
}

#[test]
fn every_status_of_the_sources_has_a_meaning() {
    use Termination::*;
    for (raw, want) in [
        ("submitted", Submitted),
        ("exit_command", GaveUp),
        ("exit_cost", CostLimit),
        ("exit_context", ContextLimit),
        ("exit_format", FormatErrors),
        ("exit_api", ModelError),
        ("exit_command_timeout", TimeLimit),
        ("exit_total_execution_time", TimeLimit),
        ("exit_environment_error", EnvironmentError),
        ("exit_error", EnvironmentError),
        ("exit_forfeit", GaveUp),
        ("early_exit", EnvironmentError),
    ] {
        assert_eq!(termination("swe-agent", raw), Some(want), "{raw}");
        let wrapped = swe_agent(
            &[step("ls", "r")],
            &format!(r#"{{"exit_status":"submitted ({raw})","submission":"d"}}"#),
        );
        assert_eq!((wrapped.termination, wrapped.auto_submitted), (want, true), "{raw}");
    }
    for (raw, want) in [
        ("Submitted", Submitted),
        ("LimitsExceeded", Limit),
        ("TimeExceeded", TimeLimit),
        ("RepeatedFormatError", FormatErrors),
        ("UserInterruption", Cancelled),
        ("RetryError", ModelError),
        ("ContextWindowExceededError", ContextLimit),
        ("FileNotFoundError", EnvironmentError),
    ] {
        assert_eq!(termination("mini-swe-agent", raw), Some(want), "{raw}");
    }
    assert_eq!(termination("mini-swe-agent", "submitted"), None);
    assert_eq!(termination("swe-agent", "SandboxVanishedError"), None);
}

#[test]
fn a_made_up_step_tells_the_end_whatever_the_status_says() {
    let zero = swe_agent(
        &[step("ls", "r"), step("exit_cost", "Exit due to cost limit")],
        r#"{"exit_status":"submitted","submission":"d"}"#,
    );
    assert_eq!((zero.termination, zero.auto_submitted, zero.turns.len()), (Termination::CostLimit, true, 1));
    assert_eq!((zero.steps, zero.submitting_turn), (Some(2), None));
    for (response, want) in [
        ("Exit due to context window", Termination::ContextLimit),
        ("Exit due to total execution time exceeded", Termination::TimeLimit),
        ("Exit due to retry error: no answer", Termination::ModelError),
        ("Exit due to repeated format/blocklist/bash syntax errors", Termination::FormatErrors),
        ("Exiting due to forfeit", Termination::GaveUp),
    ] {
        let run = swe_agent(
            &[step("ls", "r"), step("", response)],
            r#"{"exit_status":"submitted","submission":"d"}"#,
        );
        assert_eq!((run.termination, run.turns.len()), (want, 1), "{response}");
    }
    // Only the last step is made up, and an empty response alone is none.
    let earlier =
        swe_agent(&[step("", "Exit due to cost limit"), step("ls", "")], r#"{"exit_status":"submitted"}"#);
    assert_eq!(earlier.turns.len(), 2);
}

#[test]
fn the_turn_that_hands_in_is_the_last_that_asks_for_it() {
    let info = r#"{"exit_status":"submitted","submission":"diff --git a/a b/a"}"#;
    for (action, want) in [
        ("submit", Some(1)),
        ("cd ../../..\nsubmit", Some(1)),
        ("git add -A && submit", Some(1)),
        ("echo submit", None),
        ("succeed", None),
    ] {
        let run = swe_agent(&[step("submit", "first"), step(action, "r")], info);
        assert_eq!(run.submitting_turn, want, "{action}");
        assert_eq!(run.termination, Termination::Submitted);
    }
}

#[test]
fn patches_are_there_empty_or_missing() {
    let steps = [step("ls", "r")];
    for (info, want) in [
        (r#"{"exit_status":"submitted","submission":"\ndiff"}"#, PatchState::Nonempty),
        (r#"{"exit_status":"submitted","submission":" \n"}"#, PatchState::Empty),
        (r#"{"exit_status":"exit_cost","submission":null}"#, PatchState::Empty),
        (r#"{"exit_status":"exit_cost"}"#, PatchState::Empty),
        (r#"{"exit_status":null}"#, PatchState::Missing),
        ("{}", PatchState::Missing),
    ] {
        assert_eq!(swe_agent(&steps, info).patch_state, want, "{info}");
    }
}

#[test]
fn calls_beyond_the_steps_are_refusals_unless_a_role_handed_over() {
    let stats = r#""model_stats":{"api_calls":5,"total_cost":99,"instance_cost":1}"#;
    let run = swe_agent(
        &[step("ls", "r"), step("submit", "r")],
        &format!(r#"{{"exit_status":"submitted",{stats}}}"#),
    );
    assert_eq!((run.refusals.len(), run.cost_usd), (3, Some(1.0)));
    let open = swe_agent(&[step("ls", "r")], &format!("{{{stats}}}"));
    assert_eq!(open.refusals.len(), 0);
    let text = format!(
        r#"{{"trajectory":[{}],"info":{{"exit_status":"submitted",{stats}}}}}"#,
        step("succeed\n", "r")
    );
    let handed = read(text.as_bytes());
    assert_eq!(handed.trajectories[0].refusals.len(), 0);
    assert!(problems(&handed)[0].contains("a role handed over: 4 further calls"), "{:?}", problems(&handed));
}

#[test]
fn a_replay_calls_no_model() {
    let run =
        swe_agent(&[step("submit", "r")], r#"{"exit_status":"submitted","model_stats":{"api_calls":0}}"#);
    assert_eq!((run.turns[0].origin, run.shown_turns()), (Origin::Demo, 1));
}

fn mini(status: &str, stats: &str, limits: &str, submission: &str) -> Trajectory {
    only(&format!(
        r#"{{"info":{{"exit_status":"{status}","submission":"{submission}","model_stats":{stats},"config":{{"agent":{limits}}}}},
        "messages":[{{"role":"assistant","content":"```bash\nls\n```"}}],"trajectory_format":"mini-swe-agent-1"}}"#
    ))
}

#[test]
fn the_limit_is_the_one_that_was_reached() {
    let limits = r#"{"step_limit":250,"cost_limit":3.0}"#;
    for (stats, limits, want) in [
        (r#"{"api_calls":250,"instance_cost":1}"#, limits, Termination::StepLimit),
        (r#"{"api_calls":9,"instance_cost":3.02}"#, limits, Termination::CostLimit),
        (r#"{"api_calls":250,"instance_cost":3.02}"#, limits, Termination::Limit),
        (r#"{"api_calls":9,"instance_cost":1}"#, limits, Termination::Limit),
        (r#"{"api_calls":9,"instance_cost":1}"#, r#"{"step_limit":0,"cost_limit":0}"#, Termination::Limit),
        (r#"{"api_calls":9}"#, r#""name""#, Termination::Limit),
    ] {
        assert_eq!(mini("LimitsExceeded", stats, limits, "").termination, want, "{stats} {limits}");
    }
}

#[test]
fn an_error_text_is_no_patch_and_a_diff_after_an_error_is_one() {
    let error = mini("RetryError", "{}", "{}", "litellm.RetryError: gave up");
    assert_eq!((error.patch_state, error.patch, error.auto_submitted), (PatchState::Empty, None, false));
    let diff = mini("RetryError", "{}", "{}", "diff --git a/a b/a\\n");
    assert_eq!((diff.patch_state, diff.auto_submitted), (PatchState::Nonempty, true));
    let answer = mini("Submitted", "{}", "{}", "42");
    assert_eq!((answer.patch_state, answer.submitting_turn), (PatchState::Nonempty, Some(0)));
}

#[test]
fn scaffolds_hand_in_by_these_actions() {
    let of = |scaffold| submissions(scaffold).map(|one| (one.kind, one.action.as_str())).collect::<Vec<_>>();
    assert_eq!(of("swe-agent"), [(SubmissionKind::Command, "submit")]);
    assert_eq!(
        of("mini-swe-agent"),
        [
            (SubmissionKind::Marker, "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
            (SubmissionKind::Marker, "MINI_SWE_AGENT_FINAL_OUTPUT"),
        ]
    );
    assert_eq!(of("chat"), []);
}
