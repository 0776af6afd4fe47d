//! Rows of one table: values in by the name of their column, batches of Arrow out. A value in the order of the
//! schema costs one comparison of names, so that every writer may spell the columns and no index can slip.

use std::path::PathBuf;

use arrow::array::{
    Array, ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder,
    TimestampMillisecondBuilder,
};
use arrow::datatypes::SchemaRef;

use super::error::StoreError;
use super::frame::{Frame, Value};
use super::manifest::Part;
use super::parts::{PART_ROWS, PartWriter};
use super::schema::{ColumnType, Schema};

/// Rows of a batch: fixed, since the cut into batches decides the bytes of a part (rust.md §3).
const BATCH_ROWS: usize = 4096;

/// Bytes of text after which a batch is closed early: it is copied three times until it is compressed, and stays in a
/// core's own cache that long.
const BATCH_BYTES: usize = 128 << 10;

/// Largest single value: offsets of a batch have 31 bits.
const VALUE_BYTES: usize = 1 << 30;

/// Writes the rows of one table into parts in a folder.
pub struct TableWriter {
    schema: &'static Schema,
    arrow: SchemaRef,
    long: Vec<&'static str>,
    columns: Vec<Values>,
    /// Columns that the open row has, a bit each.
    set: u64,
    rows: usize,
    bytes: usize,
    folder: PathBuf,
    open_name: &'static str,
    part: Option<PartWriter>,
    done: Vec<Part>,
}

impl TableWriter {
    /// A writer whose parts lie in `folder`; `open_name` names a part there until its content does.
    pub(super) fn new(schema: &'static Schema, folder: PathBuf, open_name: &'static str) -> TableWriter {
        TableWriter {
            schema,
            arrow: schema.to_arrow(),
            long: schema.columns.iter().filter(|c| c.long).map(|c| c.name).collect(),
            columns: schema.columns.iter().map(|c| Values::new(c.kind)).collect(),
            set: 0,
            rows: 0,
            bytes: 0,
            folder,
            open_name,
            part: None,
            done: Vec::new(),
        }
    }

    /// Begins a row; it counts once `Row::done` was called.
    pub fn row(&mut self) -> Row<'_> {
        self.set = 0;
        Row { table: self, next: 0, fault: None }
    }

    /// Adds the rows of a frame whose columns are columns of this table.
    pub fn append_frame(&mut self, frame: &Frame) -> Result<(), StoreError> {
        for values in &frame.rows {
            let mut row = self.row();
            for (column, value) in frame.columns.iter().zip(values) {
                row.value(&column.name, value);
            }
            row.done()?;
        }
        Ok(())
    }

    /// Adds a batch of Arrow whose schema is this table's.
    pub(super) fn append_batch(&mut self, batch: &RecordBatch) -> Result<(), StoreError> {
        self.close_batch()?;
        self.write_batch(batch)
    }

    /// Ends the table and gives its parts in the order of their rows.
    pub(super) fn finish(mut self) -> Result<Vec<Part>, StoreError> {
        self.close_batch()?;
        self.close_part()?;
        Ok(self.done)
    }

    /// Ends the table; a table without rows gets one part with 0 rows, so that a folder is always a table.
    pub(super) fn finish_with_part(mut self) -> Result<Vec<Part>, StoreError> {
        self.close_batch()?;
        if self.done.is_empty() && self.part.is_none() {
            self.open_part()?;
        }
        self.finish()
    }

    fn close_row(&mut self) -> Result<(), StoreError> {
        let all = u64::MAX >> (64 - self.columns.len());
        if self.set != all {
            self.fill_nulls()?;
        }
        self.rows += 1;
        if self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES { self.close_batch() } else { Ok(()) }
    }

    fn fill_nulls(&mut self) -> Result<(), StoreError> {
        for (index, column) in self.schema.columns.iter().enumerate() {
            if self.set & (1 << index) != 0 {
                continue;
            }
            if !column.nullable {
                return Err(StoreError::Lacking { table: self.schema.table, column: column.name });
            }
            self.columns[index].push_null();
        }
        Ok(())
    }

    fn close_batch(&mut self) -> Result<(), StoreError> {
        if self.rows == 0 {
            return Ok(());
        }
        let arrays = self.columns.iter_mut().map(Values::finish).collect();
        (self.rows, self.bytes) = (0, 0);
        // A row that failed half-way leaves columns of unequal length; they are refused here.
        let batch = RecordBatch::try_new(self.arrow.clone(), arrays)
            .map_err(|error| StoreError::damaged(self.schema.table, error.to_string()))?;
        self.write_batch(&batch)
    }

    fn write_batch(&mut self, batch: &RecordBatch) -> Result<(), StoreError> {
        let part = self.open_part()?;
        part.write(batch)?;
        if part.rows() >= PART_ROWS { self.close_part() } else { Ok(()) }
    }

    fn open_part(&mut self) -> Result<&mut PartWriter, StoreError> {
        let part = match self.part.take() {
            Some(part) => part,
            None => {
                let path = self.folder.join(format!("{}-{}", self.open_name, self.done.len()));
                PartWriter::create(path, self.arrow.clone(), &self.long)?
            }
        };
        Ok(self.part.insert(part))
    }

    fn close_part(&mut self) -> Result<(), StoreError> {
        if let Some(part) = self.part.take() {
            self.done.push(part.finish()?);
        }
        Ok(())
    }
}

/// A row that is being written. Columns may come in any order; what is left out is null.
pub struct Row<'w> {
    table: &'w mut TableWriter,
    next: usize,
    fault: Option<Box<StoreError>>,
}

impl Row<'_> {
    /// A text; an empty one is null, since `""` is never stored.
    pub fn text(&mut self, column: &str, value: &str) -> &mut Self {
        self.put(column, "text", |values| match values {
            Values::Text(builder) if value.is_empty() => {
                builder.append_null();
                Some(Put::Null)
            }
            Values::Text(builder) if value.len() <= VALUE_BYTES => {
                builder.append_value(value);
                Some(Put::Text(value.len()))
            }
            Values::Text(_) => Some(Put::TooLong(value.len())),
            _ => None,
        })
    }

    /// A text, or null.
    pub fn opt_text(&mut self, column: &str, value: Option<&str>) -> &mut Self {
        self.text(column, value.unwrap_or_default())
    }

    /// A whole number.
    pub fn int(&mut self, column: &str, value: i64) -> &mut Self {
        self.opt_int(column, Some(value))
    }

    /// A whole number, or null.
    pub fn opt_int(&mut self, column: &str, value: Option<i64>) -> &mut Self {
        self.put(column, "whole number", |values| match values {
            Values::Int(builder) => {
                builder.append_option(value);
                Some(Put::of(value.is_some()))
            }
            _ => None,
        })
    }

    /// A position or a number of things.
    pub fn count(&mut self, column: &str, value: usize) -> &mut Self {
        self.opt_count(column, Some(value))
    }

    /// A position or a number of things, or null.
    pub fn opt_count(&mut self, column: &str, value: Option<usize>) -> &mut Self {
        self.opt_int(column, value.map(|value| i64::try_from(value).unwrap_or(i64::MAX)))
    }

    /// A quantity, or null; what is not finite is null.
    pub fn opt_float(&mut self, column: &str, value: Option<f64>) -> &mut Self {
        let value = value.filter(|value| value.is_finite());
        self.put(column, "quantity", |values| match values {
            Values::Float(builder) => {
                builder.append_option(value);
                Some(Put::of(value.is_some()))
            }
            _ => None,
        })
    }

    /// True or false.
    pub fn flag(&mut self, column: &str, value: bool) -> &mut Self {
        self.opt_flag(column, Some(value))
    }

    /// True, false or null.
    pub fn opt_flag(&mut self, column: &str, value: Option<bool>) -> &mut Self {
        self.put(column, "truth value", |values| match values {
            Values::Bool(builder) => {
                builder.append_option(value);
                Some(Put::of(value.is_some()))
            }
            _ => None,
        })
    }

    /// A moment in UTC milliseconds, or null.
    pub fn opt_time(&mut self, column: &str, value: Option<i64>) -> &mut Self {
        self.put(column, "moment", |values| match values {
            Values::Time(builder) => {
                builder.append_option(value);
                Some(Put::of(value.is_some()))
            }
            _ => None,
        })
    }

    /// A value of a frame.
    pub fn value(&mut self, column: &str, value: &Value) -> &mut Self {
        match value {
            Value::Null => self,
            Value::Text(text) => self.text(column, text),
            Value::Int(number) => self.int(column, *number),
            Value::Float(number) => self.opt_float(column, Some(*number)),
            Value::Bool(flag) => self.flag(column, *flag),
            Value::Time(moment) => self.opt_time(column, Some(*moment)),
        }
    }

    /// Ends the row; says what was wrong with it, if anything was. After an error the table takes no commit.
    pub fn done(&mut self) -> Result<(), StoreError> {
        match self.fault.take() {
            Some(fault) => Err(*fault),
            None => self.table.close_row(),
        }
    }

    fn put(
        &mut self,
        column: &str,
        given: &'static str,
        push: impl FnOnce(&mut Values) -> Option<Put>,
    ) -> &mut Self {
        if self.fault.is_some() {
            return self;
        }
        let table = self.table.schema.table;
        let fault = |column: &str| StoreError::Column { table, column: column.to_owned(), given };
        let Some(index) = self.place(column).filter(|index| self.table.set & (1 << index) == 0) else {
            self.fault = Some(Box::new(fault(column)));
            return self;
        };
        let schema = &self.table.schema.columns[index];
        let fault = match push(&mut self.table.columns[index]) {
            None => Some(fault(column)),
            Some(Put::TooLong(bytes)) => Some(StoreError::TooLong { table, column: schema.name, bytes }),
            Some(Put::Null) if !schema.nullable => Some(StoreError::Lacking { table, column: schema.name }),
            Some(Put::Text(bytes)) => {
                self.table.bytes += bytes;
                None
            }
            Some(Put::Null | Put::Value) => None,
        };
        self.fault = fault.map(Box::new);
        self.table.set |= 1 << index;
        self.next = index + 1;
        self
    }

    fn place(&self, column: &str) -> Option<usize> {
        match self.table.schema.columns.get(self.next) {
            Some(next) if next.name == column => Some(self.next),
            _ => self.table.schema.position(column),
        }
    }
}

/// What became of a value.
enum Put {
    Value,
    Text(usize),
    Null,
    TooLong(usize),
}

impl Put {
    fn of(is_some: bool) -> Put {
        if is_some { Put::Value } else { Put::Null }
    }
}

/// Values of one column of the open batch.
enum Values {
    Text(StringBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Bool(BooleanBuilder),
    Time(TimestampMillisecondBuilder),
}

impl Values {
    fn new(kind: ColumnType) -> Values {
        match kind {
            ColumnType::Text => Values::Text(StringBuilder::new()),
            ColumnType::Int => Values::Int(Int64Builder::new()),
            ColumnType::Float => Values::Float(Float64Builder::new()),
            ColumnType::Bool => Values::Bool(BooleanBuilder::new()),
            ColumnType::Time => {
                Values::Time(TimestampMillisecondBuilder::new().with_data_type(ColumnType::Time.to_arrow()))
            }
        }
    }

    fn push_null(&mut self) {
        match self {
            Values::Text(builder) => builder.append_null(),
            Values::Int(builder) => builder.append_null(),
            Values::Float(builder) => builder.append_null(),
            Values::Bool(builder) => builder.append_null(),
            Values::Time(builder) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Values::Text(builder) => {
                let array = builder.finish();
                // The next batch is likely as large: growing to its size would copy it again.
                *builder = StringBuilder::with_capacity(array.len(), array.value_data().len());
                std::sync::Arc::new(array)
            }
            Values::Int(builder) => std::sync::Arc::new(builder.finish()),
            Values::Float(builder) => std::sync::Arc::new(builder.finish()),
            Values::Bool(builder) => std::sync::Arc::new(builder.finish()),
            Values::Time(builder) => std::sync::Arc::new(builder.finish()),
        }
    }
}

/// Arrays of a frame's columns, for a Parquet file of its own.
pub(super) fn columns_of(frame: &Frame) -> Vec<ArrayRef> {
    let mut columns: Vec<Values> = frame.columns.iter().map(|column| Values::new(column.kind)).collect();
    for row in &frame.rows {
        for (values, value) in columns.iter_mut().zip(row) {
            match (values, value) {
                (Values::Text(builder), Value::Text(text)) => builder.append_value(text),
                (Values::Int(builder), Value::Int(number)) => builder.append_value(*number),
                (Values::Float(builder), Value::Float(number)) => builder.append_value(*number),
                (Values::Bool(builder), Value::Bool(flag)) => builder.append_value(*flag),
                (Values::Time(builder), Value::Time(moment)) => builder.append_value(*moment),
                (values, _) => values.push_null(),
            }
        }
    }
    columns.iter_mut().map(Values::finish).collect()
}
