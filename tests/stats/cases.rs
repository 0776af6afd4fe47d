//! The cases of `command: stats` of the shared folder: small calls whose answer a public bug report got wrong.

use serde_json::Value;

use super::dispatch::{Call, call};
use super::vectors::differs;

fn value_of(one: &Value) -> Value {
    match call(one["fn"].as_str().unwrap(), &one["args"]) {
        Call::Done(value) => value,
        Call::Unknown => panic!("no function {}", one["fn"]),
    }
}

#[test]
fn every_pure_case_holds() {
    let Some(folder) = crate::support::shared("cases/stats") else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let case = entry.unwrap().path();
        let read = |name: &str| -> Value {
            serde_json::from_str(&std::fs::read_to_string(case.join(name)).unwrap()).unwrap()
        };
        let expected = read("expected.json");
        if expected["command"] != "stats" {
            continue;
        }
        let calls = read("input/call.json");
        let got = match calls.as_array() {
            Some(list) => list.iter().map(value_of).collect(),
            None => value_of(&calls),
        };
        let wrong = differs(&got, &expected["want"]["value"], 1e-15, 1e-9);
        assert!(wrong.is_none(), "{}: {}", case.display(), wrong.unwrap());
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} cases of command stats");
}
