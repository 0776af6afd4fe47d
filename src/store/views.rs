//! Views: SQL that every table starts from (`queries/views/*.sql`). The columns of `runs` for 0/1 behaviours are
//! generated, so that a new behaviour edits no SQL.

use super::schema::SCHEMAS;

/// Views in the order in which they build on each other.
pub(super) const VIEWS: [(&str, &str); 2] = [
    ("runs", include_str!("../../queries/views/runs.sql")),
    ("run_behaviours", include_str!("../../queries/views/run_behaviours.sql")),
];

/// Behaviours of kind share that a log alone shows (`definitions.md` §5).
const SHARES: [&str; 25] = [
    "abnormal_end",
    "acted",
    "active_testing",
    "answered",
    "any_edit",
    "autonomous_edit",
    "changed",
    "empty_patch",
    "ended_by_itself",
    "explicit_submission",
    "explored",
    "failed_test_seen",
    "fixed_after_failed_test",
    "loop",
    "net_edit",
    "network_attempt",
    "own_test_written",
    "reedit_after_failed_test",
    "reedit_given_failure",
    "rejected_submission",
    "repetitive_loop",
    "runner_missing",
    "searched",
    "test_after_edit",
    "verified_submission",
];

/// The statement of a view with its generated lines.
pub(super) fn view_sql(text: &str) -> String {
    let mut sql = String::new();
    for line in text.lines() {
        match line.strip_prefix("--! ") {
            Some(pattern) => SHARES.iter().for_each(|code| {
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
