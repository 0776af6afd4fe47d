//! Execution: runs code that is none of the other: builds, servers, the project's own command (`definitions.md` §3).

use super::row::units;
use super::{Example, Family, Tagged};
use crate::facts::{Context, ExecutionKind, Facts, Role};
use crate::model::{Tag, TagName, Trajectory};

const fn tag(kind: ExecutionKind) -> Tag {
    Tag::kind(TagName::Execution, kind.as_str())
}

/// Execution.
pub const FAMILY: Family = Family {
    name: "execution",
    version: 1,
    tags: &[
        (tag(ExecutionKind::Build), "builds, compiles, or checks syntax, style or types"),
        (tag(ExecutionKind::Run), "runs a program: the project's own, or a data script"),
        (tag(ExecutionKind::Service), "starts or stops a server"),
    ],
    needs: &[],
    what: "Running code that is neither a test nor an edit: builds, syntax and style checks, servers, the \
           project's own command, data scripts. Compiling one's own program and running it to see whether \
           it works is execution and testing.",
    why: "What is run beside tests: a run that neither tests nor executes has not seen its work at work.",
    not_shown: "What came of it, and whether anybody looked.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for unit in units(trajectory, facts) {
        if let Role::Execution(kind) | Role::TestingBy(kind) = unit.role {
            tagged.push(&FAMILY, tag(kind), unit.found());
        }
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "builds and checks",
        log: r"
            run make -> 0: cc -o a a.c   #! execution/build
            run mvn -q compile -> 0:   #! execution/build
            run python -m py_compile src/a.py -> 0:   #! execution/build
            run javac Reproduce.java -> 127: bash: javac: command not found   #! execution/build
        ",
    },
    Example {
        name: "programs and servers",
        log: r"
            run java -jar app.jar --convert in.txt -> 0: done   #! execution/run
            run python -m http.server 8000 & -> 0:   #! execution/service
        ",
    },
    Example {
        name: "near miss: tests, reading and setting up",
        log: r"
            run pytest -q -> 0: 3 passed in 0.1s
            run cat Makefile -> 0: all: a
            run pip install -e . -> 0: Successfully installed a
            run git commit -m 'make it' -> 0: 1 file changed
        ",
    },
];
