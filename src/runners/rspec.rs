//! RSpec: `rspec`, `bundle exec rspec`, `bin/rspec`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{before, lines_with, total};
use super::{Example, Invocation, Runner, Scope, Summary};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "rspec",
    about: "RSpec: `rspec`, `bundle exec rspec`, `bin/rspec`",
    reads: "`12 examples, 0 failures, 1 pending`, and errors outside of examples.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-e",
    "--example",
    "-t",
    "--tag",
    "-f",
    "--format",
    "-o",
    "--out",
    "-I",
    "-r",
    "--require",
    "--seed",
    "-P",
    "-O",
    "--order",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if !matches!(invoked.program, "rspec" | "parallel_rspec") || invoked.asks_for_help() {
        return None;
    }
    if invoked.has("--dry-run") {
        return invocation(Scope::Listing);
    }
    suite_unless(
        invoked.has_option(&["-e", "--example", "-t", "--tag"])
            || !invoked.positionals(WITH_VALUE).is_empty(),
    )
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    total(lines_with(text, " failure").filter_map(|line| {
        let run = before(line, " examples, ").or_else(|| before(line, " example, "))?;
        let (failed, skipped) = (before(line, " failure")?, before(line, " pending").unwrap_or(0));
        let errors =
            before(line, " error occurred").or_else(|| before(line, " errors occurred")).unwrap_or(0);
        Some(Summary::counted(run - failed - skipped, failed, errors, skipped))
    }))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "bundle exec rspec",
        exit: Some(0),
        output: "..........*.\n\nFinished in 0.1 seconds\n12 examples, 0 failures, 1 pending\n",
        want: "suite pass 11/0/0/1",
    },
    Example {
        name: "fails",
        command: "rspec spec/a_spec.rb:12",
        exit: Some(1),
        output: "1 example, 1 failure\n\nFailed examples:\n",
        want: "targeted fail 0/1/0/0",
    },
    Example {
        name: "errs: outside of examples",
        command: "bin/rspec",
        exit: Some(1),
        output: "LoadError: cannot load such file\n0 examples, 0 failures, 1 error occurred outside of examples\n",
        want: "suite error 0/0/1/0",
    },
    Example {
        name: "near miss: making its settings",
        command: "cat .rspec",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
