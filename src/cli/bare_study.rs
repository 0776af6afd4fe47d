//! A study without a file: arms that are named by paths alone, everything else by its default.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::study_file::{DEFAULT_SEED, log_source};
use crate::steps::study::{Arm, Duplicates, LogSource, Numbering, Reading, Study};

/// A study of arms without a file.
pub fn study_of(arms: Vec<Arm>) -> Study {
    let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
    Study {
        name: names.join(", "),
        benchmark: None,
        benchmarks: Vec::new(),
        aggregates: None,
        series: Vec::new(),
        transfer: None,
        pairs: Study::default_pairs(&arms),
        arms,
        primary: Vec::new(),
        decimals: None,
        duplicates: Duplicates::Refuse,
        expect_runs: None,
        seed: DEFAULT_SEED,
        threads: None,
        reread: false,
        reading: Reading::Recognised,
        is_strict: false,
        any_arm: false,
        rule_files: Vec::new(),
        rules: Arc::default(),
    }
}

/// An arm whose logs are all that lies at one path.
pub fn arm_of(path: &Path, name: String) -> Arm {
    Arm {
        name,
        role: None,
        system: None,
        benchmark: None,
        logs: vec![path.to_str().map_or_else(
            || LogSource { root: path.to_owned(), pattern: None, benchmark: None },
            |text| log_source(text, None, Path::new("")),
        )],
        outcomes: None,
        prefix_turns: 0,
        path_template: None,
        runs: Numbering::Auto,
        resolved_at: None,
        factors: BTreeMap::new(),
    }
}
