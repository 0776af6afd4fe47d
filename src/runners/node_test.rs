//! Node's own runner: `node --test`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::{after, lines_with};
use super::{Example, Invocation, Runner, Summary};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "node_test",
    about: "Node's own runner: `node --test`",
    reads: "`# pass 4`, `# fail 1` of its TAP form and `ℹ pass 4` of its spec form.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let runs = matches!(invoked.program, "node" | "nodejs" | "tsx") && invoked.has("--test");
    let with_value = ["--import", "--require", "-r", "--loader", "--test-name-pattern", "--test-reporter"];
    runs.then(|| {
        suite_unless(
            !invoked.positionals(&with_value).is_empty() || invoked.has_option(&["--test-name-pattern"]),
        )
    })?
}

/// The summary of an output.
pub fn read(text: &str) -> Option<Summary> {
    let count = |word: &str| {
        [format!("# {word} "), format!("ℹ {word} ")].iter().find_map(|needle| {
            lines_with(text, needle)
                .filter(|line| line.starts_with(needle.as_str()))
                .last()
                .and_then(|line| after(line, needle))
        })
    };
    let (passed, failed) = (count("pass")?, count("fail")?);
    let skipped = count("skipped").unwrap_or(0) + count("todo").unwrap_or(0);
    Some(Summary::counted(passed, failed + count("cancelled").unwrap_or(0), 0, skipped))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes",
        command: "node --test",
        exit: Some(0),
        output: "ok 1 - works\n1..1\n# tests 4\n# pass 4\n# fail 0\n# cancelled 0\n# skipped 0\n",
        want: "suite pass 4/0/0/0",
    },
    Example {
        name: "fails",
        command: "node --test test/a.js",
        exit: Some(1),
        output: "ℹ tests 5\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\n",
        want: "targeted fail 3/1/0/1",
    },
    Example {
        name: "errs: nothing ran",
        command: "node --test test/none.js",
        exit: Some(0),
        output: "# tests 0\n# pass 0\n# fail 0\n",
        want: "targeted error 0/0/0/0",
    },
    Example { name: "near miss: a script", command: "node test.js", exit: Some(0), output: "", want: "none" },
];
