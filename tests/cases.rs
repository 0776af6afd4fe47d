//! The shared cases, run as a user would run them: the program in the folder of the case, what it prints and stores held
//! against `expected.json`.

mod contained;
mod musts;

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, ethogram, folders, shared, skipped, table};

/// One case in a folder of its own, so that nothing is written beside the shared data.
struct Case {
    name: String,
    folder: TempDir,
    expected: Value,
}

impl Case {
    /// Copies a case and makes its input; `None` where it is not there, or its generator cannot run.
    fn open(name: &str) -> Option<Case> {
        let source = shared(&format!("cases/{name}"))?;
        let folder = tempfile::tempdir().unwrap();
        copy(&source, folder.path());
        let expected = serde_json::from_slice(&std::fs::read(source.join("expected.json")).unwrap()).unwrap();
        if source.join("gen.py").exists() {
            let made =
                std::process::Command::new("python3").arg("gen.py").current_dir(folder.path()).status();
            if !made.is_ok_and(|status| status.success()) {
                skipped(&format!("python3 could not make the input of {name}"));
                return None;
            }
        }
        Some(Case { name: name.to_owned(), folder, expected })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        ethogram(self.path(), arguments)
    }

    /// The store of `study`.
    fn store(&self) -> PathBuf {
        self.path().join("out/store")
    }

    fn study(&self) -> Ran {
        self.run(&["study", "input/study.toml", "--out", "out"])
    }

    /// What its command gives that is not wanted.
    fn differences(&self) -> Vec<String> {
        let command = self.expected["command"].as_str().unwrap();
        let (ran, mut found) = match command {
            "inspect" => self.inspected(&["inspect", "--turns", "input"]),
            "tags" => self.inspected(&["inspect", "--turns", "--tags", "input"]),
            "study" => self.studied(),
            other => panic!("{}: no test runs `{other}`", self.name),
        };
        if self.expected["exit"].as_i64().is_some_and(|code| code != i64::from(ran.code)) {
            found.push(format!("want exit {}, got {}: {}", self.expected["exit"], ran.code, ran.stderr));
        }
        found.into_iter().map(|difference| format!("{}: {difference}", self.name)).collect()
    }

    fn inspected(&self, arguments: &[&str]) -> (Ran, Vec<String>) {
        let ran = self.run(arguments);
        let objects = ran.objects();
        let without_parent: Vec<&Value> =
            objects.iter().filter(|object| object["parent"].is_null()).collect();
        let mut found = match (&self.expected["want"], without_parent.as_slice()) {
            (Value::Array(want), _) => {
                contained::differences(&Value::Array(want.clone()), &objects.clone().into())
            }
            (want, [one]) => contained::differences(want, one),
            (_, others) => vec![format!("{} trajectories without a parent: {}", others.len(), ran.stderr)],
        };
        match self.expected["problems"].as_array().map(Vec::as_slice) {
            Some([]) => found.extend(
                objects
                    .iter()
                    .flat_map(|object| object["problems"].as_array().unwrap())
                    .map(|problem| format!("no problem is wanted, got {problem}")),
            ),
            Some(want) => found.extend(contained::problems(want, &objects, &ran.stderr)),
            None => {}
        }
        (ran, found)
    }

    fn studied(&self) -> (Ran, Vec<String>) {
        let ran = self.study();
        let Some(want) = self.expected["want"].as_object() else { return (ran, Vec::new()) };
        if !self.store().join("manifest.json").exists() {
            let found = vec![format!("no store, exit {}: {}", ran.code, ran.stderr)];
            return (ran, found);
        }
        let tables = want.iter().flat_map(|(name, rows)| {
            contained::rows(name, rows.as_array().unwrap(), &table(&self.store(), name))
        });
        let found = tables.collect();
        (ran, found)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            std::fs::create_dir_all(&to).unwrap();
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

/// All cases of an area, by name; those of `render` hold only what `musts` holds.
fn of_area(area: &str) -> Vec<String> {
    let Some(root) = shared(&format!("cases/{area}")) else { return Vec::new() };
    let names = folders(&root)
        .into_iter()
        .map(|folder| format!("{area}/{}", folder.file_name().unwrap().to_str().unwrap()));
    names.collect()
}

/// Runs the cases of an area; how many must be there, so that none is lost unseen.
fn check(area: &str, least: usize) {
    let names = of_area(area);
    let mut found = Vec::new();
    let mut run = 0;
    for case in names.iter().filter_map(|name| Case::open(name)) {
        if case.expected["command"] != "render" && case.expected["command"] != "stats" {
            run += 1;
            found.extend(case.differences());
        }
    }
    assert!(names.is_empty() || run >= least, "{area}: only {run} cases");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn cases_of_parse_hold() {
    check("parse", 5);
}

#[test]
fn cases_of_classify_hold() {
    check("classify", 20);
}

#[test]
fn cases_of_outcome_hold() {
    check("outcome", 10);
}

#[test]
fn cases_of_statistics_that_are_studies_hold() {
    check("stats", 3);
}

#[test]
fn cases_of_security_hold() {
    check("security", 0);
}
