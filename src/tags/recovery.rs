//! Recovery R1–R5: failing events of model turns, and what came of them (`definitions.md` §6).

mod events;
mod examples;
mod fates;
mod find;
mod programs;

use super::row::Found;
use super::turns::Turns;
use super::{Family, Tagged};
use crate::facts::{Context, Facts};
use crate::model::{Tag, TagName, Trajectory};

const R1: Tag = Tag::code(TagName::Recovery, "R1");
const R2: Tag = Tag::code(TagName::Recovery, "R2");
const R3: Tag = Tag::code(TagName::Recovery, "R3");
const R4: Tag = Tag::code(TagName::Recovery, "R4");
const R5: Tag = Tag::code(TagName::Recovery, "R5");

/// Model turns within which a refused response must be followed by a valid turn (R1).
pub const FORMAT_WINDOW: usize = 3;
/// Model turns within which a failed command must be followed by the same program that succeeds (R2).
pub const COMMAND_WINDOW: usize = 3;
/// Model turns within which a failed edit must be followed by an effective one of the same file (R3).
pub const EDIT_WINDOW: usize = 5;

/// Recovery.
pub const FAMILY: Family = Family {
    name: "recovery",
    version: 1,
    tags: &[
        (R1, "after a refused response: the next valid turn, within 3 model turns"),
        (
            R2,
            "after a failed command or rejected call: the same program with other arguments, or its script mended, \
              succeeds within 3 model turns",
        ),
        (R3, "after an edit without effect: an effective edit of the same file within 5 model turns"),
        (R4, "after a failing test that follows an effective source edit: a further effective source edit"),
        (R5, "after a failing test: the same test passes, with an effective source edit between"),
    ],
    needs: &[],
    what: "The turn that comes back from a failing event, by the codes of the table. A shell line raises \
           one event. Reverts mend nothing here, and a script of one's own that is mended fixes no failing \
           test. Going on by another way is no recovery, however sensible it is.",
    why: "Whether a run comes back from what went wrong, and by what; the event and its fate (repeated, \
          gave up, moved on, ended) stand in the table `events`.",
    not_shown: "That the failure was the run's own fault, or that the task came nearer.",
    apply,
    examples: examples::EXAMPLES,
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    let turns = Turns::new(trajectory, facts);
    let failing = events::failing(&turns);
    let (events, recoveries) = find::recoveries(&turns, failing);
    for recovery in recoveries {
        let found = match recovery.place {
            Some((place, span)) => Found::at(place, span),
            None => Found::text(recovery.turn, None),
        };
        tagged.push(&FAMILY, recovery.tag, found);
    }
    tagged.events = events;
}
