//! T14: how runs ended, by arm (`definitions.md` §6, §10).

use std::collections::BTreeMap;

use super::columns::{numbers, words};
use super::{Material, TableFamily, foot};
use crate::model::series::{Caption, Series, TerminationBars, TerminationRow};
use crate::model::table::{Cell, Row, Table};
use crate::model::termination::{EndClass, Termination};
use crate::number;
use crate::store::StoreError;

/// T14.
pub const TABLE: TableFamily = TableFamily {
    code: "T14",
    title: "termination by arm",
    about: "Runs of which a log, a stub or a trial's record tells, by the reason of their end, counts and shares; \
            auto-submitted runs are those whose diff the harness took without being asked.",
    queries: &["t14"],
    columns: &[
        ("benchmark", "benchmark"),
        ("arm", "arm"),
        ("end", "why the run ended"),
        ("class", "class of that end: submitted, limit, agent failure, infrastructure, unknown"),
        ("runs", "runs with a log or a record that ended so"),
        ("share", "of the arm's runs with a log or a record"),
        ("auto_submitted", "of these, runs whose diff the harness took without being asked"),
    ],
    paper: &[],
    build,
    series,
};

/// Runs of one arm by end, and those of them whose diff was taken unasked.
type Ends = BTreeMap<Termination, (i64, i64)>;

fn ends(material: &Material) -> Result<BTreeMap<(String, String), Ends>, StoreError> {
    let mut found: BTreeMap<(String, String), Ends> = BTreeMap::new();
    for row in material.frames.get("t14")?.iter() {
        let key = (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned());
        // A word that this version does not know is an end of no known meaning.
        let termination = Termination::parse(row.text("termination")?).unwrap_or(Termination::Unknown);
        let n = row.int("n")?;
        let unasked = if row.opt_int("auto_submitted")? == Some(1) { n } else { 0 };
        let entry = found.entry(key).or_default().entry(termination).or_default();
        entry.0 += n;
        entry.1 += unasked;
    }
    Ok(found)
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let ends = ends(material)?;
    let mut rows = Vec::new();
    for arm in &material.question.arms {
        for ((_, benchmark), by_end) in ends.iter().filter(|((name, _), _)| *name == arm.name) {
            let den: i64 = by_end.values().map(|counts| counts.0).sum();
            for termination in Termination::ALL {
                let Some(&(num, unasked)) = by_end.get(&termination) else { continue };
                rows.push(Row {
                    id: format!("{benchmark}.{}.{}", arm.name, termination.as_str()),
                    cells: vec![
                        Cell::Text(benchmark.clone()),
                        Cell::Text(arm.name.clone()),
                        Cell::Text(termination.as_str().replace('_', " ")),
                        Cell::Text(termination.class().as_str().replace('_', " ")),
                        Cell::Count(num),
                        Cell::Share { num, den },
                        Cell::Count(unasked),
                    ],
                    strong: false,
                    group: String::new(),
                    notes: Vec::new(),
                });
            }
        }
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut foot = vec![
        "unit=run with a log, a stub or a trial's record; auto-submitted=the harness took the diff without being asked".to_owned(),
        "an end of no known meaning is unknown, never guessed".to_owned(),
    ];
    foot.extend(foot::common(material.question));
    Ok(vec![Table {
        code: TABLE.code.to_owned(),
        id: TABLE.code.to_owned(),
        title: TABLE.title.to_owned(),
        subtitle: "runs with a log, a stub or a trial's record".to_owned(),
        columns: vec![
            words("benchmark", "benchmark"),
            words("arm", "arm"),
            words("end", "end"),
            words("class", "class"),
            numbers("runs", "runs", ""),
            numbers("share", "share", "%"),
            numbers("auto_submitted", "auto-submitted", "runs"),
        ],
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    }])
}

/// Termination bars.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let ends = ends(material)?;
    let mut rows = Vec::new();
    for arm in &material.question.arms {
        let mut row = TerminationRow {
            arm: arm.label(),
            n: 0,
            submitted: 0,
            limit: (0, 0),
            agent_failure: 0,
            infrastructure: 0,
            unknown: 0,
        };
        for (_, by_end) in ends.iter().filter(|((name, _), _)| *name == arm.name) {
            for (termination, &(n, unasked)) in by_end {
                row.n += n;
                match termination.class() {
                    EndClass::Submitted => row.submitted += n,
                    EndClass::Limit => row.limit = (row.limit.0 + n, row.limit.1 + unasked),
                    EndClass::AgentFailure => row.agent_failure += n,
                    EndClass::Infrastructure => row.infrastructure += n,
                    EndClass::Unknown => row.unknown += n,
                }
            }
        }
        if row.n > 0 {
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let total: i64 = rows.iter().map(|row| row.n).sum();
    let caption = Caption {
        title: "How runs ended".to_owned(),
        subtitle: "share of runs with a log or a record, %; hatched: cut off, and the diff was taken unasked"
            .to_owned(),
        foot: format!("unit: run, n = {}; no interval: a count of all runs", number::count(total)),
    };
    Ok(vec![("termination".to_owned(), Series::Termination(TerminationBars { caption, rows }))])
}
