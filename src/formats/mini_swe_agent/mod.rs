//! mini-swe-agent 1.x and 2.x (`formats-swe.md` §3, §4): `info` and a list of messages. Copies of prompt and output
//! (`raw_output`, the content within `extra.response`) are skipped.

mod action;
mod document;
mod end;
mod message;
mod turns;

use super::json::{self, Attempt};
use super::{Evidence, Format, Head, Read, Sniff};
use crate::model::Trajectory;
use document::Document;

pub use action::Action;
pub use message::{Message, Messages};
pub use turns::turns;

/// Name of the scaffold.
pub const SCAFFOLD: &str = "mini-swe-agent";

/// mini-swe-agent 1.x.
pub const FORMAT_1: Format = Format {
    name: "mini-swe-agent-1",
    written_by: "mini-swe-agent 1.x",
    files: "<instance>/<instance>.traj.json",
    lacks: &["exit code of the command that hands in"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(|head| generation(head) == Some(1) && has_messages(head)),
    read: |input| read(input.bytes(), Generation::One),
};

/// mini-swe-agent 1.x without messages, as a course's template on top of it wrote them.
pub const FORMAT_1_NO_MESSAGES: Format = Format {
    name: "mini-swe-agent-1-no-messages",
    written_by: "programs on top of mini-swe-agent 1.x that keep the patch alone",
    files: "<instance>/<instance>.traj.json",
    lacks: &["a log: an outcome and a patch without a turn"],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(|head| generation(head) == Some(1) && !has_messages(head)),
    read: |input| read(input.bytes(), Generation::OneWithoutMessages),
};

/// mini-swe-agent 2.x.
pub const FORMAT_2: Format = Format {
    name: "mini-swe-agent-2",
    written_by: "mini-swe-agent 2.x",
    files: "<instance>/<instance>.traj.json",
    lacks: &[
        "refused responses (2.2.4 keeps the error message alone)",
        "what the command that hands in printed, beyond the patch",
    ],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(|head| generation(head) == Some(2)),
    read: |input| read(input.bytes(), Generation::Two),
};

/// Which generation of the program wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// 1.x.
    One,
    /// 1.x, without messages.
    OneWithoutMessages,
    /// 2.x.
    Two,
}

impl Generation {
    fn format(self) -> &'static str {
        match self {
            Generation::One => FORMAT_1.name,
            Generation::OneWithoutMessages => FORMAT_1_NO_MESSAGES.name,
            Generation::Two => FORMAT_2.name,
        }
    }
}

/// The program's generation: the format's number runs one behind it, `mini-swe-agent-1.1` is written by 2.x.
fn generation(head: &Head) -> Option<u8> {
    if head.trajectory.is_some() {
        return None;
    }
    match (head.trajectory_format.as_deref(), head.mini_version.as_deref()) {
        (Some("mini-swe-agent-1"), _) => Some(1),
        (Some(format), _) if format.starts_with("mini-swe-agent-1.") => Some(2),
        // The list of messages stands before the format's name and was not read to its end.
        (None, Some(version)) if head.messages.is_some() => version
            .split('.')
            .next()
            .and_then(|major| major.parse().ok())
            .filter(|major| (1..=2).contains(major)),
        _ => None,
    }
}

fn has_messages(head: &Head) -> bool {
    head.messages.as_ref().is_some_and(|messages| !messages.is_empty)
}

fn read(bytes: &[u8], generation: Generation) -> Read {
    json::read(bytes, |text| {
        let mut document = Document::default();
        let fault = document.decode(text).err();
        let mut read = Read::default();
        read.problems.append(&mut document.problems);
        read.unknown_keys = std::mem::take(&mut document.unknown_keys);
        read.trajectories.push(trajectory(document, generation, fault.is_some()));
        Attempt { read, fault }
    })
}

fn trajectory(document: Document<'_>, generation: Generation, is_cut: bool) -> Trajectory {
    let Document { info, config, mut messages, instance_id, .. } = document;
    let mut run = Trajectory::new(generation.format(), SCAFFOLD);
    run.scaffold_version = info.version.clone();
    run.model = config.model.clone();
    run.instance_id = instance_id;
    run.repository_root = config.cwd.clone();
    run.api_calls = info.api_calls;
    run.cost_usd = info.cost;
    run.has_log = !messages.is_empty();
    run.logs_exit_codes = run.has_log;
    let action = Action::new(generation, config.action_pattern.as_deref());
    // A limit or an error ends in `info` first; the exit message of 2.x says the same once more.
    let exit = end::take_exit(&mut messages);
    turns(&mut run, messages, &action);
    let model_calls = run.turns.len() as i64;
    run.steps = info.api_calls.or(Some(model_calls));
    end::settle(&mut run, &info, &config, exit, is_cut);
    run
}
