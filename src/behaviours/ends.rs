//! Behaviours of how a run ends, of loops and of what is joined from outcomes (`definitions.md` §5).

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::model::{EndClass, PatchState, TagName, Termination};
use crate::tags::Example;

/// The model handed in.
pub const EXPLICIT_SUBMISSION: Behaviour = Behaviour {
    code: "explicit_submission",
    name: "explicit submission",
    meaning: "the run ended by the scaffold's own means to hand in, used by the model",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Submission),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| {
        Measured::given(
            evidence.trajectory.can_submit,
            evidence.trajectory.termination == Termination::Submitted,
        )
    }),
    examples: &[
        Example { name: "submits", log: "submit -> ok\n#! run: explicit_submission 1/1\n" },
        Example {
            name: "a scaffold without a way to hand in",
            log: "say Done.\n@ cannot-submit\n@ end finished\n#! run: explicit_submission 0/0\n",
        },
        Example {
            name: "a limit cut it off",
            log: "run ls -> 0: a\n@ end step_limit\n#! run: explicit_submission 0/1\n",
        },
    ],
};

/// Ended by itself, whatever the scaffold.
pub const ENDED_BY_ITSELF: Behaviour = Behaviour {
    code: "ended_by_itself",
    name: "ended by itself",
    meaning: "handed in or finished: the behaviour to compare across scaffolds",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Submission),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| Measured::of(evidence.trajectory.termination.class() == EndClass::Submitted)),
    examples: &[
        Example { name: "submits", log: "submit -> ok\n#! run: ended_by_itself 1/1\n" },
        Example {
            name: "a limit cut it off",
            log: "run ls -> 0: a\n@ end step_limit\n#! run: ended_by_itself 0/1\n",
        },
    ],
};

/// A submission that the harness refused.
pub const REJECTED_SUBMISSION: Behaviour = Behaviour {
    code: "rejected_submission",
    name: "rejected submission",
    meaning: "a submission refused by the harness (first confirmations and reviews are none)",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Submission),
    better: Better::Down,
    twin_of: None,
    count: Some(rejected_submission),
    examples: &[
        Example {
            name: "an error comes back",
            log: "submit -> error: nothing to submit\nsubmit -> ok\n#! run: rejected_submission 1/1\n",
        },
        Example { name: "taken at once", log: "submit -> ok\n#! run: rejected_submission 0/1\n" },
        Example {
            name: "a first confirmation is no refusal",
            log: "submit -> ok: please look again\nsubmit -> ok\n#! run: rejected_submission 0/1\n",
        },
    ],
};

fn rejected_submission(evidence: &Evidence) -> Measured {
    Measured::of(evidence.rows(TagName::Submission).any(|row| row.tag.kind == Some("rejected")))
}

/// Nothing of its own was handed in.
pub const EMPTY_PATCH: Behaviour = Behaviour {
    code: "empty_patch",
    name: "empty patch",
    meaning: "the patch that the log hands in is empty, or holds no file that a model turn edited",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Down,
    twin_of: None,
    count: Some(|evidence| {
        let state = evidence.facts.patch_state;
        Measured::given(
            state != PatchState::Missing,
            matches!(state, PatchState::Empty | PatchState::Foreign),
        )
    }),
    examples: &[
        Example { name: "blank", log: "submit -> ok\n@ patch empty\n#! run: empty_patch 1/1\n" },
        Example {
            name: "a patch",
            log: "edit src/a.py -> ok\nsubmit -> ok\n@ patch nonempty\n#! run: empty_patch 0/1\n",
        },
        Example { name: "no place for one", log: "run ls -> 0: a\n#! run: empty_patch 0/0\n" },
    ],
};

/// The patch applied.
pub const APPLICABLE_PATCH: Behaviour = Behaviour {
    code: "applicable_patch",
    name: "applicable patch",
    meaning: "a non-empty patch that applied, by the grader's word, else a non-empty well-formed patch (inferred); joined \
              from outcomes when a table is made",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Up,
    twin_of: None,
    count: None,
    examples: &[],
};

/// The grader's word.
pub const RESOLVED: Behaviour = Behaviour {
    code: "resolved",
    name: "resolved",
    meaning: "the grader's word; unscored runs leave; joined from outcomes when a table is made",
    kind: BehaviourKind::Share,
    tag: None,
    better: Better::Up,
    twin_of: None,
    count: None,
    examples: &[],
};

/// Any loop.
pub const LOOP: Behaviour = Behaviour {
    code: "loop",
    name: "loop",
    meaning: "any loop, L1 to L10",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Loop),
    better: Better::Down,
    twin_of: None,
    count: Some(|evidence| Measured::of(!evidence.tagged.loops.is_empty())),
    examples: &[
        Example {
            name: "three times the same",
            log: "run ls -> 0: a\nrun ls -> 0: a\nrun ls -> 0: a\n#! run: loop 1/1\n",
        },
        Example { name: "twice is a repeat", log: "run ls -> 0: a\nrun ls -> 0: a\n#! run: loop 0/1\n" },
        Example {
            name: "refusals that the log does not keep make a loop without turns",
            log: "run ls -> 0: a\nrefused\nrefused\nrefused\nrun pwd -> 0: /r\n#! run: loop 1/1, loop_turns 0/2\n",
        },
    ],
};

/// A loop of repeated actions.
pub const REPETITIVE_LOOP: Behaviour = Behaviour {
    code: "repetitive_loop",
    name: "repetitive loop",
    meaning: "a loop of the same actions, L1 to L3",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Loop),
    better: Better::Down,
    twin_of: Some("loop"),
    count: Some(|evidence| {
        Measured::of(evidence.tagged.loops.iter().any(|circle| matches!(circle.code, "L1" | "L2" | "L3")))
    }),
    examples: &[
        Example {
            name: "three times the same",
            log: "run ls -> 0: a\nrun ls -> 0: a\nrun ls -> 0: a\n#! run: repetitive_loop 1/1\n",
        },
        Example {
            name: "a monologue is another loop",
            log: "say Hm.\nsay Well.\nsay So.\n#! run: repetitive_loop 0/1\n",
        },
    ],
};

/// Turns inside loops.
pub const LOOP_TURNS: Behaviour = Behaviour {
    code: "loop_turns",
    name: "turns in loops",
    meaning: "model turns inside loops over model turns",
    kind: BehaviourKind::Rate,
    tag: Some(TagName::Loop),
    better: Better::Down,
    twin_of: None,
    count: Some(|evidence| super::tag_shares::turns_with(evidence, TagName::Loop)),
    examples: &[
        Example {
            name: "three of four",
            log: "run ls -> 0: a\nrun ls -> 0: a\nrun ls -> 0: a\nrun pwd -> 0: /r\n#! run: loop_turns 3/4\n",
        },
        Example { name: "none", log: "run ls -> 0: a\n#! run: loop_turns 0/1\n" },
        Example { name: "no turn of the model", log: "refused\n#! run: loop_turns 0/0\n" },
        Example {
            name: "no boundaries of responses",
            log: "@ no-turn-boundaries\nrun ls -> 0: a\n#! run: loop_turns 0/0\n",
        },
    ],
};

/// Did not end as it should.
pub const ABNORMAL_END: Behaviour = Behaviour {
    code: "abnormal_end",
    name: "abnormal end",
    meaning: "a limit or the agent's failure ended the run; infrastructure and unknown ends leave the rate",
    kind: BehaviourKind::Share,
    tag: None,
    better: Better::Down,
    twin_of: None,
    count: Some(|evidence| match evidence.trajectory.termination.class() {
        EndClass::Submitted => Measured::of(false),
        EndClass::Limit | EndClass::AgentFailure => Measured::of(true),
        EndClass::Infrastructure | EndClass::Unknown => Measured::NOT_APPLICABLE,
    }),
    examples: &[
        Example { name: "a limit", log: "run ls -> 0: a\n@ end step_limit\n#! run: abnormal_end 1/1\n" },
        Example { name: "submitted", log: "submit -> ok\n#! run: abnormal_end 0/1\n" },
        Example {
            name: "the environment broke",
            log: "run ls -> 0: a\n@ end environment_error\n#! run: abnormal_end 0/0\n",
        },
    ],
};

/// Tried to reach a host.
pub const NETWORK_ATTEMPT: Behaviour = Behaviour {
    code: "network_attempt",
    name: "network attempt",
    meaning: "at least one attempt of the model to reach a host beyond this machine",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Network),
    better: Better::Neither,
    twin_of: None,
    count: Some(|evidence| {
        Measured::of(
            evidence.facts.network.iter().any(|fact| fact.attempt && evidence.is_model(fact.place.turn)),
        )
    }),
    examples: &[
        Example {
            name: "fetches a page",
            log: "run curl -s https://example.com/a -> 0: hello\n#! run: network_attempt 1/1\n",
        },
        Example {
            name: "this machine's own server",
            log: "run curl -s http://127.0.0.1:8000/ -> 0: hello\n#! run: network_attempt 0/1\n",
        },
    ],
};
