//! Rewards between 0 and 1: parts of a success are no success, and their mean stands beside the rate (`definitions.md` §7, T1).

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::ethogram;

/// Two arms of outcomes alone; the trained one's rewards are all 0 or 1.
fn studied(of_base: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (arm, rows) in [("base", of_base), ("rl", "a,0,1\na,1,0\nb,0,1\n")] {
        fs::create_dir(folder.path().join(arm)).unwrap();
        let text = format!("instance_id,run,reward\n{rows}");
        fs::write(folder.path().join(arm).join("outcomes.csv"), text).unwrap();
    }
    let ran = ethogram(folder.path(), &["study", "--base", "base", "--trained", "rl", "--out", "out"]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    folder
}

fn text(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join("out/report/tables").join(name)).unwrap()
}

#[test]
fn the_mean_reward_stands_beside_the_rate() {
    // a: 0.1, 0.1, 0.7, mean 0.3; b: 1; the mean over instances is 0.65, the rate (0/3 + 1/1) / 2.
    let folder = studied("a,0,0.1\na,1,0.1\na,2,0.7\nb,0,1\n");
    let table: Value = serde_json::from_str(&text(&folder, "T1.json")).unwrap();
    let cell = |row: usize, column: &str| &table["rows"][row][column];
    let close = |value: &Value, want: f64| (value.as_f64().unwrap() - want).abs() < 1e-12;
    assert!(close(cell(0, "mean_reward"), 0.65), "{}", table["rows"][0]);
    assert!(close(&cell(0, "pass_at_1")["value"], 0.5), "{}", table["rows"][0]);
    assert!(close(cell(1, "mean_reward"), 0.75), "{}", table["rows"][1]);
    assert!(text(&folder, "T1.csv").lines().next().unwrap().contains("mean_reward"));
    assert!(text(&folder, "T1.md").contains("mean reward"));
    let printed = ethogram(folder.path(), &["report", "out/store", "T1"]);
    assert!(printed.stdout.contains("mean reward"), "{}{}", printed.stdout, printed.stderr);
}

#[test]
fn rewards_of_0_and_1_are_the_rate() {
    let folder = studied("a,0,0\na,1,1\nb,0,1\n");
    assert!(!text(&folder, "T1.json").contains("mean_reward"));
}
