//! Sizes of a run: turns, calls, tokens, cost, time (`definitions.md` §5). Medians are compared, never means of raw
//! tokens.

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::tags::Example;

const fn size(
    code: &'static str,
    name: &'static str,
    meaning: &'static str,
    count: fn(&Evidence) -> Measured,
    examples: &'static [Example],
) -> Behaviour {
    Behaviour {
        code,
        name,
        meaning,
        kind: BehaviourKind::Size,
        tag: None,
        better: Better::Neither,
        twin_of: None,
        count: Some(count),
        examples,
    }
}

/// Model turns.
pub const MODEL_TURNS: Behaviour = size(
    "model_turns",
    "model turns",
    "turns of the model",
    |evidence| Measured::size(evidence.model_turns().map(|turns| turns as i64)),
    &[
        Example { name: "two", log: "run ls -> 0: a\nsubmit -> ok\n#! run: model_turns 2/1\n" },
        Example { name: "none", log: "refused\n#! run: model_turns 0/1\n" },
    ],
);

/// Calls.
pub const CALLS: Behaviour = size(
    "calls",
    "calls",
    "calls of model turns",
    |evidence| {
        let calls = evidence.trajectory.model_turns().map(|(_, turn)| turn.calls.len()).sum::<usize>();
        Measured::size(Some(calls as i64))
    },
    &[
        Example { name: "one call, one message", log: "run ls -> 0: a\nsay Done.\n#! run: calls 1/1\n" },
        Example { name: "none", log: "say Done.\n#! run: calls 0/1\n" },
    ],
);

/// Completion tokens.
pub const TOKENS_OUT: Behaviour = size(
    "tokens_out",
    "completion tokens",
    "completion tokens of the run, where logged",
    |evidence| Measured::size(evidence.trajectory.tokens_out),
    &[
        Example { name: "logged", log: "@ out 1200\nrun ls -> 0: a\n#! run: tokens_out 1200/1\n" },
        Example { name: "not logged", log: "run ls -> 0: a\n#! run: tokens_out ?/1\n" },
    ],
);

/// Cost.
pub const COST: Behaviour = size(
    "cost",
    "cost, millionths of a US dollar",
    "cost of the run in 10⁻⁶ US dollars, where logged",
    |evidence| {
        Measured::size(
            evidence
                .trajectory
                .cost_usd
                .filter(|cost| cost.is_finite())
                .map(|cost| (cost * 1e6).round() as i64),
        )
    },
    &[
        Example { name: "logged", log: "@ cost 0.25\nrun ls -> 0: a\n#! run: cost 250000/1\n" },
        Example { name: "not logged", log: "run ls -> 0: a\n#! run: cost ?/1\n" },
    ],
);

/// Wall time.
pub const WALL_TIME: Behaviour = size(
    "wall_time",
    "wall time, ms",
    "time from start to end in ms, where logged",
    |evidence| {
        let times = evidence.trajectory.started_at.zip(evidence.trajectory.ended_at);
        Measured::size(times.map(|(start, end)| end.saturating_sub(start)))
    },
    &[
        Example {
            name: "logged",
            log: "@ started 1000\n@ ended 61000\nrun ls -> 0: a\n#! run: wall_time 60000/1\n",
        },
        Example { name: "not logged", log: "run ls -> 0: a\n#! run: wall_time ?/1\n" },
    ],
);
