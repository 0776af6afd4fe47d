//! doctest: `python -m doctest FILE`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{after, before, lines_with, total};
use super::{Example, Invocation, Runner, Summary};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "doctest",
    about: "doctest: `python -m doctest FILE`",
    reads: "`***Test Failed*** 2 failures.`, and with `-v` `5 passed and 0 failed.` Without `-v` a pass \
            is silent.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let is_runner = invoked.is_module && invoked.program == "doctest" && !invoked.asks_for_help();
    is_runner.then(|| suite_unless(!invoked.positionals(&["-o"]).is_empty()))?
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let verbose = lines_with(text, " passed and ").filter_map(|line| {
        let (passed, failed) = (before(line, " passed and ")?, before(line, " failed.")?);
        Some(Summary::counted(passed, failed, 0, 0))
    });
    total(verbose).or_else(|| {
        total(lines_with(text, "***Test Failed*** ").filter_map(|line| {
            let failed = after(line, "***Test Failed*** ")?;
            let mut summary = Summary::default();
            summary.counts.failed = Some(failed);
            Some(summary)
        }))
    })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes in silence",
        command: "python -m doctest pkg/a.py",
        exit: Some(0),
        output: "",
        want: "targeted pass -/-/-/-",
    },
    Example {
        name: "passes aloud",
        command: "python -m doctest -v pkg/a.py",
        exit: Some(0),
        output: "5 tests in 3 items.\n5 passed and 0 failed.\nTest passed.\n",
        want: "targeted pass 5/0/0/0",
    },
    Example {
        name: "fails",
        command: "python -m doctest pkg/a.py",
        exit: Some(1),
        output: "File \"a.py\", line 4, in a.f\nFailed example:\n    f(1)\n***Test Failed*** 2 failures.\n",
        want: "targeted fail -/2/-/-",
    },
    Example {
        name: "errs: the file cannot be imported",
        command: "python -m doctest pkg/a.py",
        exit: Some(1),
        output: "Traceback (most recent call last):\n  File \"pkg/a.py\", line 1, in <module>\nImportError: no\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: its help",
        command: "python -m doctest --help",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
