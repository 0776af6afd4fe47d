//! `ethogram init`: looks at folders and writes a study file that a person reads and completes: arms found, formats, outcomes,
//! and what could not be told. Roles are never guessed from a name (`definitions.md` §1): two lines wait for the user.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::arguments::{InitArguments, Names, arm_of, study_of};
use super::error::{CommandError, Exit};
use super::output;
use super::progress::Progress;
use crate::data::benchmarks::UNNAMED;
use crate::model::Weight;
use crate::outcomes::{Coverage, Fate};
use crate::steps::arm_files;
use crate::steps::read_arm::{self, ReadArm};
use crate::steps::study::Arm;
use crate::steps::with_threads;

/// Problems that are named; the rest is counted.
const NAMED: usize = 3;

/// Runs the command.
pub fn run(arguments: &InitArguments) -> Result<Exit, CommandError> {
    let is_printed = arguments.out == Path::new("-");
    if !is_printed && arguments.out.exists() {
        let what = format!("`{}` exists: name another file with --out", arguments.out.display());
        return Err(CommandError::Usage(what));
    }
    let progress = Progress::start();
    let mut names = Names::default();
    let mut looked = Vec::new();
    for folder in arms(&arguments.folders)? {
        progress.say(&format!("looking at {}", folder.display()));
        looked.push(look(&folder, names.unique(&folder), arguments)?);
    }
    progress.end();
    let (looked, empty): (Vec<Looked>, Vec<Looked>) = looked.into_iter().partition(|arm| arm.runs > 0);
    for arm in &empty {
        output::error(&format!("`{}` holds no log and no outcome: left out", arm.path.display()));
    }
    if looked.is_empty() {
        return Ok(Exit::Nothing);
    }
    let folder = arguments.out.parent().filter(|_| !is_printed).unwrap_or(Path::new(""));
    let text = study_file(&looked, folder);
    if is_printed {
        output::print(&text)?;
    } else {
        std::fs::write(&arguments.out, text)
            .map_err(|source| CommandError::Output { what: arguments.out.display().to_string(), source })?;
        output::print(&format!("wrote {}\n", arguments.out.display()))?;
    }
    Ok(Exit::Done)
}

/// The folders that become arms: those that were named; of a single one its own folders, where two or more hold files.
fn arms(named: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let here = [PathBuf::from(".")];
    let named = if named.is_empty() { &here } else { named };
    let [only] = named else { return Ok(named.to_vec()) };
    let entries = match std::fs::read_dir(only) {
        Ok(entries) => entries,
        Err(_) if only.is_file() => return Ok(named.to_vec()),
        Err(error) => {
            return Err(CommandError::Usage(format!("cannot read `{}`: {error}", only.display())));
        }
    };
    let is_shown =
        |path: &PathBuf| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'));
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .filter(is_shown)
        .collect();
    folders.sort();
    Ok(if folders.len() >= 2 && !is_one_arm(&folders) { folders } else { named.to_vec() })
}

/// Folders of runs, instances or results are parts of an arm, not arms.
fn is_one_arm(folders: &[PathBuf]) -> bool {
    let names: Vec<String> = folders
        .iter()
        .map(|folder| folder.file_name().unwrap_or_default().to_string_lossy().to_lowercase())
        .collect();
    let is_part = |name: &String| {
        ["trajs", "logs", "results", "evaluation", "eval_results", "report", "reports"]
            .contains(&name.as_str())
            || ["run_", "run-", "rollout", "attempt", "seed"].iter().any(|start| name.starts_with(start))
            || crate::outcomes::instance_in_path(&format!("{name}/x")).is_some()
    };
    names.iter().any(is_part)
}

/// What was found of one arm.
struct Looked {
    name: String,
    path: PathBuf,
    runs: usize,
    benchmark: Option<String>,
    fitting: Vec<String>,
    formats: BTreeMap<&'static str, usize>,
    models: BTreeSet<String>,
    outcomes: BTreeMap<&'static str, usize>,
    coverage: Coverage,
    numbers: BTreeSet<i64>,
    without_instance: usize,
    superseded: usize,
    conflicts: usize,
    unclaimed: i64,
    refused: Vec<String>,
}

fn look(path: &Path, name: String, arguments: &InitArguments) -> Result<Looked, CommandError> {
    let mut study = study_of(vec![arm_of(path, name)]);
    study.threads = arguments.threads;
    let mut found = Looked::new(&study.arms[0], path);
    for arm in &study.arms {
        for files in arm_files::walk(arm)? {
            let mut formats: Vec<(&'static str, Option<String>)> = Vec::new();
            let read = with_threads(study.threads, || {
                read_arm::read(
                    &study,
                    arm,
                    &files,
                    |_, _| (),
                    |_, log, ()| {
                        formats.push((log.trajectory.format, log.trajectory.model));
                        Ok(())
                    },
                )
            })?;
            found.take(&read, formats);
        }
    }
    Ok(found)
}

impl Looked {
    fn new(arm: &Arm, path: &Path) -> Looked {
        Looked {
            name: arm.name.clone(),
            path: path.to_owned(),
            runs: 0,
            benchmark: None,
            fitting: Vec::new(),
            formats: BTreeMap::new(),
            models: BTreeSet::new(),
            outcomes: BTreeMap::new(),
            coverage: Coverage::default(),
            numbers: BTreeSet::new(),
            without_instance: 0,
            superseded: 0,
            conflicts: 0,
            unclaimed: 0,
            refused: Vec::new(),
        }
    }

    fn take(&mut self, read: &ReadArm, formats: Vec<(&'static str, Option<String>)>) {
        for (format, model) in formats {
            *self.formats.entry(format).or_default() += 1;
            self.models.extend(model);
        }
        self.runs += read.settled.runs.len();
        let benchmark = &read.benchmark.benchmark.name;
        self.benchmark = (benchmark != UNNAMED).then(|| benchmark.clone());
        self.fitting.clone_from(&read.benchmark.fitting);
        for file in &read.outcomes {
            *self.outcomes.entry(file.shape).or_default() += 1;
        }
        self.coverage = read.settled.coverage.clone();
        self.numbers.extend(read.settled.runs.iter().map(|run| run.run));
        let is_unnamed = |source| {
            matches!(source, crate::model::InstanceSource::Session | crate::model::InstanceSource::File)
        };
        self.without_instance =
            read.settled.logs.iter().filter(|log| is_unnamed(log.instance_source)).count();
        let is_superseded = |fate| matches!(fate, Fate::Superseded { .. });
        self.superseded = read.settled.logs.iter().filter(|log| is_superseded(log.fate)).count();
        self.conflicts = read.settled.conflicts.len();
        self.unclaimed = read.unclaimed.values().sum();
        let refused = read.problems.iter().filter(|problem| problem.weight == Weight::Refused);
        self.refused = refused.map(|problem| format!("{}: {}", problem.file, problem.what)).collect();
    }

    /// The arm's part of the file.
    fn table(&self, folder: &Path) -> String {
        let path = std::path::absolute(&self.path).ok().zip(std::path::absolute(folder).ok());
        let below = path.and_then(|(path, folder)| Some(path.strip_prefix(folder).ok()?.to_owned()));
        let logs = below.filter(|below| !below.as_os_str().is_empty()).unwrap_or_else(|| self.path.clone());
        let mut text = format!(
            "\n[[arm]]\nname = {}\n# role = \"base\"          # or \"trained\": without roles nothing is compared\nlogs = [{}]\n",
            quoted(&self.name),
            quoted(&logs.to_string_lossy())
        );
        for line in self.remarks() {
            text.push_str(&format!("# {}\n", one_line(&line)));
        }
        text
    }

    fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.formats.is_empty() {
            lines.push("no log was found: outcomes alone".to_owned());
        } else {
            lines.push(format!("logs: {}", counted(&self.formats)));
        }
        if !self.models.is_empty() {
            let models: Vec<&str> = self.models.iter().map(String::as_str).take(5).collect();
            lines.push(format!("model by the logs: {}", models.join(", ")));
        }
        let coverage = &self.coverage;
        let numbers = self.numbers.first().zip(self.numbers.last());
        let span = numbers.map(|(first, last)| format!(", numbered {first} to {last}")).unwrap_or_default();
        lines.push(format!("{} instances, {} runs{span}", coverage.instances, coverage.runs));
        if self.outcomes.is_empty() {
            lines.push(
                "no outcome file was found: name them, or T1 and T2 stay empty: outcomes = [\"report.json\"]"
                    .to_owned(),
            );
        } else {
            lines.push(format!("outcome files: {}", counted(&self.outcomes)));
        }
        lines.push(format!("{} runs scored, {} resolved", coverage.scored, coverage.resolved));
        lines.extend(self.doubts());
        lines
    }

    /// What could not be told.
    fn doubts(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.without_instance > 0 {
            lines.push(format!(
                "could not tell the instance of {} logs: give a template, path = \"{{instance_id}}/run_{{run}}/*\"",
                self.without_instance
            ));
        }
        if self.conflicts > 0 {
            lines.push(format!(
                "{} keys have two scored runs: say duplicates = \"first\", \"last\" or \"as-runs\" above the arms",
                self.conflicts
            ));
        }
        if self.superseded > 0 {
            lines.push(format!("{} logs are superseded by another log of their run", self.superseded));
        }
        if self.unclaimed > 0 {
            lines.push(format!("{} files that no format claims", self.unclaimed));
        }
        for refused in self.refused.iter().take(NAMED) {
            lines.push(format!("refused: {refused}"));
        }
        if self.refused.len() > NAMED {
            lines.push(format!("and {} refused more", self.refused.len() - NAMED));
        }
        lines
    }
}

fn study_file(arms: &[Looked], folder: &Path) -> String {
    let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    let mut text = String::from(
        "# A study, begun by `ethogram init`. Say which arm is the base and which was trained, read what could not be\n\
         # told, then: ethogram study THIS-FILE --out out\n",
    );
    text.push_str(&format!("name = {}\n", quoted(&names.join(", "))));
    let benchmarks: BTreeSet<&String> = arms.iter().filter_map(|arm| arm.benchmark.as_ref()).collect();
    match (benchmarks.first(), benchmarks.len()) {
        (Some(benchmark), 1) => text.push_str(&format!("benchmark = {}\n", quoted(benchmark))),
        _ => {
            let fitting: BTreeSet<&str> =
                arms.iter().flat_map(|arm| arm.fitting.iter().map(String::as_str)).collect();
            let fitting: Vec<&str> = fitting.into_iter().collect();
            let hint = if fitting.is_empty() {
                "no known benchmark fits the ids: see `ethogram list benchmarks`".to_owned()
            } else {
                format!("could not tell which of {}", fitting.join(", "))
            };
            text.push_str(&format!("# benchmark = \"…\"       # {hint}\n"));
        }
    }
    for arm in arms {
        text.push_str(&arm.table(folder));
    }
    if let [first, second, ..] = names.as_slice() {
        let pairs = format!(
            "\n[compare]\n# pairs = [[{}, {}]]   # else every base with every trained\n",
            quoted(first),
            quoted(second)
        );
        text.push_str(&pairs);
    }
    text
}

fn counted(counts: &BTreeMap<&str, usize>) -> String {
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} ({count})")).collect();
    counts.join(", ")
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A comment ends with its line, and names of files are text of strangers.
fn one_line(text: &str) -> String {
    output::visible(&text.replace(['\n', '\r'], " "))
}
