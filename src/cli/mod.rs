//! Commands: what a user types becomes library calls, and what comes back is printed. One file a command, thin. The
//! only layer that reads the environment, prints, and knows exit codes.

pub mod arguments;
mod bare_study;
mod catalogue;
mod compare;
mod convert;
mod error;
mod ingest;
mod init;
mod inspect;
mod labels;
mod output;
mod progress;
mod query;
mod report;
mod rules_file;
mod show;
mod study;
mod study_file;
mod tag;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;

pub use catalogue::pages;
pub use error::{CommandError, Exit};

/// Parses the arguments, runs the command, prints what stopped it.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; clap prints them where they belong.
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let _ = error.print();
            return ExitCode::from(code.code());
        }
    };
    match dispatch(&arguments.command) {
        Ok(exit) => ExitCode::from(exit.code()),
        // The reader of our pipe has gone; nothing is wrong.
        Err(CommandError::Output { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            output::error(&format!("ethogram: {error}"));
            ExitCode::from(error.exit().code())
        }
    }
}

fn dispatch(command: &Command) -> Result<Exit, CommandError> {
    match command {
        Command::Study(arguments) => study::run(arguments),
        Command::Init(arguments) => init::run(arguments),
        Command::Ingest(arguments) => ingest::run(arguments),
        Command::Tag(arguments) => tag::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Query(arguments) => query::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Labels(arguments) => labels::run(arguments),
        Command::List(arguments) => catalogue::list(arguments),
        Command::Explain(arguments) => catalogue::explain(arguments),
    }
}
