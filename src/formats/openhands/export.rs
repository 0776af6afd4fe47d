//! Exported trajectory of 0.x: one JSON array of events.

use super::SCAFFOLD;
use super::events::Events;
use crate::formats::{Evidence, Format, Input, Read, Sketch, Sniff, json};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// Exported events of 0.x.
pub const EVENTS_0: Format = Format {
    name: "openhands-0-events",
    written_by: "OpenHands 0.x (`save_trajectory_path`, download of a conversation)",
    files: "*.json",
    lacks: &["instance, outcome and patch"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Values(|values| matches!(values, [only] if only.elements().iter().any(is_event))),
    read,
};

/// A value is an event of 0.x: an action with its arguments, or an observation with its content, by a named source.
pub fn is_event(value: &Sketch) -> bool {
    let is_action = value.text("action").is_some() && value.get("args").is_some_and(Sketch::is_object);
    let is_observation = value.text("observation").is_some() && value.text("content").is_some();
    let has_source = matches!(value.text("source"), Some("agent" | "user" | "environment"));
    (is_action || is_observation) && has_source && value.has("timestamp")
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let Some(document) = json::document(input.bytes(), &mut read.problems) else { return read };
    let elements = document.as_array().map_or(&[][..], Vec::as_slice);
    let mut events = Events::new(Trajectory::new(EVENTS_0.name, SCAFFOLD));
    each_event(elements, &mut read.problems, |event| events.event(event));
    read.trajectories = events.finish(None, &mut read.problems);
    read
}

/// Gives the elements that are objects; others are lost and said so.
pub fn each_event<'v>(elements: &'v [Value], problems: &mut Vec<Problem>, mut each: impl FnMut(&'v Value)) {
    for (index, element) in elements.iter().enumerate() {
        if element.is_object() {
            each(element);
        } else {
            let place = format!("record {}", index + 1);
            problems.push(Problem::new(Weight::Refused, place, "no object, and so no event: left out"));
        }
    }
}
