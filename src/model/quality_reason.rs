//! Why a call or turn is not L2 (`definitions.md` §2): the vocabulary of `quality_reason`. Formats set it, the store
//! keeps it as text; nothing matches on the words elsewhere.

/// The response holds no action, though one was called for.
pub const NO_ACTION: &str = "no action";
/// The response holds several actions where the scaffold takes one.
pub const SEVERAL_ACTIONS: &str = "several actions";
/// The scaffold took an action without any command in it.
pub const EMPTY_ACTION: &str = "empty action";
/// The response was cut off by the limit of tokens before its action ended.
pub const RESPONSE_CUT: &str = "response cut off";
/// The scaffold forbids the command.
pub const BLOCKED: &str = "blocked command";
/// The scaffold's own check found a fault in the shell syntax.
pub const SHELL_SYNTAX: &str = "shell syntax error";
/// The tool answered with its usage.
pub const USAGE: &str = "usage error";
/// The call names no tool of the scaffold.
pub const UNKNOWN_TOOL: &str = "unknown tool";
/// The arguments are no valid JSON, or not of the tool's shape.
pub const ARGUMENTS: &str = "malformed arguments";
/// The call lacks an argument.
pub const MISSING_ARGUMENT: &str = "missing argument";
/// Prose was run by the shell.
pub const PROSE: &str = "prose run as a command";
/// The log says that the response was refused, and not why.
pub const REFUSED: &str = "refused";

/// All reasons, sorted.
pub const REASONS: [&str; 12] = [
    BLOCKED,
    EMPTY_ACTION,
    ARGUMENTS,
    MISSING_ARGUMENT,
    NO_ACTION,
    PROSE,
    REFUSED,
    RESPONSE_CUT,
    SEVERAL_ACTIONS,
    SHELL_SYNTAX,
    UNKNOWN_TOOL,
    USAGE,
];

/// The constant that equals a text.
pub fn parse(text: &str) -> Option<&'static str> {
    REASONS.into_iter().find(|reason| *reason == text)
}
