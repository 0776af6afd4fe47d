//! Ant: `ant test` and targets like it.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{has, lines_with};
use super::{Example, Invocation, Runner, Summary, TestOutcome, junit_console, maven};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "ant",
    about: "Ant: `ant test` and targets like it",
    reads: "the `[junit] Tests run:` line of each class added up, and `BUILD SUCCESSFUL` or `BUILD \
            FAILED`.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] =
    &["-f", "-file", "-buildfile", "-l", "-logfile", "-lib", "-propertyfile", "-find", "-s"];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let targets = invoked.positionals(WITH_VALUE);
    let runs = invoked.program == "ant" && targets.iter().any(|target| is_test_target(target));
    runs.then(|| {
        suite_unless(
            invoked.arguments.iter().any(|word| word.text.starts_with("-Dtest") && word.text.contains('=')),
        )
    })?
}

fn is_test_target(target: &str) -> bool {
    let builds = target.contains("compile") || target.contains("build") || target.contains("jar");
    !builds
        && (matches!(target, "test" | "tests" | "check" | "junit")
            || target.starts_with("test-")
            || target.ends_with("-test")
            || target.ends_with("-tests")
            || target.ends_with(".test"))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let is_ant =
        lines_with(text, "[junit]").next().is_some() || has(text, "\nBUILD ") && has(text, "Buildfile:");
    if !is_ant {
        return None;
    }
    let counted = maven::read(text).or_else(|| junit_console::read(text));
    match counted {
        Some(sum) if sum.outcome() == TestOutcome::Pass && has(text, "BUILD FAILED") => {
            Some(Summary { word: Some(TestOutcome::Error), ..sum })
        }
        Some(sum) => Some(sum),
        None if has(text, "BUILD FAILED") => Some(Summary::word(TestOutcome::Error)),
        None => has(text, "BUILD SUCCESSFUL").then(|| Summary::word(TestOutcome::Pass)),
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "ant test",
        exit: Some(0),
        output: "Buildfile: /r/build.xml\n    [junit] Running a.AT\n    [junit] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.04 sec\n    [junit] Running a.BT\n    [junit] Tests run: 2, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.04 sec\n\nBUILD SUCCESSFUL\n",
        want: "suite pass 6/0/0/1",
    },
    Example {
        name: "fails",
        command: "ant -f build.xml junit",
        exit: Some(1),
        output: "    [junit] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.04 sec\n\nBUILD FAILED\n",
        want: "suite fail 4/1/0/0",
    },
    Example {
        name: "errs: does not compile",
        command: "ant test -Dtest.class=Foo",
        exit: Some(1),
        output: "Buildfile: /r/build.xml\n    [javac] /r/A.java:3: error: cannot find symbol\n\nBUILD FAILED\n",
        want: "targeted error -/-/-/-",
    },
    Example { name: "near miss: a build", command: "ant jar", exit: Some(0), output: "", want: "none" },
];
