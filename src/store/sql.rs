//! SQL over a store by polars, within what it answers rightly (`lint`): one context a statement, since a context
//! leaks names from one statement into the next (rust.md §1.2).

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use polars::prelude::{
    AnyValue, Column, DataFrame, DataType, IntoLazy, LazyFrame, PlRefPath, PolarsError, ScanArgsParquet,
    TimeUnit, UnionArgs, concat,
};
use polars::sql::SQLContext;

use super::error::StoreError;
use super::frame::{Frame, FrameColumn, Value};
use super::lint::{self, Tables};
use super::schema::{ColumnType, SCHEMAS, schema};
use super::views::{VIEWS, view_sql};
use super::{Store, queries};

/// Runs statements over one store. Views are made once, when first asked for.
pub struct Sql {
    tables: Vec<(&'static str, LazyFrame)>,
    views: [OnceLock<DataFrame>; VIEWS.len()],
}

impl Sql {
    /// Opens the tables of a store.
    pub fn open(store: &Store) -> Result<Sql, StoreError> {
        let tables = SCHEMAS
            .iter()
            .map(|schema| Ok((schema.table, scan(schema.table, store.parts(schema.table))?)))
            .collect::<Result<Vec<_>, StoreError>>()?;
        Ok(Sql { tables, views: Default::default() })
    }

    /// Runs one SELECT; refuses what would give wrong rows.
    pub fn run(&self, statement: &str) -> Result<Frame, StoreError> {
        to_frame(&self.collect(statement)?)
    }

    /// Runs a query of `queries/*.sql`.
    pub fn query(&self, code: &str) -> Result<Frame, StoreError> {
        let statement = queries::query(code)
            .ok_or_else(|| StoreError::Sql { why: format!("there is no query `{code}`") })?;
        self.run(statement)
    }

    fn collect(&self, statement: &str) -> Result<DataFrame, StoreError> {
        let names = lint::check(statement, &Known)?;
        let mut context = SQLContext::new();
        for (name, frame) in self.tables.iter().filter(|(name, _)| names.contains(*name)) {
            context.register(name, frame.clone());
        }
        for (index, (name, _)) in VIEWS.iter().enumerate().filter(|(_, (name, _))| names.contains(*name)) {
            context.register(name, self.view(index)?.clone().lazy());
        }
        context.execute(statement).and_then(LazyFrame::collect).map_err(failed)
    }

    fn view(&self, index: usize) -> Result<&DataFrame, StoreError> {
        if let Some(frame) = self.views[index].get() {
            return Ok(frame);
        }
        let frame = self.collect(&view_sql(VIEWS[index].1))?;
        Ok(self.views[index].get_or_init(|| frame))
    }
}

fn failed(error: PolarsError) -> StoreError {
    // What follows the first line is polars' plan, which says nothing to a user.
    StoreError::Sql { why: error.to_string().lines().next().unwrap_or_default().to_owned() }
}

fn scan(table: &str, parts: Vec<PathBuf>) -> Result<LazyFrame, StoreError> {
    let frames = parts
        .into_iter()
        .map(|path| {
            let path = PlRefPath::try_from_pathbuf(path)?;
            let args = ScanArgsParquet { glob: false, ..ScanArgsParquet::default() };
            LazyFrame::scan_parquet(path, args)
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    match frames.as_slice() {
        [] => Err(StoreError::damaged(table, "it has no part")),
        [one] => Ok(one.clone()),
        _ => concat(frames, UnionArgs::default()).map_err(failed),
    }
}

/// Tables and views as the lint asks for them.
struct Known;

impl Tables for Known {
    fn is_table(&self, name: &str) -> bool {
        schema(name).is_some() || VIEWS.iter().any(|(view, _)| *view == name)
    }

    fn may_be_null(&self, table: &str, column: &str) -> bool {
        match schema(table) {
            Some(schema) => schema.columns.iter().any(|c| c.name == column && c.nullable),
            // Of a view only its key is never null.
            None => {
                self.is_table(table)
                    && !matches!(column, "arm" | "benchmark" | "instance_id" | "run" | "behaviour")
            }
        }
    }
}

fn to_frame(data: &DataFrame) -> Result<Frame, StoreError> {
    // Each row has room for its columns from the start: grown ones take twice the memory.
    let rows = (0..data.height()).map(|_| Vec::with_capacity(data.width())).collect();
    let mut frame = Frame { columns: Vec::new(), rows };
    for column in data.columns() {
        let kind = kind_of(column.dtype());
        frame.columns.push(FrameColumn { name: column.name().to_string(), kind });
        for (row, value) in frame.rows.iter_mut().zip(values(column, kind)?) {
            row.push(value);
        }
    }
    let names: BTreeSet<&str> = frame.columns.iter().map(|column| column.name.as_str()).collect();
    debug_assert_eq!(names.len(), frame.columns.len(), "polars refuses two columns of one name");
    Ok(frame)
}

fn kind_of(kind: &DataType) -> ColumnType {
    match kind {
        DataType::Boolean => ColumnType::Bool,
        DataType::Float32 | DataType::Float64 => ColumnType::Float,
        DataType::Datetime(..) => ColumnType::Time,
        kind if kind.is_integer() => ColumnType::Int,
        _ => ColumnType::Text,
    }
}

fn values(column: &Column, kind: ColumnType) -> Result<Vec<Value>, StoreError> {
    let wide = match kind {
        ColumnType::Int => DataType::Int64,
        ColumnType::Float => DataType::Float64,
        ColumnType::Time => match column.dtype() {
            DataType::Datetime(_, zone) => DataType::Datetime(TimeUnit::Milliseconds, zone.clone()),
            other => other.clone(),
        },
        ColumnType::Text | ColumnType::Bool => column.dtype().clone(),
    };
    // A number that does not fit is an error, not a null.
    let column = column.strict_cast(&wide).map_err(failed)?;
    let mut texts = Texts::default();
    Ok(column.as_materialized_series().iter().map(|found| value(found, &mut texts)).collect())
}

/// The texts of a column, each held once: a result of many rows has few, and mostly that of the row before.
#[derive(Default)]
struct Texts {
    last: Option<Arc<str>>,
    known: HashSet<Arc<str>>,
}

impl Texts {
    fn share(&mut self, text: &str) -> Value {
        if let Some(last) = self.last.as_ref().filter(|last| ***last == *text) {
            return Value::Text(last.clone());
        }
        let shared = self.known.get(text).cloned().unwrap_or_else(|| {
            let new: Arc<str> = text.into();
            self.known.insert(new.clone());
            new
        });
        self.last = Some(shared.clone());
        Value::Text(shared)
    }
}

fn value(value: AnyValue, texts: &mut Texts) -> Value {
    match value {
        AnyValue::Null => Value::Null,
        AnyValue::String(text) => texts.share(text),
        AnyValue::StringOwned(text) => texts.share(&text),
        AnyValue::Int64(number) => Value::Int(number),
        AnyValue::Float64(number) => Value::Float(number),
        AnyValue::Boolean(flag) => Value::Bool(flag),
        AnyValue::Datetime(moment, ..) | AnyValue::DatetimeOwned(moment, ..) => Value::Time(moment),
        // Days, durations, lists: as polars prints them.
        other => texts.share(&other.to_string()),
    }
}
