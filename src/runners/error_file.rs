//! The file that an error speaks of last: a traceback's last frame, or a compiler's last message.
//!
//! Source definitions.md §5 (`failed_test_seen`): it decides whether an error is the agent's own.

use std::sync::LazyLock;

use regex::Regex;

/// One alternative a form: Python's frames, pytest's places, Maven, rustc, Node, and `file:line:column` of Go, gcc,
/// javac and tsc.
static PLACES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?m)^(?:E\s+)?\s*File "([^"<\n]+)", line \d+"#,
        r"|^([\w./+~-]+\.py):\d+: (?:in \S+|\w[\w.]*)$",
        r"|^\[ERROR\] ([^\s:\[]+\.\w+):\[\d+,\d+\]",
        r"|^\s*--> ([^\s:]+\.rs):\d+:\d+",
        r"|^\s+at (?:[^\n(]*\()?(?:file://)?([\w./@+~-]+\.[cm]?[jt]sx?):\d+:\d+\)?$",
        r"|^([\w./+~-]+\.\w+):\d+:(?:\d+:)? (?:fatal )?error\b",
        r"|^(?:vet: )?([\w./+~-]+\.go):\d+:\d+: ",
        r"|^([\w./+~-]+\.(?:tsx?|cs|swift))(?:\(\d+,\d+\)|:\d+:\d+): error\b",
    ))
    .expect("valid pattern")
});

/// The last place that is a file of its own; frames of `<string>`, `<stdin>` and frozen modules are none.
pub fn last(text: &str) -> Option<String> {
    let found = PLACES.captures_iter(text).last()?;
    found.iter().skip(1).flatten().next().map(|place| place.as_str().to_owned())
}
