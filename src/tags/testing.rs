//! Testing: runs something in order to learn whether behaviour is right (`definitions.md` §3, §4). Outcome and counts
//! stand with the test runs.

use super::row::Found;
use super::{Example, Family, Tagged};
use crate::facts::{Context, Facts, TestKind};
use crate::model::{Tag, TagName, Trajectory};

const fn tag(kind: TestKind) -> Tag {
    Tag::kind(TagName::Testing, kind.as_str())
}

/// Testing.
pub const FAMILY: Family = Family {
    name: "testing",
    version: 1,
    tags: &[
        (tag(TestKind::Suite), "a test runner over a project's tests"),
        (tag(TestKind::Targeted), "a test runner with a given path, label or id"),
        (tag(TestKind::Repro), "a script that this run wrote, or that is named as a reproduction"),
        (
            tag(TestKind::Inline),
            "inline code that imports or runs the project and asserts or prints a result",
        ),
    ],
    needs: &[],
    what: "Running something in order to learn whether behaviour is right. A try counts even where the \
           runner is missing; the behaviours ask for runs that ran.",
    why: "Whether a run checks its work, and what came out: the outcome (pass, fail, error, not run, \
          unknown) stands in the table `test_runs`.",
    not_shown: "That the test covers the task: a script may test its author's own belief.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, _: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for run in &facts.test_runs {
        tagged.push(&FAMILY, tag(run.kind), Found::at(run.place, run.span));
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "suites and given tests",
        log: r"
            run pytest -q -> 0: 3 passed in 0.1s   #! testing/suite
            run python -m pytest tests/test_a.py -x | tail -5 -> 1: 1 failed in 0.1s   #! testing/targeted
            run cd /testbed && ./tests/runtests.py admin_views -> 0: Ran 9 tests in 1.0s\n\nOK   #! testing/targeted
            run mvn -q test -> 0: Tests run: 3, Failures: 0, Errors: 0, Skipped: 0   #! testing/suite
        ",
    },
    Example {
        name: "a runner whose name is a builtin's",
        log: r"
            run bin/test sympy/core -> 0: tests finished: 3 passed, in 0.1 seconds   #! testing/targeted
            run test -f bin/test -> 0:
        ",
    },
    Example {
        name: "a missing runner is a try",
        log: "run pytest -q -> 127: bash: pytest: command not found   #! testing/suite\n",
    },
    Example {
        name: "its own script and inline code",
        log: r#"
            create reproduce.py: import a\nassert a.f() == 1 -> ok
            run python reproduce.py -> 1: AssertionError   #! testing/repro
            run python -c "import a; assert a.f() == 1; print('ok')" -> 0: ok   #! testing/inline
        "#,
    },
    Example {
        name: "near miss: a word is no test",
        log: r#"
            run cat pytest.ini -> 0: [pytest]
            run grep -rn pytest . -> 0: setup.cfg:3:pytest
            run pip install pytest -> 0: Successfully installed pytest-8.1
            run pytest --version -> 0: pytest 8.1
            run echo "now run pytest" -> 0: now run pytest
            run git commit -m "make pytest pass" -> 0: 1 file changed
            run cat test.log -> 0: ===== 3 passed in 0.1s =====
            run python -m py_compile src/a.py -> 0:
        "#,
    },
];
