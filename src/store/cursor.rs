//! Walks the rows of a table in the order in which they were written, for text that does not fit into memory.

use std::collections::VecDeque;
use std::path::PathBuf;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int64Type, TimestampMillisecondType};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use super::Store;
use super::error::StoreError;
use super::read::{lacks, open};

/// Walks the rows of a table, one in memory at a time (with the batch around it).
pub(super) struct Cursor {
    table: &'static str,
    columns: &'static [&'static str],
    parts: VecDeque<PathBuf>,
    reader: Option<ParquetRecordBatchReader>,
    batch: Option<RecordBatch>,
    /// For each of `columns` its place in the batches.
    places: Vec<usize>,
    row: usize,
}

impl Cursor {
    /// A cursor before the first row.
    pub(super) fn open(store: &Store, table: &'static str, columns: &'static [&'static str]) -> Cursor {
        Cursor {
            table,
            columns,
            parts: store.parts(table).into(),
            reader: None,
            batch: None,
            places: Vec::new(),
            row: 0,
        }
    }

    /// The table that is walked.
    pub(super) fn table(&self) -> &'static str {
        self.table
    }

    /// The row at which the cursor stands; `None` behind the last.
    pub(super) fn peek(&mut self) -> Result<Option<CursorRow<'_>>, StoreError> {
        while self.batch.as_ref().is_none_or(|batch| self.row >= batch.num_rows()) {
            if !self.next_batch()? {
                return Ok(None);
            }
        }
        let (table, columns, places) = (self.table, self.columns, self.places.as_slice());
        let row = self.row;
        Ok(self.batch.as_ref().map(|batch| CursorRow { table, columns, places, batch, row, next: 0 }))
    }

    /// Goes to the next row.
    pub(super) fn advance(&mut self) {
        self.row += 1;
    }

    fn next_batch(&mut self) -> Result<bool, StoreError> {
        self.row = 0;
        self.batch = None;
        loop {
            if self.reader.is_none() {
                let Some(path) = self.parts.pop_front() else { return Ok(false) };
                self.reader = Some(open(&path, Some(self.columns))?);
            }
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(Ok(batch)) => {
                    self.places = self.find_columns(&batch)?;
                    self.batch = Some(batch);
                    return Ok(true);
                }
                Some(Err(error)) => return Err(StoreError::damaged(self.table, error.to_string())),
                None => self.reader = None,
            }
        }
    }

    fn find_columns(&self, batch: &RecordBatch) -> Result<Vec<usize>, StoreError> {
        let schema = batch.schema();
        self.columns
            .iter()
            .map(|column| schema.index_of(column).map_err(|_| lacks(self.table, column)))
            .collect()
    }
}

/// A row of a cursor. Columns that are asked in the order of the cursor's list cost one comparison.
pub(super) struct CursorRow<'c> {
    table: &'static str,
    columns: &'static [&'static str],
    places: &'c [usize],
    batch: &'c RecordBatch,
    row: usize,
    next: usize,
}

impl<'c> CursorRow<'c> {
    /// The table that is walked.
    pub(super) fn table(&self) -> &'static str {
        self.table
    }

    /// A text that is never null.
    pub(super) fn text(&mut self, column: &str) -> Result<&'c str, StoreError> {
        self.opt_text(column)?.ok_or_else(|| self.null(column))
    }

    /// A text, or null.
    pub(super) fn opt_text(&mut self, column: &str) -> Result<Option<&'c str>, StoreError> {
        let array = self.array(column)?;
        let texts = array.as_string_opt::<i32>().ok_or_else(|| self.other_type(column))?;
        Ok(texts.is_valid(self.row).then(|| texts.value(self.row)))
    }

    /// A whole number that is never null.
    pub(super) fn int(&mut self, column: &str) -> Result<i64, StoreError> {
        self.opt_int(column)?.ok_or_else(|| self.null(column))
    }

    /// A position or a number of things; a negative one is damage.
    pub(super) fn count(&mut self, column: &str) -> Result<usize, StoreError> {
        self.opt_count(column)?.ok_or_else(|| self.null(column))
    }

    /// A position, or null; a negative one is damage.
    pub(super) fn opt_count(&mut self, column: &str) -> Result<Option<usize>, StoreError> {
        match self.opt_int(column)? {
            None => Ok(None),
            Some(number) => usize::try_from(number)
                .map(Some)
                .map_err(|_| StoreError::damaged(self.table, format!("`{column}` is {number}"))),
        }
    }

    /// A whole number, or null.
    pub(super) fn opt_int(&mut self, column: &str) -> Result<Option<i64>, StoreError> {
        let array = self.array(column)?;
        let numbers = array.as_primitive_opt::<Int64Type>().ok_or_else(|| self.other_type(column))?;
        Ok(numbers.is_valid(self.row).then(|| numbers.value(self.row)))
    }

    /// A quantity, or null.
    pub(super) fn opt_float(&mut self, column: &str) -> Result<Option<f64>, StoreError> {
        let array = self.array(column)?;
        let numbers = array.as_primitive_opt::<Float64Type>().ok_or_else(|| self.other_type(column))?;
        Ok(numbers.is_valid(self.row).then(|| numbers.value(self.row)))
    }

    /// True or false.
    pub(super) fn flag(&mut self, column: &str) -> Result<bool, StoreError> {
        self.opt_flag(column)?.ok_or_else(|| self.null(column))
    }

    /// True, false or null.
    pub(super) fn opt_flag(&mut self, column: &str) -> Result<Option<bool>, StoreError> {
        let array = self.array(column)?;
        let flags = array.as_boolean_opt().ok_or_else(|| self.other_type(column))?;
        Ok(flags.is_valid(self.row).then(|| flags.value(self.row)))
    }

    /// A moment, or null.
    pub(super) fn opt_time(&mut self, column: &str) -> Result<Option<i64>, StoreError> {
        let array = self.array(column)?;
        let moments =
            array.as_primitive_opt::<TimestampMillisecondType>().ok_or_else(|| self.other_type(column))?;
        Ok(moments.is_valid(self.row).then(|| moments.value(self.row)))
    }

    fn array(&mut self, column: &str) -> Result<&'c dyn Array, StoreError> {
        let index = match self.columns.get(self.next) {
            Some(next) if *next == column => self.next,
            _ => {
                let found = self.columns.iter().position(|name| *name == column);
                found.ok_or_else(|| lacks(self.table, column))?
            }
        };
        self.next = index + 1;
        Ok(self.batch.column(self.places[index]).as_ref())
    }

    fn null(&self, column: &str) -> StoreError {
        StoreError::damaged(self.table, format!("`{column}` is null"))
    }

    fn other_type(&self, column: &str) -> StoreError {
        StoreError::damaged(self.table, format!("`{column}` has another type"))
    }
}
