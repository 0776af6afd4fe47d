//! A table as GitHub's Markdown: aligned in the source too, with its foot and the notes of its rows below. Names are
//! data and are escaped; numbers come from `number`.

use std::fmt::Write as _;

use super::escape::Markdown;
use crate::model::table::{Align, Cell, Row, Table};
use crate::number;

/// A table with title, subtitle, notes and foot, below a heading of the given level.
pub fn table(table: &Table, level: usize) -> String {
    let mut out = String::new();
    let marks = "#".repeat(level);
    let _ = writeln!(out, "{marks} {}: {}\n", Markdown(&table.code), Markdown(&table.title));
    if !table.subtitle.is_empty() {
        let _ = writeln!(out, "{}.\n", Markdown(&sentence(&table.subtitle)));
    }
    let heads: Vec<String> = table.columns.iter().map(|column| head(&column.head, &column.unit)).collect();
    let aligns: Vec<Align> = table.columns.iter().map(|column| column.align).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| cells(table, row)).collect();
    out.push_str(&grid(&heads, &aligns, &rows));
    notes(&mut out, table);
    if !table.foot.is_empty() {
        let foot: Vec<String> = table.foot.iter().map(|entry| Markdown(entry).to_string()).collect();
        let _ = writeln!(out, "\n<sub>{}.</sub>", foot.join("; "));
    }
    out
}

fn head(head: &str, unit: &str) -> String {
    let head = Markdown(head).to_string();
    // Counts of instances need no unit in a head: the foot says that the instance is the unit.
    if unit.is_empty() || unit == "instances" || head.contains(unit) {
        head
    } else {
        format!("{head}, {}", Markdown(unit))
    }
}

fn cells(table: &Table, row: &Row) -> Vec<String> {
    row.cells
        .iter()
        .map(|cell| {
            let text = number::text(cell, table.decimals);
            match cell {
                Cell::Text(words) => Markdown(words).to_string(),
                Cell::Share { num, den } => format!("{text} ({})", number::fraction(*num, *den)),
                Cell::Delta(_) | Cell::Shift(_) if row.strong => format!("**{text}**"),
                _ => text,
            }
        })
        .collect()
}

/// Rows of text as an aligned table.
pub fn grid(heads: &[String], aligns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |text: &str| text.chars().count();
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(place, head)| {
            let cells = rows.iter().filter_map(|row| row.get(place)).map(|cell| width(cell));
            cells.chain([width(head), 3]).max().unwrap_or(3)
        })
        .collect();
    let align = |place: usize| aligns.get(place).copied().unwrap_or(Align::Left);
    let line = |row: &[String]| {
        let cells: Vec<String> = widths
            .iter()
            .enumerate()
            .map(|(place, widest)| {
                let text = row.get(place).map(String::as_str).unwrap_or_default();
                let blanks = " ".repeat(widest.saturating_sub(width(text)));
                match align(place) {
                    Align::Left => format!("{text}{blanks}"),
                    Align::Right => format!("{blanks}{text}"),
                }
            })
            .collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule: Vec<String> = widths
        .iter()
        .enumerate()
        .map(|(place, widest)| match align(place) {
            Align::Left => "-".repeat(*widest),
            Align::Right => format!("{}:", "-".repeat(widest - 1)),
        })
        .collect();
    let mut out = line(heads);
    let _ = writeln!(out, "| {} |", rule.join(" | "));
    for row in rows {
        out.push_str(&line(row));
    }
    out
}

fn notes(out: &mut String, table: &Table) {
    if table.rows.iter().all(|row| row.notes.is_empty()) {
        return;
    }
    out.push('\n');
    for row in &table.rows {
        let name = match row.cells.first() {
            Some(Cell::Text(name)) => name,
            _ => &row.id,
        };
        for note in &row.notes {
            let _ = writeln!(out, "- {}: {}", Markdown(name), Markdown(note));
        }
    }
}

/// A capital at the front, where a fragment of words becomes a sentence; a name (`gpt-4o`, `pass@1`) stays as it is.
pub fn sentence(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let mut signs = text.chars();
    match signs.next() {
        Some(sign) if first.chars().all(char::is_alphabetic) => sign.to_uppercase().chain(signs).collect(),
        _ => text.to_owned(),
    }
}
