//! cargo: `cargo test`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "cargo_test",
    about: "cargo: `cargo test`",
    reads: "`test result: ok. 12 passed; 0 failed; …` of every test binary, added up; an empty doc-test \
            binary after a full one does not make the run empty.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

/// Options of cargo and of the test binary that take the next word.
pub const WITH_VALUE: &[&str] = &[
    "-p",
    "--package",
    "--test",
    "--bin",
    "--example",
    "--bench",
    "--features",
    "-F",
    "--target",
    "--target-dir",
    "--manifest-path",
    "-j",
    "--jobs",
    "--profile",
    "--color",
    "--message-format",
    "-Z",
    "--config",
    "-E",
    "--filterset",
    "--filter-expr",
    "--test-threads",
    "--skip",
    "--exclude",
    "--retries",
    "-P",
    "--format",
];

/// Options that name a package or a test file.
pub const NAMING: &[&str] =
    &["-p", "--package", "--test", "--bin", "--example", "-E", "--filterset", "--filter-expr"];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "cargo" {
        return None;
    }
    let tests = invoked.below("test").or_else(|| invoked.below("t"))?;
    if tests.asks_for_help() || tests.has("--no-run") {
        return None;
    }
    if tests.has("--list") {
        return invocation(Scope::Listing);
    }
    let named = tests.positionals(WITH_VALUE).iter().any(|word| !word.starts_with('-') && !is_number(word));
    suite_unless(named || tests.has_option(NAMING))
}

/// The value of `--test-threads 1` behind `--`.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let sum = total(lines_with(text, "test result: ").filter_map(counted));
    let is_broken = has(text, "error: could not compile ")
        || has(text, "error: no test target named")
        || has(text, "error: could not find `Cargo.toml`")
        || has(text, "error: package ID specification");
    match sum {
        Some(sum) if is_broken => Some(sum.plus(Summary::word(TestOutcome::Error))),
        None if is_broken => Some(Summary::word(TestOutcome::Error)),
        sum => sum,
    }
}

fn counted(line: &str) -> Option<Summary> {
    let rest = line.trim_start().strip_prefix("test result: ")?;
    let (passed, failed) = (before(rest, " passed;")?, before(rest, " failed;")?);
    let skipped = before(rest, " ignored;").unwrap_or(0);
    Some(Summary::counted(passed, failed, 0, skipped))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes, doc-tests empty",
        command: "cargo test",
        exit: Some(0),
        output: "running 12 tests\n............\ntest result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n   Doc-tests widget\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        want: "suite pass 12/0/0/0",
    },
    Example {
        name: "fails",
        command: "cargo +nightly test -p widget -- --nocapture",
        exit: Some(101),
        output: "test parse::a ... FAILED\ntest result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.05s\nerror: test failed, to rerun pass `--lib`\n",
        want: "targeted fail 3/1/0/1",
    },
    Example {
        name: "errs: does not compile",
        command: "cargo test",
        exit: Some(101),
        output: "error[E0425]: cannot find function `gone` in this scope\n --> src/lib.rs:3:5\nerror: could not compile `widget` (lib test) due to 1 previous error\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "errs: the filter matches nothing",
        command: "cargo test parse_hedaer",
        exit: Some(0),
        output: "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5783 filtered out; finished in 0.05s\n",
        want: "targeted error 0/0/0/0",
    },
    Example {
        name: "near miss: only built",
        command: "cargo test --no-run",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: another subcommand",
        command: "cargo build --tests",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
