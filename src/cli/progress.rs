//! Progress on a terminal: what is being done, silent when piped.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A line on standard error that says what is being done.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Starts; hidden where standard error is no terminal.
    pub fn start() -> Progress {
        let bar =
            if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(std::time::Duration::from_millis(120));
        Progress { bar }
    }

    /// Says what is being done.
    pub fn say(&self, what: &str) {
        self.bar.set_message(super::output::visible(what));
    }

    /// Clears the line.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
