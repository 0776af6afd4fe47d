//! `ethogram compare`: verdict, T5, and the other tables on the terminal.

use clap::ValueEnum;

use super::arguments::CompareArguments;
use super::error::{CommandError, Exit};
use super::study_file::DEFAULT_SEED;
use super::{output, study};
use crate::measure::Factor;
use crate::report::{self, Screen};
use crate::steps::report as reporting;
use crate::store::Store;

/// A fact that parts the instances of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum CompareBy {
    /// Repository
    Repo,
    /// Programming language
    Language,
    /// Difficulty by the benchmark's own scale
    Difficulty,
    /// Success rate of the base arm
    BaseRate,
    /// Files of the gold patch, else of the base arm's patch
    PatchSize,
}

impl CompareBy {
    /// As measures know it.
    pub const fn factor(self) -> Factor {
        match self {
            CompareBy::Repo => Factor::Repo,
            CompareBy::Language => Factor::Language,
            CompareBy::Difficulty => Factor::Difficulty,
            CompareBy::BaseRate => Factor::BaseRate,
            CompareBy::PatchSize => Factor::PatchSize,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &CompareArguments) -> Result<Exit, CommandError> {
    let store = Store::open(&arguments.store)?;
    let pair = arguments.base.clone().zip(arguments.trained.clone());
    let refused = crate::steps::ingest::refusals(&store.manifest().contents);
    let mut question = reporting::question_of_store(&store, pair, arguments.seed.unwrap_or(DEFAULT_SEED))?;
    question.by = arguments.by.iter().map(|factor| factor.factor()).collect();
    let reported = reporting::prepare(store, question, None)?;
    reporting::refuse_totals(&reported)?;
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
