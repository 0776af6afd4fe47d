//! T5 on the page: a figure that is a table with marks. All marks have one scale; a filled mark is an adjusted p below
//! 0.05. Sizes have another unit and stand apart without a mark.

use std::fmt::Write as _;

use super::super::escape::{Html, file_name};
use super::super::html::{foot, inner, sort_key};
use super::super::{Report, cell};
use super::{Scope, Section};
use crate::behaviours::{self, BehaviourKind};
use crate::charts::palette::{Colour, tag_line};
use crate::measure::Comparison;
use crate::model::table::{Cell, Row, Table};
use crate::number;

/// Size of a mark in pixels.
const WIDTH: f64 = 300.0;
const MIDDLE: f64 = 9.0;

/// Instances below which an estimate is a number without a mark, and below which its interval is dotted (look.md §5).
const NO_MARK: i64 = 5;
const DOTTED: i64 = 20;

/// Ends of the scale in points: the first that holds every value and interval.
const SCALES: [f64; 7] = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0];

/// The section, where the comparison has a T5.
pub fn section(report: &Report, comparison: &Comparison, scope: &Scope) -> Option<Section> {
    let table = report.table_of(comparison, "T5")?;
    let paired = comparison.coverage.shared() > 0;
    let scale = scale(table);
    let (sizes, shares): (Vec<&Row>, Vec<&Row>) = table.rows.iter().partition(|row| is_size(row));
    let (resolved, shares): (Vec<&Row>, Vec<&Row>) = shares.into_iter().partition(|row| row.id == "resolved");
    let mut out = format!(
        "<p class=\"note\">Means over {}, %; Δ in points with its 95 % interval. Sorted by evidence. Filled: adjusted \
         p &lt; 0.05; dotted: n under 20. A name opens the pairs behind it.</p>\n",
        if paired {
            "the instances that both arms have"
        } else {
            "the instances of each arm, none of them shared"
        },
    );
    let _ = writeln!(out, "<p class=\"scale-note\" aria-hidden=\"true\">{}</p>", axis(scale));
    out.push_str(&head(comparison, table, scale));
    for rows in [resolved, shares, sizes] {
        if rows.is_empty() {
            continue;
        }
        out.push_str("<tbody>\n");
        for row in rows {
            out.push_str(&line(table, row, scale));
        }
        out.push_str("</tbody>\n");
    }
    out.push_str("</table>\n");
    out.push_str(&foot(table));
    Some(scope.section("behaviours", "Behaviours", "What changed", out))
}

fn is_size(row: &Row) -> bool {
    behaviours::find(&row.id).is_some_and(|behaviour| behaviour.kind == BehaviourKind::Size)
}

fn head(comparison: &Comparison, table: &Table, scale: f64) -> String {
    format!(
        "<table class=\"marks\" id=\"{}\" data-sort>\n<caption class=\"unseen\">{}</caption>\n<thead><tr><th \
         scope=\"col\">behaviour</th><th scope=\"col\" class=\"number\">{}</th><th scope=\"col\" class=\"number\">{}</th><th \
         scope=\"col\" class=\"number\">Δ points</th><th scope=\"col\" class=\"mark\" data-fixed><span \
         class=\"unseen\">Δ with its interval</span>{}</th><th scope=\"col\" class=\"number\" data-fixed>95 % interval</th><th \
         scope=\"col\" class=\"number\">p adj.</th><th scope=\"col\" class=\"number\" data-fixed>gained / lost</th><th \
         scope=\"col\" class=\"number\">n</th></tr></thead>\n",
        file_name(&table.id),
        Html(&table.title),
        Html(&comparison.base),
        Html(&comparison.trained),
        axis(scale)
    )
}

/// Ends of the scale and where more and less lie.
fn axis(scale: f64) -> String {
    let end = number::percent(scale, 0);
    format!(
        "<svg class=\"axis\" width=\"300\" height=\"14\" viewBox=\"0 0 300 14\" aria-hidden=\"true\"><g \
         font-size=\"11\" fill=\"var(--muted)\"><text x=\"0\" y=\"10\">{}{end}</text><text x=\"75\" y=\"10\" \
         text-anchor=\"middle\">less</text><text x=\"150\" y=\"10\" text-anchor=\"middle\">0</text><text x=\"225\" y=\"10\" \
         text-anchor=\"middle\">more</text><text x=\"300\" y=\"10\" text-anchor=\"end\">+{end}</text></g></svg>",
        number::MINUS
    )
}

fn scale(table: &Table) -> f64 {
    let reach = |row: &&Row| {
        let delta = match cell(table, row, "delta") {
            Some(Cell::Delta(delta)) => delta.abs(),
            _ => 0.0,
        };
        match cell(table, row, "interval") {
            Some(Cell::Interval { low, high }) => delta.max(low.abs()).max(high.abs()),
            _ => delta,
        }
    };
    let drawn = table.rows.iter().filter(|row| !is_size(row) && instances(table, row) >= NO_MARK);
    let most = drawn.map(|row| reach(&row)).fold(0.0, f64::max);
    SCALES.into_iter().find(|scale| most <= *scale).unwrap_or(1.0)
}

fn instances(table: &Table, row: &Row) -> i64 {
    match cell(table, row, "instances") {
        Some(Cell::Count(n)) => *n,
        _ => 0,
    }
}

fn line(table: &Table, row: &Row, scale: f64) -> String {
    let behaviour = behaviours::find(&row.id);
    let name = match row.cells.first() {
        Some(Cell::Text(name)) => name.as_str(),
        _ => row.id.as_str(),
    };
    let fill =
        behaviour.and_then(|behaviour| behaviour.tag).map_or(Colour::Trained, |tag| Colour::Fill(Some(tag)));
    let hint = behaviour
        .map(|found| format!("{}: {} (better: {})", found.code, found.meaning, found.better.as_str()));
    let missing = Cell::Missing(crate::model::table::Missing::Undefined);
    let get = |column| cell(table, row, column).unwrap_or(&missing);
    let number_cell = |class: &str, column| {
        let found = get(column);
        let text = inner(found, table.decimals);
        let text = match (row.strong, found) {
            (true, Cell::Delta(_) | Cell::Shift(_)) => format!("<strong>{text}</strong>"),
            _ => text,
        };
        format!("<td class=\"number {class}\"{}>{text}</td>", sort_key(found))
    };
    let mut out = String::from(if is_size(row) { "<tr class=\"size\">" } else { "<tr>" });
    let _ = write!(
        out,
        "<th scope=\"row\" class=\"name\"><svg class=\"chip\" width=\"9\" height=\"9\" aria-hidden=\"true\"><rect \
         width=\"9\" height=\"9\" fill=\"var(--{})\"/></svg>{}</th>",
        fill.name(),
        opened(row, name, hint.as_deref().unwrap_or_default()),
    );
    out.push_str(&number_cell("base", "base"));
    out.push_str(&number_cell("trained", "trained"));
    out.push_str(&number_cell("delta", "delta"));
    let _ = write!(out, "<td class=\"mark\">{}</td>", mark(table, row, scale));
    out.push_str(&number_cell("interval", "interval"));
    out.push_str(&adjusted(table, row).unwrap_or_else(|| number_cell("p", "p_adjusted")));
    let _ = write!(
        out,
        "<td class=\"number moved\">{} / {}</td>",
        inner(get("gained"), 0),
        inner(get("lost"), 0)
    );
    out.push_str(&number_cell("n", "instances"));
    out.push_str("</tr>\n");
    out
}

/// A twin counts once in the family of its other half: it has a p of its own and none adjusted.
fn adjusted(table: &Table, row: &Row) -> Option<String> {
    let twin = behaviours::find(&row.id)?.twin_of?;
    let Some(Cell::P(p)) = cell(table, row, "p") else { return None };
    let hint = format!("counted once, with {twin}; raw p {}", number::p(*p));
    Some(format!("<td class=\"number p\"><span class=\"missing\" title=\"{}\">twin</span></td>", Html(&hint)))
}

/// The name, which opens the notes of its row.
fn opened(row: &Row, name: &str, hint: &str) -> String {
    let name = format!("<span title=\"{}\">{}</span>", Html(hint), Html(name));
    if row.notes.is_empty() {
        return name;
    }
    let items: String = row.notes.iter().map(|note| format!("<li>{}</li>", Html(note))).collect();
    format!("<details><summary>{name}</summary><ul>{items}</ul></details>")
}

/// Estimate and interval on the common scale; outside of it only for a value that no scale holds.
fn mark(table: &Table, row: &Row, scale: f64) -> String {
    let Some(Cell::Delta(delta)) = cell(table, row, "delta") else {
        return "<span class=\"missing\">medians and their shift</span>".to_owned();
    };
    let n = instances(table, row);
    if n < NO_MARK {
        return format!("<span class=\"missing\">n {n}: too few to draw</span>");
    }
    let dashes = if n < DOTTED { " stroke-dasharray=\"3 3\"" } else { "" };
    let x = |value: f64| WIDTH / 2.0 * (1.0 + (value / scale).clamp(-1.0, 1.0));
    let behaviour = behaviours::find(&row.id);
    let tag = behaviour.and_then(|behaviour| behaviour.tag);
    let colour = tag.map_or(Colour::Trained, |tag| tag_line(Some(tag))).name();
    let mut label = format!("Δ {} points", number::points(*delta, table.decimals));
    let mut out = String::new();
    let _ = write!(out, "<path d=\"M150 1v16\" stroke=\"var(--axis)\" stroke-width=\"1\" fill=\"none\"/>");
    if let Some(Cell::Interval { low, high }) = cell(table, row, "interval") {
        let _ = write!(
            out,
            "<path d=\"M{:.1} {MIDDLE}H{:.1}\" stroke=\"var(--{colour})\" stroke-width=\"2.2\"{dashes} fill=\"none\"/>",
            x(*low),
            x(*high)
        );
        let _ = write!(label, ", interval {}", number::interval(*low, *high, table.decimals));
    }
    if let Some(Cell::P(p)) = cell(table, row, "p_adjusted") {
        let _ = write!(label, ", adjusted p {}", number::p(*p));
    }
    let inside =
        if row.strong && n >= DOTTED { format!("var(--{colour})") } else { "var(--paper)".to_owned() };
    let place = x(*delta);
    let shape = if row.id == "resolved" {
        format!("<rect x=\"{:.1}\" y=\"5\" width=\"8\" height=\"8\"", place - 4.0)
    } else {
        format!("<circle cx=\"{place:.1}\" cy=\"{MIDDLE}\" r=\"4.3\"")
    };
    let _ = write!(out, "{shape} fill=\"{inside}\" stroke=\"var(--{colour})\" stroke-width=\"1.6\"/>");
    format!(
        "<svg width=\"300\" height=\"18\" viewBox=\"0 0 300 18\" role=\"img\" aria-label=\"{}\">{out}</svg>",
        Html(&label)
    )
}
