//! The files of an arm: walked, named, and told apart into those that a log may be in and the rest, in which outcomes are
//! searched (`interface.md`, outcomes are searched).

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::error::StepError;
use super::study::{Arm, LogSource};
use crate::model::{Problem, Weight};
use crate::outcomes::{PathTemplate, TemplateError, is_searched_in_parent};
use crate::sources::{self, SourceFile, SourceKind};

/// One file of an arm.
#[derive(Clone, Debug)]
pub struct ArmFile {
    /// How it is opened.
    pub source: SourceFile,
    /// Path as given, joined with what lies below it.
    pub shown: String,
    /// Path below the arm's root with `/`; a file of the root's parent begins with `../`.
    pub relative: String,
    /// A log may be in it: it matches the study's pattern.
    pub may_be_log: bool,
}

/// All files of one arm on one benchmark.
#[derive(Clone, Debug, Default)]
pub struct ArmFiles {
    /// Files, sorted.
    pub files: Vec<ArmFile>,
    /// Files of the root's parent that may hold outcomes, tried where nothing is found below.
    pub parents: Vec<ArmFile>,
    /// What could not be walked.
    pub problems: Vec<Problem>,
    /// The benchmark that the study names for these logs.
    pub benchmark: Option<String>,
    /// Roots as given, for messages.
    pub roots: Vec<PathBuf>,
}

/// Walks the logs of an arm; sources of one benchmark belong together.
///
/// # Errors
/// A pattern is wrong. A root that cannot be walked is a problem, and an arm without files is refused later.
pub fn walk(arm: &Arm) -> Result<Vec<ArmFiles>, StepError> {
    let mut groups: Vec<ArmFiles> = Vec::new();
    let common = common_root(&arm.logs);
    for source in &arm.logs {
        let place =
            groups.iter().position(|group| group.benchmark == source.benchmark).unwrap_or_else(|| {
                groups.push(ArmFiles { benchmark: source.benchmark.clone(), ..ArmFiles::default() });
                groups.len() - 1
            });
        if let Some(group) = groups.get_mut(place) {
            walk_source(arm, source, &common, group)?;
        }
    }
    if groups.is_empty() {
        // Outcomes alone.
        groups.push(ArmFiles { benchmark: arm.benchmark.clone(), ..ArmFiles::default() });
    }
    for group in &mut groups {
        group.files.sort_by(|left, right| left.relative.cmp(&right.relative));
        group
            .files
            .dedup_by(|left, right| left.source.path == right.source.path && left.relative == right.relative);
    }
    Ok(groups)
}

fn walk_source(arm: &Arm, source: &LogSource, common: &Path, group: &mut ArmFiles) -> Result<(), StepError> {
    group.roots.push(source.root.clone());
    let matcher = source.pattern.as_deref().map(|pattern| matcher(arm, pattern)).transpose()?;
    let walk = match sources::walk(&source.root) {
        Ok(walk) => walk,
        Err(error) => {
            let mut problem = Problem::new(Weight::Refused, "", error.to_string());
            problem.file = source.root.display().to_string();
            group.problems.push(problem);
            return Ok(());
        }
    };
    let is_file = source.root.is_file();
    let folder = if is_file { source.root.parent().unwrap_or(Path::new("")) } else { &source.root };
    let below = folder.strip_prefix(common).unwrap_or(Path::new(""));
    let prefix = slashes(below);
    group.problems.extend(walk.problems.into_iter().map(|mut problem| {
        problem.file = source.root.join(&problem.file).display().to_string();
        problem
    }));
    for file in walk.files {
        let relative = join(&prefix, &file.relative);
        let may_be_log = matcher.as_ref().is_none_or(|matcher| matches(matcher, &file));
        let shown = file.path.display().to_string();
        group.files.push(ArmFile { shown, relative, may_be_log, source: file });
    }
    beside(source, is_file, folder, group);
    Ok(())
}

/// Files that may hold outcomes: beside a file that was named, else in the parent of a folder.
fn beside(source: &LogSource, is_file: bool, folder: &Path, group: &mut ArmFiles) {
    if SourceKind::of(&source.root.to_string_lossy()) == SourceKind::Archive {
        return;
    }
    let searched = if is_file { Some(folder.to_owned()) } else { parent(folder) };
    let Some(searched) = searched else { return };
    let Ok(entries) =
        std::fs::read_dir(if searched.as_os_str().is_empty() { Path::new(".") } else { &searched })
    else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                // Where harnesses put their reports: never the folder of another arm.
                is_file || name == "evaluation" || (name == "logs" && path.join("run_evaluation").is_dir())
            } else {
                !(is_file && name.ends_with(".traj")) && *path != source.root
            }
        })
        .collect();
    paths.sort();
    for path in paths {
        let inner =
            if path.ends_with("logs") && !is_file { path.join("run_evaluation") } else { path.clone() };
        let Ok(walk) = sources::walk(&inner) else { continue };
        for file in walk.files {
            let name = slashes(file.path.strip_prefix(&searched).unwrap_or(&file.path));
            if !is_file && !is_searched_in_parent(&name) {
                continue;
            }
            let relative = if is_file { name } else { format!("../{name}") };
            let shown = file.path.display().to_string();
            let list = if is_file { &mut group.files } else { &mut group.parents };
            if !list.iter().any(|known| known.source.path == file.path) {
                list.push(ArmFile { shown, relative, may_be_log: false, source: file });
            }
        }
    }
}

/// The parent of a folder as the user's path has it; `runs` has the parent "" and `.` has none that was named.
fn parent(folder: &Path) -> Option<PathBuf> {
    let parent = folder.parent()?;
    folder.file_name()?;
    Some(parent.to_owned())
}

fn matcher(arm: &Arm, pattern: &str) -> Result<GlobMatcher, StepError> {
    GlobBuilder::new(pattern).literal_separator(true).build().map(|glob| glob.compile_matcher()).map_err(
        |error| StepError::Pattern {
            arm: arm.name.clone(),
            pattern: pattern.to_owned(),
            why: error.to_string(),
        },
    )
}

/// A pattern names the log with or without the ending of its compression; members of archives are asked later.
fn matches(matcher: &GlobMatcher, file: &SourceFile) -> bool {
    let bare =
        |name: &str| [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned();
    file.kind == SourceKind::Archive
        || matcher.is_match(&file.relative)
        || matcher.is_match(bare(&file.relative))
}

/// The longest folder that holds all roots.
fn common_root(sources: &[LogSource]) -> PathBuf {
    let folder = |source: &LogSource| {
        if source.root.is_file() {
            source.root.parent().map(Path::to_owned).unwrap_or_default()
        } else {
            source.root.clone()
        }
    };
    let mut folders = sources.iter().map(folder);
    let Some(mut common) = folders.next() else { return PathBuf::new() };
    for other in folders {
        while !other.starts_with(&common) {
            if !common.pop() {
                return PathBuf::new();
            }
        }
    }
    common
}

fn join(prefix: &str, relative: &str) -> String {
    if prefix.is_empty() { relative.to_owned() } else { format!("{prefix}/{relative}") }
}

fn slashes(path: &Path) -> String {
    path.components()
        .filter_map(|part| match part {
            std::path::Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join("/")
}

/// Outcome files that the study names, each with the run that `{run}` in its path gives.
///
/// # Errors
/// A pattern is wrong.
pub fn named_outcomes(arm: &Arm, names: &[PathBuf]) -> Result<Vec<(ArmFile, Option<i64>)>, StepError> {
    let mut found = Vec::new();
    for name in names {
        let text = name.to_string_lossy();
        let template = text.contains('{').then(|| PathTemplate::parse(&text)).transpose()?;
        let pattern = text.replace("{run}", "*").replace("{instance_id}", "*").replace("{arm}", &arm.name);
        let source = LogSource { root: PathBuf::new(), pattern: None, benchmark: None };
        let source = split(&pattern, source);
        let matcher = source.pattern.as_deref().map(|pattern| matcher(arm, pattern)).transpose()?;
        let walk = sources::walk(&source.root)?;
        let roots: Vec<&Path> = arm.logs.iter().map(|logs| logs.root.as_path()).collect();
        for file in walk.files {
            if matcher.as_ref().is_some_and(|matcher| !matches(matcher, &file)) {
                continue;
            }
            let shown = file.path.display().to_string();
            let run = template.as_ref().and_then(|template| template.find(&shown)?.run);
            let relative = roots
                .iter()
                .find_map(|root| file.path.strip_prefix(root).ok())
                .map_or_else(|| file.relative.clone(), slashes);
            found.push((ArmFile { shown, relative, may_be_log: false, source: file }, run));
        }
    }
    Ok(found)
}

/// Splits a pattern at its first wildcard.
fn split(pattern: &str, mut source: LogSource) -> LogSource {
    let mut rest: Vec<String> = Vec::new();
    for part in Path::new(pattern) {
        let text = part.to_string_lossy();
        if rest.is_empty() && !text.contains(['*', '?', '[']) {
            source.root.push(part);
        } else {
            rest.push(text.into_owned());
        }
    }
    source.pattern = (!rest.is_empty()).then(|| rest.join("/"));
    source
}

/// The template of an arm.
///
/// # Errors
/// It is wrong.
pub fn template(arm: &Arm) -> Result<Option<PathTemplate>, TemplateError> {
    arm.path_template.as_deref().map(PathTemplate::parse).transpose()
}
