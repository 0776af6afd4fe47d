//! Which segment of a failed call failed, and which test runs count as failures (`definitions.md` §6, failing events).
//! Recovery, loops and behaviours ask the same questions here.

use std::collections::BTreeSet;

use super::turns::Turns;
use crate::facts::{
    CallFact, EditFact, EditTarget, ExecutionKind, Facts, Place, Role, SegmentFact, TestOutcome, TestRunFact,
};
use crate::model::{Operation, Origin, Trajectory};
use crate::shell::{Connector, Context as ShellContext};

/// Programs whose exit code 1 says that nothing was found.
const SEARCHES: [&str; 14] = [
    "ack", "ag", "command", "egrep", "fgrep", "findstr", "git", "grep", "pgrep", "rg", "type", "whereis",
    "which", "zgrep",
];
/// Programs whose exit code 1 says that two things differ.
const COMPARISONS: [&str; 5] = ["cmp", "colordiff", "diff", "sdiff", "zdiff"];

/// A test run that is a failing event of kind `test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestFailure {
    /// Index in `Facts::test_runs`.
    pub run: usize,
    /// It follows an effective source edit: `failed_test_seen` counts it.
    pub after_source_edit: bool,
}

/// An effective edit of a source file, reverts included.
pub(super) fn is_source_edit(edit: &EditFact) -> bool {
    edit.effective == Some(true) && edit.target == Some(EditTarget::Source)
}

/// The failing test runs of model turns: `fail`, or an `error` whose last traceback frame or compiler message lies in a
/// source file that this trajectory edited before. Other errors are the test's own fault.
pub fn test_failures(trajectory: &Trajectory, facts: &Facts) -> Vec<TestFailure> {
    let is_model = |turn: usize| trajectory.turns.get(turn).is_some_and(|turn| turn.origin == Origin::Model);
    let mut edits =
        facts.edits.iter().filter(|edit| is_source_edit(edit) && is_model(edit.place.turn)).peekable();
    let mut edited: BTreeSet<&str> = BTreeSet::new();
    let mut has_edited = false;
    let mut failures = Vec::new();
    for (index, run) in facts.test_runs.iter().enumerate().filter(|(_, run)| is_model(run.place.turn)) {
        // A script that patches and then tests does both at one place: it edits first.
        while let Some(edit) = edits.next_if(|edit| edit.place <= run.place) {
            has_edited = true;
            edited.extend(edit.path.as_deref());
        }
        if run.outcome == TestOutcome::Fail || is_own_error(run, &edited) {
            failures.push(TestFailure { run: index, after_source_edit: has_edited });
        }
    }
    failures
}

fn is_own_error(run: &TestRunFact, edited: &BTreeSet<&str>) -> bool {
    let Some(file) = run.error_file.as_deref().filter(|_| run.outcome == TestOutcome::Error) else {
        return false;
    };
    // A traceback names files from the root of the machine, an edit names them from that of the repository.
    let tails = file.match_indices('/').map(|(place, _)| &file[place + 1..]);
    edited.contains(file) || tails.filter(|tail| tail.contains('/')).any(|tail| edited.contains(tail))
}

/// What failed in a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failed<'a> {
    /// A segment of a shell line.
    Segment(&'a SegmentFact),
    /// A structured tool, or a shell line without a command.
    Tool,
    /// A line that the shell could not read: which of its commands would have failed, nobody knows.
    Line,
}

/// What a `command` event of this call is about; `None` where it raises none.
pub(super) fn failed_command<'a>(turns: &Turns<'a>, call: &'a CallFact) -> Option<Failed<'a>> {
    let runs = turns.test_runs_of(call);
    let unusable = runs.iter().find(|run| {
        let is_skipped = run.reason == Some(crate::facts::NotRunReason::Skipped);
        matches!(run.outcome, TestOutcome::NotRun | TestOutcome::Error) && !is_skipped
    });
    if let Some(run) = unusable {
        return Some(segment_at(turns, call, run.place).map_or(Failed::Tool, Failed::Segment));
    }
    let segments = segments(turns, call);
    let was_skipped = runs.iter().any(|run| run.outcome == TestOutcome::NotRun);
    if call.failed != Some(true) && !was_skipped {
        let observation = turns.observation(call);
        let failed = only_error(segments, observation).or_else(|| hidden(segments, observation));
        return failed.map(Failed::Segment);
    }
    if turns.timed_out(call) && segments.iter().any(serves) {
        return None;
    }
    if segments.is_empty() {
        let is_search = matches!(call.operation, Some(Operation::Search { .. }));
        return (!is_search || !says_no_match(turns.observation(call))).then_some(Failed::Tool);
    }
    if turns.observation(call).lines().rev().take(ERROR_LINES).any(is_syntax_error) {
        return Some(Failed::Line);
    }
    match named_in_error(segments, turns.observation(call)) {
        Some(segment) => Some(Failed::Segment(segment)),
        None => {
            let last = last_that_ran(segments)?;
            let is_verdict = runs.iter().any(|run| {
                run.place == last.place && matches!(run.outcome, TestOutcome::Pass | TestOutcome::Fail)
            });
            let says_no = only_says_no(last, call, turns.observation(call));
            (!is_verdict && !says_no).then_some(Failed::Segment(last))
        }
    }
}

/// Segments of a call.
pub(super) fn segments<'a>(turns: &Turns<'a>, call: &CallFact) -> &'a [SegmentFact] {
    turns.facts.segments.get(call.segments.clone()).unwrap_or_default()
}

fn segment_at<'a>(turns: &Turns<'a>, call: &CallFact, place: Place) -> Option<&'a SegmentFact> {
    segments(turns, call).iter().find(|segment| segment.place == place)
}

/// The segment whose program an error line begins with: `cat: b.py: No such file`, `bash: line 1: foo: command not found`.
/// It may stand anywhere in the line of commands, whatever the exit code of the last says.
fn named_in_error<'a>(segments: &'a [SegmentFact], observation: &str) -> Option<&'a SegmentFact> {
    // Errors stand at the ends of what came back; a long middle is content.
    let head = observation.lines().take(ERROR_LINES);
    let tail = observation.lines().rev().take(ERROR_LINES);
    let lines = head.chain(tail).filter(|line| line.len() < LONGEST_ERROR_LINE && is_error_line(line));
    let mut named = lines.filter_map(|line| {
        // A program that is missing did not run, which is what failed.
        let is_missing = line.trim_end().ends_with("not found");
        segments.iter().find(|segment| (segment.ran != Some(false) || is_missing) && names(line, segment))
    });
    named.next()
}

/// A call that came back with nothing but error lines failed, whatever the exit code of its pipe says
/// (`nl tests | head`: `nl: tests: Is a directory`, 0).
fn only_error<'a>(segments: &'a [SegmentFact], observation: &str) -> Option<&'a SegmentFact> {
    let mut filled = observation.lines().filter(|line| !line.trim().is_empty());
    let is_error = |line: &str| line.len() < LONGEST_ERROR_LINE && is_error_line(line);
    let all = filled.by_ref().take(ERROR_LINES).all(is_error) && filled.next().is_none();
    if all { named_in_error(segments, observation) } else { None }
}

/// A failure that the exit code of the call does not tell: a program that the shell did not find, whatever ran after it,
/// and an installation whose errors went through a pipe.
fn hidden<'a>(segments: &'a [SegmentFact], observation: &str) -> Option<&'a SegmentFact> {
    let head = observation.lines().take(ERROR_LINES);
    let tail = observation.lines().rev().take(ERROR_LINES);
    let mut missing = head.chain(tail).filter(|line| line.len() < LONGEST_ERROR_LINE && is_not_found(line));
    let of_line = |line| segments.iter().find(|one| one.ran == Some(false) && names(line, one));
    missing.find_map(of_line).or_else(|| {
        let first = observation.lines().find(|line| !line.trim().is_empty())?;
        let is_error = ["error: ", "ERROR: ", "E: "].iter().any(|opening| first.starts_with(opening));
        let mut pairs = segments.windows(2).filter(|_| is_error);
        let piped = pairs.find(|pair| matches!(pair[0].role, Role::Setup(_)) && is_piped(&pair[1]));
        piped.map(|pair| &pair[0])
    })
}

fn is_piped(segment: &SegmentFact) -> bool {
    segment.parsed.connector == Connector::Pipe
}

/// `bash: line 1: xxd: command not found`: the shell itself says it.
fn is_not_found(line: &str) -> bool {
    let by_shell = ["bash: ", "/bin/bash: ", "sh: ", "/bin/sh: ", "zsh: "].iter();
    line.trim_end().ends_with(": not found") && by_shell.clone().any(|shell| line.starts_with(shell))
        || line.trim_end().ends_with(": command not found")
}

/// What serves goes on until somebody stops it: that the tool's patience ended is no failure.
fn serves(segment: &SegmentFact) -> bool {
    matches!(segment.role, Role::Execution(ExecutionKind::Service))
}

/// The line speaks of the program of a segment, by the name that was typed.
fn names(line: &str, segment: &SegmentFact) -> bool {
    let typed = segment.parsed.program_path.as_str();
    let by_name = |name: &str| !name.is_empty() && is_word_of(line, name);
    let by_git = segment.program == "git" && line.starts_with("fatal: ");
    by_name(&segment.program) || by_name(typed.rsplit('/').next().unwrap_or(typed)) || by_git
}

/// Error lines that are looked at in one observation, and the longest that is taken for one: enough for every shell
/// message, and a bound for hostile text.
const ERROR_LINES: usize = 20;
const LONGEST_ERROR_LINE: usize = 400;

/// `bash: -c: line 3: syntax error near unexpected token`.
fn is_syntax_error(line: &str) -> bool {
    let by_shell = ["bash: ", "/bin/bash: ", "sh: ", "/bin/sh: "].iter().any(|shell| line.starts_with(shell));
    by_shell && (line.contains("syntax error") || line.contains("unexpected EOF"))
}

fn is_error_line(line: &str) -> bool {
    const SAYS: [&str; 10] = [
        "No such file or directory",
        "command not found",
        "Is a directory",
        "Not a directory",
        "ermission denied",
        "invalid option",
        "unrecognized option",
        "cannot ",
        "can't ",
        "not found",
    ];
    line.starts_with("fatal: ") || line.contains(": ") && SAYS.iter().any(|say| line.contains(say))
}

/// `PROGRAM: …`, `bash: PROGRAM: …`, `bash: line 3: PROGRAM: …`, `/bin/sh: 1: PROGRAM: …`.
fn is_word_of(line: &str, program: &str) -> bool {
    line.split(": ").take(3).any(|part| {
        let part = part.trim();
        part == program || part.rsplit('/').next() == Some(program)
    })
}

/// The command to which the exit code belongs: the last that is not inside another's words. What only prints does not
/// fail: `a && echo "done"` failed at `a`.
fn last_that_ran(segments: &[SegmentFact]) -> Option<&SegmentFact> {
    let ran = || segments.iter().rev().filter(|segment| segment.ran != Some(false));
    let is_outer = |segment: &&SegmentFact| {
        let inside = [ShellContext::CommandSubstitution, ShellContext::ProcessSubstitution];
        !inside.contains(&segment.parsed.context) && !segment.parsed.seen_through
    };
    let only_prints = |segment: &&SegmentFact| {
        matches!(segment.program.as_str(), "echo" | "printf" | "true")
            && segment.parsed.redirections.is_empty()
    };
    let outer = || ran().filter(is_outer);
    outer().find(|segment| !only_prints(segment)).or_else(|| outer().next()).or_else(|| ran().next())
}

/// A search without a match, or a comparison that finds a difference: no failure.
fn only_says_no(segment: &SegmentFact, call: &CallFact, observation: &str) -> bool {
    let program = segment.program.as_str();
    let searches =
        SEARCHES.contains(&program) && (program != "git" || segment.subcommand.as_deref() == Some("grep"));
    let compares = COMPARISONS.contains(&program)
        || program == "git" && matches!(segment.subcommand.as_deref(), Some("diff"));
    let says_one = matches!(call.exit_code, Some(1) | None);
    let searches_by_tool = matches!(segment.operation, Some(Operation::Search { .. }));
    (searches || compares) && says_one || searches_by_tool && says_no_match(observation)
}

/// What search tools answer when they find nothing.
fn says_no_match(observation: &str) -> bool {
    ["No matches", "no matches", "No results", "No files found"]
        .iter()
        .any(|words| observation.contains(words))
}
