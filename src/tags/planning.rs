//! Planning: a think, plan or to-do tool, or a response without a call that states a plan (`definitions.md` §3).

use std::sync::LazyLock;

use regex::Regex;

use super::row::{Found, units};
use super::{Example, Family, Tagged};
use crate::data::pattern::ascii;
use crate::facts::{Context, Facts, Role};
use crate::model::{Quality, Tag, TagName, Trajectory};

/// A plan.
const PLANNING: Tag = Tag::plain(TagName::Planning);

/// Planning.
pub const FAMILY: Family = Family {
    name: "planning",
    version: 1,
    tags: &[(PLANNING, "calls a think, plan or to-do tool, or states a plan without acting")],
    needs: &[],
    what: "Turns that plan and do nothing else. A thought that goes with a call is no planning, whatever it \
           announces; a closing message is none either.",
    why: "Whether a run makes a plan of its own before it acts.",
    not_shown: "Plans that are thought beside a call: scaffolds whose every response has a call show none.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for unit in units(trajectory, facts) {
        if matches!(unit.role, Role::Planning | Role::HandOver) {
            tagged.push(&FAMILY, PLANNING, unit.found());
        }
    }
    // The last response closes the run: it reports, whatever it says of what might come.
    let last = trajectory.turns.len().saturating_sub(1);
    for (turn, response) in trajectory.turns.iter().enumerate().take(last) {
        let is_message = response.calls.is_empty() && response.quality_without_call == Quality::None;
        if is_message && states_plan(&response.text) {
            tagged.push(&FAMILY, PLANNING, Found::text(turn, None));
        }
    }
}

/// What is going to be done: words of intent, or a list of steps.
fn states_plan(text: &str) -> bool {
    static INTENT: LazyLock<Regex> = LazyLock::new(|| {
        ascii(
            r"(?i)\b(i will|i'll|i’ll|i am going to|i'm going to|let me|let's|my plan|the plan|next step|next, i|first, i|i need to|i should|we need to|we should|i plan to)\b",
        )
    });
    static STEP: LazyLock<Regex> = LazyLock::new(|| ascii(r"(?m)^\s*(?:\d+[.)]|- \[ \])\s+\S"));
    INTENT.is_match(text) || STEP.find_iter(text).nth(1).is_some()
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "tools, and a message before the work",
        log: r"
            think First read, then edit.   #! planning
            plan 1. read 2. edit -> ok   #! planning
            say I will read the parser first and then change it.   #! planning
            say Steps:\n1. read\n2. change   #! planning
            submit -> ok
        ",
    },
    Example { name: "a role hands over", log: "handover {} -> ok   #! planning\nsubmit -> ok\n" },
    Example {
        name: "near miss: acts, asks or closes",
        log: r"
            run ls -> 0: a.py
            | I will read it and then plan the change.
            say Which file do you mean?
            unparsable I will look at the file.
            say I changed the parser. Next, I would add tests.
        ",
    },
];
