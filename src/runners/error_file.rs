//! The file that an error speaks of last: a traceback's last frame, or a compiler's last message.
//!
//! Source definitions.md §5 (`failed_test_seen`): it decides whether an error is the agent's own.

use std::sync::LazyLock;

use regex::Regex;

use crate::data::pattern::ascii;

/// One alternative a form: Python's frames, pytest's places, Maven, rustc, Node, and `file:line:column` of Go, gcc,
/// javac and tsc. Each is a line.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r#"^(?:(?:E\s+)?\s*File "([^"<]+)", line \d+"#,
        r"|([[:word:]./+~-]+\.py):\d+: (?:in \S+|[[:word:].]+)$",
        r"|\[ERROR\] ([^\s:\[]+\.[[:word:]]+):\[\d+,\d+\]",
        r"|\s*--> ([^\s:]+\.rs):\d+:\d+",
        r"|\s+at (?:[^(]*\()?(?:file://)?([[:word:]./@+~-]+\.[cm]?[jt]sx?):\d+:\d+\)?$",
        r"|([[:word:]./+~-]+\.[[:word:]]+):\d+:(?:\d+:)? (?:fatal )?error\b",
        r"|(?:vet: )?([[:word:]./+~-]+\.go):\d+:\d+: ",
        r"|([[:word:]./+~-]+\.(?:tsx?|cs|swift))(?:\(\d+,\d+\)|:\d+:\d+): error\b)",
    ))
});

/// The last place that is a file of its own; frames of `<string>`, `<stdin>` and frozen modules are none.
pub fn last(text: &str) -> Option<String> {
    let may_be_place = |line: &&str| line.contains(':') || line.contains("\", line ");
    let line = text.rsplit('\n').map(str::trim_end).filter(may_be_place).find(|line| PLACE.is_match(line))?;
    let found = PLACE.captures(line)?;
    found.iter().skip(1).flatten().next().map(|place| place.as_str().to_owned())
}
