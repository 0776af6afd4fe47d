//! What is odd: with the trajectory that it belongs to, and on standard error what was refused and what belongs to none
//! (`interface.md`, exit codes).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::super::error::Exit;
use super::super::output;
use super::object::Head;
use crate::model::{Problem, Weight};
use crate::steps::read_arm::ReadArm;

/// Notes and repairs that are printed; the rest is counted. Refusals are all named.
const SHOWN: usize = 20;

/// Problems by the position of the head that they belong to: that of their record, else the first of their file.
pub fn by_head<'a>(heads: &[Head], problems: &'a [Problem]) -> BTreeMap<usize, Vec<&'a Problem>> {
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, head) in heads.iter().enumerate() {
        by_file.entry(&head.file).or_default().push(place);
    }
    let mut found: BTreeMap<usize, Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        let Some(of_file) = by_file.get(problem.file.as_str()) else { continue };
        let is_record = |place: &&usize| {
            heads.get(**place).is_some_and(|head| !head.place.is_empty() && head.place == problem.place)
        };
        if let Some(place) = of_file.iter().find(is_record).or_else(|| of_file.first()) {
            found.entry(*place).or_default().push(problem);
        }
    }
    found
}

/// What was met in all paths.
#[derive(Default)]
pub struct Said {
    paths: Vec<Looked>,
    refused: usize,
    notes: usize,
}

/// A path, and whether a log, prediction or outcome was found in it.
struct Looked {
    path: PathBuf,
    holds: bool,
}

impl Said {
    /// The next path.
    pub fn begin(&mut self, path: &Path) {
        self.paths.push(Looked { path: path.to_owned(), holds: false });
    }

    /// Names what was refused, and what no object shows.
    pub fn note(&mut self, heads: &[Head], read: &ReadArm) {
        if let Some(looked) = self.paths.last_mut() {
            looked.holds |= !heads.is_empty() || !read.settled.runs.is_empty();
        }
        let files: BTreeSet<&str> = heads.iter().map(|head| head.file.as_str()).collect();
        for problem in &read.problems {
            if problem.weight == Weight::Refused {
                self.refused += 1;
                output::error(&sentence(problem));
            } else if !files.contains(problem.file.as_str()) {
                self.say_note(&sentence(problem));
            }
        }
        for (ending, count) in &read.unclaimed {
            let files = if *count == 1 { "file" } else { "files" };
            self.say_note(&format!(
                "note: {count} {files} `{ending}` that no format or outcome shape claims"
            ));
        }
        self.say_runs_without_log(read);
    }

    /// Runs that outcome files name are no objects: nobody read a log of theirs.
    fn say_runs_without_log(&mut self, read: &ReadArm) {
        let without: Vec<&str> = read
            .settled
            .runs
            .iter()
            .filter(|run| run.log.is_none())
            .map(|run| run.instance_id.as_str())
            .collect();
        if without.is_empty() {
            return;
        }
        let some = without.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let more = if without.len() > SHOWN { ", …" } else { "" };
        self.say_note(&format!("note: {} runs are named by outcome files only: {some}{more}", without.len()));
    }

    fn say_note(&mut self, sentence: &str) {
        self.notes += 1;
        if self.notes <= SHOWN {
            output::error(sentence);
        }
    }

    /// The exit code: 3 where nothing was found at all, 1 where something was refused or a path held nothing.
    pub fn finish(self) -> Exit {
        if self.notes > SHOWN {
            output::error(&format!("note: {} more notes of this kind", self.notes - SHOWN));
        }
        let empty: Vec<&Looked> = self.paths.iter().filter(|looked| !looked.holds).collect();
        for looked in &empty {
            let path = looked.path.display();
            output::error(&format!(
                "nothing was found in `{path}`: no log, prediction or outcome; see `ethogram list formats`"
            ));
        }
        match () {
            () if empty.len() == self.paths.len() => Exit::Nothing,
            () if self.refused > 0 || !empty.is_empty() => Exit::Refusals,
            () => Exit::Done,
        }
    }
}

fn sentence(problem: &Problem) -> String {
    let place = if problem.place.is_empty() { String::new() } else { format!(" ({})", problem.place) };
    let file = if problem.file.is_empty() { String::new() } else { format!(" `{}`{place}:", problem.file) };
    format!("{}:{file} {}", problem.weight.as_str(), problem.what)
}
