//! Log formats: one file or folder each turns bytes into trajectories and problems (`formats-swe.md`). Reading never fails
//! as a whole. A format knows no path, no outcome and no arm.
//!
//! To add one: a file here, a line in `FORMATS`, a folder in `fixtures/formats/`.

mod asap;
pub mod atif;
mod browsecomp_plus;
mod chat_file;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod demonstration;
mod dialogue;
mod ends;
mod gemini;
mod goose;
mod harbor_traces;
mod head;
mod input;
mod inspect;
mod json;
pub mod mapped;
mod masking;
mod message_list;
mod messages;
mod mini_swe_agent;
mod names;
mod nemo_gym;
mod observation;
mod opencode;
mod openhands;
mod pending;
mod pi;
mod quality;
mod read;
mod rendered_chat;
mod row;
mod sketch;
mod slime;
mod stub;
mod swe_agent;
mod swe_rows;
mod tau;
mod terminal_bench_commands;
mod terminus;
mod text_calls;
mod tool_names;
mod tools;
mod trial_record;
mod verifiers;
mod verl;

pub use head::{Head, ListHead};
pub use input::{Input, Part};
pub use mapped::FORMAT as MAPPED;
pub use masking::mask;
pub use names::{instance_of, refusal};
pub use read::{Level, Read, UnknownKeys, read, read_file};
pub use sketch::Sketch;
pub use trial_record::FORMAT as TRIAL_RECORD;

use crate::model::{Problem, TaskKind, Weight};

/// What a reader was built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Real logs.
    Logs,
    /// The documentation or the source of the program alone: no real log was at hand.
    Documentation,
}

/// How a format is recognised. Formats that are told by cheaper means are asked first.
#[derive(Clone, Copy)]
pub enum Sniff {
    /// By the first bytes of a packed file.
    Packed(fn(&[u8]) -> bool),
    /// By keys at the top of a JSON file.
    Head(fn(&Head) -> bool),
    /// By the shape of the first values of a JSON file or of JSON Lines.
    Values(fn(&[Sketch]) -> bool),
    /// By the beginning of a text that is no JSON.
    Text(fn(&str) -> bool),
    /// By the path of a file that is one of several which make one trajectory: gives how many bytes of the path name the
    /// folder that is the trajectory.
    Folder(fn(&str) -> Option<usize>),
    /// Not at all: it is made from outcome files.
    Never,
}

/// A log format.
pub struct Format {
    /// Its name, stable for ever.
    pub name: &'static str,
    /// Programs and versions that write it.
    pub written_by: &'static str,
    /// How its files are named.
    pub files: &'static str,
    /// What its logs do not hold.
    pub lacks: &'static [&'static str],
    /// What its reader was built on.
    pub evidence: Evidence,
    /// The kind of its tasks, where nothing else tells it (`interface.md`, Benchmark); `None` for a format that is used for
    /// every kind of task.
    pub task_kind: Option<TaskKind>,
    /// Each line is a trajectory of its own, so that a large file may be read in pieces.
    pub is_rows: bool,
    /// Whether a file is of this format; no two formats claim one file.
    pub sniff: Sniff,
    /// Reads a file or folder; called through `read`, which masks secrets.
    pub read: fn(&Input) -> Read,
}

/// All formats, by name.
pub const FORMATS: &[Format] = &[
    asap::FORMAT,
    asap::FORMAT_ROWS,
    atif::FORMAT,
    browsecomp_plus::FORMAT,
    chat_file::FORMAT,
    chat_file::FORMAT_ROWS,
    claude_code::SESSION,
    claude_code::STREAM,
    cline::FORMAT,
    codex::EXEC,
    codex::ROLLOUT,
    copilot::FORMAT,
    gemini::FORMAT,
    goose::SESSION,
    goose::STREAM,
    harbor_traces::FORMAT,
    inspect::FORMAT_EVAL,
    inspect::FORMAT_JSON,
    mapped::FORMAT,
    message_list::FORMAT,
    mini_swe_agent::FORMAT_1,
    mini_swe_agent::FORMAT_1_NO_MESSAGES,
    mini_swe_agent::FORMAT_2,
    nemo_gym::FORMAT,
    opencode::EVENTS,
    opencode::STORAGE,
    openhands::EVENTS_0,
    openhands::SESSION_0,
    openhands::CONVERSATION_1,
    openhands::EVENTS_1,
    openhands::COMPLETION,
    openhands::COMPLETIONS,
    openhands::OUTPUT,
    openhands::ROWS,
    pi::FORMAT,
    rendered_chat::FORMAT,
    slime::FORMAT,
    stub::FORMAT,
    swe_agent::FORMAT_0,
    swe_agent::FORMAT_1_0,
    swe_agent::FORMAT_1_1,
    demonstration::FORMAT,
    swe_rows::NEBIUS,
    swe_rows::SWE_SMITH,
    tau::FORMAT_1,
    tau::FORMAT_2,
    terminal_bench_commands::FORMAT,
    terminus::EPISODES,
    terminus::SNAPSHOTS,
    trial_record::FORMAT,
    verifiers::RESULTS,
    verifiers::TRACES,
    verl::FORMAT,
];

/// Bytes of a text that are looked at.
const TEXT_WINDOW: usize = 64 << 10;

/// The format of a file, from its content.
pub fn recognise(bytes: &[u8]) -> Option<&'static Format> {
    claims(bytes).into_iter().next()
}

/// All formats that claim a file by the first means that tells: one, where the formats are well told apart.
pub fn claims(bytes: &[u8]) -> Vec<&'static Format> {
    let found = claiming(|sniff| matches!(sniff, Sniff::Packed(sniff) if sniff(bytes)));
    if !found.is_empty() {
        return found;
    }
    if let Some(head) = Head::of(bytes) {
        let found = claiming(|sniff| matches!(sniff, Sniff::Head(sniff) if sniff(&head)));
        if !found.is_empty() {
            return found;
        }
    }
    let values = Sketch::of(bytes);
    if !values.is_empty() {
        let found = claiming(|sniff| matches!(sniff, Sniff::Values(sniff) if sniff(&values)));
        if !found.is_empty() {
            return found;
        }
    }
    let window = json::valid_start(&bytes[..bytes.len().min(TEXT_WINDOW)]);
    claiming(|sniff| matches!(sniff, Sniff::Text(sniff) if sniff(window)))
}

fn claiming(does_claim: impl Fn(&Sniff) -> bool) -> Vec<&'static Format> {
    FORMATS.iter().filter(|format| does_claim(&format.sniff)).collect()
}

/// The file in which a run began that goes on in this one, the number of this one, and their format. A path alone proves
/// nothing: both must be of the format.
pub fn continues(path: &str) -> Option<(&'static Format, String, u64)> {
    let (begun, number) = atif::began_in(path)?;
    let format = FORMATS.iter().find(|format| format.name == atif::FORMAT.name)?;
    Some((format, begun, number))
}

/// Whether a run may be parted into several files of which this one is one.
pub fn may_be_parted(path: &str, bytes: &[u8]) -> bool {
    atif::began_in(path).is_some() || atif::goes_on(bytes)
}

/// The format of a folder that is one trajectory, and the folder, from the path of a file in it.
pub fn recognise_folder(path: &str) -> Option<(&'static Format, &str)> {
    FORMATS.iter().find_map(|format| match format.sniff {
        Sniff::Folder(sniff) => Some((format, path.get(..sniff(path)?)?)),
        _ => None,
    })
}

/// What breaks the rules of a format that has a strict check (`inspect --strict`): ATIF.
pub fn breaches(format: &Format, bytes: &[u8]) -> Vec<Problem> {
    if format.name != atif::FORMAT.name {
        return Vec::new();
    }
    let problem = |violation: atif::Violation| {
        let place = violation.step.map(|step| format!("step {step}")).unwrap_or_default();
        Problem::new(Weight::Refused, place, format!("rule {}: {}", violation.rule, violation.what))
    };
    atif::violations(bytes).into_iter().map(problem).collect()
}

/// The format of a name (`--format`).
pub fn named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
