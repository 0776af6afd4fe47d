//! Tables, the summary of `study --json` and `study.json`: numerator and denominator, why a cell is missing, p as the
//! full double. Keys stand in the order of the columns.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};

use super::{Inputs, Report, verdicts};
use crate::measure::{ArmCoverage, Compared, Comparison};
use crate::model::series::Role;
use crate::model::table::{Row, Table};
use crate::number;
use crate::store::SCHEMA_VERSION;

/// A table.
pub fn table(table: &Table) -> String {
    pretty(&TableJson(table))
}

/// Text that ends with a line feed.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("maps with text keys serialise");
    text.push('\n');
    text
}

struct TableJson<'a>(&'a Table);

impl Serialize for TableJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = self.0;
        let columns: Vec<Value> = table
            .columns
            .iter()
            .map(|column| json!({"name": column.name, "head": column.head, "unit": column.unit}))
            .collect();
        let mut map = serializer.serialize_map(Some(7))?;
        map.serialize_entry("code", &table.code)?;
        map.serialize_entry("id", &table.id)?;
        map.serialize_entry("title", &table.title)?;
        map.serialize_entry("subtitle", &table.subtitle)?;
        map.serialize_entry("columns", &columns)?;
        map.serialize_entry("rows", &Rows(table))?;
        map.serialize_entry("foot", &table.foot)?;
        map.end()
    }
}

struct Rows<'a>(&'a Table);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.0.rows.len()))?;
        for row in &self.0.rows {
            rows.serialize_element(&RowJson(self.0, row))?;
        }
        rows.end()
    }
}

struct RowJson<'a>(&'a Table, &'a Row);

impl Serialize for RowJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (table, row) = (self.0, self.1);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("row", &row.id)?;
        if !row.group.is_empty() {
            map.serialize_entry("group", &row.group)?;
        }
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            map.serialize_entry(&column.name, &number::json(cell))?;
        }
        if !row.notes.is_empty() {
            map.serialize_entry("notes", &row.notes)?;
        }
        map.end()
    }
}

/// What `study --json` prints: headline, T5, coverage.
pub fn summary(report: &Report) -> String {
    struct Summary<'a>(&'a Report<'a>);
    impl Serialize for Summary<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let answer = self.0.answer;
            let sentences: Vec<String> =
                verdicts(self.0.question, answer).iter().map(super::Verdict::text).collect();
            let comparisons: Vec<Value> = answer.comparisons.iter().map(comparison).collect();
            let coverage: Vec<Value> = answer.coverage.iter().map(coverage).collect();
            let of = |code: &'static str| answer.tables.iter().filter(move |table| table.code == code);
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("study", &self.0.question.study)?;
            map.serialize_entry("headline", &sentences)?;
            map.serialize_entry("warnings", &answer.warnings)?;
            map.serialize_entry("comparisons", &comparisons)?;
            map.serialize_entry("T5", &of("T5").map(TableJson).collect::<Vec<_>>())?;
            if !self.0.question.by.is_empty() {
                map.serialize_entry("strata", &of("strata").map(TableJson).collect::<Vec<_>>())?;
            }
            map.serialize_entry("coverage", &coverage)?;
            map.end()
        }
    }
    pretty(&Summary(report))
}

fn comparison(comparison: &Comparison) -> Value {
    let coverage = &comparison.coverage;
    json!({
        "base": comparison.base,
        "trained": comparison.trained,
        "benchmark": comparison.benchmark,
        "resolved": comparison.resolved.as_ref().map(compared),
        "resolved_p_adjusted": comparison.resolved_p_adjusted,
        "unscored_as_failures": comparison.resolved_as_failures.as_ref().map(compared),
        "extremes": comparison.extremes.map(|(low, high)| json!({"low": low, "high": high})),
        "undecided_by_unscored": comparison.undecided_by_unscored(),
        "solved_in_none_some_all": comparison.solved,
        "pairs": {
            "both_scored": coverage.both_scored.len(),
            "one_unscored": coverage.one_unscored,
            "both_unscored": coverage.both_unscored,
            "base_only": coverage.base_only,
            "trained_only": coverage.trained_only,
        },
    })
}

fn compared(row: &Compared) -> Value {
    json!({
        "base": row.base,
        "trained": row.trained,
        "delta": row.delta,
        "low": row.interval.map(|interval| interval.0),
        "high": row.interval.map(|interval| interval.1),
        "interval": row.interval_kind.as_str(),
        "p": row.p,
        "test": row.test.as_str(),
        "paired": row.paired,
        "instances_base": row.instances.0,
        "instances_trained": row.instances.1,
        "gained": row.gained_lost.0,
        "lost": row.gained_lost.1,
        "both": row.cells.map(|cells| cells[0]),
        "only_base": row.cells.map(|cells| cells[1]),
        "only_trained": row.cells.map(|cells| cells[2]),
        "neither": row.cells.map(|cells| cells[3]),
    })
}

fn coverage(arm: &ArmCoverage) -> Value {
    json!({
        "arm": arm.arm,
        "benchmark": arm.benchmark,
        "instances": arm.instances,
        "runs": arm.runs,
        "runs_an_instance": {"min": arm.runs_range.0, "max": arm.runs_range.1},
        "logs": arm.logs,
        "no_log": arm.runs - arm.logs,
        "scored": arm.scored,
        "resolved": arm.resolved,
        "unscored": arm.reasons.iter().map(|(reason, n)| json!({"reason": reason, "runs": n})).collect::<Vec<_>>(),
    })
}

/// `study.json`: enough to repeat the study, and the files of the report.
pub fn study(report: &Report, files: &[String]) -> String {
    let (question, inputs) = (report.question, report.inputs);
    let arms: Vec<Value> = question
        .arms
        .iter()
        .map(|arm| {
            let found = inputs.arm(&arm.name);
            json!({
                "name": arm.name,
                "role": role(arm.role),
                "scaffolds": arm.scaffolds,
                "logs": found.map(|arm| &arm.logs),
                "outcomes": found.map(|arm| &arm.outcomes),
            })
        })
        .collect();
    pretty(&json!({
        "study": question.study,
        "engine_version": inputs.engine_version,
        "schema_version": SCHEMA_VERSION,
        "seed": question.seed,
        "pairs": question.pairs,
        "primary": question.primary,
        "expect_runs": question.expect_runs,
        "duplicates": question.duplicates,
        "decimals": question.decimals,
        "study_file": inputs.study_file,
        "arms": arms,
        "rules": inputs.contents.rules,
        "settings": inputs.contents.settings,
        "inputs": files_read(inputs),
        "problems": {
            "refused": inputs.problems("refused"),
            "repaired": inputs.problems("repaired"),
            "note": inputs.problems("note"),
        },
        "files": files,
    }))
}

fn files_read(inputs: &Inputs) -> Vec<Value> {
    let one = |input: &crate::store::Input| {
        json!({
            "path": input.path,
            "arm": input.arm,
            "read_as": input.read_as,
            "bytes": input.bytes,
            "blake3": input.digest,
            "trajectories": input.trajectories.len(),
        })
    };
    inputs.contents.inputs.iter().map(one).collect()
}

/// The word of a role in the study file.
pub(super) fn role(role: Role) -> Option<&'static str> {
    match role {
        Role::Base => Some("base"),
        Role::Trained => Some("trained"),
        Role::Public => Some("public"),
        Role::Other => None,
    }
}
