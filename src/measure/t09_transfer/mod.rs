//! T9: does the gain transfer? Per benchmark before and after, every source of the baseline, what unscored runs change,
//! and several benchmarks pooled, one member a family (`definitions.md` §10; `statistics.md` §1, §8).

mod contrast;
mod pooled;
mod pooled_tables;
mod tables;

pub use contrast::Contrast;
pub use pooled::Pool;

use super::{Material, TableFamily};
use crate::model::table::Table;
use crate::stats::{Adjustment, p_adjust};
use crate::store::StoreError;
use contrast::contrasts;
use pooled::{Choice, Seen, Slice, known, pools, with_internal};

/// T9.
pub const TABLE: TableFamily = TableFamily {
    code: "T9",
    title: "transfer across benchmarks",
    about: "Solved of scored before and after, benchmark by benchmark. Runs of both arms: the paired tests of T5. Only \
            totals: Boschloo, two-sided, labelled as unpaired, with Newcombe's interval, and the range of exact McNemar p \
            over every pairing where both totals are one run on the same instances. Holm and Benjamini–Hochberg over the \
            benchmarks. A public baseline is marked, and the internal figure stands beside it. Pooled: one member a family, \
            Cochran–Mantel–Haenszel, two-sided, without continuity correction, with the common odds ratio (Robins, Breslow, \
            Greenland), the pooled gain in points and Breslow–Day–Tarone; paired data by a sign-flip within benchmark.",
    queries: &["t01", "aggregates", "benchmarks"],
    columns: tables::COLUMNS,
    paper: &[
        "benchmark",
        "baseline",
        "before",
        "after",
        "gain",
        "interval",
        "p",
        "p_holm",
        "reading",
        "pool",
        "strata",
        "odds_ratio",
        "odds_ratio_interval",
        "p_internal",
        "p_holm_internal",
        "mcnemar_least",
        "mcnemar_most",
        "fisher",
        "gain_sets",
        "gain_instances",
    ],
    build,
    series: |_| Ok(Vec::new()),
};

/// What T9 says of one pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Transferred {
    /// Base arm.
    pub base: String,
    /// Trained arm.
    pub trained: String,
    /// Contrasts, each benchmark's headline before the other sources of its base.
    pub contrasts: Vec<Contrast>,
    /// Pools.
    pub pools: Vec<Pool>,
    /// Adjusted p over headline baselines, by row.
    pub headline: Adjusted,
    /// The same with internal baselines where there is one.
    pub internal: Adjusted,
}

impl Transferred {
    /// The pool of all sets with the baselines that stand for the base.
    pub fn pooled(&self) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.slice == Slice::All && pool.choice == Choice::Headline)
    }

    /// The contrasts whose baselines stand for the base, one a benchmark.
    pub fn headlines(&self) -> impl Iterator<Item = &Contrast> {
        self.contrasts.iter().filter(|contrast| contrast.headline)
    }
}

/// One family of p over benchmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adjusted {
    /// Rows of the family by their ids, in order.
    pub rows: Vec<String>,
    /// p as tested.
    pub p: Vec<Option<f64>>,
    /// Holm.
    pub holm: Vec<Option<f64>>,
    /// Benjamini–Hochberg.
    pub bh: Vec<Option<f64>>,
}

impl Adjusted {
    fn of(contrasts: &[&Contrast]) -> Adjusted {
        let p: Vec<Option<f64>> = contrasts.iter().map(|contrast| contrast.p).collect();
        Adjusted {
            rows: contrasts.iter().map(|contrast| contrast.id()).collect(),
            holm: p_adjust(&p, Adjustment::Holm),
            bh: p_adjust(&p, Adjustment::Bh),
            p,
        }
    }

    /// p, Holm and Benjamini–Hochberg of a row.
    pub fn row(&self, id: &str) -> Option<[Option<f64>; 3]> {
        let place = self.rows.iter().position(|row| row == id)?;
        Some([*self.p.get(place)?, *self.holm.get(place)?, *self.bh.get(place)?])
    }
}

/// What training did on every benchmark, pair by pair. Pairs that meet on one benchmark of runs alone are T5's, unless the
/// study speaks of transfer.
///
/// # Errors
/// The frame of `benchmarks.sql` lacks a column.
pub fn transferred(material: &Material) -> Result<Vec<Transferred>, StoreError> {
    let question = material.question;
    let known = known(material.frames.get("benchmarks")?)?;
    let mut found = Vec::new();
    for (base, trained) in &question.pairs {
        let contrasts = contrasts(material, base, trained);
        let of_totals = contrasts.iter().any(|contrast| contrast.by_instance.is_none());
        let says_something = of_totals || contrasts.len() > 1 || question.transfer.is_some();
        if contrasts.is_empty() || !says_something {
            continue;
        }
        let scaffolds = question.arm(trained).map(|arm| arm.scaffolds.as_slice()).unwrap_or_default();
        let seen = Seen::of(question.transfer.as_ref(), &known, scaffolds);
        let all: Vec<&Contrast> = contrasts.iter().collect();
        let headline: Vec<&Contrast> = all.iter().copied().filter(|contrast| contrast.headline).collect();
        found.push(Transferred {
            base: base.clone(),
            trained: trained.clone(),
            pools: pools(&contrasts, &seen, question.seed),
            headline: Adjusted::of(&headline),
            internal: Adjusted::of(&with_internal(&headline, &all)),
            contrasts,
        });
    }
    Ok(found)
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let known = known(material.frames.get("benchmarks")?)?;
    let mut found = Vec::new();
    for transferred in material.transferred {
        let arm = material.question.arm(&transferred.trained);
        let scaffolds = arm.map(|arm| arm.scaffolds.as_slice()).unwrap_or_default();
        let seen = Seen::of(material.question.transfer.as_ref(), &known, scaffolds);
        found.extend(tables::all(material, transferred, &seen));
    }
    Ok(found)
}
