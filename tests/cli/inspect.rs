//! `inspect`: the object of a trajectory, key by key.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{LOG, first_study};
use crate::support::{ethogram, repository};

/// Keys in the order in which they are printed.
fn keys(line: &str) -> Vec<String> {
    let ordered: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
    let mut keys: Vec<(usize, String)> =
        ordered.keys().map(|key| (line.find(&format!("\"{key}\":")).unwrap(), key.clone())).collect();
    keys.sort();
    keys.into_iter().map(|(_, key)| key).collect()
}

const KEYS: [&str; 15] = [
    "file",
    "place",
    "format",
    "instance_id",
    "run",
    "run_source",
    "model",
    "steps",
    "turns",
    "termination",
    "auto_submitted",
    "raw_exit_status",
    "patch",
    "outcome",
    "problems",
];

#[test]
fn an_object_has_the_keys_of_the_interface_in_order() {
    let folder = first_study();
    let ran = ethogram(folder.path(), &["inspect", "base"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 12), "{}", ran.stderr);
    for line in ran.stdout.lines() {
        // `run` is found within `"run":`, not within `"run_source":`.
        assert_eq!(keys(line), KEYS, "{line}");
    }
    let files: Vec<Value> = ran.objects().iter().map(|object| object["file"].clone()).collect();
    let mut sorted: Vec<Value> = files.clone();
    sorted.sort_by_key(Value::to_string);
    assert_eq!(files, sorted, "in the order of paths");
    let object = &ran.objects()[0];
    assert_eq!(object["file"], LOG);
    assert_eq!(
        (&object["format"], &object["instance_id"]),
        (&"swe-agent-0.x".into(), &"acme__gears-12".into())
    );
    assert_eq!((&object["run"], &object["run_source"]), (&0.into(), &"path".into()));
    assert_eq!((&object["steps"], &object["turns"]), (&5.into(), &5.into()));
    let outcome = &object["outcome"];
    assert_eq!((&outcome["scored"], &outcome["resolved"]), (&true.into(), &false.into()));
    assert_eq!(
        (&outcome["source"], &outcome["file"]),
        (&"harness-summary".into(), &"base/run_0/results.json".into())
    );
}

#[test]
fn turns_and_tags_are_there_where_asked_for() {
    let folder = first_study();
    let turns = ethogram(folder.path(), &["inspect", "--turns", LOG]).objects();
    let turn = &turns[0]["turn"][3];
    let call = &turn["calls"][0];
    assert_eq!(
        (&turn["turn"], &turn["origin"], &turn["quality"]),
        (&3.into(), &"model".into(), &"valid".into())
    );
    assert_eq!(
        (&call["tool"], &call["kind"], &call["exit_code"]),
        (&"edit".into(), &"shell".into(), &Value::Null)
    );
    assert!(call["input"].as_str().unwrap().starts_with("edit 4:4\n"), "{call}");
    assert!(call["observation_bytes"].as_u64().unwrap() > 100 && turn["tags"].is_null());
    let tagged = ethogram(folder.path(), &["inspect", "--tags", LOG]).objects();
    let tags = tagged[0]["turn"][3]["tags"].as_array().unwrap();
    let [tag] = tags.as_slice() else { panic!("{tags:?}") };
    let want = serde_json::json!({"tag": "editing", "kind": "replace", "call": 0, "field": "input",
        "path": "widgets/totals.py", "target": "source", "effective": true, "evidence": "shown", "reason": null});
    for (key, value) in want.as_object().unwrap() {
        assert_eq!(&tag[key], value, "{key} of {tag}");
    }
    let handed_in = &tagged[0]["turn"][4]["tags"][0];
    assert_eq!((&handed_in["tag"], &handed_in["accepted"]), (&"submission".into(), &true.into()));
}

/// Every fixture of every format: one object, as many turns as its turn lines have.
#[test]
fn every_fixture_of_every_format_is_an_object() {
    let folder = repository().join("fixtures/formats");
    let ran = ethogram(&folder, &["inspect", "--tags", "."]);
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for object in ran.objects() {
        *found.entry(object["format"].as_str().unwrap().to_owned()).or_default() += 1;
        // A log without boundaries between responses has an unknown number of turns.
        let turns = object["turn"].as_array().map(|turns| turns.len() as u64);
        assert_eq!(object["turns"].as_u64(), turns, "{object}");
    }
    let of_files =
        |format: &&ethogram::formats::Format| !matches!(format.sniff, ethogram::formats::Sniff::Never);
    // Told by the names of two folders above it, which its fixture does not have: the next test lays them out.
    let is_named = |format: &&ethogram::formats::Format| format.name != "openhands-completions";
    for format in ethogram::formats::FORMATS.iter().filter(of_files).filter(is_named) {
        assert!(found.contains_key(format.name), "{} has no object: {found:?}", format.name);
    }
    let objects = ran.objects();
    let demonstration = objects.iter().find(|object| object["format"] == "swe-agent-demonstration").unwrap();
    assert_eq!((&demonstration["turns"], &demonstration["run"]), (&0.into(), &Value::Null));
    let stub = objects.iter().find(|object| object["format"] == "stub").unwrap();
    assert_eq!((&stub["turns"], &stub["run_source"]), (&0.into(), &"rank".into()));
}

#[test]
fn a_folder_of_completions_is_one_run() {
    let fixture = repository().join("fixtures/formats/openhands-completions/condenser-between/input");
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("llm_completions/acme__gears-12");
    fs::create_dir_all(&run).unwrap();
    for entry in fs::read_dir(fixture).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, run.join(path.file_name().unwrap())).unwrap();
    }
    let objects = ethogram(folder.path(), &["inspect", "."]).objects();
    let [object] = objects.as_slice() else { panic!("{objects:?}") };
    assert_eq!(object["format"], "openhands-completions");
    assert_eq!(object["file"], "./llm_completions/acme__gears-12");
}

#[test]
fn an_archive_and_a_compressed_file_are_read_in_place() {
    let folder = first_study();
    let run = folder.path().join("base/run_0");
    let tar = fs::File::create(folder.path().join("packed.tar.zst")).unwrap();
    let mut tar = tar::Builder::new(zstd::Encoder::new(tar, 1).unwrap().auto_finish());
    let mut names: Vec<_> = fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    for name in &names {
        tar.append_path_with_name(run.join(name), std::path::Path::new("run_0").join(name)).unwrap();
    }
    tar.into_inner().unwrap();
    let log = fs::read(folder.path().join(LOG)).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, &log).unwrap();
    fs::create_dir_all(folder.path().join("single")).unwrap();
    fs::write(folder.path().join("single/acme__gears-12.traj.gz"), gz.finish().unwrap()).unwrap();

    let plain = ethogram(folder.path(), &["inspect", "base/run_0"]).objects();
    let packed = ethogram(folder.path(), &["inspect", "packed.tar.zst"]).objects();
    assert_eq!(packed.len(), 6);
    for (plain, packed) in plain.iter().zip(&packed) {
        let name = plain["file"].as_str().unwrap().strip_prefix("base/").unwrap();
        assert_eq!(packed["file"], format!("packed.tar.zst/{name}"));
        for key in ["instance_id", "run", "steps", "turns", "termination", "patch", "raw_exit_status"] {
            assert_eq!(plain[key], packed[key], "{key} of {name}");
        }
        assert_eq!(plain["outcome"]["resolved"], packed["outcome"]["resolved"], "{name}");
    }
    let single = ethogram(folder.path(), &["inspect", "single"]).objects();
    assert_eq!(single[0]["instance_id"], "acme__gears-12");
    assert_eq!((&single[0]["outcome"], &single[0]["turns"]), (&Value::Null, &5.into()));
}

#[test]
fn rows_of_any_arm_speak_of_a_path() {
    let folder = first_study();
    let one = folder.path().join("one");
    fs::create_dir_all(&one).unwrap();
    fs::copy(folder.path().join(LOG), one.join("acme__gears-12.traj")).unwrap();
    let row = "{\"arm\": \"another\", \"instance_id\": \"acme__gears-12\", \"resolved\": true}\n";
    fs::write(one.join("outcomes.jsonl"), row).unwrap();
    let object = &ethogram(folder.path(), &["inspect", "one"]).objects()[0];
    assert_eq!(object["outcome"]["resolved"], true, "{object}");
}

#[test]
fn more_turns_than_memory_holds_come_in_order() {
    // Enough for the spool to go to disk: 40 logs with a command of 1 MB each.
    let folder = tempfile::tempdir().unwrap();
    let log = fs::read_to_string(repository().join("fixtures/studies/first").join(LOG)).unwrap();
    let mut parsed: Value = serde_json::from_str(&log).unwrap();
    parsed["trajectory"][0]["action"] = format!("ls {}", "x".repeat(1 << 20)).into();
    for number in 0..40 {
        let name = format!("acme__widget-{number}.traj");
        fs::write(
            folder.path().join(name),
            parsed.to_string().replace("gears-12", &format!("widget-{number}")),
        )
        .unwrap();
    }
    let temporary = folder.path().join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ethogram"))
        .args(["inspect", "--turns", "."])
        .current_dir(folder.path())
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 40);
    for line in text.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["turn"].as_array().unwrap().len(), 5);
        assert!(object["turn"][0]["calls"][0]["input"].as_str().unwrap().len() > 1 << 20);
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "nothing is left behind");
}
