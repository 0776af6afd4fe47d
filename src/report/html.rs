//! A table as HTML: plain, with scopes, a foot and the notes of its rows. Sorting is the page's script; without it the
//! table stands as it is.

use std::fmt::Write as _;

use super::escape::{Html, file_name};
use crate::model::table::{Align, Cell, Row, Table};
use crate::number;

/// A table with a caption, inside a region that scrolls sideways on a phone.
pub fn table(table: &Table) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{3}: {1}\">\n<table id=\"{2}\" \
         data-sort>\n<caption class=\"unseen\">{0}: {1}</caption>\n<thead><tr>",
        Html(&table.code),
        Html(&table.title),
        file_name(&table.id),
        Html(&table.id),
    );
    for column in &table.columns {
        let class = align(column.align);
        let unit = match column.unit.as_str() {
            "" => String::new(),
            unit => format!(" <span class=\"unit\">{}</span>", Html(unit)),
        };
        let _ = write!(out, "<th scope=\"col\"{class}>{}{unit}</th>", Html(&column.head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str(&line(table, row));
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    out.push_str(&foot(table));
    out
}

fn line(table: &Table, row: &Row) -> String {
    let mut out = String::from("<tr>");
    for (place, column) in table.columns.iter().enumerate() {
        let cell = row.cells.get(place).unwrap_or(&Cell::Missing(crate::model::table::Missing::Undefined));
        let inner = inner(cell, table.decimals);
        if place == 0 {
            let _ = write!(out, "<th scope=\"row\"{}>{inner}{}</th>", align(column.align), notes(row));
        } else {
            let strong = row.strong && matches!(cell, Cell::Delta(_) | Cell::Shift(_));
            let inner = if strong { format!("<strong>{inner}</strong>") } else { inner };
            let _ = write!(out, "<td{}{}>{inner}</td>", align(column.align), sort_key(cell));
        }
    }
    out.push_str("</tr>\n");
    out
}

/// The text of a cell; a share has its counts beside it, and what is undefined says why.
pub fn inner(cell: &Cell, decimals: usize) -> String {
    let text = number::text(cell, decimals);
    match cell {
        Cell::Share { num, den } => {
            format!("{} <span class=\"counts\">{}</span>", Html(&text), number::fraction(*num, *den))
        }
        Cell::Missing(why) => {
            format!("<span class=\"missing\" title=\"{}\">{}</span>", why.as_str(), Html(&text))
        }
        _ => Html(&text).to_string(),
    }
}

/// What the page's script sorts by, where the printed text does not order.
pub fn sort_key(cell: &Cell) -> String {
    let value = match cell {
        Cell::Text(_) | Cell::Missing(_) => return String::new(),
        Cell::Interval { low, .. } | Cell::Range { low, .. } | Cell::RatioRange { low, .. } => {
            number::full(*low)
        }
        other => number::csv(other).into_iter().next().map(|(_, value)| value).unwrap_or_default(),
    };
    format!(" data-v=\"{value}\"")
}

/// The notes of a row, opened from its name.
fn notes(row: &Row) -> String {
    if row.notes.is_empty() {
        return String::new();
    }
    let items: String = row.notes.iter().map(|note| format!("<li>{}</li>", Html(note))).collect();
    format!("<details><summary>more</summary><ul>{items}</ul></details>")
}

/// The generated foot.
pub fn foot(table: &Table) -> String {
    if table.foot.is_empty() {
        return String::new();
    }
    format!("<p class=\"foot\">{}.</p>\n", Html(&table.foot.join("; ")))
}

fn align(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"number\"",
    }
}
