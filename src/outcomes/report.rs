//! `report.json` of the SWE-bench harness: one instance, with the result of every test. Two shapes: the object
//! under its id, and the inner object alone (leaderboard copies), whose id is the folder's name.
//!
//! Says   resolved, whether the patch applied, FAIL_TO_PASS and PASS_TO_PASS test by test.

use serde_json::{Map, Value};

use super::outcome_file::{OutcomeFile, Rank};
use super::{Head, OutcomeShape, instance_id, lists};
use crate::model::outcome::{GraderTest, TestCounts};
use crate::model::{FailedReason, Problem, TestStatus, UnscoredReason, Verdict, Weight};

/// The shape.
pub const SHAPE: OutcomeShape = OutcomeShape {
    name: "report",
    about: "report.json of the SWE-bench harness: one instance, test by test",
    sniff,
    read,
};

/// Keys that only a report has.
const TELLING: [&str; 4] = ["patch_is_None", "patch_exists", "patch_successfully_applied", "tests_status"];

/// Groups of tests in the order in which they are stored.
const GROUPS: [&str; 4] = ["FAIL_TO_PASS", "PASS_TO_PASS", "FAIL_TO_FAIL", "PASS_TO_FAIL"];

fn sniff(head: &Head) -> bool {
    let bare = TELLING.iter().any(|key| head.json.has(key));
    let first = head.json.entries.first();
    let by_id = first.is_some_and(|entry| entry.inner.iter().any(|(key, _)| TELLING.contains(key)));
    !head.json.is_list && (bare || by_id)
}

fn read(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, SHAPE.name, Rank::PerInstance);
    let object = lists::object(&mut file, bytes);
    if !TELLING.iter().any(|key| object.contains_key(*key)) {
        for (id, report) in object.iter().filter_map(|(id, report)| Some((id, report.as_object()?))) {
            file.claim(id, verdict(report), true);
        }
        return file;
    }
    match instance_id::folder_of(path) {
        Some(id) => file.claim(id, verdict(&object), true),
        None => file.problem(Problem::new(
            Weight::Refused,
            "",
            "a report without an id outside a folder named after its instance: its verdict is lost",
        )),
    }
    file
}

fn verdict(report: &Map<String, Value>) -> Verdict {
    let flag = |key: &str| report.get(key).and_then(Value::as_bool);
    let nothing_handed_in = flag("patch_is_None") == Some(true) || flag("patch_exists") == Some(false);
    let bare = match flag("resolved") {
        Some(false) if nothing_handed_in => Verdict::failed(FailedReason::EmptyPatch),
        Some(resolved) => Verdict::scored(resolved),
        None => Verdict::unscored(UnscoredReason::Null),
    };
    let tests = report.get("tests_status").and_then(Value::as_object).map(tests).unwrap_or_default();
    Verdict {
        applied: flag("patch_successfully_applied"),
        counts: (!tests.is_empty()).then(|| counts(&tests)),
        tests,
        ..bare
    }
}

/// Tests by group, passed ones first, each in the order of the file.
fn tests(status: &Map<String, Value>) -> Vec<GraderTest> {
    let mut tests = Vec::new();
    for group in GROUPS {
        let Some(results) = status.get(group).and_then(Value::as_object) else {
            continue;
        };
        for (key, status) in [("success", TestStatus::Passed), ("failure", TestStatus::Failed)] {
            let names = results.get(key).and_then(Value::as_array).into_iter().flatten();
            tests.extend(names.filter_map(Value::as_str).map(|name| GraderTest {
                group: group.to_owned(),
                name: name.to_owned(),
                status,
            }));
        }
    }
    tests
}

fn counts(tests: &[GraderTest]) -> TestCounts {
    let count = |group: &str, passed: Option<TestStatus>| {
        let matching = tests.iter().filter(|test| test.group == group);
        matching.filter(|test| passed.is_none_or(|status| test.status == status)).count() as i64
    };
    TestCounts {
        f2p_passed: count("FAIL_TO_PASS", Some(TestStatus::Passed)),
        f2p_total: count("FAIL_TO_PASS", None),
        p2p_passed: count("PASS_TO_PASS", Some(TestStatus::Passed)),
        p2p_total: count("PASS_TO_PASS", None),
    }
}
