//! L1 of shell calls: the tool rejected the form of an action that was taken out of the response (`definitions.md` §2). A
//! refusal for a state (no such file, no file open) is valid; what a plain program thinks of its arguments is its result.

use crate::model::quality_reason::{
    ARGUMENTS, MISSING_ARGUMENT, PROSE, SEVERAL_ACTIONS, UNKNOWN_TOOL, USAGE,
};
use crate::model::{Call, CallKind, CommandSet, Quality, Trajectory};
use crate::shell::looks_like_prose;

/// Lowers the quality of a shell call whose observation, or whose text, shows that its form was wrong.
pub fn judge(call: &mut Call, commands: CommandSet) {
    let observation = call.observation.as_deref().unwrap_or_default().trim_start();
    let reason = if rejects_form(observation, commands.is_scaffold_command(&call.input)) {
        Some(USAGE)
    } else if misses_tool(observation, &call.input, commands) {
        Some(UNKNOWN_TOOL)
    } else {
        looks_like_prose(&call.input).then_some(PROSE)
    };
    if let Some(reason) = reason {
        call.quality = Quality::Parsable;
        call.quality_reason = Some(reason);
    }
}

/// Judges all shell calls of a run with a plain shell that nothing has judged yet.
pub fn judge_shell_calls(run: &mut Trajectory) {
    for call in run.turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        if call.kind == CallKind::Shell && call.quality == Quality::Valid {
            judge(call, CommandSet::Plain);
        }
    }
}

/// The scaffold's own command answers with its usage, and names no state of the workspace as the cause.
fn rejects_form(observation: &str, is_scaffold_command: bool) -> bool {
    if !is_scaffold_command {
        return false;
    }
    let mut lines = observation.lines();
    let first = lines.next().unwrap_or_default();
    if first.starts_with("Unrecognized command")
        || first.starts_with("Parameter `")
        || first.starts_with("Invalid number of arguments")
    {
        return true;
    }
    // `Usage: search_file …` is printed for a file that is not there, too, with the cause below it.
    let states = ["not found", "No file open", "does not exist", "already exists"];
    let usage = first.starts_with("Usage: ") || first.starts_with("usage: ");
    usage && !lines.take(8).any(|line| states.iter().any(|state| line.contains(state)))
}

/// The shell knows no such program, though the scaffold calls it its own.
fn misses_tool(observation: &str, input: &str, commands: CommandSet) -> bool {
    let tool = commands.tool(input);
    commands.is_scaffold_command(input)
        && observation
            .lines()
            .next()
            .is_some_and(|line| line.ends_with(&format!("{tool}: command not found")))
}

/// L1 of a call of an editor or a shell tool that answers with what is wrong with its form. Tools that run without a shell
/// around them say it in these words; what they say of the workspace (no such file, no match) is no fault of the form.
pub fn judge_tool(call: &mut Call) {
    let answer = call.observation.as_deref().unwrap_or_default().trim_start();
    let answer = answer.strip_prefix("ERROR:").unwrap_or(answer).trim_start();
    let first = answer.lines().next().unwrap_or_default();
    let is_tool = call.kind == CallKind::Tool;
    let reason = if first.starts_with("Cannot execute multiple commands at once") {
        SEVERAL_ACTIONS
    } else if is_tool && first.starts_with("Parameter `") && first.contains(" is required for command") {
        MISSING_ARGUMENT
    } else if is_tool && (first.starts_with("Unrecognized command") || first.starts_with("Error validating "))
    {
        ARGUMENTS
    } else if call.is_error == Some(true) && first.starts_with("Tool '") && first.contains("' not found") {
        UNKNOWN_TOOL
    } else {
        return;
    };
    call.quality = Quality::Parsable;
    call.quality_reason = Some(reason);
}
