//! Rows of a small table in the order in which they were written, as a frame; the batches of a part.

use std::fs::File;
use std::path::Path;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int64Type, TimestampMillisecondType};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::Store;
use super::error::StoreError;
use super::frame::{Frame, FrameColumn, Value};
use super::schema::{ColumnType, schema};

/// Rows of a batch that is read: few, since a row of text may be long.
const READ_ROWS: usize = 256;

/// The batches of a part; `columns` picks some of them.
pub(super) fn batches(
    path: &Path,
    columns: Option<&[&str]>,
) -> Result<impl Iterator<Item = Result<RecordBatch, StoreError>> + use<>, StoreError> {
    let reader = open(path, columns)?;
    let path = path.to_owned();
    Ok(reader.map(move |batch| batch.map_err(|error| StoreError::parquet("read", &path, error))))
}

pub(super) fn open(path: &Path, columns: Option<&[&str]>) -> Result<ParquetRecordBatchReader, StoreError> {
    let failed = |error| StoreError::parquet("read", path, error);
    let file = File::open(path).map_err(|error| StoreError::io("open", path, error))?;
    let mut builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(failed)?.with_batch_size(READ_ROWS);
    if let Some(columns) = columns {
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
        builder = builder.with_projection(mask);
    }
    builder.build().map_err(failed)
}

/// All rows of a table. For small tables: text tables are read by a cursor.
pub(super) fn table(store: &Store, name: &str) -> Result<Frame, StoreError> {
    let schema = schema(name).ok_or_else(|| StoreError::UnknownTable { table: name.to_owned() })?;
    let mut frame = Frame {
        columns: schema
            .columns
            .iter()
            .map(|column| FrameColumn { name: column.name.to_owned(), kind: column.kind })
            .collect(),
        rows: Vec::new(),
    };
    for path in store.parts(name) {
        for batch in batches(&path, None)? {
            let batch = batch?;
            let arrays = frame
                .columns
                .iter()
                .map(|column| batch.column_by_name(&column.name).ok_or_else(|| lacks(name, &column.name)))
                .collect::<Result<Vec<_>, _>>()?;
            for row in 0..batch.num_rows() {
                let values = frame
                    .columns
                    .iter()
                    .zip(&arrays)
                    .map(|(column, array)| value(array, column.kind, row))
                    .collect::<Option<Vec<_>>>();
                frame
                    .rows
                    .push(values.ok_or_else(|| StoreError::damaged(name, "a column has another type"))?);
            }
        }
    }
    Ok(frame)
}

pub(super) fn lacks(table: &str, column: &str) -> StoreError {
    StoreError::damaged(table, format!("it has no column `{column}`"))
}

fn value(array: &dyn Array, kind: ColumnType, row: usize) -> Option<Value> {
    if array.is_null(row) {
        return Some(Value::Null);
    }
    Some(match kind {
        ColumnType::Text => Value::Text(array.as_string_opt::<i32>()?.value(row).into()),
        ColumnType::Int => Value::Int(array.as_primitive_opt::<Int64Type>()?.value(row)),
        ColumnType::Float => Value::Float(array.as_primitive_opt::<Float64Type>()?.value(row)),
        ColumnType::Bool => Value::Bool(array.as_boolean_opt()?.value(row)),
        ColumnType::Time => Value::Time(array.as_primitive_opt::<TimestampMillisecondType>()?.value(row)),
    })
}
