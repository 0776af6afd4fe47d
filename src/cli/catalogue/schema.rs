//! Tables and columns of the store, from `schemas/*.json`.

use std::collections::BTreeMap;

use super::entry::{self, Entry};
use super::markdown::{list, paragraph, sentence, table};
use crate::store::{ColumnSchema, SCHEMA_VERSION, SCHEMAS, Schema};

/// Tables of the store.
pub fn tables() -> Vec<Entry> {
    SCHEMAS.iter().map(entry_of).collect()
}

fn entry_of(schema: &Schema) -> Entry {
    let rows: Vec<[String; 3]> = schema
        .columns
        .iter()
        .map(|column| [format!("`{}`", column.name), kind(column), meaning(column)])
        .collect();
    let mut body = paragraph(&format!(
        "{} Key: {}. Filled by {}.",
        sentence(schema.about),
        schema.key.join(", "),
        schema.writer
    ));
    body.push('\n');
    body.push_str(&table(["column", "type", "says"], &rows));
    Entry {
        kind: "table of the store",
        name: schema.table.to_owned(),
        aliases: Vec::new(),
        line: schema.about.to_owned(),
        body,
    }
}

fn kind(column: &ColumnSchema) -> String {
    format!("{}{}", column.kind.as_str(), if column.nullable { "?" } else { "" })
}

fn meaning(column: &ColumnSchema) -> String {
    column.unit.map_or_else(|| column.meaning.to_owned(), |unit| format!("{} [{unit}]", column.meaning))
}

/// Columns of the store by name, with what each table means by it.
pub fn columns() -> Vec<Entry> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for schema in SCHEMAS.iter() {
        for column in &schema.columns {
            let text = format!("{} ({}): {}", schema.table, kind(column), meaning(column));
            found.entry(column.name).or_default().push(text);
        }
    }
    found
        .into_iter()
        .map(|(name, meanings)| Entry {
            kind: "column of the store",
            name: name.to_owned(),
            aliases: Vec::new(),
            line: meanings.join("; "),
            body: list(&meanings),
        })
        .collect()
}

/// `docs/schema.md`.
pub fn page() -> String {
    let about = format!(
        "{}\n{}",
        paragraph(&format!(
            "A store is a folder with one folder of Parquet files a table; `TABLE/*.parquet` is the live table whenever no \
             writer runs. Schema version {SCHEMA_VERSION}. Types: str, i64 for every count, f64, bool, ts (UTC ms); `?` may be \
             null, which means not known. A key is never null, \"\" is never stored, and shares are never stored, only num and \
             den."
        )),
        paragraph(
            "`runs` is a view, one row a run: trajectories outer-joined with outcomes, with every 0/1 behaviour as a column. \
             `run_behaviours` is the same in long form. `ethogram query` knows both, `views.sql` in the store makes them in \
             DuckDB, and `ethogram report STORE runs --format parquet` writes the first."
        ),
    );
    entry::page("The store", &about, &tables())
}
