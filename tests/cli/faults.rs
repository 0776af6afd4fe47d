//! Broken input: each file is named with the reason, the rest is read, and the exit code says so.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{LOG, first_study};
use crate::support::{Ran, ethogram, table};

/// The broken files that a folder may hold, and a word of the reason for each.
const BROKEN: [(&str, &str); 4] = [
    ("broken/cut.traj", "ends in the middle"),
    ("broken/empty.traj", "empty"),
    ("broken/log-text.traj", "no JSON"),
    ("broken/gone.traj", "leads nowhere"),
];

/// The first study with broken files beside the logs of its base arm.
fn with_broken_files() -> TempDir {
    let folder = first_study();
    let broken = folder.path().join("base/broken");
    fs::create_dir_all(&broken).unwrap();
    let log = fs::read(folder.path().join(LOG)).unwrap();
    fs::write(broken.join("cut.traj"), &log[..log.len() * 2 / 3]).unwrap();
    fs::write(broken.join("empty.traj"), "").unwrap();
    fs::write(broken.join("log-text.traj"), "2026-01-01 INFO starting\n2026-01-01 ERROR no model\n").unwrap();
    std::os::unix::fs::symlink("nowhere", broken.join("gone.traj")).unwrap();
    // A folder with a log's name is walked as any folder.
    fs::create_dir_all(broken.join("folder.traj")).unwrap();
    folder
}

/// Refused files are named once each, with the reason.
#[track_caller]
fn assert_all_named(ran: &Ran) {
    for (file, reason) in BROKEN.iter().filter(|(file, _)| !file.contains("cut")) {
        let lines: Vec<&str> =
            ran.stderr.lines().filter(|line| line.starts_with("refused: ") && line.contains(file)).collect();
        assert!(
            matches!(lines.as_slice(), [line] if line.contains(reason)),
            "{file}: {lines:?}\n{}",
            ran.stderr
        );
    }
}

#[test]
fn inspect_names_what_it_cannot_read_and_reads_the_rest() {
    let folder = with_broken_files();
    let ran = ethogram(folder.path(), &["inspect", "base"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_all_named(&ran);
    let objects = ran.objects();
    let whole = objects.iter().filter(|object| !object["file"].as_str().unwrap().contains("broken"));
    assert_eq!(whole.count(), 12);
    let cut: Vec<&Value> = objects.iter().filter(|object| object["file"] == "base/broken/cut.traj").collect();
    assert_eq!(cut.len(), 1, "what stands before the cut is read");
    let problems = cut[0]["problems"].as_array().unwrap();
    let says = |problem: &Value| problem["what"].as_str().unwrap().contains("ends in the middle of the log");
    assert!(problems.iter().any(says), "{problems:?}");
}

#[test]
fn a_study_names_what_it_cannot_read_and_compares_the_rest() {
    let folder = with_broken_files();
    let ran = ethogram(folder.path(), &["study", "--base", "base", "--trained", "rl", "--out", "out"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_all_named(&ran);
    let rows = table(&folder.path().join("out/store"), "trajectories");
    let whole = rows.iter().filter(|row| !row["file"].as_str().unwrap().contains("broken"));
    assert_eq!(whole.count(), 24);
    let left_out = fs::read_to_string(folder.path().join("out/report/left_out.csv")).unwrap();
    for (file, _) in BROKEN {
        assert!(left_out.contains(file), "{file} is not in {left_out}");
    }
}

#[test]
fn a_folder_without_logs_holds_nothing() {
    let folder = first_study();
    fs::create_dir_all(folder.path().join("notes")).unwrap();
    fs::write(folder.path().join("notes/readme.txt"), "nothing here\n").unwrap();
    let ran = ethogram(folder.path(), &["inspect", "notes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.contains("nothing was found in `notes`"), "{}", ran.stderr);
    let beside = ethogram(folder.path(), &["inspect", "notes", "base/run_0"]);
    assert_eq!((beside.code, beside.objects().len()), (1, 6), "{}", beside.stderr);
    let missing = ethogram(folder.path(), &["inspect", "absent"]);
    assert_eq!(missing.code, 3);
    assert!(missing.stderr.contains("refused: `absent`: ") && missing.stderr.contains("no such file"));
}

#[test]
fn an_arm_without_anything_is_refused() {
    let folder = first_study();
    fs::create_dir_all(folder.path().join("empty")).unwrap();
    for arguments in [
        vec!["study", "--base", "empty", "--trained", "rl", "--out", "out"],
        vec!["study", "--base", "base", "--trained", "absent", "--out", "out"],
        vec!["ingest", "empty", "--store", "out/store"],
    ] {
        let ran = ethogram(folder.path(), &arguments);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        let arm = if arguments.contains(&"empty") { "empty" } else { "absent" };
        assert!(
            ran.stderr.contains(&format!("nothing was found for arm `{arm}` in `{arm}`")),
            "{}",
            ran.stderr
        );
        assert!(!folder.path().join("out/store/manifest.json").exists());
    }
}

#[test]
fn outcomes_alone_are_something() {
    let folder = first_study();
    let results = folder.path().join("results");
    fs::create_dir_all(&results).unwrap();
    fs::copy(folder.path().join("base/run_0/results.json"), results.join("results.json")).unwrap();
    let ran = ethogram(folder.path(), &["inspect", "results"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("6 runs are named by outcome files only: acme__gears-12"), "{}", ran.stderr);
}

#[test]
fn without_verdicts_a_study_is_done_and_says_where_it_looked() {
    let folder = first_study();
    for run in ["base/run_0", "base/run_1"] {
        fs::remove_file(folder.path().join(run).join("results.json")).unwrap();
    }
    let ran = ethogram(folder.path(), &["study", "base", "--out", "out"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("no verdicts found for arm `base`: looked in base"), "{}", ran.stderr);
}

/// Two different scored logs under one key.
fn with_conflict() -> TempDir {
    let folder = first_study();
    let other = folder.path().join("base/run_0/again");
    fs::create_dir_all(&other).unwrap();
    let log = fs::read_to_string(folder.path().join(LOG)).unwrap();
    fs::write(other.join("acme__gears-12.traj"), log.replace("I open it.", "I look at it.")).unwrap();
    folder
}

#[test]
fn conflicting_duplicates_are_refused_and_inspect_shows_both() {
    let folder = with_conflict();
    let study = ["study", "--base", "base", "--trained", "rl", "--out", "out"];
    let ran = ethogram(folder.path(), &study);
    assert_eq!(ran.code, 3);
    for word in ["acme__gears-12 run 0", "run_0/again/acme__gears-12.traj", "run_0/acme__gears-12.traj"] {
        assert!(ran.stderr.contains(word), "{word} is not in {}", ran.stderr);
    }
    let chosen = ethogram(folder.path(), &[&study[..], &["--duplicates", "first"]].concat());
    assert_eq!(chosen.code, 0, "{}", chosen.stderr);
    let inspected = ethogram(folder.path(), &["inspect", "base"]);
    let both = inspected.objects();
    let both = both.iter().filter(|object| object["instance_id"] == "acme__gears-12" && object["run"] == 0);
    assert_eq!((inspected.code, both.count()), (0, 2));
}

#[test]
fn a_byte_equal_copy_is_reported_and_no_error() {
    let folder = first_study();
    let other = folder.path().join("base/run_0/copy");
    fs::create_dir_all(&other).unwrap();
    fs::copy(folder.path().join(LOG), other.join("acme__gears-12.traj")).unwrap();
    let ran = ethogram(folder.path(), &["study", "--base", "base", "--trained", "rl", "--out", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let left_out = fs::read_to_string(folder.path().join("out/report/left_out.csv")).unwrap();
    assert!(left_out.contains("a byte-equal copy of"), "{left_out}");
    assert_eq!(table(&folder.path().join("out/store"), "trajectories").len(), 24);
}

#[test]
fn names_that_reorder_text_are_made_visible() {
    let folder = first_study();
    fs::write(folder.path().join("base/run_0/a\u{202e}b.traj"), "{\"trajectory\": [").unwrap();
    let ran = ethogram(folder.path(), &["study", "study.toml", "--out", "out"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let list = fs::read_to_string(folder.path().join("out/report/left_out.csv")).unwrap();
    assert!(list.contains("a\\u{202e}b.traj"), "{list}");
    assert!(!list.contains('\u{202e}'), "{list}");
}

#[test]
fn wrong_use_ends_with_2_and_says_what_to_do() {
    let folder = first_study();
    fs::write(folder.path().join("wrong.toml"), "nmae = \"x\"\n[[arm]]\nname = \"a\"\nlogs = [\"base\"]\n")
        .unwrap();
    let arm = "[[arm]]\nname = \"a\"\nlogs = [\"base\"]\n";
    for (file, text) in [
        ("primary.toml", format!("{arm}[compare]\nprimary = [\"resolvd\"]\n")),
        ("decimals.toml", format!("{arm}[report]\ndecimals = 99\n")),
        ("at.toml", format!("{arm}resolved_at = nan\n")),
        ("nameless.toml", arm.replace("\"a\"", "\"\"")),
        ("logs.toml", arm.replace("[\"base\"]", "5")),
    ] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    for (arguments, word) in [
        (vec!["study", "primary.toml"], "did you mean `resolved`"),
        (vec!["study", "decimals.toml"], "at most 9"),
        (vec!["study", "at.toml"], "no finite number"),
        (vec!["study", "nameless.toml"], "empty name"),
        (vec!["study", "logs.toml"], "a list of patterns"),
        (vec!["study"], "--base DIR --trained DIR"),
        (vec!["study", "wrong.toml"], "did you mean `name`"),
        (vec!["study", "absent.toml"], "cannot read the study file"),
        (vec!["study", "base", "--duplicates", "best"], "first"),
        (vec!["inspect", "base", "--format", "swe"], "swe-agent-1.0"),
        (vec!["inspect"], "PATH"),
        (vec!["inspect", "base", "--threads", "0"], "at least 1"),
        (vec!["tag", "s", "--threads", "0"], "at least 1"),
        (vec!["ingest", LOG, "--store", "s"], "--arm NAME"),
        (vec!["show", "base", "x"], "is no store"),
        (vec!["query", "absent", "SELECT 1"], "is no store"),
        (vec!["nonsense"], "nonsense"),
    ] {
        let ran = ethogram(folder.path(), &arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(word), "{arguments:?}: {word} is not in {}", ran.stderr);
    }
}

#[test]
fn help_has_an_example_for_every_command() {
    let here = Path::new(".");
    let overview = ethogram(here, &["--help"]);
    assert_eq!(overview.code, 0);
    let commands = overview.stdout.split("Commands:\n").nth(1).unwrap().lines();
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let help = ethogram(here, &[name, "--help"]);
        assert!(
            help.code == 0 && help.stdout.contains(&format!("ethogram {name}")),
            "{name}: {}",
            help.stdout
        );
        assert!(help.stdout.contains("Example: "), "{name} has no example");
    }
}
