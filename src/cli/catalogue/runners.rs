//! Test runners: the commands that call them, what of their output is read, examples.

use super::entry::{self, Entry};
use super::markdown::{fenced, paragraph};
use crate::runners::{Example, RUNNERS, Runner};

/// All runners.
pub fn runners() -> Vec<Entry> {
    RUNNERS.iter().map(entry_of).collect()
}

fn entry_of(runner: &Runner) -> Entry {
    let mut body = paragraph(&format!("{}. Read is {}", runner.about, runner.reads));
    if !runner.error_exits.is_empty() {
        let codes: Vec<String> = runner.error_exits.iter().map(ToString::to_string).collect();
        body.push('\n');
        body.push_str(&paragraph(&format!(
            "Exit codes that say that nothing could be tested: {}.",
            codes.join(", ")
        )));
    }
    let examples: Vec<String> = runner.examples.iter().map(example).collect();
    body.push_str(&format!("\nExamples:\n\n{}", fenced("text", &examples.join("\n\n"))));
    Entry {
        kind: "test runner",
        name: runner.name.to_owned(),
        aliases: Vec::new(),
        line: runner.about.to_owned(),
        body,
    }
}

fn example(example: &Example) -> String {
    let exit = example.exit.map(|code| format!(" (exit {code})")).unwrap_or_default();
    let output = example.output.trim_end();
    let output = if output.is_empty() { String::new() } else { format!("{output}\n") };
    format!("# {}\n$ {}{exit}\n{output}=> {}", example.name, example.command, example.want)
}

/// `docs/runners.md`.
pub fn page() -> String {
    let about = paragraph(
        "A command that calls one of these is a test; the first runner that recognises it reads it. Evidence in order: the \
         runner's own summary, then the exit code (only where the runner is the call's last command and not piped), then a \
         failing or erring line. Outcomes: `pass`; `fail`, at least one failure; `error`, it ran but could not test; `not_run` \
         with a reason (`missing`, `usage`, `skipped`, `timeout`); `unknown`. Never `pass` without evidence. Examples are tests: \
         a command, what it printed, and what must come out as scope, outcome and passed/failed/errors/skipped (`-`: not said; \
         `none`: no run of this runner).",
    );
    entry::page("Test runners", &about, &runners())
}
