//! `ethogram compare`: verdict, T5, and the other tables on the terminal.

use super::arguments::CompareArguments;
use super::error::{CommandError, Exit};
use super::study_file::DEFAULT_SEED;
use super::{output, study};
use crate::report::{self, Screen};
use crate::steps::report as reporting;
use crate::store::Store;

/// Runs the command.
pub fn run(arguments: &CompareArguments) -> Result<Exit, CommandError> {
    let store = Store::open(&arguments.store)?;
    let pair = arguments.base.clone().zip(arguments.trained.clone());
    let refused = crate::steps::ingest::refusals(&store.manifest().contents);
    let question = reporting::question_of_store(&store, pair, arguments.seed.unwrap_or(DEFAULT_SEED))?;
    let reported = reporting::prepare(store, question, None)?;
    let report = reported.report();
    let text = if arguments.json {
        report::summary_json(&report)
    } else if output::is_terminal() {
        report::compare(&report, screen())
    } else {
        report::compare_piped(&report)
    };
    output::print(&text)?;
    Ok(study::exit(&reported, refused))
}

/// The terminal as it is.
pub fn screen() -> Screen {
    Screen { width: output::width(), colour: output::is_coloured(), ascii: false }
}
