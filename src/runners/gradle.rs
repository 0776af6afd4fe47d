//! Gradle: `gradle test`, `./gradlew :app:test`, `check`, tasks named `…Test`.
//!
//! Trap   a project without tests builds well: `:test NO-SOURCE`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{before, has, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "gradle",
    about: "Gradle: `gradle test`, `./gradlew :app:test`, `check`, tasks named `…Test`",
    reads: "`20 tests completed, 2 failed, 1 skipped`, printed only where something failed, and `BUILD \
            SUCCESSFUL`.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-x",
    "--exclude-task",
    "--tests",
    "-p",
    "--project-dir",
    "-b",
    "--build-file",
    "-c",
    "-I",
    "--init-script",
    "-g",
    "--max-workers",
    "-P",
    "-D",
    "--console",
    "--warning-mode",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "gradle" | "gradlew" | "gradlew.bat") || invoked.asks_for_help() {
        return None;
    }
    let tasks: Vec<&str> =
        invoked.positionals(WITH_VALUE).into_iter().filter(|task| is_test_task(task)).collect();
    if tasks.is_empty() {
        return None;
    }
    if invoked.has("--dry-run") || invoked.has("-m") {
        return invocation(Scope::Listing);
    }
    let names_module = tasks.iter().any(|task| task.trim_start_matches(':').contains(':'));
    suite_unless(names_module || invoked.has_option(&["--tests"]))
}

fn is_test_task(task: &str) -> bool {
    let name = task.rsplit(':').next().unwrap_or(task);
    let is_variant = name.strip_prefix("test").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    matches!(name, "test" | "check" | "allTests")
        || (name.ends_with("Test") || name.ends_with("Tests")) && !name.starts_with("compile")
        || is_variant && name != "testClasses"
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let counted = total(lines_with(text, " completed, ").filter_map(|line| {
        let run = before(line, " tests completed, ").or_else(|| before(line, " test completed, "))?;
        let (failed, skipped) = (before(line, " failed").unwrap_or(0), before(line, " skipped").unwrap_or(0));
        Some(Summary::counted(run - failed - skipped, failed, 0, skipped))
    }));
    if counted.is_some() {
        return counted;
    }
    if has(text, "BUILD FAILED") {
        let failed = has(text, "There were failing tests") || has(text, " FAILED\n    ");
        return Some(Summary::word(if failed { TestOutcome::Fail } else { TestOutcome::Error }));
    }
    has(text, "BUILD SUCCESSFUL")
        .then(|| Summary::word(if ran_nothing(text) { TestOutcome::Error } else { TestOutcome::Pass }))
}

/// Every test task that is shown says that it has no source.
fn ran_nothing(text: &str) -> bool {
    let mut tasks = lines_with(text, "> Task :").filter(|line| {
        let name = line.split_whitespace().nth(2).unwrap_or("");
        is_test_task(name) && !name.ends_with("check")
    });
    let mut shown = false;
    let all_empty = tasks.all(|line| {
        shown = true;
        line.contains(" NO-SOURCE") || line.contains(" SKIPPED")
    });
    shown && all_empty
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes without counts",
        command: "./gradlew test",
        exit: Some(0),
        output: "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 4s\n3 actionable tasks: 3 executed\n",
        want: "suite pass -/-/-/-",
    },
    Example {
        name: "fails",
        command: "gradle :app:test --tests FooTest",
        exit: Some(1),
        output: "> Task :app:test FAILED\n\n20 tests completed, 2 failed, 1 skipped\n\nBUILD FAILED in 6s\n",
        want: "targeted fail 17/2/0/1",
    },
    Example {
        name: "errs: no tests",
        command: "./gradlew test",
        exit: Some(0),
        output: "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "errs: does not compile",
        command: "./gradlew check",
        exit: Some(1),
        output: "/repo/src/main/java/A.java:3: error: cannot find symbol\n> Task :compileJava FAILED\nBUILD FAILED in 2s\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "missing Java",
        command: "./gradlew test",
        exit: None,
        output: "\nERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example {
        name: "near miss: a build without tests",
        command: "./gradlew build -x test",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: compiling tests",
        command: "./gradlew testClasses compileTestJava",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
