//! PHPUnit and Pest: `phpunit`, `vendor/bin/phpunit`, `php artisan test`, `pest`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, before, has, lines_with, number, total};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "phpunit",
    about: "PHPUnit and Pest: `phpunit`, `vendor/bin/phpunit`, `php artisan test`, `pest`",
    reads: "`OK (5 tests, 10 assertions)`, `Tests: 5, Assertions: 10, Failures: 1.`, Pest's `Tests:  1 \
            failed, 5 passed`.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-c",
    "--configuration",
    "--filter",
    "--group",
    "--exclude-group",
    "--testsuite",
    "--bootstrap",
    "--log-junit",
    "-d",
    "--coverage-html",
    "--coverage-text",
    "--printer",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let run = match invoked.program {
        "phpunit" | "phpunit.phar" | "pest" | "simple-phpunit" | "paratest" => invoked,
        "artisan" => invoked.below("test")?,
        _ => return None,
    };
    if run.asks_for_help() {
        return None;
    }
    if run.has_option(&["--list-tests", "--list-suites", "--list-groups"]) {
        return invocation(Scope::Listing);
    }
    suite_unless(
        run.has_option(&["--filter", "--group", "--testsuite"]) || !run.positionals(WITH_VALUE).is_empty(),
    )
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let green = lines_with(text, " assertion").filter_map(|line| {
        let rest = line.trim_end().strip_prefix("OK (")?;
        Some(Summary::counted(number(rest)?, 0, 0, 0))
    });
    let mixed = lines_with(text, ", Assertions: ").filter_map(|line| {
        let run = after(line.trim_start().strip_prefix("Tests:")?, "")?;
        let count = |word: &str| after(line, word).unwrap_or(0);
        let skipped = count("Skipped:") + count("Incomplete:");
        let (failed, errors) = (count("Failures:"), count(" Errors:"));
        Some(Summary::counted(run - failed - errors - skipped, failed, errors, skipped))
    });
    let pest = lines_with(text, " assertions)").filter_map(|line| {
        let rest = line.trim_start().strip_prefix("Tests:")?;
        let count = |word: &str| before(rest, word).unwrap_or(0);
        Some(Summary::counted(count(" passed"), count(" failed"), 0, count(" skipped") + count(" todo")))
    });
    total(green.chain(mixed).chain(pest))
        .or_else(|| has(text, "No tests executed!").then(|| Summary::word(TestOutcome::Error)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "vendor/bin/phpunit tests/ATest.php",
        exit: Some(0),
        output: ".....  5 / 5 (100%)\n\nOK (5 tests, 10 assertions)\n",
        want: "targeted pass 5/0/0/0",
    },
    Example {
        name: "fails",
        command: "phpunit",
        exit: Some(1),
        output: "FAILURES!\nTests: 5, Assertions: 10, Errors: 1, Failures: 1, Skipped: 1.\n",
        want: "suite fail 2/1/1/1",
    },
    Example {
        name: "errs",
        command: "php vendor/bin/phpunit --filter nothing",
        exit: Some(0),
        output: "No tests executed!\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "passes in Pest",
        command: "./vendor/bin/pest",
        exit: Some(0),
        output: "  Tests:    5 passed (10 assertions)\n  Duration: 0.10s\n",
        want: "suite pass 5/0/0/0",
    },
    Example {
        name: "near miss: reading its settings",
        command: "cat phpunit.xml",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
