//! Scores from elsewhere that stand beside a series (`external = "conventional.csv"`), and the study's own rows of
//! benchmarks (`benchmarks = "benchmarks.csv"`): small tables, read strictly (`interface.md`, study file).

use std::path::Path;

use regex::Regex;

use super::csv_table::{CsvRow, CsvTable};
use super::error::StepError;
use crate::data::benchmarks::{row_of, test_groups_of};
use crate::model::nearest::nearest_hint;
use crate::model::{Benchmark, Problem, TaskKind};
use crate::store::Input;

/// One score.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// Arm of the study.
    pub arm: String,
    /// What it measures.
    pub measure: String,
    /// The score.
    pub value: f64,
    /// Who says so.
    pub source: Option<String>,
}

/// Reads scores of arms.
///
/// # Errors
/// The file cannot be read, or its head is not understood.
pub fn scores(path: &Path, arms: &[&str]) -> Result<(Vec<External>, Vec<Problem>, Input), StepError> {
    let known = ["arm", "measure", "value", "source"];
    let table = CsvTable::read(path, "external scores", &known, &["arm", "measure", "value"])?;
    let mut seen: Vec<(String, String)> = Vec::new();
    let (rows, problems) = table.parse(|row| {
        let arm = row.needed("arm")?;
        if !arms.contains(&arm) {
            return Err(format!("`{arm}` is no arm of the series{}", nearest_hint(arm, arms)));
        }
        let key = (arm.to_owned(), row.needed("measure")?.to_owned());
        let value = row.number("value")?.ok_or("`value` is empty")?;
        if seen.contains(&key) {
            return Err(format!("{} of `{arm}` stands twice", key.1));
        }
        seen.push(key.clone());
        Ok(External { arm: key.0, measure: key.1, value, source: row.text("source").map(str::to_owned) })
    });
    Ok((rows, problems, table.input))
}

/// Columns of the study's own rows of benchmarks, as `ethogram list benchmarks` has them.
const BENCHMARK_COLUMNS: [&str; 10] =
    ["name", "version", "family", "kind", "id_pattern", "n", "released", "harness", "test_groups", "policy"];

/// Reads the study's own rows of benchmarks. A row of a known name changes the fields that it gives.
///
/// # Errors
/// The file cannot be read, or a row is not understood: what a benchmark is decides how everything is read.
pub fn benchmarks(path: &Path) -> Result<Vec<Benchmark>, StepError> {
    let table = CsvTable::read(path, "benchmarks", &BENCHMARK_COLUMNS, &["name"])?;
    let mut names: Vec<String> = Vec::new();
    let (rows, problems) = table.parse(|row| {
        let found = benchmark(row)?;
        if names.contains(&found.name) {
            return Err(format!("`{}` stands twice", found.name));
        }
        names.push(found.name.clone());
        Ok(found)
    });
    match problems.first() {
        None => Ok(rows),
        Some(problem) => Err(StepError::StudyTable {
            path: path.to_owned(),
            what: format!("{}: {}", problem.place, problem.what),
        }),
    }
}

fn benchmark(row: &CsvRow) -> Result<Benchmark, String> {
    let kinds = TaskKind::ALL.map(TaskKind::as_str);
    let kind = row
        .text("kind")
        .map(|word| {
            TaskKind::parse(word).ok_or_else(|| format!("`{word}` is no kind{}", nearest_hint(word, &kinds)))
        })
        .transpose()?;
    let mut found = row_of(row.needed("name")?, kind);
    let given = |column: &str| row.text(column).map(str::to_owned);
    if let Some(pattern) = row.text("id_pattern") {
        Regex::new(pattern).map_err(|error| format!("`id_pattern` is no regular expression: {error}"))?;
    }
    found.kind = kind.unwrap_or(found.kind);
    found.version = given("version").or(found.version);
    found.family = given("family").unwrap_or(found.family);
    found.id_pattern = given("id_pattern").or(found.id_pattern);
    found.n = row.count("n")?.or(found.n);
    found.released = row.day("released")?.or(found.released);
    found.harness = given("harness").or(found.harness);
    found.test_groups = row.text("test_groups").map_or(found.test_groups, test_groups_of);
    found.policy = given("policy").unwrap_or(found.policy);
    Ok(found)
}
