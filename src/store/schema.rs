//! Tables, columns, types: `schemas/*.json`, compiled in. They are the truth from which the writer, the pages and
//! `query --schema` are made; nobody else says what a table holds (`interface.md`, The store).

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, SchemaRef, TimeUnit};
use serde::Deserialize;

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum ColumnType {
    /// Text; never empty.
    #[serde(rename = "str")]
    Text,
    /// A count, a position or a hash: always 64 bits, since 32 wrap in silence (rust.md §1.2).
    #[serde(rename = "i64")]
    Int,
    /// A quantity.
    #[serde(rename = "f64")]
    Float,
    /// True or false.
    #[serde(rename = "bool")]
    Bool,
    /// A moment, UTC milliseconds.
    #[serde(rename = "ts")]
    Time,
}

impl ColumnType {
    /// The word in `schemas/*.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            ColumnType::Text => "str",
            ColumnType::Int => "i64",
            ColumnType::Float => "f64",
            ColumnType::Bool => "bool",
            ColumnType::Time => "ts",
        }
    }

    /// The type in Arrow.
    pub(super) fn to_arrow(self) -> DataType {
        match self {
            ColumnType::Text => DataType::Utf8,
            ColumnType::Int => DataType::Int64,
            ColumnType::Float => DataType::Float64,
            ColumnType::Bool => DataType::Boolean,
            ColumnType::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        }
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSchema {
    /// Name; no word of SQL.
    pub name: &'static str,
    /// Type.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// It may be null, which means not known or none.
    #[serde(default, rename = "null")]
    pub nullable: bool,
    /// It holds long text: no dictionary and no statistics are kept of it.
    #[serde(default)]
    pub long: bool,
    /// What it says.
    pub meaning: &'static str,
    /// Unit, where it has one.
    #[serde(default)]
    pub unit: Option<&'static str>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Name.
    pub table: &'static str,
    /// Step that fills it: study, ingest, tag, compare.
    pub writer: &'static str,
    /// What one row is.
    pub about: &'static str,
    /// Columns that name a row.
    pub key: Vec<&'static str>,
    /// Columns in order.
    pub columns: Vec<ColumnSchema>,
}

impl Schema {
    /// The position of a column.
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == column)
    }

    /// True for a table with a column of long text; no T-table reads one.
    pub fn has_long_text(&self) -> bool {
        self.columns.iter().any(|c| c.long)
    }

    /// The schema in Arrow.
    pub(super) fn to_arrow(&self) -> SchemaRef {
        let fields: Vec<Field> =
            self.columns.iter().map(|c| Field::new(c.name, c.kind.to_arrow(), c.nullable)).collect();
        Arc::new(arrow::datatypes::Schema::new(fields))
    }
}

/// Version of the tables: raised when a stored column changes its name, type or meaning.
pub const SCHEMA_VERSION: i64 = 1;

const FILES: [&str; 30] = [
    include_str!("../../schemas/aggregates.json"),
    include_str!("../../schemas/arm_pairs.json"),
    include_str!("../../schemas/arms.json"),
    include_str!("../../schemas/behaviours.json"),
    include_str!("../../schemas/benchmarks.json"),
    include_str!("../../schemas/call_text.json"),
    include_str!("../../schemas/calls.json"),
    include_str!("../../schemas/edits.json"),
    include_str!("../../schemas/events.json"),
    include_str!("../../schemas/external.json"),
    include_str!("../../schemas/factors.json"),
    include_str!("../../schemas/gold_files.json"),
    include_str!("../../schemas/instance_pairs.json"),
    include_str!("../../schemas/instances.json"),
    include_str!("../../schemas/loops.json"),
    include_str!("../../schemas/network.json"),
    include_str!("../../schemas/outcomes.json"),
    include_str!("../../schemas/pairs.json"),
    include_str!("../../schemas/patches.json"),
    include_str!("../../schemas/reads.json"),
    include_str!("../../schemas/segments.json"),
    include_str!("../../schemas/series.json"),
    include_str!("../../schemas/tags.json"),
    include_str!("../../schemas/task_text.json"),
    include_str!("../../schemas/test_runs.json"),
    include_str!("../../schemas/tests.json"),
    include_str!("../../schemas/trajectories.json"),
    include_str!("../../schemas/turn_facts.json"),
    include_str!("../../schemas/turn_text.json"),
    include_str!("../../schemas/turns.json"),
];

/// All tables, sorted by name.
pub static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    FILES.iter().map(|text| serde_json::from_str(text).expect("schemas are checked by a test")).collect()
});

/// The schema of a table.
pub fn schema(table: &str) -> Option<&'static Schema> {
    SCHEMAS.iter().find(|schema| schema.table == table)
}
