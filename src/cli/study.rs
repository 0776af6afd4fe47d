//! `ethogram study`: logs → store → tags → pairs → report, in one go.

use super::arguments::StudyArguments;
use super::error::{CommandError, Exit};
use super::output;
use super::progress::Progress;
use crate::report::{self, Format};
use crate::steps::ingest::{Extent, ingest, refusals};
use crate::steps::study::Study;
use crate::steps::{arm_files, report as reporting};
use crate::store::Store;

/// Runs the command.
pub fn run(arguments: &StudyArguments) -> Result<Exit, CommandError> {
    let study = arguments.study()?;
    if arguments.dry_run {
        return dry_run(&study);
    }
    let progress = Progress::start();
    let done = study_in(arguments, &study, &progress);
    progress.end();
    done
}

fn study_in(arguments: &StudyArguments, study: &Study, progress: &Progress) -> Result<Exit, CommandError> {
    let store = Store::create_or_open(&arguments.out.join("store"))?;
    let (store, _) = ingest(study, &store, Extent::Whole, &|what| progress.say(what))?;
    progress.say("comparing");
    let refused = refusals(&store.manifest().contents);
    let question = reporting::question_of_study(study, &store)?;
    let study_file = match arguments.paths.as_slice() {
        [file] if file.is_file() => std::fs::read_to_string(file).ok(),
        _ => None,
    };
    let reported = reporting::prepare(store, question, study_file)?;
    progress.say("writing the report");
    let written = reporting::write(&reported, &arguments.out.join("report"), &Format::ALL)?;
    progress.end();
    if arguments.json {
        output::print(&report::summary_json(&reported.report()))?;
    } else {
        for verdict in &written.verdicts {
            output::print(&format!("{}\n", output::visible(verdict)))?;
        }
        for warning in &reported.answer.warnings {
            output::error(&format!("warning: {warning}"));
        }
        output::print(&format!("report: {}\n", written.folder.join("index.html").display()))?;
    }
    Ok(exit(&reported, refused))
}

/// 1 where something was refused, or no verdicts were found.
pub fn exit(reported: &reporting::Reported, refused: usize) -> Exit {
    let unscored: Vec<&str> =
        reported.answer.coverage.iter().filter(|arm| arm.scored == 0).map(|arm| arm.arm.as_str()).collect();
    for arm in &unscored {
        let looked = reported.inputs.arm(arm).map(|arm| arm.looked_in.join(", ")).unwrap_or_default();
        output::error(&format!(
            "no verdicts found for arm `{arm}`: looked in {looked} and beside it; see --outcomes"
        ));
    }
    if refused > 0 {
        output::error(&format!(
            "{refused} files, records or verdicts were refused; left_out.csv lists each with reason"
        ));
        for problem in reported.inputs.contents.problems.iter().filter(|p| p.weight == "refused").take(20) {
            let place =
                if problem.place.is_empty() { String::new() } else { format!(" ({})", problem.place) };
            output::error(&format!("refused: `{}`{place}: {}", problem.file, problem.what));
        }
    }
    if refused > 0 || !unscored.is_empty() { Exit::Refusals } else { Exit::Done }
}

/// What would be read as what.
fn dry_run(study: &Study) -> Result<Exit, CommandError> {
    let mut lines = String::new();
    for arm in &study.arms {
        for group in arm_files::walk(arm)? {
            for file in group.files.iter().chain(&group.parents) {
                let read_as = super::inspect::read_as(file);
                lines.push_str(&format!("{}\t{}\t{}\n", arm.name, output::visible(&file.shown), read_as));
            }
        }
    }
    output::print(&lines)?;
    Ok(Exit::Done)
}
