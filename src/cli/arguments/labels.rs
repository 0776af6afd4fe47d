//! What a user types after `labels`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `labels`.
#[derive(Args)]
pub struct LabelsArguments {
    /// The store
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// Labelled turns, JSON Lines
    #[arg(value_name = "FILE", required_unless_present = "sample", conflicts_with = "sample")]
    pub file: Option<PathBuf>,
    /// Also as one page
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    pub html: Option<PathBuf>,
    /// Also write the four cells of every tag, by format, as `src/data/rule_accuracy.csv` has them
    #[arg(long, value_name = "OUT.csv", conflicts_with = "sample", requires_all = ["measured", "were"])]
    pub accuracy: Option<PathBuf>,
    /// Day of the measurement, for `--accuracy`
    #[arg(long, value_name = "YYYY-MM-DD", requires = "accuracy")]
    pub measured: Option<String>,
    /// What the labels were to the rules: mended on them, so that they show an upper limit, or not seen before
    #[arg(long, value_enum, requires = "accuracy")]
    pub were: Option<LabelsWere>,
    /// Draw N turns, formats alike, and write a sheet to label them: JSON Lines with empty labels, and the turns as text
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Seed of the draw
    #[arg(long, value_name = "N", requires = "sample")]
    pub seed: Option<u64>,
    /// Name of the sheet's two files, without `.jsonl` and `.txt`
    #[arg(long, value_name = "NAME", requires = "sample", default_value = "labels-sheet")]
    pub out: PathBuf,
}

/// What labels were to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum LabelsWere {
    Tuned,
    HeldBack,
}
