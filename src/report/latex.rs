//! A table as LaTeX (`look.md` §10): booktabs, siunitx and threeparttable, no vertical rule, bold Δ only where the
//! adjusted p is below 0.05. Each file is both: `\input` takes it into a paper, and by itself it compiles. Names are
//! data and are escaped in every cell, head, caption and note; numbers come from `number`.

use std::fmt::Write as _;

use super::escape::{Latex, file_name};
use super::markdown::sentence;
use crate::measure::TABLES;
use crate::model::table::{Align, Cell, Column, Row, Table};
use crate::number;

/// Packages of the preamble, as a user's own document needs them too.
const PACKAGES: &str = "\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\\usepackage{lmodern,textcomp,array,booktabs,\
                        threeparttable,rotating,siunitx}\n";

/// Width and height of the text of a page in points (6.9 in, and what A4 and Letter both leave).
const PAGE: (f64, f64) = (496.8, 640.0);

/// Points that a digit and a gap between columns take at `\small` (9 pt).
const DIGIT: f64 = 4.7;
const GAP: f64 = 10.0;

/// Rows of a page at `\small` that leave room for caption and notes.
const ROWS: usize = 45;

/// Text columns wider than so many characters are set as paragraphs.
const LONGEST_LINE: usize = 34;

/// Notes of rows beyond this number stay in the Markdown.
const MOST_NOTES: usize = 12;

/// A table by itself: a document that compiles, and that `\input` takes without its preamble.
pub fn table(table: &Table) -> String {
    let columns = columns(table);
    let mut out = format!(
        "% {}: {}. Written by ethogram; `\\input` it, or compile it by itself.\n% Needs: array booktabs rotating siunitx textcomp \
         threeparttable, [T1]{{fontenc}}.\n",
        comment(&table.id),
        comment(&table.title)
    );
    // Inside a document the kernel has set this name to \relax.
    out.push_str("\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\\else\n");
    out.push_str(
        "\\documentclass[10pt]{article}\n\\usepackage[textwidth=6.9in,textheight=9.2in]{geometry}\n",
    );
    out.push_str(PACKAGES);
    out.push_str("\\begin{document}\\pagestyle{empty}\n\\def\\ethogramclose{\\end{document}}\n\\fi\n");
    let parts: Vec<&[Row]> = table.rows.chunks(ROWS).collect();
    for (place, rows) in parts.iter().enumerate() {
        let part = (parts.len() > 1).then(|| format!(" ({} of {})", place + 1, parts.len()));
        float(&mut out, table, &columns, rows, &part.unwrap_or_default(), place);
    }
    out.push_str("\\ifdefined\\ethogramclose\\expandafter\\ethogramclose\\fi\n");
    out
}

/// A comment of one line, whatever the name; nothing in it looks like a command.
fn comment(text: &str) -> String {
    super::visible(text).replace('\\', "\\backslash ")
}

/// A column of the paper's table with what its cells need.
struct Set<'t> {
    place: usize,
    column: &'t Column,
    kind: Kind,
    /// Characters of its widest cell or line of its head.
    width: usize,
}

/// How a column is set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Words on one line.
    Words,
    /// Words that need several lines.
    Paragraph,
    /// Numbers aligned at the decimal point: digits before and behind it, and whether one has a sign.
    Number { whole: usize, decimals: usize, is_signed: bool },
    /// A number with its count beside it.
    Counted { whole: usize, decimals: usize },
    /// p-values and intervals, set right.
    Right,
}

/// The columns that the paper's table has: those that its family names, else all.
fn columns(table: &Table) -> Vec<Set<'_>> {
    let family = TABLES.iter().find(|family| family.code == table.code);
    let paper = family.map_or(&[][..], |family| family.paper);
    let is_wanted = |column: &Column| {
        paper.is_empty()
            || paper.iter().any(|name| column.name == *name || column.name.ends_with(&format!(".{name}")))
    };
    let wanted = table.columns.iter().enumerate().filter(|(_, column)| is_wanted(column));
    wanted.map(|(place, column)| set(table, place, column)).collect()
}

fn set<'t>(table: &Table, place: usize, column: &'t Column) -> Set<'t> {
    let cells: Vec<&Cell> = table.rows.iter().filter_map(|row| row.cells.get(place)).collect();
    let texts: Vec<String> = cells.iter().map(|cell| number::text(cell, table.decimals)).collect();
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let aligned: Vec<&str> = cells
        .iter()
        .zip(&texts)
        .filter(|(cell, _)| is_aligned(cell))
        .map(|(_, text)| text.as_str())
        .collect();
    let kind = if column.align == Align::Left {
        if widest > LONGEST_LINE { Kind::Paragraph } else { Kind::Words }
    } else if aligned.is_empty() {
        Kind::Right
    } else {
        let parts = |text: &&str| {
            let digits: String = text.chars().filter(|sign| sign.is_ascii_digit() || *sign == '.').collect();
            digits.split_once('.').map_or((digits.len(), 0), |(whole, rest)| (whole.len(), rest.len()))
        };
        let whole = aligned.iter().map(|text| parts(text).0).max().unwrap_or(1);
        let decimals = aligned.iter().map(|text| parts(text).1).max().unwrap_or(0);
        let is_signed = aligned.iter().any(|text| text.starts_with(['+', number::MINUS]));
        let is_counted = cells.iter().any(|cell| matches!(cell, Cell::Share { .. }));
        if is_counted {
            Kind::Counted { whole, decimals }
        } else {
            Kind::Number { whole, decimals, is_signed }
        }
    };
    let shares = cells.iter().filter(|cell| matches!(cell, Cell::Share { .. }));
    let counts = shares.filter_map(|cell| number::counts(cell)).map(|text| text.len() + 2).max().unwrap_or(0);
    let head = head_lines(column).iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let body = match kind {
        Kind::Paragraph => LONGEST_LINE,
        Kind::Counted { .. } => widest + counts,
        _ => widest,
    };
    Set { place, column, kind, width: body.max(head) }
}

/// Set by siunitx at the decimal point.
fn is_aligned(cell: &Cell) -> bool {
    matches!(
        cell,
        Cell::Count(_)
            | Cell::Share { .. }
            | Cell::Mean { .. }
            | Cell::Rate(_)
            | Cell::Delta(_)
            | Cell::Quantity(_)
            | Cell::Shift(_)
    )
}

/// A head with its unit, broken where it is long.
fn head_lines(column: &Column) -> Vec<String> {
    let text = if column.unit.is_empty() || column.unit == "instances" || column.head.contains(&column.unit) {
        column.head.clone()
    } else {
        format!("{}, {}", column.head, column.unit)
    };
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < 13 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Environment and size that let the columns fit the page.
fn fit(columns: &[Set]) -> (&'static str, &'static str) {
    let characters: usize = columns.iter().map(|set| set.width).sum();
    let width = characters as f64 * DIGIT + columns.len() as f64 * GAP;
    match width {
        width if width <= PAGE.0 => ("table", "\\small"),
        width if width * 0.88 <= PAGE.0 => ("table", "\\footnotesize"),
        width if width * 0.88 <= PAGE.1 => ("sidewaystable", "\\footnotesize"),
        width if width * 0.77 <= PAGE.1 => ("sidewaystable", "\\scriptsize"),
        _ => ("sidewaystable", "\\tiny"),
    }
}

fn float(out: &mut String, table: &Table, columns: &[Set], rows: &[Row], part: &str, place: usize) {
    let (environment, size) = fit(columns);
    let _ =
        writeln!(out, "\\begin{{{environment}}}[!htbp]\n\\centering{size}\\setlength{{\\tabcolsep}}{{5pt}}");
    out.push_str("\\begin{threeparttable}\n");
    let _ = writeln!(out, "\\caption{{{}{}}}", caption(table), Latex(part));
    if place == 0 {
        let _ = writeln!(out, "\\label{{tab:{}}}", file_name(&table.id).replace('_', "-"));
    }
    let (letters, notes) = notes(rows);
    body(out, columns, rows, table.decimals, &letters);
    out.push_str("\\begin{tablenotes}[flushleft]\\footnotesize\\setlength{\\labelsep}{0pt}\\raggedright\n");
    for note in &notes {
        out.push_str(note);
    }
    let foot: Vec<String> = table.foot.iter().map(|entry| Latex(entry).to_string()).collect();
    let _ = writeln!(out, "\\item {}.", foot.join("; "));
    let _ = writeln!(out, "\\end{{tablenotes}}\n\\end{{threeparttable}}\n\\end{{{environment}}}");
}

/// Title, subtitle, and of the foot the unit, the test and the interval.
fn caption(table: &Table) -> String {
    // The title of a comparison begins with the name of an arm, which stays as it is.
    let title = if table.id == table.code { sentence(&table.title) } else { table.title.clone() };
    let mut text = format!("{}.", Latex(&title));
    if !table.subtitle.is_empty() {
        let _ = write!(text, " {}.", Latex(&sentence(&table.subtitle)));
    }
    let told = |entry: &&String| ["unit=", "test=", "interval="].iter().any(|key| entry.starts_with(key));
    let method: Vec<String> = table
        .foot
        .iter()
        .filter(told)
        .filter_map(|entry| entry.split_once('='))
        .map(|(key, words)| format!("{}: {}", sentence(key), Latex(words)))
        .collect();
    if !method.is_empty() {
        let _ = write!(text, " {}.", method.join(". "));
    }
    text
}

/// The letters of each row's notes, and the notes below the table; too many stay in the Markdown.
fn notes(rows: &[Row]) -> (Vec<String>, Vec<String>) {
    let many: usize = rows.iter().map(|row| row.notes.len()).sum();
    let mut marks = vec![String::new(); rows.len()];
    let mut lines = Vec::new();
    if many > MOST_NOTES {
        lines.push("% the notes of its rows stand in the Markdown of this table\n".to_owned());
        return (marks, lines);
    }
    let mut letters = 'a'..='z';
    for (mark, row) in marks.iter_mut().zip(rows) {
        for note in &row.notes {
            let Some(letter) = letters.next() else { break };
            mark.push(letter);
            lines.push(format!("\\item[{letter}]\\enspace {}.\n", Latex(note)));
        }
    }
    (marks, lines)
}

fn body(out: &mut String, columns: &[Set], rows: &[Row], decimals: usize, letters: &[String]) {
    let kinds: String = columns.iter().map(|set| specification(set.kind)).collect();
    let _ = writeln!(out, "\\begin{{tabular}}{{@{{}}{kinds}@{{}}}}\n\\toprule");
    let heads: Vec<String> = columns.iter().map(head).collect();
    let _ = writeln!(out, "{} \\\\\n\\midrule", heads.join(" & "));
    let wide =
        columns.iter().map(|set| if matches!(set.kind, Kind::Counted { .. }) { 2 } else { 1 }).sum::<usize>();
    let mut before: Option<&Row> = None;
    for (row, mark) in rows.iter().zip(letters) {
        let is_new_group = before.is_some_and(|before| before.group != row.group);
        if !row.group.is_empty() && before.is_none_or(|before| before.group != row.group) {
            let space = if is_new_group { "\\addlinespace[3pt]\n" } else { "" };
            let _ = writeln!(
                out,
                "{space}\\multicolumn{{{wide}}}{{@{{}}l}}{{\\textit{{{}}}}} \\\\",
                Latex(&row.group)
            );
        }
        let repeats = repeats(columns, before, row);
        if before.is_some() && has_groups(columns) && !repeats && row.group.is_empty() {
            out.push_str("\\addlinespace[3pt]\n");
        }
        let cells: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(at, set)| {
                if at == 0 && repeats {
                    String::new()
                } else {
                    cell(set, row, decimals, if at == 0 { mark } else { "" })
                }
            })
            .collect();
        let _ = writeln!(out, "{} \\\\", cells.join(" & "));
        // The outcome stands first with a rule below (`look.md` §5).
        if row.id.ends_with("resolved") && before.is_none() && rows.len() > 1 && !has_groups(columns) {
            out.push_str("\\midrule\n");
        }
        before = Some(row);
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
}

/// Rows stand under the benchmark of the first column, which is printed once.
fn has_groups(columns: &[Set]) -> bool {
    columns.first().is_some_and(|set| set.column.name == "benchmark")
}

fn repeats(columns: &[Set], before: Option<&Row>, row: &Row) -> bool {
    has_groups(columns) && before.is_some_and(|before| before.cells.first() == row.cells.first())
}

fn specification(kind: Kind) -> String {
    let number = |whole: usize, decimals: usize, sign: &str| {
        format!(
            "S[table-format={sign}{whole}.{decimals},group-separator={{,}},group-minimum-digits=4,retain-explicit-plus,detect-weight,mode=text]"
        )
    };
    match kind {
        Kind::Words => "l".to_owned(),
        Kind::Paragraph => ">{\\raggedright\\arraybackslash}p{5.2cm}".to_owned(),
        Kind::Number { whole, decimals, is_signed } => {
            number(whole, decimals, if is_signed { "+" } else { "" })
        }
        Kind::Counted { whole, decimals } => format!("{}@{{\\hspace{{4pt}}}}r", number(whole, decimals, "")),
        Kind::Right => "r".to_owned(),
    }
}

fn head(set: &Set) -> String {
    let lines: Vec<String> = head_lines(set.column).iter().map(|line| Latex(line).to_string()).collect();
    let side = if set.column.align == Align::Left { "l" } else { "r" };
    let text = match lines.as_slice() {
        [line] => line.clone(),
        lines => format!("\\shortstack[{side}]{{{}}}", lines.join("\\\\")),
    };
    match set.kind {
        Kind::Counted { .. } => format!("\\multicolumn{{2}}{{r}}{{{text}}}"),
        _ => format!("{{{text}}}"),
    }
}

fn cell(set: &Set, row: &Row, decimals: usize, mark: &str) -> String {
    let blank = || if matches!(set.kind, Kind::Counted { .. }) { " & ".to_owned() } else { String::new() };
    let Some(cell) = row.cells.get(set.place) else { return blank() };
    let text = number::text(cell, decimals);
    let bold = if row.strong && matches!(cell, Cell::Delta(_) | Cell::Shift(_)) { "\\bfseries " } else { "" };
    let mark = if mark.is_empty() { String::new() } else { format!("\\tnote{{{mark}}}") };
    match (set.kind, is_aligned(cell)) {
        (Kind::Counted { .. }, true) => {
            let counts = match cell {
                Cell::Share { .. } => number::counts(cell).unwrap_or_default(),
                _ => String::new(),
            };
            format!("{} & {}", plain(&text), Latex(&counts))
        }
        (Kind::Counted { .. }, false) => format!("{{{}}} & ", Latex(&text)),
        (Kind::Number { .. }, true) => format!("{bold}{}", plain(&text)),
        _ => format!("{{{}}}{mark}", Latex(&text)),
    }
}

/// A printed number as siunitx reads it; a dash stays a word.
fn plain(text: &str) -> String {
    if text.chars().any(|sign| sign.is_ascii_digit()) {
        text.replace(',', "").replace(number::MINUS, "-")
    } else {
        format!("{{{}}}", Latex(text))
    }
}

/// Every number of a report as a command of its own, so that a paper's text never types one: `numbers.tex`.
pub fn numbers(tables: &[&Table]) -> String {
    let mut out =
        String::from("% Written by ethogram: every number of its tables, named by table, row and column.\n");
    let mut names = std::collections::BTreeSet::new();
    for table in tables {
        for row in &table.rows {
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                if matches!(cell, Cell::Text(_)) {
                    continue;
                }
                let place = format!("{}.{}.{}", table.id, row.id, column.name);
                let mut define = |suffix: &str, text: &str| {
                    let name = unique(&mut names, &command_name(&format!("{place} {suffix}")));
                    let _ = writeln!(out, "\\newcommand{{\\{name}}}{{{}}}% {}", Latex(text), comment(&place));
                };
                define("", &number::text(cell, table.decimals));
                match cell {
                    Cell::Share { num, den } => {
                        define("num", &number::count(*num));
                        define("den", &number::count(*den));
                    }
                    Cell::Interval { low, high } => {
                        define("low", &number::percent(*low, table.decimals));
                        define("high", &number::percent(*high, table.decimals));
                    }
                    Cell::Range { low, high } => {
                        define("low", &number::quantity(*low));
                        define("high", &number::quantity(*high));
                    }
                    _ => {}
                }
            }
        }
    }
    out
}

/// A name of letters alone: words begin with a capital, digits are spelt.
fn command_name(place: &str) -> String {
    const DIGITS: [&str; 10] =
        ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    let mut name = "eth".to_owned();
    let mut begins_word = true;
    for sign in place.chars() {
        match sign.to_digit(10).and_then(|digit| DIGITS.get(digit as usize)) {
            Some(word) => {
                name.push_str(word);
                begins_word = true;
            }
            None if sign.is_ascii_alphabetic() => {
                name.push(if begins_word { sign.to_ascii_uppercase() } else { sign });
                begins_word = false;
            }
            None => begins_word = true,
        }
    }
    name
}

/// Names that fall together (`a-b`, `a_b`) are told apart by letters behind them.
fn unique(names: &mut std::collections::BTreeSet<String>, name: &str) -> String {
    let mut found = name.to_owned();
    while !names.insert(found.clone()) {
        found.push('X');
    }
    found
}
