//! Terminal-Bench's `commands.txt` (`formats-other.md` §2): what was typed into the terminal of a trial, one Python list of
//! keystrokes a line. It has neither responses nor observations: calls can be told from it, turns cannot.
//!
//! Traps  the harness types too, and more than many agents: it starts the recording, installs agents that come as programs,
//!        starts them with one command, and runs the tests. None of that is the agent's. Agents that act from outside the
//!        terminal leave nothing here at all: such a file is no log of theirs.

use super::{Evidence, Format, Read, Sniff};
use crate::model::{Call, CallKind, Problem, TaskKind, Trajectory, Turn, Weight};

/// What was typed into a trial's terminal.
pub const FORMAT: Format = Format {
    name: "terminal-bench-commands",
    written_by: "Terminal-Bench",
    files: "commands.txt",
    lacks: &[
        "response boundaries: calls are counted, turns are not",
        "observations and exit codes",
        "what agents do that come as programs, or act from outside the terminal",
        "instance, model, outcome, end (the trial's results.json has them)",
    ],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Terminal),
    is_rows: false,
    sniff: Sniff::Text(is_commands),
    read: |input| read(&String::from_utf8_lossy(input.bytes())),
};

/// Keys by the names that tmux has for them, with what they type; others type nothing.
const KEYS: [(&str, &str); 16] = [
    ("BSpace", ""),
    ("BTab", ""),
    ("DC", ""),
    ("Down", ""),
    ("End", ""),
    ("Enter", "\n"),
    ("Escape", ""),
    ("Home", ""),
    ("IC", ""),
    ("Left", ""),
    ("NPage", ""),
    ("PPage", ""),
    ("Right", ""),
    ("Space", " "),
    ("Tab", "\t"),
    ("Up", ""),
];

/// Where the recording of the agent's part begins, and that of the tests.
const RECORDING: &str = "asciinema rec";
const AGENTS_RECORDING: &str = "agent.cast";
/// What the harness brings into the container.
const INSTALLER: &str = "/installed-agent/";
const TESTS: &str = "/tests/";

/// The first two lines are lists of strings, and the first one is sent by a key.
fn is_commands(window: &str) -> bool {
    let mut lines = window.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().and_then(strings);
    let is_sent =
        first.is_some_and(|batch| batch.len() > 1 && batch.last().is_some_and(|key| key == "Enter"));
    is_sent && lines.next().is_none_or(|second| strings(second).is_some() || window.ends_with(second))
}

fn read(text: &str) -> Read {
    let mut read = Read::default();
    let mut batches: Vec<(usize, Vec<String>)> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match strings(line) {
            Some(batch) => batches.push((index + 1, batch)),
            None => read.problems.push(Problem::new(
                Weight::Refused,
                format!("line {}", index + 1),
                "not a list of keystrokes: what was typed here is lost",
            )),
        }
    }
    if batches.is_empty() {
        return read;
    }
    let mut run = Trajectory::new(FORMAT.name, "unknown");
    run.has_turn_boundaries = false;
    run.can_submit = false;
    run.steps = Some(batches.len() as i64);
    let typed: Vec<&Vec<String>> = agents_part(&batches);
    run.turns = lines_typed(&typed).into_iter().map(turn).collect();
    run.has_log = !run.turns.is_empty();
    let by_harness = batches.len() - typed.len();
    if by_harness > 0 {
        let what = format!("{by_harness} of {} batches of keystrokes are the harness's own", batches.len());
        read.problems.push(Problem::new(Weight::Note, "", what));
    }
    read.trajectories.push(run);
    read
}

/// The batches that the agent typed. A program that the harness installs and starts types none.
fn agents_part(batches: &[(usize, Vec<String>)]) -> Vec<&Vec<String>> {
    let holds = |batch: &[String], word: &str| batch.iter().any(|text| text.contains(word));
    let starts = |batch: &[String]| holds(batch, RECORDING) && holds(batch, AGENTS_RECORDING);
    let ends = |batch: &[String]| holds(batch, RECORDING) || batch.iter().any(|text| text.starts_with(TESTS));
    let begin = batches.iter().position(|(_, batch)| starts(batch)).map_or(0, |at| at + 1);
    let part = batches.get(begin..).unwrap_or_default();
    let end = part.iter().position(|(_, batch)| ends(batch)).unwrap_or(part.len());
    let part = part.get(..end).unwrap_or_default();
    if part.iter().any(|(_, batch)| holds(batch, INSTALLER)) {
        return Vec::new();
    }
    let is_clear = |batch: &[String]| batch.first().is_some_and(|text| text == "clear");
    let own = part.iter().enumerate().filter(|(index, (_, batch))| *index > 0 || !is_clear(batch));
    own.map(|(_, (_, batch))| batch).collect()
}

/// What was typed up to each line's end. Keys that type nothing end what stands before them: nobody knows what became of it.
fn lines_typed(batches: &[&Vec<String>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut flush = |line: &mut String| {
        let done = std::mem::take(line);
        if !done.trim().is_empty() {
            lines.push(done.trim_end_matches('\n').to_owned());
        }
    };
    for batch in batches {
        for text in batch.iter() {
            match key(text) {
                Some("") => flush(&mut line),
                Some(typed) => line.push_str(typed),
                None => line.push_str(text),
            }
        }
        if line.ends_with(['\n', '\r']) {
            flush(&mut line);
        }
    }
    flush(&mut line);
    lines
}

/// What a key types; `None` for text.
fn key(text: &str) -> Option<&'static str> {
    let is_chord = |text: &str| {
        let rest =
            text.strip_prefix("C-").or_else(|| text.strip_prefix("M-")).or_else(|| text.strip_prefix('^'));
        rest.is_some_and(|rest| rest.chars().count() == 1)
    };
    if is_chord(text) {
        return Some(if matches!(text, "C-m" | "C-j") { "\n" } else { "" });
    }
    KEYS.iter().find(|(name, _)| *name == text).map(|(_, typed)| *typed)
}

fn turn(line: String) -> Turn {
    let mut turn = Turn::new("");
    turn.calls.push(Call::new("bash", CallKind::Shell, line));
    turn
}

/// The strings of a Python list, as `repr` writes it; `None` for anything else.
fn strings(line: &str) -> Option<Vec<String>> {
    let mut rest = line.trim().strip_prefix('[')?.trim_start();
    let mut found = Vec::new();
    while !rest.starts_with(']') {
        let (text, after) = string(rest)?;
        found.push(text);
        rest = after.trim_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None if rest.starts_with(']') => {}
            None => return None,
        }
    }
    (rest == "]" && !found.is_empty()).then_some(found)
}

/// A quoted string and what stands after it.
fn string(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let mut value = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == quote {
            return Some((value, text.get(at + 1..)?));
        }
        if letter != '\\' {
            value.push(letter);
            continue;
        }
        let (_, escaped) = letters.next()?;
        let digits = match escaped {
            'n' => {
                value.push('\n');
                continue;
            }
            'r' => {
                value.push('\r');
                continue;
            }
            't' => {
                value.push('\t');
                continue;
            }
            'x' => 2,
            'u' => 4,
            'U' => 8,
            other => {
                value.push(other);
                continue;
            }
        };
        let mut code = 0_u32;
        for _ in 0..digits {
            code = code.checked_mul(16)?.checked_add(letters.next()?.1.to_digit(16)?)?;
        }
        value.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    None
}
