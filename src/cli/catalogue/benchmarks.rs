//! Benchmarks that are known by name.

use super::entry::{self, Entry};
use super::markdown::{fenced, paragraph};
use crate::data::benchmarks::benchmarks as rows;
use crate::model::{Benchmark, time};

/// All known benchmarks.
pub fn benchmarks() -> Vec<Entry> {
    rows().map(entry_of).collect()
}

fn entry_of(benchmark: &Benchmark) -> Entry {
    let instances = benchmark.n.map_or_else(String::new, |n| format!(", {n} instances"));
    let line = format!(
        "{}{instances}, family {}, network policy {}",
        benchmark.kind.as_str(),
        benchmark.family,
        benchmark.policy
    );
    let mut body = paragraph(&format!("Kind of task: {line}.{}", known_besides(benchmark)));
    match &benchmark.id_pattern {
        Some(pattern) => {
            body.push_str(&format!("\nAll its instance ids fit:\n\n{}", fenced("text", pattern)));
        }
        None => body.push_str("\nIts ids have no shape of their own: name it with `--benchmark`.\n"),
    }
    Entry { kind: "benchmark", name: benchmark.name.clone(), aliases: Vec::new(), line, body }
}

/// Day of release, harness and groups of tests, as far as they are known.
fn known_besides(benchmark: &Benchmark) -> String {
    let mut said = String::new();
    if let Some(released) = benchmark.released {
        said.push_str(&format!(" Released {}.", time::day(released)));
    }
    if let Some(harness) = &benchmark.harness {
        said.push_str(&format!(" Harness of its leaderboard: {harness}."));
    }
    if !benchmark.test_groups.is_empty() {
        said.push_str(&format!(" Groups of tests: {}.", benchmark.test_groups.join(", ")));
    }
    said
}

/// `docs/benchmarks.md`.
pub fn page() -> String {
    let about = paragraph(
        "`--benchmark NAME`, or `benchmark = \"NAME\"` in the study file, names it; else it is the one row whose pattern fits \
         all instance ids of an arm. Where several fit, or none, it is `unnamed`, which changes no table but has no policy. A \
         benchmark that is not in this list may be named too, and `benchmarks = \"FILE.csv\"` in the study file adds rows or \
         changes fields of known ones: its columns are `name`, `version`, `family`, `kind`, `id_pattern`, `n`, `released`, \
         `harness`, `test_groups`, `policy`, of which only `name` is needed. The kind decides the stages of the funnel.",
    );
    entry::page("Benchmarks", &about, &benchmarks())
}
