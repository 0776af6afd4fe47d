//! What a command leaves behind is the same whatever the order of files, the number of threads, and the way there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use ethogram::steps::tag_rows::TAG_TABLES;
use serde_json::Value;
use tempfile::TempDir;

use super::first_study;
use crate::support::{ethogram, repository, table};

/// The bytes of all files below a folder, by their paths; a lock holds the number of a process.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, "", &mut found);
    assert!(!found.is_empty());
    found
}

fn collect(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), found);
        } else if !name.ends_with(".lock") {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

#[track_caller]
fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

/// The first study, run with so many threads.
fn study(folder: &TempDir, out: &str, more: &[&str]) {
    let arguments = [&["study", "study.toml", "--out", out], more].concat();
    let ran = ethogram(folder.path(), &arguments);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn threads_change_no_byte() {
    let folder = first_study();
    study(&folder, "one", &["--threads", "1"]);
    study(&folder, "four", &["--threads", "4"]);
    assert_same(&bytes(&folder.path().join("one")), &bytes(&folder.path().join("four")));
    let inspected =
        |threads| ethogram(folder.path(), &["inspect", "--tags", "base", "--threads", threads]).stdout;
    assert_eq!(inspected("1"), inspected("4"));
}

#[test]
fn unchanged_inputs_are_not_read_again() {
    let folder = first_study();
    study(&folder, "out", &[]);
    let store = folder.path().join("out/store");
    let before = bytes(&store);
    // A log that cannot be read any more proves that nobody looked: its time and size stay.
    let log = folder.path().join(super::LOG);
    let modified = fs::metadata(&log).unwrap().modified().unwrap();
    let length = fs::read(&log).unwrap().len();
    fs::write(&log, vec![b'x'; length]).unwrap();
    fs::File::options().write(true).open(&log).unwrap().set_modified(modified).unwrap();
    study(&folder, "out", &[]);
    assert_same(&before, &bytes(&store));
    let again = ethogram(folder.path(), &["study", "study.toml", "--out", "out", "--reread"]);
    assert_eq!(again.code, 1, "--reread trusts digests: {}", again.stderr);
    assert!(again.stderr.contains("acme__gears-12.traj"), "{}", again.stderr);
}

#[test]
fn ingest_says_what_is_unchanged_and_reads_what_is_new() {
    let folder = first_study();
    let ingest = |paths: &[&str]| {
        let ran = ethogram(folder.path(), &[&["ingest", "--store", "s"], paths].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    assert!(ingest(&["base"]).contains("12 trajectories read into s"));
    let before = bytes(&folder.path().join("s"));
    let second = ingest(&["base"]);
    assert!(
        second.contains("base: unchanged, not read again") && second.contains("0 trajectories read"),
        "{second}"
    );
    assert_same(&before, &bytes(&folder.path().join("s")));
    assert!(ingest(&["base", "rl"]).contains("12 trajectories read into s"));
    let arms: Vec<Value> =
        table(&folder.path().join("s"), "arms").iter().map(|row| row["arm"].clone()).collect();
    assert_eq!(arms, ["base", "rl"]);
    assert_eq!(table(&folder.path().join("s"), "trajectories").len(), 24);
}

#[test]
fn tagging_a_store_gives_the_rows_of_a_study() {
    let folder = first_study();
    study(&folder, "out", &[]);
    let store = folder.path().join("out/store");
    let before: Vec<Vec<Value>> = TAG_TABLES.iter().map(|name| table(&store, name)).collect();
    assert!(before.iter().filter(|rows| !rows.is_empty()).count() >= 8, "the study fills most tag tables");
    let idle = ethogram(folder.path(), &["tag", "out/store"]);
    assert!(idle.stdout.contains("have tagged this store already"), "{}", idle.stdout);
    let ran = ethogram(folder.path(), &["tag", "out/store", "--again"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "24 trajectories tagged\n"), "{}", ran.stderr);
    for (name, before) in TAG_TABLES.iter().zip(&before) {
        let after = table(&store, name);
        assert_eq!(before.len(), after.len(), "{name}");
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after, "{name}");
        }
    }
}

#[test]
fn ingest_then_compare_gives_the_tables_of_a_study() {
    let folder = first_study();
    study(&folder, "out", &[]);
    for (arm, role) in [("base", "base"), ("rl", "trained")] {
        let ran = ethogram(folder.path(), &["ingest", arm, "--store", "s", "--arm", arm, "--role", role]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    for name in ["runs", "T1", "T4"] {
        let of = |store: &str| {
            let ran = ethogram(folder.path(), &["report", store, name, "--format", "json"]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            ran.stdout
        };
        // Identity of files is by their path below the root: both ways give the same ids.
        assert_eq!(of("out/store"), of("s"), "{name}");
    }
}

/// The first study, its files made in another order, all of one time.
fn made(backwards: bool) -> TempDir {
    let source = repository().join("fixtures/studies/first");
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for run in ["base/run_0", "base/run_1", "rl/run_0", "rl/run_1"] {
        fs::create_dir_all(folder.path().join(run)).unwrap();
        let entries = fs::read_dir(source.join(run)).unwrap();
        files.extend(entries.map(|entry| format!("{run}/{}", entry.unwrap().file_name().to_str().unwrap())));
    }
    files.push("study.toml".to_owned());
    files.sort();
    if backwards {
        files.reverse();
    }
    for file in files {
        let to = folder.path().join(&file);
        fs::copy(source.join(&file), &to).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        fs::File::options().write(true).open(&to).unwrap().set_modified(time).unwrap();
    }
    folder
}

#[test]
fn the_order_of_files_changes_no_byte() {
    let (forwards, backwards) = (made(false), made(true));
    study(&forwards, "out", &["--threads", "3"]);
    study(&backwards, "out", &[]);
    assert_same(&bytes(&forwards.path().join("out")), &bytes(&backwards.path().join("out")));
}

#[test]
fn the_order_of_arms_changes_no_row_of_a_run() {
    let folder = first_study();
    for (store, paths) in [("s", ["base", "rl"]), ("t", ["rl", "base"])] {
        let ran = ethogram(folder.path(), &[&["ingest", "--store", store][..], &paths].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    for name in ["trajectories", "outcomes", "behaviours", "tags", "calls"] {
        let sorted = |store: &str| {
            let mut rows: Vec<String> =
                table(&folder.path().join(store), name).iter().map(Value::to_string).collect();
            rows.sort();
            rows
        };
        assert_eq!(sorted("s"), sorted("t"), "{name}");
    }
}

#[test]
fn a_store_that_is_written_is_left_alone() {
    let folder = first_study();
    study(&folder, "out", &[]);
    let store = ethogram::store::Store::open(&folder.path().join("out/store")).unwrap();
    let _writer = store.writer().unwrap();
    fs::write(folder.path().join(super::LOG), "changed").unwrap();
    let ran = ethogram(folder.path(), &["study", "study.toml", "--out", "out"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let read = ethogram(folder.path(), &["query", "out/store", "SELECT arm FROM arms"]);
    assert_eq!(read.code, 0, "readers never lock: {}", read.stderr);
}

#[test]
fn a_dry_run_says_what_would_be_read_and_writes_nothing() {
    let folder = first_study();
    fs::write(folder.path().join("base/notes.txt"), "notes\n").unwrap();
    let ran = ethogram(folder.path(), &["study", "base", "--out", "out", "--dry-run"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split('\t').collect()).collect();
    let read_as = |file: &str| {
        let line = lines.iter().find(|line| line[1] == file).unwrap_or_else(|| panic!("{file}: {lines:?}"));
        (line[0], line[2])
    };
    assert_eq!(read_as("base/run_0/acme__gears-12.traj"), ("base", "swe-agent-0.x"));
    assert_eq!(read_as("base/run_0/results.json"), ("base", "harness-summary"));
    assert_eq!(read_as("base/notes.txt"), ("base", "nothing"));
    assert!(!folder.path().join("out").exists());
}

/// Rows of every table, sorted: a second run writes the rows of a first one in another order.
fn rows(store: &Path) -> BTreeMap<String, Vec<String>> {
    let names = fs::read_dir(store).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    names
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let mut rows: Vec<String> = table(store, &name).iter().map(ToString::to_string).collect();
            rows.sort();
            (name, rows)
        })
        .collect()
}

/// A log that changes, leaves and comes back: the store and the report that were there become those of a fresh study, also
/// where no verdict changed, and also the notes of the arm that is not read again.
#[test]
fn a_changed_input_gives_what_a_fresh_study_gives() {
    let folder = first_study();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("rl/notes.odt"), "no log").unwrap();
    fs::write(path("rl/cut.traj.gz"), [0x1f, 0x8b, 8, 0]).unwrap();
    let run = |out: &str| {
        let ran = ethogram(folder.path(), &["study", "study.toml", "--out", out]);
        assert_eq!(ran.code, 1, "the archive that is cut off stays refused: {}", ran.stderr);
    };
    run("out");
    let log = fs::read_to_string(path(super::LOG)).unwrap();
    let changed = log.replacen("gears", "wheels", 1);
    assert_ne!(log, changed);
    for (step, text) in [("changed", Some(&changed)), ("gone", None), ("back", Some(&log))] {
        match text {
            Some(text) => fs::write(path(super::LOG), text).unwrap(),
            None => fs::remove_file(path(super::LOG)).unwrap(),
        }
        run("out");
        run(step);
        let fresh = path(step);
        assert_eq!(rows(&path("out/store")), rows(&fresh.join("store")), "{step}");
        assert_same(&bytes(&path("out/report")), &bytes(&fresh.join("report")));
    }
}

#[test]
fn a_store_with_a_lost_or_cut_part_says_so() {
    let folder = first_study();
    study(&folder, "out", &[]);
    let turns = folder.path().join("out/store/turns");
    let part = fs::read_dir(turns).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&part).unwrap();
    fs::write(&part, &whole[..whole.len() / 2]).unwrap();
    for lost in [false, true] {
        if lost {
            fs::remove_file(&part).unwrap();
        }
        for command in [&["report", "out/store"][..], &["study", "study.toml", "--out", "out"]] {
            let ran = ethogram(folder.path(), command);
            assert_eq!(ran.code, 3, "{command:?}: {}", ran.stderr);
            let name = part.file_name().unwrap().to_str().unwrap();
            assert!(ran.stderr.contains(name) && ran.stderr.contains("ingest"), "{}", ran.stderr);
        }
    }
}
