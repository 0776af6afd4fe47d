//! Go: `go test`.
//!
//! Trap   `ok … [no tests to run]` and `[no test files]` are no passes.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::lines_with;
use super::{Example, Invocation, Runner, Scope, Summary, TestCounts, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "go_test",
    about: "Go: `go test`",
    reads: "`ok`, `FAIL`, `?` lines of the packages; with `-v` the lines of the tests give counts, \
            without it Go prints none for what passes.",
    recognises,
    read,
    error_exits: &[2],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-run",
    "-bench",
    "-count",
    "-timeout",
    "-tags",
    "-parallel",
    "-p",
    "-cpu",
    "-coverprofile",
    "-covermode",
    "-coverpkg",
    "-ldflags",
    "-gcflags",
    "-o",
    "-C",
    "-mod",
    "-skip",
    "-fuzz",
    "-fuzztime",
    "-benchtime",
    "-exec",
    "-list",
    "-shuffle",
    "-vet",
    "-args",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "go" {
        return None;
    }
    let tests = invoked.below("test")?;
    if tests.asks_for_help() || tests.has("-c") {
        return None;
    }
    if tests.has_option(&["-list"]) {
        return invocation(Scope::Listing);
    }
    // `./...` is the way to say all of the module.
    let names_package =
        tests.positionals(WITH_VALUE).iter().any(|package| !matches!(*package, "./..." | "all"));
    suite_unless(names_package || tests.has_option(&["-run", "-bench", "-fuzz", "--run"]))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let (mut green, mut red, mut broken, mut empty) = (0, 0, 0, 0);
    for line in lines_with(text, "ok  \t").filter(|line| line.starts_with("ok  \t")) {
        if line.contains("[no tests to run]") { empty += 1 } else { green += 1 }
    }
    for line in lines_with(text, "FAIL\t").filter(|line| line.starts_with("FAIL\t")) {
        let is_broken = line.contains(" [build failed]") || line.contains(" [setup failed]");
        if is_broken { broken += 1 } else { red += 1 }
    }
    empty += lines_with(text, "[no test files]").filter(|line| line.starts_with(['?', '\t'])).count();
    let passed = results(text, "--- PASS: ");
    let failed = results(text, "--- FAIL: ");
    if green + red + broken + empty == 0 && passed.or(failed).is_none() {
        return no_package(text);
    }
    let word = if red > 0 || failed.is_some() {
        TestOutcome::Fail
    } else if broken > 0 {
        TestOutcome::Error
    } else if green > 0 || passed.is_some() {
        TestOutcome::Pass
    } else {
        TestOutcome::Error
    };
    let counts = TestCounts { passed, failed, errors: None, skipped: results(text, "--- SKIP: ") };
    Some(Summary { counts, expected: 0, word: Some(word) })
}

/// A single binary prints `PASS` or `FAIL` alone.
fn no_package(text: &str) -> Option<Summary> {
    let stands_alone = |word: &'static str| lines_with(text, word).any(|line| line.trim_end() == word);
    if stands_alone("FAIL") && text.contains("exit status") {
        return Some(Summary::word(TestOutcome::Fail));
    }
    stands_alone("testing: warning: no tests to run").then(|| Summary::word(TestOutcome::Error))
}

/// Tests of the top level; those of subtests are indented.
fn results(text: &str, needle: &'static str) -> Option<i64> {
    let count = lines_with(text, needle).filter(|line| line.starts_with(needle)).count();
    (count > 0).then_some(count as i64)
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "go test ./...",
        exit: Some(0),
        output: "ok  \texample.com/w/pkg\t0.004s\n?   \texample.com/w/cmd\t[no test files]\n",
        want: "suite pass -/-/-/-",
    },
    Example {
        name: "fails",
        command: "go test -v -run TestA ./pkg",
        exit: Some(1),
        output: "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nFAIL\nFAIL\texample.com/w/pkg\t0.004s\nFAIL\n",
        want: "targeted fail 1/1/-/-",
    },
    Example {
        name: "errs: does not compile",
        command: "go test ./...",
        exit: Some(1),
        output: "# example.com/w/pkg [example.com/w/pkg.test]\npkg/a_test.go:9:2: undefined: Gone\nFAIL\texample.com/w/pkg [build failed]\nFAIL\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "errs: the filter matches nothing",
        command: "go test ./pkg/parse -run TestTypo",
        exit: Some(0),
        output: "ok  \texample.com/w/pkg/parse\t0.004s [no tests to run]\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: another subcommand",
        command: "go vet ./...",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
