//! OpenHands (`formats-other.md` §4, §5): rows of `output.jsonl`, exported events and session folders of 0.x, events
//! and conversation folders of the SDK (1.x), the completions that both log, and rows of data
//! sets.
//!
//! Never here: reports of the grader that stand in files of their own.

mod action;
mod completion;
mod conversation;
mod end;
mod events;
mod export;
mod files;
mod output;
mod result;
mod rows;
mod sdk;
mod sdk_call;
mod session;
mod skills;
mod verdict;

pub use completion::{COMPLETION, COMPLETIONS};
pub use conversation::{CONVERSATION_1, EVENTS_1};
pub use export::EVENTS_0;
pub use output::OUTPUT;
pub use result::refine;
pub use rows::ROWS;
pub use session::SESSION_0;

/// Name of the scaffold.
pub const SCAFFOLD: &str = "openhands";
