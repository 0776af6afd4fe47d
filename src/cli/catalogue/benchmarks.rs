//! Benchmarks that are known by name.

use super::entry::{self, Entry};
use super::markdown::{fenced, paragraph};
use crate::data::benchmarks::benchmarks as rows;
use crate::model::Benchmark;

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
    let mut body = paragraph(&format!("Kind of task: {line}."));
    match &benchmark.id_pattern {
        Some(pattern) => {
            body.push_str(&format!("\nAll its instance ids fit:\n\n{}", fenced("text", pattern)));
        }
        None => body.push_str("\nIts ids have no shape of their own: name it with `--benchmark`.\n"),
    }
    Entry { kind: "benchmark", name: benchmark.name.clone(), aliases: Vec::new(), line, body }
}

/// `docs/benchmarks.md`.
pub fn page() -> String {
    let about = paragraph(
        "`--benchmark NAME`, or `benchmark = \"NAME\"` in the study file, names it; else it is the one row whose pattern fits \
         all instance ids of an arm. Where several fit, or none, it is `unnamed`, which changes no table but has no policy. A \
         benchmark that is not in this list may be named too. The kind decides the stages of the funnel.",
    );
    entry::page("Benchmarks", &about, &benchmarks())
}
