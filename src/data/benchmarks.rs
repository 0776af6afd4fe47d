//! What is known of benchmarks (`benchmarks.csv`) and which one an arm runs on (`interface.md`, Benchmark).
//! Never opens a log: it sees the name that somebody gave, and the ids that paths and outcome files show.

use std::sync::LazyLock;

use regex::Regex;

use super::csv;
use crate::model::{Benchmark, TaskKind, time};

/// Where a benchmark's name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BenchmarkSource {
    /// An option, the study, the arm or the head of a job or log named it.
    Named,
    /// All ids fit the pattern of one benchmark only.
    Ids,
    /// No benchmark fits, or several do.
    None,
}

impl BenchmarkSource {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            BenchmarkSource::Named => "named",
            BenchmarkSource::Ids => "ids",
            BenchmarkSource::None => "none",
        }
    }
}

/// The benchmark of an arm, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledBenchmark {
    /// The row; `unnamed` where none could be told.
    pub benchmark: Benchmark,
    /// The name or the ids tell the kind of task; otherwise each log has that of its own format.
    pub is_kind_told: bool,
    /// Who says so.
    pub source: BenchmarkSource,
    /// Names of all benchmarks whose pattern fits every id: several cannot be told apart, the user must choose.
    pub fitting: Vec<String>,
}

/// The name where no benchmark could be told.
pub const UNNAMED: &str = "unnamed";

/// The policy where nothing is said.
const NO_POLICY: &str = "none";

/// All known benchmarks, in the order of the file.
pub fn benchmarks() -> impl Iterator<Item = &'static Benchmark> {
    ROWS.iter().map(|(row, _)| row)
}

/// Settles the benchmark of an arm. `named` is what an option, the study, the arm or a job's head says;
/// `ids` are the instance ids that paths and outcome files show. A kind of task that none of these tells is for each log
/// to tell (`kind_of_ids`, its format); until then it is `repo`.
pub fn settle_benchmark(named: Option<&str>, ids: &[&str]) -> SettledBenchmark {
    settle_with(&[], named, ids)
}

/// The same with rows of the study's own, which stand before known ones of the same name.
pub fn settle_with(own: &[Benchmark], named: Option<&str>, ids: &[&str]) -> SettledBenchmark {
    let fitting = fitting_rows(own, ids);
    let names: Vec<String> = fitting.iter().map(|row| row.name.clone()).collect();
    let common = common_kind(&fitting);
    let unknown = |name: &str| (unknown(name, common.unwrap_or(TaskKind::Repo)), common.is_some());
    let of_row = |row: &Benchmark| (row.clone(), true);
    let ((benchmark, is_kind_told), source) = match (named, fitting.as_slice()) {
        (Some(name), _) => (known(own, name).map_or_else(|| unknown(name), of_row), BenchmarkSource::Named),
        (None, [only]) => (of_row(only), BenchmarkSource::Ids),
        (None, _) => (unknown(UNNAMED), BenchmarkSource::None),
    };
    SettledBenchmark { benchmark, is_kind_told, source, fitting: names }
}

/// The kind of task that the patterns of all benchmarks agree on which fit these ids.
pub fn kind_of_ids(ids: &[&str]) -> Option<TaskKind> {
    common_kind(&fitting_rows(&[], ids))
}

/// The row of a name, whose case, spaces and underscores do not matter (`SWE-bench_Verified`).
fn known<'a>(own: &'a [Benchmark], name: &str) -> Option<&'a Benchmark> {
    let plain = plain_name(name);
    let is_named = |row: &&Benchmark| row.name == plain || row.name == name;
    own.iter().find(is_named).or_else(|| benchmarks().find(is_named))
}

/// The row to which a study's own line of a name adds: the known one, else a new one of this kind.
pub fn row_of(name: &str, kind: Option<TaskKind>) -> Benchmark {
    known(&[], name).cloned().unwrap_or_else(|| unknown(name.trim(), kind.unwrap_or(TaskKind::Repo)))
}

fn plain_name(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// A row for a benchmark that the file does not know: a family of its own, without policy.
fn unknown(name: &str, kind: TaskKind) -> Benchmark {
    Benchmark {
        name: name.to_owned(),
        version: None,
        family: name.to_owned(),
        kind,
        id_pattern: None,
        n: None,
        released: None,
        harness: None,
        test_groups: Vec::new(),
        policy: NO_POLICY.to_owned(),
    }
}

/// Rows whose pattern fits every id. No ids fit nothing.
fn fitting_rows<'a>(own: &'a [Benchmark], ids: &[&str]) -> Vec<&'a Benchmark> {
    if ids.is_empty() {
        return Vec::new();
    }
    let fits = |pattern: &Regex| ids.iter().all(|id| pattern.is_match(id));
    let compiled = |row: &Benchmark| row.id_pattern.as_deref().and_then(|text| Regex::new(text).ok());
    let of_study = own.iter().filter(|row| compiled(row).is_some_and(|pattern| fits(&pattern)));
    let is_own = |row: &Benchmark| own.iter().any(|known| known.name == row.name);
    let of_list = ROWS
        .iter()
        .filter(|(row, pattern)| !is_own(row) && pattern.as_ref().is_some_and(fits))
        .map(|(row, _)| row);
    let mut found: Vec<&'a Benchmark> = of_study.collect();
    found.extend(of_list);
    found
}

/// The kind that all fitting rows share.
fn common_kind(rows: &[&Benchmark]) -> Option<TaskKind> {
    let first = rows.first()?.kind;
    rows.iter().all(|row| row.kind == first).then_some(first)
}

static ROWS: LazyLock<Vec<(Benchmark, Option<Regex>)>> = LazyLock::new(|| {
    csv::records(include_str!("benchmarks.csv")).iter().skip(1).map(|row| parse(row)).collect()
});

/// Names of groups of tests, separated by blanks.
pub fn test_groups_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// One line of the file. A test reads every line, so that a malformed one never ships.
fn parse(fields: &[String]) -> (Benchmark, Option<Regex>) {
    let [name, version, family, kind, id_pattern, n, released, harness, test_groups, policy] = fields else {
        panic!("benchmarks.csv has ten columns: {fields:?}");
    };
    let given = |text: &String| (!text.is_empty()).then(|| text.clone());
    let row = Benchmark {
        name: name.clone(),
        version: given(version),
        family: family.clone(),
        kind: TaskKind::parse(kind).expect("kinds of benchmarks.csv are known"),
        id_pattern: given(id_pattern),
        n: given(n).map(|n| n.parse().expect("n of benchmarks.csv is a number")),
        released: given(released).map(|day| time::iso(&day).expect("released of benchmarks.csv is a day")),
        harness: given(harness),
        test_groups: test_groups_of(test_groups),
        policy: policy.clone(),
    };
    let pattern = given(id_pattern).map(|pattern| Regex::new(&pattern).expect("valid pattern"));
    (row, pattern)
}
