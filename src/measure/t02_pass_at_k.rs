//! T2: pass@k, pass^k, intersection and union by k (`definitions.md` §10, `statistics.md` §2).

use super::aggregates::{self, Total, TotalMeasure};
use super::columns::{numbers, words};
use super::comparison::CONFIDENCE;
use super::t01_pass::{Pass, measure, share_cell, total_interval};
use super::{Material, TableFamily, foot};
use crate::model::series::{Caption, Estimate, PassCurve, PassCurves, Series};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::stats;
use crate::store::StoreError;

/// Replicates of the bootstrap over instances.
const REPLICATES: usize = 10_000;

/// From this number of instances on the bootstrap's percentile interval is long enough (`statistics.md` §6).
const BOOTSTRAP_INSTANCES: usize = 30;

/// T2.
pub const TABLE: TableFamily = TableFamily {
    code: "T2",
    title: "pass@k and intersection@k by k",
    about: "Unbiased estimators over the scored runs of each instance, averaged over instances with at least k of them. \
            Interval: for k = 1 T1's, else bootstrap over instances, below 30 instances t. Runs are never pooled over instances.",
    queries: &["t01", "aggregates"],
    columns: &[
        ("benchmark", "benchmark"),
        ("arm", "arm"),
        ("k", "runs that are drawn of an instance"),
        ("pass_at_k", "unbiased pass@k, mean over instances with at least k scored runs"),
        ("interval", "95 % interval of pass@k"),
        ("pass_hat_k", "unbiased pass^k: all k runs resolve the instance, mean over the same instances"),
        ("intersection", "instances solved in all k runs, expected; with exactly k runs a plain count"),
        ("union", "instances solved in any of k runs, expected; with exactly k runs a plain count"),
        ("instances", "instances with at least k scored runs"),
        ("left_out", "instances with fewer, left out of this k"),
    ],
    paper: &[],
    build,
    series,
};

/// One k of one arm.
struct Point {
    k: u64,
    any: stats::MeanOverInstances,
    all: stats::MeanOverInstances,
    interval: Option<(f64, f64)>,
}

/// pass@1 is T1's figure and bears T1's interval: one number with two intervals would be read as two.
fn points(pass: &Pass, seed: u64) -> Vec<Point> {
    let counts = &pass.counts;
    let most = counts.iter().map(|count| count.0).max().unwrap_or_default();
    (1..=most)
        .map(|k| Point {
            k,
            any: stats::pass_at_k_mean(counts, k),
            all: stats::pass_hat_k_mean(counts, k),
            interval: if k == 1 { pass.interval } else { interval(counts, k, seed) },
        })
        .collect()
}

fn interval(counts: &[(u64, u64)], k: u64, seed: u64) -> Option<(f64, f64)> {
    let values: Vec<f64> = counts.iter().filter_map(|&(n, c)| stats::pass_at_k(n, c, k)).collect();
    let interval = if values.len() < BOOTSTRAP_INSTANCES {
        stats::paired_mean_ci(&values, CONFIDENCE)?.ci?
    } else {
        let bootstrap = stats::cluster_bootstrap_mean(&values, REPLICATES, seed, CONFIDENCE)?;
        bootstrap.bca.or((bootstrap.se > 0.0).then_some(bootstrap.percentile))?
    };
    Some((interval.low.max(0.0), interval.high.min(1.0)))
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let question = material.question;
    let mut rows = Vec::new();
    for arm in &question.arms {
        for benchmark in material.data.benchmarks_of(&arm.name) {
            let Some(outcomes) = material.data.outcomes_of(&arm.name, benchmark) else { continue };
            for point in points(&measure(outcomes), question.seed) {
                rows.push(row(&arm.name, benchmark, &point));
            }
        }
        rows.extend(total_rows(material.totals, &arm.name));
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut foot = vec![
        "unit=instance".to_owned(),
        format!(
            "interval of pass@1 as in T1; of pass@k=BCa bootstrap over instances, {REPLICATES} replicates, seed {}; \
             below {BOOTSTRAP_INSTANCES} instances t over instances",
            question.seed
        ),
        "instances with fewer than k scored runs are left out of that k and counted".to_owned(),
        "solved in all k and in any of k=sums over instances of pass^k and pass@k; with exactly k runs these are plain \
         counts"
            .to_owned(),
    ];
    foot.extend(foot::common(question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "mean over instances, %".to_owned(),
        columns: vec![
            words("benchmark", "benchmark"),
            words("arm", "arm"),
            numbers("k", "k", ""),
            numbers("pass_at_k", "pass@k", "%"),
            numbers("interval", "95 % interval", "%"),
            numbers("pass_hat_k", "pass^k", "%"),
            numbers("intersection", "solved in all k", "instances"),
            numbers("union", "solved in any of k", "instances"),
            numbers("instances", "instances", ""),
            numbers("left_out", "left out", "instances"),
        ],
        rows,
        foot,
        decimals: question.decimals.unwrap_or(2),
    }])
}

fn row(arm: &str, benchmark: &str, point: &Point) -> Row {
    let used = point.any.used as i64;
    let mean = |value: Option<f64>| {
        value.map_or(Cell::Missing(Missing::Undefined), |value| Cell::Mean { value, n: used })
    };
    let sum = |mean: &stats::MeanOverInstances| {
        mean.value.map_or(Cell::Missing(Missing::Undefined), |value| Cell::Quantity(value * mean.used as f64))
    };
    Row {
        id: format!("{benchmark}.{arm}.{}", point.k),
        cells: vec![
            Cell::Text(benchmark.to_owned()),
            Cell::Text(arm.to_owned()),
            Cell::Count(point.k as i64),
            mean(point.any.value),
            point
                .interval
                .map_or(Cell::Missing(Missing::Undefined), |(low, high)| Cell::Interval { low, high }),
            mean(point.all.value),
            sum(&point.all),
            sum(&point.any),
            Cell::Count(used),
            Cell::Count(point.any.left_out as i64),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}

/// Figures without runs, one row a benchmark, source and k.
fn total_rows(totals: &[Total], arm: &str) -> Vec<Row> {
    let is_of_k = |total: &&Total| {
        total.arm == arm
            && matches!(
                total.measure,
                TotalMeasure::Resolved | TotalMeasure::PassAtK | TotalMeasure::IntersectionAtK
            )
    };
    let mut keys: Vec<(&str, &str, i64)> = totals
        .iter()
        .filter(is_of_k)
        .map(|total| (total.benchmark.as_str(), total.source.as_str(), total.k))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let figure = |(benchmark, source, k): (&str, &str, i64), measure| {
        aggregates::of(totals, arm, benchmark, measure)
            .into_iter()
            .find(|total| total.source == source && total.k == k)
    };
    keys.into_iter()
        .filter_map(|key| {
            let any = match key.2 {
                1 => figure(key, TotalMeasure::Resolved).or(figure(key, TotalMeasure::PassAtK)),
                _ => figure(key, TotalMeasure::PassAtK),
            };
            total_row(key.2, any, figure(key, TotalMeasure::IntersectionAtK))
        })
        .collect()
}

fn total_row(k: i64, any: Option<&Total>, all: Option<&Total>) -> Option<Row> {
    let total = any.or(all)?;
    let undefined = Cell::Missing(Missing::Undefined);
    let share = |total: Option<&Total>| total.map_or(undefined.clone(), share_cell);
    // Of one k, counts are instances; of pass@1 over several runs they are runs.
    let counts = |total: Option<&Total>| total.and_then(|total| total.counts).filter(|_| k > 1);
    let solved = |total| counts(total).map_or(undefined.clone(), |(num, _)| Cell::Count(num));
    let interval = any.and_then(total_interval).filter(|_| k == 1);
    Some(Row {
        id: format!("{}.{}.{k}", total.benchmark, total.row_name()),
        cells: vec![
            Cell::Text(total.benchmark.clone()),
            Cell::Text(total.name()),
            Cell::Count(k),
            share(any),
            interval.map_or(undefined.clone(), |(low, high)| Cell::Interval { low, high }),
            share(all),
            solved(all),
            solved(any),
            counts(any.or(all)).map_or(undefined.clone(), |(_, den)| Cell::Count(den)),
            undefined.clone(),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    })
}

/// pass@k curves, one chart a benchmark with several runs an instance.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let question = material.question;
    let mut benchmarks: Vec<&str> =
        question.arms.iter().flat_map(|arm| material.data.benchmarks_of(&arm.name)).collect();
    benchmarks.sort_unstable();
    benchmarks.dedup();
    let mut found = Vec::new();
    for benchmark in benchmarks {
        let curves: Vec<PassCurve> = question
            .arms
            .iter()
            .filter_map(|arm| {
                let points =
                    points(&measure(material.data.outcomes_of(&arm.name, benchmark)?), question.seed);
                (points.len() > 1).then(|| curve(arm.label(), &points))
            })
            .collect();
        if curves.is_empty() {
            continue;
        }
        let caption = Caption {
            title: format!("pass@k on {benchmark}"),
            subtitle: "any of k (solid) and all of k (dashed), mean over instances, %".to_owned(),
            foot: "unit: instance; band: 95 % interval of any of k, bootstrap over instances (k = 1: Wilson)"
                .to_owned(),
        };
        let stem =
            if found.is_empty() { "pass_curves".to_owned() } else { format!("pass_curves.{benchmark}") };
        found.push((stem, Series::PassCurves(PassCurves { caption, curves })));
    }
    Ok(found)
}

fn curve(arm: crate::model::series::ArmLabel, points: &[Point]) -> PassCurve {
    let estimate = |mean: &stats::MeanOverInstances, interval| Estimate {
        value: mean.value,
        interval,
        num: None,
        n: mean.used as i64,
    };
    PassCurve {
        arm,
        any: points.iter().map(|point| (point.k as i64, estimate(&point.any, point.interval))).collect(),
        all: points.iter().map(|point| (point.k as i64, estimate(&point.all, None))).collect(),
    }
}
