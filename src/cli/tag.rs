//! `ethogram tag`: the rules over a store; nothing is done where their versions stand in it.

use super::arguments::TagArguments;
use super::error::{CommandError, Exit};
use super::output;
use super::progress::Progress;
use crate::steps::{tag, with_threads};
use crate::store::Store;

/// Runs the command.
pub fn run(arguments: &TagArguments) -> Result<Exit, CommandError> {
    let store = Store::open(&arguments.store)?;
    let progress = Progress::start();
    progress.say("tagging");
    let done = with_threads(arguments.threads, || tag::tag(&store, arguments.again));
    progress.end();
    let (_, tagged) = done?;
    let what = if tagged == 0 {
        "the rules of this version have tagged this store already; --again tags it anew\n".to_owned()
    } else {
        format!("{tagged} trajectories tagged\n")
    };
    output::print(&what)?;
    Ok(Exit::Done)
}
