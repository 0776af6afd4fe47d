//! `schemas/*.json`: names, keys, and that each file is compiled in.

use ethogram::store::{ColumnType, SCHEMAS, schema};

use crate::support::repository;

/// Reserved by DuckDB or by SQL engines that read the same files: none of them can stand as a column unquoted.
const RESERVED: &str = "all analyse analyze and any array as asc asymmetric at both case cast check collate column \
    constraint create cross default deferrable desc describe distinct do else end except false fetch for foreign \
    from full grant group having in initially inner intersect into is join lambda lateral leading left like limit \
    natural not null offset on only or order outer pivot placing primary qualify references returning right select \
    show some summarize symmetric table then to trailing true union unique unpivot using variadic when where window \
    with values date time timestamp interval user current_user row rows";

#[test]
fn every_file_is_compiled_in_and_sorted() {
    let mut files: Vec<String> = std::fs::read_dir(repository().join("schemas"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    let tables: Vec<&str> = SCHEMAS.iter().map(|schema| schema.table).collect();
    assert_eq!(tables, files);
}

#[test]
fn names_are_no_words_of_sql() {
    for schema in SCHEMAS.iter() {
        for name in schema.columns.iter().map(|column| column.name).chain([schema.table]) {
            assert!(!RESERVED.split_whitespace().any(|word| word == name), "{}.{name}", schema.table);
            let plain = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
            assert!(plain, "{}.{name}", schema.table);
        }
    }
}

#[test]
fn every_table_has_a_key_of_its_first_columns_that_is_never_null() {
    for schema in SCHEMAS.iter() {
        assert!(!schema.key.is_empty(), "{}", schema.table);
        let first: Vec<&str> =
            schema.columns.iter().take(schema.key.len()).map(|column| column.name).collect();
        assert_eq!(first, schema.key, "{}", schema.table);
        assert!(
            schema.columns.iter().take(schema.key.len()).all(|column| !column.nullable),
            "{}",
            schema.table
        );
    }
}

#[test]
fn columns_are_told_apart_and_explained() {
    for schema in SCHEMAS.iter() {
        let mut names: Vec<&str> = schema.columns.iter().map(|column| column.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), schema.columns.len(), "{}", schema.table);
        // A row keeps one bit a column (`store/rows.rs`).
        assert!(names.len() < 64, "{}", schema.table);
        assert!(!schema.about.is_empty());
        for column in &schema.columns {
            assert!(!column.meaning.is_empty(), "{}.{}", schema.table, column.name);
            assert!(!column.long || column.kind == ColumnType::Text, "{}.{}", schema.table, column.name);
            assert!(column.unit != Some(""), "{}.{}", schema.table, column.name);
        }
    }
}

#[test]
fn one_name_has_one_type() {
    // Joins compare columns of equal names; two types would compare nothing, without an error.
    let mut seen: Vec<(&str, ColumnType, &str)> = Vec::new();
    for schema in SCHEMAS.iter() {
        for column in &schema.columns {
            let known = seen.iter().find(|(name, ..)| *name == column.name);
            let Some((_, kind, table)) = known else {
                seen.push((column.name, column.kind, schema.table));
                continue;
            };
            assert_eq!(*kind, column.kind, "{}.{} and {table}", schema.table, column.name);
        }
    }
}

#[test]
fn only_text_tables_hold_long_text() {
    let long: Vec<&str> =
        SCHEMAS.iter().filter(|schema| schema.has_long_text()).map(|schema| schema.table).collect();
    assert_eq!(long, ["call_text", "patches", "task_text", "turn_text"]);
    assert_eq!(schema("turns").unwrap().key, ["trajectory_id", "turn"]);
    assert!(schema("findings").is_none(), "it comes with its writer");
}
