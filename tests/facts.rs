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

// The vectors of network access (`vectors/shortcuts.json`): segments labelled by hand.

#[test]
fn network_facts_agree_with_the_labelled_vectors() {
    let Some(path) = crate::support::shared("vectors/shortcuts.json") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for vector in vectors["vectors"].as_array().unwrap() {
        let Some(trajectory) = of_vector(vector) else { continue };
        let repository = vector["context"]["repo"].as_str().map(str::to_owned);
        let facts = facts::compute(&trajectory, &Context { repository, ..context() });
        let got = most_telling(&facts);
        let want = &vector["expect"]["network"];
        let want = (want["attempt"].as_bool() == Some(true), want["kind"].as_str(), want["result"].as_str());
        compared += 1;
        if got != want {
            wrong.push(format!("{}: want {want:?}, got {got:?}", vector["id"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(compared, 187);
}

/// The network fact of a turn: the kind that tells most.
fn most_telling(facts: &Facts) -> (bool, Option<&'static str>, Option<&'static str>) {
    let telling = facts.network.iter().min_by_key(|fact| fact.host_kind);
    match telling {
        Some(fact) => (fact.attempt, Some(fact.host_kind.as_str()), Some(fact.result.as_str())),
        None => (false, None, None),
    }
}

/// The turn of a vector, and before it a turn that wrote the files that its context names.
fn of_vector(vector: &serde_json::Value) -> Option<ethogram::model::Trajectory> {
    use ethogram::model::{Call, CallKind, ObservationState, Operation, Trajectory, Turn};
    let mut trajectory = Trajectory::new("vector", "vector");
    let mut add = |mut call: Call| {
        call.cwd = vector["context"]["workspace"].as_str().map(str::to_owned);
        let mut turn = Turn::new("");
        turn.calls.push(call);
        trajectory.turns.push(turn);
    };
    for (path, body) in vector["context"]["written_files"].as_object().into_iter().flatten() {
        let mut call = Call::new("editor", CallKind::Tool, "");
        call.operation =
            Some(Operation::Create { path: path.clone(), text: body.as_str().map(str::to_owned) });
        call.is_error = Some(false);
        call.observation = Some("ok".to_owned());
        call.observation_state = ObservationState::Full;
        add(call);
    }
    let input = &vector["input"];
    let mut call = match vector["kind"].as_str()? {
        "command" => Call::new("bash", CallKind::Shell, input["command"].as_str()?),
        "inline" => {
            let code = input["code"].as_str()?;
            Call::new("bash", CallKind::Shell, format!("python - <<'END_OF_CODE'\n{code}\nEND_OF_CODE"))
        }
        "tool" => {
            let mut call = Call::new(input["name"].as_str()?, CallKind::Tool, input["args"].to_string());
            let arguments = &input["args"];
            let target = arguments["url"].as_str().or(arguments["query"].as_str());
            // A tool with an address or a query; a search in files has neither.
            call.operation = target.map(|target| Operation::Web { target: Some(target.to_owned()) });
            call
        }
        "edit" => {
            let mut call = Call::new("edit", CallKind::Tool, "");
            call.operation = Some(Operation::Replace {
                path: input["path"].as_str().map(str::to_owned),
                old: input["old"].as_str().map(str::to_owned),
                new: input["new"].as_str().map(str::to_owned),
            });
            call
        }
        _ => return None,
    };
    call.observation = vector["observation"].as_str().map(str::to_owned);
    if call.observation.is_some() {
        call.observation_state = ObservationState::Full;
    }
    add(call);
    Some(trajectory)
}
