//! Stubs (`formats-swe.md` §6): a line with a result under the name of a log. Files without a log, never runs of 0 turns.

use super::json::{self, Attempt, Fields, Object, Raw, Text, skip};
use super::{Evidence, Format, Head, Level, Read, Sniff};
use crate::data::statuses;
use crate::model::{Problem, Termination, Trajectory, Weight};
use serde::de::{DeserializeSeed, MapAccess};

/// Stubs.
pub const FORMAT: Format = Format {
    name: "stub",
    written_by: "harnesses around mini-swe-agent",
    files: "<instance>.traj.json",
    lacks: &["a log: only the instance, the exit status and the number of steps"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(sniff),
    read: |input| read(input.bytes()),
};

/// Whose exit statuses they are.
const SCAFFOLD: &str = "mini-swe-agent";

fn sniff(head: &Head) -> bool {
    let has_log = head.trajectory.is_some() || head.has("messages") || head.has("history");
    head.steps_is_number && !has_log && head.has("instance_id")
}

fn read(bytes: &[u8]) -> Read {
    json::read(bytes, |text| {
        let mut stub = Stub { read: Read::default(), run: Trajectory::new(FORMAT.name, SCAFFOLD) };
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let fault = Fields(&mut stub).deserialize(&mut deserializer).err();
        let (mut read, mut run) = (stub.read, stub.run);
        run.has_log = false;
        run.termination = match &run.raw_exit_status {
            Some(raw) => statuses::termination(SCAFFOLD, raw).unwrap_or(Termination::Unknown),
            None => Termination::Incomplete,
        };
        read.trajectories.push(run);
        Attempt { read, fault }
    })
}

struct Stub {
    read: Read,
    run: Trajectory,
}

impl<'de> Object<'de> for Stub {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let filled = |text: Text<'de>| text.filled().map(str::to_owned);
        match key {
            "instance_id" => self.run.instance_id = filled(map.next_value()?),
            "exit_status" => self.run.raw_exit_status = filled(map.next_value()?),
            "steps" => self.run.steps = map.next_value::<Raw>()?.whole(),
            "error" => {
                if let Some(error) = filled(map.next_value()?) {
                    let first: String = error.lines().next().unwrap_or_default().chars().take(200).collect();
                    let what = format!("no log: the harness says `{first}`");
                    self.read.problems.push(Problem::new(Weight::Note, "", what));
                }
            }
            _ => {
                self.read.unknown_keys.count(Level::Top, key);
                return skip(map);
            }
        }
        Ok(())
    }
}
