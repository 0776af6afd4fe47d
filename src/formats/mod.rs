//! Log formats: one file or folder each turns bytes into trajectories and problems (`formats-swe.md`). Reading never fails
//! as a whole. A format knows no path, no outcome and no arm.
//!
//! To add one: a file here, a line in `FORMATS`, a folder in `fixtures/formats/`.

mod demonstration;
mod head;
mod json;
mod masking;
mod message_list;
mod mini_swe_agent;
mod names;
mod observation;
mod quality;
mod read;
mod stub;
mod swe_agent;

pub use head::{Head, ListHead};
pub use masking::mask;
pub use names::{instance_of, refusal};
pub use read::{Level, Read, UnknownKeys, read};

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
    /// Whether a file is of this format, by its head; no two formats claim one file.
    pub sniff: fn(&Head) -> bool,
    /// Reads a file; called through `read`, which masks secrets.
    pub read: fn(&[u8]) -> Read,
}

/// All formats, by name.
pub const FORMATS: &[Format] = &[
    message_list::FORMAT,
    mini_swe_agent::FORMAT_1,
    mini_swe_agent::FORMAT_1_NO_MESSAGES,
    mini_swe_agent::FORMAT_2,
    stub::FORMAT,
    swe_agent::FORMAT_0,
    swe_agent::FORMAT_1_0,
    swe_agent::FORMAT_1_1,
    demonstration::FORMAT,
];

/// The format of a file, from its content.
pub fn recognise(bytes: &[u8]) -> Option<&'static Format> {
    let head = Head::of(bytes)?;
    FORMATS.iter().find(|format| (format.sniff)(&head))
}

/// The format of a name (`--format`).
pub fn named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
