//! Words that a scaffold adds to its shell, by set of commands: which tool a shell call is named after.

use super::trajectory::CommandSet;

/// Commands of SWE-agent's tool bundles, 0.x and 1.x, and of CodeR's roles, sorted. Those that stand in logs, and their
/// near kin; `exit` is left to the shell, which it ends too.
const SWE_AGENT: [&str; 39] = [
    "close_site",
    "connect_close",
    "connect_exec",
    "connect_sendline",
    "connect_start",
    "create",
    "debug_add_breakpoint",
    "decompile",
    "disassemble",
    "edit",
    "exit_forfeit",
    "fail",
    "filemap",
    "find_file",
    "forfeit",
    "goto",
    "insert",
    "open",
    "open_site",
    "plan",
    "rover_search_class",
    "rover_search_code",
    "rover_search_code_in_file",
    "rover_search_extension",
    "rover_search_file",
    "rover_search_method",
    "rover_search_method_in_file",
    "scroll_down",
    "scroll_up",
    "search_dir",
    "search_file",
    "set_cursors",
    "similar_issue_search",
    "stackoverflow_search",
    "str_replace_editor",
    "submit",
    "succeed",
    "undo_edit",
    "view_image",
];

/// The tool that a plain shell line is a call of.
const SHELL: &str = "bash";

impl CommandSet {
    /// The line begins with a command of the scaffold's own.
    pub fn is_scaffold_command(self, input: &str) -> bool {
        self.tool(input) != SHELL
    }

    /// The tool of a shell call: the scaffold command that its line begins with, else `bash`.
    pub fn tool(self, input: &str) -> &'static str {
        let word = input.split_whitespace().next().unwrap_or_default();
        match self {
            CommandSet::Plain => SHELL,
            CommandSet::SweAgent => SWE_AGENT.binary_search(&word).map_or(SHELL, |place| SWE_AGENT[place]),
        }
    }
}
