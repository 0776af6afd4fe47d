//! Report: what a store holds and what was asked of it become a report (`interface.md`, report folder).

use std::collections::BTreeMap;
use std::path::Path;

use super::compare;
use super::error::StepError;
use super::study::{Study, duplicates_word};
use super::study_tables::transfer_of;
use crate::measure::{Answer, Comparison, Question, aggregates};
use crate::outcomes::{Duplicates, OUTCOMES};
use crate::report::{self, ArmInputs, Format, Inputs, Report, Written};
use crate::store::{Sql, Store};

/// What a report of a store is made of.
pub struct Reported {
    /// What was asked.
    pub question: Question,
    /// What came of it.
    pub answer: Answer,
    /// What was read.
    pub inputs: Inputs,
}

impl Reported {
    /// As the report layer takes it.
    pub fn report(&self) -> Report<'_> {
        Report { question: &self.question, answer: &self.answer, inputs: &self.inputs }
    }
}

/// What a study asks of its store.
///
/// # Errors
/// The store refuses.
pub fn question_of_study(study: &Study, store: &Store) -> Result<Question, StepError> {
    let mut arms = compare::arms(store)?;
    // The study's order, which a store that grew may not have.
    arms.sort_by_key(|arm| study.arms.iter().position(|known| known.name == arm.name));
    arms.retain(|arm| study.arms.iter().any(|known| known.name == arm.name));
    Ok(Question {
        study: study.name.clone(),
        arms,
        pairs: study.pairs.clone(),
        primary: study.primary.clone(),
        expect_runs: study.expect_runs,
        seed: study.seed,
        decimals: study.decimals,
        duplicates: match study.duplicates {
            Duplicates::Refuse => String::new(),
            policy => format!("--duplicates {}", duplicates_word(policy)),
        },
        by: Vec::new(),
        transfer: study.transfer.clone(),
    })
}

/// What is asked of a store by itself: all arms, and the pairs that are named, else those that it was compared by,
/// else every base with every trained arm.
///
/// # Errors
/// The store refuses.
pub fn question_of_store(
    store: &Store,
    pair: Option<(String, String)>,
    seed: u64,
) -> Result<Question, StepError> {
    let arms = compare::arms(store)?;
    let pairs = match pair {
        Some(pair) => vec![pair],
        None => match compare::stored_pairs(store)? {
            stored if stored.is_empty() => compare::default_pairs(&arms),
            stored => stored,
        },
    };
    let settings = &store.manifest().contents.settings;
    Ok(Question {
        study: settings.get("study").cloned().unwrap_or_else(|| "store".to_owned()),
        arms,
        pairs,
        primary: Vec::new(),
        expect_runs: None,
        seed,
        decimals: None,
        duplicates: String::new(),
        by: Vec::new(),
        transfer: transfer_of(store),
    })
}

/// Writes pairs, compares, and puts together what a report needs.
///
/// # Errors
/// A pair cannot be made, or the store refuses.
pub fn prepare(store: Store, question: Question, study_file: Option<String>) -> Result<Reported, StepError> {
    let (store, sql) = compare::write_pairs(store, &question.pairs)?;
    let answer = compare::compare(&store, &sql, &question)?;
    let inputs = inputs(&store, &sql, study_file)?;
    Ok(Reported { question, answer, inputs })
}

/// A paired test was asked for: refused where a pair has totals alone.
///
/// # Errors
/// Only totals are known of both arms of a pair.
pub fn refuse_totals(reported: &Reported) -> Result<(), StepError> {
    let answer = &reported.answer;
    for (base, trained) in &reported.question.pairs {
        let is_compared = |found: &Comparison| found.base == *base && found.trained == *trained;
        if !answer.comparisons.iter().any(is_compared) && aggregates::meet(&answer.totals, base, trained) {
            return Err(StepError::Totals { base: base.clone(), trained: trained.clone() });
        }
    }
    Ok(())
}

/// Writes the report into a folder.
///
/// # Errors
/// The disk refuses.
pub fn write(reported: &Reported, folder: &Path, formats: &[Format]) -> Result<Written, StepError> {
    Ok(report::write(&reported.report(), folder, formats)?)
}

fn inputs(store: &Store, sql: &Sql, study_file: Option<String>) -> Result<Inputs, StepError> {
    let contents = store.manifest().contents.clone();
    let mut arms: BTreeMap<String, ArmInputs> = BTreeMap::new();
    let mut order = Vec::new();
    for row in store.read("arms")?.iter() {
        let name = row.text("arm")?.to_owned();
        let roots: Vec<String> = contents
            .settings
            .get(&format!("roots {name}"))
            .map(|roots| roots.lines().map(str::to_owned).collect())
            .unwrap_or_default();
        order.push(name.clone());
        arms.insert(
            name.clone(),
            ArmInputs { name, logs: roots.clone(), outcomes: Vec::new(), looked_in: roots },
        );
    }
    for input in &contents.inputs {
        let is_outcome = OUTCOMES.iter().any(|shape| shape.name == input.read_as);
        if let Some(arm) = arms.get_mut(&input.arm)
            && is_outcome
        {
            arm.outcomes.push(input.path.clone());
        }
    }
    Ok(Inputs {
        study_file,
        arms: order.iter().filter_map(|name| arms.remove(name)).collect(),
        unclaimed: Vec::new(),
        trajectories: sql.query("left_out")?,
        instance_pairs: store.read("instance_pairs")?,
        engine_version: store.manifest().engine_version.clone(),
        contents,
    })
}
