//! Failing and erring lines of an output whose summary is missing: the last kind of evidence for a runner.
//!
//! Owns   lines that runners print for one failed test, one error, one broken build.
//! Never  calls anything a pass.

use std::sync::LazyLock;

use regex::Regex;

use crate::data::pattern::ascii;

use super::TestOutcome;

/// A line that a runner prints for a failed test. A test's name is no evidence: only the status word in its place is.
static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"^(?:FAILED \S+(?:::|\.py)|FAIL: \S|\s*--- FAIL: |not ok \d|\[  FAILED  \]|=+ FAILURES =+$",
        r"|\S+::\S+(?: \[[^\]]*\])? FAILED(?:\s|$)|test \S+ \.\.\. FAILED$|.+ \.\.\. FAIL$|.*<<< FAILURE!",
        r"|\s+\d+ failing$|There were failing tests)",
    ))
});

/// A line that says that tests could not be loaded, built or set up.
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"^(?:ERROR \S+(?:::|\.py)|ERROR: \S+ \(|=+ ERRORS =+$|.+ \.\.\. ERROR$|.*<<< ERROR!|.*COMPILATION ERROR",
        r"|error(?:\[E\d+\])?: |FAIL\s.*\[(?:build|setup) failed\]|.*BUILD FAIL|INTERNALERROR>",
        r"|ERROR: (?:not found|file or directory not found)|ImportError while loading conftest",
        r"|Traceback \(most recent call last\)|(?:E +)?\w*(?:SyntaxError|IndentationError|ImportError|ModuleNotFoundError): ",
        r"|npm (?:ERR!|error) |make: \*\*\* No rule|No tests (?:were )?found|\S+:\d+:\d+: (?:fatal )?error: )",
    ))
});

/// Words without which no line can match.
static MAY_FAIL: LazyLock<Regex> = LazyLock::new(|| ascii("FAIL|not ok | failing"));
static MAY_ERR: LazyLock<Regex> = LazyLock::new(|| {
    ascii(
        r"ERROR|rror: |rror\[|Traceback \(|BUILD FAIL|failed\]|npm ERR!|npm error|No rule|No tests |ImportError",
    )
});

/// The worst that the lines show: a failure, else an error.
pub fn worst(text: &str) -> Option<TestOutcome> {
    if shows(text, &MAY_FAIL, &FAILURE) {
        Some(TestOutcome::Fail)
    } else if shows(text, &MAY_ERR, &ERROR) {
        Some(TestOutcome::Error)
    } else {
        None
    }
}

fn shows(text: &str, word: &Regex, pattern: &Regex) -> bool {
    let mut from = 0;
    while let Some(found) = word.find_at(text, from) {
        let start = text[..found.start()].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[found.start()..].find('\n').map_or(text.len(), |newline| found.start() + newline);
        if pattern.is_match(text[start..end].trim_end()) {
            return true;
        }
        from = end;
    }
    false
}
