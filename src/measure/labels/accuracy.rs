//! The four cells of every tag, by format and over all: what the foot of tables and the pages of rules print of a set of
//! labels, and what a Rogan–Gladen correction needs.

use std::collections::BTreeSet;

use super::answer::TAGS;
use super::compare::Pair;
use super::counts::Counts;
use crate::data::accuracy::{Accuracy, LabelUse};

/// The set of labels that is measured.
#[derive(Clone, Debug)]
pub struct LabelSet {
    /// Name.
    pub name: String,
    /// Day of the measurement.
    pub date: String,
    /// What it was to the rules.
    pub labels: LabelUse,
}

/// Rows over all turns, then by format; every tag stands in each, since a tag that no turn bears has a specificity.
pub fn accuracy(pairs: &[Pair], set: &LabelSet) -> Vec<Accuracy> {
    let formats: BTreeSet<&str> = pairs.iter().map(|pair| pair.format.as_str()).collect();
    let scopes = std::iter::once(None).chain(formats.into_iter().map(Some));
    scopes.flat_map(|format| of_format(pairs, set, format)).collect()
}

fn of_format(pairs: &[Pair], set: &LabelSet, format: Option<&str>) -> Vec<Accuracy> {
    let pairs: Vec<&Pair> =
        pairs.iter().filter(|pair| format.is_none_or(|format| pair.format == format)).collect();
    let trajectories: BTreeSet<&str> = pairs.iter().map(|pair| pair.trajectory.as_str()).collect();
    let row = |tag| {
        let mut counts = Counts::default();
        for pair in &pairs {
            let (label, rules) = (pair.label.answer.tags.contains(&tag), pair.engine.tags.contains(&tag));
            counts.add(&pair.trajectory, label, rules);
        }
        let (precision, recall, specificity) = (counts.precision(), counts.recall(), counts.specificity());
        Accuracy {
            set: set.name.clone(),
            date: set.date.clone(),
            labels: set.labels,
            tag,
            version: crate::tags::find(tag.as_str()).map(|family| family.version).unwrap_or_default(),
            format: format.map(str::to_owned),
            turns: pairs.len() as i64,
            trajectories: trajectories.len() as i64,
            both: recall.num,
            only_label: recall.den - recall.num,
            only_rule: precision.den - precision.num,
            neither: specificity.num,
            precision: precision.interval,
            recall: recall.interval,
            specificity: specificity.interval,
        }
    };
    TAGS.into_iter().map(row).collect()
}
