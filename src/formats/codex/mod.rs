//! Codex (`formats-other.md` §7): rollouts, which keep what the model sent item by item, and the events of `codex exec --json`,
//! which keep what was done.

mod copied;
mod exec;
mod output;
mod rollout;

pub use exec::EXEC;
pub use rollout::ROLLOUT;

/// Whose exit statuses they are.
const SCAFFOLD: &str = "codex";
