//! Which lines of a session are its own and stand on the branch that was kept (`definitions.md` §2, origins): the tree of
//! `parentUuid`, copies of an older session, forks.

use crate::model::Origin;
use std::collections::{HashMap, HashSet};

/// A line of the main conversation, as far as it is a knot of the tree.
pub struct Link {
    /// Its id.
    pub uuid: Option<String>,
    /// Id of the line before it; a compaction keeps it under another key.
    pub parent: Option<String>,
    /// Session that the line names.
    pub session: Option<String>,
    /// It says that it is copied from another session.
    pub is_forked: bool,
    /// It is a message, which may be the end of the branch that was kept.
    pub is_message: bool,
    /// Its turn, where it is a response's.
    pub turn: Option<usize>,
    /// Time, UTC milliseconds.
    pub time: Option<i64>,
}

/// What the links tell.
#[derive(Default)]
pub struct Origins {
    /// Turns that are no work of this run.
    pub of_turns: Vec<(usize, Origin)>,
    /// Links that are copies, in the order of links.
    pub is_copied: Vec<bool>,
    /// Session of the last message.
    pub own_session: Option<String>,
    /// Sessions whose lines are mixed in without a link between them.
    pub strangers: Vec<String>,
}

/// Tells origins of turns, of which there are so many.
pub fn origins(links: &[Link], turns: usize) -> Origins {
    let mut found = Origins {
        own_session: links.iter().rev().filter(|link| link.is_message).find_map(|link| link.session.clone()),
        is_copied: links.iter().map(|link| link.is_forked).collect(),
        ..Origins::default()
    };
    mark_carried(links, &mut found);
    // A branch command writes each line twice, with and without the sign: one of them is enough.
    let forked: HashSet<&str> =
        links.iter().filter(|link| link.is_forked).filter_map(|link| link.uuid.as_deref()).collect();
    for (link, is_copied) in links.iter().zip(&mut found.is_copied) {
        *is_copied |= link.uuid.as_deref().is_some_and(|uuid| forked.contains(uuid));
    }
    let live = live(links);
    let (mut copied, mut kept) = (vec![false; turns], vec![false; turns]);
    for (place, link) in links.iter().enumerate() {
        let Some(turn) = link.turn.filter(|turn| *turn < turns) else { continue };
        copied[turn] |= found.is_copied[place];
        kept[turn] |= live[place];
    }
    for turn in 0..turns {
        if copied[turn] {
            found.of_turns.push((turn, Origin::Copied));
        } else if !kept[turn] {
            found.of_turns.push((turn, Origin::Abandoned));
        }
    }
    found
}

/// A resumed session begins with the lines of the older one, under their old session, and hangs its own on them. Lines of
/// another session that nothing hangs on were put together by somebody else: they stay, and it is said.
fn mark_carried(links: &[Link], found: &mut Origins) {
    let Some(own) = &found.own_session else { return };
    let is_own = |link: &Link| link.session.as_ref() == Some(own);
    let is_strange = |link: &Link| link.session.is_some() && !is_own(link);
    let first = links.iter().position(|link| is_own(link) && !link.is_forked).unwrap_or(0);
    let earlier: HashSet<&str> = links[..first]
        .iter()
        .filter(|link| is_strange(link))
        .filter_map(|link| link.uuid.as_deref())
        .collect();
    let hangs_on = links[first..]
        .iter()
        .any(|link| is_own(link) && link.parent.as_deref().is_some_and(|parent| earlier.contains(parent)));
    if hangs_on {
        for (link, is_copied) in links[..first].iter().zip(&mut found.is_copied) {
            *is_copied |= is_strange(link);
        }
    }
    for (link, is_copied) in links.iter().zip(&found.is_copied).filter(|(link, _)| is_strange(link)) {
        let Some(session) =
            link.session.as_ref().filter(|session| !is_copied && !found.strangers.contains(session))
        else {
            continue;
        };
        if found.strangers.len() < 20 {
            found.strangers.push(session.clone());
        }
    }
}

/// Links on the way from the last message back to the beginning. Where a way ends in the middle of the file (a compaction, a
/// cleared conversation, a line without a parent) it goes on at the message before: such an end says nothing of a rewind.
fn live(links: &[Link]) -> Vec<bool> {
    let mut by_uuid: HashMap<&str, usize> = HashMap::new();
    for (place, link) in links.iter().enumerate() {
        if let Some(uuid) = &link.uuid {
            by_uuid.entry(uuid).or_insert(place);
        }
    }
    let mut message = None;
    let before: Vec<Option<usize>> = links
        .iter()
        .enumerate()
        .map(|(place, link)| {
            let before = message;
            message = if link.is_message { Some(place) } else { message };
            before
        })
        .collect();
    let mut live = vec![false; links.len()];
    let mut next = links.iter().rposition(|link| link.is_message);
    while let Some(place) = next {
        live[place] = true;
        let parent = links[place].parent.as_deref().and_then(|parent| by_uuid.get(parent).copied());
        next =
            parent.filter(|parent| !live[*parent]).or_else(|| before[place].filter(|before| !live[*before]));
    }
    live
}
