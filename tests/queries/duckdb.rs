//! What DuckDB must agree with: `ETHOGRAM_DUCKDB_OUT=FOLDER cargo test queries::duckdb` writes stores there, each
//! with the rows that polars gives for every query and view; `tests/duckdb/compare.py FOLDER` runs the same files on
//! DuckDB.

use std::path::{Path, PathBuf};

use ethogram::store::{Frame, QUERIES, Sql, Store, Value};
use serde_json::{Value as Json, json};

use super::rows_file::RowsFile;
use super::{made_up, rows_files};

#[test]
fn stores_and_rows_for_the_comparison() {
    let kept = tempfile::tempdir().unwrap();
    let out = match std::env::var_os("ETHOGRAM_DUCKDB_OUT") {
        Some(folder) => PathBuf::from(folder),
        None => {
            println!("skipped: the stores are not kept for DuckDB (set ETHOGRAM_DUCKDB_OUT)");
            kept.path().to_owned()
        }
    };
    let mut counted = write_rows(&out.join("made-up"), None, made_up::store);
    assert!(counted > 3_000, "the made-up store says little: {counted} rows");
    if std::env::var_os("ETHOGRAM_DUCKDB_OUT").is_some() {
        for path in rows_files() {
            let file = RowsFile::read(&path);
            let name = format!("{}-{}", file.query, path.file_stem().unwrap().to_str().unwrap());
            counted += write_rows(&out.join(name), Some(&file.query), |store| file.store(store));
        }
        counted += write_rows(&out.join("empty"), None, |path| {
            Store::create_or_open(path).unwrap().writer().unwrap().commit(Default::default()).unwrap()
        });
        println!("{counted} rows lie in {}", out.display());
    }
}

/// Makes a store in `folder/store` and writes the rows of each query, or of `only` one, to `folder/CODE.json`; how
/// many rows there were.
fn write_rows(folder: &Path, only: Option<&str>, store: impl FnOnce(&Path) -> Store) -> usize {
    std::fs::create_dir_all(folder).unwrap();
    let sql = Sql::open(&store(&folder.join("store"))).unwrap();
    let mut counted = 0;
    let views = [
        ("view_runs", "SELECT * FROM runs ORDER BY arm, benchmark, instance_id, run"),
        (
            "view_run_behaviours",
            "SELECT * FROM run_behaviours ORDER BY arm, benchmark, instance_id, run, behaviour",
        ),
    ];
    for (code, statement) in
        QUERIES.iter().copied().chain(views).filter(|(code, _)| only.is_none_or(|only| only == *code))
    {
        let frame = sql.run(statement).unwrap_or_else(|error| panic!("{code}: {error}"));
        counted += frame.rows.len();
        let text = json!({ "sql": statement, "columns": names(&frame), "rows": rows(&frame) });
        std::fs::write(folder.join(format!("{code}.json")), text.to_string()).unwrap();
    }
    counted
}

fn names(frame: &Frame) -> Vec<&str> {
    frame.columns.iter().map(|column| column.name.as_str()).collect()
}

fn rows(frame: &Frame) -> Vec<Vec<Json>> {
    let value = |value: &Value| match value {
        Value::Null => Json::Null,
        Value::Text(text) => json!(text.as_ref()),
        Value::Int(number) | Value::Time(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Bool(flag) => json!(flag),
    };
    frame.rows.iter().map(|row| row.iter().map(value).collect()).collect()
}
