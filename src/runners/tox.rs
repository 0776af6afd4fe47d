//! tox and nox: environments in which any runner runs.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::has;
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "tox",
    about: "tox and nox: environments in which any runner runs",
    reads: "the summary of the runner inside; tox's own `congratulations :)` where that is cut away.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-e",
    "-c",
    "-p",
    "-s",
    "-f",
    "--workdir",
    "--result-json",
    "--conf",
    "-m",
    "-x",
    "-k",
    "--session",
    "--sessions",
];

/// Environments that check form and no behaviour.
const NO_TESTS: &[&str] = &[
    "lint",
    "flake8",
    "mypy",
    "docs",
    "doc",
    "format",
    "black",
    "pylint",
    "isort",
    "style",
    "linters",
    "typing",
    "build",
    "ruff",
    "pre-commit",
    "codestyle",
    "docformatter",
    "lint_fix",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "tox" | "nox") || invoked.asks_for_help() || invoked.has("--notest") {
        return None;
    }
    let first = invoked.positionals(WITH_VALUE).first().copied();
    if invoked.has_option(&["-l", "--listenvs", "-a", "--listenvs-all", "--list", "--showconfig"])
        || matches!(first, Some("l" | "list" | "c" | "config"))
    {
        return invocation(Scope::Listing);
    }
    if environments(&invoked).is_some_and(|names| names.split(',').all(|name| NO_TESTS.contains(&name))) {
        return None;
    }
    let given = invoked.arguments.iter().skip_while(|word| word.text != "--").skip(1);
    suite_unless(given.into_iter().any(|word| !word.text.starts_with('-')))
}

/// The value of `-e`, `-epy39` or `-s`.
fn environments<'s>(invoked: &Invoked<'s>) -> Option<&'s str> {
    let mut words = invoked.arguments.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-e" | "-s" | "--session" | "--sessions" => return words.next(),
            _ if word.starts_with("-e") && word.len() > 2 => return Some(&word[2..]),
            _ => {}
        }
    }
    None
}

fn read(text: &str) -> Option<Summary> {
    any::read(text).or_else(|| {
        if has(text, "  congratulations :)") {
            Some(Summary::word(TestOutcome::Pass))
        } else if has(text, "commands failed") || has(text, "  evaluation failed :(") {
            Some(Summary::word(super::signs::worst(text).unwrap_or(TestOutcome::Fail)))
        } else {
            None
        }
    })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "tox -e py39 -- tests/test_a.py",
        exit: Some(0),
        output: "==== 7 passed in 0.50s ====\n  py39: OK (2.10 seconds)\n  congratulations :) (2.20 seconds)\n",
        want: "targeted pass 7/0/0/0",
    },
    Example {
        name: "fails",
        command: "tox",
        exit: Some(1),
        output: "==== 1 failed, 7 passed in 0.50s ====\n  py39: FAIL code 1 (2.10 seconds)\n  evaluation failed :( (2.20 seconds)\n",
        want: "suite fail 7/1/0/0",
    },
    Example {
        name: "errs: the environment cannot be made",
        command: "tox -epy39",
        exit: Some(1),
        output: "py39: exit 1 (0.36 seconds) /repo> python -I -m pip install x\nERROR: could not install deps\nerror: subprocess-exited-with-error\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "environments are listed",
        command: "tox -l",
        exit: Some(0),
        output: "py39\n",
        want: "listing",
    },
    Example {
        name: "near miss: a linter",
        command: "tox -e flake8",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: its version",
        command: "tox --version",
        exit: Some(0),
        output: "4.16.0\n",
        want: "none",
    },
];
