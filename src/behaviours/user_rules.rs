//! Behaviours of user rules: `rule:CODE` is 1 where a model turn bears the rule's tag. They are made when a code is first
//! named, and live as long as the program, so that tables treat them as any other.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::model::kept::kept;
use crate::tags::rules::BEHAVIOUR_PREFIX;

static MADE: Mutex<BTreeMap<&'static str, &'static Behaviour>> = Mutex::new(BTreeMap::new());

/// The behaviour of a rule's code. The count is `of`, which knows the code; there is no list to run it from.
pub fn behaviour(code: &str) -> &'static Behaviour {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let code = kept(code);
    made.entry(code).or_insert_with(|| {
        Box::leak(Box::new(Behaviour {
            code: kept(&format!("{BEHAVIOUR_PREFIX}{code}")),
            name: kept(&format!("rule {code}")),
            meaning: "at least one model turn that the user rule tags",
            kind: BehaviourKind::Share,
            tag: None,
            better: Better::Neither,
            twin_of: None,
            count: None,
            examples: &[],
        }))
    })
}

/// What one trajectory shows of the rules that ran.
pub fn count(evidence: &Evidence) -> Vec<(&'static Behaviour, Measured)> {
    let is_met = |code: &str| {
        evidence.tagged.rows.iter().any(|row| row.tag.code == Some(code) && evidence.is_model(row.turn))
    };
    evidence.tagged.rules.iter().map(|code| (behaviour(code), Measured::of(is_met(code)))).collect()
}
