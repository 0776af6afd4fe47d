//! Takes the rows of some trajectories out of a table: parts without one stay as they are, the others are written
//! anew without them, in the same order.

use std::collections::BTreeSet;
use std::path::Path;

use arrow::array::{AsArray, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;

use super::error::StoreError;
use super::manifest::Part;
use super::read::batches;
use super::recover::NEW;
use super::rows::TableWriter;
use super::schema::schema;

/// The parts of `table` without the rows of `removed`; a table that trajectories are no key of is left alone.
pub(super) fn without_trajectories(
    store: &Path,
    table: &'static str,
    parts: Vec<Part>,
    removed: &BTreeSet<String>,
) -> Result<Vec<Part>, StoreError> {
    let Some(schema) = schema(table).filter(|schema| schema.key.contains(&"trajectory_id")) else {
        return Ok(parts);
    };
    let mut kept = Vec::new();
    for part in parts {
        let path = store.join(table).join(&part.name);
        if !holds_any(&path, table, removed)? {
            kept.push(part);
            continue;
        }
        let mut writer = TableWriter::new(schema, store.join(NEW).join(table), "kept");
        for batch in batches(&path, None)? {
            writer.append_batch(&keep(&batch?, table, removed)?)?;
        }
        kept.extend(writer.finish()?);
    }
    Ok(kept)
}

fn holds_any(path: &Path, table: &str, removed: &BTreeSet<String>) -> Result<bool, StoreError> {
    for batch in batches(path, Some(&["trajectory_id"]))? {
        if mask(&batch?, table, removed)?.iter().any(|keep| keep == Some(false)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn keep(batch: &RecordBatch, table: &str, removed: &BTreeSet<String>) -> Result<RecordBatch, StoreError> {
    let mask = mask(batch, table, removed)?;
    filter_record_batch(batch, &mask).map_err(|error| StoreError::damaged(table, error.to_string()))
}

fn mask(batch: &RecordBatch, table: &str, removed: &BTreeSet<String>) -> Result<BooleanArray, StoreError> {
    let ids = batch
        .column_by_name("trajectory_id")
        .and_then(|column| column.as_string_opt::<i32>())
        .ok_or_else(|| StoreError::damaged(table, "it has no text column `trajectory_id`"))?;
    Ok(ids.iter().map(|id| Some(!id.is_some_and(|id| removed.contains(id)))).collect())
}
