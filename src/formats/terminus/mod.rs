//! Terminus 1 and 2 (`formats-other.md` §3): how their responses are read wherever they stand, and the folders in which they
//! keep one prompt and one response a turn.
//!
//! Never here: what a command did.

mod answer;
mod chat;
mod folder;
mod keys;
mod response;
mod snapshots;

pub use answer::{refusal, refuse, show};
pub use chat::{Message, Role, converse, end, fill, is_helper, prompt, said, speaks};
pub use folder::{EPISODES, SNAPSHOTS};
pub use keys::{COMPLETE, SHELL, calls};
pub use response::parse;
pub use snapshots::unrolled;
