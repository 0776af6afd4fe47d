//! The forest plot of a comparison: resolved first, then the behaviours that differ and the twelve of the papers' list
//! (`look.md` §5, §6).

use super::comparison::Compared;
use super::t05_comparison::{Comparison, ComparisonRow};
use super::{Material, Question};
use crate::behaviours::{self, BehaviourKind};
use crate::model::series::{Caption, Estimate, Forest, ForestRow, Series};
use crate::number;
use crate::store::StoreError;

/// Most rows of the forest plot.
const FOREST_ROWS: usize = 20;

/// Rows that the forest plot shows whatever their p: the twelve of the papers' list (`look.md` §5).
const FOREST_ALWAYS: [&str; 12] = [
    "autonomous_edit",
    "active_testing",
    "own_test_written",
    "test_after_edit",
    "verified_submission",
    "failed_test_seen",
    "reedit_after_failed_test",
    "explicit_submission",
    "empty_patch",
    "loop",
    "abnormal_end",
    "network_attempt",
];

/// The forest plot of each comparison.
pub fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    Ok(material
        .comparisons
        .iter()
        .filter(|comparison| comparison.coverage.shared() > 0 && comparison.rows.len() > 1)
        .map(|comparison| (comparison.id("forest"), Series::Forest(forest(material.question, comparison))))
        .collect())
}

fn forest(question: &Question, comparison: &Comparison) -> Forest {
    let shown = |row: &&ComparisonRow| {
        let is_share = row.behaviour().is_some_and(|behaviour| behaviour.kind != BehaviourKind::Size);
        is_share && (row.is_detected() || FOREST_ALWAYS.contains(&row.code))
    };
    let mut rows: Vec<&ComparisonRow> = comparison.by_evidence().into_iter().filter(shown).collect();
    rows.truncate(FOREST_ROWS);
    rows.sort_by(|left, right| {
        let delta = |row: &ComparisonRow| row.compared.delta.unwrap_or_default();
        delta(right).total_cmp(&delta(left)).then(left.code.cmp(right.code))
    });
    let mut drawn: Vec<ForestRow> = Vec::new();
    if let Some(resolved) = &comparison.resolved {
        drawn.push(forest_row("resolved", resolved, comparison.resolved_p_adjusted));
    }
    drawn.extend(rows.iter().map(|row| forest_row(row.code, &row.compared, row.p_adjusted)));
    let foot = format!(
        "unit: instance, n up to {}; {} of {} behaviours of T5; filled: adjusted p < 0.05; bar: 95 % interval",
        number::count(comparison.coverage.shared() as i64),
        rows.len(),
        comparison.rows.len(),
    );
    Forest {
        caption: Caption {
            title: format!("What changed from {} to {}", comparison.base, comparison.trained),
            subtitle: format!("difference in points, {}", comparison.benchmark),
            foot,
        },
        arms: [question.label(&comparison.base), question.label(&comparison.trained)],
        rows: drawn,
    }
}

fn forest_row(code: &'static str, compared: &Compared, p_adjusted: Option<f64>) -> ForestRow {
    let behaviour = behaviours::find(code);
    ForestRow {
        name: behaviour.map_or(code, |behaviour| behaviour.name).to_owned(),
        code: code.to_owned(),
        tag: behaviour.and_then(|behaviour| behaviour.tag),
        values: [Some(compared.base), Some(compared.trained)],
        delta: Estimate {
            value: compared.delta,
            interval: compared.interval,
            num: None,
            n: compared.instances.0,
        },
        p_adjusted,
        gained_lost: compared.gained_lost,
    }
}
