//! What the cases ask for in words, as far as commands of today can show it. Not here: what the units hold (limits of
//! sources in `sources`, the text of reports in `studies`).

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::Case;
use crate::support::{latex, table};

/// The tags of one turn of a `classify` case.
fn tags(name: &str, turn: usize) -> Option<Vec<Value>> {
    let ran = Case::open(name)?.run(&["inspect", "--tags", "input"]);
    Some(ran.objects()[0]["turn"][turn]["tags"].as_array().unwrap().clone())
}

/// A behaviour of the only trajectory of a case: numerator and denominator.
fn behaviour(case: &Case, code: &str) -> (i64, i64) {
    let ran = case.run(&["study", "input", "--out", "out"]);
    assert!(ran.code <= 1, "{}: {}", case.name, ran.stderr);
    let rows = table(&case.store(), "behaviours");
    let row = rows.iter().find(|row| row["behaviour"] == code).unwrap();
    (row["num"].as_i64().unwrap(), row["den"].as_i64().unwrap())
}

/// A row of a table of a report.
fn row(case: &Case, table: &str, row: &str) -> Value {
    let path = case.path().join(format!("out/report/tables/{table}.json"));
    let found: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let rows = found["rows"].as_array().unwrap();
    rows.iter()
        .find(|found| found["row"] == row)
        .unwrap_or_else(|| panic!("no row {row} in {rows:?}"))
        .clone()
}

fn files(folder: &Path, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(std::fs::read_to_string(path).unwrap());
        }
    }
    found
}

#[test]
fn a_cost_that_is_no_number_is_missing() {
    let Some(case) = Case::open("parse/011-nan-infinity-huge-numbers") else { return };
    let ran = case.run(&["study", "input", "--out", "out"]);
    assert_eq!(table(&case.store(), "trajectories")[0]["cost_usd"], Value::Null);
    let written = [files(&case.path().join("out/report"), ".csv"), vec![ran.stdout, ran.stderr]].concat();
    for text in &written {
        let words: BTreeSet<&str> = text.split([',', ' ', '\n']).collect();
        assert!(!words.contains("NaN") && !words.contains("inf"), "{text}");
    }
    assert!(written.len() > 5);
}

#[test]
fn malformed_arguments_are_kept_and_edit_nothing() {
    let Some(case) = Case::open("parse/018-tool-arguments-malformed") else { return };
    let objects = case.run(&["inspect", "--tags", "input"]).objects();
    let turn = &objects[0]["turn"][2];
    assert_eq!(turn["calls"][0]["input"], "{\"command\": \"sed -i s/1/2/ a.p");
    let edits = turn["tags"].as_array().unwrap().iter().filter(|tag| tag["effective"] == true);
    assert_eq!(edits.count(), 0);
}

#[test]
fn a_status_of_no_known_meaning_is_listed_with_its_count() {
    let Some(case) = Case::open("parse/027-unknown-status-and-error-as-submission") else { return };
    case.run(&["study", "input", "--out", "out"]);
    let left_out = std::fs::read_to_string(case.path().join("out/report/left_out.csv")).unwrap();
    let line = left_out.lines().find(|line| line.contains("`SandboxVanishedError`")).unwrap();
    assert!(line.ends_with(",1"), "{line}");
}

#[test]
fn what_stands_behind_a_heredoc_is_a_command() {
    let Some(tags) = tags("classify/031-heredoc-bodies", 2) else { return };
    let deleted = tags.iter().find(|tag| tag["kind"] == "delete").unwrap();
    assert!(deleted["path"].as_str().unwrap().ends_with("build.log"), "{deleted}");
}

#[test]
fn expected_failures_are_no_failures() {
    let Some(case) = Case::open("classify/039-unittest-expected-failures") else { return };
    let objects = case.run(&["inspect", "--tags", "input"]).objects();
    let turns = objects[0]["turn"].as_array().unwrap();
    let runs =
        turns.iter().flat_map(|turn| turn["tags"].as_array().unwrap()).filter(|tag| tag["tag"] == "testing");
    let count = |counts: &Value, key: &str| counts[key].as_i64().unwrap();
    let counts: Vec<(i64, i64)> =
        runs.map(|tag| (count(&tag["counts"], "passed"), count(&tag["counts"], "failed"))).collect();
    // The last run is of four tests, of which one succeeded although it should not.
    assert_eq!(counts, [(8, 0), (1, 1), (3, 1)]);
}

#[test]
fn a_program_that_is_not_there_gives_no_verdict() {
    let Some(tags) = tags("classify/043-could-not-be-loaded", 4) else { return };
    assert!(tags.iter().all(|tag| tag["outcome"] != "pass" && tag["outcome"] != "fail"), "{tags:?}");
}

#[test]
fn a_test_that_was_killed_was_still_a_test() {
    let Some(tags) = tags("classify/045-time-limits", 1) else { return };
    let run = tags.iter().find(|tag| tag["tag"] == "testing").unwrap();
    assert_eq!(run["evidence"], "summary_against_exit");
    let case = Case::open("classify/045-time-limits").unwrap();
    assert_eq!(behaviour(&case, "active_testing"), (1, 1));
}

#[test]
fn same_test_same_failure_is_a_loop_of_tests_too() {
    let Some(tags) = tags("classify/049-loop-with-changing-durations", 0) else { return };
    assert!(tags.iter().any(|tag| tag["code"] == "L7" && tag["first_turn"] == 0), "{tags:?}");
}

#[test]
fn a_word_of_submission_hands_nothing_in() {
    let Some(case) = Case::open("classify/055-submission-words") else { return };
    assert_eq!(behaviour(&case, "explicit_submission").0, 0);
}

#[test]
fn unscored_runs_leave_the_rate() {
    let Some(case) = Case::open("outcome/062-empty-patch-and-incomplete") else { return };
    case.run(&["study", "input", "--out", "out"]);
    let row = row(&case, "T1", "unnamed.input");
    assert_eq!((&row["runs"], &row["scored"], &row["resolved"]), (&4.into(), &3.into(), &1.into()));
    assert_eq!((&row["pass_at_1"]["num"], &row["pass_at_1"]["den"]), (&1.into(), &3.into()));
}

#[test]
fn a_report_of_another_model_is_listed() {
    let Some(case) = Case::open("outcome/066-slash-in-model-name") else { return };
    let ran = case.run(&["inspect", "input"]);
    let line = ran.stderr.lines().find(|line| line.contains("acme__small-1b")).unwrap();
    assert!(line.starts_with("note: `input/logs/") && line.contains("another model"), "{line}");
}

#[test]
fn an_aborted_run_points_to_the_one_that_replaced_it() {
    let Some(case) = Case::open("outcome/069-retry-replaces-aborted-run") else { return };
    case.study();
    let rows = table(&case.store(), "trajectories");
    let aborted = rows.iter().find(|row| row["raw_exit_status"] == "RetryError").unwrap();
    let resumed = rows.iter().find(|row| row["arm"] == "base" && row["superseded_by"].is_null()).unwrap();
    assert_eq!(aborted["superseded_by"], resumed["trajectory_id"]);
    let ends = std::fs::read_to_string(case.path().join("out/report/tables/T14.csv")).unwrap();
    assert!(!ends.contains("infrastructure"), "{ends}");
}

#[test]
fn two_scored_runs_are_refused_with_the_choices() {
    let Some(case) = Case::open("outcome/070-two-scored-runs-under-one-key") else { return };
    let ran = case.study();
    assert_eq!(ran.code, 3);
    for word in [
        "run_0/a/acme__widget-1.traj.json",
        "run_0/b/acme__widget-1.traj.json",
        "--duplicates first|last|as-runs",
    ] {
        assert!(ran.stderr.contains(word), "{word} is not in {}", ran.stderr);
    }
    assert!(!case.store().join("manifest.json").exists() && !case.path().join("out/report").exists());
    let counts = |choice: &str| -> Vec<(i64, i64)> {
        let ran = case.run(&["study", "input/study.toml", "--out", choice, "--duplicates", choice]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let rows = table(&case.path().join(choice).join("store"), "instance_pairs");
        let count = |row: &Value, key: &str| row[key].as_i64().unwrap();
        rows.iter().map(|row| (count(row, "base_scored"), count(row, "base_resolved"))).collect()
    };
    let chosen = (counts("first"), counts("last"), counts("as-runs"));
    assert_eq!(chosen.2, [(2, 1)], "each is a run of its own");
    let mut one_of_two = [chosen.0, chosen.1].concat();
    one_of_two.sort_unstable();
    assert_eq!(one_of_two, [(1, 0), (1, 1)], "first and last keep another one each");
}

#[test]
fn instances_of_one_arm_are_named_and_do_not_pair() {
    let Some(case) = Case::open("outcome/073-instance-in-one-arm-only") else { return };
    case.study();
    let report = std::fs::read_to_string(case.path().join("out/report/report.md")).unwrap();
    assert!(report.contains("only in base (1): acme__widget-1"), "{report}");
    assert!(report.contains("only in rl (1): acme__widget-4"), "{report}");
    let row = row(&case, "T5.base-rl", "resolved");
    let (base, trained) = (&row["base"], &row["trained"]);
    assert_eq!((&base["num"], &base["den"]), (&1.into(), &2.into()));
    assert_eq!((&trained["num"], &trained["den"]), (&2.into(), &2.into()));
    assert_eq!((&row["lost"], &row["gained"], &row["p"]), (&0.into(), &1.into(), &1.0.into()));
}

#[test]
fn every_instance_weighs_the_same() {
    let Some(case) = Case::open("outcome/074-unequal-runs-equal-weight") else { return };
    case.study();
    let row = row(&case, "T5.base-rl", "resolved");
    let value = |key: &str| row[key]["value"].as_f64().unwrap();
    assert_eq!((value("base"), value("trained")), (0.5, 0.75));
    assert_eq!((row["delta"].as_f64(), row["p"].as_f64()), (Some(0.25), Some(1.0)));
}

#[test]
fn one_instance_has_no_interval() {
    let Some(case) = Case::open("stats/079-one-instance-many-runs") else { return };
    case.study();
    let row = row(&case, "T5.base-rl", "resolved");
    let near = |key: &str, want: f64| (row[key]["value"].as_f64().unwrap() - want).abs() < 1e-12;
    assert!(near("base", 1.0 / 3.0) && near("trained", 2.0 / 3.0), "{row}");
    assert_eq!((&row["interval"]["missing"], &row["p"]), (&"undefined".into(), &1.0.into()));
    for text in files(&case.path().join("out/report"), ".csv") {
        assert!(!text.contains("NaN") && !text.split([',', '\n']).any(|cell| cell == "inf"), "{text}");
    }
}

#[test]
fn an_arm_without_a_verdict_has_no_rate() {
    let Some(case) = Case::open("stats/081-one-arm-wholly-unscored") else { return };
    let ran = case.study();
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("no verdicts were found for rl"), "{}", ran.stdout);
    let row = row(&case, "T1", "acme-bench.rl");
    assert_eq!((&row["scored"], row["pass_at_1"]["value"].as_f64()), (&0.into(), None));
    let bounds = [&row["as_failures"], &row["as_successes"]].map(|bound| bound["value"].as_f64().unwrap());
    assert_eq!(bounds, [0.0, 1.0]);
}

#[test]
fn arms_that_agree_differ_by_nothing_and_nothing_is_proved() {
    let Some(case) = Case::open("stats/082-arms-agree-everywhere") else { return };
    case.study();
    let row = row(&case, "T5.base-rl", "resolved");
    assert_eq!((&row["gained"], &row["lost"], &row["p"]), (&0.into(), &0.into(), &1.0.into()));
    assert_eq!(row["delta"].as_f64(), Some(0.0));
    let interval = [&row["interval"]["low"], &row["interval"]["high"]].map(|end| end.as_f64().unwrap());
    assert!(interval[0] < -0.1 && interval[1] > 0.1, "{interval:?}");
    let report = std::fs::read_to_string(case.path().join("out/report/report.md")).unwrap();
    assert!(report.contains("minimal detectable difference"), "{report}");
}

/// The cells of a CSV file, quotes taken off.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => cell.extend(signs.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(sign),
        }
    }
    rows
}

#[test]
fn no_cell_is_a_formula() {
    let Some(case) = Case::open("security/085-csv-formulas") else { return };
    assert_eq!(case.study().code, 0);
    let texts = files(&case.path().join("out/report"), ".csv");
    assert!(texts.len() >= 7, "{}", texts.len());
    for cell in texts.iter().flat_map(|text| cells(text)).flatten() {
        let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert!(!is_formula || cell.parse::<f64>().is_ok(), "{cell:?}");
    }
    let pairs = cells(&std::fs::read_to_string(case.path().join("out/report/pairs.csv")).unwrap());
    let ids: BTreeSet<&String> = pairs.iter().skip(1).map(|row| &row[3]).collect();
    assert_eq!((pairs.len(), ids.len()), (6, 5), "{pairs:?}");
    let gain = cells(&std::fs::read_to_string(case.path().join("out/report/tables/T5.base-rl.csv")).unwrap());
    let column = gain[0].iter().position(|head| head == "delta").unwrap();
    assert!(
        gain.iter().skip(1).all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok()),
        "{gain:?}"
    );
}

#[test]
fn a_terminal_gets_no_control_character_of_a_log() {
    let Some(case) = Case::open("security/086-terminal-sequences") else { return };
    let ran = case.run(&["study", "input", "--out", "out"]);
    let id = table(&case.store(), "trajectories")[0]["trajectory_id"].as_str().unwrap().to_owned();
    let mut printed = vec![ran.stdout, ran.stderr];
    for arguments in [
        vec!["show", "out/store", &id],
        vec!["show", "out/store", &id, "--tags"],
        vec!["show", "out/store", &id, "--turn", "0"],
        vec!["inspect", "--turns", "--tags", "input"],
        vec!["query", "out/store", "SELECT trajectory_id, turn, call, observation FROM call_text"],
    ] {
        let ran = case.run(&arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        printed.extend([ran.stdout, ran.stderr]);
    }
    assert!(printed[2].contains("\\u{1b}"), "what is hidden is shown: {}", printed[2]);
    for text in &printed {
        let hidden = text.chars().find(|sign| {
            (sign.is_control() && !matches!(sign, '\n' | '\t'))
                || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(hidden, None, "{text:?}");
    }
    let stored = table(&case.store(), "call_text");
    let kept =
        stored.iter().filter_map(|row| row["observation"].as_str()).any(|text| text.contains('\u{1b}'));
    assert!(kept, "the stored observation keeps its bytes");
}

#[test]
fn bombs_are_named_and_burst_no_memory() {
    let Some(case) = Case::open("security/089-decompression-bombs") else { return };
    // What is laid out for the process bounds what it can hold: a bomb is 1 GiB.
    let program = env!("CARGO_BIN_EXE_ethogram");
    let script = format!("ulimit -v 1000000; exec '{program}' inspect --threads 1 input");
    let begun = std::time::Instant::now();
    let output =
        std::process::Command::new("sh").args(["-c", &script]).current_dir(case.path()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count(), 1);
    for bomb in ["bomb.jsonl.gz", "bomb.zip"] {
        let is_named = |line: &&str| line.starts_with("refused: ") && line.contains(bomb);
        let refused = stderr.lines().find(is_named).unwrap_or_else(|| panic!("{bomb}: {stderr}"));
        assert!(refused.contains("over the limit of 268435456 bytes"), "{refused}");
    }
    assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
}

#[test]
fn links_that_turn_in_circles_are_reported() {
    let Some(case) = Case::open("security/090-symlink-loops") else { return };
    let ran = case.run(&["inspect", "input"]);
    assert_eq!(ran.objects().len(), 1);
    assert!(ran.stderr.contains("gone.traj.json"), "{}", ran.stderr);
    for link in ["input/a/loop", "input/a/up", "input/b"] {
        assert!(ran.stderr.contains(link), "{link}: {}", ran.stderr);
    }
}

/// Compiles where LaTeX is installed, and prints the name as it is.
#[test]
fn a_name_is_no_command_of_latex() {
    let Some(case) = Case::open("security/087-latex-specials-in-names") else { return };
    let ran = case.study();
    assert!(ran.code <= 1, "{}", ran.stderr);
    let tables = case.path().join("out/report/tables");
    let text = std::fs::read_to_string(tables.join("T1.tex")).unwrap();
    let name =
        r"base\_50\%\_\&\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}input\{/etc/passwd\}\$x\$";
    assert!(text.contains(name), "{text}");
    for file in ["T1", "T4"] {
        let Some(printed) = latex(&tables, file) else { return };
        let words: String = printed.chars().filter(|sign| !sign.is_whitespace()).collect();
        assert!(file != "T1" || words.contains(r"base_50%_&#{}~^\input{/etc/passwd}$x$"), "{printed}");
        assert!(!printed.contains("root:"), "{printed}");
    }
}

#[test]
fn the_mean_reward_stands_beside_the_rate() {
    let Some(case) = Case::open("outcome/059-fractional-rewards") else { return };
    let ran = case.run(&["study", "input", "--out", "out"]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    let row = row(&case, "T1", "unnamed.input");
    // 0.5 and 0.5, 1 and 0: one of four is a success.
    assert_eq!((&row["resolved"], &row["mean_reward"]), (&1.into(), &0.5.into()));
    assert_eq!(row["pass_at_1"]["value"], 0.25);
}
