//! Maven with Surefire and Failsafe: `mvn test`, `mvn verify`, the wrapper and the daemon.
//!
//! Trap   `BUILD SUCCESS` hides failures that are ignored; a build that fails after green tests (a later module does not
//!        compile) is an error.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{after, has, lines_with, total};
use super::{Example, Invocation, Runner, Summary, TestOutcome, signs};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "maven",
    about: "Maven with Surefire and Failsafe: `mvn test`, `mvn verify`, the wrapper and the daemon",
    reads: "`Tests run: 5, Failures: 0, Errors: 0, Skipped: 0`, the total of each module added up; \
            where the totals are cut away, the lines of the classes.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-f",
    "--file",
    "-pl",
    "--projects",
    "-P",
    "--activate-profiles",
    "-s",
    "--settings",
    "-gs",
    "-t",
    "-T",
    "--threads",
    "-l",
    "--log-file",
    "-rf",
    "--resume-from",
    "-D",
    "--define",
    "-b",
    "--builder",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "mvn" | "mvnw" | "mvnd" | "mvn.cmd" | "mvnw.cmd" | "mvnDebug") {
        return None;
    }
    let runs_tests = invoked.positionals(WITH_VALUE).iter().any(|goal| is_test_goal(goal));
    if !runs_tests || invoked.asks_for_help() || skips_tests(&invoked) {
        return None;
    }
    suite_unless(
        invoked.has_option(&["-Dtest", "-Dit.test", "-pl", "--projects", "-Dsurefire.includes", "-Dgroups"])
            || invoked
                .arguments
                .iter()
                .any(|word| word.text.starts_with("test=") || word.text.starts_with("-pl=")),
    )
}

fn is_test_goal(goal: &str) -> bool {
    matches!(goal, "test" | "verify" | "integration-test")
        || goal.ends_with(":test") && goal.contains("surefire")
        || goal.contains("failsafe") && (goal.ends_with(":integration-test") || goal.ends_with(":verify"))
}

fn skips_tests(invoked: &Invoked) -> bool {
    invoked.arguments.iter().any(|word| {
        let text = word.text.trim_start_matches("-D");
        matches!(text, "skipTests" | "skipTests=true" | "maven.test.skip" | "maven.test.skip=true")
    })
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let classes = || lines_with(text, "Tests run: ").filter_map(|line| Some((line, counted(line)?)));
    let totals = total(classes().filter(|(line, _)| is_total(line)).map(|(_, summary)| summary));
    let sum = totals.or_else(|| total(classes().map(|(_, summary)| summary)));
    let builds = |word: &str| has(text, word);
    if let Some(sum) = sum {
        let is_broken = sum.outcome() == TestOutcome::Pass && builds("BUILD FAILURE");
        return Some(if is_broken { Summary { word: Some(TestOutcome::Error), ..sum } } else { sum });
    }
    if builds("No tests to run") || builds("Tests are skipped") || builds("No tests were executed") {
        return Some(Summary::word(TestOutcome::Error));
    }
    if builds("BUILD FAILURE") || builds("COMPILATION ERROR") {
        return Some(Summary::word(signs::worst(text).unwrap_or(TestOutcome::Error)));
    }
    builds("BUILD SUCCESS").then(|| Summary::word(TestOutcome::Pass))
}

/// A module's total ends with its counts; a class goes on with the time and its name.
fn is_total(line: &str) -> bool {
    line.trim_end().ends_with(|c: char| c.is_ascii_digit()) && !line.contains("Time elapsed")
}

fn counted(line: &str) -> Option<Summary> {
    let (run, failed) = (after(line, "Tests run:")?, after(line, "Failures:")?);
    let (errors, skipped) = (after(line, "Errors:")?, after(line, "Skipped:")?);
    Some(Summary::counted(run - failed - errors - skipped, failed, errors, skipped))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes, two modules",
        command: "mvn -q test",
        exit: Some(0),
        output: "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s - in a.AT\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
        want: "suite pass 7/0/0/1",
    },
    Example {
        name: "fails in the first module",
        command: "mvn -fae test",
        exit: Some(1),
        output: "[INFO] Running w.core.AT\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE!\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] Running w.web.BT\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
        want: "suite fail 7/1/0/0",
    },
    Example {
        name: "fails, and the build ignores it",
        command: "mvn verify -Dmaven.test.failure.ignore=true",
        exit: Some(0),
        output: "[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
        want: "suite fail 3/1/0/0",
    },
    Example {
        name: "errs: does not compile",
        command: "./mvnw test -Dtest=FooTest#bar",
        exit: Some(1),
        output: "[ERROR] COMPILATION ERROR :\n[ERROR] /repo/src/main/java/w/A.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "missing",
        command: "mvn test",
        exit: None,
        output: "/bin/bash: line 1467: mvn: command not found\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example {
        name: "missing Java",
        command: "./mvnw test -Dtest=ReproduceTest",
        exit: None,
        output: "Error: JAVA_HOME is not defined correctly.\n  We cannot execute /usr/lib/jvm/java-11/bin/java\n",
        want: "targeted not_run:missing -/-/-/-",
    },
    Example {
        name: "near miss: a build",
        command: "mvn -q compile",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: tests skipped",
        command: "mvn verify -DskipTests",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
