//! The report folder: which files, equal bytes, what is removed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ethogram::report::{Format, write};

use super::HOSTILE;
use super::study::{java, named_java};

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_report_is_whole_and_equal_for_equal_inputs() {
    let study = java();
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let written = write(&study.report(), one.path(), &Format::ALL).unwrap();
    write(&study.report(), two.path(), &Format::ALL).unwrap();
    let (first, second) = (files(one.path()), files(two.path()));
    assert_eq!(first.keys().collect::<Vec<_>>(), written.files.iter().collect::<Vec<_>>());
    assert!(first == second, "equal inputs give equal bytes");
    let pair = "gpt-4o-2024-05-13-deepseek-chat-v2";
    for name in [
        "index.html",
        "report.md",
        "pairs.csv",
        "left_out.csv",
        "study.json",
        "tables/T1.csv",
        "tables/T14.md",
    ] {
        assert!(first.contains_key(name), "{name} in {:?}", first.keys());
    }
    for kind in ["md", "csv", "json"] {
        assert!(first.contains_key(&format!("tables/T5.{pair}.{kind}")), "{:?}", first.keys());
    }
    for kind in ["svg", "png"] {
        assert!(first.contains_key(&format!("charts/forest.{pair}.{kind}")), "{:?}", first.keys());
    }
    assert!(first[&format!("charts/forest.{pair}.png")].starts_with(b"\x89PNG"));
}

#[test]
fn pairs_and_left_out_name_everything() {
    let study = java();
    let folder = tempfile::tempdir().unwrap();
    write(&study.report(), folder.path(), &[Format::Md]).unwrap();
    let pairs = fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert_eq!(pairs.lines().count(), 1 + 91);
    assert_eq!(pairs.matches(",trained_only,").count(), 2);
    assert_eq!(pairs.matches(",one_unscored,").count(), 5);
    let left_out = fs::read_to_string(folder.path().join("left_out.csv")).unwrap();
    assert_eq!(
        left_out,
        "weight,arm,file,place,what,n\n\
         refused,gpt-4o-2024-05-13,runs/a/broken.traj,byte 12,the file ends in the middle of a record,1\n\
         note,gpt-4o-2024-05-13,,,no format claims files that end in .patch,3\n\
         note,gpt-4o-2024-05-13,,,superseded on swe-bench-java: the trajectory is no run of its own,1\n"
    );
}

#[test]
fn the_report_says_first_what_came_out_and_before_the_results_what_is_missing() {
    let study = java();
    let folder = tempfile::tempdir().unwrap();
    write(&study.report(), folder.path(), &[Format::Md]).unwrap();
    let report = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert_eq!(report.lines().next().unwrap(), study.verdict());
    let place = |words: &str| report.find(words).unwrap_or_else(|| panic!("{words} in\n{report}"));
    assert!(place("differ in unscored runs: 5 of 89 against 0 of 91") < place("## T1"));
    assert!(
        place("91 instances: 84 scored in both arms, 5 unscored on a side, 2 in one arm only")
            < place("## T1")
    );
    assert!(
        place("only in deepseek-chat-v2 (2): fasterxml__jackson-databind-1, fasterxml__jackson-databind-2")
            < place("## T1")
    );
    assert!(place("## T1") < place("## T5") && place("## T5") < place("## funnel"));
    assert!(place("## funnel") < place("## T4") && place("## T4") < place("## T14"));
    assert!(place("## T14") < place("## Methods") && place("## Methods") < place("## Inputs"));
}

#[test]
fn study_json_is_enough_to_repeat() {
    let study = java();
    let folder = tempfile::tempdir().unwrap();
    write(&study.report(), folder.path(), &[Format::Json]).unwrap();
    let value: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("study.json")).unwrap()).unwrap();
    assert_eq!(value["seed"], 7);
    assert_eq!(value["inputs"].as_array().unwrap().len(), 180);
    assert_eq!(value["inputs"][0]["blake3"], "00112233445566778899aabbccddeeff");
    assert_eq!(value["rules"]["testing"], 2);
    assert_eq!(value["arms"][1]["role"], "trained");
    let summary: serde_json::Value =
        serde_json::from_str(&ethogram::report::summary_json(&study.report())).unwrap();
    assert_eq!(summary["comparisons"][0]["resolved"]["only_trained"], 6);
    let p = summary["comparisons"][0]["resolved"]["p"].as_f64().unwrap();
    assert!((p - 260.0 / 512.0).abs() < 1e-12, "{p}");
    assert_eq!(summary["headline"][0], study.verdict());
    assert_eq!(summary["T5"][0]["rows"][0]["row"], "resolved");
    assert_eq!(summary["coverage"][0]["unscored"][0]["runs"], 5);
}

#[test]
fn a_second_report_removes_its_own_old_files_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let formats = [Format::Html, Format::Md, Format::Csv];
    write(&java().report(), folder.path(), &formats).unwrap();
    let mine = folder.path().join("tables/T5.notes.csv");
    fs::write(&mine, "mine").unwrap();
    let outside = folder.path().parent().unwrap().join(format!("outside-{}.csv", std::process::id()));
    fs::write(&outside, "x").unwrap();
    let other = named_java("a", "b", "x__y", "other");
    write(&other.report(), folder.path(), &[Format::Csv]).unwrap();
    let found = files(folder.path());
    assert!(found.contains_key("tables/T5.a-b.csv"));
    assert!(
        !found.contains_key("tables/T5.gpt-4o-2024-05-13-deepseek-chat-v2.csv"),
        "an old table of this format is gone"
    );
    assert!(
        found.contains_key("tables/T5.gpt-4o-2024-05-13-deepseek-chat-v2.md"),
        "another format was not asked for"
    );
    assert!(found.contains_key("index.html") && mine.exists() && outside.exists());
    fs::remove_file(outside).unwrap();
}

#[test]
fn a_list_that_was_tampered_with_removes_nothing_outside() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("report");
    fs::create_dir(&folder).unwrap();
    fs::write(root.path().join("keep.csv"), "x").unwrap();
    fs::write(folder.join("study.json"), "{\"files\":[\"../keep.csv\",\"/etc/hosts.csv\"]}").unwrap();
    write(&java().report(), &folder, &[Format::Csv]).unwrap();
    assert!(root.path().join("keep.csv").exists());
}

#[test]
fn hostile_names_stay_inside_the_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("report");
    for (base, trained) in [(HOSTILE[7], HOSTILE[0]), (HOSTILE[4], HOSTILE[2])] {
        let study = named_java(base, trained, "x__y", "hostile");
        let written = write(&study.report(), &folder, &[Format::Csv, Format::Md]).unwrap();
        assert!(written.files.iter().any(|name| name.starts_with("tables/T5.")), "{:?}", written.files);
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "only the report folder came to be");
    let names = files(&folder);
    assert!(
        names
            .keys()
            .all(|name| name.chars().all(|sign| sign.is_ascii_alphanumeric() || "._-/".contains(sign)))
    );
}
