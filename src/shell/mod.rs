//! A shell command line becomes segments, each with its bytes.
//!
//! Owns   the reading of what an agent typed: simple commands, arguments, redirections, here-documents,
//!        substitutions, compounds, and the wrappers that are seen through (definitions.md §3).
//! Never  does IO, runs or expands anything, says what a command means, or fails: broken and cut text gives the
//!        segments that can be read and `complete = false`.
//!
//! One pass over the bytes; nesting is capped (`MAX_DEPTH`), so hostile text costs linear time and little memory.
//! Prose and XML around a command are taken away by the formats; `looks_like_prose` tells when none was there.

mod conditions;
mod grammar;
mod heredoc;
mod inline;
mod nested;
mod parser;
mod pieces;
mod programs;
mod prose;
mod segment;
mod simple;
mod tool_program;
mod words;
mod wrappers;

pub use parser::{MAX_DEPTH, MAX_SEGMENTS, Options, parse};
pub use pieces::pieces;
pub use prose::looks_like_prose;
pub use segment::{
    CodeSource, Command, Connector, Context, Heredoc, InlineCode, Language, Redirection, RedirectionOperator,
    Segment, Word, Wrapper, WrapperKind,
};
