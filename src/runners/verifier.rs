//! Scripts that a benchmark or project hands out to run its tests: Terminal-Bench's `run-tests.sh` and `tests/test.sh`,
//! `run_tests.sh`, `test.sh`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::{Example, Invocation, Runner, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "verifier",
    about: "Scripts that a benchmark or project hands out to run its tests: Terminal-Bench's \
            `run-tests.sh` and `tests/test.sh`, `run_tests.sh`, `test.sh`",
    reads: "the summary of the runner inside.",
    recognises,
    read: any::read,
    error_exits: &[],
    examples: EXAMPLES,
};

const SCRIPTS: &[&str] = &[
    "run-tests.sh",
    "run_tests.sh",
    "runtests.sh",
    "run-test.sh",
    "run_test.sh",
    "test.sh",
    "tests.sh",
    "runtest.sh",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let runs = SCRIPTS.contains(&invoked.program) && !invoked.asks_for_help();
    runs.then(|| suite_unless(!invoked.positionals(&[]).is_empty()))?
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "bash /tests/test.sh",
        exit: Some(0),
        output: "==== 6 passed in 1.02s ====\n",
        want: "suite pass 6/0/0/0",
    },
    Example {
        name: "fails",
        command: "./run-tests.sh",
        exit: Some(1),
        output: "==== 2 failed, 4 passed in 1.02s ====\n",
        want: "suite fail 4/2/0/0",
    },
    Example {
        name: "errs",
        command: "bash run_tests.sh",
        exit: Some(1),
        output: "Traceback (most recent call last):\nImportError: no\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "missing",
        command: "bash run-tests.sh",
        exit: Some(127),
        output: "bash: run-tests.sh: No such file or directory\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example {
        name: "near miss: reading it",
        command: "cat run-tests.sh",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
