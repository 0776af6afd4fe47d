//! Loops L1–L10 (`definitions.md` §6). Each code has its file; the tag lies on every turn of a loop from its first.
//! Loops that overlap are one episode: whoever counts turns counts each once.

mod edits;
mod examples;
mod reads;
mod repeats;
mod silence;
mod steps;
mod tail;
mod tests;

use super::row::Found;
use super::turns::Turns;
use super::{Family, Loop, Tagged};
use crate::facts::{Context, Facts, Place};
use crate::model::{Tag, TagName, Termination, Trajectory};

pub(super) use steps::steps;

const fn tag(code: &'static str) -> Tag {
    Tag::code(TagName::Loop, code)
}

/// L1 and L3: the same action so many times.
pub const REPEATS: usize = 3;
/// L2: so many rounds of two or three actions.
pub const ALTERNATION_ROUNDS: usize = 3;
/// L4: so many failing edits of one file.
pub const FAILED_EDITS: usize = 4;
/// L4: at most so many other turns between neighbours.
pub const FAILED_EDIT_GAP: usize = 2;
/// L5: the so-manieth reading of the same lines.
pub const READINGS: usize = 4;
/// L5: an earlier reading counts within so many turns.
pub const READING_WINDOW: usize = 20;
/// L6: so many turns without a call.
pub const MONOLOGUE: usize = 3;
/// L7: so many times the same failing result.
pub const SAME_FAILURES: usize = 3;
/// L8: the longest phrase, in characters.
pub const DEGENERATE_PERIOD: usize = 400;
/// L8: so many times the phrase.
pub const DEGENERATE_TIMES: usize = 8;
/// L8: so many characters in all.
pub const DEGENERATE_LENGTH: usize = 400;
/// L9: so many refused responses.
pub const UNPARSABLE: usize = 3;
/// L10: so many times the same edit.
pub const GROWING_EDITS: usize = 3;

/// Loops.
pub const FAMILY: Family = Family {
    name: "loop",
    version: 1,
    tags: &[
        (tag("L1"), "the same action with the same observation, three times running"),
        (tag("L2"), "two or three actions in alternation with the same observations, three rounds"),
        (tag("L3"), "the same action with an error each time, the errors differing, three times running"),
        (tag("L4"), "four failing edits of one file, at most two other turns between neighbours"),
        (tag("L5"), "the fourth reading of the same lines within 20 turns, the file unedited"),
        (tag("L6"), "three turns running without a call, where nobody answers between"),
        (tag("L7"), "the same test with the same failing result three times, nothing edited between"),
        (tag("L8"), "a response that ends in one phrase again and again"),
        (tag("L9"), "three refused responses in a row"),
        (tag("L10"), "the same edit three times, taking effect each time"),
    ],
    needs: &[],
    what: "Turns in circles by the thresholds of the table. The same action is the same whatever is \
           thought: thoughts are no part of it. Waiting for a process is no loop, nor is the same action \
           twice, nor a test that is run again after an edit. The tag lies on every turn of the loop from \
           its first.",
    why: "Where a run turns in circles, and how many of its turns that costs.",
    not_shown: "Why: a tool that gives no sign of success makes loops too.",
    apply,
    examples: examples::EXAMPLES,
};

/// A loop with the call in each of its turns that makes it one; `None` for a loop of responses.
struct Circle {
    code: &'static str,
    rounds: usize,
    members: Vec<(usize, Option<Place>)>,
    /// Where it lies when no turn of the log is its own (refusals that were not kept).
    at: usize,
    /// Bytes of evidence in the text of its only turn.
    span: Option<(usize, usize)>,
}

impl Circle {
    fn of(code: &'static str, members: Vec<(usize, Option<Place>)>) -> Circle {
        let at = members.first().map_or(0, |(turn, _)| *turn);
        Circle { code, rounds: members.len(), members, at, span: None }
    }
}

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    let turns = Turns::new(trajectory, facts);
    let steps = steps(&turns);
    let mut circles = repeats::find(&steps);
    circles.extend(edits::failing(&turns, &steps));
    circles.extend(edits::growing(&turns));
    circles.extend(reads::find(&turns));
    circles.extend(silence::monologues(&turns));
    circles.extend(silence::unparsable(&turns));
    circles.extend(tests::find(&turns));
    circles.extend(tail::find(&turns));
    // Rows of files come out of a hash map: equal beginnings are told apart by what lies in them.
    circles
        .sort_by(|one, other| (one.at, one.code, &one.members).cmp(&(other.at, other.code, &other.members)));
    for circle in circles {
        for (turn, place) in &circle.members {
            let found = match place {
                Some(place) => Found::call(*turn, place.call),
                None => Found::text(*turn, circle.span),
            };
            tagged.push(&FAMILY, tag(circle.code), found);
        }
        tagged.loops.push(stored(circle, trajectory));
    }
}

fn stored(circle: Circle, trajectory: &Trajectory) -> Loop {
    let turns: Vec<usize> = circle.members.iter().map(|(turn, _)| *turn).collect();
    let last_turn = turns.last().copied().unwrap_or(circle.at);
    // What the harness stopped is what it saw last.
    let is_last = last_turn + 1 >= trajectory.turns.len();
    Loop {
        code: circle.code,
        first_turn: circle.at,
        last_turn,
        rounds: circle.rounds as i64,
        turns,
        broken_by_harness: trajectory.termination == Termination::LoopStopped && is_last,
    }
}
