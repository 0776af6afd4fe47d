//! `ethogram tag`: the rules over a store; nothing is done where their versions stand in it.

use super::arguments::TagArguments;
use super::error::{CommandError, Exit};
use super::output;
use super::progress::Progress;
use super::rules_file;
use crate::steps::{tag, with_threads};
use crate::store::Store;

/// Runs the command.
pub fn run(arguments: &TagArguments) -> Result<Exit, CommandError> {
    let rules = rules_file::read(&arguments.rules)?;
    let store = Store::open(&arguments.store)?;
    let progress = Progress::start();
    progress.say("tagging");
    let done = with_threads(arguments.threads, || tag::tag(&store, &rules, arguments.again));
    progress.end();
    let done = done?;
    let what = match (done.trajectories, done.changed.as_slice()) {
        (0, []) => {
            "the rules of this version have tagged this store already; --again tags it anew\n".to_owned()
        }
        (tagged, []) => format!("{tagged} trajectories tagged\n"),
        (tagged, changed) => {
            format!(
                "{tagged} trajectories tagged; rules that came, changed or went: {}\n",
                changed.join(", ")
            )
        }
    };
    output::print(&what)?;
    Ok(Exit::Done)
}
