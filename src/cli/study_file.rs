//! The study file: raw TOML types, and how they become a `Study` (`interface.md`, study file). Unknown keys are
//! errors with the nearest known name; paths are relative to the file.

mod transfer;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::error::CommandError;
use crate::behaviours::{self, BEHAVIOURS};
use crate::model::nearest::nearest_hint;
use crate::steps::external_file;
use crate::steps::study::{Arm, Duplicates, LogSource, Numbering, Reading, Role, Study, duplicates_word};
use crate::tags::rules::BEHAVIOUR_PREFIX;

/// Seed of a study that names none.
pub const DEFAULT_SEED: u64 = 1;

/// Keys of the interface that belong to tables and tests this version does not make yet: they are refused by name, so that
/// nobody believes that they were used.
const LATER: [&str; 3] = ["instances", "policy", "runs_share"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStudy {
    name: Option<String>,
    benchmark: Option<String>,
    #[serde(default)]
    arm: Vec<RawArm>,
    #[serde(default)]
    arms: Vec<RawArms>,
    compare: Option<RawCompare>,
    report: Option<RawReport>,
    duplicates: Option<String>,
    expect_runs: Option<i64>,
    seed: Option<u64>,
    rules: Option<OneOrMany>,
    benchmarks: Option<String>,
    aggregates: Option<String>,
    #[serde(default)]
    series: Vec<transfer::RawSeries>,
    transfer: Option<transfer::RawTransfer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArm {
    name: String,
    role: Option<String>,
    benchmark: Option<String>,
    logs: Option<RawLogs>,
    outcomes: Option<OneOrMany>,
    #[serde(default)]
    prefix_turns: usize,
    path: Option<String>,
    system: Option<String>,
    runs: Option<RawRuns>,
    resolved_at: Option<f64>,
    #[serde(default)]
    factors: BTreeMap<String, transfer::RawLevel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArms {
    logs: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCompare {
    pairs: Option<RawPairs>,
    #[serde(default)]
    primary: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawReport {
    decimals: Option<usize>,
}

/// Small values of a study file may be written in more than one way; the file is small, so buffering is free.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a string or a list of strings")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "\"series\" or a list of pairs of arms")]
enum RawPairs {
    Word(String),
    List(Vec<(String, String)>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a pattern, or a list of patterns and of tables with `path` and `benchmark`")]
enum RawLogs {
    One(String),
    Many(Vec<RawLog>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a pattern, or a table with `path` and `benchmark`")]
enum RawLog {
    Pattern(String),
    Of { benchmark: Option<String>, path: String },
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "\"rank\" or a list of names of runs")]
enum RawRuns {
    Word(String),
    Names(Vec<String>),
}

impl RawLog {
    /// A pattern that names `{run}` or `{instance_id}` is the template of identity too.
    fn template(&self) -> Option<String> {
        let (RawLog::Pattern(path) | RawLog::Of { path, .. }) = self;
        names_identity(path).then(|| path.clone())
    }
}

fn names_identity(pattern: &str) -> bool {
    pattern.contains("{run}") || pattern.contains("{instance_id}")
}

impl OneOrMany {
    fn into_vec(self) -> Vec<String> {
        match self {
            OneOrMany::One(value) => vec![value],
            OneOrMany::Many(values) => values,
        }
    }
}

/// More decimals of a percentage than this say nothing.
const MOST_DECIMALS: usize = 9;

/// Reads a study file.
///
/// # Errors
/// The file cannot be read, is no TOML, has an unknown key or value, or names an arm twice.
pub fn read(path: &Path) -> Result<Study, CommandError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| CommandError::StudyUnreadable { path: path.to_owned(), source })?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    parse(&text, &folder).map_err(|what| {
        CommandError::Usage(format!("cannot use the study file `{}`: {what}", path.display()))
    })
}

/// Parses the text of a study file that lies in `folder`.
fn parse(text: &str, folder: &Path) -> Result<Study, String> {
    let raw: RawStudy = toml::from_str(text).map_err(|error| explain(&error))?;
    let mut arms = raw.arm.into_iter().map(|arm| resolve_arm(arm, folder)).collect::<Result<Vec<_>, _>>()?;
    for many in raw.arms {
        arms.extend(expand_arms(&many.logs, folder)?);
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = arms.iter().find(|arm| !names.insert(arm.name.clone())) {
        return Err(format!("the arm `{}` is named twice; give each arm a name of its own", twice.name));
    }
    if arms.is_empty() {
        return Err("it names no arm; add an [[arm]] with `name` and `logs`".to_owned());
    }
    check_values(&arms, raw.benchmark.as_deref(), raw.report.as_ref())?;
    let own = |file: String| external_file::benchmarks(&folder.join(file)).map_err(|error| error.to_string());
    let benchmarks = raw.benchmarks.map(own).transpose()?.unwrap_or_default();
    let known: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    let series = transfer::series(raw.series, &known, folder)?;
    let compare = raw.compare.unwrap_or(RawCompare { pairs: None, primary: Vec::new() });
    let pairs = match compare.pairs {
        None => Study::default_pairs(&arms),
        Some(RawPairs::List(pairs)) => pairs,
        Some(RawPairs::Word(word)) if word == "series" => Study::series_pairs(&series),
        Some(RawPairs::Word(word)) => {
            return Err(format!(
                "[compare] pairs = \"{word}\" is not known; write \"series\" or a list of pairs"
            ));
        }
    };
    for name in pairs.iter().flat_map(|(base, trained)| [base, trained]) {
        if !arms.iter().any(|arm| arm.name == *name) {
            return Err(format!(
                "[compare] names the arm `{name}`, which is none{}",
                nearest_hint(name, &known)
            ));
        }
    }
    if let Some(code) = compare.primary.iter().find(|code| behaviours::find(code).is_none()) {
        let known: Vec<&str> = BEHAVIOURS.iter().map(|behaviour| behaviour.code).collect();
        return Err(format!(
            "[compare] primary names `{code}`, which is no behaviour{}",
            nearest_hint(code, &known)
        ));
    }
    Ok(Study {
        name: raw.name.unwrap_or_else(|| folder_name(folder)),
        benchmark: raw.benchmark,
        aggregates: raw.aggregates.map(|file| folder.join(file)),
        series,
        transfer: raw.transfer.map(|raw| transfer::transfer(raw, &benchmarks)).transpose()?,
        benchmarks,
        arms,
        pairs,
        primary: compare.primary,
        decimals: raw.report.and_then(|report| report.decimals),
        duplicates: raw.duplicates.as_deref().map_or(Ok(Duplicates::Refuse), duplicate_policy)?,
        expect_runs: raw.expect_runs,
        seed: raw.seed.unwrap_or(DEFAULT_SEED),
        threads: None,
        reread: false,
        reading: Reading::Recognised,
        is_strict: false,
        any_arm: false,
        rule_files: raw
            .rules
            .map(|files| files.into_vec().iter().map(|file| folder.join(file)).collect())
            .unwrap_or_default(),
        rules: Arc::default(),
    })
}

/// A primary row of a user rule needs its rule, which is read after the study file.
///
/// # Errors
/// A primary row names a rule that no file has.
pub fn check_rules_of(study: &Study) -> Result<(), String> {
    let versions = study.rules.versions();
    let mut named = study.primary.iter().filter_map(|code| code.strip_prefix(BEHAVIOUR_PREFIX));
    match named.find(|code| !versions.contains_key(*code)) {
        Some(code) => {
            let known: Vec<&str> = versions.keys().map(String::as_str).collect();
            Err(format!(
                "[compare] primary names the user rule `{code}`, which no file of rules has{}",
                nearest_hint(code, &known)
            ))
        }
        None => Ok(()),
    }
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().map_or_else(|| "study".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn resolve_arm(raw: RawArm, folder: &Path) -> Result<Arm, String> {
    let role = raw.role.as_deref().map(role).transpose()?;
    let patterns = match raw.logs {
        None => Vec::new(),
        Some(RawLogs::One(pattern)) => vec![RawLog::Pattern(pattern)],
        Some(RawLogs::Many(many)) => many,
    };
    let template = patterns.iter().find_map(RawLog::template);
    let logs = patterns
        .into_iter()
        .map(|log| match log {
            RawLog::Pattern(pattern) => log_source(&pattern, raw.benchmark.clone(), folder),
            RawLog::Of { benchmark, path } => log_source(&path, benchmark.or(raw.benchmark.clone()), folder),
        })
        .collect();
    let runs = match raw.runs {
        None => Numbering::Auto,
        Some(RawRuns::Word(word)) if word == "rank" => Numbering::Rank,
        Some(RawRuns::Word(word)) => {
            return Err(format!(
                "`runs = \"{word}\"` of arm `{}` is not known; write \"rank\" or a list",
                raw.name
            ));
        }
        Some(RawRuns::Names(names)) => Numbering::Named(names),
    };
    Ok(Arm {
        role,
        system: raw.system,
        benchmark: raw.benchmark,
        factors: transfer::factors(raw.factors),
        path_template: raw.path.or(template),
        logs,
        outcomes: raw.outcomes.map(|files| files.into_vec().iter().map(|file| folder.join(file)).collect()),
        prefix_turns: raw.prefix_turns,
        runs,
        resolved_at: raw.resolved_at,
        name: raw.name,
    })
}

/// A folder, file or archive, or a pattern whose root is the longest part without a wildcard.
pub fn log_source(path: &str, benchmark: Option<String>, folder: &Path) -> LogSource {
    let mut root = PathBuf::new();
    let mut pattern: Vec<&str> = Vec::new();
    for part in Path::new(path) {
        let text = part.to_str().unwrap_or_default();
        if pattern.is_empty() && !text.contains(['*', '?', '[', '{']) {
            root.push(part);
        } else {
            pattern.push(text);
        }
    }
    let pattern =
        (!pattern.is_empty()).then(|| pattern.join("/").replace("{run}", "*").replace("{instance_id}", "*"));
    LogSource { root: folder.join(root), pattern, benchmark }
}

/// `[[arms]]`: one arm a value of `{arm}` in the pattern, in natural order.
fn expand_arms(pattern: &str, folder: &Path) -> Result<Vec<Arm>, String> {
    let Some((before, after)) = pattern.split_once("{arm}") else {
        return Err(
            "`[[arms]] logs` needs `{arm}` in its pattern, such as \"ckpt/{arm}/**/*.traj\"".to_owned()
        );
    };
    let (parent, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let suffix = after.split('/').next().unwrap_or_default();
    let parent_folder = folder.join(parent);
    let mut names: Vec<String> = std::fs::read_dir(&parent_folder)
        .map_err(|error| format!("cannot read `{}` for {{arm}}: {error}", parent_folder.display()))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_prefix(prefix)?.strip_suffix(suffix)?.to_owned()))
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_by_cached_key(|name| natural_key(name));
    names.dedup();
    Ok(names
        .into_iter()
        .map(|name| {
            let logs = pattern.replacen("{arm}", &name, 1);
            Arm {
                role: None,
                system: None,
                benchmark: None,
                factors: BTreeMap::new(),
                logs: vec![log_source(&logs, None, folder)],
                outcomes: None,
                prefix_turns: 0,
                path_template: names_identity(&logs).then_some(logs),
                runs: Numbering::Auto,
                resolved_at: None,
                name,
            }
        })
        .collect())
}

/// Natural order: `step-9` before `step-10`.
fn natural_key(name: &str) -> Vec<(u64, String)> {
    let mut key: Vec<(u64, String)> = vec![(0, String::new())];
    for character in name.chars() {
        match (character.to_digit(10), key.last_mut()) {
            (Some(digit), Some((number, text))) if text.is_empty() => {
                *number = number.saturating_mul(10).saturating_add(u64::from(digit));
            }
            (Some(digit), _) => key.push((u64::from(digit), String::new())),
            (None, Some((_, text))) => text.push(character),
            (None, None) => {}
        }
    }
    key
}

/// Values that fit their type and no study: they would end the run late, or make a report that nobody can read.
fn check_values(arms: &[Arm], benchmark: Option<&str>, report: Option<&RawReport>) -> Result<(), String> {
    if arms.iter().any(|arm| arm.name.is_empty()) {
        return Err("an arm has an empty name; give each arm a name of its own".to_owned());
    }
    if benchmark == Some("") {
        return Err("`benchmark` is empty; name it or leave it out".to_owned());
    }
    if let Some(arm) = arms.iter().find(|arm| arm.resolved_at.is_some_and(|least| !least.is_finite())) {
        return Err(format!("`resolved_at` of the arm `{}` is no finite number", arm.name));
    }
    match report.and_then(|report| report.decimals) {
        Some(decimals) if decimals > MOST_DECIMALS => {
            Err(format!("`decimals` is {decimals}; at most {MOST_DECIMALS} are printed"))
        }
        _ => Ok(()),
    }
}

fn role(word: &str) -> Result<Role, String> {
    match word {
        "base" => Ok(Role::Base),
        "trained" => Ok(Role::Trained),
        _ => Err(format!("the role `{word}` is not known; write \"base\", \"trained\", or leave it out")),
    }
}

/// The policy of a word of `--duplicates` or `duplicates = …`.
pub fn duplicate_policy(word: &str) -> Result<Duplicates, String> {
    [Duplicates::First, Duplicates::Last, Duplicates::AsRuns]
        .into_iter()
        .find(|policy| duplicates_word(*policy) == word)
        .ok_or_else(|| format!("`{word}` is no policy for duplicates; write first, last or as-runs"))
}

/// The message of a TOML error, with the nearest known key for an unknown one.
fn explain(error: &toml::de::Error) -> String {
    let message = error.message();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let place = error.span().map_or(String::new(), |span| format!(" (byte {})", span.start));
    match quoted.split_first() {
        Some((key, _)) if message.starts_with("unknown field") && LATER.contains(key) => {
            format!("`{key}` is not read by this version yet{place}; leave it out")
        }
        Some((key, known)) if message.starts_with("unknown field") => {
            format!("`{key}` is no key{place}{}", nearest_hint(key, known))
        }
        _ => format!("{}{place}", message.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let error = parse("nam = \"x\"\n[[arm]]\nname = \"a\"\nlogs = \"a\"", Path::new("f")).unwrap_err();
        assert!(error.contains("did you mean `name`?"), "{error}");
        let error = parse("[[arm]]\nname = \"a\"\nlog = \"a\"", Path::new("f")).unwrap_err();
        assert!(error.contains("did you mean `logs`?"), "{error}");
    }

    #[test]
    fn a_key_that_nothing_uses_is_refused() {
        let text = "[[arm]]\nname = \"a\"\nlogs = \"a\"\n[compare]\nruns_share = \"seed\"";
        let error = parse(text, Path::new("f")).unwrap_err();
        assert!(error.contains("`runs_share` is not read by this version yet"), "{error}");
    }

    #[test]
    fn a_primary_row_is_a_behaviour() {
        let arm = "[[arm]]\nname = \"a\"\nlogs = \"a\"\n[compare]\nprimary = ";
        let error = parse(&format!("{arm}[\"autonomous_edits\"]"), Path::new("f")).unwrap_err();
        assert!(error.contains("did you mean `autonomous_edit`?"), "{error}");
        assert!(parse(&format!("{arm}[\"autonomous_edit\"]"), Path::new("f")).is_ok());
    }

    #[test]
    fn a_pattern_is_split_at_the_first_wildcard() {
        let source = log_source("runs/base/**/*.traj", None, Path::new("s"));
        assert_eq!(source.root, Path::new("s/runs/base"));
        assert_eq!(source.pattern.as_deref(), Some("**/*.traj"));
        assert_eq!(log_source("runs/base", None, Path::new("s")).pattern, None);
    }

    #[test]
    fn every_base_is_compared_with_every_trained() {
        let text = "[[arm]]\nname=\"a\"\nrole=\"base\"\nlogs=\"a\"\n[[arm]]\nname=\"b\"\nrole=\"trained\"\nlogs=\"b\"\n\
                    [[arm]]\nname=\"c\"\nlogs=\"c\"";
        let study = parse(text, Path::new("f")).unwrap();
        assert_eq!(study.pairs, [("a".to_owned(), "b".to_owned())]);
    }

    #[test]
    fn numbers_sort_as_numbers() {
        let mut names = ["step-10", "step-9", "base"];
        names.sort_by_cached_key(|name| natural_key(name));
        assert_eq!(names, ["base", "step-9", "step-10"]);
    }
}
