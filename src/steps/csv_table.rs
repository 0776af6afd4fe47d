//! A CSV file of a study, read strictly: its columns are known by name, and every value is what its column asks for or
//! its row is refused with file and line. What the columns mean is the caller's.

use std::path::{Path, PathBuf};

use super::error::StepError;
use crate::data::csv;
use crate::model::nearest::nearest_hint;
use crate::model::{Problem, Weight, time};
use crate::store::Input;

/// A file with a head that was understood.
pub struct CsvTable {
    path: PathBuf,
    columns: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
    /// For the manifest.
    pub input: Input,
}

/// One row.
pub struct CsvRow<'t> {
    columns: &'t [String],
    fields: &'t [String],
}

impl CsvTable {
    /// Reads a file whose columns are among `known` and hold all of `needed`; `read_as` is its kind in the manifest.
    ///
    /// # Errors
    /// It cannot be read, is no UTF-8, or its head names an unknown column, names one twice, or lacks one.
    pub fn read(
        path: &Path,
        read_as: &'static str,
        known: &[&str],
        needed: &[&str],
    ) -> Result<CsvTable, StepError> {
        let fault = |what: String| StepError::StudyTable { path: path.to_owned(), what };
        let bytes = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
        let input = input(path, read_as, &bytes);
        let text = String::from_utf8(bytes).map_err(|_| fault("it is no UTF-8 text".to_owned()))?;
        let mut records = csv::numbered_records(text.trim_start_matches('\u{feff}')).into_iter();
        let head = records.next().map(|(_, head)| head).unwrap_or_default();
        let columns: Vec<String> = head.iter().map(|name| name.trim().to_owned()).collect();
        for (place, name) in columns.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                return Err(fault(format!("`{name}` is no column{}", nearest_hint(name, known))));
            }
            if columns.iter().take(place).any(|before| before == name) {
                return Err(fault(format!("the column `{name}` stands twice in its head")));
            }
        }
        if let Some(lacking) = needed.iter().find(|name| !columns.iter().any(|column| column == *name)) {
            return Err(fault(format!("its head lacks the column `{lacking}`")));
        }
        Ok(CsvTable { path: path.to_owned(), columns, rows: records.collect(), input })
    }

    /// What `make` makes of each row; a row that it refuses, with the reason, becomes a problem with file and line.
    pub fn parse<T>(&self, mut make: impl FnMut(&CsvRow) -> Result<T, String>) -> (Vec<T>, Vec<Problem>) {
        let (mut made, mut problems) = (Vec::new(), Vec::new());
        for (line, fields) in &self.rows {
            let row = CsvRow { columns: &self.columns, fields };
            let parsed = if fields.len() == self.columns.len() {
                make(&row)
            } else {
                Err(format!("{} fields where the head has {}", fields.len(), self.columns.len()))
            };
            match parsed {
                Ok(value) => made.push(value),
                Err(what) => problems.push(self.refused(*line, &what)),
            }
        }
        (made, problems)
    }

    fn refused(&self, line: usize, what: &str) -> Problem {
        let mut problem =
            Problem::new(Weight::Refused, format!("line {line}"), format!("{what}: this row is not used"));
        problem.file = self.path.display().to_string();
        problem
    }
}

impl CsvRow<'_> {
    /// A text that says something.
    pub fn text(&self, column: &str) -> Option<&str> {
        let place = self.columns.iter().position(|name| name == column)?;
        self.fields.get(place).map(|field| field.trim()).filter(|field| !field.is_empty())
    }

    /// A text that must say something.
    pub fn needed(&self, column: &str) -> Result<&str, String> {
        self.text(column).ok_or_else(|| format!("`{column}` is empty"))
    }

    /// A whole number that is not negative.
    pub fn count(&self, column: &str) -> Result<Option<i64>, String> {
        let parsed = self.text(column).map(|text| (text, text.parse::<i64>().ok().filter(|n| *n >= 0)));
        match parsed {
            None => Ok(None),
            Some((_, Some(n))) => Ok(Some(n)),
            Some((text, None)) => Err(format!("`{column}` is `{text}`, no whole number from 0")),
        }
    }

    /// A finite number.
    pub fn number(&self, column: &str) -> Result<Option<f64>, String> {
        let Some(text) = self.text(column) else { return Ok(None) };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| format!("`{column}` is `{text}`, no finite number"))
    }

    /// True or false.
    pub fn flag(&self, column: &str) -> Result<Option<bool>, String> {
        match self.text(column) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(text) => Err(format!("`{column}` is `{text}`, neither true nor false")),
        }
    }

    /// A day such as 2026-05-01, as UTC milliseconds.
    pub fn day(&self, column: &str) -> Result<Option<i64>, String> {
        let Some(text) = self.text(column) else { return Ok(None) };
        let day = time::iso(text).filter(|_| text.len() == 10);
        day.map(Some).ok_or_else(|| format!("`{column}` is `{text}`, no day such as 2026-05-01"))
    }
}

fn input(path: &Path, read_as: &'static str, bytes: &[u8]) -> Input {
    let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Input {
        path: path.display().to_string(),
        arm: String::new(),
        read_as: read_as.to_owned(),
        bytes: bytes.len() as u64,
        modified_ms: since.and_then(|since| i64::try_from(since.as_millis()).ok()),
        digest: blake3::hash(bytes).to_hex().to_string(),
        parts: Vec::new(),
        trajectories: Vec::new(),
    }
}
