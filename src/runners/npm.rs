//! Package scripts that test: `npm test`, `yarn test`, `pnpm run test:unit`, `bun test`, `composer test`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::has;
use super::{Example, Invocation, Runner, Summary, TestOutcome, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "npm",
    about: "Package scripts that test: `npm test`, `yarn test`, `pnpm run test:unit`, `bun test`, \
            `composer test`",
    reads: "the summary of the runner inside. A script that is not there did not run (`missing`).",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &["--prefix", "-w", "--workspace", "-C", "--dir", "--cwd", "--filter", "-F"];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "npm" | "yarn" | "pnpm" | "bun" | "composer" | "lerna" | "turbo") {
        return None;
    }
    let words = invoked.positionals(WITH_VALUE);
    let skipped = usize::from(matches!(words.first(), Some(&("run" | "run-script" | "workspaces"))));
    let script = *words.get(skipped)?;
    let is_short = skipped == 0 && matches!(script, "t" | "tst") && invoked.program != "composer";
    if !(is_short || is_test_script(script)) || invoked.asks_for_help() {
        return None;
    }
    let filters = ["-t", "--testNamePattern", "--grep", "-g", "--filter", "-w", "--workspace"];
    let named = words[skipped + 1..].iter().any(|word| !word.starts_with('-'));
    suite_unless(named || invoked.arguments.iter().any(|word| filters.contains(&word.text.as_str())))
}

/// `test`, `tests`, `test:unit`, `unit-test`; a linter or a build of tests is none.
fn is_test_script(script: &str) -> bool {
    let is_test = matches!(script, "test" | "tests" | "jest" | "vitest" | "mocha" | "spec")
        || ["test:", "test-", "test_"].iter().any(|start| script.starts_with(start))
        || [":test", "-test", ":tests"].iter().any(|end| script.ends_with(end));
    let builds = ["lint", "build", "types", "format", "tsc", "compile", "coverage-report"];
    is_test && !builds.iter().any(|word| script.contains(word))
}

fn read(text: &str) -> Option<Summary> {
    any::read(text).or_else(|| {
        let is_bun = text
            .lines()
            .rev()
            .take(8)
            .any(|line| line.trim_start().starts_with("Ran ") && line.contains(" test"));
        // The script that `npm init` writes tests nothing and says so.
        if has(text, "no test specified") {
            Some(Summary::word(TestOutcome::Error))
        } else if is_bun {
            bun(text)
        } else {
            None
        }
    })
}

/// bun writes ` 5 pass`, ` 1 fail`, ` 2 skip` and `Ran 8 tests across 1 file.`
fn bun(text: &str) -> Option<Summary> {
    let count = |word: &'static str| {
        super::counts::lines_with(text, word).find_map(|line| {
            line.trim_end().strip_suffix(word).and_then(|number| number.trim().parse::<i64>().ok())
        })
    };
    Some(Summary::counted(count(" pass")?, count(" fail")?, 0, count(" skip").unwrap_or(0)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "npm test",
        exit: Some(0),
        output: "> w@1.0.0 test\n> jest\n\nTests:       2 passed, 2 total\n",
        want: "suite pass 2/0/0/0",
    },
    Example {
        name: "fails",
        command: "npm run test:unit -- src/a.test.js",
        exit: Some(1),
        output: "  3 passing (20ms)\n  2 failing\n",
        want: "targeted fail 3/2/0/0",
    },
    Example {
        name: "errs: no tests",
        command: "npm test",
        exit: Some(1),
        output: "> echo \"Error: no test specified\" && exit 1\n\nError: no test specified\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "missing: no such script",
        command: "npm test",
        exit: Some(1),
        output: "npm error Missing script: \"test\"\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example {
        name: "passes in bun",
        command: "bun test",
        exit: Some(0),
        output: "bun test v1.1\n\n 5 pass\n 0 fail\nRan 5 tests across 1 file. [9.00ms]\n",
        want: "suite pass 5/0/0/0",
    },
    Example {
        name: "missing",
        command: "yarn test",
        exit: Some(127),
        output: "sh: 1: yarn: not found\n",
        want: "suite not_run:missing -/-/-/-",
    },
    Example { name: "near miss: a build", command: "npm run build", exit: Some(0), output: "", want: "none" },
    Example { name: "near miss: a linter", command: "yarn lint", exit: Some(0), output: "", want: "none" },
];
