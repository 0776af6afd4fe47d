//! Conversations of the SDK: a folder `base_state.json` + `events/event-N-UUID.json`, or the events alone as one array or as
//! JSON Lines.

use super::SCAFFOLD;
use super::export::each_event;
use super::files::{event_number, numbered, object, parted};
use super::sdk::{self, Conversation};
use crate::formats::{Evidence, Format, Input, Read, Sniff, json};
use crate::model::{Problem, Trajectory, Weight};
use serde_json::Value;

/// Conversation folders of the SDK.
pub const CONVERSATION_1: Format = Format {
    name: "openhands-1-conversation",
    written_by: "OpenHands 1.x (SDK, CLI)",
    files: "<conversation>/base_state.json, <conversation>/events/event-N-UUID.json",
    lacks: &["instance, outcome and patch", "tokens of single responses"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Folder(root),
    read: read_folder,
};

/// Events of the SDK in one file.
pub const EVENTS_1: Format = Format {
    name: "openhands-1-events",
    written_by: "OpenHands 1.x (SDK): exports and downloads",
    files: "*.json, *.jsonl",
    lacks: &["instance, outcome and patch", "tokens of single responses"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Values(|values| {
        let is_list = matches!(values, [only] if only.elements().iter().any(sdk::is_event));
        is_list || values.iter().any(sdk::is_event)
    }),
    read: read_events,
};

/// The folder above `events`, or the one in which events lie without it.
fn root(path: &str) -> Option<usize> {
    let (folder, name) = parted(path);
    if name == "base_state.json" {
        return Some(folder.len());
    }
    event_number(name)?;
    Some(match parted(folder) {
        (above, "events") => above.len(),
        _ => folder.len(),
    })
}

fn read_folder(input: &Input) -> Read {
    let mut read = Read::default();
    let mut conversation = Conversation::new(Trajectory::new(CONVERSATION_1.name, SCAFFOLD));
    let mut found = false;
    for part in numbered(input.parts, event_number) {
        let Some(event) = object(part, &mut read.problems) else { continue };
        found |= sdk::is_event_value(&event);
        conversation.event(&event);
    }
    let state = input.parts.iter().find(|part| parted(part.path).1 == "base_state.json");
    if let Some(state) = state.and_then(|part| object(*part, &mut read.problems)) {
        conversation.state_file(&state);
    }
    if found {
        let run = conversation.finish(None, &mut read.problems);
        read.trajectories.push(run);
    } else {
        let what = "the state of a conversation without its events";
        read.problems.push(Problem::new(Weight::Refused, "", what));
    }
    read
}

fn read_events(input: &Input) -> Read {
    let mut read = Read::default();
    let mut conversation = Conversation::new(Trajectory::new(EVENTS_1.name, SCAFFOLD));
    let bytes = input.bytes();
    let start = json::without_mark(bytes).trim_ascii_start();
    if start.first() == Some(&b'[') {
        let document = json::document(bytes, &mut read.problems);
        let elements = document.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        each_event(elements, &mut read.problems, |event| conversation.event(event));
    } else {
        json::records(bytes, input.lines_before, &mut read.problems, |record, problems| {
            if record.value.is_object() {
                conversation.event(&record.value);
            } else {
                let what = "no object, and so no event: left out";
                problems.push(Problem::new(Weight::Refused, record.place(), what));
            }
        });
    }
    let run = conversation.finish(None, &mut read.problems);
    read.trajectories.push(run);
    read
}
