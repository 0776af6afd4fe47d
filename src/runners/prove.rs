//! prove: Perl's runner, `prove -r t`.

use crate::shell::Segment;

use super::command::{Invoked, invocation, suite_unless};
use super::counts::{after, has, lines_with};
use super::{Example, Invocation, Runner, Scope, Summary, TestOutcome};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "prove",
    about: "prove: Perl's runner, `prove -r t`",
    reads: "`Files=3, Tests=12` with `Result: PASS`, and `Failed 2/12 subtests`.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    if invoked.program != "prove" || invoked.asks_for_help() {
        return None;
    }
    if invoked.has("--dry") || invoked.has("-D") {
        return invocation(Scope::Listing);
    }
    suite_unless(
        !invoked.positionals(&["-I", "-j", "--jobs", "-e", "--exec", "--ext", "--state", "-a"]).is_empty(),
    )
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let result =
        lines_with(text, "Result: ").filter_map(|line| line.trim_end().strip_prefix("Result: ")).last()?;
    let run = lines_with(text, "Tests=")
        .filter(|line| line.starts_with("Files="))
        .find_map(|line| after(line, "Tests="));
    match result {
        "PASS" => Some(run.map_or(Summary::word(TestOutcome::Pass), |run| Summary::counted(run, 0, 0, 0))),
        "FAIL" => Some(failed(text, run)),
        "NOTESTS" => Some(Summary::word(TestOutcome::Error)),
        _ => None,
    }
}

/// A file that dies before its plan fails no subtest: an error.
fn failed(text: &str, run: Option<i64>) -> Summary {
    let subtests = lines_with(text, " subtests failed").filter_map(|line| after(line, "programs. ")).last();
    let dies = has(text, "No plan found in TAP output") || has(text, "No subtests run");
    match (subtests, run) {
        (Some(0), Some(run)) if dies => {
            Summary { word: Some(TestOutcome::Error), ..Summary::counted(run, 0, 0, 0) }
        }
        (Some(failed), Some(run)) if failed > 0 => Summary::counted(run - failed, failed, 0, 0),
        _ => Summary::word(TestOutcome::Fail),
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "prove -lr t",
        exit: Some(0),
        output: "All tests successful.\nFiles=3, Tests=12,  0 wallclock secs\nResult: PASS\n",
        want: "targeted pass 12/0/0/0",
    },
    Example {
        name: "fails",
        command: "prove",
        exit: Some(1),
        output: "Failed 1/3 test programs. 2/12 subtests failed.\nFiles=3, Tests=12,  0 wallclock secs\nResult: FAIL\n",
        want: "suite fail 10/2/0/0",
    },
    Example {
        name: "errs: nothing ran",
        command: "prove t/none.t",
        exit: Some(0),
        output: "Files=0, Tests=0,  0 wallclock secs\nResult: NOTESTS\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: its version",
        command: "prove --version",
        exit: Some(0),
        output: "",
        want: "none",
    },
];
