//! Chats of SWE-agent whose responses end in a fenced block, which is the action; the prompt that answers holds what came back
//! and ends with the state of the shell.

use crate::formats::{observation, quality};
use crate::model::quality_reason::NO_ACTION;
use crate::model::{Call, CallKind, CommandSet, ObservationState, Quality, Trajectory, Turn};
use std::borrow::Cow;

/// Openings of the texts by which SWE-agent says that it ended a run; no response stands behind them.
const MADE_UP: [&str; 3] = ["Exit due to", "Exiting due to", "Exited"];

/// A text that SWE-agent makes up as the last response.
pub fn is_made_up(text: &str) -> bool {
    MADE_UP.iter().any(|words| text.trim_start().starts_with(words))
}

/// Where the shell stands.
#[derive(Default)]
pub struct Shell {
    cwd: Option<String>,
    open_file: Option<String>,
}

impl Shell {
    /// Adds a response.
    pub fn respond(&self, run: &mut Trajectory, text: &str) {
        let mut turn = Turn::new(text);
        match last_block(text) {
            Some(action) => {
                let mut call = Call::new(CommandSet::SweAgent.tool(action), CallKind::Shell, action);
                call.cwd.clone_from(&self.cwd);
                call.open_file.clone_from(&self.open_file);
                turn.calls.push(call);
            }
            None => {
                turn.accepted = false;
                turn.quality_without_call = Quality::Unparsable;
                turn.quality_reason = Some(NO_ACTION);
            }
        }
        run.turns.push(turn);
    }

    /// Takes a prompt: the task, or what came back from the last response.
    pub fn prompt(&mut self, run: &mut Trajectory, text: &str) {
        let body = self.follow(text);
        let Some(turn) = run.turns.last_mut() else {
            run.task.get_or_insert_with(|| text.to_owned());
            return;
        };
        let Some(call) = turn.calls.last_mut().filter(|call| call.observation.is_none()) else { return };
        see(call, body);
    }

    /// Takes the lines that name open file and folder off the end of a prompt, and keeps what they say.
    fn follow<'t>(&mut self, text: &'t str) -> &'t str {
        let end = text.trim_end();
        let end = end.strip_suffix("bash-$").unwrap_or(end).trim_end();
        let Some((rest, folder)) = state(end, "(Current directory: ") else { return text };
        self.cwd = Some(folder.to_owned());
        let Some((rest, file)) = state(rest, "(Open file: ") else { return rest };
        self.open_file = Some(file).filter(|file| *file != "n/a").map(str::to_owned);
        rest
    }
}

/// The text before a last line `(NAME: VALUE)`, and the value.
fn state<'t>(text: &'t str, opening: &str) -> Option<(&'t str, &'t str)> {
    let place = text.rfind(opening)?;
    let value = text.get(place + opening.len()..)?.strip_suffix(')')?;
    let is_line = !value.contains('\n') && (place == 0 || text.as_bytes().get(place - 1) == Some(&b'\n'));
    is_line.then(|| (text.get(..place).unwrap_or_default().trim_end_matches('\n'), value))
}

/// Sets what came back; SWE-agent 1.x opens it with a word of its own.
pub fn see(call: &mut Call, text: &str) {
    let text = text.strip_prefix("OBSERVATION:\n").unwrap_or(text);
    let start = text.trim_start();
    call.timed_out = start.starts_with("EXECUTION TIMED OUT")
        || start.starts_with("The command '") && start.contains("was cancelled because it took more than");
    let is_cut = text.contains("<response clipped><NOTE>");
    let state = if is_cut { ObservationState::Cut } else { ObservationState::Full };
    observation::set(call, Cow::Borrowed(text), state);
    if call.kind == CallKind::Shell {
        quality::judge(call, CommandSet::SweAgent);
    }
}

/// The last block between fences that stand at the beginning of a line; blocks may lie in each other, the outermost counts.
pub fn last_block(text: &str) -> Option<&str> {
    let (mut found, mut open) = (None, Vec::new());
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        if let Some(language) = line.strip_prefix("```") {
            match (open.pop(), language.trim().is_empty()) {
                (Some(start), true) => {
                    if open.is_empty() {
                        found = text.get(start..place);
                    }
                }
                (above, _) => {
                    open.extend(above);
                    open.push(place + line.len());
                }
            }
        }
        place += line.len();
    }
    found.map(str::trim).filter(|block| !block.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Shell, last_block};

    #[test]
    fn the_last_outermost_block_is_the_action() {
        assert_eq!(last_block("See:\n```\nls\n```\nand\n```\ncat a.py\n```"), Some("cat a.py"));
        assert_eq!(
            last_block("```\nedit 1:2\n```python\nx\n```\nend_of_edit\n```\n"),
            Some("edit 1:2\n```python\nx\n```\nend_of_edit")
        );
        assert_eq!(last_block("no block, only ``` in a line"), None);
        assert_eq!(last_block("```\nls"), None);
    }

    #[test]
    fn the_state_of_the_shell_is_no_result() {
        let mut shell = Shell::default();
        let rest = shell.follow("a.py\n(Open file: /r/a.py)\n(Current directory: /r)\nbash-$");
        assert_eq!(
            (rest, shell.cwd.as_deref(), shell.open_file.as_deref()),
            ("a.py", Some("/r"), Some("/r/a.py"))
        );
        assert_eq!(shell.follow("(Open file: n/a)\n(Current directory: /x)\nbash-$"), "");
        assert_eq!((shell.cwd.as_deref(), shell.open_file.as_deref()), (Some("/x"), None));
        assert_eq!(shell.follow("plain\n"), "plain\n");
    }
}
