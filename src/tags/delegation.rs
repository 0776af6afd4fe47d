//! Delegation: starts a sub-agent, or hands a role's work over (`definitions.md` §3).

use super::row::units;
use super::{Example, Family, Tagged};
use crate::facts::{Context, Facts, Role};
use crate::model::{Tag, TagName, Trajectory};

/// A sub-agent or another role is set to work.
const DELEGATION: Tag = Tag::plain(TagName::Delegation);

/// Delegation.
pub const FAMILY: Family = Family {
    name: "delegation",
    version: 1,
    tags: &[(DELEGATION, "starts a sub-agent, or hands the work over to another role")],
    needs: &[],
    what: "Starting a sub-agent, and handing the work to another role of the same run. Ending a role is \
           none.",
    why: "Whether work is given away: what is given away is missing from the run's own turns and costs.",
    not_shown: "What the sub-agent did: that belongs to its own trajectory.",
    apply,
    examples: &[
        Example {
            name: "a sub-agent and a role",
            log: "delegate find the bug -> ok: found   #! delegation\n\
                  handover {\"steps\": \"reproduce\"} -> ok   #! delegation\n",
        },
        Example { name: "near miss: ends a role", log: "endrole -> ok\nthink I could ask another.\n" },
    ],
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for unit in units(trajectory, facts) {
        if matches!(unit.role, Role::Delegation | Role::HandOver) {
            tagged.push(&FAMILY, DELEGATION, unit.found());
        }
    }
}
