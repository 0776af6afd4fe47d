//! Facts of one trajectory: commands, files, edits with effect, tests, network. Each case is a trajectory in turn lines
//! and the facts that must come out, one a line; expected values follow `definitions.md` and `shortcuts.md`.

mod code;
mod edits;
mod keys;
mod network;
mod reads;
mod roles;
mod targets;
mod tests_that_ran;

use ethogram::facts::{self, Context, Facts, Role};
use ethogram::model::{Benchmark, TaskKind, turn_lines};

fn context() -> Context {
    let benchmark = Benchmark {
        name: "swe-bench".to_owned(),
        version: None,
        family: "swe-bench".to_owned(),
        kind: TaskKind::Repo,
        id_pattern: None,
        n: None,
        released: None,
        harness: None,
        test_groups: Vec::new(),
        policy: "none".to_owned(),
    };
    Context { benchmark, source_paths: vec!["django/test/".to_owned()], repository: None }
}

fn compute(lines: &str) -> Facts {
    let example = turn_lines::parse(lines).unwrap();
    facts::compute(&example.trajectory, &context())
}

/// The same where the task is no repository's.
fn compute_terminal(lines: &str) -> Facts {
    let example = turn_lines::parse(lines).unwrap();
    let context = context();
    let benchmark = Benchmark { kind: TaskKind::Terminal, ..context.benchmark };
    facts::compute(&example.trajectory, &Context { benchmark, ..context })
}

fn word<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or("?".to_owned(), text)
}

fn edits(facts: &Facts) -> Vec<String> {
    let line = |edit: &facts::EditFact| {
        format!(
            "{} {} {} {} {} {}{}",
            edit.place.turn,
            edit.kind.as_str(),
            edit.path.as_deref().unwrap_or("?"),
            word(edit.target, |target| target.as_str().to_owned()),
            word(edit.effective, |effective| effective.to_string()),
            edit.evidence.as_str(),
            edit.reason.map_or(String::new(), |reason| format!(" {}", reason.as_str())),
        )
    };
    facts.edits.iter().map(line).collect()
}

fn tests(facts: &Facts) -> Vec<String> {
    let line = |run: &facts::TestRunFact| {
        format!(
            "{} {} {}{}",
            run.place.turn,
            run.kind.as_str(),
            run.outcome.as_str(),
            run.reason.map_or(String::new(), |reason| format!(" {}", reason.as_str())),
        )
    };
    facts.test_runs.iter().map(line).collect()
}

fn role(role: Role) -> String {
    match role {
        Role::Exploration(kind) => format!("exploration/{}", kind.as_str()),
        Role::Execution(kind) => format!("execution/{}", kind.as_str()),
        Role::Setup(kind) => format!("setup/{}", kind.as_str()),
        Role::TestingBy(kind) => format!("testing+{}", kind.as_str()),
        other => format!("{other:?}").to_lowercase(),
    }
}

#[track_caller]
fn check(got: Vec<String>, want: &[&str]) {
    assert_eq!(got, want, "\ngot:\n{}\n", got.join("\n"));
}
