//! The result of a statement, or a table that was read: names, types and rows as plain values, so that no type of
//! polars or Arrow is seen above the store.

use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema};

use super::error::StoreError;
use super::parts::PartWriter;
use super::rows::columns_of;
use super::schema::ColumnType;

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not known, or none.
    Null,
    /// Text. Rows repeat theirs (arms, instances, codes), so that equal ones of a column may be one.
    Text(Arc<str>),
    /// Whole number.
    Int(i64),
    /// Quantity.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// Moment, UTC milliseconds.
    Time(i64),
}

/// Name and type of a column of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameColumn {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: ColumnType,
}

/// Columns and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Columns in order.
    pub columns: Vec<FrameColumn>,
    /// Rows, each in the order of the columns.
    pub rows: Vec<Vec<Value>>,
}

impl Frame {
    /// The position of a column.
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == column)
    }

    /// The rows with their columns by name.
    pub fn iter(&self) -> impl Iterator<Item = FrameRow<'_>> {
        self.rows.iter().map(|values| FrameRow { frame: self, values })
    }

    /// Writes the frame as one Parquet file.
    pub fn write_parquet(&self, path: &Path) -> Result<(), StoreError> {
        let fields: Vec<Field> =
            self.columns.iter().map(|c| Field::new(&c.name, c.kind.to_arrow(), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let mut part = PartWriter::create(path.to_owned(), schema.clone(), &[])?;
        if !self.rows.is_empty() {
            let batch = RecordBatch::try_new(schema, columns_of(self))
                .map_err(|error| StoreError::parquet("write", path, error))?;
            part.write(&batch)?;
        }
        part.finish_here()
    }
}

/// One row of a frame. A column that is not there, or of another type, is an error: query and reader belong
/// together, and a silent null would become a wrong number.
#[derive(Clone, Copy, Debug)]
pub struct FrameRow<'f> {
    frame: &'f Frame,
    values: &'f [Value],
}

impl<'f> FrameRow<'f> {
    /// A text that is never null.
    pub fn text(&self, column: &str) -> Result<&'f str, StoreError> {
        self.opt_text(column)?.ok_or_else(|| null(column))
    }

    /// A text, or null.
    pub fn opt_text(&self, column: &str) -> Result<Option<&'f str>, StoreError> {
        match self.value(column)? {
            Value::Text(text) => Ok(Some(text)),
            Value::Null => Ok(None),
            other => Err(other_type(column, "a text", other)),
        }
    }

    /// A whole number that is never null.
    pub fn int(&self, column: &str) -> Result<i64, StoreError> {
        self.opt_int(column)?.ok_or_else(|| null(column))
    }

    /// A whole number, or null.
    pub fn opt_int(&self, column: &str) -> Result<Option<i64>, StoreError> {
        match self.value(column)? {
            Value::Int(number) => Ok(Some(*number)),
            Value::Null => Ok(None),
            other => Err(other_type(column, "a whole number", other)),
        }
    }

    /// A quantity, or null.
    pub fn opt_float(&self, column: &str) -> Result<Option<f64>, StoreError> {
        match self.value(column)? {
            Value::Float(number) => Ok(Some(*number)),
            Value::Null => Ok(None),
            other => Err(other_type(column, "a quantity", other)),
        }
    }

    /// True or false, or null.
    pub fn opt_flag(&self, column: &str) -> Result<Option<bool>, StoreError> {
        match self.value(column)? {
            Value::Bool(flag) => Ok(Some(*flag)),
            Value::Null => Ok(None),
            other => Err(other_type(column, "a truth value", other)),
        }
    }

    /// A moment in UTC milliseconds, or null.
    pub fn opt_time(&self, column: &str) -> Result<Option<i64>, StoreError> {
        match self.value(column)? {
            Value::Time(moment) => Ok(Some(*moment)),
            Value::Null => Ok(None),
            other => Err(other_type(column, "a moment", other)),
        }
    }

    /// The value as it is.
    pub fn value(&self, column: &str) -> Result<&'f Value, StoreError> {
        self.frame
            .position(column)
            .and_then(|index| self.values.get(index))
            .ok_or_else(|| StoreError::damaged("result", format!("it has no column `{column}`")))
    }
}

fn null(column: &str) -> StoreError {
    StoreError::damaged("result", format!("`{column}` is null"))
}

fn other_type(column: &str, wanted: &str, found: &Value) -> StoreError {
    StoreError::damaged("result", format!("`{column}` should be {wanted} and is {found:?}"))
}
