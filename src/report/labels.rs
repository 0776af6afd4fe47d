//! Rules against labels, for a person: the two tables and every turn on which label and rules differ, with the turn as it
//! stands in the log. As text, and as one page that needs no network and no script.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::escape::{Html, visible};
use super::page::{digest, style};
use super::{Screen, csv, html, terminal};
use crate::data::accuracy::{Accuracy, COLUMNS};
use crate::measure::labels::Difference;
use crate::model::table::Table;
use crate::number;

/// A logged line is long: it is broken, not scrolled.
const PRE: &str = "\npre{white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 ui-monospace,Menlo,Consolas,\"DejaVu \
                   Sans Mono\",monospace;color:var(--muted);margin:6px 0 22px}\n";

/// A turn on which label and rules differ.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The item as the file of labels names it.
    pub item: String,
    /// Trajectory of the store.
    pub trajectory: String,
    /// Turn within it.
    pub turn: usize,
    /// Format of its log.
    pub format: String,
    /// Why two careful readers may differ, as the label says.
    pub hard: Option<String>,
    /// What is said apart.
    pub differences: Vec<Difference>,
    /// The turn with tags and their evidence, as `show --turn N --tags` prints it.
    pub evidence: String,
}

/// Everything that is said of a file of labels.
#[derive(Clone, Copy)]
pub struct LabelReport<'a> {
    /// Tables.
    pub tables: &'a [Table],
    /// Turns that differ, in the order of the file.
    pub disagreements: &'a [Disagreement],
    /// Labelled turns that were found.
    pub turns: usize,
    /// What was left out, one sentence each.
    pub left_out: &'a [String],
}

/// The file of accuracies that `data` compiles in.
pub fn accuracy(rows: &[Accuracy]) -> String {
    let mut out = String::new();
    csv::line(&mut out, COLUMNS.iter().map(|column| Cow::Borrowed(*column)));
    for row in rows {
        let limits = [row.precision, row.recall, row.specificity].map(|interval| {
            let part = |limit: Option<f64>| limit.map(|limit| number::fixed(limit, 4)).unwrap_or_default();
            [part(interval.map(|limits| limits.0)), part(interval.map(|limits| limits.1))]
        });
        let counts = [row.turns, row.trajectories, row.both, row.only_label, row.only_rule, row.neither];
        let words = [
            row.set.clone(),
            row.date.clone(),
            row.labels.as_str().to_owned(),
            row.tag.as_str().to_owned(),
            row.version.to_string(),
            row.format.clone().unwrap_or_else(|| "all".to_owned()),
        ];
        let cells = words.into_iter().chain(counts.map(|count| count.to_string())).chain(limits.concat());
        csv::line(&mut out, cells.map(|cell| Cow::Owned(csv::guarded(&cell).into_owned())));
    }
    out
}

/// As text.
pub fn text(report: LabelReport, screen: Screen) -> String {
    let mut out = String::new();
    for table in report.tables {
        out.push_str(&terminal::table(table, screen));
        out.push('\n');
    }
    let _ = writeln!(out, "{}", headline(report));
    for one in report.disagreements {
        let _ = writeln!(out, "\n{}", visible(&one.item));
        let _ = writeln!(out, "  {}", visible(&place(one)));
        for difference in &one.differences {
            let _ = writeln!(out, "  {}", visible(&said(difference)));
        }
        for line in one.evidence.lines() {
            let _ = writeln!(out, "  | {}", visible(line));
        }
    }
    out
}

/// As one page.
pub fn page(report: LabelReport) -> String {
    let style = style() + PRE;
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let _ = write!(
        out,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; font-src data:; base-uri \
         'none'; form-action 'none'\">\n<title>Rules against labels</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <main class=\"wide\">\n<h1>Rules against labels</h1>\n",
        digest(&style)
    );
    for table in report.tables {
        let _ = write!(out, "<section>\n<h2>{}</h2>\n{}</section>\n", Html(&table.title), html::table(table));
    }
    let _ = write!(out, "<section>\n<h2>Disagreements</h2>\n<p>{}</p>\n", Html(&headline(report)));
    for why in report.left_out {
        let _ = writeln!(out, "<p class=\"foot\">{}</p>", Html(why));
    }
    for one in report.disagreements {
        out.push_str(&article(one));
    }
    out.push_str("</section>\n</main>\n</body>\n</html>\n");
    out
}

fn article(one: &Disagreement) -> String {
    let mut out = format!("<article>\n<h3>{}</h3>\n<p>{}</p>\n<ul>\n", Html(&one.item), Html(&place(one)));
    for difference in &one.differences {
        let _ = writeln!(out, "<li>{}</li>", Html(&said(difference)));
    }
    out.push_str("</ul>\n<pre>");
    for line in one.evidence.lines() {
        let _ = writeln!(out, "{}", Html(line));
    }
    out.push_str("</pre>\n</article>\n");
    out
}

fn headline(report: LabelReport) -> String {
    format!(
        "{} of {} labelled turns differ",
        number::count(report.disagreements.len() as i64),
        number::count(report.turns as i64)
    )
}

fn place(one: &Disagreement) -> String {
    let hard = one.hard.as_deref().map(|why| format!("; hard: {why}")).unwrap_or_default();
    format!("trajectory {}, turn {}, {}{hard}", one.trajectory, one.turn, one.format)
}

fn said(difference: &Difference) -> String {
    format!("{}: label {}, rules {}", difference.what, difference.label, difference.engine)
}
