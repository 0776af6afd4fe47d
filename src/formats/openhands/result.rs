//! What came back from a call, in both generations: text, exit code, the scaffold's own word, whether a time limit spoke.

use crate::formats::json::lenient::{at, text, whole};
use crate::formats::{observation, quality};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Operation};
use serde_json::Value;
use std::borrow::Cow;

/// Words by which a shell's answer says that it did not wait for the end.
const NOT_ENDED: [&str; 2] = ["[The command timed out after", "[The command has no new output after"];

/// How the scaffold marks what it left out.
const CUT: [&str; 4] = [
    "[... Observation truncated due to length ...]",
    "<response clipped>",
    "<response clipped><NOTE>",
    "[... tool output truncated ...]",
];

/// Sets what came back, and judges the form of the call by it.
pub fn set(call: &mut Call, text: Cow<'_, str>, metadata: Option<&Value>) {
    let state = if CUT.iter().any(|words| text.contains(words)) {
        ObservationState::Cut
    } else {
        ObservationState::Full
    };
    let suffix =
        metadata.and_then(|metadata| metadata.get("suffix")).and_then(Value::as_str).unwrap_or_default();
    call.timed_out = NOT_ENDED.iter().any(|words| suffix.contains(words) || tail(&text).contains(words));
    observation::set(call, text, state);
    if call.kind == CallKind::Shell {
        quality::judge(call, CommandSet::Plain);
    }
}

/// What a shell prints last.
fn tail(text: &str) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(600))..).unwrap_or_default()
}

/// The answer of a cell of Python: the line about its folder goes, and functions for files say whether they did it.
pub fn set_cell(call: &mut Call, text: &str) {
    let (body, _) = without_lines(text);
    let first = body.trim_start().lines().next().unwrap_or_default();
    let failed = ["ERROR", "[Your proposed edit has introduced", "[No exact match found", "Traceback "];
    if call.operation.is_some() {
        call.is_error = match () {
            () if failed.iter().any(|words| first.starts_with(words)) => Some(true),
            () if body.contains("[File updated (edited at line")
                || body.trim_end().ends_with(" created.]") =>
            {
                Some(false)
            }
            () => None,
        };
    }
    set(call, Cow::Borrowed(body), None);
}

/// The file that an answer shows, which is open from then on: `[File: /w/a.py (12 lines total)]`.
pub fn shown_file(text: &str) -> Option<&str> {
    let (file, _) = text.trim_start().strip_prefix("[File: ")?.lines().next()?.rsplit_once(" (")?;
    Some(file)
}

/// The exit code of an answer; −1 is that of a command that runs on.
pub fn exit_code(value: &Value) -> Option<i64> {
    let code = at(value, &["metadata", "exit_code"])
        .and_then(Value::as_i64)
        .or_else(|| whole(value, "exit_code"))?;
    (code != -1).then_some(code)
}

/// The folder in which the shell stands afterwards.
pub fn working_dir(value: &Value) -> Option<&str> {
    text(value.get("metadata")?, "working_dir").filter(|folder| !folder.is_empty())
}

/// An empty line only looks at what a running process prints: no command of the shell.
pub fn see_input(call: &mut Call) {
    if call.kind == CallKind::Shell && call.input.trim().is_empty() {
        call.kind = CallKind::Tool;
        call.operation = Some(Operation::Neutral);
    }
}

/// Takes what the model was shown apart, as logs of completions hold it: the lines that the shell's tool adds at the end go,
/// and the exit code among them is kept.
pub fn refine(call: &mut Call) {
    see_input(call);
    let Some(text) = call.observation.take() else { return };
    let (body, code) = without_lines(&text);
    call.exit_code = call.exit_code.or(code);
    if text.starts_with("ERROR:") || text.starts_with("Error validating") {
        call.is_error = Some(true);
    }
    set(call, Cow::Borrowed(body), None);
    call.timed_out |= NOT_ENDED.iter().any(|words| tail(&text).contains(words));
}

/// Lines that end an answer of the shell, and the exit code that one of them names.
fn without_lines(text: &str) -> (&str, Option<i64>) {
    const LINES: [&str; 5] = [
        "[The command completed with exit code ",
        "[Command finished with exit code ",
        "[Current working directory: ",
        "[Python interpreter: ",
        "[Jupyter current working directory: ",
    ];
    let (mut body, mut code) = (text, None);
    loop {
        let trimmed = body.trim_end_matches(['\n', '\r']);
        let (before, line) = trimmed.rsplit_once('\n').unwrap_or(("", trimmed));
        let Some(rest) = LINES.iter().find_map(|words| Some((words, line.strip_prefix(words)?))) else {
            return (body, code);
        };
        let (words, rest) = rest;
        if words.contains("exit code") {
            code = rest.trim_end_matches([']', '.']).parse().ok().filter(|code| *code != -1).or(code);
        }
        body = before;
        if before.is_empty() {
            return (body, code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_lines;

    #[test]
    fn what_the_shell_adds_goes() {
        let text = "a.py\nb.py\n[The command completed with exit code 3.]\n[Current working directory: /w]\n[Command finished with exit code 3]";
        assert_eq!(without_lines(text), ("a.py\nb.py", Some(3)));
        assert_eq!(without_lines("[The command completed with exit code 0.]"), ("", Some(0)));
        assert_eq!(without_lines("plain\n"), ("plain\n", None));
    }
}
