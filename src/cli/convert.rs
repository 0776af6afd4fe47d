//! `ethogram convert --to atif`: each run becomes one ATIF file with its sub-agents in it, and a line says what is lost.
//! Nothing is overwritten.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::arguments::{ConvertArguments, ConvertTo, Names, arm_of, study_of};
use super::error::{CommandError, Exit};
use super::output;
use super::progress::Progress;
use crate::formats::atif::{self, Loss};
use crate::model::{Problem, Trajectory, Weight};
use crate::steps::arm_files;
use crate::steps::read_arm::{self, ReadLog};
use crate::steps::{StepError, with_threads};

/// Runs the command.
pub fn run(arguments: &ConvertArguments) -> Result<Exit, CommandError> {
    let ConvertTo::Atif = arguments.to;
    let mut names = Names::default();
    let mut writer = Writer { out: &arguments.out, ..Writer::default() };
    let progress = Progress::start();
    for path in &arguments.paths {
        let mut study = study_of(vec![arm_of(path, names.unique(path))]);
        arguments.common.apply(&mut study)?;
        study.any_arm = true;
        for arm in &study.arms {
            progress.say(&format!("converting {}", arm.name));
            for files in arm_files::walk(arm)? {
                let read = with_threads(study.threads, || {
                    let kept = |_: &_, _: &mut Trajectory| ();
                    read_arm::read(&study, arm, &files, kept, |_, log, ()| {
                        writer.take(log);
                        Ok::<(), StepError>(())
                    })
                })?;
                writer.write()?;
                writer.problems.extend(read.problems);
            }
        }
    }
    progress.end();
    writer.finish()
}

/// Writes the logs of one file when the next file begins: a sub-agent may come before its parent.
struct Writer<'a> {
    out: &'a Path,
    /// Logs of the file that is read now.
    logs: Vec<ReadLog>,
    written: usize,
    without_log: usize,
    losses: BTreeMap<(&'static str, bool), (usize, usize)>,
    problems: Vec<Problem>,
    fault: Option<CommandError>,
}

impl Default for Writer<'_> {
    fn default() -> Self {
        Writer {
            out: Path::new(""),
            logs: Vec::new(),
            written: 0,
            without_log: 0,
            losses: BTreeMap::new(),
            problems: Vec::new(),
            fault: None,
        }
    }
}

impl Writer<'_> {
    fn take(&mut self, log: ReadLog) {
        if self.logs.last().is_some_and(|last| last.shown != log.shown)
            && let Err(fault) = self.write()
        {
            self.fault.get_or_insert(fault);
        }
        self.logs.push(log);
    }

    /// Writes the logs that wait.
    fn write(&mut self) -> Result<(), CommandError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let logs = std::mem::take(&mut self.logs);
        for (index, log) in logs.iter().enumerate() {
            if !log.trajectory.has_log {
                self.without_log += 1;
                continue;
            }
            let is_within = log.trajectory.parent.as_ref().is_some_and(|parent| parent.ordinal.is_some());
            if is_within {
                continue;
            }
            let subagents: Vec<&Trajectory> = below(&logs, index);
            let (text, losses) = atif::write(&log.trajectory, &subagents);
            let path = self.out.join(name(log));
            create(&path, &text)?;
            self.written += 1;
            self.note(&path, &losses)?;
        }
        Ok(())
    }

    fn note(&mut self, path: &Path, losses: &[Loss]) -> Result<(), CommandError> {
        let mut said = Vec::new();
        for loss in losses {
            let (runs, count) = self.losses.entry((loss.what, loss.is_kept)).or_default();
            *runs += 1;
            *count += loss.count;
            let where_to = if loss.is_kept { "in extra" } else { "lost" };
            said.push(format!("{} {} {where_to}", loss.count, loss.what));
        }
        output::print(&format!("{}\t{}\n", output::visible(&path.display().to_string()), said.join("; ")))
    }

    /// Says what was lost in all.
    fn finish(self) -> Result<Exit, CommandError> {
        let mut refused = 0;
        for problem in self.problems.iter().filter(|problem| problem.weight == Weight::Refused) {
            refused += 1;
            let place =
                if problem.place.is_empty() { String::new() } else { format!(" ({})", problem.place) };
            output::error(&format!("refused: `{}`{place}: {}", problem.file, problem.what));
        }
        for ((what, is_kept), (runs, count)) in &self.losses {
            let where_to = if *is_kept { "kept in `extra`, which other readers pass over" } else { "lost" };
            output::error(&format!("{what}: {count} in {runs} files, {where_to}"));
        }
        if self.without_log > 0 {
            output::error(&format!("{} runs have no log: nothing to convert", self.without_log));
        }
        output::error(&format!("{} files were written", self.written));
        Ok(match (self.written, refused) {
            (0, _) => Exit::Nothing,
            (_, 0) => Exit::Done,
            _ => Exit::Refusals,
        })
    }
}

/// Sub-agents of a log and theirs, in the order of the file.
fn below(logs: &[ReadLog], parent: usize) -> Vec<&Trajectory> {
    let mut found = Vec::new();
    for (index, log) in logs.iter().enumerate() {
        let above = |index: usize| {
            let own = logs.get(index)?.trajectory.parent.as_ref()?.ordinal?;
            logs.iter().position(|log| log.ordinal == own)
        };
        let mut at = index;
        for _ in 0..logs.len() {
            match above(at) {
                Some(next) if next == parent => {
                    found.push(&log.trajectory);
                    break;
                }
                Some(next) if next != at => at = next,
                _ => break,
            }
        }
    }
    found
}

/// The file of a run: the path of its log below what was given, with its place.
fn name(log: &ReadLog) -> PathBuf {
    let mut name = PathBuf::new();
    for part in log.relative.split('/').filter(|part| !matches!(*part, "" | "." | "..")) {
        name.push(part);
    }
    let place: String = log
        .trajectory
        .place
        .chars()
        .map(
            |character| {
                if character.is_alphanumeric() || "-_.".contains(character) { character } else { '-' }
            },
        )
        .collect();
    let dot = if place.is_empty() { "" } else { "." };
    let file = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.set_file_name(format!("{file}{dot}{place}.atif.json"));
    name
}

fn create(path: &Path, text: &str) -> Result<(), CommandError> {
    let refused = |source| CommandError::Output { what: format!("`{}`", path.display()), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(refused)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(refused)?;
    file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(refused)
}
