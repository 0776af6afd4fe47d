//! The study's file of counts (`aggregates = "counts.csv"`): figures that are known without runs. Each row is taken
//! whole or refused with file and line (`interface.md`, study file; `statistics.md` §0, §1).

use std::collections::{BTreeMap, BTreeSet};

use super::csv_table::{CsvRow, CsvTable};
use super::error::StepError;
use super::study::Study;
use crate::data::benchmarks::settle_with;
use crate::measure::aggregates::{Total, TotalMeasure, measure_words};
use crate::model::Problem;
use crate::model::nearest::nearest_hint;

const COLUMNS: [&str; 14] = [
    "arm",
    "benchmark",
    "measure",
    "k",
    "runs",
    "num",
    "den",
    "value",
    "delta",
    "unscored",
    "source",
    "reference",
    "date",
    "headline",
];

/// What the manifest calls the file.
pub const READ_AS: &str = "counts";

const NEEDED: [&str; 3] = ["arm", "measure", "source"];

/// One row, and whether it says that it stands for its arm; `None` where it says nothing.
struct Claim {
    total: Total,
    headline: Option<bool>,
}

/// What was read of a file of counts.
pub struct Counts {
    /// Rows, each with `headline` settled.
    pub rows: Vec<Total>,
    /// Rows that were refused.
    pub problems: Vec<Problem>,
    /// For the manifest.
    pub input: crate::store::Input,
}

/// Reads the file of counts of a study, where it names one.
///
/// # Errors
/// The file cannot be read, or its head is not understood.
pub fn read(study: &Study) -> Result<Option<Counts>, StepError> {
    let Some(path) = &study.aggregates else { return Ok(None) };
    let table = CsvTable::read(path, READ_AS, &COLUMNS, &NEEDED)?;
    let mut headlines = Headlines::default();
    // What a later row may be refused for is known after the first reading alone.
    table.parse(|row| claim(row, study).map(|claim| headlines.count(&claim)));
    let (rows, problems) = table.parse(|row| headlines.settle(claim(row, study)?));
    Ok(Some(Counts { rows, problems, input: table.input }))
}

fn claim(row: &CsvRow, study: &Study) -> Result<Claim, String> {
    let arms: Vec<&str> = study.arms.iter().map(|arm| arm.name.as_str()).collect();
    let arm = row.needed("arm")?;
    if !arms.contains(&arm) {
        return Err(format!("`{arm}` is no arm of the study{}", nearest_hint(arm, &arms)));
    }
    let word = row.needed("measure")?;
    let measure = TotalMeasure::parse(word)
        .ok_or_else(|| format!("`{word}` is no measure{}", nearest_hint(word, &measure_words())))?;
    let benchmark = row
        .text("benchmark")
        .or(study.benchmark.as_deref())
        .ok_or("`benchmark` is empty, and the study names none")?;
    let total = Total {
        arm: arm.to_owned(),
        benchmark: settle_with(&study.benchmarks, Some(benchmark), &[]).benchmark.name,
        measure,
        k: k(row, measure)?,
        source: row.needed("source")?.to_owned(),
        runs: row.count("runs")?,
        counts: counts(row)?,
        value: row.number("value")?,
        delta: row.number("delta")?,
        unscored: row.count("unscored")?,
        reference: row.text("reference").map(str::to_owned),
        dated: row.day("date")?,
        // Settled once all rows of its group are known.
        headline: false,
    };
    let headline = row.flag("headline")?;
    check(&total)?;
    Ok(Claim { total, headline })
}

fn k(row: &CsvRow, measure: TotalMeasure) -> Result<i64, String> {
    match (row.count("k")?, measure.has_k()) {
        (Some(k), true) if k > 0 => Ok(k),
        (_, true) => Err(format!("`{}` needs its `k`, a whole number from 1", measure.as_str())),
        (None | Some(1), false) => Ok(1),
        (Some(_), false) => Err(format!("`{}` has no `k`", measure.as_str())),
    }
}

fn counts(row: &CsvRow) -> Result<Option<(i64, i64)>, String> {
    match (row.count("num")?, row.count("den")?) {
        (None, None) => Ok(None),
        (Some(num), Some(den)) if den > 0 && num <= den => Ok(Some((num, den))),
        (Some(num), Some(den)) => {
            Err(format!("{num}/{den} is no share: 0 ≤ num ≤ den and den > 0 is asked for"))
        }
        _ => Err("`num` and `den` stand together, or neither".to_owned()),
    }
}

fn check(found: &Total) -> Result<(), String> {
    if found.counts.is_none() && found.value.is_none() && found.delta.is_none() {
        return Err("it has none of num and den, value, delta".to_owned());
    }
    if found.measure.is_size() && found.counts.is_some() {
        return Err(format!("`{}` is no share: it has a `value`", found.measure.as_str()));
    }
    if !found.measure.is_size() && found.value.is_some_and(|value| !(0.0..=100.0).contains(&value)) {
        return Err("`value` is a share in per cent, from 0 to 100".to_owned());
    }
    if let (TotalMeasure::Resolved, Some(runs), Some((_, den))) = (found.measure, found.runs, found.counts) {
        let asked_for = den + found.unscored.unwrap_or_default();
        if runs == 0 {
            return Err("`runs` is 0".to_owned());
        }
        if found.unscored.is_some() && asked_for % runs != 0 {
            return Err(format!("{asked_for} runs are not {runs} an instance"));
        }
    }
    Ok(())
}

/// Rows of one arm, benchmark and measure, told apart by their source alone.
type Group = (String, String, TotalMeasure, i64);

/// Which row of a group stands for the arm: the only one, else the one that says so.
#[derive(Default)]
struct Headlines {
    groups: BTreeMap<Group, (usize, usize)>,
    sources: BTreeMap<Group, Vec<String>>,
    taken: BTreeSet<Group>,
}

fn group(row: &Total) -> Group {
    (row.arm.clone(), row.benchmark.clone(), row.measure, row.k)
}

impl Headlines {
    /// Counts rows, and those among them that say they are the headline.
    fn count(&mut self, claim: &Claim) {
        let (rows, named) = self.groups.entry(group(&claim.total)).or_default();
        *rows += 1;
        *named += usize::from(claim.headline == Some(true));
    }

    fn settle(&mut self, Claim { total: mut row, headline }: Claim) -> Result<Total, String> {
        let key = group(&row);
        let sources = self.sources.entry(key.clone()).or_default();
        let name = format!("{}, {}, {}", row.arm, row.benchmark, row.measure.as_str());
        if sources.contains(&row.source) {
            return Err(format!("{name} stands twice with the source `{}`", row.source));
        }
        sources.push(row.source.clone());
        let (rows, named) = self.groups.get(&key).copied().unwrap_or_default();
        let is_headline = headline.unwrap_or(rows == 1);
        if rows > 1 && named == 0 {
            return Err(format!("{name} has {rows} sources, and none of them is the headline"));
        }
        if rows == 1 && !is_headline {
            return Err(format!("{name} has one source, which must be the headline"));
        }
        if is_headline && !self.taken.insert(key) {
            return Err(format!("{name} has two headlines"));
        }
        row.headline = is_headline;
        Ok(row)
    }
}
