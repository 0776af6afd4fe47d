//! Pipes, terminals and colours.

use std::process::{Command, Stdio};

use super::first_study;
use crate::support::{ethogram, skipped};

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = first_study();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ethogram"))
        .args(["inspect", "--turns", "base", "rl"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    let folder = first_study();
    let study = ethogram(folder.path(), &["study", "study.toml", "--out", "out"]);
    assert_eq!(study.code, 0, "{}", study.stderr);
    for arguments in [
        vec!["compare", "out/store"],
        vec!["report", "out/store", "T5"],
        vec!["show", "out/store", "acme__gears-12", "--tags"],
        vec!["inspect", "base"],
        vec!["query", "out/store", "SELECT arm FROM arms"],
    ] {
        let ran = ethogram(folder.path(), &arguments);
        assert!(
            !ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'),
            "{arguments:?}: {}",
            ran.stdout
        );
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    }
}

/// What a command prints on a terminal; `None` where no terminal can be made.
fn on_terminal(folder: &std::path::Path, arguments: &str, no_colour: bool) -> Option<String> {
    let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_ethogram"));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "160");
    if no_colour {
        command.env("NO_COLOR", "1");
    } else {
        command.env_remove("NO_COLOR");
    }
    match command.output() {
        // A machine without /dev/pts, such as a plain chroot.
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("pseudo-terminal") => {
            skipped("no terminal can be made here");
            None
        }
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
        Err(error) => {
            skipped(&format!("no terminal can be made with script(1): {error}"));
            None
        }
    }
}

/// Sequences of progress (the cursor, erasing) are no colours; these end in `m`.
fn is_coloured(text: &str) -> bool {
    text.split('\u{1b}').skip(1).any(|rest| {
        rest.strip_prefix('[').is_some_and(|rest| {
            rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ';').starts_with('m')
        })
    })
}

#[test]
fn no_color_is_heard_on_a_terminal() {
    let folder = first_study();
    assert_eq!(ethogram(folder.path(), &["study", "study.toml", "--out", "out"]).code, 0);
    let Some(coloured) = on_terminal(folder.path(), "compare out/store", false) else { return };
    let Some(plain) = on_terminal(folder.path(), "compare out/store", true) else { return };
    assert!(is_coloured(&coloured), "{coloured:?}");
    assert!(!is_coloured(&plain), "{plain:?}");
}

#[test]
fn a_terminal_gets_tables_and_json_where_asked() {
    let folder = first_study();
    let Some(text) = on_terminal(folder.path(), "inspect base/run_0", true) else { return };
    let lines: Vec<&str> = text.lines().collect();
    let head =
        lines.iter().position(|line| line.contains("instance") && line.contains("termination")).unwrap();
    let row = lines.iter().find(|line| line.contains("acme__gears-12")).unwrap();
    assert!(row.contains("submitted") && row.contains("nonempty"), "{row}");
    assert!(lines.len() > head + 6, "{text}");
    let Some(turns) = on_terminal(folder.path(), "inspect --tags base/run_0/acme__gears-12.traj", true)
    else {
        return;
    };
    assert!(turns.contains("exploration/search") && turns.contains("search_dir"), "{turns}");
    let Some(json) = on_terminal(folder.path(), "inspect --json base/run_0", true) else { return };
    assert!(json.lines().any(|line| line.contains("{\"file\":\"base/run_0/acme__gears-12.traj\"")), "{json}");
}
