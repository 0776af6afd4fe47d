//! Answers the calls of a file, for programs that compare the statistics with another library
//! (`docs/validation/scipy_agreement.py`).

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::Value;

use super::dispatch::{Call, call};

/// The file named by `ETHOGRAM_CALLS` holds one call a line, `{"fn": …, "args": …}`; the answers go beside it, a line each.
#[test]
#[ignore = "serves docs/validation/scipy_agreement.py, which names the file"]
fn the_calls_of_a_file_are_answered() {
    let Some(path) = std::env::var_os("ETHOGRAM_CALLS").map(PathBuf::from) else {
        eprintln!("skipped: ETHOGRAM_CALLS names no file");
        return;
    };
    let mut answers = String::new();
    for line in std::fs::read_to_string(&path).unwrap().lines() {
        let asked: Value = serde_json::from_str(line).unwrap();
        let name = asked["fn"].as_str().unwrap();
        match call(name, &asked["args"]) {
            Call::Done(answer) => writeln!(answers, "{answer}").unwrap(),
            Call::Unknown => panic!("there is no function {name}"),
        }
    }
    std::fs::write(path.with_extension("answers"), answers).unwrap();
}
