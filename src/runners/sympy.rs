//! sympy's own runner: `bin/test`, `bin/doctest`, `python -m sympy.testing.runtests`.
//!
//! Trap   `/usr/bin/test` and the shell's `test` have the same base name.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{before, lines_with, text_after, total};
use super::{Example, Invocation, Runner, Summary, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "sympy",
    about: "sympy's own runner: `bin/test`, `bin/doctest`, `python -m sympy.testing.runtests`",
    reads: "`tests finished: 82 passed, 3 expected to fail, 1 exceptions, in 3.13 seconds`, which may \
            be broken over two lines.",
    recognises,
    read: read_project,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &["-k", "--tb", "--seed", "--timeout", "--split", "--rerun", "-t", "--types"];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let is_script = matches!(invoked.program, "test" | "doctest")
        && !invoked.is_module
        && (invoked.path == "bin/test"
            || invoked.path == "bin/doctest"
            || invoked.path.ends_with("/bin/test")
                && !invoked.path.starts_with("/usr/")
                && invoked.path != "/bin/test"
            || invoked.path.ends_with("/bin/doctest"));
    let is_module = matches!(invoked.program, "sympy.testing.runtests" | "sympy.utilities.runtests");
    if !(is_script || is_module) || invoked.asks_for_help() {
        return None;
    }
    suite_unless(invoked.has_option(&["-k"]) || !invoked.positionals(WITH_VALUE).is_empty())
}

/// A later sympy calls pytest from `bin/test`.
fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| any::distinct(text))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    total(lines_with(text, "tests finished: ").map(|line| {
        let next = text_after(text, line).trim_start_matches('\n').lines().next().unwrap_or("");
        let is_broken = !line.contains(" seconds");
        if is_broken && next.contains("seconds") { counted(&format!("{line} {next}")) } else { counted(line) }
    }))
}

fn counted(line: &str) -> Summary {
    let count = |word: &str| before(line, word).unwrap_or(0);
    let expected = count(" expected to fail,") + count(" expected to fail but passed");
    Summary {
        expected,
        ..Summary::counted(count(" passed,"), count(" failed"), count(" exceptions"), count(" skipped"))
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "bin/test sympy/core/tests/test_arit.py",
        exit: Some(0),
        output: "======== tests finished: 82 passed, 3 expected to fail, in 3.13 seconds ========\n",
        want: "targeted pass 82/0/0/0",
    },
    Example {
        name: "fails, broken over two lines",
        command: "python bin/test",
        exit: Some(1),
        output: " tests finished: 1623 passed, 1 failed, 68 skipped, 42 expected to fail, \n1 exceptions, in 21.61 seconds \nDO *NOT* COMMIT!\n",
        want: "suite fail 1623/1/1/68",
    },
    Example {
        name: "errs: exceptions alone",
        command: "./bin/test sympy/core -k basic",
        exit: Some(1),
        output: "= tests finished: 99 passed, 2 expected to fail, 9 exceptions, in 2.71 seconds =\nDO *NOT* COMMIT!\n",
        want: "targeted error 99/0/9/0",
    },
    Example {
        name: "missing module",
        command: "python -m sympy.testing.runtests sympy/solvers/tests/test_diophantine.py",
        exit: None,
        output: "/opt/bin/python: Error while finding module specification for 'sympy.testing.runtests' (ModuleNotFoundError: No module named 'sympy.testing')\n",
        want: "targeted not_run:missing -/-/-/-",
    },
    Example {
        name: "near miss: the shell's test",
        command: "test -f bin/test",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: listing it",
        command: "ls bin/test",
        exit: Some(0),
        output: "bin/test\n",
        want: "none",
    },
];
