//! Keystrokes become calls: what a turn typed and ended with a newline is one shell input, however many batches it came in
//! (`formats-other.md` §3), so that a heredoc typed in pieces is whole again. Keys are no commands.

use crate::formats::{quality, tools};
use crate::model::{Call, CallKind, CommandSet, Operation};
use serde_json::json;

/// The tool's own name for its shell, as ATIF files of Terminus have it.
pub const SHELL: &str = "bash_command";
/// The tool's own name for its end.
pub const COMPLETE: &str = "mark_task_complete";

/// Names of keys that tmux knows, beside `C-x`, `M-x` and `F1`.
const NAMES: [&str; 18] = [
    "BSpace", "BTab", "DC", "Delete", "Down", "End", "Enter", "Escape", "Home", "IC", "Left", "NPage",
    "PageDown", "PageUp", "PPage", "Right", "Tab", "Up",
];

/// What a turn typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Typed {
    /// Lines that were ended, so that they ran.
    ran: String,
    /// What stands behind them.
    open: String,
    /// Keys.
    keys: Vec<String>,
}

/// The calls of a turn: its shell input, or the keys that it pressed, or the wait that it was; then its end.
pub fn calls<'t>(batches: impl IntoIterator<Item = &'t str>, is_complete: bool) -> Vec<Call> {
    let mut calls = Vec::new();
    let typed = typed(batches);
    if !typed.ran.trim().is_empty() {
        let mut call = Call::new(SHELL, CallKind::Shell, typed.ran.trim_end_matches('\n'));
        quality::judge(&mut call, CommandSet::Plain);
        calls.push(call);
    } else if !typed.keys.is_empty() || !typed.open.is_empty() {
        // An answer to a program that is running, or a line that was not sent off: no command.
        let mut keys = typed.keys;
        keys.extend((!typed.open.is_empty()).then_some(typed.open));
        let operation = Some(Operation::Neutral);
        calls.push(Call { operation, ..Call::new(SHELL, CallKind::Tool, keys.join(" ")) });
    } else if !is_complete {
        // Waiting: a call without input, which is no monologue.
        calls.push(Call::new(SHELL, CallKind::Tool, ""));
    }
    if is_complete {
        calls.push(tools::call(COMPLETE, &json!({})));
    }
    calls
}

fn typed<'t>(batches: impl IntoIterator<Item = &'t str>) -> Typed {
    let mut typed = Typed::default();
    for batch in batches {
        if !is_key(batch.trim()) {
            typed.open.push_str(batch);
        } else if batch.trim() == "Enter" && !typed.open.is_empty() {
            typed.open.push('\n');
        } else {
            // What stood on the line is taken back by `C-c` and `C-u`.
            if matches!(batch.trim(), "C-c" | "C-u") {
                typed.open.clear();
            }
            typed.keys.push(batch.trim().to_owned());
        }
        if let Some(end) = typed.open.rfind('\n') {
            let open = typed.open.split_off(end + 1);
            typed.ran.push_str(&typed.open);
            typed.open = open;
        }
    }
    typed
}

/// The text is the name of a key, or several.
fn is_key(text: &str) -> bool {
    let is_one = |word: &str| {
        NAMES.contains(&word)
            || ["C-", "M-", "^"]
                .iter()
                .any(|start| word.strip_prefix(start).is_some_and(|rest| rest.chars().count() == 1))
            || word.strip_prefix('F').is_some_and(|digits| {
                (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
            })
    };
    !text.is_empty() && text.split_whitespace().all(is_one)
}

#[cfg(test)]
mod tests {
    use super::calls;
    use crate::model::{CallKind, Operation};

    fn told(batches: &[&str], is_complete: bool) -> Vec<(CallKind, String, Option<Operation>)> {
        let calls = calls(batches.iter().copied(), is_complete);
        calls.into_iter().map(|call| (call.kind, call.input, call.operation)).collect()
    }

    fn shell(input: &str) -> Vec<(CallKind, String, Option<Operation>)> {
        vec![(CallKind::Shell, input.to_owned(), None)]
    }

    #[test]
    fn batches_are_one_input() {
        assert_eq!(told(&["cd src\n", "ls -la\n"], false), shell("cd src\nls -la"));
        assert_eq!(
            told(&["cat > a.py <<'EOF'\n", "x = 1\n", "EOF\n"], false),
            shell("cat > a.py <<'EOF'\nx = 1\nEOF")
        );
        // Without a newline the next batch goes on on the same line.
        assert_eq!(told(&["echo a", " b\n"], false), shell("echo a b"));
        assert_eq!(told(&["make", "Enter"], false), shell("make"));
    }

    #[test]
    fn keys_and_waits_are_no_commands() {
        assert_eq!(told(&["C-c", "ls\n"], false), shell("ls"));
        assert_eq!(told(&["ls -R", "C-c", "pwd\n"], false), shell("pwd"));
        assert_eq!(told(&["C-c\n"], false), [(CallKind::Tool, "C-c".to_owned(), Some(Operation::Neutral))]);
        assert_eq!(told(&["q"], false), [(CallKind::Tool, "q".to_owned(), Some(Operation::Neutral))]);
        assert_eq!(told(&[""], false), [(CallKind::Tool, String::new(), None)]);
        assert_eq!(told(&["\n"], false), [(CallKind::Tool, String::new(), None)]);
        assert_eq!(told(&[], false), [(CallKind::Tool, String::new(), None)]);
    }

    #[test]
    fn the_end_is_a_call_of_its_own() {
        let inputs: Vec<String> = told(&["ls\n"], true).into_iter().map(|(_, input, _)| input).collect();
        assert_eq!(inputs, ["ls", "{}"]);
        assert_eq!(told(&[], true), [(CallKind::Tool, "{}".to_owned(), Some(Operation::Submit))]);
    }
}
