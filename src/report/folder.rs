//! The report folder (`interface.md`): which files it holds and how they come there. Files that an earlier report left and
//! that this one does not write are removed, by the list in its `study.json`; nothing else in the folder is touched.
//! Equal inputs give equal bytes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::escape::{file_name, visible};
use super::{Report, csv, json, latex, markdown, page, report_md, verdicts};
use crate::charts::{self, Style, Svg};
use crate::store::{Frame, FrameRow};

/// 300 dots an inch at print size.
const PNG_SCALE: f32 = 3.125;

/// A format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Format {
    Html,
    Md,
    Csv,
    Json,
    Svg,
    Png,
    Tex,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] =
        [Format::Html, Format::Md, Format::Csv, Format::Json, Format::Svg, Format::Png, Format::Tex];

    /// The word of the option, which is the extension too.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Md => "md",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Svg => "svg",
            Format::Png => "png",
            Format::Tex => "tex",
        }
    }
}

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The disk refused.
    #[error("cannot write `{path}`: {source}; is there space, and may the folder be written?")]
    Write {
        /// File or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The folder.
    pub folder: PathBuf,
    /// Files below it, sorted.
    pub files: Vec<String>,
    /// Verdict sentences.
    pub verdicts: Vec<String>,
}

/// Writes a report into a folder.
///
/// # Errors
/// The disk refuses.
pub fn write(report: &Report, folder: &Path, formats: &[Format]) -> Result<Written, ReportError> {
    let mut files = Files { folder, names: BTreeSet::new() };
    let drawings = drawings(report);
    tables(report, &mut files, formats)?;
    pictures(&drawings, &mut files, formats)?;
    let has = |format| formats.contains(&format);
    if has(Format::Html) {
        files.put("index.html", page(report, &drawings).as_bytes())?;
    }
    if has(Format::Md) {
        let charts = links(&files, &drawings);
        files.put("report.md", report_md::report(report, &charts).as_bytes())?;
    }
    files.put("pairs.csv", csv::frame(&report.inputs.instance_pairs).as_bytes())?;
    files.put("left_out.csv", left_out(report).as_bytes())?;
    let names = settle(folder, files.names, formats)?;
    let mut files = Files { folder, names: BTreeSet::new() };
    files.put("study.json", json::study(report, &names).as_bytes())?;
    let verdicts = verdicts(report.question, report.answer).iter().map(super::Verdict::text).collect();
    Ok(Written { folder: folder.to_owned(), files: names, verdicts })
}

/// A chart with the stem of its files.
pub struct Drawing {
    /// Stem, safe as a file name and as an anchor.
    pub stem: String,
    /// What it shows.
    pub about: &'static str,
    /// The drawing.
    pub svg: Svg,
}

/// Every series drawn once.
pub fn drawings(report: &Report) -> Vec<Drawing> {
    let mut stems = Stems::default();
    let draw = |(stem, series): &(String, _)| {
        let (chart, svg) = charts::draw(series, &Style::default());
        Drawing { stem: stems.unique(stem), about: chart.about, svg }
    };
    report.answer.series.iter().map(draw).collect()
}

/// Stems of files, each once whatever the case of its letters: some file systems do not tell them apart.
#[derive(Default)]
struct Stems(BTreeSet<String>);

impl Stems {
    fn unique(&mut self, id: &str) -> String {
        let stem = file_name(id);
        let numbered = (2..).map(|n| format!("{stem}-{n}"));
        let free =
            std::iter::once(stem.clone()).chain(numbered).find(|name| self.0.insert(name.to_lowercase()));
        free.unwrap_or(stem)
    }
}

fn tables(report: &Report, files: &mut Files, formats: &[Format]) -> Result<(), ReportError> {
    let mut stems = Stems::default();
    for table in report.tables() {
        let stem = stems.unique(&table.id);
        for format in formats {
            let text = match format {
                Format::Md => markdown::table(table, 1),
                Format::Csv => csv::table(table),
                Format::Json => json::table(table),
                Format::Tex => latex::table(table),
                Format::Html | Format::Svg | Format::Png => continue,
            };
            files.put(&format!("tables/{stem}.{}", format.as_str()), text.as_bytes())?;
        }
    }
    if formats.contains(&Format::Tex) {
        files.put("tables/numbers.tex", latex::numbers(&report.tables()).as_bytes())?;
    }
    Ok(())
}

fn pictures(drawings: &[Drawing], files: &mut Files, formats: &[Format]) -> Result<(), ReportError> {
    let mut memory = Vec::new();
    for Drawing { stem, svg, .. } in drawings {
        if formats.contains(&Format::Svg) {
            files.put(&format!("charts/{stem}.svg"), svg.standalone().as_bytes())?;
        }
        if formats.contains(&Format::Png) {
            files.put(&format!("charts/{stem}.png"), &svg.png(PNG_SCALE, &mut memory))?;
        }
    }
    Ok(())
}

/// The picture of each chart that was written, SVG before PNG.
fn links(files: &Files, drawings: &[Drawing]) -> Vec<String> {
    let written = |drawing: &Drawing| {
        let names = ["svg", "png"].map(|kind| format!("charts/{}.{kind}", drawing.stem));
        names.into_iter().find(|name| files.names.contains(name))
    };
    drawings.iter().filter_map(written).collect()
}

/// Everything that was refused, repaired, noted, unclaimed or superseded.
fn left_out(report: &Report) -> String {
    let mut out = String::new();
    let mut record = |cells: [&str; 6]| {
        // A list to be read by people: names of files must not reorder or hide what stands beside them.
        let cells = cells.map(|cell| csv::guarded(&visible(cell)).into_owned());
        csv::line(&mut out, cells.into_iter().map(Cow::Owned));
    };
    record(["weight", "arm", "file", "place", "what", "n"]);
    for problem in &report.inputs.contents.problems {
        record([&problem.weight, &problem.arm, &problem.file, &problem.place, &problem.what, "1"]);
    }
    for unclaimed in &report.inputs.unclaimed {
        let what = match unclaimed.extension.as_str() {
            "" => "no format claims files without an extension".to_owned(),
            extension => format!("no format claims files that end in .{extension}"),
        };
        record(["note", &unclaimed.arm, "", "", &what, &unclaimed.files.to_string()]);
    }
    for (arm, benchmark, part, n) in not_live(&report.inputs.trajectories) {
        let what = format!("{part} on {benchmark}: the trajectory is no run of its own");
        record(["note", arm, "", "", &what, &n.to_string()]);
    }
    out
}

/// Rows of `left_out.sql` that are no runs: superseded copies and sub-agents. The frame is information only: a row that
/// lacks a column is passed over.
fn not_live(frame: &Frame) -> Vec<(&str, &str, &str, i64)> {
    frame.iter().filter_map(part).filter(|(_, _, part, _)| *part != "live").collect()
}

fn part(row: FrameRow<'_>) -> Option<(&str, &str, &str, i64)> {
    let text = |column| row.text(column).ok();
    Some((text("arm")?, text("benchmark")?, text("part")?, row.int("n").ok()?))
}

/// Files of a report as they are written.
struct Files<'a> {
    folder: &'a Path,
    names: BTreeSet<String>,
}

impl Files<'_> {
    /// Writes beside the file and renames, so that a file of its name is always whole.
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        let path = self.folder.join(name);
        let failed = |source| ReportError::Write { path: path.clone(), source };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut beside = path.clone().into_os_string();
        beside.push(".part");
        fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &path)).map_err(failed)?;
        self.names.insert(name.to_owned());
        Ok(())
    }
}

/// Removes what an earlier report wrote in these formats and this one does not, and gives the names of all that is
/// the report's now.
fn settle(
    folder: &Path,
    mut names: BTreeSet<String>,
    formats: &[Format],
) -> Result<Vec<String>, ReportError> {
    for old in earlier(folder) {
        let path = folder.join(&old);
        if names.contains(&old) || !is_below(&old) || !path.is_file() {
            continue;
        }
        if formats.iter().any(|format| old.ends_with(&format!(".{}", format.as_str()))) {
            fs::remove_file(&path).map_err(|source| ReportError::Write { path, source })?;
        } else {
            names.insert(old);
        }
    }
    names.insert("study.json".to_owned());
    Ok(names.into_iter().collect())
}

/// The files that the report in this folder listed; a list that cannot be read names none.
fn earlier(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("study.json")).unwrap_or_default();
    let study: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let files = study.get("files").and_then(serde_json::Value::as_array);
    files.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

/// A path that stays below the folder, whoever wrote the list.
fn is_below(name: &str) -> bool {
    Path::new(name).components().all(|component| matches!(component, Component::Normal(_)))
}
