//! Counts in a line of a runner's summary, and the lines that hold a word.
//!
//! Owns   the search of numbers beside words, and the adding up of summaries.
//! Never  knows a runner.

use memchr::{memchr, memmem, memrchr};

use super::{Summary, TestCounts, TestOutcome};

/// The whole number that stands right before a word: `before("2 failed, 1 passed", " passed")` is 1.
pub fn before(line: &str, word: &str) -> Option<i64> {
    let head = &line[..line.find(word)?];
    let digits = head.len() - head.bytes().rev().take_while(u8::is_ascii_digit).count();
    head[digits..].parse().ok()
}

/// The whole number that follows a word, blanks between them: `after("Failures: 2", "Failures:")` is 2.
pub fn after(line: &str, word: &str) -> Option<i64> {
    number(&line[line.find(word)? + word.len()..])
}

/// The whole number that a text begins with, after blanks.
pub fn number(text: &str) -> Option<i64> {
    let text = text.trim_start_matches([' ', '\t']);
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..length].parse().ok()
}

/// The lines that hold a text, in order, each once.
pub fn lines_with<'t>(text: &'t str, needle: &'t str) -> LinesWith<'t> {
    LinesWith { text, needle, from: 0 }
}

/// Whether a text occurs.
pub fn has(text: &str, needle: &str) -> bool {
    memmem::find(text.as_bytes(), needle.as_bytes()).is_some()
}

/// Iterator of `lines_with`.
pub struct LinesWith<'t> {
    text: &'t str,
    needle: &'t str,
    from: usize,
}

impl<'t> Iterator for LinesWith<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let at = self.from + memmem::find(bytes.get(self.from..)?, self.needle.as_bytes())?;
        let start = memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline);
        self.from = end + 1;
        self.text.get(start..end)
    }
}

/// The rest of the text after a line that `lines_with` gave.
pub fn text_after<'t>(text: &'t str, line: &'t str) -> &'t str {
    let start = line.as_ptr() as usize - text.as_ptr() as usize + line.len();
    text.get(start..).unwrap_or("")
}

impl Summary {
    /// A summary that says all four counts.
    pub fn counted(passed: i64, failed: i64, errors: i64, skipped: i64) -> Summary {
        let counts = TestCounts {
            passed: Some(passed.max(0)),
            failed: Some(failed),
            errors: Some(errors),
            skipped: Some(skipped),
        };
        Summary { counts, ..Summary::default() }
    }

    /// A closing word without counts.
    pub fn word(word: TestOutcome) -> Summary {
        Summary { word: Some(word), ..Summary::default() }
    }

    /// Two summaries added up: a count is known where either says it, the worse closing word stays.
    pub fn plus(self, other: Summary) -> Summary {
        let counts = TestCounts {
            passed: sum(self.counts.passed, other.counts.passed),
            failed: sum(self.counts.failed, other.counts.failed),
            errors: sum(self.counts.errors, other.counts.errors),
            skipped: sum(self.counts.skipped, other.counts.skipped),
        };
        Summary { counts, expected: self.expected + other.expected, word: worse(self.word, other.word) }
    }

    /// What it comes to: any failure, else any error, else a pass, else nothing was learnt.
    pub fn outcome(self) -> TestOutcome {
        let some = |count: Option<i64>| count.is_some_and(|count| count > 0);
        if some(self.counts.failed) || self.word == Some(TestOutcome::Fail) {
            TestOutcome::Fail
        } else if some(self.counts.errors) || self.word == Some(TestOutcome::Error) {
            TestOutcome::Error
        } else if some(self.counts.passed) || self.expected > 0 || self.word == Some(TestOutcome::Pass) {
            TestOutcome::Pass
        } else {
            TestOutcome::Error
        }
    }
}

/// Adds summaries up; `None` where there is none.
pub fn total(summaries: impl Iterator<Item = Summary>) -> Option<Summary> {
    summaries.reduce(Summary::plus)
}

fn sum(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

fn worse(one: Option<TestOutcome>, other: Option<TestOutcome>) -> Option<TestOutcome> {
    [TestOutcome::Fail, TestOutcome::Error, TestOutcome::Pass]
        .into_iter()
        .find(|word| one == Some(*word) || other == Some(*word))
}
