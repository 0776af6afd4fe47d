//! Views: SQL that every table starts from (`queries/views/*.sql`). The columns of `runs` for 0/1 behaviours are
//! generated, so that a new behaviour edits no SQL.

use super::schema::SCHEMAS;
use crate::behaviours::{BEHAVIOURS, BehaviourKind};

/// Views in the order in which they build on each other.
pub(super) const VIEWS: [(&str, &str); 2] = [
    ("runs", include_str!("../../queries/views/runs.sql")),
    ("run_behaviours", include_str!("../../queries/views/run_behaviours.sql")),
];

/// Behaviours that are columns of `runs`: 0 or 1 a run, shown by a log alone (`definitions.md` §5).
fn shares() -> impl Iterator<Item = &'static str> {
    BEHAVIOURS
        .iter()
        .filter(|behaviour| behaviour.kind == BehaviourKind::Share && behaviour.count.is_some())
        .map(|behaviour| behaviour.code)
}

/// The statement of a view with its generated lines.
pub(super) fn view_sql(text: &str) -> String {
    let mut sql = String::new();
    for line in text.lines() {
        match line.strip_prefix("--! ") {
            Some(pattern) => shares().for_each(|code| {
                sql.push_str("         ");
                sql.push_str(&pattern.replace("CODE", code));
                sql.push('\n');
            }),
            None => {
                sql.push_str(line);
                sql.push('\n');
            }
        }
    }
    sql
}

/// The text of `views.sql`: run in the store's folder, it makes each table and view for DuckDB.
pub fn duckdb_views() -> String {
    let mut sql = String::from("-- For DuckDB, in the folder of the store: duckdb -init views.sql\n");
    for schema in SCHEMAS.iter() {
        sql.push_str(&format!(
            "CREATE OR REPLACE VIEW {0} AS SELECT * FROM '{0}/*.parquet';\n",
            schema.table
        ));
    }
    for (name, text) in VIEWS {
        sql.push_str(&format!("CREATE OR REPLACE VIEW {name} AS\n{}", view_sql(text)));
    }
    sql
}
