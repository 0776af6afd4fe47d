//! What several kinds of test need: where the repository and the shared data lie, and goldens.

pub mod zip;

use std::path::{Path, PathBuf};

use ethogram::facts::Context;
use ethogram::model::{Benchmark, TaskKind};

/// The repository.
pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The path by which a file would give away on which machine it was written: that of the folder in which the repository lies,
/// or the repository's own where that is too common a name. `None` in a folder such as `/src`, whose name stands in logs too.
pub fn machine_path() -> Option<String> {
    let repository = repository();
    let depth = |path: &Path| path.components().count().saturating_sub(1);
    let path =
        repository.ancestors().skip(1).take(1).chain([repository.as_path()]).find(|path| depth(path) >= 2)?;
    Some(format!("{}/", path.to_str()?))
}

/// A file or folder of the shared data: below `ETHOGRAM_SHARED`, else below `../shared` beside the repository. Where it is
/// missing the test says so and must return: `let Some(path) = shared("vectors") else { return };`.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("ETHOGRAM_SHARED") {
        Some(root) => PathBuf::from(root),
        None => repository().join("../shared"),
    };
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    skipped(&format!("{path} is not below {} (set ETHOGRAM_SHARED)", root.display()));
    None
}

/// Says aloud that something is not tested here, and why.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn skipped(why: &str) {
    println!("skipped: {why}");
}

/// Compares with a golden file; `UPDATE=1` writes it. A golden that is missing fails.
#[track_caller]
pub fn golden(path: &Path, got: &str) {
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(path, got).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let want = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}; `UPDATE=1 cargo test` writes it", path.display()));
    if let Some((line, want, got)) = first_difference(&want, got) {
        panic!(
            "{} differs from line {line} on; `UPDATE=1 cargo test` rewrites it\n  want: {want}\n  got:  {got}",
            path.display()
        );
    }
}

/// The first line that differs: its number from 1, and both.
pub fn first_difference<'a>(want: &'a str, got: &'a str) -> Option<(usize, &'a str, &'a str)> {
    if want == got {
        return None;
    }
    let (mut wanted, mut gotten) = (want.split('\n'), got.split('\n'));
    for line in 1.. {
        match (wanted.next(), gotten.next()) {
            (None, None) => return None,
            (want, got) if want != got => {
                return Some((line, want.unwrap_or("<end>"), got.unwrap_or("<end>")));
            }
            _ => {}
        }
    }
    None
}

/// Compiles a file of LaTeX and gives the text of its pages; `None`, said aloud, where LaTeX or poppler is missing.
#[cfg(feature = "query")]
#[track_caller]
pub fn latex(folder: &Path, stem: &str) -> Option<String> {
    let run = |program: &str, arguments: &[&str]| {
        let ran = std::process::Command::new(program).args(arguments).current_dir(folder).output();
        if ran.is_err() {
            skipped(&format!("{program} is not installed: no page of LaTeX is looked at"));
        }
        ran.ok()
    };
    let source = format!("{stem}.tex");
    let made = run("pdflatex", &["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", &source])?;
    let log = String::from_utf8_lossy(&made.stdout).into_owned();
    if log.contains(".sty' not found") {
        skipped("a package of LaTeX is not installed");
        return None;
    }
    assert!(made.status.success(), "{source} does not compile: {log}");
    let text = run("pdftotext", &["-layout", &format!("{stem}.pdf"), "-"])?;
    Some(String::from_utf8_lossy(&text.stdout).into_owned())
}

/// The folders directly below one, sorted.
pub fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// What rules may know where nothing is known but the log.
pub fn context() -> Context {
    let benchmark = Benchmark {
        name: "unnamed".to_owned(),
        version: None,
        family: "unnamed".to_owned(),
        kind: TaskKind::Repo,
        id_pattern: None,
        n: None,
        released: None,
        harness: None,
        test_groups: Vec::new(),
        policy: "none".to_owned(),
    };
    Context { benchmark, source_paths: Vec::new(), repository: None }
}

/// What the program printed, and its exit code.
#[cfg(feature = "query")]
pub struct Ran {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code.
    pub code: i32,
}

/// Runs the program in a folder.
#[cfg(feature = "query")]
#[track_caller]
pub fn ethogram(folder: &Path, arguments: &[&str]) -> Ran {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ethogram"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("cannot run ethogram: {error}"));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_else(|error| panic!("not UTF-8: {error}"));
    let code = output
        .status
        .code()
        .unwrap_or_else(|| panic!("ethogram {arguments:?} was killed: {}", output.status));
    Ran { stdout: text(output.stdout), stderr: text(output.stderr), code }
}

#[cfg(feature = "query")]
impl Ran {
    /// Standard output as JSON Lines.
    pub fn objects(&self) -> Vec<serde_json::Value> {
        let object = |line: &str| {
            serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("no JSON ({error}): {line}\n{}", self.stderr))
        };
        self.stdout.lines().map(object).collect()
    }
}

/// The rows of a table of a store, as JSON objects.
#[cfg(feature = "query")]
pub fn table(store: &Path, name: &str) -> Vec<serde_json::Value> {
    use ethogram::store::{Store, Value};
    let frame = Store::open(store).unwrap().read(name).unwrap();
    let json = |value: &Value| match value {
        Value::Null => serde_json::Value::Null,
        Value::Text(text) => serde_json::Value::from(&**text),
        Value::Int(number) | Value::Time(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Bool(flag) => (*flag).into(),
    };
    let row = |values: &Vec<Value>| {
        let named = frame.columns.iter().zip(values);
        serde_json::Value::Object(named.map(|(column, value)| (column.name.clone(), json(value))).collect())
    };
    frame.rows.iter().map(row).collect()
}
