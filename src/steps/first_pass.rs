//! Pass one over an arm: outcome files, found before a log is opened, and the benchmark that they and the paths tell
//! (`interface.md`, Outcomes are searched; Benchmark). It reads no log.

use std::collections::{BTreeMap, BTreeSet};

use super::arm_files::{ArmFile, ArmFiles, named_outcomes};
use super::error::StepError;
use super::items::{Grouping, Item, feed};
use super::open::{Opened, open_outcome};
use super::pipeline::{Pipeline, Scratch};
use super::read_arm::{Seen, is_named_as_log};
use super::study::{Arm, Study};
use crate::data::benchmarks::{SettledBenchmark, settle_with};
use crate::model::{Problem, Weight};
use crate::outcomes::{self, OutcomeFile, ToldBy, instance_in_path};

/// Outcome files, found before a log is opened.
#[derive(Default)]
pub(super) struct FirstPass {
    pub(super) outcomes: Vec<OutcomeFile>,
    /// Files that pass two need not open, by shown path.
    pub(super) claimed: BTreeMap<String, Seen>,
    pub(super) problems: Vec<Problem>,
    pub(super) archive_problems: Vec<Problem>,
}

impl FirstPass {
    pub(super) fn read(&mut self, arm: &Arm, files: &ArmFiles) -> Result<(), StepError> {
        if let Some(names) = &arm.outcomes {
            for (file, run) in named_outcomes(arm, names)? {
                let before = self.outcomes.len();
                self.search(std::iter::once(&file), |_| true)?;
                for outcome in self.outcomes.iter_mut().skip(before) {
                    outcome.run = run;
                }
                if self.outcomes.len() == before {
                    let mut problem = Problem::new(
                        Weight::Refused,
                        "",
                        "named as an outcome file, but of no known shape; see `ethogram list outcomes`",
                    );
                    problem.file.clone_from(&file.shown);
                    self.problems.push(problem);
                }
            }
            return self.search_records(files);
        }
        self.search(files.files.iter(), |_| true)?;
        if outcomes::needs_parent(&self.outcomes) {
            self.search(files.parents.iter(), |_| true)?;
        }
        Ok(())
    }

    /// The records of trials where the outcomes are named: naming them switches the search off, and a trial's own record is part
    /// of its log.
    fn search_records(&mut self, files: &ArmFiles) -> Result<(), StepError> {
        let named: BTreeSet<String> = self.claimed.keys().cloned().collect();
        let others = files.files.iter().filter(|file| !named.contains(&file.shown));
        let before = self.outcomes.len();
        self.search(others, |file| file.trials.iter().any(|trial| trial.told_by == ToldBy::Record))?;
        for record in self.outcomes.iter_mut().skip(before) {
            record.is_part_of_log = true;
        }
        Ok(())
    }

    /// Takes the outcome files that are wanted.
    fn search<'a>(
        &mut self,
        files: impl Iterator<Item = &'a ArmFile>,
        is_wanted: fn(&OutcomeFile) -> bool,
    ) -> Result<(), StepError> {
        let outcomes = &mut self.outcomes;
        let claimed = &mut self.claimed;
        let problems = &mut self.problems;
        let mut pipeline = Pipeline::new(
            |item: Item, scratch: &mut Scratch| open_outcome(&item, scratch),
            |opened| {
                match opened {
                    Opened::Outcome { file, .. } if !is_wanted(&file) => {}
                    Opened::Outcome { seen, mut file } => {
                        for problem in &mut file.problems {
                            problem.file.clone_from(&seen.shown);
                        }
                        claimed.insert(seen.shown.clone(), seen);
                        outcomes.push(file);
                    }
                    Opened::Refused { seen, problem } if !seen.may_be_log => problems.push(problem),
                    // Pass two says what became of it.
                    Opened::Log { .. } | Opened::Unclaimed { .. } | Opened::Refused { .. } => {}
                }
                Ok(())
            },
        );
        let files = files.filter(|file| !is_named_as_log(&file.relative));
        feed(files, Grouping::Files, None, &mut self.archive_problems, |item, bytes| {
            if is_named_as_log(&item.relative) {
                return Ok(());
            }
            pipeline.push(item, bytes)
        })?;
        pipeline.finish()
    }
}

/// The benchmark by what the study names and by the ids that paths and outcome files show.
pub(super) fn benchmark(study: &Study, files: &ArmFiles, first: &FirstPass) -> SettledBenchmark {
    let named = files.benchmark.as_deref().or(study.benchmark.as_deref());
    let of_paths = files
        .files
        .iter()
        .filter(|file| file.may_be_log && is_named_as_log(&file.relative))
        .filter_map(|file| instance_in_path(&file.relative).map(str::to_owned));
    let of_outcomes = first.outcomes.iter().flat_map(|file| {
        let claims = file.claims.iter().map(|claim| claim.instance_id.clone());
        let made = file.predictions.iter().map(|made| made.instance_id.clone());
        claims.chain(made).chain(file.trials.iter().map(|trial| trial.instance_id.clone()))
    });
    let mut ids: Vec<String> = of_paths.chain(of_outcomes).collect();
    ids.sort_unstable();
    ids.dedup();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    settle_with(&study.benchmarks, named, &ids)
}
