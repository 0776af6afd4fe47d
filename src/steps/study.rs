//! A study: resolved, validated intent. `cli` makes it from a study file or from arguments; the steps read it.
//! Raw TOML and clap types stay in `cli`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::formats::mapped::{self, Map};
use crate::formats::{self, Format, Input, MAPPED, Read};
use crate::model::{Benchmark, Transfer};

use crate::tags::Rules;

pub use crate::model::series::Role;
pub use crate::outcomes::{Duplicates, Numbering};

/// Where logs of an arm lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSource {
    /// The folder, file or archive that is walked: the arm's root.
    pub root: PathBuf,
    /// Pattern below the root that a log must match; `None` takes every file that a format claims.
    pub pattern: Option<String>,
    /// Benchmark of these logs, where the study says it.
    pub benchmark: Option<String>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Name, unique in the study.
    pub name: String,
    /// Role; a fact of the study, never guessed.
    pub role: Option<Role>,
    /// System (joins columns).
    pub system: Option<String>,
    /// Benchmark of its outcomes where it has no logs, and of logs that name none.
    pub benchmark: Option<String>,
    /// Logs.
    pub logs: Vec<LogSource>,
    /// Outcome files; `None` = they are searched.
    pub outcomes: Option<Vec<PathBuf>>,
    /// Turns copied from a reference.
    pub prefix_turns: usize,
    /// Template of identity (`runs/base/run_{run}/{instance_id}/*`).
    pub path_template: Option<String>,
    /// How runs get their number.
    pub runs: Numbering,
    /// Reward from which a run counts as resolved.
    pub resolved_at: Option<f64>,
    /// What the study varied, and its value in this arm.
    pub factors: BTreeMap<String, String>,
}

/// Arms in an order of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesOfArms {
    /// Name.
    pub name: String,
    /// Points in order.
    pub points: Vec<SeriesPoint>,
    /// File of scores from elsewhere.
    pub external: Option<PathBuf>,
}

/// One point of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesPoint {
    /// Arm.
    pub arm: String,
    /// Stage of the training.
    pub stage: Option<String>,
    /// Position within its stage.
    pub x: Option<f64>,
}

/// A study.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Name.
    pub name: String,
    /// Benchmark of all arms, where said.
    pub benchmark: Option<String>,
    /// Arms in the study's order.
    pub arms: Vec<Arm>,
    /// The study's own rows of benchmarks, which stand before known ones of the same name.
    pub benchmarks: Vec<Benchmark>,
    /// File of figures that are known without runs.
    pub aggregates: Option<PathBuf>,
    /// Series of arms.
    pub series: Vec<SeriesOfArms>,
    /// What training saw.
    pub transfer: Option<Transfer>,
    /// Base and trained arm of each comparison, by name.
    pub pairs: Vec<(String, String)>,
    /// Rows that form a Holm family of their own.
    pub primary: Vec<String>,
    /// Decimals of per cents, where the study overrides the default.
    pub decimals: Option<usize>,
    /// What to do with duplicates.
    pub duplicates: Duplicates,
    /// Runs that the design asks for an instance.
    pub expect_runs: Option<i64>,
    /// Seed of every random number.
    pub seed: u64,
    /// Threads; `None` = one a core.
    pub threads: Option<usize>,
    /// Trust digests, not times.
    pub reread: bool,
    /// How files become logs.
    pub reading: Reading,
    /// Formats that have a strict check are checked, and what breaks it is a refusal.
    pub is_strict: bool,
    /// Rows of outcome files count whatever arm they name (`inspect`, whose paths are no arms).
    pub any_arm: bool,
    /// Files of user rules.
    pub rule_files: Vec<PathBuf>,
    /// The rules of these files.
    pub rules: Arc<Rules>,
}

/// How files become logs.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Reading {
    /// By the format that their content shows.
    #[default]
    Recognised,
    /// All by one format, whatever they look like.
    Format(&'static str),
    /// By a map of foreign keys, where a file holds rows.
    Map(Box<Map>),
}

impl Reading {
    /// The format that is forced on files, where one is.
    pub fn forced(&self) -> Option<&'static Format> {
        match self {
            Reading::Recognised => None,
            Reading::Format(name) => formats::named(name),
            Reading::Map(_) => Some(&MAPPED),
        }
    }

    /// Reads an input of a format.
    pub fn read(&self, format: &'static Format, input: &Input) -> Read {
        match self {
            Reading::Map(map) if format.name == MAPPED.name => mapped::read(map, input),
            _ => formats::read(format, input),
        }
    }
}

impl Study {
    /// The default comparisons: every base with every trained arm.
    pub fn default_pairs(arms: &[Arm]) -> Vec<(String, String)> {
        let of = |role: Role| arms.iter().filter(move |arm| arm.role == Some(role));
        of(Role::Base)
            .flat_map(|base| of(Role::Trained).map(|trained| (base.name.clone(), trained.name.clone())))
            .collect()
    }

    /// Neighbours of every series, for `pairs = "series"`.
    pub fn series_pairs(series: &[SeriesOfArms]) -> Vec<(String, String)> {
        let neighbours = |series: &SeriesOfArms| -> Vec<(String, String)> {
            series.points.windows(2).map(|two| (two[0].arm.clone(), two[1].arm.clone())).collect()
        };
        series.iter().flat_map(neighbours).collect()
    }
}

/// The word of a policy for duplicates, in options and in the foot.
pub const fn duplicates_word(policy: Duplicates) -> &'static str {
    match policy {
        Duplicates::Refuse => "refuse",
        Duplicates::First => "first",
        Duplicates::Last => "last",
        Duplicates::AsRuns => "as-runs",
    }
}
