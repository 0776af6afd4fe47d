//! Quality rates (`definitions.md` §2): refusals whose response the log does not keep enter the denominators.

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::model::Quality;
use crate::tags::Example;

/// Parsable turns.
pub const PARSABLE_TURNS: Behaviour = Behaviour {
    code: "parsable_turns",
    name: "parsable turns",
    meaning: "(L1 + L2) / (L0 + L1 + L2 + refusals that the log keeps without their response)",
    kind: BehaviourKind::Rate,
    tag: None,
    better: Better::Up,
    twin_of: None,
    count: Some(parsable_turns),
    examples: &[
        Example { name: "one of two", log: "unparsable hm\nrun ls -> 0: a\n#! run: parsable_turns 1/2\n" },
        Example { name: "a refusal counts", log: "refused\nrun ls -> 0: a\n#! run: parsable_turns 1/2\n" },
        Example { name: "none", log: "unparsable hm\n#! run: parsable_turns 0/1\n" },
        Example { name: "no action was called for", log: "say Done.\n#! run: parsable_turns 0/0\n" },
        Example {
            name: "no boundaries of responses",
            log: "@ no-turn-boundaries\nrun ls -> 0: a\n#! run: parsable_turns 0/0\n",
        },
    ],
};

fn parsable_turns(evidence: &Evidence) -> Measured {
    if evidence.model_turns().is_none() {
        return Measured::NOT_APPLICABLE;
    }
    let mut parsable = 0;
    let mut all = evidence.trajectory.refusals.len();
    for (_, turn) in evidence.trajectory.model_turns() {
        match turn.quality() {
            Quality::Unparsable => all += 1,
            Quality::Parsable | Quality::Valid => {
                all += 1;
                parsable += 1;
            }
            Quality::None => {}
        }
    }
    Measured::ratio(parsable, all)
}

/// Valid calls.
pub const VALID_CALLS: Behaviour = Behaviour {
    code: "valid_calls",
    name: "valid tool calls",
    meaning: "L2 calls / (calls + L0 turns + refusals that the log keeps without their response)",
    kind: BehaviourKind::Rate,
    tag: None,
    better: Better::Up,
    twin_of: None,
    count: Some(valid_calls),
    examples: &[
        Example { name: "one of two", log: "unparsable hm\nrun ls -> 0: a\n#! run: valid_calls 1/2\n" },
        Example { name: "none", log: "unparsable hm\n#! run: valid_calls 0/1\n" },
        Example { name: "no call was called for", log: "say Done.\n#! run: valid_calls 0/0\n" },
    ],
};

fn valid_calls(evidence: &Evidence) -> Measured {
    let mut valid = 0;
    let mut all = evidence.trajectory.refusals.len();
    for (_, turn) in evidence.trajectory.model_turns() {
        all += turn.calls.len() + usize::from(turn.calls.is_empty() && turn.quality() == Quality::Unparsable);
        valid += turn.calls.iter().filter(|call| call.quality == Quality::Valid).count();
    }
    Measured::ratio(valid, all)
}
