//! Standard output and standard error. Everything that a command prints goes through here, so that text of logs never
//! reaches a terminal raw.

use std::io::{IsTerminal, Write};

use super::error::CommandError;

/// Prints text on standard output as it is; text of logs must have been made visible before.
pub fn print(text: &str) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|source| CommandError::Output { what: "standard output".to_owned(), source })
}

/// Prints bytes (Parquet) on standard output.
pub fn print_bytes(bytes: &[u8]) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|source| CommandError::Output { what: "standard output".to_owned(), source })
}

/// A line on standard error. Control characters are made visible, since messages name files.
pub fn error(line: &str) {
    // Nothing is left to do where standard error is closed.
    let _ = writeln!(std::io::stderr(), "{}", visible(line));
}

/// Whether standard output is a terminal.
pub fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether colours are wanted: on a terminal without `NO_COLOR`.
pub fn is_coloured() -> bool {
    is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Width of the terminal, as it says.
pub fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(100)
}

/// Control characters and bidirectional overrides become visible.
pub fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|character| {
            let is_hidden = (character.is_control() && !matches!(character, '\n' | '\t'))
                || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let shown: Vec<char> =
                if is_hidden { character.escape_unicode().collect() } else { vec![character] };
            shown
        })
        .collect()
}
