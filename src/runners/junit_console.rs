//! JUnit and TestNG started from Java: the console launcher, `JUnitCore`, `TestNG`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{after, before, lines_with, number, total};
use super::{Example, Invocation, Runner, Summary, TestCounts};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "junit_console",
    about: "JUnit and TestNG started from Java: the console launcher, `JUnitCore`, `TestNG`",
    reads: "`[ 37 tests successful ]` of the launcher, `OK (5 tests)` and `Tests run: 5,  Failures: 1` \
            of JUnit 4, `Total tests run: 5, Failures: 1, Skips: 0` of TestNG.",
    recognises,
    read,
    error_exits: &[2],
    examples: EXAMPLES,
};

const MAIN_CLASSES: &[&str] = &[
    "org.junit.platform.console.ConsoleLauncher",
    "org.junit.runner.JUnitCore",
    "junit.textui.TestRunner",
    "org.testng.TestNG",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let may_start =
        matches!(invoked.program, "java" | "kotlin" | "scala") || invoked.program.ends_with(".sh");
    if !may_start {
        return None;
    }
    let starts = invoked.arguments.iter().position(|word| {
        MAIN_CLASSES.contains(&word.text.as_str())
            || word.text.contains("junit-platform-console-standalone")
                && word.text.ends_with(".jar")
                && !word.text.contains(':')
    })?;
    let rest = &invoked.arguments[starts + 1..];
    let scans = rest.iter().any(|word| word.text.starts_with("--scan-class"));
    suite_unless(!scans && !rest.is_empty())
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    launcher(text).or_else(|| core(text)).or_else(|| testng(text))
}

/// `[        37 tests successful      ]`
fn launcher(text: &str) -> Option<Summary> {
    let count = |what: &str| {
        let needle = format!(" tests {what}");
        let mut lines = lines_with(text, &needle).filter(|line| line.trim_start().starts_with('['));
        lines.find_map(|line| number(line.trim_start().trim_start_matches('[')))
    };
    let (passed, failed) = (count("successful")?, count("failed")?);
    let skipped = count("skipped").unwrap_or(0) + count("aborted").unwrap_or(0);
    Some(Summary::counted(passed, failed, 0, skipped))
}

fn core(text: &str) -> Option<Summary> {
    let green = lines_with(text, "OK (").filter_map(|line| {
        let rest = line.trim_end().strip_prefix("OK (")?;
        let is_closing = rest.ends_with(" tests)") || rest.ends_with(" test)");
        Some(Summary::counted(number(rest).filter(|_| is_closing)?, 0, 0, 0))
    });
    let red = lines_with(text, ",  Failures: ").filter_map(|line| {
        let (run, failed) = (after(line, "Tests run:")?, after(line, "Failures:")?);
        let errors = after(line, "Errors:").unwrap_or(0);
        Some(Summary::counted(run - failed - errors, failed, errors, 0))
    });
    total(green.chain(red))
}

fn testng(text: &str) -> Option<Summary> {
    let line = lines_with(text, "Total tests run: ").last()?;
    let failed = after(line, "Failures:")?;
    let skipped = after(line, "Skips:").unwrap_or(0);
    let run = after(line, "Total tests run:")?;
    let passed = before(line, " passes").or_else(|| after(line, "Passes:")).unwrap_or(run - failed - skipped);
    let counts =
        TestCounts { passed: Some(passed), failed: Some(failed), errors: Some(0), skipped: Some(skipped) };
    Some(Summary { counts, ..Summary::default() })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "java -jar lib/junit-platform-console-standalone-1.9.jar -cp out --scan-classpath",
        exit: Some(0),
        output: "[         3 tests found           ]\n[         0 tests skipped         ]\n[         3 tests started         ]\n[         0 tests aborted         ]\n[         3 tests successful      ]\n[         0 tests failed          ]\n",
        want: "suite pass 3/0/0/0",
    },
    Example {
        name: "fails",
        command: "java -cp .:junit.jar org.junit.runner.JUnitCore FooTest",
        exit: Some(1),
        output: "FAILURES!!!\nTests run: 5,  Failures: 1\n",
        want: "targeted fail 4/1/0/0",
    },
    Example {
        name: "passes in JUnit 4",
        command: "java org.junit.runner.JUnitCore FooTest",
        exit: None,
        output: "JUnit version 4.13\n.....\nTime: 0.01\n\nOK (5 tests)\n",
        want: "targeted pass 5/0/0/0",
    },
    Example {
        name: "errs: nothing found",
        command: "java -cp x org.junit.platform.console.ConsoleLauncher --select-class A",
        exit: Some(2),
        output: "[         0 tests successful      ]\n[         0 tests failed          ]\n",
        want: "targeted error 0/0/0/0",
    },
    Example {
        name: "missing",
        command: "java -cp . org.junit.runner.JUnitCore A",
        exit: None,
        output: "/bin/bash: line 35497: java: command not found\n",
        want: "targeted not_run:missing -/-/-/-",
    },
    Example {
        name: "near miss: its name in a search",
        command: "grep -rn org.junit.runner.JUnitCore .",
        exit: None,
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: a jar in the class path",
        command: "java -cp .:junit-platform-console-standalone-1.7.0.jar Main",
        exit: None,
        output: "",
        want: "none",
    },
];
