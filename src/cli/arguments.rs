//! What a user types: raw clap types, and how the options of `study` become a `Study`. Nothing else reads them.

mod labels;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use super::bare_study::{arm_of, study_of};
use super::compare::CompareBy;
use super::error::CommandError;
use super::rules_file;
use super::study_file;
use crate::formats::mapped::Map;
use crate::steps::study::{Reading, Role, Study};

pub use labels::{LabelsArguments, LabelsWere};

/// Trajectory analytics for coding agents: what did training change?
#[derive(Parser)]
#[command(name = "ethogram", version, about, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Logs → store → tags → pairs → report, in one go; prints the verdict and where the report lies
    #[command(after_help = "Example: ethogram study --base runs/base --trained runs/rl --out out")]
    Study(StudyArguments),
    /// Looks at folders and writes a study file with what was found, and what could not be told
    #[command(after_help = "Example: ethogram init runs/base runs/rl --out study.toml")]
    Init(InitArguments),
    /// Logs and outcomes → Parquet, added to a store
    #[command(after_help = "Example: ethogram ingest runs/base --store out/store --arm base")]
    Ingest(IngestArguments),
    /// Classifiers over a store; only what changed is tagged again
    #[command(after_help = "Example: ethogram tag out/store")]
    Tag(TagArguments),
    /// T1, T4, T5, the funnel and T14 on the terminal
    #[command(after_help = "Example: ethogram compare out/store --base base --trained rl")]
    Compare(CompareArguments),
    /// The report of a store, or single tables of it
    #[command(after_help = "Example: ethogram report out/store T5 --format md")]
    Report(ReportArguments),
    /// One trajectory as turn lines, as a person reads it
    #[command(after_help = "Example: ethogram show out/store django__django-11099 --tags")]
    Show(ShowArguments),
    /// SQL over a store
    #[command(
        after_help = "Example: ethogram query out/store 'SELECT arm, termination, CAST(COUNT(*) AS BIGINT) AS n \
                            FROM trajectories GROUP BY arm, termination ORDER BY arm, termination'"
    )]
    Query(QueryArguments),
    /// What the readers make of logs: one JSON object a trajectory, a line each, without a store
    #[command(after_help = "Example: ethogram inspect runs/base --turns")]
    Inspect(InspectArguments),
    /// Logs of any format → ATIF 1.7, with a list of what is lost
    #[command(after_help = "Example: ethogram convert runs/base --to atif --out atif")]
    Convert(ConvertArguments),
    /// Tags against labelled turns: precision, recall, every disagreement; or a sheet of turns to label
    #[command(after_help = "Example: ethogram labels out/store labels.jsonl --html labels.html\n\
                            Example: ethogram labels out/store --sample 100 --out sheet")]
    Labels(LabelsArguments),
    /// The catalogue, generated from the code
    #[command(after_help = "Example: ethogram list behaviours")]
    List(ListArguments),
    /// What a code means: a tag family, behaviour, table, format or runner
    #[command(after_help = "Example: ethogram explain autonomous_edit")]
    Explain(ExplainArguments),
}

/// Options that several commands share.
#[derive(Args, Clone, Default)]
pub struct CommonArguments {
    /// Benchmark of all logs
    #[arg(long, value_name = "NAME")]
    pub benchmark: Option<String>,
    /// Outcome files; without them they are searched beside the logs
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub outcomes: Vec<PathBuf>,
    /// What to do with two scored runs under one key
    #[arg(long, value_name = "first|last|as-runs")]
    pub duplicates: Option<String>,
    /// Runs that the design asks for an instance; missing ones count as unscored
    #[arg(long, value_name = "N")]
    pub expect_runs: Option<i64>,
    /// Format of every log, in place of recognition by content
    #[arg(long, value_name = "NAME")]
    pub format: Option<String>,
    /// A map of the keys of logs that no reader knows (`docs/mapped-logs.md`)
    #[arg(long, value_name = "FILE.toml", conflicts_with = "format")]
    pub map: Option<PathBuf>,
    /// Threads, by default one a core
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub threads: Option<usize>,
    /// Trust digests, not times, when looking for changed inputs
    #[arg(long)]
    pub reread: bool,
}

/// `study`.
#[derive(Args)]
pub struct StudyArguments {
    /// A study file, or folders: one arm a folder, no roles, no pairs
    #[arg(value_name = "FILE.toml|DIR", conflicts_with_all = ["base", "trained"])]
    pub paths: Vec<PathBuf>,
    /// Logs of the base arm (may repeat)
    #[arg(long, value_name = "DIR", requires = "trained")]
    pub base: Vec<PathBuf>,
    /// Logs of the trained arm (may repeat)
    #[arg(long, value_name = "DIR", requires = "base")]
    pub trained: Vec<PathBuf>,
    /// Outcome files of the base arm
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub base_outcomes: Vec<PathBuf>,
    /// Outcome files of the trained arm
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub trained_outcomes: Vec<PathBuf>,
    /// Folder for store and report
    #[arg(long, value_name = "DIR", default_value = "ethogram-out")]
    pub out: PathBuf,
    /// Seed of every random number; printed in the foot
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// What would be read as what; nothing is written
    #[arg(long)]
    pub dry_run: bool,
    /// Headline, T5 and coverage as JSON on standard output
    #[arg(long)]
    pub json: bool,
    /// User rules (`docs/rules.md`; may repeat), beside those of the study file
    #[arg(long, value_name = "FILE.toml")]
    pub rules: Vec<PathBuf>,
    /// Common options
    #[command(flatten)]
    pub common: CommonArguments,
}

/// `init`.
#[derive(Args)]
pub struct InitArguments {
    /// Folders or archives, one arm each; of a single folder its own folders, by default the working directory
    #[arg(value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The study file; `-` prints it
    #[arg(long, value_name = "FILE", default_value = "study.toml")]
    pub out: PathBuf,
    /// Threads, by default one a core
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub threads: Option<usize>,
}

/// `ingest`.
#[derive(Args)]
pub struct IngestArguments {
    /// Folders, files or archives
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The store
    #[arg(long, value_name = "DIR")]
    pub store: PathBuf,
    /// Name of the arm, else the folder's name; files need it
    #[arg(long, value_name = "NAME")]
    pub arm: Option<String>,
    /// Role of the arm
    #[arg(long, value_name = "base|trained")]
    pub role: Option<String>,
    /// User rules (`docs/rules.md`; may repeat): those of the store, where it has some
    #[arg(long, value_name = "FILE.toml")]
    pub rules: Vec<PathBuf>,
    /// Common options
    #[command(flatten)]
    pub common: CommonArguments,
}

/// `tag`.
#[derive(Args)]
pub struct TagArguments {
    /// The store
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// Tag anew although the versions of the rules stand in the store
    #[arg(long)]
    pub again: bool,
    /// User rules (`docs/rules.md`; may repeat); rules of the store that are not named are taken out
    #[arg(long, value_name = "FILE.toml")]
    pub rules: Vec<PathBuf>,
    /// Threads, by default one a core
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub threads: Option<usize>,
}

/// A number of threads: none would do nothing.
fn at_least_one(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|count| *count > 0).ok_or("at least 1; without it one a core")
}

/// `compare`.
#[derive(Args)]
pub struct CompareArguments {
    /// The store
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// Base arm
    #[arg(long, value_name = "ARM", requires = "trained")]
    pub base: Option<String>,
    /// Trained arm
    #[arg(long, value_name = "ARM", requires = "base")]
    pub trained: Option<String>,
    /// Where the change comes from, by these facts of the instances
    #[arg(long, value_name = "FACT", value_enum, value_delimiter = ',')]
    pub by: Vec<CompareBy>,
    /// Seed of every random number
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// JSON in place of tables
    #[arg(long)]
    pub json: bool,
}

/// `report`.
#[derive(Args)]
pub struct ReportArguments {
    /// The store
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// Tables by code, or `runs`; all and the page without a name
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Formats
    #[arg(long, value_enum, value_delimiter = ',')]
    pub format: Vec<ReportFormat>,
    /// Folder of the report, by default beside the store
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Base arm
    #[arg(long, value_name = "ARM", requires = "trained")]
    pub base: Option<String>,
    /// Trained arm
    #[arg(long, value_name = "ARM", requires = "base")]
    pub trained: Option<String>,
    /// Seed of every random number
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// Formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum ReportFormat {
    Html,
    Md,
    Csv,
    Json,
    Svg,
    Png,
    Tex,
    Parquet,
}

/// `show`.
#[derive(Args)]
pub struct ShowArguments {
    /// The store
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// A trajectory id, or an instance id
    #[arg(value_name = "ID")]
    pub id: String,
    /// One turn only
    #[arg(long, value_name = "N")]
    pub turn: Option<usize>,
    /// Beside the same instance's run of the other arm
    #[arg(long)]
    pub diff: bool,
    /// With tags
    #[arg(long)]
    pub tags: bool,
    /// Also the tags that these user rules would give (`docs/rules.md`; may repeat); the store stays as it is
    #[arg(long, value_name = "FILE.toml", requires = "tags")]
    pub rules: Vec<PathBuf>,
}

/// `query`.
#[derive(Args)]
pub struct QueryArguments {
    /// The store
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// A statement
    #[arg(value_name = "SQL", required_unless_present = "schema", allow_hyphen_values = true)]
    pub statement: Option<String>,
    /// Output
    #[arg(long, value_enum, default_value = "table")]
    pub format: QueryFormat,
    /// Tables and columns with meaning and unit
    #[arg(long)]
    pub schema: bool,
}

/// Output of `query`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum QueryFormat {
    Table,
    Csv,
    Json,
    Parquet,
}

/// `inspect`.
#[derive(Args)]
pub struct InspectArguments {
    /// Folders, files or archives
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// With turns and calls
    #[arg(long)]
    pub turns: bool,
    /// With the tags of every turn
    #[arg(long)]
    pub tags: bool,
    /// User rules (`docs/rules.md`; may repeat)
    #[arg(long, value_name = "FILE.toml", requires = "tags")]
    pub rules: Vec<PathBuf>,
    /// Check ATIF logs against every rule of their version; what breaks one is listed, and the exit code is 1
    #[arg(long)]
    pub strict: bool,
    /// JSON Lines also on a terminal
    #[arg(long)]
    pub json: bool,
    /// Common options
    #[command(flatten)]
    pub common: CommonArguments,
}

/// `convert`.
#[derive(Args)]
pub struct ConvertArguments {
    /// Folders, files or archives
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The format that is written
    #[arg(long, value_enum)]
    pub to: ConvertTo,
    /// Folder for the files, one a run, named after the logs
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Common options
    #[command(flatten)]
    pub common: CommonArguments,
}

/// What `convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum ConvertTo {
    Atif,
}

/// `list`.
#[derive(Args)]
pub struct ListArguments {
    /// What
    #[arg(value_enum)]
    pub what: Catalogue,
    /// With `rules`: also the user rules of this file (may repeat)
    #[arg(long, value_name = "FILE.toml")]
    pub rules: Vec<PathBuf>,
}

/// Lists of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Catalogue {
    Formats,
    Outcomes,
    Runners,
    Tags,
    Rules,
    Behaviours,
    Tables,
    Charts,
    Benchmarks,
}

/// `explain`.
#[derive(Args)]
pub struct ExplainArguments {
    /// A code, such as `autonomous_edit`, `R4`, `L1`, `T5`, `testing`, `swe-agent-1.0`
    #[arg(value_name = "CODE")]
    pub code: String,
    /// Also the user rules of this file (may repeat)
    #[arg(long, value_name = "FILE.toml")]
    pub rules: Vec<PathBuf>,
}

impl StudyArguments {
    /// The study that the arguments mean.
    ///
    /// # Errors
    /// The study file or an option is wrong.
    pub fn study(&self) -> Result<Study, CommandError> {
        let mut study = match self.paths.as_slice() {
            [file] if file.extension().is_some_and(|extension| extension == "toml") => {
                study_file::read(file)?
            }
            [] if self.base.is_empty() => {
                return Err(CommandError::Usage(
                    "study needs a study file, folders, or --base DIR --trained DIR; see `ethogram study --help`"
                        .to_owned(),
                ));
            }
            [] => self.two_arms(),
            folders => batch(folders),
        };
        self.common.apply(&mut study)?;
        if let Some(seed) = self.seed {
            study.seed = seed;
        }
        study.rule_files.extend(self.rules.iter().cloned());
        study.rules = Arc::new(rules_file::read(&study.rule_files)?);
        study_file::check_rules_of(&study).map_err(CommandError::Usage)?;
        Ok(study)
    }

    /// `--base DIR… --trained DIR…`: one arm a folder, each base with each trained.
    fn two_arms(&self) -> Study {
        let mut names = Names::default();
        let mut arms = Vec::new();
        for (folders, role, outcomes) in [
            (&self.base, Role::Base, &self.base_outcomes),
            (&self.trained, Role::Trained, &self.trained_outcomes),
        ] {
            for folder in folders {
                let mut arm = arm_of(folder, names.unique(folder));
                arm.role = Some(role);
                if !outcomes.is_empty() {
                    arm.outcomes = Some(outcomes.clone());
                }
                arms.push(arm);
            }
        }
        study_of(arms)
    }
}

/// One arm a folder, no roles, no pairs.
fn batch(folders: &[PathBuf]) -> Study {
    let mut names = Names::default();
    study_of(folders.iter().map(|folder| arm_of(folder, names.unique(folder))).collect())
}

/// Arm names from folder names, made unique by the parent's name, then by number.
#[derive(Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// The name of a folder's arm.
    pub fn unique(&mut self, path: &Path) -> String {
        let mut parts = path.components().rev().filter_map(|part| match part {
            std::path::Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let mut name = parts.next().unwrap_or("arm").to_owned();
        if let Some(stem) = archive_stem(&name) {
            name = stem.to_owned();
        }
        if self.0.contains(&name)
            && let Some(parent) = parts.next()
        {
            name = format!("{parent}/{name}");
        }
        let first = name.clone();
        let mut number = 2;
        while self.0.contains(&name) {
            name = format!("{first}-{number}");
            number += 1;
        }
        self.0.insert(name.clone());
        name
    }
}

fn archive_stem(name: &str) -> Option<&str> {
    [".tar.gz", ".tar.zst", ".tgz", ".tar", ".zip"].iter().find_map(|suffix| name.strip_suffix(suffix))
}

/// A map of foreign keys from its file.
fn map(file: &Path) -> Result<Map, CommandError> {
    let wrong =
        |what: String| CommandError::Usage(format!("cannot use the map `{}`: {what}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let value: serde_json::Value = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    Map::of(&value).map_err(|faults| wrong(faults.join("; ")))
}

impl CommonArguments {
    /// Lays the options over a study.
    ///
    /// # Errors
    /// A policy or a format is not known.
    pub fn apply(&self, study: &mut Study) -> Result<(), CommandError> {
        if let Some(name) = &self.benchmark {
            study.benchmark = Some(name.clone());
        }
        if !self.outcomes.is_empty() {
            for arm in &mut study.arms {
                arm.outcomes = Some(self.outcomes.clone());
            }
        }
        if let Some(word) = &self.duplicates {
            study.duplicates = study_file::duplicate_policy(word).map_err(CommandError::Usage)?;
        }
        study.expect_runs = self.expect_runs.or(study.expect_runs);
        study.threads = self.threads;
        study.reread = self.reread;
        if let Some(name) = &self.format {
            let known: Vec<&str> = crate::formats::FORMATS.iter().map(|format| format.name).collect();
            let name = known.iter().copied().find(|known| known == name).ok_or_else(|| {
                CommandError::Usage(format!("`{name}` is no format; known: {}", known.join(", ")))
            })?;
            study.reading = Reading::Format(name);
        }
        if let Some(file) = &self.map {
            study.reading = Reading::Map(Box::new(map(file)?));
        }
        Ok(())
    }
}
