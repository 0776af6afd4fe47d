//! The help of every command, as clap prints it.

use clap::CommandFactory;

use super::entry::GENERATED;
use super::markdown::{fenced, paragraph};
use crate::cli::arguments::Arguments;
use crate::cli::error::Exit;

/// `docs/cli.md`.
pub fn page() -> String {
    let mut root = Arguments::command();
    root.build();
    let codes: String = [
        (Exit::Done, "done; repaired records, dropped byte-equal copies and unpaired instances are reported, not errors"),
        (Exit::Refusals, "done, but a file, record or verdict was refused, or no verdicts were found"),
        (Exit::Usage, "usage, or another process writes this store"),
        (Exit::Nothing, "nothing could be done: no log or outcome, an arm without any, two scored runs under one key"),
    ]
    .map(|(exit, meaning)| format!("| {} | {meaning} |\n", exit.code()))
    .concat();
    let mut text = format!("# Commands\n\n{GENERATED}\n\n{}", fenced("text", &help(&mut root)));
    text.push_str(&format!("\n## Exit codes\n\n| code | means |\n|---|---|\n{codes}\n"));
    text.push_str(&paragraph(
        "Errors name the file, the place and what to do. A broken log never stops the others. Colours are off under `NO_COLOR` \
         and in a pipe, progress is silent in a pipe.",
    ));
    let names: Vec<String> = root.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names.iter().filter(|name| *name != "help") {
        if let Some(command) = root.find_subcommand_mut(name) {
            text.push_str(&format!("\n## {name}\n\n{}", fenced("text", &help(command))));
        }
    }
    text
}

/// Blanks at the ends of lines go, so that editors do not change the page.
fn help(command: &mut clap::Command) -> String {
    let text = command.render_long_help().to_string();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
