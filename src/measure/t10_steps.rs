//! T10, second part: how much longer or shorter runs became, over all runs and within an instance (`definitions.md` §10,
//! `statistics.md` §1, counts and steps). A change of medians is no median of changes; both are printed under their names.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{numbers, words};
use super::comparison::{CONFIDENCE, Compared, Sides, compare};
use super::data::{ArmOn, Instances, instance_value, run_values};
use super::lengths::{Length, LengthsByInstance, lengths, sizes};
use super::t05_comparison::Comparison;
use super::t10_near_misses::{LEAST_INSTANCES, REPLICATES};
use super::{Material, TableFamily, foot, t10_totals};
use crate::behaviours::BehaviourKind;
use crate::model::table::{Cell, Column, Missing, Row, Table};
use crate::number;
use crate::stats;
use crate::store::StoreError;

/// T10.steps.
pub const TABLE: TableFamily = TableFamily {
    code: "T10.steps",
    title: "steps per task",
    about: "Medians of both arms and their relative change, over all runs and over the medians of shared instances; within \
            an instance the Hodges–Lehmann shift with its interval and Wilcoxon's signed-rank test. The change of medians \
            is not the median of changes. Intervals of changes: percentile bootstrap over instances.",
    queries: &["lengths", "aggregates"],
    columns: &[
        ("measure", "steps as the scaffold counts them, or turns of the model"),
        ("scope", "all runs of both arms, or medians of the instances that both arms have"),
        ("base", "base arm: median"),
        ("trained", "trained arm: median"),
        ("change", "relative change of the two medians; no median of changes"),
        ("change_interval", "95 % interval of that change"),
        ("shift", "Hodges–Lehmann shift of instance differences of medians, trained − base"),
        ("shift_interval", "95 % interval of the shift"),
        ("p", "two-sided p of Wilcoxon's signed-rank test on instance differences of medians"),
        ("shorter", "shared instances whose median fell"),
        ("longer", "shared instances whose median rose"),
        ("base_n", "runs of the base arm, or shared instances"),
        ("trained_n", "runs of the trained arm, or shared instances"),
    ],
    paper: &[
        "measure",
        "scope",
        "base",
        "trained",
        "change",
        "change_interval",
        "shift",
        "shift_interval",
        "p",
    ],
    build,
    series: |_| Ok(Vec::new()),
};

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let lengths = lengths(material.frames.get("lengths")?)?;
    let of_runs = material.comparisons.iter().filter_map(|comparison| table(material, comparison, &lengths));
    Ok(of_runs.chain(t10_totals::steps(material)).collect())
}

fn table(
    material: &Material,
    comparison: &Comparison,
    lengths: &BTreeMap<ArmOn, LengthsByInstance>,
) -> Option<Table> {
    let side = |arm: &str| lengths.get(&(arm.to_owned(), comparison.benchmark.clone()));
    let (base, trained) = (side(&comparison.base)?, side(&comparison.trained)?);
    let paired = comparison.coverage.shared() > 0;
    let seed = material.question.seed;
    let mut rows = Vec::new();
    let mut tests = Vec::new();
    for length in Length::ALL {
        let (base, trained) = (sizes(base, length), sizes(trained, length));
        rows.extend(over_runs(length, &base, &trained, seed));
        let sides = Sides { base: &base, trained: &trained, kind: BehaviourKind::Size, paired, seed };
        if let Some(compared) = compare(&sides) {
            rows.push(within(length, &base, &trained, &compared, seed));
            tests.push(compared);
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut foot = vec![
        "unit=instance; change=(trained − base) / base of the two medians: change of medians, not median of changes".to_owned(),
        format!(
            "interval of the change=percentile bootstrap over instances, both arms drawn together, {} replicates; none below \
             {LEAST_INSTANCES} instances",
            number::count(REPLICATES as i64)
        ),
    ];
    foot.extend(foot::methods(tests.iter()));
    if paired {
        foot.push("interval of the shift=Walsh averages by the law of the signed rank, 95 %".to_owned());
    }
    foot.push("p is not adjusted here: that of model turns stands in the family of T5".to_owned());
    foot.extend(foot::common(material.question));
    Some(Table {
        code: TABLE.code.to_owned(),
        id: comparison.id(TABLE.code),
        title: format!(
            "steps per task, {} against {} on {}",
            comparison.base, comparison.trained, comparison.benchmark
        ),
        subtitle: "all runs with a log, resolved or not; change of medians in %".to_owned(),
        columns: columns(&comparison.base, &comparison.trained),
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    })
}

/// Columns of a pair.
pub fn columns(base: &str, trained: &str) -> Vec<Column> {
    vec![
        words("measure", "measure"),
        words("scope", "over"),
        numbers("base", base, ""),
        numbers("trained", trained, ""),
        numbers("change", "change of medians", "%"),
        numbers("change_interval", "95 % interval", "%"),
        numbers("shift", "shift", ""),
        numbers("shift_interval", "95 % interval", ""),
        numbers("p", "p", ""),
        numbers("shorter", "shorter", "instances"),
        numbers("longer", "longer", "instances"),
        numbers("base_n", "n base", ""),
        numbers("trained_n", "n trained", ""),
    ]
}

/// Runs of an instance, none where the arm has not the instance.
fn runs_of(instances: &Instances, instance: &str) -> Vec<f64> {
    instances.get(instance).map(|runs| run_values(BehaviourKind::Size, runs)).unwrap_or_default()
}

/// All runs of both arms; instances are drawn together even where only one arm has them.
fn over_runs(length: Length, base: &Instances, trained: &Instances, seed: u64) -> Option<Row> {
    let instances: BTreeSet<&String> = base.keys().chain(trained.keys()).collect();
    let groups = |side: &Instances| -> Vec<Vec<f64>> {
        instances.iter().map(|instance| runs_of(side, instance)).collect()
    };
    let (base, trained) = (groups(base), groups(trained));
    let not_here = || Cell::Missing(Missing::NotApplicable);
    Some(Row {
        id: format!("{}.runs", length.code()),
        cells: [
            vec![Cell::Text(length.name().to_owned()), Cell::Text("all runs".to_owned())],
            medians(&base, &trained, seed)?,
            vec![not_here(), not_here(), not_here(), not_here(), not_here()],
            [&base, &trained].map(|groups| Cell::Count(groups.concat().len() as i64)).to_vec(),
        ]
        .concat(),
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    })
}

/// Both medians, their relative change and its interval.
fn medians(base: &[Vec<f64>], trained: &[Vec<f64>], seed: u64) -> Option<Vec<Cell>> {
    let (before, after) = (stats::median(&base.concat())?, stats::median(&trained.concat())?);
    let undefined = Cell::Missing(Missing::Undefined);
    let interval = (base.len() >= LEAST_INSTANCES)
        .then(|| stats::cluster_bootstrap_median_change(base, trained, REPLICATES, seed, CONFIDENCE))
        .flatten()
        .map(|bootstrap| Cell::Interval { low: bootstrap.percentile.low, high: bootstrap.percentile.high });
    Some(vec![
        Cell::Quantity(before),
        Cell::Quantity(after),
        stats::relative_change(before, after).map_or(undefined.clone(), Cell::Delta),
        interval.unwrap_or(undefined),
    ])
}

/// Medians of instances: shared ones where the arms share any, else all of each.
fn within(length: Length, base: &Instances, trained: &Instances, compared: &Compared, seed: u64) -> Row {
    let shared: Vec<&String> = base.keys().filter(|instance| trained.contains_key(*instance)).collect();
    let value = |side: &Instances, instance: &str| {
        side.get(instance).and_then(|runs| instance_value(BehaviourKind::Size, runs))
    };
    let pairs: Vec<(f64, f64)> = shared
        .iter()
        .filter_map(|instance| Some((value(base, instance)?, value(trained, instance)?)))
        .collect();
    let undefined = Cell::Missing(Missing::Undefined);
    let no_partner = Cell::Missing(Missing::NoPartner);
    let differences: Vec<f64> = compared.differences.iter().map(|difference| difference.1).collect();
    let (medians, shift_interval, shorter, longer) = if compared.paired {
        let before: Vec<Vec<f64>> = pairs.iter().map(|pair| vec![pair.0]).collect();
        let after: Vec<Vec<f64>> = pairs.iter().map(|pair| vec![pair.1]).collect();
        let interval = stats::hodges_lehmann_interval(&differences, CONFIDENCE);
        (
            medians(&before, &after, seed),
            interval.map_or(undefined.clone(), |ci| Cell::Range { low: ci.low, high: ci.high }),
            Cell::Count(compared.gained_lost.1),
            Cell::Count(compared.gained_lost.0),
        )
    } else {
        (None, no_partner.clone(), no_partner.clone(), no_partner.clone())
    };
    let medians = medians.unwrap_or_else(|| {
        let change = stats::relative_change(compared.base, compared.trained);
        vec![
            Cell::Quantity(compared.base),
            Cell::Quantity(compared.trained),
            change.map_or(undefined.clone(), Cell::Delta),
            no_partner,
        ]
    });
    let scope = if compared.paired { "shared instances" } else { "instances" };
    Row {
        id: format!("{}.instances", length.code()),
        cells: [
            vec![Cell::Text(length.name().to_owned()), Cell::Text(scope.to_owned())],
            medians,
            vec![
                compared.delta.map_or(undefined.clone(), Cell::Shift),
                shift_interval,
                compared.p.map_or(undefined, Cell::P),
                shorter,
                longer,
                Cell::Count(compared.instances.0),
                Cell::Count(compared.instances.1),
            ],
        ]
        .concat(),
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}
