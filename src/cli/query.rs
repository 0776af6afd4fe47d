//! `ethogram query`: SQL over a store, within what polars answers rightly (`store::lint`).

use super::arguments::{QueryArguments, QueryFormat};
use super::error::{CommandError, Exit};
use super::{compare, output};
use crate::report;
use crate::store::{Frame, SCHEMAS, Sql, Store, Value};

/// Runs the command.
pub fn run(arguments: &QueryArguments) -> Result<Exit, CommandError> {
    if arguments.schema {
        output::print(&schema())?;
        return Ok(Exit::Done);
    }
    let Some(statement) = &arguments.statement else {
        return Err(CommandError::Usage("query needs a statement, or --schema".to_owned()));
    };
    let store = Store::open(&arguments.store)?;
    let frame = Sql::open(&store)?.run(statement)?;
    match arguments.format {
        QueryFormat::Csv => output::print(&report::frame_csv(&frame))?,
        QueryFormat::Json => output::print(&json(&frame))?,
        QueryFormat::Parquet => parquet(&frame)?,
        QueryFormat::Table => output::print(&report::frame_text(&frame, compare::screen()))?,
    }
    Ok(Exit::Done)
}

/// Rows as JSON Lines, booleans as true and false, null as null.
pub fn json(frame: &Frame) -> String {
    let mut out = String::new();
    for row in &frame.rows {
        let object: serde_json::Map<String, serde_json::Value> = frame
            .columns
            .iter()
            .zip(row)
            .map(|(column, value)| (column.name.clone(), json_value(value)))
            .collect();
        out.push_str(&serde_json::Value::Object(object).to_string());
        out.push('\n');
    }
    out
}

fn json_value(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Text(text) => text.as_ref().into(),
        Value::Int(number) | Value::Time(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Bool(flag) => (*flag).into(),
    }
}

/// Parquet goes to standard output through a file of its own, since its writer needs one.
fn parquet(frame: &Frame) -> Result<(), CommandError> {
    let path = std::env::temp_dir().join(format!("ethogram-query-{}.parquet", std::process::id()));
    frame.write_parquet(&path)?;
    let bytes = std::fs::read(&path);
    let removed = std::fs::remove_file(&path);
    let failed = |source| CommandError::Output { what: format!("`{}`", path.display()), source };
    output::print_bytes(&bytes.map_err(failed)?)?;
    removed.map_err(failed)
}

fn schema() -> String {
    let mut out = String::new();
    for schema in SCHEMAS.iter() {
        out.push_str(&format!("{}: {}\n  key: {}\n", schema.table, schema.about, schema.key.join(", ")));
        for column in &schema.columns {
            let null = if column.nullable { "?" } else { "" };
            let unit = column.unit.map(|unit| format!(" [{unit}]")).unwrap_or_default();
            out.push_str(&format!(
                "  {} {}{null}: {}{unit}\n",
                column.name,
                column.kind.as_str(),
                column.meaning
            ));
        }
    }
    out
}
