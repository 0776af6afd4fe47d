//! Exceptions in a script's output: whether one ended it, and whether the task speaks of it.
//!
//! Source definitions.md §4: an uncaught exception is `fail` where its class (no plain word such as `error`) or its
//!        message occurs in the task text, else `error`; a caught one that is printed is `fail` or `unknown`.

use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

use crate::data::pattern::ascii;
use crate::runners::counts::has;

/// A line that shows a failure: an exception, or a word of failure.
static SYMPTOM: LazyLock<Regex> = LazyLock::new(|| {
    ascii(r"^[\w.]*(?:Error|Exception)\b|(?i:\b(?:error|exception|failed|failure|fail|bug)\b)|[✗✘❌]")
});

const TRACEBACK: &str = "Traceback (most recent call last):";
static FIRST: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new(TRACEBACK));

/// `package.ClassError: message`, or the class alone.
static RAISED: LazyLock<Regex> = LazyLock::new(|| ascii(r"^([A-Za-z_][\w.]*)(?:: (.*)|:)?$"));
static FRAME: LazyLock<Regex> = LazyLock::new(|| ascii(r#"(?m)^\s*File "([^"\n]+)", line \d+"#));
/// The ends of other languages' scripts: Java, Node, Ruby, PHP, Go, Rust.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r#"(?m)^(?:Exception in thread "[^"\n]*" (?P<java>[\w.$]+)(?:: (?P<java_message>[^\n]*))?$"#,
        r"|(?:Uncaught )?(?P<node>[A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?: (?P<node_message>[^\n]*)\n(?:[^\n]*\n){0,12}?    at ",
        r"|\S+:\d+:in [`'][^\n]*: (?P<ruby_message>[^\n]*) \((?P<ruby>[\w:]+)\)$",
        r"|(?:PHP )?Fatal error:  Uncaught (?P<php>[\w\\]+): (?P<php_message>[^\n]*)",
        r"|panic: (?P<go_message>[^\n]*)\n\ngoroutine|thread '[^'\n]*' (?:\(\d+\) )?panicked at (?P<rust_message>[^\n]*))",
    ))
});

/// An exception that ended a script.
#[derive(Debug)]
pub struct Exception<'t> {
    /// Class without its package; empty for a panic.
    pub class: &'t str,
    /// First line of its message.
    pub message: &'t str,
    /// What was printed before it.
    pub text_before: &'t str,
    first_file: Option<&'t str>,
    last_file: Option<&'t str>,
}

impl Exception<'_> {
    /// An assertion of the script itself, or of a library for tests: not one inside the project.
    pub fn is_own_assertion(&self) -> bool {
        let is_assertion =
            matches!(self.class, "AssertionError" | "AssertionFailedError" | "ComparisonFailure");
        let own = match (self.first_file, self.last_file) {
            (Some(first), Some(last)) => first == last || is_test_path(last),
            _ => true,
        };
        is_assertion && own
    }
}

fn is_test_path(path: &str) -> bool {
    ["testing", "unittest", "_pytest", "/tests/", "/test_"].iter().any(|part| path.contains(part))
        || path.starts_with("test_")
}

/// Whether any traceback is shown.
pub fn is_shown(text: &str) -> bool {
    has(text, TRACEBACK)
}

/// The exception that ended the script: any that is shown where the exit code is not 0, and where none is logged one
/// that ends the output.
pub fn uncaught(text: &str, own_exit: Option<i64>) -> Option<Exception<'_>> {
    if own_exit == Some(0) {
        return None;
    }
    python(text, own_exit.is_some()).or_else(|| syntax(text)).or_else(|| other(text))
}

/// The last traceback. Standard output may stand behind it where it was buffered, so only a missing exit code asks
/// for it to be the end.
fn python(text: &str, may_go_on: bool) -> Option<Exception<'_>> {
    // Most texts have none, which a search forward tells many times sooner than one backward.
    let first = FIRST.find(text.as_bytes())?;
    let last = first + memmem::rfind(&text.as_bytes()[first..], TRACEBACK.as_bytes())?;
    let start = text[..last].rfind('\n').map_or(0, |newline| newline + 1);
    let block = &text[last + TRACEBACK.len()..];
    let mut from = 0;
    for line in block.split_inclusive('\n') {
        let after = from + line.len();
        let is_code = line.starts_with([' ', '\t', '\n', '+']) || line.trim().is_empty();
        if let Some(found) = (!is_code).then(|| RAISED.captures(line.trim_end())).flatten() {
            let rest = block[after..].trim();
            if !may_go_on && !rest.is_empty() && !continues_message(rest) {
                return None;
            }
            let files = || {
                FRAME.captures_iter(&block[..from]).filter_map(|frame| frame.get(1)).map(|file| file.as_str())
            };
            return Some(Exception {
                class: base_class(found.get(1)?.as_str()),
                message: found.get(2).map_or("", |message| message.as_str()),
                text_before: &text[..first_of_chain(text, start)],
                first_file: files().find(|file| !file.contains("runpy")),
                last_file: files().last(),
            });
        }
        from = after;
    }
    None
}

/// What is indented below an exception belongs to its message.
fn continues_message(rest: &str) -> bool {
    rest.lines().all(|line| line.is_empty() || line.starts_with([' ', '\t']))
}

/// Tracebacks of causes stand before the last one.
fn first_of_chain(text: &str, start: usize) -> usize {
    let before = &text[..start];
    let is_chained = before.trim_end().ends_with("another exception occurred:")
        || before.trim_end().ends_with("direct cause of the following exception:");
    match memmem::rfind(before.as_bytes(), TRACEBACK.as_bytes()) {
        Some(cause) if is_chained => {
            first_of_chain(text, before[..cause].rfind('\n').map_or(0, |newline| newline + 1))
        }
        _ => start,
    }
}

/// A file that does not parse has no traceback: `File "x.py", line 3`, the line, a caret, `SyntaxError: …` at the end.
fn syntax(text: &str) -> Option<Exception<'_>> {
    let trimmed = text.trim_end();
    let start = trimmed.rfind('\n').map_or(0, |newline| newline + 1);
    // Nearly every text ends otherwise, which costs no pattern to tell.
    if !["SyntaxError", "IndentationError", "TabError"]
        .iter()
        .any(|class| trimmed[start..].starts_with(class))
    {
        return None;
    }
    let found = RAISED.captures(&trimmed[start..])?;
    let class = found.get(1)?.as_str();
    if !matches!(class, "SyntaxError" | "IndentationError" | "TabError") {
        return None;
    }
    let frame = FRAME.find_iter(&trimmed[..start]).last()?;
    Some(Exception {
        class,
        message: found.get(2).map_or("", |message| message.as_str()),
        text_before: &text[..frame.start()],
        first_file: None,
        last_file: None,
    })
}

fn other(text: &str) -> Option<Exception<'_>> {
    let marks =
        ["Exception in thread", "\n    at ", ":in `", ":in '", "Fatal error: ", "panic: ", " panicked at "];
    if !marks.iter().any(|mark| has(text, mark)) {
        return None;
    }
    let found = OTHERS.captures(text)?;
    let group =
        |names: &[&str]| names.iter().find_map(|name| found.name(name)).map_or("", |part| part.as_str());
    Some(Exception {
        class: base_class(group(&["java", "node", "ruby", "php"])),
        message: group(&[
            "java_message",
            "node_message",
            "ruby_message",
            "php_message",
            "go_message",
            "rust_message",
        ]),
        text_before: &text[..found.get(0)?.start()],
        first_file: None,
        last_file: None,
    })
}

/// What a failing print shows: the classes and messages of its exceptions, and its lines of failure.
pub fn symptoms(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim).filter(|line| SYMPTOM.is_match(line));
    lines
        .map(|line| match RAISED.captures(line).and_then(|found| found.get(1)) {
            Some(class) if is_telling(base_class(class.as_str())) => base_class(class.as_str()),
            _ => line,
        })
        .collect()
}

/// `django.db.utils.OperationalError` is called `OperationalError`.
fn base_class(class: &str) -> &str {
    class.rsplit(['.', '\\', '$']).next().unwrap_or(class)
}

/// Whether the task speaks of this exception: its class as a word of its own, or its message.
pub fn in_task(class: &str, message: &str, task: &str) -> bool {
    !task.is_empty() && (is_telling(class) && has_word(task, class) || has_message(task, message))
}

/// A class that is a plain word (`error`, `Exception`) tells nothing.
fn is_telling(class: &str) -> bool {
    let humps = class.bytes().filter(u8::is_ascii_uppercase).count();
    humps >= 2 && class.len() > 5
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memmem::find_iter(text.as_bytes(), word.as_bytes()).any(|at| {
        let before = at.checked_sub(1).and_then(|index| text.as_bytes().get(index));
        !is_part(before) && !is_part(text.as_bytes().get(at + word.len()))
    })
}

/// Only a message of some length can be told from chance.
fn has_message(task: &str, message: &str) -> bool {
    let message = message.trim().trim_end_matches('.');
    message.len() >= 12 && message.contains(' ') && has(task, message)
}
