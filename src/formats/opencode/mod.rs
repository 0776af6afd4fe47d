//! OpenCode (`formats-other.md` §9): its storage folder, where messages and their parts are files of their own, and the events of
//! `opencode run --format json`. In both a step is a response: a message of the assistant holds many.

mod events;
mod steps;
mod storage;

pub use events::EVENTS;
pub use storage::STORAGE;

/// Whose exit statuses they are.
const SCAFFOLD: &str = "opencode";
