//! Small cases from public bug reports (`cases/parse` of the shared data), as far as these formats write them.

use super::{problems, read};
use crate::support::shared;
use ethogram::formats::Read;
use ethogram::model::{PatchState, Quality, Termination, Turn};
use std::path::PathBuf;

fn case(name: &str) -> Option<Vec<Read>> {
    let folder = shared(&format!("cases/parse/{name}/input"))?;
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    Some(paths.iter().map(|path| read(&std::fs::read(path).unwrap())).collect())
}

#[test]
fn nan_and_infinity_are_no_numbers() {
    let Some(found) = case("011-nan-infinity-huge-numbers") else { return };
    let run = &found[0].trajectories[0];
    assert_eq!((run.instance_id.as_deref(), run.turns.len()), (Some("acme__widget-1"), 2));
    assert_eq!((run.termination, run.cost_usd), (Termination::Submitted, None));
}

#[test]
fn numbers_in_quotes_are_numbers() {
    let Some(found) = case("017-numbers-as-strings") else { return };
    let run = &found[0].trajectories[0];
    assert_eq!((run.turns.len(), run.termination), (2, Termination::Submitted));
    assert_eq!(run.turns[0].calls[0].exit_code, Some(1));
    assert_eq!((run.cost_usd, run.api_calls), (Some(0.02), Some(2)));
    assert_eq!(run.turns[0].logged_at, Some(1_767_600_000_500));
}

#[test]
fn malformed_arguments_are_kept_and_parsable() {
    let Some(found) = case("018-tool-arguments-malformed") else { return };
    let calls: Vec<_> = found[0].trajectories[0].turns.iter().map(|turn| &turn.calls[0]).collect();
    let inputs: Vec<_> = calls.iter().map(|call| call.input.as_str()).collect();
    assert_eq!(inputs, ["ls", "cat a.py", "{\"command\": \"sed -i s/1/2/ a.p", "sed -i s/1/2/ a.py"]);
    let qualities: Vec<_> = calls.iter().map(|call| call.quality).collect();
    assert_eq!(qualities, [Quality::Valid, Quality::Valid, Quality::Parsable, Quality::Valid]);
}

#[test]
fn events_of_codex_repeat_its_items() {
    let Some(found) = case("025-codex-events-repeat-items") else { return };
    let run = &found[0].trajectories[0];
    assert_eq!(run.model.as_deref(), Some("acme-codex"));
    let codes = |turn: &Turn| turn.calls.iter().map(|call| call.exit_code).collect::<Vec<_>>();
    let turns: Vec<_> = run.turns.iter().map(codes).collect();
    assert_eq!(turns, [vec![Some(0)], vec![Some(1)], vec![]]);
    // The record of the count is written twice.
    assert_eq!((run.turns[0].tokens_out, run.tokens_out), (Some(50), Some(50)));
}

#[test]
fn made_up_steps_and_killed_runs() {
    let Some(found) = case("026-swe-agent-made-up-step-and-no-status") else { return };
    let cut = &found[0].trajectories[0];
    assert_eq!((cut.steps, cut.turns.len(), cut.termination), (Some(4), 3, Termination::CostLimit));
    assert!(cut.auto_submitted);
    assert_eq!(cut.raw_exit_status.as_deref(), Some("submitted (exit_cost)"));
    let qualities: Vec<_> = cut.turns.iter().map(|turn| (turn.quality(), turn.calls.len())).collect();
    assert_eq!(qualities, [(Quality::Valid, 1), (Quality::Unparsable, 0), (Quality::Valid, 1)]);
    let killed = &found[1].trajectories[0];
    assert_eq!((killed.turns.len(), killed.termination), (2, Termination::Incomplete));
    assert_eq!((killed.raw_exit_status.as_deref(), killed.auto_submitted), (None, false));
    assert_eq!(killed.patch_state, PatchState::Missing);
}

#[test]
fn unknown_ends_are_unknown_and_error_texts_are_no_patches() {
    let Some(found) = case("027-unknown-status-and-error-as-submission") else { return };
    let unknown = &found[0].trajectories[0];
    assert_eq!((unknown.turns.len(), unknown.termination), (1, Termination::Unknown));
    assert_eq!(unknown.raw_exit_status.as_deref(), Some("SandboxVanishedError"));
    assert_eq!((unknown.patch_state, unknown.patch.as_deref()), (PatchState::Empty, None));
    assert_eq!(
        problems(&found[0]),
        ["note : exit status `SandboxVanishedError` is of no known meaning: its end is unknown"]
    );
    let running = &found[1].trajectories[0];
    assert_eq!((running.turns.len(), running.termination), (1, Termination::Incomplete));
    assert_eq!((running.raw_exit_status.as_deref(), running.patch_state), (None, PatchState::Missing));
}
