//! The store: rows in, rows out; commits that are whole or nothing; the schemas.

mod commits;
mod keys;
mod logs;
mod rows;
mod schemas;
mod sql;

use std::path::Path;

use ethogram::store::{Contents, Store, StoreError, StoreWriter, Value};

/// Makes a store of what `write` writes.
fn store_of(path: &Path, write: impl FnOnce(&mut StoreWriter) -> Result<(), StoreError>) -> Store {
    let mut writer = Store::create_or_open(path).unwrap().writer().unwrap();
    write(&mut writer).unwrap();
    writer.commit(Contents::default()).unwrap()
}

/// Adds a row of `turn_facts`, the narrowest table with a trajectory.
fn add_turn(writer: &mut StoreWriter, id: &str, turn: i64) -> Result<(), StoreError> {
    writer
        .table("turn_facts")?
        .row()
        .text("trajectory_id", id)
        .int("turn", turn)
        .text("primary_tag", "untagged")
        .flag("repeat_action", false)
        .flag("same_observation", false)
        .flag("poll", turn % 2 == 1)
        .done()
}

/// Trajectory and turn of the rows of `turn_facts`.
fn turns_of(store: &Store) -> Vec<(String, i64)> {
    let frame = store.read("turn_facts").unwrap();
    frame
        .iter()
        .map(|row| (row.text("trajectory_id").unwrap().to_owned(), row.int("turn").unwrap()))
        .collect()
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}
