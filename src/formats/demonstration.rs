//! SWE-agent demonstrations (`formats-swe.md` §0): a chat under `history` and nothing else. No run: a trajectory without turns.

use super::json::{self, Attempt, Fields, Object, skip};
use super::{Evidence, Format, Head, Level, Read, Sniff};
use crate::model::{CommandSet, Trajectory};
use serde::de::{DeserializeSeed, MapAccess};

/// SWE-agent demonstrations.
pub const FORMAT: Format = Format {
    name: "swe-agent-demonstration",
    written_by: "SWE-agent",
    files: "*.traj",
    lacks: &["a run: the chat is an example for a prompt"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(sniff),
    read: |input| read(input.bytes()),
};

fn sniff(head: &Head) -> bool {
    // Other programs keep events under the same key.
    let is_chat = head.history.as_ref().is_some_and(|history| history.has("role"));
    is_chat && head.trajectory.is_none() && head.messages.is_none()
}

fn read(bytes: &[u8]) -> Read {
    json::read(bytes, |text| {
        let mut top = Top(Read::default());
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let fault = Fields(&mut top).deserialize(&mut deserializer).err();
        let mut read = top.0;
        read.trajectories.push(trajectory());
        Attempt { read, fault }
    })
}

fn trajectory() -> Trajectory {
    let mut run = Trajectory::new(FORMAT.name, "swe-agent");
    run.commands = CommandSet::SweAgent;
    run.has_log = false;
    run.steps = Some(0);
    run
}

struct Top(Read);

impl<'de> Object<'de> for Top {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != "history" {
            self.0.unknown_keys.count(Level::Top, key);
        }
        skip(map)
    }
}
