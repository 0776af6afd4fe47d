//! The same test command again (`definitions.md` §4): a key that paths, quoting, verbosity, pipes and `cd` do not move.
//!
//! Never  decides whether a command is a test.

use crate::shell::{InlineCode, Segment};

use super::command::Invoked;

/// Options of presentation, which change neither what is tested nor how it ends.
const PRESENTATION: &[&str] = &[
    "--verbose",
    "--quiet",
    "--exitfirst",
    "--tb",
    "--color",
    "--no-header",
    "--no-summary",
    "--verbosity",
    "--show-capture",
    "--durations",
    "--nocapture",
    "--no-color",
    "--silent",
    "--failfast",
];

/// Those of them that may be followed by their value as a word of its own.
const WITH_VALUE: &[&str] = &["--tb", "--color", "--verbosity", "--show-capture", "--durations"];

/// The key of a test command; `root` is the repository's folder where it is known. Pipes, redirections, wrappers and
/// a `cd` before it are other parts of the command line and so never enter.
pub fn command_key(segment: &Segment, root: Option<&str>) -> u64 {
    let mut text = Vec::with_capacity(256);
    let mut assignments = segment.assignments.clone();
    assignments.sort();
    for (name, value) in &assignments {
        add(&mut text, name);
        add(&mut text, &plain_path(value, root));
    }
    match &segment.inline_code {
        Some(code) => add_code(&mut text, code),
        None => add_command(&mut text, &Invoked::of(segment), root),
    }
    let digest = blake3::hash(&text);
    digest.as_bytes().iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

fn add_code(text: &mut Vec<u8>, code: &InlineCode) {
    add(text, code.language.as_str());
    for line in code.text.trim().lines() {
        add(text, line.trim_end());
    }
}

fn add_command(text: &mut Vec<u8>, invoked: &Invoked, root: Option<&str>) {
    add(text, plain_program(invoked.program));
    let mut words = invoked.arguments.iter().map(|word| word.text.as_str()).peekable();
    while let Some(word) = words.next() {
        let Some(kept) = kept(word) else {
            let takes_value = WITH_VALUE.contains(&word);
            // Django's `-v 2`: a lone number behind a dropped flag is its value.
            let is_level = |next: &&str| next.len() == 1 && next.bytes().all(|byte| byte.is_ascii_digit());
            if takes_value || word == "-v" && words.peek().is_some_and(is_level) {
                words.next();
            }
            continue;
        };
        add(text, &plain_path(&kept, root));
    }
}

/// The word without letters of verbosity; `None` where nothing is left.
fn kept(word: &str) -> Option<std::borrow::Cow<'_, str>> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    if PRESENTATION.contains(&name) {
        return None;
    }
    let letters = match word.strip_prefix('-') {
        Some(letters) if !letters.is_empty() && !letters.starts_with('-') => letters,
        _ => return Some(word.into()),
    };
    let is_report =
        letters.starts_with('r') && letters.len() <= 3 && letters.bytes().all(|b| b.is_ascii_alphabetic());
    let is_cluster = letters.bytes().all(|byte| matches!(byte, b'v' | b'q' | b'x' | b's'));
    let is_presentation = is_cluster || is_report && letters.len() > 1;
    (!is_presentation).then(|| word.into())
}

fn plain_program(program: &str) -> &str {
    match program {
        "py.test" | "pytest-3" => "pytest",
        "gradlew" => "gradle",
        "mvnw" => "mvn",
        "nodejs" => "node",
        _ if program.starts_with("python") => "python",
        _ => program,
    }
}

/// `/testbed/tests/a.py`, `./tests/a.py` and `tests//a.py` are one path.
fn plain_path(word: &str, root: Option<&str>) -> String {
    let below = root
        .map(|root| root.trim_end_matches('/'))
        .filter(|root| !root.is_empty())
        .and_then(|root| word.strip_prefix(root))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .map(|rest| rest.trim_start_matches('/'));
    let parts: Vec<&str> = below
        .unwrap_or(word)
        .split('/')
        .enumerate()
        .filter(|(index, part)| (*index == 0 || !part.is_empty()) && *part != ".")
        .map(|(_, part)| part)
        .collect();
    parts.join("/")
}

/// Length first, so that ("ab", "c") and ("a", "bc") differ.
fn add(text: &mut Vec<u8>, part: &str) {
    text.extend_from_slice(&(part.len() as u64).to_le_bytes());
    text.extend_from_slice(part.as_bytes());
}
