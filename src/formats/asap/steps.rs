//! The text of a completion log, parted into steps (`formats-other.md` §14): thought, action, what came back. Parsed
//! tolerantly: sections in order, a tag that is not closed at the end was cut off, what stands before the first section is
//! the prompt.

use super::element::Element;
use super::tags::Tags;
use crate::formats::json::lenient::as_whole;
use crate::formats::{observation, quality, tools};
use crate::model::quality_reason::{EMPTY_ACTION, MISSING_ARGUMENT, NO_ACTION, RESPONSE_CUT};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Operation, Origin, Quality, Turn};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Most actions of one response.
const ACTIONS: usize = 50;

/// What a text holds.
#[derive(Debug, Default)]
pub struct Steps {
    /// What stands before the first step, without the mark of the prefix.
    pub task: String,
    /// Steps, with what came back.
    pub turns: Vec<Turn>,
    /// Why the run ended, where the text says it.
    pub end: Option<String>,
    /// The text ends in the middle of a tag.
    pub is_cut: bool,
}

/// How many steps are copied from a reference.
#[derive(Clone, Copy, Debug)]
pub struct Prefix {
    /// The log's own number of them.
    pub turns: Option<usize>,
    /// Bytes of the text that were given to the model.
    pub given: usize,
}

/// Parts a text into steps.
pub fn steps(text: &str, tags: &Tags, prefix: Prefix) -> Steps {
    let mut found = Steps::default();
    let mut place = heading(text, 0, tags).map_or(text.len(), |(start, _)| start);
    let open = format!("<{}>", tags.prefix);
    found.task = text.get(..place).unwrap_or_default().replace(&open, "").trim().to_owned();
    // The mark beats what was given: a prompt may end within the first step of the model's own.
    let close = format!("</{}>", tags.prefix);
    let mut given = prefix.given;
    while let Some((start, body)) = heading(text, place, tags) {
        marks(text.get(place..start).unwrap_or_default(), tags, &mut found);
        let (mut turn, end) = step(text, body, tags, &mut found);
        if end.acted <= given {
            turn.origin = Origin::Prefix;
        }
        found.turns.push(turn);
        place = end.behind;
        let rest = text.get(place..).unwrap_or_default().trim_start();
        if rest.starts_with(&close) {
            for turn in &mut found.turns {
                turn.origin = Origin::Prefix;
            }
            given = 0;
        }
    }
    marks(text.get(place..).unwrap_or_default(), tags, &mut found);
    if let Some(turns) = prefix.turns {
        for (place, turn) in found.turns.iter_mut().enumerate() {
            turn.origin = if place < turns { Origin::Prefix } else { Origin::Model };
        }
    }
    found
}

/// The end that a text between steps tells.
fn marks(text: &str, tags: &Tags, found: &mut Steps) {
    let Some(start) = text.find(&format!("<{}", tags.end)) else { return };
    let rest = text.get(start..).unwrap_or_default();
    if let Some(element) = Element::at(rest, |name| name == tags.end, |_| true) {
        let reason = element.attribute("reason").unwrap_or_else(|| element.inner.trim());
        found.end = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
    }
}

/// The next line that begins a step: where it stands, and what follows it.
fn heading(text: &str, from: usize, tags: &Tags) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    rest.match_indices(&tags.thinking).map(|(place, _)| from + place).find_map(|place| {
        let is_first = place == 0 || text.get(..place)?.ends_with('\n');
        let body = place + tags.thinking.len();
        let is_last = text.get(body..)?.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
            || text.get(body..)?.trim().is_empty();
        (is_first && is_last).then_some((place, body))
    })
}

/// Where a step's response and the step itself end.
struct End {
    acted: usize,
    behind: usize,
}

/// One step: thought up to an action at the beginning of a line, the action, what came back.
fn step(text: &str, body: usize, tags: &Tags, found: &mut Steps) -> (Turn, End) {
    let next = heading(text, body, tags).map_or(text.len(), |(start, _)| start);
    let mut place = stop(text, body, next, tags).unwrap_or(next);
    let mut calls = Vec::new();
    let mut is_cut = false;
    while let Some(element) = text.get(place..).and_then(|rest| action(rest, tags)) {
        place += element.length;
        if element.is_closed {
            calls.push(call(&element, tags));
        } else {
            is_cut = true;
        }
        // A response may be gone on with behind its action.
        let rest = text.get(place..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        if calls.len() >= ACTIONS || action(rest.trim_start(), tags).is_none() {
            break;
        }
        place += blanks;
    }
    let mut turn = Turn::new(text.get(body..place).unwrap_or_default().trim());
    if calls.is_empty() {
        turn.quality_without_call = Quality::Unparsable;
        turn.quality_reason = Some(if is_cut { RESPONSE_CUT } else { NO_ACTION });
    }
    found.is_cut |= is_cut;
    let rest = text.get(place..).unwrap_or_default();
    let seen_at = text.len() - rest.trim_start().len();
    let observation = text.get(seen_at..).and_then(|rest| seen(rest, tags));
    let behind = observation.as_ref().map_or(place, |element| seen_at + element.length);
    if let Some(element) = observation {
        found.is_cut |= !element.is_closed;
        let repeats = found.turns.last().is_some_and(|last| same(&last.calls, &calls));
        see(&mut turn, &mut calls, &element, repeats, tags);
    }
    turn.calls = calls;
    (turn, End { acted: place, behind })
}

/// The same actions as in the step before.
fn same(last: &[Call], calls: &[Call]) -> bool {
    !calls.is_empty()
        && last.len() == calls.len()
        && last.iter().zip(calls).all(|(last, call)| last.tool == call.tool && last.input == call.input)
}

/// The first line that begins with an action, or with what only a harness writes.
fn stop(text: &str, from: usize, to: usize, tags: &Tags) -> Option<usize> {
    let mut place = from;
    for line in text.get(from..to)?.split_inclusive('\n') {
        let start = place + line.len() - line.trim_start().len();
        let rest = text.get(start..).unwrap_or_default();
        if line.trim_start().starts_with('<')
            && (action(rest, tags).is_some() || seen(rest, tags).is_some() || goes_on(rest, tags))
        {
            return Some(start);
        }
        place += line.len();
    }
    None
}

/// The action at the beginning of a text. Its closing tag is the one behind which something comes back, or a step begins.
fn action<'t>(text: &'t str, tags: &Tags) -> Option<Element<'t>> {
    let observation = format!("<{}", tags.observation);
    let acts = |rest: &str| {
        let name = rest.strip_prefix('<').and_then(|rest| {
            rest.split(|character: char| !(character.is_alphanumeric() || "_-".contains(character))).next()
        });
        name.is_some_and(|name| tags.tool(name).is_some())
    };
    Element::at(
        text,
        |name| tags.tool(name).is_some(),
        |rest| rest.is_empty() || rest.starts_with(&observation) || acts(rest) || goes_on(rest, tags),
    )
}

/// What came back, at the beginning of a text.
fn seen<'t>(text: &'t str, tags: &Tags) -> Option<Element<'t>> {
    let is_seen = |name: &str| name == tags.observation || name == tags.hint;
    Element::at(text, is_seen, |rest| rest.is_empty() || goes_on(rest, tags))
}

fn goes_on(rest: &str, tags: &Tags) -> bool {
    let tag = |mark: &str, name: &str| rest.strip_prefix(mark).is_some_and(|rest| rest.starts_with(name));
    rest.starts_with(&tags.thinking) || tag("</", &tags.prefix) || tag("<", &tags.end)
}

/// Sets what came back. A hint in its place says that the harness did not carry the action out: it refuses a first
/// submission without an edit, and suppresses an action that repeats the one before.
fn see(turn: &mut Turn, calls: &mut [Call], element: &Element<'_>, repeats: bool, tags: &Tags) {
    let inner = element.inner.trim_matches('\n');
    let is_hint = element.name == tags.hint || inner.trim_start().starts_with(&format!("<{}", tags.hint));
    let event = element.attribute("event");
    let hands_in = calls.iter().any(|call| call.operation == Some(Operation::Submit));
    let is_refused = hands_in || event == Some("rejected");
    let is_suppressed = event == Some("suppressed") || is_hint && repeats;
    turn.accepted = !(hands_in && is_refused);
    let is_shared = calls.len() > 1;
    for call in calls {
        let state = match () {
            () if !element.is_closed => ObservationState::Cut,
            () if is_shared => ObservationState::Shared,
            () => ObservationState::Full,
        };
        observation::set(call, Cow::Borrowed(inner), state);
        let code = ["exit_code", "exit", "returncode"].iter().find_map(|key| element.attribute(key));
        call.exit_code = code.and_then(|code| as_whole(&Value::String(code.to_owned())));
        if is_refused || is_suppressed {
            call.is_error = Some(true);
        } else if call.kind == CallKind::Shell && call.quality == Quality::Valid {
            quality::judge(call, CommandSet::Plain);
        }
    }
}

/// The call of an action: attributes, inner tags and inner text are its arguments.
fn call(element: &Element<'_>, tags: &Tags) -> Call {
    let tool = tags.tool(element.name).unwrap_or(element.name);
    let inner = element.inner.trim_matches('\n');
    if matches!(tool, "bash" | "python") {
        let key = if tool == "bash" { "command" } else { "code" };
        let mut arguments = Map::new();
        arguments.insert(key.to_owned(), Value::String(inner.trim().to_owned()));
        let mut call = tools::call(tool, &Value::Object(arguments));
        if inner.trim().is_empty() {
            call.quality = Quality::Parsable;
            call.quality_reason = Some(EMPTY_ACTION);
        }
        return call;
    }
    let mut arguments = Map::new();
    let children = element.children();
    let named = element.attributes.iter().map(|(name, value)| (*name, *value));
    let held = children.iter().map(|child| (child.name, child.inner.trim_matches('\n')));
    for (name, value) in named.chain(held) {
        arguments.insert(argument(name).to_owned(), Value::String(value.to_owned()));
    }
    if children.is_empty() && !inner.trim().is_empty() {
        let key = if matches!(tool, "view" | "open") { "path" } else { "content" };
        let key = if matches!(tool, "search" | "find_file") { "pattern" } else { key };
        arguments.entry(key).or_insert_with(|| Value::String(inner.to_owned()));
    }
    let mut call = tools::call(tool, &Value::Object(arguments));
    if call.operation.is_none() || lacks(&call.operation) {
        call.quality = Quality::Parsable;
        call.quality_reason = Some(MISSING_ARGUMENT);
    }
    call
}

/// An edit without a file, or without anything to write.
fn lacks(operation: &Option<Operation>) -> bool {
    match operation {
        Some(Operation::Replace { path, new, .. }) => path.is_none() || new.is_none(),
        Some(Operation::Insert { path, new }) => path.is_none() || new.is_none(),
        _ => false,
    }
}

/// The name under which tools take an argument.
fn argument(name: &str) -> &str {
    match name {
        "file" | "filename" => "path",
        "old" | "find" => "old_str",
        "new" => "new_str",
        "query" | "term" => "pattern",
        "start" | "from" => "start_line",
        "end" | "to" => "end_line",
        name => name,
    }
}
