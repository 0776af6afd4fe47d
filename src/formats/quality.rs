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

/// Answers by which tools, and what runs them, refuse a call for its form: how the answer begins, what its first line says
/// further, and the reason. What they say of the workspace (no such file, no match) is no fault of the form.
const REFUSALS: &[(&str, &str, &str)] = &[
    // Editors and shells of Anthropic, OpenHands and their kin.
    ("Cannot execute multiple commands at once", "", SEVERAL_ACTIONS),
    ("Parameter `", " is required for command", MISSING_ARGUMENT),
    ("Unrecognized command", "", ARGUMENTS),
    ("Error validating ", "", ARGUMENTS),
    // Claude Code, and logs that were converted from its sessions.
    ("InputValidationError", "is missing", MISSING_ARGUMENT),
    ("InputValidationError", "", ARGUMENTS),
    ("No such tool available", "", UNKNOWN_TOOL),
    // Codex.
    ("failed to parse function arguments", "", ARGUMENTS),
    ("unsupported call: ", "", UNKNOWN_TOOL),
    // Gemini CLI.
    ("Invalid parameters provided. Reason: ", "must have required property", MISSING_ARGUMENT),
    ("Invalid parameters provided. Reason: ", "", ARGUMENTS),
    ("Tool \"", "\" not found", UNKNOWN_TOOL),
    // pi.
    ("Validation failed for tool ", "", ARGUMENTS),
    // OpenCode.
    (
        "The arguments provided to the tool are invalid: Model tried to call unavailable tool",
        "",
        UNKNOWN_TOOL,
    ),
    ("The arguments provided to the tool are invalid", "", ARGUMENTS),
    ("The ", " tool was called with invalid arguments", ARGUMENTS),
    ("Model tried to call unavailable tool", "", UNKNOWN_TOOL),
    // Cline.
    ("Missing value for required parameter", "", MISSING_ARGUMENT),
    // Servers of the Model Context Protocol, goose, agents that are built on LangChain, τ².
    ("failed to deserialize parameters: missing field", "", MISSING_ARGUMENT),
    ("failed to deserialize parameters", "", ARGUMENTS),
    ("Input validation error: ", "is a required property", MISSING_ARGUMENT),
    ("Input validation error: ", "", ARGUMENTS),
    ("Tool '", "' not found", UNKNOWN_TOOL),
    ("Unknown tool: ", "", UNKNOWN_TOOL),
    ("", " is not a valid tool, try one of [", UNKNOWN_TOOL),
    // A function of Python that was called with what it does not take.
    ("", "() missing 1 required positional argument: ", MISSING_ARGUMENT),
    ("", "() got an unexpected keyword argument ", ARGUMENTS),
];

/// What stands before such an answer.
const LEADS: &[&str] = &["<tool_use_error>", "ERROR:", "Error:", "MCP error -32602:", "-32602:"];

/// Longest first line of such an answer: what is longer is a result that holds the words.
const LONGEST: usize = 400;

/// Lowers to L1 the calls of a run whose answer says what is wrong with their form, in whatever format the run is logged.
pub fn judge_tools(run: &mut Trajectory) {
    for call in run.turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        if call.quality == Quality::Valid
            && call.is_error != Some(false)
            && let Some(reason) = refusal(call)
        {
            call.quality = Quality::Parsable;
            call.quality_reason = Some(reason);
        }
    }
}

fn refusal(call: &Call) -> Option<&'static str> {
    let mut answer = call.observation.as_deref()?.trim_start();
    while let Some(rest) = LEADS.iter().find_map(|lead| answer.strip_prefix(lead)) {
        answer = rest.trim_start();
    }
    let first = answer.lines().next().unwrap_or_default();
    // The arguments that were refused may stand behind the words.
    let first = first.get(..first.floor_char_boundary(LONGEST)).unwrap_or_default();
    let says = |(begins, further, _): &&(&str, &str, &str)| {
        first.strip_prefix(*begins).is_some_and(|rest| rest.contains(further))
    };
    let (_, _, reason) = REFUSALS.iter().find(says)?;
    // What a program prints says nothing of the call: a line of shell is refused where the scaffold says so too.
    let is_of_tool = call.kind == CallKind::Tool || call.is_error == Some(true) && call.exit_code.is_none();
    (is_of_tool || *reason == SEVERAL_ACTIONS).then_some(*reason)
}

#[cfg(test)]
mod tests {
    use super::refusal;
    use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, SEVERAL_ACTIONS, UNKNOWN_TOOL};
    use crate::model::{Call, CallKind};

    #[test]
    fn refusals_of_the_form_are_told_from_those_of_a_state() {
        let of = |kind, answer: &str| {
            refusal(&Call { observation: Some(answer.to_owned()), ..Call::new("t", kind, "{}") })
        };
        for (answer, reason) in [
            ("ERROR:\nParameter `old_str` is required for command: str_replace.", Some(MISSING_ARGUMENT)),
            ("Unrecognized command veiw. The allowed commands are: view", Some(ARGUMENTS)),
            ("<tool_use_error>Error: No such tool available: Nope</tool_use_error>", Some(UNKNOWN_TOOL)),
            ("<tool_use_error>InputValidationError: Edit failed\nmore</tool_use_error>", Some(ARGUMENTS)),
            (
                "Error: Invalid parameters provided. Reason: params must have required property 'path'",
                Some(MISSING_ARGUMENT),
            ),
            ("Tool \"read\" not found. Did you mean one of: \"read_file\"?", Some(UNKNOWN_TOOL)),
            ("Validation failed for tool \"read\":\n  - path: must be string", Some(ARGUMENTS)),
            ("The write tool was called with invalid arguments: [", Some(ARGUMENTS)),
            ("MCP error -32602: Tool 'x' not found", Some(UNKNOWN_TOOL)),
            ("Error: f is not a valid tool, try one of [g].", Some(UNKNOWN_TOOL)),
            ("Error: book() missing 1 required positional argument: 'day'", Some(MISSING_ARGUMENT)),
            ("The path /x does not exist. Please provide a valid path.", None),
            ("Error: payment method not found", None),
            ("ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in /a.", None),
            ("     1\tUnknown tool: x", None),
            ("", None),
        ] {
            assert_eq!(of(CallKind::Tool, answer), reason, "{answer}");
        }
        assert_eq!(of(CallKind::Shell, "Unknown tool: x"), None);
        let several = "ERROR: Cannot execute multiple commands at once.\nPlease run each separately";
        assert_eq!(of(CallKind::Shell, several), Some(SEVERAL_ACTIONS));
    }
}
