//! T10 from figures that are known without runs: near misses, kept tests and medians of steps as somebody counted them
//! (`interface.md`, study file). Nothing is tested: a median without its runs has no test.

use super::aggregates::{self, Total, TotalMeasure};
use super::t01_pass::{share_cell, total_interval};
use super::t10_steps::{self, columns};
use super::{Material, foot};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::stats;

/// Measures of the table of near misses.
const MEASURES: [TotalMeasure; 3] =
    [TotalMeasure::NearMiss, TotalMeasure::P2pKept, TotalMeasure::StepsMedian];

/// Rows of an arm, one a benchmark and source.
pub fn rows(totals: &[Total], arm: &str) -> Vec<Row> {
    let of_arm = totals.iter().filter(|total| total.arm == arm && MEASURES.contains(&total.measure));
    let mut keys: Vec<(&str, &str)> =
        of_arm.map(|total| (total.benchmark.as_str(), total.source.as_str())).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().filter_map(|(benchmark, source)| row(totals, arm, benchmark, source)).collect()
}

fn row(totals: &[Total], arm: &str, benchmark: &str, source: &str) -> Option<Row> {
    let figure = |measure| {
        aggregates::of(totals, arm, benchmark, measure).into_iter().find(|total| total.source == source)
    };
    let [near, kept, steps] = MEASURES.map(figure);
    let total = near.or(kept).or(steps)?;
    let unknown = || Cell::Missing(Missing::Undefined);
    let share = |total: Option<&Total>| total.map_or_else(unknown, share_cell);
    let interval = |total: Option<&Total>| match total.and_then(total_interval) {
        Some((low, high)) => Cell::Interval { low, high },
        None => unknown(),
    };
    let graded = near.or(kept).and_then(|total| total.counts);
    Some(Row {
        id: format!("{benchmark}.{}", total.row_name()),
        cells: vec![
            Cell::Text(benchmark.to_owned()),
            Cell::Text(total.name()),
            unknown(),
            graded.map_or_else(unknown, |(_, den)| Cell::Count(den)),
            share(near),
            interval(near),
            unknown(),
            unknown(),
            unknown(),
            share(kept),
            interval(kept),
            unknown(),
            unknown(),
            steps.and_then(|total| total.value).map_or_else(unknown, Cell::Quantity),
            unknown(),
            unknown(),
            unknown(),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    })
}

/// Change of the two medians, pair by pair, on benchmarks of which no runs are compared.
pub fn steps(material: &Material) -> Vec<Table> {
    let mut found = Vec::new();
    for (base, trained) in &material.question.pairs {
        for benchmark in aggregates::benchmarks_of(material.totals, base, TotalMeasure::StepsMedian) {
            let is_compared = material.comparisons.iter().any(|comparison| {
                comparison.base == *base
                    && comparison.trained == *trained
                    && comparison.benchmark == benchmark
            });
            if !is_compared {
                found.extend(steps_of(material, base, trained, benchmark));
            }
        }
    }
    found
}

fn steps_of(material: &Material, base: &str, trained: &str, benchmark: &str) -> Option<Table> {
    let median =
        |arm| aggregates::headline(material.totals, arm, benchmark, TotalMeasure::StepsMedian)?.value;
    let (before, after) = (median(base)?, median(trained)?);
    let change = stats::relative_change(before, after);
    let not_known = || Cell::Missing(Missing::Undefined);
    let mut cells = vec![
        Cell::Text("steps".to_owned()),
        Cell::Text("all runs".to_owned()),
        Cell::Quantity(before),
        Cell::Quantity(after),
        change.map_or_else(not_known, Cell::Delta),
    ];
    let columns = columns(base, trained);
    cells.resize_with(columns.len(), not_known);
    let mut foot = vec![
        "change=(trained − base) / base of the two medians: change of medians, not median of changes"
            .to_owned(),
        "medians as given, without their runs: no interval and no test".to_owned(),
    ];
    foot.extend(foot::common(material.question));
    Some(Table {
        code: t10_steps::TABLE.code.to_owned(),
        id: format!("{}.{base}-{trained}.{benchmark}", t10_steps::TABLE.code),
        title: format!("steps per task, {base} against {trained} on {benchmark}"),
        subtitle: "all runs, resolved or not; change of medians in %".to_owned(),
        columns,
        rows: vec![Row {
            id: "steps.runs".to_owned(),
            cells,
            strong: false,
            group: String::new(),
            notes: Vec::new(),
        }],
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    })
}
