//! The tables of T9: per benchmark, tests beside it, families of p, unscored runs, pools. Their feet say what the numbers
//! cannot (`statistics.md` §1, what reviewers attack).

use super::contrast::{Contrast, Side, reading};
use super::pooled::{Pool, Seen};
use super::pooled_tables::{pooled, pooled_beside, pooled_paired};
use super::{Adjusted, TABLE, Transferred};
use crate::measure::columns::{numbers, words};
use crate::measure::outcome_rows::Unscored;
use crate::measure::{Material, foot};
use crate::model::table::{Cell, Column, Missing, Row, Table};
use crate::number;
use crate::stats;

/// Decimals of per cents.
const DECIMALS: usize = 1;

/// Columns by name, over all tables of T9.
pub const COLUMNS: &[(&str, &str)] = &[
    ("benchmark", "benchmark"),
    ("baseline", "who says the base's score: internal, or public, marked †"),
    ("before", "solved of scored, base"),
    ("after", "solved of scored, trained"),
    ("more", "solved instances more than before"),
    ("gain", "after − before, from counts; of runs the mean of instance differences"),
    ("interval", "95 % interval of the gain by the method that the foot names"),
    ("gain_rounded", "difference of the two rounded scores, as papers print it"),
    ("p", "two-sided p of the test that the design asks for, as the foot names it"),
    (
        "p_holm",
        "p by Holm over the benchmarks with the row's baselines; of pools over all sets and those released after",
    ),
    ("p_bh", "p by Benjamini–Hochberg over the benchmarks with the row's baselines"),
    ("harness", "harness in which the agents ran"),
    ("harness_seen", "whether training ran in that harness"),
    ("released", "whether the benchmark was released after the training data were collected"),
    ("headroom", "share of what was left to gain that was gained"),
    ("cohens_h", "Cohen's h"),
    ("greater", "p of the same test against trained being better"),
    ("less", "p of the same test against trained being worse"),
    ("fisher", "Fisher's exact p, two-sided, for comparison"),
    ("fisher_greater", "Fisher's p against trained being better"),
    ("fisher_less", "Fisher's p against trained being worse"),
    ("mcnemar_least", "smallest exact McNemar p over every pairing with these totals"),
    ("mcnemar_most", "largest exact McNemar p over every pairing with these totals"),
    ("discordant_least", "fewest instances that can differ"),
    ("discordant_most", "most instances that can differ"),
    ("detectable", "smallest gain that 80 % power would find, at the fewest and the most discordant pairs"),
    (
        "se_before",
        "standard error of the base's score between its two limits: runs of an instance unlike, and alike",
    ),
    ("se_after", "the same of the trained score"),
    ("p_internal", "p with the internal baseline where there is one"),
    ("p_holm_internal", "Holm over the benchmarks with internal baselines where there is one"),
    ("p_bh_internal", "Benjamini–Hochberg over the same"),
    ("reading", "what is done with unscored runs"),
    ("sets", "benchmarks that enter, one a family"),
    ("pool", "which benchmarks, and with which baselines or members"),
    ("strata", "number of benchmarks that enter"),
    ("chi2", "Cochran–Mantel–Haenszel χ², without continuity correction"),
    ("odds_ratio", "common odds ratio"),
    ("odds_ratio_interval", "its 95 % interval (Robins, Breslow, Greenland)"),
    ("exact", "exact conditional p, two-sided"),
    ("exact_greater", "exact p against trained being better"),
    ("exact_less", "exact p against trained being worse"),
    ("heterogeneity", "Breslow–Day–Tarone p: small where the benchmarks have no common odds ratio"),
    ("delta", "solved instances of the trained arm above their expectation, summed over benchmarks"),
    ("informative", "benchmarks with both arms, solved and unsolved instances"),
    ("chi2_corrected", "χ² with continuity correction, for comparison"),
    ("p_corrected", "its p"),
    ("breslow_day", "Breslow–Day χ²"),
    ("breslow_day_tarone", "the same less Tarone's correction"),
    ("df", "degrees of freedom of both"),
    ("p_breslow_day", "p of Breslow–Day without Tarone's correction"),
    ("gain_sets", "mean over benchmarks of the mean difference: each benchmark weighs the same"),
    ("gain_instances", "mean over all instances: each instance weighs the same"),
];

/// All tables of a pair.
pub fn all(material: &Material, transferred: &Transferred, seen: &Seen) -> Vec<Table> {
    let mut tables = vec![
        main(material, transferred, seen),
        tests(material, transferred),
        families(material, transferred),
    ];
    tables.extend(unscored(material, transferred));
    let (paired, totals): (Vec<&Pool>, Vec<&Pool>) =
        transferred.pools.iter().partition(|pool| pool.paired.is_some());
    if !totals.is_empty() {
        tables.push(pooled(material, transferred, &totals));
        tables.push(pooled_beside(material, transferred, &totals));
    }
    if !paired.is_empty() {
        tables.push(pooled_paired(material, transferred, &paired));
    }
    tables
}

pub(super) fn table(
    material: &Material,
    transferred: &Transferred,
    part: &str,
    title: &str,
    columns: Vec<Column>,
    rows: Vec<Row>,
    foot: Vec<String>,
) -> Table {
    let pair = format!("{}.{}-{}", TABLE.code, transferred.base, transferred.trained);
    let mut foot = foot;
    foot.extend(foot::common(material.question));
    Table {
        code: TABLE.code.to_owned(),
        id: if part.is_empty() { pair } else { format!("{pair}.{part}") },
        title: format!("{title}: {} against {}", transferred.base, transferred.trained),
        subtitle: "solved of scored, %; differences in points".to_owned(),
        columns,
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(DECIMALS),
    }
}

pub(super) fn row(id: String, cells: Vec<Cell>) -> Row {
    Row { id, cells, strong: false, group: String::new(), notes: Vec::new() }
}

pub(super) fn text(words: impl Into<String>) -> Cell {
    Cell::Text(words.into())
}

pub(super) fn or_missing<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
    value.map_or(Cell::Missing(Missing::Undefined), cell)
}

pub(super) fn p(value: Option<f64>) -> Cell {
    or_missing(value, Cell::P)
}

pub(super) fn interval(limits: Option<(f64, f64)>) -> Cell {
    or_missing(limits, |(low, high)| Cell::Interval { low, high })
}

fn share(side: &Side) -> Cell {
    match (side.counts, side.share) {
        (Some((num, den)), _) => Cell::Share { num, den },
        (None, Some(share)) => Cell::Rate(share),
        (None, None) => Cell::Missing(Missing::Unscored),
    }
}

fn baseline(side: &Side) -> Cell {
    text(if side.is_public() { format!("{} †", side.source) } else { side.source.clone() })
}

/// p, Holm and Benjamini–Hochberg of a contrast among the baselines of its row.
fn adjusted(transferred: &Transferred, contrast: &Contrast) -> [Option<f64>; 3] {
    let id = contrast.id();
    let found = transferred.headline.row(&id).or_else(|| transferred.internal.row(&id));
    found.unwrap_or([contrast.p, None, None])
}

/// Difference of the two scores as they are printed.
fn gain_of_rounded(contrast: &Contrast, decimals: usize) -> Option<f64> {
    let rounded = |share: Option<f64>| format!("{:.decimals$}", share? * 100.0).parse::<f64>().ok();
    Some((rounded(contrast.trained.share)? - rounded(contrast.base.share)?) / 100.0)
}

fn main(material: &Material, transferred: &Transferred, seen: &Seen) -> Table {
    let decimals = material.question.decimals.unwrap_or(DECIMALS);
    let rows = transferred.contrasts.iter().map(|contrast| {
        let [raw, holm, bh] = adjusted(transferred, contrast);
        let said = |known: Option<bool>, yes: &str, no: &str| {
            or_missing(known, |is_so| text(if is_so { yes } else { no }))
        };
        let mut row = row(
            contrast.id(),
            vec![
                text(contrast.benchmark.clone()),
                baseline(&contrast.base),
                share(&contrast.base),
                share(&contrast.trained),
                or_missing(contrast.more(), Cell::Count),
                or_missing(contrast.gain, Cell::Delta),
                interval(contrast.interval),
                or_missing(gain_of_rounded(contrast, decimals), Cell::Delta),
                p(raw),
                p(holm),
                p(bh),
                or_missing(seen.harness(&contrast.benchmark), text),
                said(seen.harness_seen(&contrast.benchmark), "seen", "new"),
                said(seen.released_after(&contrast.benchmark), "after", "before"),
            ],
        );
        row.strong = holm.is_some_and(|holm| holm < 0.05);
        row
    });
    let columns = vec![
        words("benchmark", "benchmark"),
        words("baseline", "baseline"),
        numbers("before", "before", "%"),
        numbers("after", "after", "%"),
        numbers("more", "more solved", ""),
        numbers("gain", "gain", "points"),
        numbers("interval", "95 % interval", "points"),
        numbers("gain_rounded", "gain of rounded", "points"),
        numbers("p", "p", ""),
        numbers("p_holm", "p Holm", ""),
        numbers("p_bh", "p BH", ""),
        words("harness", "harness"),
        words("harness_seen", "harness seen"),
        words("released", "released"),
    ];
    let mut foot = vec!["unit=instance".to_owned()];
    foot.extend(methods(transferred));
    foot.extend(transferred.contrasts.iter().flat_map(notes));
    foot.extend(remarks(transferred));
    table(material, transferred, "", "transfer", columns, rows.collect(), foot)
}

/// What must be said of one row.
fn notes(contrast: &Contrast) -> Vec<String> {
    let name = format!("{}, {}", contrast.benchmark, contrast.base.source);
    let mut found = Vec::new();
    for (arm, side) in [("base", &contrast.base), ("trained", &contrast.trained)] {
        if side.is_public() {
            let place = side.reference.as_deref().map(|place| format!(" ({place})")).unwrap_or_default();
            found.push(format!("{name}: † the {arm} score is {}{place}, no run of this study", side.source));
        }
        match (side.runs, side.instances(), side.counts) {
            (Some(runs), Some((num, den)), Some(counts)) if runs > 1 && contrast.by_instance.is_none() => {
                found.push(format!(
                    "{name}: {} of the {arm} arm are {runs} runs an instance, tested as {num}/{den} instances",
                    number::fraction(counts.0, counts.1)
                ));
            }
            (Some(runs), None, Some(_)) => found.push(format!(
                "{name}: totals of {runs} runs an instance say nothing of instances: not tested"
            )),
            (None, _, Some(_)) => {
                found.push(format!("{name}: runs an instance of the {arm} arm are not known"))
            }
            _ => {}
        }
        if let Some(missing) = side.unscored.filter(|missing| *missing > 0) {
            found.push(format!(
                "{name}: {missing} runs of the {arm} arm are unscored and left out; three readings stand beside"
            ));
        }
    }
    found
}

fn methods(transferred: &Transferred) -> Vec<String> {
    let totals = transferred.contrasts.iter().any(|contrast| contrast.boschloo.is_some());
    let mut found = Vec::new();
    if totals {
        found.push(
            "test=Boschloo, two-sided (twice the smaller tail), unpaired: totals only; interval=Newcombe independent, 95 %"
                .to_owned(),
        );
    }
    found.extend(foot::methods(
        transferred.contrasts.iter().filter_map(|contrast| contrast.by_instance.as_ref()),
    ));
    found
}

/// What must be said of all rows: pairing, multiplicity, public baselines, one run.
fn remarks(transferred: &Transferred) -> Vec<String> {
    let contrasts = &transferred.contrasts;
    let family = transferred.headline.p.iter().flatten().count();
    let below = transferred.headline.holm.iter().flatten().filter(|p| **p < 0.05).count();
    let mut found = vec![format!(
        "family={family} p-values over the benchmarks with the baselines that stand for the base; Holm leaves {below} below \
         0.05; a row of another baseline is adjusted with it in place"
    )];
    if contrasts.iter().any(|contrast| contrast.mcnemar_bounds().is_some()) {
        found.push(
            "pairing: both arms ran the same instances and only totals are known, so that the test ignores the pairing; the \
             range of exact McNemar p stands beside"
                .to_owned(),
        );
    }
    if contrasts.iter().any(|contrast| contrast.base.is_public()) {
        found.push(
            "public baselines (†) come from another harness version, day and sampling than the trained run; they are never \
             pooled without the internal figure beside them"
                .to_owned(),
        );
    }
    let is_one_run = |side: &Side| side.runs == Some(1);
    if contrasts.iter().all(|contrast| is_one_run(&contrast.trained)) {
        found.push("one run an instance of the trained arm: run-to-run noise is not measured".to_owned());
    }
    found
}

fn tests(material: &Material, transferred: &Transferred) -> Table {
    let rows = transferred.contrasts.iter().map(|contrast| {
        let tails = contrast.boschloo.as_ref();
        let stratum = contrast.stratum();
        let fisher = stratum.and_then(|s| stats::fisher(s.k0, s.n0, s.k1, s.n1));
        let shares = contrast.base.share.zip(contrast.trained.share);
        let bounds = contrast.mcnemar_bounds();
        let count = |value: Option<u64>| or_missing(value, |n| Cell::Count(n as i64));
        row(
            contrast.id(),
            vec![
                text(contrast.benchmark.clone()),
                baseline(&contrast.base),
                p(contrast.p),
                p(tails.map(|tails| tails.greater)),
                p(tails.map(|tails| tails.less)),
                p(fisher.as_ref().map(|tails| tails.two_sided)),
                p(fisher.as_ref().map(|tails| tails.greater)),
                p(fisher.as_ref().map(|tails| tails.less)),
                p(bounds.as_ref().map(|bounds| bounds.p_min)),
                p(bounds.as_ref().map(|bounds| bounds.p_max)),
                count(bounds.as_ref().map(|bounds| bounds.discordant_min)),
                count(bounds.as_ref().map(|bounds| bounds.discordant_max)),
                interval(detectable(contrast)),
                or_missing(shares.and_then(|(p0, p1)| stats::headroom_closed(p0, p1)), Cell::Rate),
                or_missing(shares.and_then(|(p0, p1)| stats::cohens_h(p0, p1)), Cell::Quantity),
                interval(standard_error(&contrast.base)),
                interval(standard_error(&contrast.trained)),
            ],
        )
    });
    let columns = vec![
        words("benchmark", "benchmark"),
        words("baseline", "baseline"),
        numbers("p", "p", ""),
        numbers("greater", "p better", ""),
        numbers("less", "p worse", ""),
        numbers("fisher", "Fisher", ""),
        numbers("fisher_greater", "Fisher better", ""),
        numbers("fisher_less", "Fisher worse", ""),
        numbers("mcnemar_least", "McNemar least", ""),
        numbers("mcnemar_most", "McNemar most", ""),
        numbers("discordant_least", "differ least", ""),
        numbers("discordant_most", "differ most", ""),
        numbers("detectable", "detectable", "points"),
        numbers("headroom", "headroom closed", "%"),
        numbers("cohens_h", "Cohen's h", ""),
        numbers("se_before", "SE before", "points"),
        numbers("se_after", "SE after", "points"),
    ];
    let mut foot = methods(transferred);
    foot.push(
        "McNemar least and most: exact p over every pairing with these totals, where both are one run on the same instances \
         and nothing is unscored; Fisher for comparison"
            .to_owned(),
    );
    foot.push(
        "detectable: smallest gain found with 80 % power (McNemar, Connor) at the fewest and the most instances that can \
         differ; a dash: not detectable at the fewest; not significant is no proof of no effect"
            .to_owned(),
    );
    table(material, transferred, "tests", "tests beside", columns, rows.collect(), foot)
}

/// The smallest detectable gain at both ends of the discordance that the totals allow.
fn detectable(contrast: &Contrast) -> Option<(f64, f64)> {
    let bounds = contrast.mcnemar_bounds()?;
    let pairs = contrast.stratum()?.n0;
    let least = |discordant: u64| stats::mdd_mcnemar(pairs, discordant as f64 / pairs as f64, 0.05, 0.8);
    Some((least(bounds.discordant_min)?, least(bounds.discordant_max)?))
}

fn standard_error(side: &Side) -> Option<(f64, f64)> {
    let (num, den) = side.counts?;
    let runs = side.runs.filter(|runs| *runs > 0 && den % runs == 0)?;
    let se = stats::se_bounds(num.unsigned_abs(), (den / runs).unsigned_abs(), runs.unsigned_abs())?;
    Some((se.runs_independent, se.runs_identical))
}

fn families(material: &Material, transferred: &Transferred) -> Table {
    let family = |adjusted: &Adjusted, contrast: &Contrast| -> [Option<f64>; 3] {
        let of_benchmark = |id: &String| {
            let other = transferred.contrasts.iter().find(|other| other.id() == **id);
            other.is_some_and(|other| other.benchmark == contrast.benchmark)
        };
        let id = adjusted.rows.iter().find(|id| of_benchmark(id));
        id.and_then(|id| adjusted.row(id)).unwrap_or_default()
    };
    let headline = transferred.contrasts.iter().filter(|contrast| contrast.headline);
    let rows = headline.map(|contrast| {
        let cells = family(&transferred.headline, contrast).into_iter();
        let cells = cells.chain(family(&transferred.internal, contrast)).map(p);
        row(
            contrast.benchmark.clone(),
            std::iter::once(text(contrast.benchmark.clone())).chain(cells).collect(),
        )
    });
    let columns = vec![
        words("benchmark", "benchmark"),
        numbers("p", "p", ""),
        numbers("p_holm", "p Holm", ""),
        numbers("p_bh", "p BH", ""),
        numbers("p_internal", "p, internal baselines", ""),
        numbers("p_holm_internal", "p Holm, internal", ""),
        numbers("p_bh_internal", "p BH, internal", ""),
    ];
    let foot = vec![
        "two families: the baselines that stand for the base, and internal ones where there is one; a benchmark without an \
         internal base run keeps its public baseline in both"
            .to_owned(),
    ];
    table(material, transferred, "families", "families of p", columns, rows.collect(), foot)
}

/// Three readings of unscored runs, for benchmarks that have any.
fn unscored(material: &Material, transferred: &Transferred) -> Option<Table> {
    let has_any = |side: &Side| side.unscored.is_some_and(|missing| missing > 0);
    let mut rows = Vec::new();
    for contrast in &transferred.contrasts {
        if !(has_any(&contrast.base) || has_any(&contrast.trained)) {
            continue;
        }
        for (unscored, id, said) in [
            (Unscored::Excluded, "excluded", "left out"),
            (Unscored::Failed, "as_failures", "as failed"),
            (Unscored::Resolved, "as_successes", "as resolved"),
        ] {
            let pair = (transferred.base.as_str(), transferred.trained.as_str());
            let Some(read) = reading(material, pair, contrast, unscored) else { continue };
            let tails = read.boschloo.as_ref();
            rows.push(row(
                format!("{}.{id}", contrast.id()),
                vec![
                    text(contrast.benchmark.clone()),
                    baseline(&contrast.base),
                    text(said),
                    share(&read.base),
                    share(&read.trained),
                    p(read.p),
                    p(tails.map(|tails| tails.greater)),
                    p(tails.map(|tails| tails.less)),
                ],
            ));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let columns = vec![
        words("benchmark", "benchmark"),
        words("baseline", "baseline"),
        words("reading", "unscored runs"),
        numbers("before", "before", "%"),
        numbers("after", "after", "%"),
        numbers("p", "p", ""),
        numbers("greater", "p better", ""),
        numbers("less", "p worse", ""),
    ];
    let mut foot = methods(transferred);
    foot.push(
        "leaving runs out is right only where their failure has nothing to do with the outcome; the truth lies between the \
         other two readings"
            .to_owned(),
    );
    Some(table(material, transferred, "unscored", "unscored runs", columns, rows, foot))
}
