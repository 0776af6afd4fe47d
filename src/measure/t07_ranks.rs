//! T7: whether two ways of measuring put systems in the same order (`definitions.md` §10, `statistics.md` §1): scaffolds,
//! benchmarks, before and after training. The system is the unit, and with few systems only the exact p is honest.

use std::collections::BTreeMap;

use super::columns::{numbers, words};
use super::{Material, TableFamily, foot, scores};
use crate::model::series::{Role, Series};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::stats;
use crate::store::StoreError;

/// T7.
pub const TABLE: TableFamily = TableFamily {
    code: "T7",
    title: "rank correlation of systems between columns",
    about: "Spearman's ρ and Kendall's τ-b of the scores of systems in every two columns that share three or more. A \
            column is a role, a scaffold (the factor `scaffold`, else that of the logs), other factors, a benchmark and \
            a k. Exact p over all orders up to nine systems, else by the t and the normal law.",
    queries: &["t01", "aggregates", "t06", "systems"],
    columns: &[
        ("first", "one column"),
        ("second", "the other column"),
        ("systems", "systems that have a score in both"),
        ("rho", "Spearman's ρ, with midranks where scores tie"),
        ("rho_p", "two-sided p of ρ"),
        ("tau_b", "Kendall's τ-b"),
        ("tau_p", "two-sided p of τ-b"),
        ("note", "what n allows: four systems and fewer cannot reach 0.05"),
    ],
    paper: &["first", "second", "systems", "rho", "rho_p", "tau_b", "tau_p"],
    build,
    series,
};

/// Fewer systems have no order to speak of.
const LEAST_SYSTEMS: usize = 3;
/// Up to this many systems no order reaches 0.05 (`statistics.md` §1).
const NEVER_SIGNIFICANT: usize = 4;

/// Scores by system; `None` where two arms of a system stand in one column.
type Scores = BTreeMap<String, Option<f64>>;

fn columns(material: &Material) -> Result<BTreeMap<String, Scores>, StoreError> {
    let factors = scores::factors(material)?;
    let systems = scores::systems(material)?;
    let mut found: BTreeMap<String, Scores> = BTreeMap::new();
    for arm in &material.question.arms {
        let Some((system, scaffold)) = systems.get(&arm.name) else { continue };
        let of_arm = factors.get(&arm.name);
        let role = match arm.role {
            Role::Base => Some("base"),
            Role::Trained => Some("trained"),
            Role::Other | Role::Public => None,
        };
        let named = of_arm.and_then(|levels| levels.get("scaffold")).or(scaffold.as_ref());
        let others = of_arm.into_iter().flatten().filter(|(factor, _)| *factor != "scaffold");
        let mut words: Vec<String> = role.into_iter().map(str::to_owned).collect();
        words.extend(named.cloned());
        words.extend(others.map(|(factor, level)| format!("{factor} {level}")));
        for (benchmark, k) in scores::scored_on(material, arm) {
            let Some(value) = scores::score(material, &arm.name, &benchmark, k).and_then(|score| score.value)
            else {
                continue;
            };
            let mut name = vec![benchmark, format!("pass@{k}")];
            name.extend(words.iter().cloned());
            let column = found.entry(name.join(", ")).or_default();
            column.entry(system.clone()).and_modify(|score| *score = None).or_insert(Some(value));
        }
    }
    Ok(found)
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let columns = columns(material)?;
    let mut rows = Vec::new();
    let columns: Vec<(&String, &Scores)> = columns.iter().collect();
    for (place, (first, x)) in columns.iter().enumerate() {
        for (second, y) in columns.iter().skip(place + 1) {
            rows.extend(row(first, x, second, y));
        }
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut foot = vec![
        "unit=system; p two-sided, exact over all orders up to 9 systems, else by the t law (ρ) and the normal law (τ-b)"
            .to_owned(),
        "raw p: rows share their systems and are no family of independent tests".to_owned(),
        "a system of which two arms stand in one column is left out there".to_owned(),
    ];
    foot.extend(foot::common(material.question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "order of systems by their scores".to_owned(),
        columns: vec![
            words("first", "one column"),
            words("second", "other column"),
            numbers("systems", "systems", ""),
            numbers("rho", "ρ", ""),
            numbers("rho_p", "p of ρ", ""),
            numbers("tau_b", "τ-b", ""),
            numbers("tau_p", "p of τ-b", ""),
            words("note", "note"),
        ],
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    }])
}

fn row(first: &str, x: &Scores, second: &str, y: &Scores) -> Option<Row> {
    let both = x.iter().filter_map(|(system, a)| Some(((*a)?, (*y.get(system)?)?)));
    let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
    if x.len() < LEAST_SYSTEMS {
        return None;
    }
    let found = stats::rank_correlation(&x, &y);
    let cell =
        |value: Option<f64>, cell: fn(f64) -> Cell| value.map_or(Cell::Missing(Missing::Undefined), cell);
    let note = if x.len() <= NEVER_SIGNIFICANT { "cannot reach 0.05" } else { "" };
    Some(Row {
        id: format!("{first}.{second}"),
        cells: vec![
            Cell::Text(first.to_owned()),
            Cell::Text(second.to_owned()),
            Cell::Count(x.len() as i64),
            cell(found.map(|found| found.rho), Cell::Ratio),
            cell(found.map(|found| found.rho_p), Cell::P),
            cell(found.map(|found| found.tau_b), Cell::Ratio),
            cell(found.map(|found| found.tau_p), Cell::P),
            Cell::Text(note.to_owned()),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    })
}

fn series(_: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    Ok(Vec::new())
}
