//! What an observation and an exit code show of each segment of a call: whether it ran, and how it ended
//! (`definitions.md` §3, `ran`; §3.2 and §4, the exit code of a call belongs to its last command).
//!
//! Never guesses: where nothing shows it, the answer is `None`.

use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

use crate::data::pattern::ascii;
use crate::shell::{Command, Connector, Context, Segment};

/// What is known of one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// It ran.
    pub ran: Option<bool>,
    /// Its own exit code.
    pub exit: Option<i64>,
    /// Its program was not found.
    pub is_missing: bool,
    /// It is known to have failed (or to have ended well).
    pub failed: Option<bool>,
}

/// What came back of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Result<'t> {
    /// Exit code of the call.
    pub exit: Option<i64>,
    /// Text that came back; `None` where it is missing.
    pub text: Option<&'t str>,
    /// Something of the text is missing.
    pub is_cut: bool,
    /// The scaffold stopped the call.
    pub timed_out: bool,
}

/// What is shown of each segment, in order; `is_refused`: the scaffold did not let the call run.
pub(super) fn of_segments(command: &Command, result: Result, is_refused: bool) -> Vec<Shown> {
    let segments = &command.segments;
    let mut shown = vec![Shown::default(); segments.len()];
    let text = result.text.unwrap_or("");
    if is_refused || is_refused_whole(text) {
        shown.iter_mut().for_each(|one| one.ran = Some(false));
        return shown;
    }
    let missing = missing_programs(text);
    for (index, segment) in segments.iter().enumerate() {
        shown[index].is_missing = is_missing(segment, &missing);
    }
    exits(segments, None, result.exit, &mut shown);
    runs(segments, result, &mut shown);
    shown
}

/// The shell could not read the line: nothing of it ran.
fn is_refused_whole(text: &str) -> bool {
    let head = text.trim_start();
    let head = head.get(..head.len().min(300)).unwrap_or("");
    let first = head.lines().next().unwrap_or("");
    let by_shell = first.starts_with("bash:")
        || first.starts_with("/bin/bash:")
        || first.starts_with("/bin/sh:")
        || first.starts_with("sh:")
        || first.starts_with("zsh:");
    by_shell
        && !first.contains(".sh:")
        && (first.contains("syntax error") || first.contains("unexpected EOF while looking for matching"))
}

/// The shell says, first or last, that it could not read the line; what it could read of it may have spoken before.
pub(super) fn is_broken(text: &str) -> bool {
    const SHELLS: [&str; 4] = ["bash: ", "/bin/bash: ", "sh: ", "/bin/sh: "];
    const SAYS: [&str; 2] = ["syntax error near", "unexpected EOF while looking for matching"];
    lines(text).any(|line| {
        SHELLS.iter().any(|shell| line.starts_with(shell)) && SAYS.iter().any(|says| line.contains(says))
    })
}

static NOT_FOUND: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("not found"));
/// A shell that speaks: `bash: line 1: …`, `/bin/sh: 1: …`.
static SHELL: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("sh: "));

/// Most texts hold neither, which one search tells.
static MAY_BE_MISSING: LazyLock<Regex> = LazyLock::new(|| ascii("not found|sh: "));

/// Programs of which the text says that there is none.
fn missing_programs(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    if !MAY_BE_MISSING.is_match(text) {
        return found;
    }
    for at in NOT_FOUND.find_iter(text.as_bytes()).take(64) {
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = text[line_start..at].trim_end();
        let after = text[at + "not found".len()..].lines().next().unwrap_or("");
        if let Some(name) = before.strip_suffix("command").map(str::trim_end) {
            let name = name.strip_suffix(':').unwrap_or(name);
            // `bash: mvn: command not found`, and zsh's `command not found: mvn`.
            let name = name.rsplit(": ").next().unwrap_or(name).trim();
            let zsh = after.strip_prefix(": ").map(str::trim);
            found.push(zsh.filter(|zsh| !zsh.is_empty() && !zsh.contains(' ')).unwrap_or(name));
        } else if before.ends_with(':') && is_shell_error(before) {
            // dash: `/bin/sh: 1: mvn: not found`.
            found.push(before.trim_end_matches(':').rsplit(": ").next().unwrap_or("").trim());
        }
    }
    if SHELL.find(text.as_bytes()).is_none() {
        return found;
    }
    for needle in [": No such file or directory", ": Permission denied", ": cannot execute"] {
        for at in memmem::find_iter(text.as_bytes(), needle).take(8) {
            let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let line = &text[line_start..at];
            // `bash: line 1: ./gradlew: No such file or directory`: the program itself.
            let name = line.rsplit(": ").next().unwrap_or("").trim();
            let outer = line[..line.len() - name.len()].trim_end_matches(": ");
            let by_shell =
                ["bash", "sh", "/bin/bash", "/bin/sh"].contains(&outer.split(':').next().unwrap_or(""));
            if by_shell && name.contains('/') && !outer.contains("cd") {
                found.push(name);
            }
        }
    }
    found
}

fn is_shell_error(before: &str) -> bool {
    ["/bin/sh:", "sh:", "bash:", "/bin/bash:", "dash:"].iter().any(|shell| before.starts_with(shell))
}

fn is_missing(segment: &Segment, missing: &[&str]) -> bool {
    if missing.is_empty() || segment.program.is_empty() {
        return false;
    }
    let named = |name: &str| missing.contains(&name);
    named(&segment.program_path)
        || (!segment.program_path.contains('/') && named(&segment.program))
        || segment.wrappers.iter().any(|wrapper| named(wrapper.kind.program()))
}

/// Gives the call's exit code to the last pipeline, and back through `&&` where it is 0.
fn exits(segments: &[Segment], parent: Option<usize>, exit: Option<i64>, shown: &mut [Shown]) {
    let mut known = exit;
    let mut pipeline = None;
    for index in (0..segments.len()).rev().filter(|index| segments[*index].parent == parent) {
        let segment = &segments[index];
        let starts_pipeline = pipeline != Some(segment.pipeline);
        if starts_pipeline {
            pipeline = Some(segment.pipeline);
            let may_not_run = matches!(
                segment.context,
                Context::LoopBody | Context::Branch | Context::Condition | Context::FunctionBody
            );
            if may_not_run || segment.background {
                known = None;
            }
            let is_or = known == Some(0) && head_connector(segments, index) == Connector::Or;
            shown[index].exit = if is_or { None } else { known };
        } else if known == Some(0) && segment.pipe_position > 0 {
            shown[index].exit = None;
        }
        if segment.pipe_position == 0 {
            known = match segment.connector {
                Connector::And if known == Some(0) => known,
                _ => None,
            };
        }
        if segment.seen_through {
            let own = shown[index].exit;
            exits(segments, Some(index), own, shown);
        }
    }
}

/// How the pipeline of a segment follows the one before it.
fn head_connector(segments: &[Segment], index: usize) -> Connector {
    let pipeline = segments[index].pipeline;
    let head = segments[..=index].iter().rev().find(|one| one.pipeline == pipeline && one.pipe_position == 0);
    head.map_or(Connector::Start, |head| head.connector)
}

fn runs(segments: &[Segment], result: Result, shown: &mut [Shown]) {
    let is_seen = result.text.is_some();
    // For each depth: the pipeline before is known to have failed, or to have ended well.
    let mut before: Vec<Option<bool>> = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        before.resize(segment.depth + 1, None);
        let failed = before[segment.depth];
        let from_chain = match segment.connector {
            Connector::And if failed == Some(true) => Some(false),
            Connector::And if shown[index].exit == Some(0) => Some(true),
            // What cannot fail did not run where the line failed.
            Connector::And if shown[index].exit.is_some() && only_prints(segment) => Some(false),
            Connector::And => None,
            Connector::Or if failed == Some(false) => Some(false),
            Connector::Or => None,
            Connector::Pipe => {
                index.checked_sub(1).and_then(|previous| shown[previous].ran.filter(|ran| *ran))
            }
            Connector::Start | Connector::Sequence | Connector::Background => {
                (is_seen && (!result.timed_out || index == 0)).then_some(true)
            }
        };
        let parent = segment.parent.and_then(|parent| shown[parent].ran);
        let may_not_run =
            matches!(segment.context, Context::Branch | Context::FunctionBody | Context::LoopBody);
        shown[index].ran = if shown[index].is_missing || parent == Some(false) || from_chain == Some(false) {
            Some(false)
        } else if may_not_run && shown[index].exit.is_none() {
            None
        } else {
            from_chain
        };
        let is_asked = segments.get(index + 1).is_some();
        shown[index].failed = outcome(segment, shown[index], failed, result, is_asked);
        before[segment.depth] = shown[index].failed;
    }
}

fn only_prints(segment: &Segment) -> bool {
    matches!(segment.program.as_str(), "echo" | "printf" | "true" | ":") && segment.redirections.is_empty()
}

/// Whether a segment is known to have failed, for the `&&` behind it.
fn outcome(
    segment: &Segment,
    shown: Shown,
    before: Option<bool>,
    result: Result,
    is_asked: bool,
) -> Option<bool> {
    if segment.connector == Connector::And && before == Some(true) {
        return Some(true);
    }
    if shown.is_missing || shown.exit.is_some_and(|exit| exit != 0) {
        return Some(true);
    }
    if shown.exit == Some(0) {
        return Some(false);
    }
    let text = result.text.unwrap_or("");
    (is_asked && result.exit != Some(0) && says_error(segment, text)).then_some(true)
}

/// Whether the text holds the program's own word that it failed.
pub(super) fn says_error(segment: &Segment, text: &str) -> bool {
    let program = segment.program.as_str();
    match program {
        "cd" | "pushd" => text.contains("cd: ") || text.contains("can't cd to"),
        "git" => lines(text).any(|line| line.starts_with("fatal: ") || line.starts_with("error: ")),
        "javac" | "gcc" | "g++" | "cc" | "clang" | "rustc" | "tsc" | "kotlinc" | "scalac" => {
            text.contains("error: ") || text.contains(" error TS")
        }
        "python" | "python3" | "node" => false,
        "" => false,
        program => lines(text).any(|line| {
            let rest = line.strip_prefix(program).and_then(|rest| rest.strip_prefix(": "));
            rest.is_some_and(|rest| !rest.to_ascii_lowercase().starts_with("warning"))
        }),
    }
}

/// The first and last lines of a text: an error stands at an end, and a long middle is content.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let (head, tail) = ends(text);
    head.lines().chain(tail.lines())
}

/// At most the first and the last 2,000 bytes, without an overlap.
pub(super) fn ends(text: &str) -> (&str, &str) {
    const EDGE: usize = 2_000;
    if text.len() <= 2 * EDGE {
        return (text, "");
    }
    let (mut head, mut tail) = (EDGE, text.len() - EDGE);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    (&text[..head], &text[tail..])
}
