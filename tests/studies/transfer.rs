//! The RL paper's totals through the program: every check of its vectors is found in a JSON table within tolerance, and
//! its printed text in the printed table.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::{ethogram, repository, shared};

/// Checks that no table of a study of totals has a cell for, and why.
const NO_CELL: [(&str, &str); 4] = [
    ("silent_group/", "a function of a rate: T12 counts silent groups of real rewards"),
    ("reward/", "the reward of one run's tests: T12 has it from runs"),
    ("training/", "arithmetic on the training's steps, which no study holds"),
    ("tb4/", "arithmetic on the sizes of two benchmarks"),
];

/// JSON and printed cells of all tables, by id, row and column.
struct Tables(BTreeMap<(String, String, String), (Value, String)>);

impl Tables {
    fn read(folder: &Path) -> Tables {
        let mut found = BTreeMap::new();
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
            let json: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let printed = std::fs::read_to_string(path.with_extension("md")).unwrap();
            // Head and rule of the grid go first.
            let lines = printed.lines().filter(|line| line.starts_with('|')).skip(2);
            for (row, line) in json["rows"].as_array().unwrap().iter().zip(lines) {
                let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
                for (column, cell) in json["columns"].as_array().unwrap().iter().zip(cells) {
                    let text = |value: &Value| value.as_str().unwrap().to_owned();
                    let column = text(&column["name"]);
                    let key = (text(&json["id"]), text(&row["row"]), column.clone());
                    found.insert(key, (row[&column].clone(), cell.to_owned()));
                }
            }
        }
        Tables(found)
    }

    #[track_caller]
    fn cell(&self, table: &str, row: &str, column: &str) -> &(Value, String) {
        let key = (table.to_owned(), row.to_owned(), column.to_owned());
        self.0.get(&key).unwrap_or_else(|| panic!("no cell {table} {row} {column}"))
    }
}

/// Cells of a check: by the key of its `want` ("" where that is a number or a list in order), and those it prints.
struct Place {
    wanted: Vec<(&'static str, (String, String, &'static str))>,
    printed: Vec<(String, String, &'static str)>,
}

const MAIN: &str = "T9.base-rl";

fn place(id: &str) -> Place {
    let parts: Vec<&str> = id.split('/').collect();
    let at = |table: &str, row: &str, column| (table.to_owned(), row.to_owned(), column);
    let in_part = |part: &str, row: &str, column| at(&format!("{MAIN}.{part}"), row, column);
    let row = match parts.as_slice() {
        ["deepswe", "internal", ..] => "deepswe.internal".to_owned(),
        [benchmark, ..] => (*benchmark).to_owned(),
        [] => String::new(),
    };
    let row = row.as_str();
    let pool = |name: &str| match name {
        "five_public" => "all",
        "three_public" => "released_after",
        "five_internal" => "all.internal",
        "three_internal" => "released_after.internal",
        "three_tb3" => "released_after.terminal-bench-3",
        other => panic!("{other}"),
    };
    let one = |cell: (String, String, &'static str)| Place {
        wanted: vec![("", cell.clone())],
        printed: vec![cell],
    };
    let tails = |[two, greater, less]: [(String, String, &'static str); 3], printed| Place {
        wanted: vec![("two_sided", two), ("greater", greater), ("less", less)],
        printed: vec![printed],
    };
    match parts.as_slice() {
        [_, _, "base_pct"] => one(at(MAIN, row, "before")),
        [_, _, "trained_pct"] => one(at(MAIN, row, "after")),
        [_, _, "gain_of_rounded"] => one(at(MAIN, row, "gain_rounded")),
        [_, _, "gain_of_counts"] => one(at(MAIN, row, "gain")),
        [_, _, "boschloo"] => tails(
            [at(MAIN, row, "p"), in_part("tests", row, "greater"), in_part("tests", row, "less")],
            at(MAIN, row, "p"),
        ),
        [_, _, "fisher"] => tails(
            ["fisher", "fisher_greater", "fisher_less"].map(|column| in_part("tests", row, column)),
            in_part("tests", row, "fisher"),
        ),
        [_, _, "newcombe"] => Place {
            wanted: vec![("", at(MAIN, row, "gain")), ("", at(MAIN, row, "interval"))],
            printed: vec![at(MAIN, row, "gain"), at(MAIN, row, "interval")],
        },
        [_, _, "cohens_h"] => one(in_part("tests", row, "cohens_h")),
        [.., "extra_solved"] => one(at(MAIN, row, "more")),
        ["cmh", name] => Place {
            wanted: vec![
                ("delta", in_part("pooled_tests", pool(name), "delta")),
                ("informative_strata", in_part("pooled_tests", pool(name), "informative")),
                ("chi2", in_part("pooled", pool(name), "chi2")),
                ("p", in_part("pooled", pool(name), "p")),
                ("chi2_cc", in_part("pooled_tests", pool(name), "chi2_corrected")),
                ("p_cc", in_part("pooled_tests", pool(name), "p_corrected")),
                ("odds_ratio", in_part("pooled", pool(name), "odds_ratio")),
                ("ci", in_part("pooled", pool(name), "odds_ratio_interval")),
            ],
            printed: vec![in_part("pooled", pool(name), "p")],
        },
        ["cmh_exact", name] => tails(
            [
                in_part("pooled", pool(name), "exact"),
                in_part("pooled_tests", pool(name), "exact_greater"),
                in_part("pooled_tests", pool(name), "exact_less"),
            ],
            in_part("pooled", pool(name), "exact"),
        ),
        ["breslow_day", name] => Place {
            wanted: vec![
                ("chi2", in_part("pooled_tests", pool(name), "breslow_day")),
                ("chi2_tarone", in_part("pooled_tests", pool(name), "breslow_day_tarone")),
                ("df", in_part("pooled_tests", pool(name), "df")),
                ("p", in_part("pooled_tests", pool(name), "p_breslow_day")),
                ("p_tarone", in_part("pooled", pool(name), "heterogeneity")),
            ],
            printed: Vec::new(),
        },
        ["family", baselines, method] => {
            let column = match (*baselines, *method) {
                ("internal", "holm") => "p_holm_internal",
                ("internal", _) => "p_bh_internal",
                (_, "holm") => "p_holm",
                _ => "p_bh",
            };
            let order = [
                "swe-bench-pro",
                "deepswe",
                "terminal-bench-2.1",
                "terminal-bench-3",
                "terminal-bench-4",
                "swe-marathon",
            ];
            Place {
                wanted: order.map(|benchmark| ("", in_part("families", benchmark, column))).to_vec(),
                printed: Vec::new(),
            }
        }
        [.., "mcnemar_bounds"] => Place {
            wanted: vec![
                ("p_min", in_part("tests", row, "mcnemar_least")),
                ("p_max", in_part("tests", row, "mcnemar_most")),
                ("discordant_min", in_part("tests", row, "discordant_least")),
                ("discordant_max", in_part("tests", row, "discordant_most")),
            ],
            printed: Vec::new(),
        },
        [_, "unscored", reading] => {
            let row = match *reading {
                "excluded8of66" => "terminal-bench-3.excluded",
                "counted8of74" => "terminal-bench-3.as_failures",
                _ => "terminal-bench-3.as_successes",
            };
            tails(
                ["p", "greater", "less"].map(|column| in_part("unscored", row, column)),
                in_part("unscored", row, "after"),
            )
        }
        ["tb21", "headroom"] => one(in_part("tests", "terminal-bench-2.1", "headroom")),
        ["near_miss", "p2p_kept"] => one(at("T10", "deepswe.base", "p2p_kept")),
        ["near_miss", "ge80"] => one(at("T10", "deepswe.base", "near_miss")),
        ["near_miss", "p2p_kept_ci"] => one(at("T10", "deepswe.base", "p2p_kept_interval")),
        ["near_miss", "ge80_ci"] => one(at("T10", "deepswe.base", "near_miss_interval")),
        [benchmark, "steps"] => one(at(&format!("T10.steps.base-rl.{benchmark}"), "steps.runs", "change")),
        other => panic!("a check of a new kind: {other:?}"),
    }
}

/// The numbers of a value: of a cell its share, or its limits.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => number.as_f64().into_iter().collect(),
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Object(cell) => match (cell.get("value"), cell.get("low"), cell.get("high")) {
            (Some(value), ..) => numbers(value),
            (None, Some(low), Some(high)) => [numbers(low), numbers(high)].concat(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Numbers as they are printed, with `<` and sign.
fn printed_numbers(text: &str) -> Vec<String> {
    // Counts in brackets stand beside a share and are no part of it.
    let text = text.split(" (").next().unwrap_or_default().replace('−', "-");
    let is_of_number = |letter: char| letter.is_ascii_digit() || ".<-".contains(letter);
    let pieces = text.split(|letter: char| !is_of_number(letter));
    pieces.filter(|piece| piece.contains(|letter: char| letter.is_ascii_digit())).map(str::to_owned).collect()
}

/// The same digits, or ours rounded to as many decimals as the paper has.
fn prints(ours: &str, paper: &str) -> bool {
    let decimals = paper.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    ours == paper || ours.parse::<f64>().is_ok_and(|value| format!("{value:.decimals$}") == paper)
}

fn failures(tables: &Tables, check: &Value) -> Vec<String> {
    let id = check["id"].as_str().unwrap();
    let place = place(id);
    let want = &check["want"];
    let tolerance = |key: &str| check["tol"][key].as_f64().unwrap();
    let mut found = Vec::new();
    let mut compare = |name: &str, got: &[f64], want: &[f64]| {
        let is_near =
            |got: f64, want: f64| (got - want).abs() <= tolerance("abs") + tolerance("rel") * want.abs();
        if got.len() != want.len() || !got.iter().zip(want).all(|(got, want)| is_near(*got, *want)) {
            found.push(format!("{id} {name}: got {got:?}, want {want:?}"));
        }
    };
    let cell = |(table, row, column): &(String, String, &str)| tables.cell(table, row, column);
    match want {
        Value::Null => {}
        Value::Object(fields) => {
            assert_eq!(fields.len(), place.wanted.len(), "{id}");
            for (name, at) in &place.wanted {
                compare(name, &numbers(&cell(at).0), &numbers(&fields[*name]));
            }
        }
        _ => {
            let got: Vec<f64> = place.wanted.iter().flat_map(|(_, at)| numbers(&cell(at).0)).collect();
            compare("", &got, &numbers(want));
        }
    }
    let paper = printed_numbers(check["printed"].as_str().unwrap());
    let ours: Vec<String> = place.printed.iter().flat_map(|at| printed_numbers(&cell(at).1)).collect();
    if !paper.is_empty()
        && (ours.len() != paper.len() || !ours.iter().zip(&paper).all(|(ours, paper)| prints(ours, paper)))
    {
        found.push(format!("{id}: prints {ours:?}, the paper {paper:?}"));
    }
    found
}

#[test]
fn every_value_of_the_rl_paper_stands_in_a_table() {
    let Some(path) = shared("vectors/papers/rl-transfer.json") else { return };
    let paper: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let out = tempfile::tempdir().unwrap();
    let study = "fixtures/studies/rl-transfer/study.toml";
    let ran = ethogram(&repository(), &["study", study, "--out", out.path().to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let tables = Tables::read(&out.path().join("report/tables"));
    let checks = paper["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 104);
    let has_cell = |check: &&Value| {
        let id = check["id"].as_str().unwrap();
        !NO_CELL.iter().any(|(kind, _)| id.starts_with(kind))
    };
    let failed: Vec<String> =
        checks.iter().filter(has_cell).flat_map(|check| failures(&tables, check)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(checks.len() - checks.iter().filter(has_cell).count(), 8, "checks without a cell");
}
