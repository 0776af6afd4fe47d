//! karma: `karma start`, `ng test`.

use crate::shell::Segment;

use super::command::{Invoked, invocation};
use super::counts::{after, before, lines_with};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "karma",
    about: "karma: `karma start`, `ng test`",
    reads: "the last `Executed 5 of 5 (1 FAILED)` of a run; progress lines overwrite one another. \
            `TOTAL:` where several browsers ran.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let runs = match invoked.program {
        "karma" => invoked.below("start").is_some() || invoked.below("run").is_some(),
        "ng" => invoked.below("test").is_some(),
        _ => false,
    };
    (runs && !invoked.asks_for_help()).then(|| invocation(Scope::Suite))?
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let totals = lines_with(text, "TOTAL: ").filter_map(|line| {
        let failed = before(line, " FAILED").unwrap_or(0);
        Some(Summary::counted(before(line, " SUCCESS")?, failed, 0, 0))
    });
    if let Some(total) = totals.last() {
        return Some(total);
    }
    let line = lines_with(text, "Executed ").filter(|line| line.contains(" of ")).last()?;
    let run = after(line, "Executed ")?;
    let failed = before(line, " FAILED").unwrap_or(0);
    let skipped = after(line, "skipped ").unwrap_or(0);
    let counted = Summary::counted(run - failed, failed, 0, skipped);
    let is_error = line.contains(" ERROR") || line.contains("DISCONNECTED");
    Some(Summary { word: is_error.then_some(TestOutcome::Error), ..counted })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "npx karma start --single-run",
        exit: Some(0),
        output: "Chrome 90.0 (Linux): Executed 1 of 5 SUCCESS (0 secs / 0.01 secs)\rChrome 90.0 (Linux): Executed 4 of 5 (skipped 1) SUCCESS (0.05 secs / 0.01 secs)\n",
        want: "suite pass 4/0/0/1",
    },
    Example {
        name: "fails",
        command: "ng test --watch=false",
        exit: Some(1),
        output: "Chrome 90.0 (Linux): Executed 5 of 5 (1 FAILED) (0.05 secs / 0.01 secs)\nTOTAL: 1 FAILED, 4 SUCCESS\n",
        want: "suite fail 4/1/0/0",
    },
    Example {
        name: "errs",
        command: "karma start",
        exit: Some(1),
        output: "Chrome 90.0 (Linux): Executed 0 of 0 ERROR (0.003 secs / 0 secs)\n",
        want: "suite error 0/0/0/0",
    },
    Example {
        name: "near miss: making its settings",
        command: "karma init",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
