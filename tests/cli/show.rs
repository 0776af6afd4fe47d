//! `show`: trajectories of a store as a person reads them.

use serde_json::Value;
use tempfile::TempDir;

use super::first_study;
use crate::support::{Ran, ethogram, table};

fn studied() -> TempDir {
    let folder = first_study();
    let ran = ethogram(folder.path(), &["study", "study.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    folder
}

fn show(folder: &TempDir, arguments: &[&str]) -> Ran {
    ethogram(folder.path(), &[&["show", "out/store"], arguments].concat())
}

fn id(folder: &TempDir, arm: &str, instance: &str, run: i64) -> String {
    let rows = table(&folder.path().join("out/store"), "trajectories");
    let is = |row: &&Value| row["arm"] == arm && row["instance_id"] == instance && row["run"] == run;
    rows.iter().find(is).unwrap()["trajectory_id"].as_str().unwrap().to_owned()
}

#[test]
fn one_trajectory_is_shown_turn_by_turn() {
    let folder = studied();
    let id = id(&folder, "base", "acme__gears-12", 0);
    let ran = show(&folder, &[&id]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with(&format!("# trajectory {id}: arm base, acme__gears-12 (")),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("# outcome not resolved (harness-summary)\n"), "{}", ran.stdout);
    let turns: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("# turn ")).collect();
    assert_eq!(turns, ["# turn 0", "# turn 1", "# turn 2", "# turn 3", "# turn 4"]);
    assert!(!ran.stdout.contains("#!"), "tags only where asked for");
    let parsed = ethogram::model::turn_lines::parse(&ran.stdout).unwrap().trajectory;
    assert_eq!((parsed.turns.len(), parsed.turns[3].calls[0].tool.as_str()), (5, "edit"));
}

#[test]
fn tags_stand_beside_their_turns_with_evidence() {
    let folder = studied();
    let ran = show(&folder, &[&id(&folder, "base", "acme__gears-12", 0), "--tags"]);
    let at = |turn: usize| {
        let from = ran.stdout.split(&format!("# turn {turn}\n")).nth(1).unwrap();
        from.split("# turn ").next().unwrap().to_owned()
    };
    assert!(at(1).lines().next().unwrap().ends_with("   #! exploration/search"), "{}", at(1));
    assert!(at(1).contains("#   exploration/search: search_dir \"def total\" widgets\n"), "{}", at(1));
    assert!(
        at(3).contains("#   editing/replace: edit 4:4 (widgets/totals.py, source, took effect, shown)\n"),
        "{}",
        at(3)
    );
    assert!(at(4).lines().next().unwrap().ends_with("   #! submission/accepted"), "{}", at(4));
}

#[test]
fn an_instance_gives_all_its_runs() {
    let folder = studied();
    let ran = show(&folder, &["acme__gears-12"]);
    let heads: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("# trajectory ")).collect();
    assert_eq!(heads.len(), 4, "{heads:?}");
    for (arm, run) in [("base", 0), ("base", 1), ("rl", 0), ("rl", 1)] {
        let is =
            |head: &&&str| head.contains(&format!("arm {arm}, ")) && head.ends_with(&format!("run {run}"));
        assert_eq!(heads.iter().filter(is).count(), 1, "{heads:?}");
    }
}

#[test]
fn two_arms_are_shown_up_to_where_they_part() {
    let folder = studied();
    let ran = show(&folder, &[&id(&folder, "base", "acme__gears-12", 0), "--diff"]);
    let parts: Vec<&str> = ran.stdout.split("# trajectory ").skip(1).collect();
    assert_eq!(parts.len(), 2);
    assert!(parts[0].contains("arm base") && parts[1].contains("arm rl, acme__gears-12"), "{}", ran.stdout);
    assert!(parts[1].lines().next().unwrap().ends_with("run 0"), "the run of the same number");
    let actions = |part: &str| -> Vec<(String, bool)> {
        let mut parted = false;
        let mut found = Vec::new();
        for line in part.lines() {
            parted |= line == "# same actions until here";
            if let Some(place) =
                line.find("run ").filter(|_| line.starts_with("run ") || line.starts_with('['))
            {
                found.push((line[place..].split(" -> ").next().unwrap().to_owned(), parted));
            }
        }
        found
    };
    let (base, trained) = (actions(parts[0]), actions(parts[1]));
    let same = base.iter().zip(&trained).take_while(|(one, other)| one.0 == other.0).count();
    assert!(same > 0 && same < base.len(), "{base:?}");
    for actions in [&base, &trained] {
        assert!(
            actions.iter().enumerate().all(|(turn, (_, parted))| *parted == (turn >= same)),
            "{actions:?}"
        );
    }
}

#[test]
fn every_pair_of_an_instance_is_shown_once() {
    let folder = studied();
    let ran = show(&folder, &["acme__gears-12", "--diff"]);
    let heads: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("# trajectory ")).collect();
    let arms: Vec<&str> =
        heads.iter().map(|head| if head.contains("arm base, ") { "base" } else { "rl" }).collect();
    assert_eq!(arms, ["base", "rl", "base", "rl"], "{heads:?}");
    let numbers: Vec<bool> = heads.iter().map(|head| head.ends_with("run 0")).collect();
    assert_eq!(numbers, [true, true, false, false], "{heads:?}");
    assert_eq!(ran.stdout.matches("# same actions until here").count(), 4);
}

#[test]
fn one_turn_is_shown_whole() {
    let folder = studied();
    let id = id(&folder, "base", "acme__gears-12", 0);
    let ran = show(&folder, &[&id, "--turn", "3"]);
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(lines[0].starts_with("run edit 4:4\\n"), "{lines:?}");
    assert!(!ran.stdout.contains("@ task"), "{}", ran.stdout);
    let beyond = show(&folder, &[&id, "--turn", "5"]);
    assert_eq!(beyond.code, 2);
    assert!(beyond.stderr.contains("its turns are 0 to 4"), "{}", beyond.stderr);
}

#[test]
fn a_name_that_nothing_bears_is_nothing() {
    let folder = studied();
    let ran = show(&folder, &["acme__gears-99"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.contains("has no trajectory or instance `acme__gears-99`"), "{}", ran.stderr);
}

#[test]
fn a_run_without_a_log_shows_its_outcome() {
    let folder = first_study();
    std::fs::remove_file(folder.path().join("base/run_0/acme__gears-12.traj")).unwrap();
    assert_eq!(ethogram(folder.path(), &["study", "study.toml", "--out", "out"]).code, 0);
    let ran = show(&folder, &["acme__gears-12"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("# arm base, acme__gears-12 ("), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("run 0: no log\n# outcome not resolved (harness-summary)\n"),
        "{}",
        ran.stdout
    );
}
