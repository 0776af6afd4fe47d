//! minitest and test-unit: `rails test`, `rake test`, `ruby -Itest test/a_test.rb`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{before, lines_with, total};
use super::{Example, Invocation, Runner, Summary, any};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "minitest",
    about: "minitest and test-unit: `rails test`, `rake test`, `ruby -Itest test/a_test.rb`",
    reads: "`10 runs, 20 assertions, 1 failures, 0 errors, 0 skips` and test-unit's `10 tests, …`.",
    recognises,
    read: read_project,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.asks_for_help() {
        return None;
    }
    match invoked.program {
        "rails" => {
            let run = invoked.below("test").or_else(|| invoked.below("t"))?;
            suite_unless(
                !run.positionals(&["-n", "--name", "-s", "--seed", "-e"]).is_empty()
                    || run.has_option(&["-n", "--name"]),
            )
        }
        "rake" => {
            let tasks = invoked.positionals(&["-f", "-C", "-I", "-r"]);
            let is_test = |task: &&str| {
                matches!(*task, "test" | "spec") || task.starts_with("test:") || task.starts_with("spec:")
            };
            let names = tasks.iter().any(|task| task.starts_with("TEST=") || task.contains(':'));
            tasks.iter().any(is_test).then(|| suite_unless(names))?
        }
        // A test file of the project, run by itself.
        name if segment.program == "ruby" && name.ends_with(".rb") => {
            let stem = name.trim_end_matches(".rb");
            let in_tests = invoked.path.contains("test/") || invoked.path.contains("tests/");
            let is_test = in_tests && (stem.ends_with("_test") || stem.starts_with("test_"));
            is_test.then(|| suite_unless(true))?
        }
        _ => None,
    }
}

fn read_project(text: &str) -> Option<Summary> {
    read(text).or_else(|| any::distinct(text))
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    total(lines_with(text, " assertions, ").filter_map(|line| {
        let run = before(line, " runs, ").or_else(|| before(line, " tests, "))?;
        let (failed, errors) = (before(line, " failures")?, before(line, " errors")?);
        let count = |word: &str| before(line, word).unwrap_or(0);
        let skipped = count(" skips") + count(" pendings") + count(" omissions");
        Some(Summary::counted(run - failed - errors - skipped, failed, errors, skipped))
    }))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "bin/rails test",
        exit: Some(0),
        output: "10 runs, 20 assertions, 0 failures, 0 errors, 1 skips\n",
        want: "suite pass 9/0/0/1",
    },
    Example {
        name: "fails",
        command: "ruby -Itest test/a_test.rb",
        exit: Some(1),
        output: "10 tests, 20 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n",
        want: "targeted fail 9/1/0/0",
    },
    Example {
        name: "errs",
        command: "bundle exec rake test",
        exit: Some(1),
        output: "1 runs, 0 assertions, 0 failures, 1 errors, 0 skips\n",
        want: "suite error 0/0/1/0",
    },
    Example {
        name: "near miss: a script",
        command: "ruby lib/a.rb",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: a migration",
        command: "bin/rails db:migrate",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
