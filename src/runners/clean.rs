//! Output as a person saw it: colours and overwritten progress lines are taken away.
//!
//! Owns   terminal markup of test output. Never  drops a word that stayed on the screen.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::{memchr, memchr2};
use regex::Regex;

use crate::data::pattern::ascii;

/// Colours and cursor moves (CSI), titles (OSC), and the two-character escapes.
static ESCAPES: LazyLock<Regex> = LazyLock::new(|| {
    ascii(r"\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][0-9A-B]|[=>78MDEHc])")
});

/// The text without escapes, and with line ends alone: what a carriage return overwrote becomes a line of its own,
/// since a progress line before the last may hold the only verdict of its module.
pub fn without_markup(text: &str) -> Cow<'_, str> {
    if memchr2(0x1b, b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let plain = if memchr(0x1b, text.as_bytes()).is_some() {
        ESCAPES.replace_all(text, "")
    } else {
        Cow::Borrowed(text)
    };
    if memchr(b'\r', plain.as_bytes()).is_none() {
        return plain;
    }
    Cow::Owned(plain.replace("\r\n", "\n").replace('\r', "\n"))
}
