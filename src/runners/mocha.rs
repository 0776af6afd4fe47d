//! mocha: `mocha`, `npx mocha`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{has, lines_with, number};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "mocha",
    about: "mocha: `mocha`, `npx mocha`",
    reads: "`5 passing (20ms)`, `1 pending`, `2 failing`, each on a line of its own.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-r",
    "--require",
    "-R",
    "--reporter",
    "-t",
    "--timeout",
    "-g",
    "--grep",
    "-f",
    "--fgrep",
    "-u",
    "--ui",
    "--config",
    "--opts",
    "--extension",
    "--retries",
    "--ignore",
    "-O",
    "-j",
    "--jobs",
    "--file",
    "--spec",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "mocha" | "_mocha" | "mocha.js" | "electron-mocha")
        || invoked.asks_for_help()
    {
        return None;
    }
    if invoked.has("--dry-run") {
        return invocation(Scope::Listing);
    }
    let filters = ["-g", "--grep", "-f", "--fgrep", "--spec"];
    suite_unless(invoked.has_option(&filters) || !invoked.positionals(WITH_VALUE).is_empty())
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let count = |word: &'static str| {
        let mut counts = lines_with(text, word).filter_map(|line| {
            let rest = line.trim();
            let after_number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_count = after_number.starts_with(word) && after_number.len() < rest.len();
            let tail = after_number.strip_prefix(word)?;
            number(rest).filter(|_| is_count && (tail.is_empty() || tail.starts_with(" (")))
        });
        counts.next().map(|first| first + counts.sum::<i64>())
    };
    let (passed, failed) = (count(" passing"), count(" failing"));
    if passed.or(failed).is_none() {
        return has(text, "Error: No test files found").then(|| Summary::word(TestOutcome::Error));
    }
    Some(Summary::counted(passed.unwrap_or(0), failed.unwrap_or(0), 0, count(" pending").unwrap_or(0)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "npx mocha test/a.js",
        exit: Some(0),
        output: "  parse\n    ✓ works\n\n  5 passing (20ms)\n  1 pending\n",
        want: "targeted pass 5/0/0/1",
    },
    Example {
        name: "fails",
        command: "mocha --reporter spec",
        exit: Some(2),
        output: "  3 passing (20ms)\n  2 failing\n\n  1) parse\n",
        want: "suite fail 3/2/0/0",
    },
    Example {
        name: "errs",
        command: "mocha",
        exit: Some(1),
        output: "Error: No test files found: \"test\"\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "near miss: its settings",
        command: "cat .mocharc.yml",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
