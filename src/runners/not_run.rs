//! Texts and exit codes that say that a test did not run: program missing, wrong usage, killed by a limit.
//!
//! Never  speaks where a summary is there: a verdict that was printed before a kill stands.
//! Source definitions.md §4 (`not_run`).

use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

use crate::data::pattern::ascii;

use super::counts::{has, lines_with};
use super::{ExitEvidence, NotRunReason, TestEvidence};

/// Exit codes of a killed process: `timeout`'s own, SIGKILL, SIGTERM.
const KILLED: [i64; 3] = [124, 137, 143];

/// What scaffolds and shells write when they end a command. mini-swe-agent, SWE-agent 0.x and 1.x, OpenHands, and
/// the line of `ulimit` and of container limits.
const TIMEOUTS: &[&str] = &[
    "EXECUTION TIMED OUT",
    "was cancelled because it took more than",
    "timed out and has been killed",
    "ommand timed out",
    "ommand execution timed out",
    "ommand has timed out",
    "the time limit of",
    "exceeded the time limit",
    "no new output after",
];

/// Lines of launchers whose program, main class, script or target is not there.
const MISSING: &[&str] = &[
    "JAVA_HOME is not defined correctly",
    "JAVA_HOME is not set and no 'java'",
    "JAVA_HOME is set to an invalid directory",
    "JAVA_HOME environment variable is not defined",
    "Unable to locate a Java Runtime",
    "Could not find or load main class org.junit",
    "Could not find or load main class org.gradle",
    "Could not find or load main class org.apache.maven",
    "Missing script: ",
    "missing script: ",
    "error Command \"test\" not found",
    "Unable to access jarfile",
    "Error while finding module specification for",
    "could not determine executable to run",
    "executable file not found in $PATH",
    "error: no such command: `",
    "error: no such subcommand: `",
    "Could not open input file:",
    "Command \"test\" is not defined",
    "Task 'test' not found in ",
    "No rule to make target 'test",
    "No rule to make target `test",
    "No rule to make target 'check",
    "No rule to make target `check",
    "ninja: error: unknown target",
    "Could not find command-line tool",
    "Could not execute because the specified command or file was not found",
];

/// Complaints about the command's own form, besides `usage:` with an error.
const USAGE: &[&str] = &[
    "error: unrecognized arguments",
    "error: unrecognized arguments:",
    "Unknown command-line option",
    "Unrecognized option:",
    "Unable to parse command line options",
    "Unknown lifecycle phase",
    "flag provided but not defined:",
    "error: unexpected argument '",
    "error: Found argument '",
    "Unrecognized CLI Parameter",
    "error: unknown option '",
    "Error: Unknown option",
    "CACError: Unknown option",
    "error: no such option:",
    "MSBUILD : error MSB1001",
    "invalid option: -",
];

static SHELL_MISSING: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?m)^(?:",
        r"[^\n:]*(?:sh|bash|zsh|env|sudo|timeout|xargs|time|nohup)[^\n:]*:(?: line)? ?(?:\d+:)?[^\n]*(?:command not found|: not found|No such file or directory)",
        r"|[^\n:]+: command not found",
        r"|[^\n:]+: \d+: [^\n:]+: not found",
        r"|-?[^\n]*\bcommand not found: \S+",
        r")\s*$",
    ))
});
/// A shell that cannot read the command line runs nothing of it: prose as a command, a broken quote.
static SHELL_SYNTAX: LazyLock<Regex> = LazyLock::new(|| {
    ascii(r"(?m)^\S*(?:bash|sh|zsh): (?:-c: )?(?:line \d+: )?(?:syntax error|unexpected EOF)")
});
static PYTHON_MISSING: LazyLock<Regex> =
    LazyLock::new(|| ascii(r"(?m)^\S*(?:python|pypy)[\d.]*: (?:No module named |can't open file )"));
static USAGE_LINE: LazyLock<Regex> = LazyLock::new(|| ascii(r"(?m)^(?:ERROR: )?[Uu]sage: "));
static USAGE_ERROR: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?m)^\S*:? ?(?:[\w.-]+: )?error: (?:argument |unrecognized |the following arguments|invalid choice",
        r"|ambiguous option|expected |too few|one of the arguments|not allowed|option )",
    ))
});

/// A text without any of these says nothing of the kind: one search in place of fifty.
static MAY_SPEAK: LazyLock<Regex> = LazyLock::new(|| {
    let own = [
        "sh: ",
        "not found",
        "No such file or directory",
        ": No module named ",
        ": can't open file ",
        "sage: ",
        "Terminated",
        "Killed",
    ];
    let all: Vec<String> =
        own.iter().chain(TIMEOUTS).chain(MISSING).chain(USAGE).map(|needle| regex::escape(needle)).collect();
    ascii(&all.join("|"))
});

/// Why nothing ran, where text or exit code say so.
pub fn reason(text: &str, exit: ExitEvidence) -> Option<(NotRunReason, TestEvidence)> {
    if exit.own() == Some(0) {
        return None;
    }
    let speaks = MAY_SPEAK.is_match(text);
    if speaks && is_missing(text) {
        return Some((NotRunReason::Missing, TestEvidence::Text));
    }
    if speaks && SHELL_SYNTAX.is_match(text) {
        return Some((NotRunReason::Skipped, TestEvidence::Text));
    }
    if speaks && is_usage(text) {
        return Some((NotRunReason::Usage, TestEvidence::Text));
    }
    if exit.own().is_some_and(|code| KILLED.contains(&code)) || is_killed_call(exit) {
        return Some((NotRunReason::Timeout, TestEvidence::Exit));
    }
    (speaks && is_timeout(text)).then_some((NotRunReason::Timeout, TestEvidence::Text))
}

/// No shell returns a code below 0: it is what harnesses write for a call that they killed, whatever was piped.
fn is_killed_call(exit: ExitEvidence) -> bool {
    exit.code.is_some_and(|code| code < 0)
}

/// The program, module or script is not there.
fn is_missing(text: &str) -> bool {
    let names_program = has(text, "not found") || has(text, "No such file or directory");
    (names_program && SHELL_MISSING.is_match(text))
        || (has(text, ": No module named ") || has(text, ": can't open file "))
            && PYTHON_MISSING.is_match(text)
        || MISSING.iter().any(|needle| has(text, needle))
}

fn is_usage(text: &str) -> bool {
    let shows_usage = memmem::find(text.as_bytes(), b"sage: ").is_some() && USAGE_LINE.is_match(text);
    (shows_usage && USAGE_ERROR.is_match(text)) || USAGE.iter().any(|needle| has(text, needle))
}

/// A text says that a limit ended the command.
fn is_timeout(text: &str) -> bool {
    TIMEOUTS.iter().any(|needle| has(text, needle))
        || ["Terminated", "Killed"].iter().any(|word| lines_with(text, word).any(|line| line.trim() == *word))
}
