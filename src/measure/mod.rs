//! Measures: count tables of all trajectories become tables and series. One file a table (`definitions.md` §10);
//! each share, interval and test is made here from counts, by the method that the design asks for
//! (`statistics.md` §1). Nothing is formatted here but the words of the foot.

pub mod aggregates;
mod columns;
mod comparison;
mod coverage;
mod data;
mod ethogram;
mod foot;
mod forest;
mod funnel;
mod graded;
pub mod labels;
mod lengths;
mod outcome_rows;
mod positions;
mod scores;
mod strata;
mod t01_pass;
mod t02_pass_at_k;
mod t03_stages;
mod t04_behaviours;
mod t05_comparison;
mod t06_grid;
mod t07_ranks;
mod t09_transfer;
mod t10_near_misses;
mod t10_steps;
mod t10_totals;
mod t12_reward;
mod t13_shift;
mod t14_termination;

pub use comparison::{Compared, IntervalKind, Test};
pub use coverage::{ArmCoverage, PairCoverage};
pub use data::{Data, InstanceOutcomes};
pub use funnel::Funnel;
pub use strata::Factor;
pub use t05_comparison::{Comparison, ComparisonRow};
pub use t09_transfer::{Contrast, Pool, Transferred};

use std::collections::{BTreeMap, BTreeSet};

use aggregates::Total;

use crate::model::Transfer;
use crate::model::series::{ArmLabel, Role, Series};
use crate::model::table::Table;
use crate::store::{Frame, StoreError};

/// An arm as measures see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmInfo {
    /// Name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Scaffolds of its logs, in order of name.
    pub scaffolds: Vec<String>,
    /// Formats of its logs, in order of name.
    pub formats: Vec<String>,
}

impl ArmInfo {
    /// Its label in a chart.
    pub fn label(&self) -> ArmLabel {
        ArmLabel { arm: self.name.clone(), role: self.role }
    }
}

/// What is asked of a store.
#[derive(Clone, Debug)]
pub struct Question {
    /// Name of the study.
    pub study: String,
    /// Arms in the study's order.
    pub arms: Vec<ArmInfo>,
    /// Comparisons, base and trained.
    pub pairs: Vec<(String, String)>,
    /// Rows that form a Holm family of their own.
    pub primary: Vec<String>,
    /// Runs that the design asks for an instance.
    pub expect_runs: Option<i64>,
    /// Seed of every random number.
    pub seed: u64,
    /// Decimals of per cents, where the study overrides the default.
    pub decimals: Option<usize>,
    /// What was done with duplicates, for the foot.
    pub duplicates: String,
    /// What parts the instances in the table of strata; nothing named is all.
    pub by: Vec<Factor>,
    /// What training saw, where the study says it.
    pub transfer: Option<Transfer>,
}

impl Question {
    /// The arm of a name.
    pub fn arm(&self, name: &str) -> Option<&ArmInfo> {
        self.arms.iter().find(|arm| arm.name == name)
    }

    fn label(&self, name: &str) -> ArmLabel {
        self.arm(name).map_or_else(|| ArmLabel { arm: name.to_owned(), role: Role::Other }, ArmInfo::label)
    }
}

/// What the queries of the measures gave.
pub struct Frames {
    /// `t01.sql` and `t04.sql`, collected: the rows of the latter are too many to hold twice.
    pub data: Data,
    queries: BTreeMap<&'static str, Frame>,
}

impl Frames {
    /// Runs every query that a table, a figure or the head of a report names, each once.
    ///
    /// # Errors
    /// A query fails, or lacks a column that its reader asks for.
    pub fn collect<E: From<StoreError>>(
        mut run: impl FnMut(&'static str) -> Result<Frame, E>,
    ) -> Result<Frames, E> {
        let data = Data::read(&run("t01")?, &run("t04")?)?;
        let of_tables = TABLES.iter().flat_map(|table| table.queries);
        let of_figures = FIGURES.iter().flat_map(|figure| figure.queries);
        let names: BTreeSet<&'static str> = of_tables.chain(of_figures).chain(&["head"]).copied().collect();
        let others = names.into_iter().filter(|name| !Data::QUERIES.contains(name));
        let queries = others.map(|name| Ok((name, run(name)?))).collect::<Result<_, E>>()?;
        Ok(Frames { data, queries })
    }

    /// The frame of a query.
    ///
    /// # Errors
    /// Nobody ran it: no table and no figure names it.
    pub fn get(&self, query: &str) -> Result<&Frame, StoreError> {
        self.queries.get(query).ok_or_else(|| StoreError::Sql {
            why: format!("the query `{query}` was not run: no table and no figure names it"),
        })
    }
}

/// What a table is built from.
pub struct Material<'a> {
    /// What is asked.
    pub question: &'a Question,
    /// Counts.
    pub data: &'a Data,
    /// Figures that are known without runs.
    pub totals: &'a [Total],
    /// What training did on every benchmark, pair by pair.
    pub transferred: &'a [Transferred],
    /// Frames of queries.
    pub frames: &'a Frames,
    /// The comparisons of all pairs, made once.
    pub comparisons: &'a [Comparison],
    /// The funnels of all pairs.
    pub funnels: &'a [Funnel],
}

/// What charts draw, each with the stem of its file.
pub type Drawn = Vec<(String, Series)>;

/// One table of the catalogue.
pub struct TableFamily {
    /// Stable code.
    pub code: &'static str,
    /// Title.
    pub title: &'static str,
    /// What it shows and which method it uses.
    pub about: &'static str,
    /// Queries that it reads.
    pub queries: &'static [&'static str],
    /// Columns by name in CSV and JSON, and what each says; `ARM.` stands for one column an arm.
    pub columns: &'static [(&'static str, &'static str)],
    /// The columns that the table of a paper has (`look.md` §10); none named = all.
    pub paper: &'static [&'static str],
    /// Builds it: one table, or one a comparison.
    pub build: fn(&Material) -> Result<Vec<Table>, StoreError>,
    /// What charts draw of it, each with the stem of its file.
    pub series: fn(&Material) -> Result<Drawn, StoreError>,
}

/// Charts that belong to no table.
pub struct Figure {
    /// Queries that it reads.
    pub queries: &'static [&'static str],
    /// What is drawn, each with the stem of its file.
    pub series: fn(&Material) -> Result<Drawn, StoreError>,
}

/// All tables, in the order of a report.
pub const TABLES: &[&TableFamily] = &[
    &t01_pass::TABLE,
    &t02_pass_at_k::TABLE,
    &t03_stages::TABLE,
    &t04_behaviours::TABLE,
    &t05_comparison::TABLE,
    &funnel::TABLE,
    &strata::TABLE,
    &t06_grid::TABLE,
    &t07_ranks::TABLE,
    &t09_transfer::TABLE,
    &t10_near_misses::TABLE,
    &t10_steps::TABLE,
    &t12_reward::TABLE,
    &t13_shift::TABLE,
    &t14_termination::TABLE,
];

/// Charts without a table, in the order of a report.
pub const FIGURES: &[&Figure] = &[&positions::FIGURE, &ethogram::FIGURE];

/// Everything that a report prints.
#[derive(Debug)]
pub struct Answer {
    /// Coverage by arm and benchmark.
    pub coverage: Vec<ArmCoverage>,
    /// Comparisons: the rows of T5 before they become cells.
    pub comparisons: Vec<Comparison>,
    /// Figures that are known without runs.
    pub totals: Vec<Total>,
    /// What training did on every benchmark, pair by pair: the rows of T9 before they become cells.
    pub transferred: Vec<Transferred>,
    /// Tables.
    pub tables: Vec<Table>,
    /// What charts draw, each with the stem of its file.
    pub series: Vec<(String, Series)>,
    /// What must be said above the results.
    pub warnings: Vec<String>,
}

/// Answers a question from count tables.
///
/// # Errors
/// A frame lacks a column that its reader asks for.
pub fn answer(question: &Question, frames: &Frames) -> Result<Answer, StoreError> {
    let data = &frames.data;
    let coverage = coverage::by_arm(question, data, frames.get("head")?)?;
    let comparisons = t05_comparison::comparisons(question, data, frames.get("instance_pairs")?)?;
    let funnels = funnel::funnels(frames.get("funnel")?, &comparisons)?;
    let totals = aggregates::totals(frames.get("aggregates")?)?;
    let material = Material {
        question,
        data,
        totals: &totals,
        transferred: &[],
        frames,
        comparisons: &comparisons,
        funnels: &funnels,
    };
    let transferred = t09_transfer::transferred(&material)?;
    let material = Material { transferred: &transferred, ..material };
    let mut tables = Vec::new();
    let mut series = Vec::new();
    for family in TABLES {
        tables.extend((family.build)(&material)?);
        series.extend((family.series)(&material)?);
    }
    for figure in FIGURES {
        series.extend((figure.series)(&material)?);
    }
    let warnings = coverage::warnings(question, &coverage, &comparisons, &totals);
    Ok(Answer { coverage, comparisons, totals, transferred, tables, series, warnings })
}
