//! T4: behavioural decomposition by arm: every behaviour with its macro value and interval, how many runs it does not
//! apply to, and for rates the pooled value beside it (`definitions.md` §5, §10).

use super::columns::{numbers, words};
use super::comparison::{CONFIDENCE, mean_interval};
use super::data::{Instances, applicable, instance_value, run_values};
use super::outcome_rows::{Unscored, resolved};
use super::{Material, TableFamily, foot};
use crate::behaviours::{Behaviour, BehaviourKind};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::stats;
use crate::store::StoreError;

/// T4.
pub const TABLE: TableFamily = TableFamily {
    code: "T4",
    title: "behaviours by arm",
    about: "Mean over instances of the per-run value (macro). Shares with one run an instance: Wilson interval, with \
            several Wilson at effective n; rates: t over instance means; sizes: median and quartiles over runs. For rates \
            the value with all turns pooled (micro) stands beside it.",
    queries: &["t04"],
    columns: &[
        ("behaviour", "behaviour; `ethogram explain CODE` says what is counted"),
        ("unit", "of what the share is one, empty for a size"),
        ("ARM.value", "mean over instances of the per-run value (macro); of a size the median over runs"),
        ("ARM.interval", "95 % interval of the value; of a size its quartiles over runs"),
        ("ARM.micro", "of a rate: all turns or events of the arm pooled (micro), the way of most papers"),
        ("ARM.runs", "runs that enter"),
        (
            "ARM.not_applicable",
            "runs to which the behaviour does not apply (denominator 0), or whose log does not say",
        ),
    ],
    paper: &["behaviour", "value", "interval"],
    build,
    series: |_| Ok(Vec::new()),
};

/// Columns of one arm on one benchmark.
struct Side {
    name: String,
    arm: String,
    benchmark: String,
}

fn sides(material: &Material) -> Vec<Side> {
    let question = material.question;
    let mut found = Vec::new();
    for arm in &question.arms {
        let benchmarks: Vec<&str> = material
            .data
            .benchmarks_of(&arm.name)
            .filter(|benchmark| {
                material
                    .data
                    .outcomes_of(&arm.name, benchmark)
                    .is_some_and(|outcomes| outcomes.values().any(|counts| counts.logs > 0))
            })
            .collect();
        let several = benchmarks.len() > 1;
        for benchmark in benchmarks {
            let name = if several { format!("{} ({benchmark})", arm.name) } else { arm.name.clone() };
            found.push(Side { name, arm: arm.name.clone(), benchmark: benchmark.to_owned() });
        }
    }
    found
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let sides = sides(material);
    if sides.is_empty() {
        return Ok(Vec::new());
    }
    let mut columns = vec![words("behaviour", "behaviour"), words("unit", "unit")];
    for side in &sides {
        columns.push(numbers(format!("{}.value", side.name), side.name.as_str(), ""));
        columns.push(numbers(format!("{}.interval", side.name), "95 % interval", ""));
        columns.push(numbers(format!("{}.micro", side.name), "pooled", "%"));
        columns.push(numbers(format!("{}.runs", side.name), "runs", ""));
        columns.push(numbers(format!("{}.not_applicable", side.name), "n/a", "runs"));
    }
    let rows =
        material.data.listed().iter().filter_map(|behaviour| row(material, &sides, behaviour)).collect();
    let mut foot = vec![
        "unit=instance; value=mean over instances of the per-run value (macro), for sizes the median over runs".to_owned(),
        "interval=Wilson (several runs: at effective n) for shares, t over instance means for rates, quartiles over runs for \
         sizes"
            .to_owned(),
        "pooled=all turns or events of the arm together (micro); n/a=runs to which the behaviour does not apply or whose \
         log does not say"
            .to_owned(),
        "runs=runs with a log; resolved: scored runs".to_owned(),
    ];
    let arms: Vec<&str> = sides.iter().map(|side| side.arm.as_str()).collect();
    foot.extend(foot::classifier(material.question, material.data, &arms));
    foot.extend(foot::common(material.question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "shares of runs and of turns in %, sizes as they are".to_owned(),
        columns,
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    }])
}

fn row(material: &Material, sides: &[Side], behaviour: &Behaviour) -> Option<Row> {
    let unit = match behaviour.kind {
        BehaviourKind::Share => "% of runs",
        BehaviourKind::Rate => "% of turns or events",
        BehaviourKind::Size => "",
    };
    let mut cells = vec![Cell::Text(behaviour.name.to_owned()), Cell::Text(unit.to_owned())];
    let mut any = false;
    for side in sides {
        let joined;
        let instances = if behaviour.code == "resolved" {
            joined = resolved(material.data.outcomes_of(&side.arm, &side.benchmark)?, Unscored::Excluded);
            Some(&joined)
        } else {
            material.data.instances(&side.arm, &side.benchmark, behaviour)
        };
        let values = instances.map(|instances| value_cells(behaviour.kind, instances));
        any |= values.is_some();
        cells.extend(values.unwrap_or_else(|| vec![Cell::Missing(Missing::NoLog); 5]));
    }
    any.then(|| Row {
        id: behaviour.code.to_owned(),
        cells,
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    })
}

fn value_cells(kind: BehaviourKind, instances: &Instances) -> Vec<Cell> {
    let runs = applicable(instances, kind) as i64;
    let all: i64 = instances.values().flatten().map(|counts| counts.runs).sum();
    let missing = || Cell::Missing(Missing::NotApplicable);
    let (value, interval) = match kind {
        BehaviourKind::Share => share(instances),
        BehaviourKind::Rate => rate(instances),
        BehaviourKind::Size => size(instances),
    };
    let micro = match kind {
        BehaviourKind::Rate => pooled(instances),
        BehaviourKind::Share | BehaviourKind::Size => missing(),
    };
    vec![
        value.unwrap_or_else(missing),
        interval.unwrap_or(Cell::Missing(Missing::Undefined)),
        micro,
        Cell::Count(runs),
        Cell::Count(all - runs),
    ]
}

fn share(instances: &Instances) -> (Option<Cell>, Option<Cell>) {
    let groups: Vec<Vec<f64>> = instances
        .values()
        .map(|runs| run_values(BehaviourKind::Share, runs))
        .filter(|values| !values.is_empty())
        .collect();
    let wins: f64 = groups.iter().flatten().sum();
    if groups.iter().all(|group| group.len() == 1) {
        let (num, den) = (wins as u64, groups.len() as u64);
        let value = (den > 0).then_some(Cell::Share { num: num as i64, den: den as i64 });
        let interval = stats::wilson(num, den, CONFIDENCE);
        return (value, interval.map(|ci| Cell::Interval { low: ci.low, high: ci.high }));
    }
    let means: Vec<f64> = groups.iter().filter_map(|group| stats::mean(group)).collect();
    let value = stats::mean(&means).map(|value| Cell::Mean { value, n: means.len() as i64 });
    let interval = stats::wilson_clustered(&groups, CONFIDENCE);
    (value, interval.map(|wilson| Cell::Interval { low: wilson.ci.low, high: wilson.ci.high }))
}

fn rate(instances: &Instances) -> (Option<Cell>, Option<Cell>) {
    let means: Vec<f64> =
        instances.values().filter_map(|runs| instance_value(BehaviourKind::Rate, runs)).collect();
    let value = stats::mean(&means).map(|value| Cell::Mean { value, n: means.len() as i64 });
    let interval =
        mean_interval(&means).map(|(low, high)| Cell::Interval { low: low.max(0.0), high: high.min(1.0) });
    (value, interval)
}

fn size(instances: &Instances) -> (Option<Cell>, Option<Cell>) {
    let values: Vec<f64> =
        instances.values().flat_map(|runs| run_values(BehaviourKind::Size, runs)).collect();
    let quartiles = stats::quantile(&values, 0.25).zip(stats::quantile(&values, 0.75));
    (stats::median(&values).map(Cell::Quantity), quartiles.map(|(low, high)| Cell::Range { low, high }))
}

fn pooled(instances: &Instances) -> Cell {
    let (num, den) = instances.values().flatten().fold((0, 0), |(num, den), counts| match counts.num {
        Some(value) => (num + value * counts.runs, den + counts.den * counts.runs),
        None => (num, den),
    });
    if den > 0 { Cell::Share { num, den } } else { Cell::Missing(Missing::NotApplicable) }
}
