//! Behaviours of testing and of what follows a failure (`definitions.md` §5, §6).

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::facts::{NotRunReason, TestOutcome};
use crate::model::{PatchState, TagName, Termination};
use crate::tags::{EventKind, Example, Fate, test_failures};

/// Tested.
pub const ACTIVE_TESTING: Behaviour = Behaviour {
    code: "active_testing",
    name: "active testing",
    meaning: "at least one testing call by the model of any outcome but not_run for missing, usage or skipped",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Testing),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| Measured::of(evidence.tests_that_ran().next().is_some())),
    examples: &[
        Example {
            name: "runs the suite",
            log: "run pytest -q -> 0: 3 passed in 0.1s\n#! run: active_testing 1/1\n",
        },
        Example {
            name: "the runner is missing",
            log: "run pytest -q -> 127: bash: pytest: command not found\n#! run: active_testing 0/1\n",
        },
    ],
};

/// The runner was missing.
pub const RUNNER_MISSING: Behaviour = Behaviour {
    code: "runner_missing",
    name: "runner missing",
    meaning: "at least one testing call whose runner, module or script was missing",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Testing),
    better: Better::Down,
    twin_of: None,
    count: Some(|evidence| {
        Measured::of(evidence.facts.test_runs.iter().any(|run| {
            evidence.is_model(run.place.turn)
                && run.outcome == TestOutcome::NotRun
                && run.reason == Some(NotRunReason::Missing)
        }))
    }),
    examples: &[
        Example {
            name: "no pytest",
            log: "run pytest -q -> 127: bash: pytest: command not found\n#! run: runner_missing 1/1\n",
        },
        Example { name: "it ran", log: "run pytest -q -> 0: 3 passed in 0.1s\n#! run: runner_missing 0/1\n" },
    ],
};

/// Tested after the last edit.
pub const TEST_AFTER_EDIT: Behaviour = Behaviour {
    code: "test_after_edit",
    name: "test after edit",
    meaning: "a test ran after the last effective source edit (reverts included), among runs with an autonomous edit",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Testing),
    better: Better::Up,
    twin_of: None,
    count: Some(test_after_edit),
    examples: &[
        Example {
            name: "edit, then test",
            log: "edit src/a.py -> ok\nrun pytest -q -> 0: 3 passed in 0.1s\n#! run: test_after_edit 1/1\n",
        },
        Example {
            name: "test, then edit",
            log: "run pytest -q -> 0: 3 passed in 0.1s\nedit src/a.py -> ok\n#! run: test_after_edit 0/1\n",
        },
        Example {
            name: "without an edit it does not apply",
            log: "run pytest -q -> 0: 3 passed in 0.1s\n#! run: test_after_edit 0/0\n",
        },
    ],
};

fn test_after_edit(evidence: &Evidence) -> Measured {
    let last = evidence.last_source_edit();
    let tested = evidence.tests_that_ran().any(|run| Some(run.place) >= last);
    Measured::given(evidence.has_autonomous_edit(), tested)
}

/// Verified what it handed in.
pub const VERIFIED_SUBMISSION: Behaviour = Behaviour {
    code: "verified_submission",
    name: "verified submission",
    meaning: "a passing test after the last effective source edit, then submission of a non-empty patch, among explicit \
              submissions with an autonomous edit",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Testing),
    better: Better::Up,
    twin_of: None,
    count: Some(verified_submission),
    examples: &[
        Example {
            name: "edit, pass, submit",
            log: "edit src/a.py -> ok\nrun pytest -q -> 0: 3 passed in 0.1s\nsubmit -> ok\n\
                  #! run: verified_submission 1/1\n",
        },
        Example {
            name: "the test failed",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nsubmit -> ok\n\
                  #! run: verified_submission 0/1\n",
        },
        Example { name: "nothing handed in", log: "edit src/a.py -> ok\n#! run: verified_submission 0/0\n" },
    ],
};

fn verified_submission(evidence: &Evidence) -> Measured {
    let submitted = evidence.trajectory.termination == Termination::Submitted;
    let last = evidence.last_source_edit();
    let passed = evidence.facts.test_runs.iter().any(|run| {
        evidence.is_model(run.place.turn) && run.outcome == TestOutcome::Pass && Some(run.place) >= last
    });
    let has_patch = !matches!(evidence.facts.patch_state, PatchState::Empty | PatchState::Foreign);
    Measured::given(submitted && evidence.has_autonomous_edit(), passed && has_patch)
}

fn failed_test_events<'a>(evidence: &'a Evidence) -> impl Iterator<Item = &'a crate::tags::Event> {
    evidence.tagged.events.iter().filter(|event| event.kind == EventKind::Test && event.after_source_edit)
}

/// Asked of the test runs, not of the events: a shell line whose edit failed raises that event alone.
fn saw_failure(evidence: &Evidence) -> bool {
    test_failures(evidence.trajectory, evidence.facts).iter().any(|failure| failure.after_source_edit)
}

fn edited_again(evidence: &Evidence) -> bool {
    evidence.rows(TagName::Recovery).any(|row| row.tag.code == Some("R4"))
}

/// Saw a test fail after its edit.
pub const FAILED_TEST_SEEN: Behaviour = Behaviour {
    code: "failed_test_seen",
    name: "failed test seen",
    meaning: "after the first effective source edit: a failing test, or a test error that points into a source file \
              which this trajectory edited",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Testing),
    better: Better::Neither,
    twin_of: None,
    count: Some(|evidence| Measured::of(saw_failure(evidence))),
    examples: &[
        Example {
            name: "fails after the edit",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\n#! run: failed_test_seen 1/1\n",
        },
        Example {
            name: "fails before any edit",
            log: "run pytest -q -> 1: 1 failed in 0.1s\nedit src/a.py -> ok\n#! run: failed_test_seen 0/1\n",
        },
    ],
};

/// R4, as a share of all runs.
pub const REEDIT_AFTER_FAILED_TEST: Behaviour = Behaviour {
    code: "reedit_after_failed_test",
    name: "re-edit after failed test",
    meaning: "a further effective source edit after a failing test that follows one (R4), share of all runs",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Recovery),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| Measured::of(edited_again(evidence))),
    examples: &[
        Example {
            name: "edit, fail, edit",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nedit src/a.py -> ok\n\
                  #! run: reedit_after_failed_test 1/1\n",
        },
        Example {
            name: "edit, fail, submit",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nsubmit -> ok\n\
                  #! run: reedit_after_failed_test 0/1\n",
        },
    ],
};

/// R4, among runs that saw a failure.
pub const REEDIT_GIVEN_FAILURE: Behaviour = Behaviour {
    code: "reedit_given_failure",
    name: "re-edit given a failure",
    meaning: "R4 among the runs that saw a failing test after their edit; the event is itself an outcome of training",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Recovery),
    better: Better::Up,
    twin_of: Some("reedit_after_failed_test"),
    count: Some(|evidence| Measured::given(saw_failure(evidence), edited_again(evidence))),
    examples: &[
        Example {
            name: "edit, fail, edit",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nedit src/a.py -> ok\n\
                  #! run: reedit_given_failure 1/1\n",
        },
        Example {
            name: "edit, fail, submit",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nsubmit -> ok\n\
                  #! run: reedit_given_failure 0/1\n",
        },
        Example { name: "no failure seen", log: "edit src/a.py -> ok\n#! run: reedit_given_failure 0/0\n" },
    ],
};

/// R5 of a counted failure.
pub const FIXED_AFTER_FAILED_TEST: Behaviour = Behaviour {
    code: "fixed_after_failed_test",
    name: "fixed after failed test",
    meaning: "the same test passes later with an effective source edit between (R5), among runs that saw a failure",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Recovery),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| {
        let fixed = failed_test_events(evidence).any(|event| event.fixed_turn.is_some());
        Measured::given(saw_failure(evidence), fixed)
    }),
    examples: &[
        Example {
            name: "edit, fail, edit, pass",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nedit src/a.py -> ok\n\
                  run pytest -q -> 0: 3 passed in 0.1s\n#! run: fixed_after_failed_test 1/1\n",
        },
        Example {
            name: "another test passes",
            log: "edit src/a.py -> ok\nrun pytest -q -> 1: 1 failed in 0.1s\nedit src/a.py -> ok\n\
                  run pytest -q tests/test_b.py -> 0: 3 passed in 0.1s\n#! run: fixed_after_failed_test 0/1\n",
        },
        Example {
            name: "no failure seen",
            log: "edit src/a.py -> ok\n#! run: fixed_after_failed_test 0/0\n",
        },
    ],
};

fn recovered(evidence: &Evidence, kinds: &[EventKind]) -> Measured {
    // A refusal that the log only counts lies nowhere: whether a valid turn followed is not known.
    let known = evidence.tagged.events.iter().filter(|event| event.fate != Fate::Unknown);
    let events = || known.clone().filter(|event| kinds.contains(&event.kind));
    Measured::ratio(events().filter(|event| event.recovered_turn.is_some()).count(), events().count())
}

/// R1 over format events.
pub const RECOVERY_FORMAT: Behaviour = Behaviour {
    code: "recovery_format",
    name: "recovery from a refused response",
    meaning: "refused responses after which a valid turn follows within three model turns (R1)",
    kind: BehaviourKind::Rate,
    tag: Some(TagName::Recovery),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| recovered(evidence, &[EventKind::Format])),
    examples: &[
        Example {
            name: "then a valid turn",
            log: "unparsable hm\nrun ls -> 0: a\n#! run: recovery_format 1/1\n",
        },
        Example { name: "none follows", log: "unparsable hm\n#! run: recovery_format 0/1\n" },
        Example { name: "only counted", log: "@ refused 3\nrun ls -> 0: a\n#! run: recovery_format 0/0\n" },
        Example { name: "no event", log: "run ls -> 0: a\n#! run: recovery_format 0/0\n" },
    ],
};

/// R2 over tool and command events.
pub const RECOVERY_COMMAND: Behaviour = Behaviour {
    code: "recovery_command",
    name: "recovery from a failed command",
    meaning: "failed commands and rejected tool calls after which the same program succeeds within three model turns (R2)",
    kind: BehaviourKind::Rate,
    tag: Some(TagName::Recovery),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| recovered(evidence, &[EventKind::Tool, EventKind::Command])),
    examples: &[
        Example {
            name: "the right path at the second try",
            log: "run cat src/b.py -> 1: cat: src/b.py: No such file or directory\nrun cat src/a.py -> 0: x\n\
                  #! run: recovery_command 1/1\n",
        },
        Example {
            name: "moves on",
            log: "run cat src/b.py -> 1: cat: src/b.py: No such file or directory\nrun ls -> 0: x\n\
                  #! run: recovery_command 0/1\n",
        },
        Example { name: "no event", log: "run ls -> 0: a\n#! run: recovery_command 0/0\n" },
    ],
};

/// R3 over failed edits.
pub const RECOVERY_EDIT: Behaviour = Behaviour {
    code: "recovery_edit",
    name: "recovery from a failed edit",
    meaning: "edits without effect after which an effective edit of the same file follows within five model turns (R3)",
    kind: BehaviourKind::Rate,
    tag: Some(TagName::Recovery),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| recovered(evidence, &[EventKind::Edit])),
    examples: &[
        Example {
            name: "the second edit takes",
            log: "edit src/a.py -> error: no match for the old text\nedit src/a.py -> ok\n\
                  #! run: recovery_edit 1/1\n",
        },
        Example {
            name: "gives the edit up",
            log: "edit src/a.py -> error: no match for the old text\nrun ls -> 0: a\n#! run: recovery_edit 0/1\n",
        },
        Example { name: "no event", log: "run ls -> 0: a\n#! run: recovery_edit 0/0\n" },
    ],
};
