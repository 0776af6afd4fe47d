//! The study's own tables: figures without runs, factors, series and scores from elsewhere, read once and written with
//! the arms (`interface.md`, The store). What training saw goes into the settings of the store, so that a report of the
//! store alone makes the same tables.

use std::collections::{BTreeMap, BTreeSet};

use super::counts_file;
use super::error::StepError;
use super::external_file::{self, External};
use super::study::Study;
use crate::data::benchmarks::settle_with;
use crate::measure::aggregates::Total;
use crate::model::{Benchmark, Problem, Transfer};
use crate::store::{Contents, Input, Noted, Store, StoreWriter};

/// Tables that a study fills by itself.
pub const STUDY_TABLES: [&str; 4] = ["aggregates", "factors", "series", "external"];

/// Setting that holds everything on which these tables rest.
const SETTING: &str = "study tables";

/// Refused rows that an error names; `left_out.csv` has all where there is a report.
const NAMED_PROBLEMS: usize = 5;

/// Settings of what training saw.
const COLLECTED_UNTIL: &str = "transfer collected_until";
const RELEASED_AFTER: &str = "transfer released_after";
const HARNESSES_SEEN: &str = "transfer harnesses_seen";
const FAMILY_MEMBER: &str = "transfer family_member";

/// What a study says beside its logs.
pub struct StudyTables {
    aggregates: Vec<Total>,
    external: Vec<(String, External)>,
    problems: Vec<Problem>,
    inputs: Vec<Input>,
}

/// Reads the files that a study names for its tables.
///
/// # Errors
/// A file cannot be read, or its head is not understood.
pub fn read(study: &Study) -> Result<StudyTables, StepError> {
    let mut tables = StudyTables {
        aggregates: Vec::new(),
        external: Vec::new(),
        problems: Vec::new(),
        inputs: Vec::new(),
    };
    if let Some(counts) = counts_file::read(study)? {
        tables.aggregates = counts.rows;
        tables.problems.extend(counts.problems);
        tables.inputs.push(counts.input);
    }
    for series in &study.series {
        let Some(path) = &series.external else { continue };
        let arms: Vec<&str> = series.points.iter().map(|point| point.arm.as_str()).collect();
        let (scores, problems, input) = external_file::scores(path, &arms)?;
        tables.external.extend(scores.into_iter().map(|score| (series.name.clone(), score)));
        tables.problems.extend(problems);
        if !tables.inputs.iter().any(|known| known.path == input.path) {
            tables.inputs.push(input);
        }
    }
    Ok(tables)
}

impl StudyTables {
    /// Whether a figure of an arm is known.
    pub fn knows(&self, arm: &str) -> bool {
        self.aggregates.iter().any(|row| row.arm == arm)
    }

    /// Where figures were looked for, and which rows were refused: for an arm of which nothing is known.
    pub fn looked_in(&self) -> Vec<String> {
        let refused = |problem: &Problem| format!("`{}` ({}: {})", problem.file, problem.place, problem.what);
        let files = self.inputs.iter().filter(|input| input.read_as == counts_file::READ_AS);
        files
            .map(|input| format!("`{}`", input.path))
            .chain(self.problems.iter().take(NAMED_PROBLEMS).map(refused))
            .collect()
    }

    /// The benchmarks that figures are on.
    pub fn benchmarks(&self, study: &Study) -> BTreeMap<String, Benchmark> {
        let names: BTreeSet<&str> = self.aggregates.iter().map(|row| row.benchmark.as_str()).collect();
        let row = |name| settle_with(&study.benchmarks, Some(name), &[]).benchmark;
        names.into_iter().map(|name| (name.to_owned(), row(name))).collect()
    }

    /// The tables rest on these words; equal words give equal tables.
    pub fn settings(&self, study: &Study) -> BTreeMap<String, String> {
        let digests: Vec<&str> = self.inputs.iter().map(|input| input.digest.as_str()).collect();
        let factors: Vec<_> = study.arms.iter().map(|arm| (&arm.name, &arm.factors)).collect();
        let words = format!(
            "{digests:?} {factors:?} {:?} {:?} {:?} {:?}",
            study.series, study.benchmarks, study.benchmark, study.aggregates
        );
        let mut settings = BTreeMap::from([(SETTING.to_owned(), words)]);
        settings.extend(study.transfer.iter().flat_map(transfer_settings));
        settings
    }

    /// Whether a store holds the same tables.
    pub fn are_those_of(&self, study: &Study, contents: &Contents) -> bool {
        let stored: BTreeMap<String, String> = contents
            .settings
            .iter()
            .filter(|(key, _)| is_setting(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        stored == self.settings(study)
    }

    /// Writes the tables, and notes inputs, problems and settings.
    ///
    /// # Errors
    /// The store refuses.
    pub fn write(
        self,
        study: &Study,
        writer: &mut StoreWriter,
        contents: &mut Contents,
    ) -> Result<(), StepError> {
        contents.settings.retain(|key, _| !is_setting(key));
        contents.settings.extend(self.settings(study));
        writer.replace_tables(&STUDY_TABLES)?;
        for row in &self.aggregates {
            write_aggregate(writer, row)?;
        }
        for arm in &study.arms {
            for (factor, level) in &arm.factors {
                let table = writer.table("factors")?;
                table.row().text("arm", &arm.name).text("factor", factor).text("level", level).done()?;
            }
        }
        for series in &study.series {
            for (place, point) in series.points.iter().enumerate() {
                writer
                    .table("series")?
                    .row()
                    .text("series", &series.name)
                    .count("point", place)
                    .text("arm", &point.arm)
                    .opt_text("stage", point.stage.as_deref())
                    .opt_float("x", point.x)
                    .done()?;
            }
        }
        for (series, score) in &self.external {
            writer
                .table("external")?
                .row()
                .text("series", series)
                .text("arm", &score.arm)
                .text("measure", &score.measure)
                .opt_float("value", Some(score.value))
                .opt_text("source", score.source.as_deref())
                .done()?;
        }
        contents.problems.extend(self.problems.iter().map(|problem| Noted::of("", problem)));
        contents.inputs.extend(self.inputs);
        Ok(())
    }
}

fn write_aggregate(writer: &mut StoreWriter, row: &Total) -> Result<(), StepError> {
    writer
        .table("aggregates")?
        .row()
        .text("arm", &row.arm)
        .text("benchmark", &row.benchmark)
        .text("measure", row.measure.as_str())
        .int("k", row.k)
        .text("source", &row.source)
        .opt_int("runs", row.runs)
        .opt_int("num", row.counts.map(|counts| counts.0))
        .opt_int("den", row.counts.map(|counts| counts.1))
        .opt_float("value", row.value)
        .opt_float("delta", row.delta)
        .opt_int("unscored", row.unscored)
        .opt_text("reference", row.reference.as_deref())
        .opt_time("dated", row.dated)
        .flag("headline", row.headline)
        .done()?;
    Ok(())
}

fn is_setting(key: &str) -> bool {
    [SETTING, COLLECTED_UNTIL, RELEASED_AFTER, HARNESSES_SEEN, FAMILY_MEMBER].contains(&key)
}

fn transfer_settings(transfer: &Transfer) -> BTreeMap<String, String> {
    let members = transfer.family_member.iter().map(|(family, member)| format!("{family}\t{member}"));
    let mut settings = BTreeMap::from([
        (RELEASED_AFTER.to_owned(), transfer.released_after.join("\n")),
        (HARNESSES_SEEN.to_owned(), transfer.harnesses_seen.join("\n")),
        (FAMILY_MEMBER.to_owned(), members.collect::<Vec<_>>().join("\n")),
    ]);
    settings.extend(transfer.collected_until.map(|day| (COLLECTED_UNTIL.to_owned(), day.to_string())));
    settings
}

/// What training saw, as a store remembers it; `None` where no study said anything.
pub fn transfer_of(store: &Store) -> Option<Transfer> {
    let settings = &store.manifest().contents.settings;
    let lines =
        |key: &str| -> Option<Vec<String>> { Some(settings.get(key)?.lines().map(str::to_owned).collect()) };
    let members = lines(FAMILY_MEMBER)?;
    let member = |line: String| {
        let (family, member) = line.split_once('\t')?;
        Some((family.to_owned(), member.to_owned()))
    };
    Some(Transfer {
        collected_until: settings.get(COLLECTED_UNTIL).and_then(|day| day.parse().ok()),
        released_after: lines(RELEASED_AFTER)?,
        harnesses_seen: lines(HARNESSES_SEEN)?,
        family_member: members.into_iter().filter_map(member).collect(),
    })
}
