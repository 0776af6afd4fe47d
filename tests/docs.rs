//! The pages of `docs/`: generated ones equal what the code renders, all name what the code has, and the commands that
//! they show run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use ethogram::behaviours::BEHAVIOURS;
use ethogram::charts::CHARTS;
use ethogram::formats::FORMATS;
use ethogram::measure::TABLES;
use ethogram::outcomes::OUTCOMES;
use ethogram::runners::RUNNERS;
use ethogram::store::SCHEMAS;
use ethogram::tags::FAMILIES;

use crate::support::{golden, repository};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ethogram");

#[test]
fn generated_pages_are_what_the_code_says() {
    for (name, text) in ethogram::cli::pages() {
        golden(&repository().join("docs").join(&name), &text);
    }
}

#[test]
fn pages_are_of_no_machine_and_no_day() {
    for (name, text) in ethogram::cli::pages() {
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name} ends in one line break");
        if let Some(machine) = crate::support::machine_path() {
            assert!(!text.contains(&machine), "{name} names a folder of this machine");
        }
        let trailing = text.lines().position(|line| line.ends_with(' '));
        assert!(trailing.is_none(), "{name}:{}: a blank at the end", trailing.unwrap_or_default() + 1);
    }
}

/// Every registered thing stands in a page under its own name.
#[test]
fn everything_registered_is_documented() {
    let pages = ethogram::cli::pages();
    let page = |name: &str| &pages.iter().find(|(page, _)| *page == name).unwrap().1;
    let mut wanted: Vec<(&str, String)> = Vec::new();
    wanted.extend(FORMATS.iter().map(|format| ("formats.md", format!("\n## {}\n", format.name))));
    wanted.extend(OUTCOMES.iter().map(|shape| ("formats.md", format!("| `{}` |", shape.name))));
    wanted.extend(RUNNERS.iter().map(|runner| ("runners.md", format!("\n## {}\n", runner.name))));
    wanted.extend(FAMILIES.iter().map(|family| ("tags.md", format!("| [{0}](tags/{0}.md) |", family.name))));
    let tags = FAMILIES.iter().flat_map(|family| family.tags);
    wanted.extend(tags.map(|(tag, meaning)| ("tags.md", format!("| `{}` | {meaning} |", tag.label()))));
    wanted.extend(BEHAVIOURS.iter().map(|behaviour| ("behaviours.md", format!("\n## {}\n", behaviour.code))));
    wanted.extend(TABLES.iter().map(|table| ("tables.md", format!("\n## {}\n", table.code))));
    wanted.extend(CHARTS.iter().map(|chart| ("tables.md", format!("| `{}` |", chart.name))));
    wanted.extend(SCHEMAS.iter().map(|schema| ("schema.md", format!("\n## {}\n", schema.table))));
    for (name, text) in wanted {
        assert!(page(name).contains(&text), "docs/{name} lacks {text:?}");
    }
}

fn run(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// `explain` prints the section of the page, so that a terminal and the page never say two things.
#[test]
fn explain_and_the_pages_say_the_same() {
    for (page, code) in [
        ("behaviours.md", "autonomous_edit"),
        ("tables.md", "T5"),
        ("formats.md", "swe-agent-0.x"),
        ("runners.md", "pytest"),
        ("schema.md", "turn_facts"),
    ] {
        let text = fs::read_to_string(repository().join("docs").join(page)).unwrap();
        let section = text.split(&format!("\n## {code}\n\n")).nth(1).unwrap().split("\n## ").next().unwrap();
        let section = section.split("\n# ").next().unwrap();
        let said = run(&["explain", code]);
        assert!(said.contains(section.trim_end()), "explain {code} and docs/{page} differ");
    }
}

#[test]
fn explain_and_the_page_of_a_rule_say_the_same() {
    for family in FAMILIES {
        let page = repository().join("docs/tags").join(family.name).with_extension("md");
        let text = fs::read_to_string(page).unwrap();
        for part in
            ["**What is tagged.**", "**Why it is counted.**", "**What it does not show.**", "**Measured.**"]
        {
            assert!(text.contains(part), "{}: {part}", family.name);
        }
        let body = text.split("-->\n\n").nth(1).unwrap();
        let said = run(&["explain", family.name]);
        assert!(said.contains(body.trim_end()), "explain {0} and docs/tags/{0}.md differ", family.name);
    }
}

#[test]
fn an_unknown_code_is_a_usage_error_that_names_the_nearest() {
    let output = Command::new(PROGRAM).args(["explain", "autonomus_edit"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("did you mean `autonomous_edit`?"), "{said}");
}

/// The first study, run once for all tests of this file.
fn first_study() -> &'static Path {
    static OUT: OnceLock<PathBuf> = OnceLock::new();
    OUT.get_or_init(|| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs-first-study");
        let _ = fs::remove_dir_all(&out);
        run(&["study", "fixtures/studies/first/study.toml", "--out", out.to_str().unwrap()]);
        out
    })
}

/// The study of totals, run once.
fn totals_study() -> &'static Path {
    static OUT: OnceLock<PathBuf> = OnceLock::new();
    OUT.get_or_init(|| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs-totals-study");
        let _ = fs::remove_dir_all(&out);
        run(&["study", "fixtures/studies/rl-transfer/study.toml", "--out", out.to_str().unwrap()]);
        out
    })
}

/// The study of many arms, run once.
fn arms_study() -> &'static Path {
    static OUT: OnceLock<PathBuf> = OnceLock::new();
    OUT.get_or_init(|| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs-arms-study");
        let _ = fs::remove_dir_all(&out);
        run(&["study", "fixtures/studies/asap/study.toml", "--out", out.to_str().unwrap()]);
        out
    })
}

/// Tables of studies with many arms: series, factors, systems.
const OF_ARMS: [&str; 3] = ["T3", "T6", "T7"];

/// Tables that a study of logs on one benchmark does not have.
const OF_TOTALS: [&str; 1] = ["T9"];

/// Columns of all tables of a code by name, an arm's name before a point taken as `ARM`.
fn printed_columns(code: &str) -> BTreeSet<String> {
    let study = match code {
        code if OF_TOTALS.contains(&code) => totals_study(),
        code if OF_ARMS.contains(&code) => arms_study(),
        _ => first_study(),
    };
    let store = study.join("store");
    let json = run(&["report", store.to_str().unwrap(), code, "--format", "json"]);
    let tables = serde_json::Deserializer::from_str(&json).into_iter::<serde_json::Value>();
    let columns = tables.flat_map(|table| table.unwrap()["columns"].as_array().unwrap().clone());
    columns
        .map(|column| column["name"].as_str().unwrap().to_owned())
        .map(|name| match name.rsplit_once('.') {
            Some((_, rest)) if code == "T6" && ["pass_at_1", "interval"].contains(&rest) => {
                format!("SYSTEM.{rest}")
            }
            _ if code == "T6" => "FACTOR".to_owned(),
            _ => name,
        })
        .map(|name| {
            let of_arm = ["base.", "rl."].iter().find_map(|arm| name.strip_prefix(arm));
            of_arm.map_or_else(|| name.clone(), |rest| format!("ARM.{rest}"))
        })
        .collect()
}

/// Columns that a table has only where the data ask for them; here they do not.
const ASKED_FOR: [(&str, &str); 4] =
    [("T1", "mean_reward"), ("T3", "external.NAME"), ("T9", "gain_instances"), ("T9", "gain_sets")];

/// What the catalogue says of a table's columns is what the table has.
#[test]
fn every_printed_column_is_documented() {
    for family in TABLES {
        let documented: BTreeSet<String> =
            family.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(documented.len(), family.columns.len(), "{}: a column twice", family.code);
        let mut printed = printed_columns(family.code);
        if family.code == "funnel" {
            printed.extend(printed_columns("decomposition"));
        }
        for (_, column) in ASKED_FOR.iter().filter(|(code, _)| *code == family.code) {
            assert!(printed.insert((*column).to_owned()), "{}: {column} is printed", family.code);
        }
        assert_eq!(printed, documented, "{}", family.code);
    }
}

/// Shell blocks of a page that follow `<!-- run -->`, in order.
fn runnable(page: &str) -> Vec<String> {
    let marked = page.split("<!-- run -->\n```sh\n").skip(1);
    marked.map(|rest| rest.split("\n```").next().unwrap().to_owned()).collect()
}

/// The blocks run one after another in one folder that holds the fixtures, with our program first on the path; those
/// of README follow its first command.
#[test]
fn commands_of_guide_and_readme_run() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(repository().join("fixtures"), folder.path().join("fixtures")).unwrap();
    let path = format!(
        "{}:{}",
        Path::new(PROGRAM).parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for (name, least) in [("docs/guide.md", 10), ("README.md", 1)] {
        let page = fs::read_to_string(repository().join(name)).unwrap();
        let blocks = runnable(&page);
        assert!(blocks.len() >= least, "{name} shows commands");
        for block in blocks {
            let shell = Command::new("sh")
                .args(["-euc", &block])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&shell.stderr);
            assert!(shell.status.success(), "{name}:\n{block}\n{said}");
        }
    }
}

/// The statement of `docs/validation/bench_counts.sql` passes the lint and gives a row a trajectory.
#[test]
fn the_counts_of_the_generated_corpus_are_a_query() {
    let statement = fs::read_to_string(repository().join("docs/validation/bench_counts.sql")).unwrap();
    let store = first_study().join("store");
    let csv = run(&["query", store.to_str().unwrap(), &statement, "--format", "csv"]);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("arm,run,instance,turns,explore,edit,test,test_failed,network,repeat,loop,submitted,resolved")
    );
    assert_eq!(lines.count(), 24, "two arms, six instances, two runs");
}
