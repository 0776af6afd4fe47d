//! Exploration: reads or searches files, history or environment and changes nothing (`definitions.md` §3).

use super::row::units;
use super::source::at;
use super::{Example, Family, Tagged};
use crate::facts::{Context, ExplorationKind, Facts, Place, Role};
use crate::model::{Tag, TagName, Trajectory};

const fn tag(kind: ExplorationKind) -> Tag {
    Tag::kind(TagName::Exploration, kind.as_str())
}

/// Exploration.
pub const FAMILY: Family = Family {
    name: "exploration",
    version: 1,
    tags: &[
        (tag(ExplorationKind::Read), "reads a file or a part of it"),
        (tag(ExplorationKind::Search), "searches text, names or folders"),
        (tag(ExplorationKind::History), "reads the history of the repository"),
        (tag(ExplorationKind::Review), "looks at its own changes: a diff, or a file that it edited before"),
        (tag(ExplorationKind::Env), "asks for versions, packages, variables or the machine"),
        (tag(ExplorationKind::Web), "searches or fetches by a tool made for it"),
        (tag(ExplorationKind::Task), "reads the task again"),
    ],
    needs: &[],
    what: "Reading or searching without a change. A command that also writes explores nothing; a filter \
           behind a pipe takes the role of the command before it; a word in an echo, a pattern or a \
           here-document is no command.",
    why: "How much of a run is spent on finding out, and on what.",
    not_shown: "That what was read was understood or used.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for unit in units(trajectory, facts) {
        if let Role::Exploration(kind) = unit.role {
            let is_task = kind == ExplorationKind::Read && reads_task(facts, unit.place);
            let kind = if is_task { ExplorationKind::Task } else { kind };
            tagged.push(&FAMILY, tag(kind), unit.found());
        }
    }
}

/// Names under which harnesses leave the task for the agent to read.
const TASK_FILES: [&str; 8] = [
    "instruction.md",
    "instructions.md",
    "issue.md",
    "pr_description.md",
    "problem_statement.md",
    "problem_statement.txt",
    "task.md",
    "task.txt",
];

/// Reads the task statement, and nothing that this run wrote under such a name.
fn reads_task(facts: &Facts, place: Place) -> bool {
    let reads = at(&facts.reads, place, |read| read.place);
    reads.iter().filter(|read| !read.by_search).any(|read| {
        let name = read.path.rsplit('/').next().unwrap_or_default();
        TASK_FILES.iter().any(|file| file.eq_ignore_ascii_case(name)) && !facts.created.contains(&read.path)
    })
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "reads files and parts of files",
        log: r"
            run cat src/a.py -> 0: x = 1   #! exploration/read
            run sed -n '1,20p' src/a.py -> 0: x = 1   #! exploration/read
            run cd /testbed && head -5 setup.cfg -> 0: [tool]   #! exploration/read
            view src/a.py: 1-20 -> ok: x = 1   #! exploration/read
        ",
    },
    Example {
        name: "searches",
        log: r#"
            run grep -rn "def run" src | head -20 -> 0: src/a.py:3:def run():   #! exploration/search
            run find . -name "*.py" -> 0: ./a.py   #! exploration/search
            run ls -la src -> 0: a.py   #! exploration/search
            search src: def run -> ok: src/a.py   #! exploration/search
        "#,
    },
    Example {
        name: "history and review",
        log: r"
            run git log --oneline -5 -> 0: abc fix   #! exploration/history
            run git show HEAD~1:src/a.py -> 0: x = 1   #! exploration/history
            run git diff -> 0: diff --git a/src/a.py b/src/a.py   #! exploration/review
            run git status -> 0: nothing to commit   #! exploration/review
        ",
    },
    Example {
        name: "a file that it edited is reviewed, not read",
        log: r"
            edit src/a.py: x = 1 => x = 2 -> ok
            run cat src/a.py -> 0: x = 2   #! exploration/review
            run cat src/b.py -> 0: y = 1   #! exploration/read
            run grep -n x src/a.py -> 0: 1:x = 2   #! exploration/search
        ",
    },
    Example {
        name: "environment",
        log: r"
            run pip list -> 0: pytest 8.1   #! exploration/env
            run python --version -> 0: Python 3.11   #! exploration/env
            run which python -> 0: /usr/bin/python   #! exploration/env
        ",
    },
    Example {
        name: "the task again",
        log: r"
            run cat /app/task.md -> 0: Fix the crash.   #! exploration/task
            run cat docs/task_queue.md -> 0: Queues   #! exploration/read
        ",
    },
    Example { name: "web tools", log: "web how to parse a date -> ok: an answer   #! exploration/web\n" },
    Example {
        name: "near miss: a command that writes explores nothing",
        log: r#"
            run cat a.txt > b.txt -> 0:
            run echo "grep -rn foo src" -> 0: grep -rn foo src
            run cd src -> 0:
            run sed -i 's/a/b/' src/a.py -> 0:
            run find . -name "*.pyc" -delete -> 0:
        "#,
    },
    Example {
        name: "near miss: filters add no exploration to a test run",
        log: "run pytest -q | tail -20 -> 0: 3 passed in 0.1s\n",
    },
];
