//! SWE-agent 0.x, 1.0 and 1.1 (`formats-swe.md` §1, §2): `trajectory` and `info`. Steps are read, prompt copies are skipped;
//! which version wrote the log is told by the keys of its steps.

mod document;
mod end;
mod turns;

pub use end::{SCAFFOLD, settle};

use super::json::{self, Attempt};
use super::{Evidence, Format, Head, ListHead, Read, Sniff};
use crate::model::{CommandSet, Origin, Problem, Refusal, Trajectory, Weight};
use document::Document;

/// SWE-agent 0.x.
pub const FORMAT_0: Format = Format {
    name: "swe-agent-0.x",
    written_by: "SWE-agent 0.2 to 0.7, CodeR and other forks of it",
    files: "<instance>.traj",
    lacks: &[
        "instance and model (file stem, folder)",
        "times, tokens by turn, exit codes",
        "refused responses (only counted)",
    ],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(|head| version(head) == Some(Version::V0)),
    read: |input| read(input.bytes()),
};

/// SWE-agent 1.0.
pub const FORMAT_1_0: Format = Format {
    name: "swe-agent-1.0",
    written_by: "SWE-agent 1.0",
    files: "<instance>/<instance>.traj",
    lacks: &[
        "instance (file stem, folder)",
        "times, tokens by turn, exit codes",
        "why a response was refused",
    ],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(|head| version(head) == Some(Version::V1_0)),
    read: |input| read(input.bytes()),
};

/// SWE-agent 1.1 and later.
pub const FORMAT_1_1: Format = Format {
    name: "swe-agent-1.1",
    written_by: "SWE-agent 1.1 and later",
    files: "<instance>/<instance>.traj",
    lacks: &[
        "instance (file stem, folder)",
        "times, tokens by turn, exit codes",
        "why a response was refused",
    ],
    evidence: Evidence::Logs,
    task_kind: None,
    is_rows: false,
    sniff: Sniff::Head(|head| version(head) == Some(Version::V1_1)),
    read: |input| read(input.bytes()),
};

/// Which versions wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V0,
    V1_0,
    V1_1,
}

impl Version {
    fn of(has_query: bool, has_messages_or_time: bool) -> Version {
        match (has_query, has_messages_or_time) {
            (true, _) => Version::V1_1,
            (false, true) => Version::V1_0,
            (false, false) => Version::V0,
        }
    }

    fn format(self) -> &'static str {
        match self {
            Version::V0 => FORMAT_0.name,
            Version::V1_0 => FORMAT_1_0.name,
            Version::V1_1 => FORMAT_1_1.name,
        }
    }
}

fn version(head: &Head) -> Option<Version> {
    let steps: &ListHead = head.trajectory.as_ref()?;
    // Rows of a data set hold chat entries under the same key.
    if steps.has("role") {
        return None;
    }
    // Robots and games have a `trajectory` too. A log that is cut off in its first step may show no more than this.
    let is_said = ["response", "thought", "query"].iter().any(|key| steps.has(key));
    let is_cut = steps.keys.iter().all(|key| matches!(key.as_str(), "action" | "observation"));
    if !is_said && !is_cut {
        return None;
    }
    Some(Version::of(steps.has("query"), steps.has("messages") || steps.has("execution_time")))
}

fn read(bytes: &[u8]) -> Read {
    json::read(bytes, |text| {
        let mut document = Document::default();
        let fault = document.decode(text).err();
        let mut read = Read::default();
        read.problems.append(&mut document.problems);
        read.unknown_keys = std::mem::take(&mut document.unknown_keys);
        if document.saw_steps {
            read.trajectories.push(trajectory(document, &mut read.problems));
        }
        Attempt { read, fault }
    })
}

fn trajectory(document: Document<'_>, problems: &mut Vec<Problem>) -> Trajectory {
    let steps = document.steps.len();
    let has_query = document.steps.iter().any(|step| step.has_query);
    let has_prompt = document.steps.iter().any(|step| step.has_messages || step.execution_time.is_some());
    let version = Version::of(has_query, has_prompt);
    let mut run = Trajectory::new(version.format(), SCAFFOLD);
    run.commands = CommandSet::SweAgent;
    run.steps = Some(document.steps_seen as i64);
    let (info, config) = (document.info, document.config);
    run.scaffold_version = info.version;
    run.model = config.model;
    run.repository_root = config.repository.map(|name| format!("/{name}"));
    run.api_calls = info.api_calls;
    run.tokens_in = info.tokens_sent;
    run.tokens_out = info.tokens_received;
    run.cost_usd = info.cost;
    run.system = document.prompt.system;
    run.task = document.prompt.task;
    let made_up = document.steps.last().filter(|step| turns::is_made_up(step)).map(end::MadeUp::of);
    let kept = steps - usize::from(made_up.is_some());
    let first_cwd = turns::prompt_cwd(run.task.as_deref()).or_else(|| run.repository_root.clone());
    run.turns = turns::turns(document.steps, kept, version != Version::V0, first_cwd, problems);
    end::settle(&mut run, info.exit_status, info.submission, made_up);
    if version == Version::V0 {
        refusals(&mut run, problems);
    }
    // A replay calls no model (`formats-swe.md` §8, 13).
    if run.api_calls == Some(0) {
        run.turns.iter_mut().for_each(|turn| turn.origin = Origin::Demo);
    }
    // Replays and runs of models without a price say 0.
    run.tokens_in = run.tokens_in.filter(|tokens| *tokens > 0);
    run.tokens_out = run.tokens_out.filter(|tokens| *tokens > 0);
    run
}

/// 0.x keeps no refused response: calls beyond its steps show them (`definitions.md` §2).
fn refusals(run: &mut Trajectory, problems: &mut Vec<Problem>) {
    let beyond = run.api_calls.unwrap_or_default() - run.steps.unwrap_or_default();
    if beyond <= 0 {
        return;
    }
    if end::ends_in_a_hand_over(run) {
        let what = format!("the log ends when a role handed over: {beyond} further calls are not in it");
        problems.push(Problem::new(Weight::Note, "", what));
    } else if !end::is_open(run) {
        run.refusals = vec![Refusal { before_turn: None }; beyond as usize];
    }
}
