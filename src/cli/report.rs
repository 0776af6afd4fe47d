//! `ethogram report`: the report of a store, or single tables of it.

use std::path::PathBuf;

use super::arguments::{ReportArguments, ReportFormat};
use super::error::{CommandError, Exit};
use super::study_file::DEFAULT_SEED;
use super::{compare, output, study};
use crate::model::nearest::nearest_hint;
use crate::report::{self, Format};
use crate::steps::report::{self as reporting, Reported};
use crate::store::{Sql, Store};

/// The wide table of runs, which is no table of measures.
const RUNS: &str = "runs";

/// Tables of paired tests, which totals cannot give.
const PAIRED: [&str; 1] = ["T5"];

/// Runs the command.
pub fn run(arguments: &ReportArguments) -> Result<Exit, CommandError> {
    let store = Store::open(&arguments.store)?;
    if arguments.names.iter().any(|name| name == RUNS) {
        return runs(arguments, &store);
    }
    let pair = arguments.base.clone().zip(arguments.trained.clone());
    let refused = crate::steps::ingest::refusals(&store.manifest().contents);
    let question = reporting::question_of_store(&store, pair, arguments.seed.unwrap_or(DEFAULT_SEED))?;
    let reported = reporting::prepare(store, question, None)?;
    if !arguments.names.is_empty() {
        return tables(arguments, &reported);
    }
    let formats: Vec<Format> = arguments.format.iter().filter_map(|format| of_report(*format)).collect();
    let formats = if formats.is_empty() { Format::ALL.to_vec() } else { formats };
    let written = reporting::write(&reported, &folder(arguments), &formats)?;
    output::print(&format!("report: {}\n", written.folder.display()))?;
    Ok(study::exit(&reported, refused))
}

fn folder(arguments: &ReportArguments) -> PathBuf {
    arguments.out.clone().unwrap_or_else(|| arguments.store.with_file_name("report"))
}

fn of_report(format: ReportFormat) -> Option<Format> {
    match format {
        ReportFormat::Html => Some(Format::Html),
        ReportFormat::Md => Some(Format::Md),
        ReportFormat::Csv => Some(Format::Csv),
        ReportFormat::Json => Some(Format::Json),
        ReportFormat::Svg => Some(Format::Svg),
        ReportFormat::Png => Some(Format::Png),
        ReportFormat::Tex => Some(Format::Tex),
        ReportFormat::Parquet => None,
    }
}

/// Single tables on standard output.
fn tables(arguments: &ReportArguments, reported: &Reported) -> Result<Exit, CommandError> {
    let is_text = |format: &ReportFormat| {
        matches!(format, ReportFormat::Csv | ReportFormat::Json | ReportFormat::Md | ReportFormat::Tex)
    };
    if arguments.format.len() > 1 || !arguments.format.iter().all(is_text) {
        return Err(CommandError::Usage(
            "a single table is printed in one of md, csv, json, tex; name no table to write the report in all formats"
                .to_owned(),
        ));
    }
    let tables = reported.report().tables();
    for name in &arguments.names {
        let mut found = tables.iter().filter(|table| table.code == *name || table.id == *name).peekable();
        if found.peek().is_none() {
            if PAIRED.contains(&name.as_str()) {
                reporting::refuse_totals(reported)?;
            }
            let codes: Vec<&str> = tables.iter().map(|table| table.code.as_str()).collect();
            let hint = nearest_hint(name, &codes);
            return Err(CommandError::Usage(format!("this store gives no table `{name}`{hint}")));
        }
        for table in found {
            let text = match arguments.format.first() {
                Some(ReportFormat::Csv) => report::table_csv(table),
                Some(ReportFormat::Json) => report::table_json(table),
                Some(ReportFormat::Md) => report::table_markdown(table, 1),
                Some(ReportFormat::Tex) => report::table_latex(table),
                _ => report::table_text(table, compare::screen()),
            };
            output::print(&text)?;
        }
    }
    Ok(Exit::Done)
}

fn runs(arguments: &ReportArguments, store: &Store) -> Result<Exit, CommandError> {
    let frame = Sql::open(store)?.query(RUNS)?;
    match arguments.format.first() {
        Some(ReportFormat::Parquet) => {
            let path = folder(arguments).join("runs.parquet");
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(|source| CommandError::Output {
                    what: format!("`{}`", parent.display()),
                    source,
                })?;
            }
            frame.write_parquet(&path)?;
            output::print(&format!("runs: {}\n", path.display()))?;
        }
        Some(ReportFormat::Json) => output::print(&super::query::json(&frame))?,
        Some(ReportFormat::Csv) => output::print(&report::frame_csv(&frame))?,
        _ => output::print(&report::frame_text(&frame, compare::screen()))?,
    }
    Ok(Exit::Done)
}
