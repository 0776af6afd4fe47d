//! Patterns whose classes and word boundaries are those of ASCII.
//!
//! Programs print their verdicts in ASCII. A Unicode boundary sends a search into the slow engine at the first `✓` or `—` of
//! a text, twenty times slower, and Unicode classes make a pattern slow to build; each command pays for both.

use regex::Regex;

/// A pattern of this program's own, with `\b \w \W \d \s \S` taken as ASCII. Letters and marks beyond ASCII may stand in it by
/// themselves, and `.` and `[^…]` take any character whole.
///
/// # Panics
/// The pattern is wrong, which the first test that meets it shows: no input is ever a pattern here.
pub fn ascii(pattern: &str) -> Regex {
    Regex::new(&in_ascii(pattern)).expect("valid pattern")
}

fn in_ascii(pattern: &str) -> String {
    let mut out = String::with_capacity(2 * pattern.len());
    let mut in_class = false;
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let escaped = if c == '\\' { rest.next() } else { None };
        match (escaped, in_class) {
            (Some('b'), false) => out.push_str(r"(?-u:\b)"),
            (Some('w'), false) => out.push_str("[0-9A-Za-z_]"),
            (Some('w'), true) => out.push_str("0-9A-Za-z_"),
            (Some('W'), false) => out.push_str("[^0-9A-Za-z_]"),
            (Some('d'), false) => out.push_str("[0-9]"),
            (Some('d'), true) => out.push_str("0-9"),
            (Some('s'), false) => out.push_str(r"[\t-\r ]"),
            (Some('s'), true) => out.push_str(r"\t-\r "),
            (Some('S'), false) => out.push_str(r"[^\t-\r ]"),
            (Some(other), _) => {
                out.push('\\');
                out.push(other);
            }
            (None, _) => {
                in_class = (in_class || c == '[') && c != ']';
                out.push(c);
            }
        }
    }
    out
}
