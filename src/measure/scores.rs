//! The score of an arm on a benchmark, from its runs or from the figure that stands for it: what the tables set beside
//! one another that read many arms (T3, T6, T7). Makes no test; intervals are T1's.

use std::collections::BTreeMap;

use super::aggregates::{self, TotalMeasure};
use super::t01_pass::{self, share_cell, total_interval};
use super::{ArmInfo, Material};
use crate::model::table::Cell;
use crate::stats;
use crate::store::StoreError;

/// pass@k of an arm on a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// As it is printed.
    pub cell: Cell,
    /// In 0…1; `None` where a difference alone is known.
    pub value: Option<f64>,
    /// 95 % interval of pass@1.
    pub interval: Option<(f64, f64)>,
    /// The difference as printed, in −1…1, where nothing else is known.
    pub delta: Option<f64>,
}

/// pass@k, of runs before figures; `None` where neither is known.
pub fn score(material: &Material, arm: &str, benchmark: &str, k: i64) -> Option<Score> {
    of_runs(material, arm, benchmark, k).or_else(|| of_totals(material, arm, benchmark, k))
}

fn of_runs(material: &Material, arm: &str, benchmark: &str, k: i64) -> Option<Score> {
    let pass = t01_pass::measure(material.data.outcomes_of(arm, benchmark)?);
    if k == 1 {
        let value = pass.pass_at_1?;
        let cell = match pass.runs_range.0 == pass.runs_range.1 {
            // Equally many runs an instance: the mean is the plain share, and its counts are printed.
            true => Cell::Share { num: pass.resolved, den: pass.scored },
            false => Cell::Mean { value, n: pass.scored_instances },
        };
        return Some(Score { cell, value: Some(value), interval: pass.interval, delta: None });
    }
    let mean = stats::pass_at_k_mean(&pass.counts, k.unsigned_abs());
    let value = mean.value?;
    let cell = Cell::Mean { value, n: mean.used as i64 };
    Some(Score { cell, value: Some(value), interval: None, delta: None })
}

fn of_totals(material: &Material, arm: &str, benchmark: &str, k: i64) -> Option<Score> {
    let of = |measure| aggregates::of(material.totals, arm, benchmark, measure).into_iter();
    let is_asked = |total: &&aggregates::Total| total.headline && total.k == k;
    let resolved = of(TotalMeasure::Resolved).find(|total| is_asked(total));
    let total = resolved.or_else(|| of(TotalMeasure::PassAtK).find(|total| is_asked(total)))?;
    Some(Score {
        cell: share_cell(total),
        value: total.share(),
        interval: total_interval(total),
        delta: total.delta.filter(|_| total.share().is_none()).map(|points| points / 100.0),
    })
}

/// Benchmarks of which a score of an arm is known, with each k of it, in order: 1 and the k that all instances have.
pub fn scored_on(material: &Material, arm: &ArmInfo) -> Vec<(String, i64)> {
    let mut found = Vec::new();
    for benchmark in material.data.benchmarks_of(&arm.name) {
        found.push((benchmark.to_owned(), 1));
        let Some(outcomes) = material.data.outcomes_of(&arm.name, benchmark) else { continue };
        found.push((benchmark.to_owned(), t01_pass::measure(outcomes).runs_range.0.max(1) as i64));
    }
    let measures = [TotalMeasure::Resolved, TotalMeasure::PassAtK];
    let of_arm =
        material.totals.iter().filter(|total| total.arm == arm.name && measures.contains(&total.measure));
    found.extend(of_arm.map(|total| (total.benchmark.clone(), total.k)));
    found.sort();
    found.dedup();
    found
}

/// Levels of the factors of every arm, in order of the factor's name.
pub fn factors(material: &Material) -> Result<BTreeMap<String, BTreeMap<String, String>>, StoreError> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in material.frames.get("t06")?.iter() {
        let of_arm = found.entry(row.text("arm")?.to_owned()).or_default();
        of_arm.insert(row.text("factor")?.to_owned(), row.text("level")?.to_owned());
    }
    Ok(found)
}

/// Name of the system and scaffold of every arm.
pub fn systems(material: &Material) -> Result<BTreeMap<String, (String, Option<String>)>, StoreError> {
    let mut found = BTreeMap::new();
    for row in material.frames.get("systems")?.iter() {
        let scaffold = row.opt_text("scaffold")?.map(str::to_owned);
        found.insert(row.text("arm")?.to_owned(), (row.text("system")?.to_owned(), scaffold));
    }
    Ok(found)
}
