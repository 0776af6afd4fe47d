//! The terminal: tables that fit its width, T5 with marks, ribbons (look.md §9). It prints nothing itself and reads no
//! environment: width and colour come with the `Screen`. Control characters of data are made visible.

use std::fmt::Write as _;

use super::escape::visible;
use super::{Report, cell, verdicts};
use crate::behaviours::{self, BehaviourKind};
use crate::charts::palette::PALETTE;
use crate::model::table::{Align, Cell, Row, Table};
use crate::model::tag::TagName;
use crate::number;
use crate::store::{Frame, Value};

/// Width of the longest line of prose.
const PROSE: usize = 100;

/// Cells of a mark; zero lies in the middle.
const MARK: usize = 21;

/// Instances below which an estimate is a number without a mark (look.md §5).
const NO_MARK: i64 = 5;

const BOLD: &str = "\u{1b}[1m";
const FAINT: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// What the terminal can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Colours and weights may be used.
    pub colour: bool,
    /// Marks are drawn with ASCII alone.
    pub ascii: bool,
}

/// Verdicts, then T5 of every comparison, as a person reads them.
pub fn compare(report: &Report, screen: Screen) -> String {
    let mut out = String::new();
    for verdict in verdicts(report.question, report.answer) {
        out.push_str(&wrapped(&verdict.text(), screen.width.min(PROSE), ""));
        out.push('\n');
    }
    for warning in &report.answer.warnings {
        out.push_str(&wrapped(&format!("! {warning}"), screen.width.min(PROSE), "  "));
    }
    for comparison in &report.answer.comparisons {
        if let Some(table) = report.table_of(comparison, "T5") {
            out.push_str(&marks(table, screen));
            out.push_str(&foot(table, screen));
        }
        // The strata are asked for by name; a report has them all.
        let strata = (!report.question.by.is_empty()).then_some("strata");
        for code in ["funnel", "decomposition"].into_iter().chain(strata) {
            if let Some(found) = report.table_of(comparison, code) {
                out.push('\n');
                out.push_str(&table(found, screen));
            }
        }
    }
    if report.answer.comparisons.is_empty() {
        for found in report.tables() {
            out.push('\n');
            out.push_str(&table(found, screen));
        }
    }
    out
}

/// The same, piped: tab-separated in full precision.
pub fn compare_piped(report: &Report) -> String {
    let tables = report.tables();
    let is_asked =
        |table: &&&Table| table.code == "T5" || table.code == "strata" && !report.question.by.is_empty();
    let compared: Vec<&&Table> = tables.iter().filter(is_asked).collect();
    let shown: Vec<&Table> =
        if compared.is_empty() { tables.clone() } else { compared.into_iter().copied().collect() };
    let mut out = String::new();
    for (place, table) in shown.into_iter().enumerate() {
        if place > 0 {
            out.push('\n');
        }
        out.push_str(&tabbed(table));
    }
    out
}

/// A table, tab-separated: its id, the row, then the columns of its CSV.
fn tabbed(table: &Table) -> String {
    let columns = super::csv::columns(table);
    let mut heads = vec!["table".to_owned(), "row".to_owned()];
    for (column, parts) in table.columns.iter().zip(&columns) {
        heads.extend(parts.iter().map(|part| format!("{}{part}", visible(&column.name))));
    }
    let mut out = heads.join("\t");
    out.push('\n');
    for row in &table.rows {
        let mut cells = vec![visible(&table.id).into_owned(), visible(&row.id).into_owned()];
        for (place, parts) in columns.iter().enumerate() {
            let values = row.cells.get(place).map(number::csv).unwrap_or_default();
            for part in parts {
                let value = values.iter().find(|(suffix, _)| suffix == part).map(|(_, value)| value.as_str());
                cells.push(visible(value.unwrap_or_default()).into_owned());
            }
        }
        out.push_str(&cells.join("\t"));
        out.push('\n');
    }
    out
}

/// Which columns fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Stacked,
    Narrow,
    Middle,
    Wide,
}

impl Fit {
    fn of(width: usize) -> Fit {
        match width {
            0..=59 => Fit::Stacked,
            60..=79 => Fit::Narrow,
            80..=99 => Fit::Middle,
            _ => Fit::Wide,
        }
    }
}

/// Widths of the columns of T5: numbers are never cut, so that they are as wide as their longest.
struct Layout {
    fit: Fit,
    scale: f64,
    name: usize,
    base: usize,
    trained: usize,
    delta: usize,
    interval: usize,
    p: usize,
    moved: usize,
}

impl Layout {
    fn of(table: &Table, screen: Screen) -> Layout {
        let widest = |text: &dyn Fn(&Row) -> String, least: usize| {
            table.rows.iter().map(|row| length(&text(row))).fold(least, usize::max)
        };
        let column = |name: &'static str, least| widest(&|row| text(table, row, name), least);
        let mut layout = Layout {
            fit: Fit::of(screen.width),
            scale: table.rows.iter().map(|row| reach(table, row)).fold(0.05, f64::max),
            name: 0,
            base: column("base", 5),
            trained: column("trained", 7),
            delta: column("delta", 5),
            interval: column("interval", 13),
            p: widest(&|row| adjusted(table, row), 6),
            moved: widest(&|row| moved(table, row), 3),
        };
        layout.name = layout.room(screen.width).clamp(10, 40);
        layout
    }

    /// What the other columns leave for the name.
    fn room(&self, width: usize) -> usize {
        let both = self.base + self.trained + 2;
        let rest = match self.fit {
            Fit::Stacked => self.delta + 1,
            Fit::Narrow => self.delta + MARK + self.p + 3,
            Fit::Middle => both + self.delta + MARK + self.p + self.moved + 4,
            Fit::Wide => both + self.delta + MARK + self.interval + self.p + self.moved + 5,
        };
        width.saturating_sub(rest)
    }
}

fn marks(table: &Table, screen: Screen) -> String {
    let layout = Layout::of(table, screen);
    let mut out = format!("\n{}", wrapped(&table.title, screen.width, "  "));
    out.push_str(&mark_head(&layout));
    let (sizes, shares): (Vec<&Row>, Vec<&Row>) = table.rows.iter().partition(|row| is_size(row));
    let mut last = None;
    for row in shares.into_iter().chain(sizes) {
        let family = (row.group.as_str(), is_size(row));
        if last.is_some_and(|last| last != family) {
            out.push('\n');
        }
        last = Some(family);
        out.push_str(&mark_line(table, row, screen, &layout));
    }
    out
}

fn mark_head(layout: &Layout) -> String {
    let Layout { name, base, trained, delta, interval, p, moved, .. } = layout;
    let both = format!("{:>base$} {:>trained$}", "base", "trained");
    match layout.fit {
        Fit::Stacked => String::new(),
        Fit::Narrow => format!("{:name$} {:>delta$} {:MARK$} {:>p$}\n", "", "Δ", "", "p adj."),
        Fit::Middle => {
            format!("{:name$} {both} {:>delta$} {:MARK$} {:>p$} {:>moved$}\n", "", "Δ", "", "p adj.", "+/−")
        }
        Fit::Wide => format!(
            "{:name$} {both} {:>delta$} {:MARK$} {:>interval$} {:>p$} {:>moved$}\n",
            "", "Δ", "", "95 % interval", "p adj.", "+/−"
        ),
    }
}

fn mark_line(table: &Table, row: &Row, screen: Screen, layout: &Layout) -> String {
    let text = |column| text(table, row, column);
    let faint = |words: String| painted(screen, FAINT, words);
    let name = match row.cells.first() {
        Some(Cell::Text(name)) => name.as_str(),
        _ => &row.id,
    };
    let name = left(name, layout.name);
    let delta = painted(screen, if row.strong { BOLD } else { "" }, right(&text("delta"), layout.delta));
    let p = right(&adjusted(table, row), layout.p);
    let moved = || faint(right(&moved(table, row), layout.moved));
    let values = || {
        format!("{} {}", faint(right(&text("base"), layout.base)), right(&text("trained"), layout.trained))
    };
    let mark = mark(table, row, layout.scale, screen);
    match layout.fit {
        Fit::Stacked => {
            let second = format!("{} → {}  p {}", text("base"), text("trained"), adjusted(table, row));
            format!("{name} {delta}\n  {mark}\n  {}\n", faint(second))
        }
        Fit::Narrow => format!("{name} {delta} {mark} {p}\n"),
        Fit::Middle => format!("{name} {} {delta} {mark} {p} {}\n", values(), moved()),
        Fit::Wide => {
            let interval = faint(right(&text("interval"), layout.interval));
            format!("{name} {} {delta} {mark} {interval} {p} {}\n", values(), moved())
        }
    }
}

fn text(table: &Table, row: &Row, column: &str) -> String {
    cell(table, row, column).map(|found| number::text(found, table.decimals)).unwrap_or_default()
}

/// The adjusted p; a twin counts once, with its other half, and has none.
fn adjusted(table: &Table, row: &Row) -> String {
    let is_twin = behaviours::find(&row.id).is_some_and(|behaviour| behaviour.twin_of.is_some());
    match cell(table, row, "p_adjusted") {
        Some(Cell::Missing(_)) if is_twin => "twin".to_owned(),
        _ => text(table, row, "p_adjusted"),
    }
}

fn moved(table: &Table, row: &Row) -> String {
    format!("{}/{}", text(table, row, "gained"), text(table, row, "lost"))
}

fn is_size(row: &Row) -> bool {
    behaviours::find(&row.id).is_some_and(|behaviour| behaviour.kind == BehaviourKind::Size)
}

fn reach(table: &Table, row: &Row) -> f64 {
    let Some(Cell::Delta(delta)) = cell(table, row, "delta") else { return 0.0 };
    if too_few(table, row).is_some() {
        return 0.0;
    }
    match cell(table, row, "interval") {
        Some(Cell::Interval { low, high }) => delta.abs().max(low.abs()).max(high.abs()),
        _ => delta.abs(),
    }
}

/// The number of instances, where it is too small for a mark.
fn too_few(table: &Table, row: &Row) -> Option<i64> {
    match cell(table, row, "instances") {
        Some(Cell::Count(n)) if *n < NO_MARK => Some(*n),
        _ => None,
    }
}

/// Interval, estimate and zero in 21 cells; all rows of a table have one scale.
fn mark(table: &Table, row: &Row, scale: f64, screen: Screen) -> String {
    let Some(Cell::Delta(delta)) = cell(table, row, "delta") else { return " ".repeat(MARK) };
    if let Some(n) = too_few(table, row) {
        return left(&format!("n {n}: too few"), MARK);
    }
    let middle = (MARK / 2) as f64;
    let place = |value: f64| (middle + (value / scale * middle).round()).clamp(0.0, 2.0 * middle) as usize;
    let [bar, zero, cross, full, hollow] =
        if screen.ascii { ['-', '|', '+', '*', 'o'] } else { ['─', '│', '┼', '●', '○'] };
    let mut cells = [' '; MARK];
    if let Some(Cell::Interval { low, high }) = cell(table, row, "interval") {
        for sign in &mut cells[place(*low)..=place(*high).max(place(*low))] {
            *sign = bar;
        }
    }
    let at_zero = &mut cells[MARK / 2];
    *at_zero = if *at_zero == bar { cross } else { zero };
    cells[place(*delta)] = if row.strong { full } else { hollow };
    cells.iter().collect()
}

/// A table of any columns: those from the right that do not fit are left out, and the table says so.
pub fn table(table: &Table, screen: Screen) -> String {
    let heads: Vec<String> = table.columns.iter().map(|column| visible(&column.head).into_owned()).collect();
    let aligns: Vec<Align> = table.columns.iter().map(|column| column.align).collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            row.cells.iter().map(|cell| visible(&number::text(cell, table.decimals)).into_owned()).collect()
        })
        .collect();
    let mut out = wrapped(&format!("{}: {}", table.code, table.title), screen.width, "  ");
    out.push_str(&columns(&heads, &aligns, &rows, screen));
    out.push_str(&foot(table, screen));
    out
}

/// The result of a query.
pub fn frame(frame: &Frame, screen: Screen) -> String {
    let heads: Vec<String> = frame.columns.iter().map(|column| visible(&column.name).into_owned()).collect();
    let is_number = |place: usize| {
        frame.rows.iter().all(|row| !matches!(row.get(place), Some(Value::Text(_) | Value::Bool(_))))
    };
    let aligns: Vec<Align> =
        (0..heads.len()).map(|place| if is_number(place) { Align::Right } else { Align::Left }).collect();
    let rows: Vec<Vec<String>> = frame
        .rows
        .iter()
        .map(|row| row.iter().map(|value| visible(&super::csv::value(value)).into_owned()).collect())
        .collect();
    columns(&heads, &aligns, &rows, screen)
}

/// Widest column of text; longer words are cut in the middle.
const WIDEST: usize = 40;

fn columns(heads: &[String], aligns: &[Align], rows: &[Vec<String>], screen: Screen) -> String {
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(place, head)| {
            let cells = rows.iter().filter_map(|row| row.get(place)).map(|cell| length(cell));
            cells.chain([length(head)]).max().unwrap_or(0).min(WIDEST)
        })
        .collect();
    let mut used = 0;
    let fits = widths.iter().take_while(|width| {
        used += **width + 2;
        used <= screen.width + 2
    });
    let shown = fits.count().max(1).min(widths.len());
    let line = |row: &[String]| {
        let cells: Vec<String> = widths[..shown.min(widths.len())]
            .iter()
            .enumerate()
            .map(|(place, width)| {
                let text = row.get(place).map(String::as_str).unwrap_or_default();
                match aligns.get(place) {
                    Some(Align::Right) => right(text, *width),
                    _ => left(text, *width),
                }
            })
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    let mut out = painted(screen, BOLD, line(heads).trim_end().to_owned());
    out.push('\n');
    for row in rows {
        out.push_str(&line(row));
    }
    if shown < heads.len() {
        let hidden = heads[shown..].join(", ");
        out.push_str(&wrapped(
            &format!("not shown for lack of width: {hidden}"),
            screen.width.min(PROSE),
            "  ",
        ));
    }
    out
}

fn foot(table: &Table, screen: Screen) -> String {
    if table.foot.is_empty() {
        return String::new();
    }
    let text = wrapped(&format!("{}.", table.foot.join("; ")), screen.width.min(PROSE), "");
    format!("\n{}", painted(screen, FAINT, text))
}

/// A run turn by turn: a coloured block a turn, or letters; it wraps with the turn's number in front.
pub fn ribbon(tags: &[Option<TagName>], screen: Screen) -> String {
    let digits = tags.len().saturating_sub(1).to_string().len();
    let room = screen.width.saturating_sub(digits + 1).max(10);
    let wraps = tags.len() > room;
    let mut out = String::new();
    for (line, turns) in tags.chunks(room).enumerate() {
        if wraps {
            let _ = write!(out, "{:>digits$} ", line * room);
        }
        for tag in turns {
            let tint = PALETTE.tint(*tag);
            if screen.colour {
                let _ = write!(out, "\u{1b}[38;5;{}m█", tint.ansi);
            } else {
                out.push(if screen.ascii && !tint.letter.is_ascii() { '.' } else { tint.letter });
            }
        }
        if screen.colour {
            out.push_str(PLAIN);
        }
        out.push('\n');
    }
    out
}

fn painted(screen: Screen, weight: &str, words: String) -> String {
    if screen.colour && !weight.is_empty() { format!("{weight}{words}{PLAIN}") } else { words }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Text on the left of its column, cut in the middle where it is too long: the end of a name tells versions apart.
fn left(text: &str, width: usize) -> String {
    let text = cut(&visible(text), width);
    format!("{text}{}", " ".repeat(width.saturating_sub(length(&text))))
}

fn right(text: &str, width: usize) -> String {
    let text = cut(&visible(text), width);
    format!("{}{text}", " ".repeat(width.saturating_sub(length(&text))))
}

fn cut(text: &str, width: usize) -> String {
    let signs: Vec<char> = text.chars().collect();
    if signs.len() <= width {
        return text.to_owned();
    }
    let end = width.saturating_sub(1) / 2;
    let start = width.saturating_sub(1) - end;
    let head: String = signs[..start].iter().collect();
    let tail: String = signs[signs.len() - end..].iter().collect();
    format!("{head}…{tail}")
}

/// Words broken into lines; lines after the first are indented. A number keeps its per cent sign.
fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let joined = visible(text).replace(" %", "\u{a0}%");
    let mut out = String::new();
    let mut used = 0;
    for word in joined.split(' ').filter(|word| !word.is_empty()) {
        if used > 0 && used + 1 + length(word) > width {
            out.push('\n');
            out.push_str(indent);
            used = length(indent);
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length(word);
    }
    out.push('\n');
    out.replace('\u{a0}', " ")
}
