//! `ethogram labels`: what the rules said of labelled turns against what readers said, with every disagreement; and sheets of
//! turns for readers, blind to the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::arguments::{LabelsArguments, LabelsWere};
use super::error::{CommandError, Exit};
use super::show::{self, Tags};
use super::study_file::DEFAULT_SEED;
use super::{compare, output};
use crate::data::accuracy::LabelUse;
use crate::measure::labels::{self, Drawn, LabelSet, Pair};
use crate::model::turn_lines;
use crate::report::{self, Disagreement, LabelReport, Screen};
use crate::steps::labels as looked_up;
use crate::store::{Store, StoredLog};

/// Bytes of a text of a turn that is listed; readers get more, since they judge by it.
const LISTED: usize = 2_000;
const READ: usize = 12_000;

/// Columns in which every table fits.
const WHOLE: usize = 160;

/// Runs the command.
pub fn run(arguments: &LabelsArguments) -> Result<Exit, CommandError> {
    let store = Store::open(&arguments.store)?;
    match (arguments.sample, &arguments.file) {
        (Some(count), _) => sample(&store, count, arguments),
        (None, Some(file)) => measure(&store, file, arguments),
        (None, None) => Err(CommandError::Usage("labels needs a file of labels, or --sample N".to_owned())),
    }
}

fn measure(store: &Store, file: &Path, arguments: &LabelsArguments) -> Result<Exit, CommandError> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        CommandError::Usage(format!("cannot read the labels `{}`: {error}", file.display()))
    })?;
    let labels = labels::parse(&text);
    let mut left_out: Vec<String> =
        labels.refused.iter().map(|line| format!("line {}: {}", line.line, line.why)).collect();
    let found = looked_up::matched(store, labels.labels)?;
    left_out.extend(found.missing.iter().map(|(item, why)| format!("{item}: {why}")));
    let has_refusals = !left_out.is_empty();
    if labels.empty > 0 {
        left_out.push(format!("{} turns of the sheet have no label yet", labels.empty));
    }
    for why in &left_out {
        output::error(&format!("left out: {why}"));
    }
    if found.pairs.is_empty() {
        output::error("no labelled turn is in the store");
        return Ok(Exit::Nothing);
    }
    let disagreements = disagreements(store, &found.pairs)?;
    let report = LabelReport {
        tables: &labels::tables(&found.pairs),
        disagreements: &disagreements,
        turns: found.pairs.len(),
        left_out: &left_out,
    };
    output::print(&report::labels_text(report, screen()))?;
    if let Some(path) = &arguments.html {
        write(path, &report::labels_page(report), true)?;
    }
    if let Some(path) = &arguments.accuracy {
        let rows = labels::accuracy(&found.pairs, &set(file, arguments));
        write(path, &report::accuracy_csv(&rows), true)?;
    }
    Ok(if has_refusals { Exit::Refusals } else { Exit::Done })
}

/// The set of labels, named after its file.
fn set(file: &Path, arguments: &LabelsArguments) -> LabelSet {
    LabelSet {
        name: file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        date: arguments.measured.clone().unwrap_or_default(),
        labels: match arguments.were {
            Some(LabelsWere::HeldBack) => LabelUse::HeldBack,
            Some(LabelsWere::Tuned) | None => LabelUse::Tuned,
        },
    }
}

/// In a pipe no column is left out.
fn screen() -> Screen {
    let screen = compare::screen();
    if output::is_terminal() { screen } else { Screen { width: WHOLE, ..screen } }
}

/// The turns that differ, each as the log has it.
fn disagreements(store: &Store, pairs: &[Pair]) -> Result<Vec<Disagreement>, CommandError> {
    let apart: Vec<_> = pairs
        .iter()
        .map(|pair| (pair, labels::differences(pair)))
        .filter(|(_, differences)| !differences.is_empty())
        .collect();
    let ids: BTreeSet<&str> = apart.iter().map(|(pair, _)| pair.trajectory.as_str()).collect();
    let logs = show::logs(store, &ids)?;
    let tags = Tags::read(store, &ids)?;
    let listed = apart.into_iter().map(|(pair, differences)| Disagreement {
        item: pair.label.item.clone(),
        trajectory: pair.trajectory.clone(),
        turn: pair.turn,
        format: pair.format.clone(),
        hard: pair.label.hard.clone(),
        differences,
        evidence: logs.get(&pair.trajectory).map(|log| evidence(log, pair.turn, &tags)).unwrap_or_default(),
    });
    Ok(listed.collect())
}

fn evidence(stored: &StoredLog, turn: usize, tags: &Tags) -> String {
    let parts = turn_lines::print_parts(&stored.log, Some(LISTED), |turn| tags.marks(&stored.id, turn));
    let lines = parts.turns.get(turn).cloned().unwrap_or_default();
    let below = stored.log.turns.get(turn).map(|logged| tags.evidence(&stored.id, turn, logged));
    lines + &below.unwrap_or_default()
}

/// Writes a sheet; one that is there may be filled in, and is never written over.
fn sample(store: &Store, count: usize, arguments: &LabelsArguments) -> Result<Exit, CommandError> {
    let drawn = looked_up::sample(store, count, arguments.seed.unwrap_or(DEFAULT_SEED))?;
    if drawn.is_empty() {
        output::error("the store has no turn of a model to draw");
        return Ok(Exit::Nothing);
    }
    let ids: BTreeSet<&str> = drawn.iter().map(|turn| turn.trajectory.as_str()).collect();
    let logs = show::logs(store, &ids)?;
    let (lines, text) = sheet(&drawn, &logs, &arguments.store);
    let beside = |extension: &str| {
        let mut name = arguments.out.clone().into_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    write(&beside(".jsonl"), &lines, false)?;
    write(&beside(".txt"), &text, false)?;
    let formats: BTreeSet<&str> = drawn.iter().map(|turn| turn.format.as_str()).collect();
    output::print(&format!(
        "{} turns of {} formats: fill in {}, reading {}\n",
        drawn.len(),
        formats.len(),
        beside(".jsonl").display(),
        beside(".txt").display()
    ))?;
    Ok(Exit::Done)
}

/// The empty labels, and the turns as text, in one order. No tag stands in either.
fn sheet(drawn: &[Drawn], logs: &BTreeMap<String, StoredLog>, store: &Path) -> (String, String) {
    let (mut lines, mut text) = (String::new(), String::new());
    for (place, turn) in drawn.iter().enumerate() {
        let Some(stored) = logs.get(&turn.trajectory) else { continue };
        let label = labels::empty(&turn.trajectory, turn.turn, &turn.format, &stored.file);
        lines.push_str(&format!("{label}\n"));
        let parts = turn_lines::print_parts(&stored.log, Some(READ), |_| String::new());
        let shown = parts.turns.get(turn.turn).cloned().unwrap_or_default();
        text.push_str(&format!(
            "## {}. {}:{}\n# {}, {}, instance {}, turn {} of {}\n# whole run: ethogram show {} {}\n{}\n",
            place + 1,
            turn.trajectory,
            turn.turn,
            turn.format,
            stored.file,
            stored.key.instance_id,
            turn.turn,
            stored.log.turns.len(),
            store.display(),
            turn.trajectory,
            shown
        ));
    }
    (lines, output::visible(&text))
}

fn write(path: &Path, text: &str, over: bool) -> Result<(), CommandError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true);
    let options = if over { options.create(true).truncate(true) } else { options.create_new(true) };
    options
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| CommandError::Output { what: format!("`{}`", path.display()), source })
}
