//! Base against trained on one benchmark, from runs or from totals: the design decides the test (`statistics.md` §1).
//! A public baseline is never an internal one: each source of the base has a contrast of its own.

use std::collections::BTreeMap;

use crate::behaviours::BehaviourKind;
use crate::measure::aggregates::{self, INTERNAL, Total, TotalMeasure};
use crate::measure::comparison::{CONFIDENCE, Compared, Sides, compare};
use crate::measure::data::InstanceOutcomes;
use crate::measure::outcome_rows::{Unscored, resolved};
use crate::measure::{Comparison, Material};
use crate::stats::{self, Stratum};

/// One side of a contrast.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Resolved and scored runs.
    pub counts: Option<(i64, i64)>,
    /// Share of resolved runs in 0…1.
    pub share: Option<f64>,
    /// Runs an instance; `None` where nobody says.
    pub runs: Option<i64>,
    /// Runs without a verdict; `None` where nobody says.
    pub unscored: Option<i64>,
    /// Who says so.
    pub source: String,
    /// Where it stands.
    pub reference: Option<String>,
}

impl Side {
    fn of_total(total: &Total) -> Side {
        Side {
            counts: total.counts,
            share: total.share(),
            runs: total.runs,
            unscored: total.unscored,
            source: total.source.clone(),
            reference: total.reference.clone(),
        }
    }

    fn of_runs(outcomes: &BTreeMap<String, InstanceOutcomes>) -> Side {
        let total = |count: fn(&InstanceOutcomes) -> i64| outcomes.values().map(count).sum::<i64>();
        let scored = total(|counts| counts.scored);
        let pass = crate::measure::t01_pass::measure(outcomes);
        Side {
            counts: (scored > 0).then(|| (total(|counts| counts.resolved), scored)),
            share: pass.pass_at_1,
            runs: i64::try_from(pass.runs_range.1).ok().filter(|runs| *runs > 0),
            unscored: Some(total(|counts| counts.runs) - scored),
            source: INTERNAL.to_owned(),
            reference: None,
        }
    }

    /// A score of somebody else.
    pub fn is_public(&self) -> bool {
        self.source != INTERNAL
    }

    /// Solved instances and instances: what a test of totals may count. Several runs an instance are as many instances
    /// only where both counts are whole multiples; else the totals do not tell.
    pub fn instances(&self) -> Option<(u64, u64)> {
        let (num, den) = self.counts?;
        let runs = self.runs.unwrap_or(1).max(1);
        (num % runs == 0 && den % runs == 0)
            .then(|| ((num / runs).unsigned_abs(), (den / runs).unsigned_abs()))
    }

    /// The counts under one reading of unscored runs.
    pub fn reading(&self, unscored: Unscored) -> Option<Side> {
        let ((num, den), missing) = (self.counts?, self.unscored.unwrap_or_default());
        let counts = match unscored {
            Unscored::Excluded => (num, den),
            Unscored::Failed => (num, den + missing),
            Unscored::Resolved => (num + missing, den + missing),
        };
        Some(Side { counts: Some(counts), share: Some(counts.0 as f64 / counts.1 as f64), ..self.clone() })
    }
}

/// Base against trained on one benchmark, with one of the base's sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// Benchmark.
    pub benchmark: String,
    /// Base.
    pub base: Side,
    /// Trained.
    pub trained: Side,
    /// This source stands for the base.
    pub headline: bool,
    /// Made of runs of both arms, instance by instance.
    pub by_instance: Option<Compared>,
    /// Test of totals, where runs of both are not at hand.
    pub boschloo: Option<stats::Tails>,
    /// Trained minus base, in 0…1.
    pub gain: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Two-sided p of the test that the design asks for.
    pub p: Option<f64>,
}

impl Contrast {
    /// Compares two sides of which only totals are used.
    pub fn of_totals(benchmark: &str, base: Side, trained: Side, headline: bool) -> Contrast {
        let counts = base.instances().zip(trained.instances());
        let difference =
            counts.and_then(|((k0, n0), (k1, n1))| stats::newcombe_independent(k0, n0, k1, n1, CONFIDENCE));
        let boschloo = counts.and_then(|((k0, n0), (k1, n1))| stats::boschloo(k0, n0, k1, n1));
        Contrast {
            gain: base.share.zip(trained.share).map(|(base, trained)| trained - base),
            interval: difference.map(|found| (found.ci.low, found.ci.high)),
            p: boschloo.as_ref().map(|tails| tails.two_sided),
            boschloo,
            by_instance: None,
            benchmark: benchmark.to_owned(),
            base,
            trained,
            headline,
        }
    }

    fn of_runs(comparison: &Comparison, base: Side, trained: Side) -> Contrast {
        let compared = comparison.resolved.as_ref();
        let mut contrast = Contrast::of_totals(&comparison.benchmark, base, trained, true);
        contrast.boschloo = None;
        contrast.by_instance = compared.cloned();
        contrast.gain = compared.and_then(|compared| compared.delta);
        contrast.interval = compared.and_then(|compared| compared.interval);
        contrast.p = compared.and_then(|compared| compared.p);
        contrast
    }

    /// The id of its row: the benchmark, and for a source beside the headline its word.
    pub fn id(&self) -> String {
        if self.headline {
            self.benchmark.clone()
        } else {
            format!("{}.{}", self.benchmark, self.base.source)
        }
    }

    /// Paired differences by instance.
    pub fn differences(&self) -> Option<Vec<f64>> {
        let compared = self.by_instance.as_ref().filter(|compared| compared.paired)?;
        Some(compared.differences.iter().map(|(_, difference)| *difference).collect())
    }

    /// Its counts as a stratum of a pooled test.
    pub fn stratum(&self) -> Option<Stratum> {
        let ((k0, n0), (k1, n1)) = self.base.instances().zip(self.trained.instances())?;
        Some(Stratum { k0, n0, k1, n1 })
    }

    /// Solved instances more than before.
    pub fn more(&self) -> Option<i64> {
        let stratum = self.stratum()?;
        Some(stratum.k1 as i64 - stratum.k0 as i64)
    }

    /// The range of McNemar's p over every pairing, where both totals are one run on the same instances.
    pub fn mcnemar_bounds(&self) -> Option<stats::McNemarBounds> {
        let is_one_run = |side: &Side| side.runs == Some(1) && side.unscored == Some(0);
        let stratum = self.stratum().filter(|stratum| stratum.n0 == stratum.n1)?;
        (is_one_run(&self.base) && is_one_run(&self.trained) && self.by_instance.is_none())
            .then(|| stats::mcnemar_bounds(stratum.k0, stratum.k1, stratum.n0))?
    }
}

/// All contrasts of a pair in the order of benchmarks, each headline before the other sources of its base.
pub fn contrasts(material: &Material, base: &str, trained: &str) -> Vec<Contrast> {
    let mut benchmarks: Vec<&str> = material.data.benchmarks_of(base).collect();
    benchmarks.extend(aggregates::benchmarks_of(material.totals, base, TotalMeasure::Resolved));
    benchmarks.sort_unstable();
    benchmarks.dedup();
    benchmarks.into_iter().flat_map(|benchmark| on_benchmark(material, base, trained, benchmark)).collect()
}

fn on_benchmark(material: &Material, base: &str, trained: &str, benchmark: &str) -> Vec<Contrast> {
    let side_of = |arm: &str| material.data.outcomes_of(arm, benchmark).map(Side::of_runs);
    let total_of = |arm| aggregates::headline(material.totals, arm, benchmark, TotalMeasure::Resolved);
    let base_runs = side_of(base);
    let Some(trained_side) = side_of(trained).or_else(|| total_of(trained).map(Side::of_total)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if let Some(side) = base_runs.clone() {
        let is_pair = |found: &&Comparison| {
            found.base == base && found.trained == trained && found.benchmark == benchmark
        };
        found.push(match material.comparisons.iter().find(is_pair) {
            Some(comparison) => Contrast::of_runs(comparison, side, trained_side.clone()),
            None => Contrast::of_totals(benchmark, side, trained_side.clone(), true),
        });
    }
    for total in aggregates::of(material.totals, base, benchmark, TotalMeasure::Resolved) {
        let headline = total.headline && base_runs.is_none();
        found.push(Contrast::of_totals(benchmark, Side::of_total(total), trained_side.clone(), headline));
    }
    found
}

/// Share of base and trained and p under one reading of unscored runs.
pub struct Reading {
    /// Base.
    pub base: Side,
    /// Trained.
    pub trained: Side,
    /// Two-sided p.
    pub p: Option<f64>,
    /// Of totals: both tails.
    pub boschloo: Option<stats::Tails>,
}

/// A contrast under one reading of unscored runs.
pub fn reading(
    material: &Material,
    pair: (&str, &str),
    contrast: &Contrast,
    unscored: Unscored,
) -> Option<Reading> {
    let (base, trained) = (contrast.base.reading(unscored)?, contrast.trained.reading(unscored)?);
    if let Some(compared) = &contrast.by_instance {
        let outcomes = |arm| material.data.outcomes_of(arm, &contrast.benchmark);
        let compared = compare(&Sides {
            base: &resolved(outcomes(pair.0)?, unscored),
            trained: &resolved(outcomes(pair.1)?, unscored),
            kind: BehaviourKind::Share,
            paired: compared.paired,
            seed: material.question.seed,
        });
        return Some(Reading { base, trained, p: compared.and_then(|compared| compared.p), boschloo: None });
    }
    let read = Contrast::of_totals(&contrast.benchmark, base, trained, true);
    Some(Reading { base: read.base, trained: read.trained, p: read.p, boschloo: read.boschloo })
}
