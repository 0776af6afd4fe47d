//! Facts of one trajectory: commands, files, edits with effect, tests, network. Each case is a trajectory in turn lines
//! and the facts that must come out, one a line; expected values follow `definitions.md` and `shortcuts.md`.

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
        policy: "none".to_owned(),
    };
    Context { benchmark, source_paths: vec!["django/test/".to_owned()], repository: None }
}

fn compute(lines: &str) -> Facts {
    let example = turn_lines::parse(lines).unwrap();
    facts::compute(&example.trajectory, &context())
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

fn roles(facts: &Facts) -> Vec<String> {
    facts.segments.iter().map(|segment| format!("{} {}", segment.place.turn, role(segment.role))).collect()
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

#[test]
fn edits_of_a_shell_have_kind_target_and_effect() {
    let facts = compute(
        r"
@ root /testbed
run cat > repro.py <<'EOF'\nprint(1)\nEOF -> 0:
run sed -i 's/a/b/' src/a.py -> 0:
run cat <<'EOF' >> docs/x.rst\nmore\nEOF -> 0:
run sed -i 's/a/b/' src/none.py -> 2: sed: can't read src/none.py: No such file or directory
run rm repro.py -> 0:
run git checkout -- src/a.py -> 0: Updated 1 path from the index
run pytest -q > out.log -> 0: 
",
    );
    check(
        edits(&facts),
        &[
            "0 create repro.py scratch true exit",
            "1 replace src/a.py source true silent",
            "2 append docs/x.rst docs true exit",
            "3 replace src/none.py source false stated no_file",
            "4 delete repro.py scratch true exit",
            "5 revert src/a.py source true stated",
        ],
    );
    assert!(facts.edits[1].reverted_later, "the checkout takes the sed back");
}
