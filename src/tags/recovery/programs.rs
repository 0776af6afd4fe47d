//! The same program again (R2): its name, and for interpreters and runners the same script, module or goal; with other
//! arguments, or with the script edited since.

use crate::facts::{CallFact, SegmentFact};
use crate::model::{CallKind, quality_reason};
use crate::shell::{Language, Word};
use crate::tags::failing::segments;
use crate::tags::turns::Turns;

/// Programs of which the goal must be the same too.
const RUNNERS: [&str; 30] = [
    "ant",
    "bazel",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "conda",
    "docker",
    "dotnet",
    "gmake",
    "go",
    "gradle",
    "gradlew",
    "hatch",
    "just",
    "lein",
    "make",
    "manage.py",
    "mix",
    "mvn",
    "mvnd",
    "mvnw",
    "nox",
    "npm",
    "pdm",
    "pnpm",
    "poetry",
    "rake",
    "sbt",
    "yarn",
];
/// Interpreters that `shell` knows no language of.
const INTERPRETERS: [&str; 9] = ["bash", "dash", "groovy", "java", "ksh", "sh", "ts-node", "tsx", "zsh"];

/// A program as R2 compares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program<'a> {
    /// Name.
    pub name: &'a str,
    /// Script, module or goal, where the name alone says too little.
    pub goal: Option<&'a str>,
    /// The script that it runs: mending it counts as other arguments.
    pub script: Option<&'a str>,
    /// Where the arguments are.
    input: Input<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Input<'a> {
    Segment(&'a SegmentFact),
    Text(&'a str),
}

impl<'a> Program<'a> {
    /// The program of a segment; `None` where there is nothing to find again: no program, or inline code, which has no
    /// name under which it could be run with other arguments.
    pub(super) fn of_segment(segment: &'a SegmentFact) -> Option<Program<'a>> {
        let name = segment.program.as_str();
        let parsed = &segment.parsed;
        if name.is_empty() {
            return None;
        }
        let script = parsed.script().map(|word| word.text.as_str());
        let goal = match script {
            Some(script) => Some(base_name(script)),
            None if is_interpreter(name) => Some(interpreted(segment)?),
            None if RUNNERS.contains(&name) => Some(named_goal(segment)),
            None => None,
        };
        let typed =
            Some(parsed.program_path.as_str()).filter(|path| path.contains('/') && parsed.module.is_none());
        Some(Program { name, goal, script: script.or(typed), input: Input::Segment(segment) })
    }

    /// A structured tool.
    pub(super) fn of_tool(turns: &Turns<'a>, call: &CallFact) -> Program<'a> {
        let logged = turns.trajectory.turns.get(call.turn).and_then(|turn| turn.calls.get(call.call));
        let (name, text) = logged.map_or(("", ""), |call| (call.tool.as_str(), call.input.as_str()));
        Program { name, goal: None, script: None, input: Input::Text(text) }
    }

    /// What a rejected call was a call of: the command that was typed, or the tool where its arguments were no command.
    pub(super) fn of_rejected(turns: &Turns<'a>, call: &CallFact) -> Program<'a> {
        let logged = turns.trajectory.turns.get(call.turn).and_then(|turn| turn.calls.get(call.call));
        let reason = logged.and_then(|call| call.quality_reason);
        let is_no_command = matches!(
            reason,
            Some(quality_reason::ARGUMENTS | quality_reason::MISSING_ARGUMENT | quality_reason::UNKNOWN_TOOL)
        );
        let first = segments(turns, call).first().filter(|_| call.kind == CallKind::Shell && !is_no_command);
        first.and_then(Program::of_segment).unwrap_or_else(|| Program::of_tool(turns, call))
    }

    /// Name and goal are equal.
    pub(super) fn key(&self) -> (&'a str, Option<&'a str>) {
        (self.name, self.goal)
    }

    /// The arguments differ: words, variables set for it, what it reads.
    pub(super) fn has_other_arguments(&self, other: &Program) -> bool {
        match (self.input, other.input) {
            (Input::Text(one), Input::Text(other)) => one != other,
            (Input::Segment(one), Input::Segment(other)) => {
                let (one, other) = (&one.parsed, &other.parsed);
                !one.arguments.iter().map(text).eq(other.arguments.iter().map(text))
                    || one.assignments != other.assignments
                    || one.program_path != other.program_path
                    || one.heredoc.as_ref().map(|heredoc| &heredoc.body)
                        != other.heredoc.as_ref().map(|heredoc| &heredoc.body)
            }
            _ => true,
        }
    }
}

/// The goal of a runner; of `npm run lint` the script that is run.
fn named_goal(segment: &SegmentFact) -> &str {
    let goal = segment.subcommand.as_deref().unwrap_or_default();
    if !matches!(goal, "run" | "run-script") {
        return goal;
    }
    let words = segment.parsed.arguments.iter().map(text);
    let mut after = words.skip_while(|word| *word != goal).skip(1);
    after.find(|word| !word.starts_with('-')).unwrap_or(goal)
}

fn text(word: &Word) -> &str {
    &word.text
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name) || Language::of_program(name).is_some()
}

/// The main class or jar of `java`; `None` for inline code and for an interpreter of which no script is known.
fn interpreted(segment: &SegmentFact) -> Option<&str> {
    if segment.program != "java" {
        return None;
    }
    let mut words = segment.parsed.arguments.iter().map(text);
    while let Some(word) = words.next() {
        match word {
            "-jar" => return words.next().map(base_name),
            "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path" | "--add-modules" => {
                words.next()?;
            }
            option if option.starts_with('-') => {}
            class => return Some(base_name(class)),
        }
    }
    None
}

/// Two spellings of one file: equal, or one ends with the other at a folder's name.
pub(super) fn same_file(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim_start_matches("./"), other.trim_start_matches("./"));
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    !one.is_empty() && !other.is_empty() && (ends(one, other) || ends(other, one))
}
