//! Build tools that test: `make test`, `make check`, `ninja test`, `just test`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, lines_with};
use super::{Example, Invocation, Runner, Scope, Summary, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "make",
    about: "Build tools that test: `make test`, `make check`, `ninja test`, `just test`",
    reads: "the summary of the runner inside, and automake's `# PASS:`. A target that is not there did not \
            run (`missing`).",
    recognises,
    read: any::read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &["-C", "--directory", "-f", "--file", "--makefile", "-I", "-o", "-W", "-l"];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "make" | "gmake" | "ninja" | "just" | "task" | "bazel" | "bazelisk") {
        return None;
    }
    let targets: Vec<&str> =
        invoked.positionals(WITH_VALUE).into_iter().filter(|target| is_test_target(target)).collect();
    if targets.is_empty() || invoked.asks_for_help() {
        return None;
    }
    if invoked.has("-n") || invoked.has("--dry-run") || invoked.has("--just-print") {
        return invocation(Scope::Listing);
    }
    let plain =
        targets.iter().all(|target| matches!(*target, "test" | "tests" | "check" | "checks" | "distcheck"));
    suite_unless(
        !plain
            || invoked.arguments.iter().any(|word| word.text.starts_with("TEST") && word.text.contains('=')),
    )
}

fn is_test_target(target: &str) -> bool {
    let is_test = matches!(
        target,
        "test" | "tests" | "check" | "checks" | "distcheck" | "pytest" | "unittest" | "unittests"
    ) || ["test-", "test_", "test/", "check-", "tests/", "unit-test"]
        .iter()
        .any(|start| target.starts_with(start))
        || ["-test", "-tests", "_test", "_tests", "/test", "/check"].iter().any(|end| target.ends_with(end));
    let is_other =
        ["format", "fmt", "lint", "style", "build", "compile", "deps", "install", "clean", "types"];
    is_test && !target.contains('=') && !is_other.iter().any(|word| target.contains(word))
}

/// automake writes `# TOTAL: 10`, `# PASS:  9` … at its end, once a folder.
pub fn automake(text: &str) -> Option<Summary> {
    let count = |word: &'static str| {
        let mut found =
            lines_with(text, word).filter(|line| line.starts_with(word)).filter_map(|line| after(line, word));
        found.next().map(|first| first + found.sum::<i64>())
    };
    let (passed, failed) = (count("# PASS:")?, count("# FAIL:")?);
    let unexpected = count("# XPASS:").unwrap_or(0);
    let counted = Summary::counted(
        passed,
        failed + unexpected,
        count("# ERROR:").unwrap_or(0),
        count("# SKIP:").unwrap_or(0),
    );
    Some(Summary { expected: count("# XFAIL:").unwrap_or(0), ..counted })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "make -j4 check",
        exit: Some(0),
        output: "PASS: a\n# TOTAL: 10\n# PASS:  9\n# SKIP:  1\n# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n",
        want: "suite pass 9/0/0/1",
    },
    Example {
        name: "fails, piped",
        command: "make test 2>&1",
        exit: None,
        output: "FAILED tests/test_core.py::test_a - assert 1 == 2\n2 failed, 10 passed in 3.10s\nmake: *** [Makefile:7: test] Error 1\n",
        want: "suite fail 10/2/0/0",
    },
    Example {
        name: "errs: the runner inside finds nothing",
        command: "make test",
        exit: Some(2),
        output: "python -m pytest -q\nno tests ran in 0.01s\nmake: *** [Makefile:3: test] Error 5\n",
        want: "suite error 0/0/0/0",
    },
    Example {
        name: "no such target",
        command: "make test",
        exit: Some(2),
        output: "make: *** No rule to make target 'test'.  Stop.\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example {
        name: "passes by its exit code",
        command: "make -C lib test",
        exit: Some(0),
        output: "ok\n",
        want: "suite pass -/-/-/-",
    },
    Example { name: "near miss: a build", command: "make all", exit: Some(0), output: "", want: "none" },
    Example {
        name: "near miss: a formatter",
        command: "make check-format",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
