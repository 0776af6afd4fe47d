//! Queries: golden rows over small tables, and the same rows from DuckDB (`tests/duckdb/compare.py`).

mod duckdb;
mod made_up;
mod rows_file;

use std::collections::BTreeSet;
use std::path::PathBuf;

use ethogram::store::{QUERIES, Sql};
use rows_file::RowsFile;

use crate::support::{folders, repository};

/// Every `fixtures/queries/CODE/NAME.rows`, sorted.
fn rows_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folders(&repository().join("fixtures/queries"))
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()))
        .collect();
    files.sort();
    files
}

#[test]
fn golden_rows() {
    let mut differences = Vec::new();
    for path in rows_files() {
        let file = RowsFile::read(&path);
        let folder = tempfile::tempdir().unwrap();
        let frame = Sql::open(&file.store(folder.path())).unwrap().query(&file.query).unwrap();
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            file.update(&frame);
        } else {
            differences.extend(file.differences(&frame));
        }
    }
    assert!(differences.is_empty(), "`UPDATE=1 cargo test` rewrites them\n{}", differences.join("\n"));
}

#[test]
fn every_query_has_golden_rows() {
    let with_rows: BTreeSet<String> = rows_files()
        .iter()
        .map(|path| {
            let code = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
            assert_eq!(RowsFile::read(path).query, code, "{}", path.display());
            code
        })
        .collect();
    let codes: BTreeSet<String> = QUERIES.iter().map(|(code, _)| (*code).to_owned()).collect();
    assert_eq!(with_rows, codes);
}

#[test]
fn every_file_is_registered_and_ends_in_its_order() {
    let mut codes: Vec<String> = std::fs::read_dir(repository().join("queries"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    codes.sort();
    assert_eq!(codes, QUERIES.iter().map(|(code, _)| (*code).to_owned()).collect::<Vec<_>>());
    for (code, sql) in QUERIES {
        let statement = sql.trim_end();
        assert!(statement.starts_with("-- "), "{code}: a first line says what it counts");
        assert!(statement.ends_with(';'), "{code}");
        let last = statement.rfind("ORDER BY").unwrap_or_else(|| panic!("{code}: no ORDER BY"));
        assert!(!statement[last..].contains(')'), "{code}: the ORDER BY is not the statement's own");
    }
}
