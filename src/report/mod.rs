//! Files that people read: tables, charts, the verdict and the page, one file an output format. This layer lays out and
//! escapes; every share, interval and test comes with the answer, and every number becomes text in `number`.

mod coverage_words;
mod csv;
mod escape;
mod folder;
mod html;
mod inputs;
mod json;
mod labels;
mod latex;
mod markdown;
mod page;
mod phrases;
mod report_md;
mod terminal;
mod verdict;

pub use csv::{frame as frame_csv, table as table_csv};
pub use escape::{file_name, visible};
pub use folder::{Format, ReportError, Written, write};
pub use inputs::{ArmInputs, Inputs, Unclaimed};
pub use json::{study as study_json, summary as summary_json, table as table_json};
pub use labels::{
    Disagreement, LabelReport, accuracy as accuracy_csv, page as labels_page, text as labels_text,
};
pub use latex::{numbers as numbers_latex, table as table_latex};
pub use markdown::table as table_markdown;
pub use page::page;
pub use report_md::report as report_markdown;
pub use terminal::{Screen, compare, compare_piped, frame as frame_text, ribbon, table as table_text};
pub use verdict::{Part, Verdict, verdicts};

use crate::measure::{Answer, Comparison, Question};
use crate::model::series::Series;
use crate::model::table::{Cell, Row, Table};

/// Everything that a report is made of.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// What was asked.
    pub question: &'a Question,
    /// What came of it.
    pub answer: &'a Answer,
    /// What was read.
    pub inputs: &'a Inputs,
}

/// Codes of tables in the order in which a report prints them; what is not listed follows in its own order.
const TABLE_ORDER: [&str; 11] =
    ["T1", "T2", "T5", "funnel", "decomposition", "strata", "T4", "T10", "T10.steps", "T12", "T14"];

impl<'a> Report<'a> {
    /// Tables in the order of a report.
    pub fn tables(&self) -> Vec<&'a Table> {
        let place = |table: &Table| TABLE_ORDER.iter().position(|code| *code == table.code);
        let mut tables: Vec<&Table> = self.answer.tables.iter().collect();
        tables.sort_by_key(|table| place(table).unwrap_or(TABLE_ORDER.len()));
        tables
    }

    /// The table of a code that belongs to a comparison.
    pub fn table_of(&self, comparison: &Comparison, code: &str) -> Option<&'a Table> {
        let id = comparison.id(code);
        self.answer.tables.iter().find(|table| table.id == id)
    }

    /// The series of a comparison, by the kind of its chart.
    pub fn series_of(&self, comparison: &Comparison, kind: &str) -> Option<&'a Series> {
        let stem = format!("{kind}{}", comparison.id(""));
        self.answer.series.iter().find(|(name, _)| *name == stem).map(|(_, series)| series)
    }
}

/// The cell of a row by the name of its column.
fn cell<'t>(table: &Table, row: &'t Row, column: &str) -> Option<&'t Cell> {
    let place = table.columns.iter().position(|found| found.name == column)?;
    row.cells.get(place)
}
