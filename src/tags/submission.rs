//! Submission: hands the work in by the scaffold's own means (`definitions.md` §3): what the harness took, not the word.

use super::row::{Unit, units};
use super::{Example, Family, Tagged};
use crate::facts::{Context, Facts, Place, Role};
use crate::model::{Quality, Tag, TagName, Trajectory};

const ACCEPTED: Tag = Tag::kind(TagName::Submission, "accepted");
const REJECTED: Tag = Tag::kind(TagName::Submission, "rejected");
const FIRST: Tag = Tag::kind(TagName::Submission, "first");
/// The log does not say what came of it, or it did not run.
const TRIED: Tag = Tag::kind(TagName::Submission, "tried");

/// Submission.
pub const FAMILY: Family = Family {
    name: "submission",
    version: 1,
    tags: &[
        (ACCEPTED, "the harness took the work"),
        (REJECTED, "the harness refused it"),
        (FIRST, "the first of a double confirmation: the harness asks to look again"),
        (TRIED, "did not run, or the log does not say what came of it"),
    ],
    needs: &[],
    what: "The scaffold's own action of handing in: `submit`, `finish`, the completion echo. The same word \
           in a search or a file is none; the work taken by the harness at a limit is no submission.",
    why: "Where, how often and how a run hands in.",
    not_shown: "Whether the run ended by it: that is its termination.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    let submissions: Vec<Unit> =
        units(trajectory, facts).filter(|unit| unit.role == Role::Submission).collect();
    // Of several in the turn that handed in, the last is the one that counts.
    let accepted = submissions
        .iter()
        .rfind(|unit| Some(unit.place.turn) == trajectory.submitting_turn && unit.ran != Some(false))
        .map(|unit| unit.place);
    for unit in &submissions {
        let tag = if Some(unit.place) == accepted { ACCEPTED } else { judge(unit, trajectory, facts) };
        tagged.push(&FAMILY, tag, unit.found());
    }
}

/// A submission that did not end the run.
fn judge(unit: &Unit, trajectory: &Trajectory, facts: &Facts) -> Tag {
    let Place { turn, call, .. } = unit.place;
    let logged = trajectory.turns.get(turn).and_then(|turn| turn.calls.get(call));
    let fact = facts.calls.binary_search_by_key(&(turn, call), |fact| (fact.turn, fact.call));
    let failed = fact.ok().and_then(|index| facts.calls[index].failed);
    let is_refused =
        logged.is_some_and(|call| call.is_error == Some(true) || call.quality == Quality::Parsable);
    let is_seen = logged.is_some_and(|call| call.observation.is_some());
    match () {
        () if unit.ran == Some(false) => TRIED,
        () if is_refused || failed == Some(true) => REJECTED,
        // SWE-agent's review mode answers the first `submit` with the diff and goes on. A text that a command prints is
        // taken or it is not.
        () if unit.is_action && is_seen && turn + 1 < trajectory.turns.len() => FIRST,
        () => TRIED,
    }
}

const EXAMPLES: &[Example] = &[
    Example { name: "taken at once", log: "submit -> ok   #! submission/accepted\n" },
    Example {
        name: "review mode asks again",
        log: r"
            @ commands swe-agent
            @ end submitted
            @ submitting-turn 2
            run submit -> ?: Thank you for your work on this issue. Please carefully follow the steps below\ndiff --git   #! submission/first
            run rm reproduce.py -> ?:
            run submit -> ?: diff --git a/a.py b/a.py   #! submission/accepted
        ",
    },
    Example {
        name: "refused, then taken",
        log: "submit -> error: nothing to submit   #! submission/rejected\nsubmit -> ok   #! submission/accepted\n",
    },
    Example {
        name: "nobody knows what came of it",
        log: "@ end incomplete\n@ submitting-turn none\nrun ls -> 0: a.py\nsubmit   #! submission/tried\n",
    },
    Example {
        name: "the completion echo",
        log: r"
            @ scaffold mini-swe-agent
            @ end submitted
            @ submitting-turn 0
            run echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached   #! submission/accepted
        ",
    },
    Example {
        name: "the echo never ran",
        log: r"
            @ scaffold mini-swe-agent
            run test -f missing.txt && echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT -> 1:   #! submission/tried
            run ls -> 0: a.py
        ",
    },
    Example {
        name: "near miss: the word alone",
        log: r"
            @ scaffold mini-swe-agent
            run grep -rn COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT . -> 1:
            run echo 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT' > notes.txt -> 0:
            run cat submit.py -> 0: x = 1
        ",
    },
];
