//! Patterns of rules become tests. Each has a limit of size, and all that look at long texts are gathered into one set a
//! field, so that a response or an observation is read once whatever the number of rules.

use globset::GlobBuilder;
use regex::{RegexBuilder, RegexSet, RegexSetBuilder};

use super::condition::{Field, Sets, Test};

/// Bytes of a pattern.
pub(super) const LONGEST_PATTERN: usize = 1_000;

/// Bytes of a compiled pattern.
const LARGEST: usize = 1 << 20;

/// Bytes of all compiled patterns of a field.
const LARGEST_SET: usize = 32 << 20;

/// Patterns that look at long texts, in the order of their numbers.
#[derive(Default)]
pub(super) struct Gathered {
    text: Vec<String>,
    observation: Vec<String>,
}

impl Gathered {
    /// A test by a regular expression; `Err` says what is wrong with it.
    pub(super) fn regex(&mut self, field: Field, pattern: &str) -> Result<Test, String> {
        is_short(pattern)?;
        let built = RegexBuilder::new(pattern).size_limit(LARGEST).build();
        let regex = built.map_err(|error| format!("`{pattern}` is no pattern: {}", said(&error)))?;
        let patterns = match field {
            Field::Text => &mut self.text,
            Field::Observation => &mut self.observation,
            _ => return Ok(Test::Regex(regex)),
        };
        patterns.push(pattern.to_owned());
        Ok(Test::Scan(patterns.len() - 1))
    }

    /// The sets of both fields.
    pub(super) fn sets(self) -> Result<Sets, String> {
        Ok(Sets { text: set(&self.text)?, observation: set(&self.observation)? })
    }
}

fn set(patterns: &[String]) -> Result<Option<RegexSet>, String> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let built = RegexSetBuilder::new(patterns).size_limit(LARGEST_SET).build();
    built.map(Some).map_err(|error| format!("all patterns together: {}", said(&error)))
}

/// A test by a glob: `*` stays within a folder, `**` does not.
pub(super) fn glob(pattern: &str) -> Result<Test, String> {
    is_short(pattern)?;
    let built = GlobBuilder::new(pattern).literal_separator(true).build();
    built
        .map(|glob| Test::Glob(glob.compile_matcher()))
        .map_err(|error| format!("`{pattern}` is no glob: {}", error.kind()))
}

fn is_short(pattern: &str) -> Result<(), String> {
    match pattern.len() {
        length if length > LONGEST_PATTERN => {
            Err(format!("a pattern of {length} bytes is longer than {LONGEST_PATTERN}"))
        }
        _ => Ok(()),
    }
}

/// The last line of a message: those above draw the pattern with a mark below it.
fn said(error: &regex::Error) -> String {
    let text = error.to_string();
    let line = text.lines().last().unwrap_or_default().trim();
    line.trim_start_matches("error: ").to_owned()
}
