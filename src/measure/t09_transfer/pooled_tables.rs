//! Pools as tables (`statistics.md` §1, several benchmarks pooled): totals, what other conventions would print of them, and
//! paired data.

use super::Transferred;
use super::pooled::{Choice, Pool};
use super::tables::{interval, or_missing, p, row, table, text};
use crate::measure::Material;
use crate::measure::columns::{numbers, words};
use crate::model::table::{Cell, Table};
use crate::stats::{self, Adjustment, p_adjust};

fn pool_words(pool: &Pool) -> String {
    let slice = pool.slice.words();
    match &pool.choice {
        Choice::Headline => slice.to_owned(),
        Choice::Internal => format!("{slice}, internal baselines"),
        Choice::Member(name) => format!("{slice}, {name} for its family"),
    }
}

/// Holm over all sets and those released after, within one choice of baselines.
fn nested(pools: &[&Pool], pool: &Pool) -> Option<f64> {
    let family: Vec<&&Pool> =
        pools.iter().filter(|other| other.choice == pool.choice && other.slice.is_of_family()).collect();
    let place = family.iter().position(|other| other.slice == pool.slice)?;
    let p: Vec<Option<f64>> = family.iter().map(|other| other.p).collect();
    p_adjust(&p, Adjustment::Holm).get(place).copied().flatten()
}

/// Pools of totals.
pub fn pooled(material: &Material, transferred: &Transferred, pools: &[&Pool]) -> Table {
    let rows = pools.iter().map(|pool| {
        let cmh = pool.cmh.as_ref();
        let ratio = cmh.and_then(|cmh| cmh.ci.as_ref());
        let gain = pool.gain.as_ref();
        let exact = stats::cmh_exact(&pool.strata);
        let heterogeneity = stats::breslow_day(&pool.strata);
        row(
            pool.id(),
            vec![
                text(pool_words(pool)),
                Cell::Count(pool.benchmarks.len() as i64),
                text(pool.benchmarks.join(", ")),
                or_missing(gain.map(|gain| gain.rd), Cell::Delta),
                interval(gain.and_then(|gain| gain.ci.as_ref()).map(|ci| (ci.low, ci.high))),
                or_missing(cmh.and_then(|cmh| cmh.odds_ratio), Cell::Ratio),
                or_missing(ratio, |ci| Cell::RatioRange { low: ci.low, high: ci.high }),
                or_missing(cmh.and_then(|cmh| cmh.chi2), Cell::Quantity),
                p(pool.p),
                p(nested(pools, pool)),
                p(Some(exact.two_sided)),
                p(heterogeneity.as_ref().map(|found| found.p_tarone)),
            ],
        )
    });
    let columns = vec![
        words("pool", "pool"),
        numbers("strata", "sets", ""),
        words("sets", "which"),
        numbers("gain", "pooled gain", "points"),
        numbers("interval", "95 % interval", "points"),
        numbers("odds_ratio", "odds ratio", ""),
        numbers("odds_ratio_interval", "95 % interval", ""),
        numbers("chi2", "χ²", ""),
        numbers("p", "p", ""),
        numbers("p_holm", "p Holm", ""),
        numbers("exact", "exact p", ""),
        numbers("heterogeneity", "Breslow–Day–Tarone p", ""),
    ];
    table(
        material,
        transferred,
        "pooled",
        "benchmarks pooled",
        columns,
        rows.collect(),
        pooled_foot(transferred, pools),
    )
}

fn pooled_foot(transferred: &Transferred, pools: &[&Pool]) -> Vec<String> {
    let mut foot = vec![
        "unit=benchmark as stratum, one member a family; test=Cochran–Mantel–Haenszel, two-sided, without continuity \
         correction; interval of the odds ratio=Robins–Breslow–Greenland, of the gain=Greenland–Robins, 95 %"
            .to_owned(),
        "family=all sets and those released after, which are nested: Holm over two; other slices stand outside of it".to_owned(),
        "the arms share their instances and the test ignores the pairing: it holds where training had no effect on any \
         instance, and does not see effects that vary by instance"
            .to_owned(),
    ];
    let public: Vec<&str> = transferred
        .contrasts
        .iter()
        .filter(|contrast| contrast.headline && contrast.base.is_public())
        .map(|contrast| contrast.benchmark.as_str())
        .collect();
    if !public.is_empty() {
        foot.push(format!(
            "public baselines of {} enter the pools that name no internal baselines; the same pool with internal ones, where \
             there are any, stands beside",
            public.join(", ")
        ));
    }
    let is_doubtful =
        |pool: &&&Pool| stats::breslow_day(&pool.strata).is_some_and(|found| found.p_tarone < 0.1);
    if let Some(pool) = pools.iter().find(is_doubtful) {
        foot.push(format!(
            "one common odds ratio is doubtful for {} (Breslow–Day–Tarone p below 0.1): read the benchmarks one by one",
            pool_words(pool)
        ));
    }
    foot
}

/// What other conventions would print of them.
pub fn pooled_beside(material: &Material, transferred: &Transferred, pools: &[&Pool]) -> Table {
    let rows = pools.iter().map(|pool| {
        let cmh = pool.cmh.as_ref();
        let exact = stats::cmh_exact(&pool.strata);
        let heterogeneity = stats::breslow_day(&pool.strata);
        let heterogeneity = heterogeneity.as_ref();
        row(
            pool.id(),
            vec![
                text(pool_words(pool)),
                or_missing(cmh.map(|cmh| cmh.delta), Cell::Quantity),
                or_missing(cmh.map(|cmh| cmh.informative_strata as i64), Cell::Count),
                or_missing(cmh.and_then(|cmh| cmh.chi2_cc), Cell::Quantity),
                p(cmh.and_then(|cmh| cmh.p_cc)),
                p(Some(exact.greater)),
                p(Some(exact.less)),
                or_missing(heterogeneity.map(|found| found.chi2), Cell::Quantity),
                or_missing(heterogeneity.map(|found| found.chi2_tarone), Cell::Quantity),
                or_missing(heterogeneity.map(|found| found.df as i64), Cell::Count),
                p(heterogeneity.map(|found| found.p)),
            ],
        )
    });
    let columns = vec![
        words("pool", "pool"),
        numbers("delta", "above expected", "instances"),
        numbers("informative", "informative sets", ""),
        numbers("chi2_corrected", "χ² corrected", ""),
        numbers("p_corrected", "p corrected", ""),
        numbers("exact_greater", "exact p better", ""),
        numbers("exact_less", "exact p worse", ""),
        numbers("breslow_day", "Breslow–Day χ²", ""),
        numbers("breslow_day_tarone", "with Tarone", ""),
        numbers("df", "df", ""),
        numbers("p_breslow_day", "Breslow–Day p", ""),
    ];
    let foot = vec!["for readers of other conventions; the tests of the pooled table stand".to_owned()];
    table(material, transferred, "pooled_tests", "pooled tests beside", columns, rows.collect(), foot)
}

/// Pools of paired data.
pub fn pooled_paired(material: &Material, transferred: &Transferred, pools: &[&Pool]) -> Table {
    let rows = pools.iter().map(|pool| {
        row(
            pool.id(),
            vec![
                text(pool_words(pool)),
                Cell::Count(pool.benchmarks.len() as i64),
                text(pool.benchmarks.join(", ")),
                or_missing(pool.paired.map(|means| means.0), Cell::Delta),
                or_missing(pool.paired.map(|means| means.1), Cell::Delta),
                p(pool.p),
                p(nested(pools, pool)),
            ],
        )
    });
    let columns = vec![
        words("pool", "pool"),
        numbers("strata", "sets", ""),
        words("sets", "which"),
        numbers("gain_sets", "gain, sets alike", "points"),
        numbers("gain_instances", "gain, instances alike", "points"),
        numbers("p", "p", ""),
        numbers("p_holm", "p Holm", ""),
    ];
    let foot = vec![
        "unit=instance, stratified by benchmark, one member a family; test=sign-flip of instance differences within benchmark, \
         two-sided, statistic: mean over benchmarks of the mean difference"
            .to_owned(),
        "family=all sets and those released after, which are nested: Holm over two; other slices stand outside of it".to_owned(),
    ];
    table(material, transferred, "pooled_paired", "benchmarks pooled, paired", columns, rows.collect(), foot)
}
