//! Session folder of 0.x: `events/N.json`, one event a file. `event_cache` repeats them and is left alone.

use super::SCAFFOLD;
use super::events::Events;
use super::files::{numbered, object, parted, plain_number};
use crate::formats::json::lenient::text;
use crate::formats::{Evidence, Format, Input, Part, Read, Sniff};
use crate::model::{Problem, Trajectory, Weight};

/// Session folders of 0.x.
pub const SESSION_0: Format = Format {
    name: "openhands-0-session",
    written_by: "OpenHands 0.x (file store)",
    files: "<session>/events/N.json",
    lacks: &["instance, outcome and patch"],
    evidence: Evidence::Documentation,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Folder(root),
    read,
};

/// `<root>/events/12.json` and `<root>/event_cache/0-25.json`.
fn root(path: &str) -> Option<usize> {
    let (folder, name) = parted(path);
    let (above, last) = parted(folder);
    let is_part = match last {
        "events" => plain_number(name).is_some(),
        "event_cache" => {
            name.ends_with(".json")
                && name.bytes().all(|byte| byte.is_ascii_digit() || b"-.json".contains(&byte))
        }
        _ => false,
    };
    is_part.then_some(above.len())
}

fn read(input: &Input) -> Read {
    let mut read = Read::default();
    let parts: Vec<Part> =
        input.parts.iter().copied().filter(|part| parted(part.path).0.ends_with("events")).collect();
    let mut events = Events::new(Trajectory::new(SESSION_0.name, SCAFFOLD));
    let mut others = 0;
    let mut found = false;
    for part in numbered(&parts, plain_number) {
        let Some(event) = object(part, &mut read.problems) else { continue };
        if text(&event, "action").or_else(|| text(&event, "observation")).is_none() {
            others += 1;
            continue;
        }
        found = true;
        events.event(&event);
    }
    if others > 0 {
        let what = format!("{others} files of `events` hold no event of OpenHands");
        read.problems.push(Problem::new(Weight::Refused, "", what));
    }
    if found {
        read.trajectories = events.finish(None, &mut read.problems);
    }
    read
}
