//! Coverage: which runs exist, have a log, have a verdict, and which do not, and why (`definitions.md` §1, §7). What
//! must be said above the results is said here.

use std::collections::BTreeMap;

use super::aggregates::{self, Total};
use super::data::{Data, InstanceOutcomes};
use super::t05_comparison::Comparison;
use super::{Question, t01_pass};
use crate::number;
use crate::stats;
use crate::store::{Frame, StoreError};

/// Share of unscored runs from which a warning stands above the results.
const UNSCORED_WARNING: f64 = 0.1;

/// Difference in resolved, with and without runs that have no log, from which both are printed.
const LOG_DIFFERENCE: f64 = 0.01;

/// What is known of the runs of one arm on one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmCoverage {
    /// Arm.
    pub arm: String,
    /// Benchmark.
    pub benchmark: String,
    /// Instances.
    pub instances: i64,
    /// Runs.
    pub runs: i64,
    /// Runs with a log.
    pub logs: i64,
    /// Scored runs.
    pub scored: i64,
    /// Resolved runs.
    pub resolved: i64,
    /// Scored runs with a log.
    pub scored_with_log: i64,
    /// Resolved runs with a log.
    pub resolved_with_log: i64,
    /// Fewest and most runs an instance.
    pub runs_range: (i64, i64),
    /// Unscored runs by reason, in order of the word.
    pub reasons: Vec<(String, i64)>,
}

/// How the instances of two arms meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairCoverage {
    /// Scored in both.
    pub both_scored: Vec<String>,
    /// Unscored in one.
    pub one_unscored: Vec<String>,
    /// Unscored in both.
    pub both_unscored: Vec<String>,
    /// In base alone.
    pub base_only: Vec<String>,
    /// In trained alone.
    pub trained_only: Vec<String>,
}

impl PairCoverage {
    /// Instances that both arms have.
    pub fn shared(&self) -> usize {
        self.both_scored.len() + self.one_unscored.len() + self.both_unscored.len()
    }

    /// Instances that pair and lack a verdict on a side.
    pub fn unscored(&self) -> usize {
        self.one_unscored.len() + self.both_unscored.len()
    }
}

/// Coverage of every arm on every benchmark.
///
/// # Errors
/// The frame of `head.sql` lacks a column.
pub fn by_arm(question: &Question, data: &Data, head: &Frame) -> Result<Vec<ArmCoverage>, StoreError> {
    let mut reasons: BTreeMap<(String, String), BTreeMap<String, i64>> = BTreeMap::new();
    for row in head.iter() {
        if row.int("scored")? == 1 {
            continue;
        }
        let key = (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned());
        *reasons.entry(key).or_default().entry(row.text("reason")?.to_owned()).or_default() +=
            row.int("n")?;
    }
    let mut found = Vec::new();
    for arm in &question.arms {
        for benchmark in data.benchmarks_of(&arm.name) {
            let Some(outcomes) = data.outcomes_of(&arm.name, benchmark) else { continue };
            let key = (arm.name.clone(), benchmark.to_owned());
            let reasons = reasons.get(&key).map(|by_reason| by_reason.clone().into_iter().collect());
            found.push(of_arm(&arm.name, benchmark, outcomes, reasons.unwrap_or_default()));
        }
    }
    Ok(found)
}

fn of_arm(
    arm: &str,
    benchmark: &str,
    outcomes: &BTreeMap<String, InstanceOutcomes>,
    reasons: Vec<(String, i64)>,
) -> ArmCoverage {
    let pass = t01_pass::measure(outcomes);
    let total = |count: fn(&InstanceOutcomes) -> i64| outcomes.values().map(count).sum();
    ArmCoverage {
        arm: arm.to_owned(),
        benchmark: benchmark.to_owned(),
        instances: pass.instances,
        runs: pass.runs,
        logs: pass.logs,
        scored: pass.scored,
        resolved: pass.resolved,
        scored_with_log: total(|counts| counts.scored_with_log),
        resolved_with_log: total(|counts| counts.resolved_with_log),
        runs_range: (
            outcomes.values().map(|counts| counts.runs).min().unwrap_or_default(),
            outcomes.values().map(|counts| counts.runs).max().unwrap_or_default(),
        ),
        reasons,
    }
}

/// What must be said above the results.
pub fn warnings(
    question: &Question,
    coverage: &[ArmCoverage],
    comparisons: &[Comparison],
    totals: &[Total],
) -> Vec<String> {
    let mut warnings = Vec::new();
    for arm in coverage {
        warnings.extend(unscored(arm));
        warnings.extend(without_log(arm));
    }
    for (base, trained) in &question.pairs {
        if !aggregates::meet(totals, base, trained) {
            warnings.extend(no_benchmark(coverage, comparisons, base, trained));
        }
    }
    for comparison in comparisons {
        warnings.extend(unequal_shares(coverage, comparison));
        warnings.extend(scaffolds(question, comparison));
        warnings.extend(no_shared(comparison));
    }
    warnings
}

fn unscored(arm: &ArmCoverage) -> Option<String> {
    let missing = arm.runs - arm.scored;
    let name = format!("{} on {}", arm.arm, arm.benchmark);
    if arm.scored == 0 {
        return Some(format!(
            "{name}: no verdicts found; {} of {0} runs are unscored",
            number::count(arm.runs)
        ));
    }
    if (missing as f64) < UNSCORED_WARNING * arm.runs as f64 {
        return None;
    }
    let bounds = stats::unscored_bounds(
        arm.resolved.unsigned_abs(),
        arm.scored.unsigned_abs(),
        missing.unsigned_abs(),
    );
    let percent =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| number::percent(value, 1));
    let reasons: Vec<String> =
        arm.reasons.iter().map(|(reason, n)| format!("{} {reason}", number::count(*n))).collect();
    Some(format!(
        "{name}: {} of {} runs are unscored ({}). {}/{} resolved speaks of the scored runs alone; with all runs it lies \
         between {} % (unscored as failed) and {} % (as resolved)",
        number::count(missing),
        number::count(arm.runs),
        reasons.join(", "),
        number::count(arm.resolved),
        number::count(arm.scored),
        percent(bounds.as_fail),
        percent(bounds.as_pass),
    ))
}

fn without_log(arm: &ArmCoverage) -> Option<String> {
    let missing = arm.runs - arm.logs;
    if missing == 0 || arm.scored == 0 || arm.scored_with_log == 0 {
        return None;
    }
    let all = arm.resolved as f64 / arm.scored as f64;
    let logged = arm.resolved_with_log as f64 / arm.scored_with_log as f64;
    ((all - logged).abs() > LOG_DIFFERENCE).then(|| {
        format!(
            "{} on {}: {} of {} runs have no log; resolved is {} % over all scored runs and {} % over those with a log",
            arm.arm,
            arm.benchmark,
            number::count(missing),
            number::count(arm.runs),
            number::percent(all, 1),
            number::percent(logged, 1),
        )
    })
}

fn of<'a>(coverage: &'a [ArmCoverage], arm: &str, benchmark: &str) -> Option<&'a ArmCoverage> {
    coverage.iter().find(|found| found.arm == arm && found.benchmark == benchmark)
}

fn unequal_shares(coverage: &[ArmCoverage], comparison: &Comparison) -> Option<String> {
    let base = of(coverage, &comparison.base, &comparison.benchmark)?;
    let trained = of(coverage, &comparison.trained, &comparison.benchmark)?;
    let missing = |arm: &ArmCoverage| arm.runs - arm.scored;
    // Cross-multiplied, so that equal shares of different totals are equal.
    if missing(base) * trained.runs == missing(trained) * base.runs {
        return None;
    }
    let undecided = if comparison.undecided_by_unscored() {
        "; the two extreme assignments disagree in sign: undecided by unscored runs"
    } else {
        ""
    };
    Some(format!(
        "{} and {} on {} differ in unscored runs: {} of {} against {} of {}{undecided}",
        base.arm,
        trained.arm,
        base.benchmark,
        number::count(missing(base)),
        number::count(base.runs),
        number::count(missing(trained)),
        number::count(trained.runs),
    ))
}

fn scaffolds(question: &Question, comparison: &Comparison) -> Option<String> {
    let base = question.arm(&comparison.base)?;
    let trained = question.arm(&comparison.trained)?;
    (base.scaffolds != trained.scaffolds && !base.scaffolds.is_empty() && !trained.scaffolds.is_empty()).then(
        || {
            format!(
                "{} and {} ran in different scaffolds ({} and {}): descriptive, not scaffold-controlled",
                base.name,
                trained.name,
                base.scaffolds.join(", "),
                trained.scaffolds.join(", "),
            )
        },
    )
}

fn no_benchmark(
    coverage: &[ArmCoverage],
    comparisons: &[Comparison],
    base: &str,
    trained: &str,
) -> Option<String> {
    if comparisons.iter().any(|comparison| comparison.base == base && comparison.trained == trained) {
        return None;
    }
    let of_arm = |name: &str| {
        let names: Vec<&str> =
            coverage.iter().filter(|arm| arm.arm == name).map(|arm| arm.benchmark.as_str()).collect();
        names.join(", ")
    };
    Some(format!(
        "{base} ({}) and {trained} ({}) share no benchmark and are not compared; if they ran on the same one, name it with \
         --benchmark",
        of_arm(base),
        of_arm(trained)
    ))
}

fn no_shared(comparison: &Comparison) -> Option<String> {
    (comparison.coverage.shared() == 0).then(|| {
        format!(
            "{} and {} share no instance on {}: they are compared as independent samples",
            comparison.base, comparison.trained, comparison.benchmark
        )
    })
}
