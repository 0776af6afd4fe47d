//! Tables and frames as CSV in full precision. A cell of data that a spreadsheet would take for a formula is written
//! behind an apostrophe; numbers stay numbers. Values are quoted where they must be, and nothing else is changed.

use std::borrow::Cow;

use crate::model::table::{Cell, Table};
use crate::number;
use crate::store::{Frame, Value};

/// Order of the parts of a cell (`number::csv`).
const PARTS: [&str; 6] = ["", "_num", "_den", "_n", "_low", "_high"];

/// A table: id of the row, then each column with the parts that its cells have.
pub fn table(table: &Table) -> String {
    let columns = columns(table);
    let mut heads = vec!["row".to_owned()];
    for (column, parts) in table.columns.iter().zip(&columns) {
        heads.extend(parts.iter().map(|part| format!("{}{part}", column.name)));
    }
    let mut out = String::new();
    line(&mut out, heads.iter().map(|head| guarded(head)));
    for row in &table.rows {
        let mut cells = vec![guarded(&row.id).into_owned()];
        for (place, parts) in columns.iter().enumerate() {
            let cell = row.cells.get(place);
            let values = cell.map(number::csv).unwrap_or_default();
            for part in parts {
                let value = values.iter().find(|(suffix, _)| suffix == part).map(|(_, value)| value.as_str());
                let value = value.unwrap_or_default();
                let is_data = matches!(cell, Some(Cell::Text(_)));
                cells.push(if is_data { guarded(value).into_owned() } else { value.to_owned() });
            }
        }
        line(&mut out, cells.iter().map(|cell| Cow::Borrowed(cell.as_str())));
    }
    out
}

/// The parts of every column.
pub fn columns(table: &Table) -> Vec<Vec<&'static str>> {
    (0..table.columns.len()).map(|place| parts(table, place)).collect()
}

/// The parts that any cell of a column has; an interval that is missing everywhere keeps one empty column.
fn parts(table: &Table, place: usize) -> Vec<&'static str> {
    let cells = table.rows.iter().filter_map(|row| row.cells.get(place));
    let found: Vec<&str> = cells
        .filter(|cell| !matches!(cell, Cell::Missing(_)))
        .flat_map(|cell| number::csv(cell).into_iter().map(|(part, _)| part))
        .collect();
    let used: Vec<&str> = PARTS.into_iter().filter(|part| found.contains(part)).collect();
    if used.is_empty() { vec![""] } else { used }
}

/// The rows of a frame as they are.
pub fn frame(frame: &Frame) -> String {
    let mut out = String::new();
    line(&mut out, frame.columns.iter().map(|column| guarded(&column.name)));
    for row in &frame.rows {
        line(&mut out, row.iter().map(value));
    }
    out
}

/// A value in full precision.
pub fn value(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::Text(text) => guarded(text),
        Value::Int(number) => Cow::Owned(number.to_string()),
        Value::Float(number) => Cow::Owned(number::full(*number)),
        Value::Bool(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
        Value::Time(millis) => Cow::Owned(millis.to_string()),
    }
}

/// Data that a spreadsheet would run gets an apostrophe in front: at its begin, and behind a line break or a separator,
/// since a program that does not know quotes, or splits at another sign, begins a cell there.
pub fn guarded(text: &str) -> Cow<'_, str> {
    let begins_cell =
        |before: Option<char>| before.is_none_or(|sign| matches!(sign, ',' | ';' | '\t' | '\n' | '\r'));
    let runs = |sign: char, before: Option<char>| match sign {
        '=' | '+' | '-' | '@' => begins_cell(before),
        '\t' | '\r' => before.is_none(),
        _ => false,
    };
    let mut out = String::new();
    let mut before = None;
    let mut is_guarded = false;
    for sign in text.chars() {
        if runs(sign, before) {
            out.push('\'');
            is_guarded = true;
        }
        out.push(sign);
        before = Some(sign);
    }
    if is_guarded { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

/// One record (RFC 4180, ended by a line feed).
pub fn line<'a>(out: &mut String, cells: impl Iterator<Item = Cow<'a, str>>) {
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push('\n');
}
