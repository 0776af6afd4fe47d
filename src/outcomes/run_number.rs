//! Run numbers that paths show: `run_3/`, `rollout-3/`, `i0_run1/` (`definitions.md` §1, run number). One path at a
//! time; what the numbers of an arm mean together is settled by `identity`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::data::pattern::ascii;

/// A number in a path, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathRun {
    /// A run number, from 0 or from 1.
    Number(i64),
    /// A seed: seeds are ranked upwards.
    Seed(i64),
}

/// Ends of archives that stand for a folder.
const ARCHIVES: [&str; 6] = [".tar.gz", ".tar.zst", ".tgz", ".tar", ".zip", ".jsonl"];

/// A name that ends with a run (`full_i0_run1`), at most five digits, so that dates and hashes are none.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    ascii(r"(?i)^(?:.*[_. -])?(?P<word>run|rollout|attempt|trial|epoch|repeat|seed)[_ -]?(?P<n>[0-9]{1,5})$")
});

/// The run that the deepest folder of a path names. The file's own name counts only where it is nothing else
/// (`run_0.jsonl`).
pub fn run_in_path(path: &str) -> Option<PathRun> {
    static FILE: LazyLock<Regex> = LazyLock::new(|| {
        ascii(
            r"(?i)^(?P<word>run|rollout|attempt|trial|epoch|repeat|seed)[_-]?(?P<n>[0-9]{1,5})\.(?:[a-z.]+)$",
        )
    });
    let mut parts = path.rsplit('/');
    let file = parts.next().and_then(|name| FILE.captures(name));
    let found = file.or_else(|| parts.find_map(|folder| NAME.captures(without_archive(folder))))?;
    number(&found)
}

/// The run that the name of an outcome file ends with (`acme__large-7b.run_2.json`). Run ids of a harness end like
/// this too, so the caller holds it against the runs that there are.
pub fn run_in_name(path: &str) -> Option<PathRun> {
    let name = path.rsplit('/').next()?;
    let stem = name.rsplit_once('.')?.0;
    number(&NAME.captures(stem)?)
}

fn number(found: &Captures) -> Option<PathRun> {
    let number = found["n"].parse().ok()?;
    Some(match found["word"].eq_ignore_ascii_case("seed") {
        true => PathRun::Seed(number),
        false => PathRun::Number(number),
    })
}

fn without_archive(folder: &str) -> &str {
    ARCHIVES.iter().find_map(|end| folder.strip_suffix(end)).unwrap_or(folder)
}

/// Compares names as people count: `run2` before `run10`.
pub fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    let pieces = |text: &str| -> Vec<(String, u64)> {
        static PIECE: LazyLock<Regex> = LazyLock::new(|| ascii(r"([^0-9]*)([0-9]{0,18})"));
        let found =
            PIECE.captures_iter(text).map(|piece| (piece[1].to_owned(), piece[2].parse().unwrap_or(0)));
        found.collect()
    };
    pieces(a).cmp(&pieces(b)).then_with(|| a.cmp(b))
}
