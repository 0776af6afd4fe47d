//! Turn lines: the one text form of a trajectory (`style.md` §6). Examples of families, goldens of readers, `show`,
//! `explain` and bug reports are written in it; it parses and prints, and a test holds the round trip.
//!
//! A line is a turn; blanks at its beginning are dropped, empty lines and lines that begin with `# ` are comments.
//!
//! ```text
//! @ task Fix the crash.                        a fact of the run (list below), wherever it stands
//! run pytest -q tests -> 1: 1 failed           a shell call, its exit code, what was seen
//! run ls -> ?: a.py                            the exit code is not in the log
//! run ls                                       the observation is not in the log
//! edit src/a.py: x = 1 => x = 2 -> ok          a structured call; `ok` and `error` are the scaffold's own word
//! + run git diff -> 0:                         a further call of the same turn
//! | I mend it first.                           the text of that turn's response
//! ~ The user wants…                            its hidden reasoning
//! say All done.                                a response without a call
//! unparsable I would look at it.               a refused response from which no action could be taken
//! refused                                      a refusal of which the log keeps no response, before the next turn
//! [prefix] run ls -> 0: a.py   #! exploration/search     attributes first, marks last
//! #! run: active_testing 0/1, autonomous_edit 1/1        what the whole run must show
//! ```
//!
//! **Calls**: `run COMMAND`; `view PATH[: 1-20]`; `search [PATH]: PATTERN`; `create PATH[: TEXT]`;
//! `edit PATH[: OLD => NEW]`; `insert PATH[: NEW]`; `undo PATH`; `delete PATH`; `submit`; `exit`; `plan TEXT`;
//! `think TEXT`; `delegate TEXT`; `handover TEXT`; `endrole`; `web TARGET`; `neutral TEXT`; `tool INPUT` (of no known
//! meaning). `verb@NAME` gives the tool's name where it is another than usual (`edit@Edit src/a.py`). A path may be
//! left out where the tool has an open file.
//!
//! **Results**: ` -> STATUS[: TEXT]`; the status is an exit code, `?`, `ok` or `error`, then any of `cut`, `shared`,
//! `timeout`. No result: the observation is missing.
//!
//! **Attributes**, in brackets, with commas between: `prefix`, `demo`, `copied`, `abandoned` (origin); `rejected` (not
//! accepted); of a call: `parsable`, `unparsable`, `reason=usage error` (`quality_reason`), `ms=150`; `cwd=/testbed`,
//! `open=src/a.py`, `diff=NAME` hold until the next of their kind (`cwd=?`: unknown); `in=1200`, `out=30`, `at=…`.
//!
//! **Facts** of the run, after `@`: `scaffold NAME [VERSION]`, `commands swe-agent`, `model`, `instance`, `run`, `steps`,
//! `api-calls`, `system`, `task`, `root`, `end TERMINATION [auto]`, `status RAW`, `submitting-turn N`, `patch STATE`,
//! `patch-text`, `in`, `out`, `cost`, `started`, `ended`, `train-step`, `refused N` (counted without a place), `no-log`,
//! `no-turn-boundaries`, `cannot-submit`, `exit-codes`, `no-exit-codes`. What is not said is derived: a last `submit` without
//! `error` ends the run as `submitted` by that turn with a non-empty patch; exit codes are logged where one is written.
//!
//! **Text** stands on one line: `\n`, `\r`, `\t`, `\\`, `\u{1b}`; a backslash before anything else is itself, so that
//! `grep "a\|b"` needs no care. `\->`, `\=>`, `\#!` and `\: ` are the signs themselves where they could be taken for a
//! separator. Long text is cut in the middle on request: `…(1,204 bytes)`.
//!
//! **Marks** follow two blanks: `TAG`, `TAG/KIND`, `TAG=VALUE`, with blanks between; they stand for the turn, on a `+` line
//! for that call. No mark means: must not be tagged. What `=` gives is compared by the tests of the family.

mod escape;
mod facts;
mod operation;
mod parse;
mod print;

pub use parse::parse;
pub use print::{Parts, print, print_marked, print_parts};

use super::trajectory::Trajectory;

/// What an example says must be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Turn, over all origins.
    pub turn: usize,
    /// Call within the turn; `None` where the mark stands for the turn.
    pub call: Option<usize>,
    /// Tag as `name`, `name/kind` or `name/code`.
    pub label: String,
    /// What follows `=`.
    pub value: Option<String>,
}

/// What an example says of the whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunMark {
    /// Code of a behaviour, or a word that the test knows.
    pub label: String,
    /// What follows it (`1/1`).
    pub value: String,
}

/// Turn lines as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The trajectory; its format is `turn-lines`.
    pub trajectory: Trajectory,
    /// Line from 1 on which each turn begins.
    pub lines: Vec<usize>,
    /// Marks, in the order of lines.
    pub marks: Vec<Mark>,
    /// Marks of the run; empty where the text has none.
    pub run_marks: Vec<RunMark>,
}

/// A line that is no turn line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ParseError {
    /// Line from 1.
    pub line: usize,
    /// What is odd about it.
    pub what: String,
}

/// Name of the format that parsed turn lines have.
pub const FORMAT: &str = "turn-lines";

/// A text on one line, cut in the middle where it is longer than so many bytes.
pub fn one_line(text: &str, limit: usize) -> String {
    escape::line(&escape::shorten(text, Some(limit)), &[])
}
