//! Python tracebacks at the end of a text: which line of a script failed.
//!
//! Never judges an outcome: `crate::runners::script` does.

use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

use crate::data::pattern::ascii;

static FRAME: LazyLock<Regex> = LazyLock::new(|| ascii(r#"^\s*File "([^"]+)", line (\d+)"#));
static RAISED: LazyLock<Regex> = LazyLock::new(|| ascii(r"^([A-Za-z_][\w.]*)(?::(?: (.*))?)?$"));

const HEAD: &str = "Traceback (most recent call last)";
/// Most texts have none, which a search forward tells many times sooner than one backward.
static FIRST: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new(HEAD));
static LAST: LazyLock<memmem::FinderRev> = LazyLock::new(|| memmem::FinderRev::new(HEAD));
/// Exceptions of a file that could not be read.
const UNPARSED: [&str; 3] = ["SyntaxError", "IndentationError", "TabError"];

/// The exception that a traceback shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exception<'t> {
    /// Class with its package.
    pub class: &'t str,
    /// First line of the message.
    pub message: &'t str,
    /// File and line of the last frame.
    pub last_frame: Option<(&'t str, usize)>,
    /// File and line of the outermost frame.
    pub first_frame: Option<(&'t str, usize)>,
    /// Something was printed behind it.
    pub went_on: bool,
}

/// The last traceback of a text.
pub(super) fn last(text: &str) -> Option<Exception<'_>> {
    let Some(first) = FIRST.find(text.as_bytes()) else { return unparsed(text) };
    let start = first + LAST.rfind(&text.as_bytes()[first..])?;
    let block = text.get(start..)?;
    let (mut first_frame, mut last_frame) = (None, None);
    let mut at = 0;
    for line in block.split_inclusive('\n') {
        let bare = line.trim_end();
        at += line.len();
        if let Some(frame) = FRAME.captures(bare) {
            let file = frame.get(1).map_or("", |file| file.as_str());
            let number = frame.get(2).and_then(|number| number.as_str().parse().ok()).unwrap_or(0);
            first_frame = first_frame.or(Some((file, number)));
            last_frame = Some((file, number));
        } else if !bare.starts_with([' ', '\t']) && !bare.starts_with("Traceback") && !bare.is_empty() {
            let raised = RAISED.captures(bare)?;
            return Some(Exception {
                class: raised.get(1)?.as_str(),
                message: raised.get(2).map_or("", |message| message.as_str()),
                last_frame,
                first_frame,
                went_on: !block.get(at..).unwrap_or("").trim().is_empty(),
            });
        }
    }
    None
}

/// A file that does not parse: `File "<stdin>", line 3`, the line, a caret and the error, without a head.
fn unparsed(text: &str) -> Option<Exception<'_>> {
    let last = text.trim_end().rsplit('\n').next().unwrap_or("");
    if !UNPARSED.iter().any(|class| last.starts_with(class)) {
        return None;
    }
    let (head, tail) = super::evidence::ends(text);
    let end = if tail.is_empty() { head } else { tail };
    let mut frame = None;
    for line in end.lines() {
        if let Some(found) = FRAME.captures(line) {
            let number = found.get(2).and_then(|number| number.as_str().parse().ok()).unwrap_or(0);
            frame = found.get(1).map(|file| (file.as_str(), number));
        }
        let class = UNPARSED.into_iter().find(|class| line.starts_with(class));
        if let (Some(class), Some(_)) = (class, frame) {
            let message = line[class.len()..].trim_start_matches(": ");
            return Some(Exception { class, message, last_frame: frame, first_frame: frame, went_on: false });
        }
    }
    None
}

/// The exception that ends a text, so that nothing caught it as far as can be seen.
pub(super) fn ending(text: &str) -> Option<Exception<'_>> {
    let line = text.trim_end().rsplit('\n').next().unwrap_or("");
    // Most texts end otherwise, and looking for a head from the end is dear.
    let class = line.split(':').next().unwrap_or("").trim_end();
    let may_raise = class.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && class.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
    if !may_raise {
        return None;
    }
    last(text).filter(|exception| !exception.went_on)
}
