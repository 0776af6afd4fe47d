//! Network: attempts, kinds of host and results, against segments labelled by hand (`vectors/shortcuts.json`).

use ethogram::data::hosts::{self, HostClass};
use ethogram::facts::{self, Context, Facts};

use super::context;

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

#[test]
fn a_host_is_known_by_its_labels() {
    let class = |host: &str| hosts::class(host);
    // Mirrors match as the registry does; no full name of one stands here.
    assert_eq!(class(&["files", "pythonhosted", "org"].join(".")), Some(HostClass::PackageRegistry));
    assert_eq!(class("pypi.mirror.campus.example"), Some(HostClass::PackageRegistry));
    assert_eq!(class("notpypi.example"), None);
    assert_eq!(class("raw.githubusercontent.com"), Some(HostClass::CodeHost));
    assert_eq!(class("notgithub.com"), None);
    assert_eq!(class("www.google.co.uk"), Some(HostClass::Search));
    assert_eq!(class("maps.google.com"), None);
    assert_eq!(class("docs.python.org"), Some(HostClass::Docs));
    assert_eq!(class("docs"), None);
    assert_eq!(
        hosts::rows(),
        include_str!("../../src/data/hosts.csv").lines().count() - 1,
        "every row is read"
    );
}

#[test]
fn words_about_the_network_are_no_attempt() {
    let facts = super::compute(
        r#"
run echo "run pip install x and curl https://example.org" -> 0: run
run grep -rn "curl https://" docs -> 0: docs/a.md:1:curl https://example.org
run cat > run.sh <<'EOF'\ncurl https://example.org/x\nEOF -> 0:
run git commit -qm 'fetch https://example.org' -> 0:
run pip install --no-index x.whl -> 0:
run bash run.sh -> 0: hello
"#,
    );
    let turns: Vec<(usize, bool)> =
        facts.network.iter().map(|fact| (fact.place.turn, fact.attempt)).collect();
    assert_eq!(turns, [(5, true)], "the script's request belongs to the turn that runs it");
}
