//! nose: `nosetests`, `nose2`, `python -m nose`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::{Example, Invocation, Runner, Scope, unittest};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "nose",
    about: "nose: `nosetests`, `nose2`, `python -m nose`",
    reads: "what unittest prints, with its own words in the bracket (`SKIP=1`).",
    recognises,
    read: unittest::read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-w",
    "--where",
    "-m",
    "--match",
    "-i",
    "-e",
    "-a",
    "--attr",
    "-A",
    "--processes",
    "-c",
    "--config",
    "--tests",
    "-s",
    "-t",
    "-l",
    "--cover-package",
    "--xunit-file",
    "--verbosity",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let is_runner = matches!(invoked.program, "nosetests" | "nosetests3" | "nose" | "nose2")
        || invoked.program.starts_with("nosetests-");
    if !is_runner || invoked.asks_for_help() {
        return None;
    }
    if invoked.has("--collect-only") {
        return invocation(Scope::Listing);
    }
    suite_unless(invoked.has_option(&["--tests", "-m", "-a"]) || !invoked.positionals(WITH_VALUE).is_empty())
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "nosetests -v",
        exit: Some(0),
        output: "Ran 3 tests in 0.1s\n\nOK (SKIP=1)\n",
        want: "suite pass 2/0/0/1",
    },
    Example {
        name: "fails",
        command: "python -m nose numpy/core/tests",
        exit: Some(1),
        output: "Ran 9 tests in 0.1s\n\nFAILED (SKIP=1, errors=2, failures=1)\n",
        want: "targeted fail 5/1/2/1",
    },
    Example {
        name: "errs",
        command: "nosetests tests/test_a.py:T.test_b",
        exit: Some(1),
        output: "ERROR: Failure: ImportError (No module named x)\nRan 1 test in 0.001s\n\nFAILED (errors=1)\n",
        want: "targeted error 0/0/1/0",
    },
    Example {
        name: "near miss: installing it",
        command: "pip install nose",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
