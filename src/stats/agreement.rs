//! Do annotators agree? Cohen's κ, Gwet's AC1, Krippendorff's α for named classes.
//!
//! Implements `statistics.md` §5. Agreement in per cent alone is never printed; with one class above 90 % κ falls
//! apart and AC1 stands beside it.

use std::collections::BTreeMap;

use super::Interval;
use super::distributions::z_critical;

/// Cohen's κ of two raters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kappa {
    /// (po − pe) / (1 − pe); `None` if both raters used one class only.
    pub kappa: Option<f64>,
    /// The share of items on which they agree.
    pub agreement: f64,
    /// Normal interval with the standard error of Fleiss, Cohen and Everitt (1969).
    pub ci: Option<Interval>,
}

/// Shares of a square table of two raters: cells, row margins, column margins, agreement.
struct Shares {
    n: f64,
    cells: Vec<Vec<f64>>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    agreement: f64,
}

fn shares(table: &[Vec<u64>]) -> Option<Shares> {
    let n = table.iter().flatten().sum::<u64>() as f64;
    if n == 0.0 || table.iter().any(|row| row.len() != table.len()) {
        return None;
    }
    let cells: Vec<Vec<f64>> =
        table.iter().map(|row| row.iter().map(|&count| count as f64 / n).collect()).collect();
    let rows = cells.iter().map(|row| row.iter().sum()).collect();
    let columns = (0..cells.len()).map(|j| cells.iter().map(|row| row[j]).sum()).collect();
    let agreement = (0..cells.len()).map(|i| table[i][i]).sum::<u64>() as f64 / n;
    Some(Shares { n, cells, rows, columns, agreement })
}

/// Cohen's κ from a square table of counts, rows the first rater. Undefined without items.
pub fn cohens_kappa(table: &[Vec<u64>], conf: f64) -> Option<Kappa> {
    let s = shares(table)?;
    let by_chance: f64 = s.rows.iter().zip(&s.columns).map(|(r, c)| r * c).sum();
    if by_chance >= 1.0 {
        return Some(Kappa { kappa: None, agreement: s.agreement, ci: None });
    }
    let kappa = (s.agreement - by_chance) / (1.0 - by_chance);
    let se = kappa_variance(&s, kappa, by_chance).max(0.0).sqrt();
    let ci = Interval::around(kappa, z_critical(conf) * se);
    Some(Kappa { kappa: Some(kappa), agreement: s.agreement, ci: Some(ci) })
}

fn kappa_variance(s: &Shares, kappa: f64, by_chance: f64) -> f64 {
    let disagreement = 1.0 - kappa;
    let (mut on_diagonal, mut off_diagonal) = (0.0, 0.0);
    for (i, row) in s.cells.iter().enumerate() {
        for (j, share) in row.iter().enumerate() {
            if i == j {
                on_diagonal += share * (1.0 - (s.rows[i] + s.columns[i]) * disagreement).powi(2);
            } else {
                off_diagonal += share * (s.columns[i] + s.rows[j]).powi(2);
            }
        }
    }
    let spread = on_diagonal + disagreement.powi(2) * off_diagonal;
    let centre = (kappa - by_chance * disagreement).powi(2);
    (spread - centre) / (s.n * (1.0 - by_chance).powi(2))
}

/// Gwet's AC1 of two raters (2008): chance agreement is Σ π(1−π)/(q−1). Undefined without items and below two classes.
pub fn gwet_ac1(table: &[Vec<u64>]) -> Option<f64> {
    let s = shares(table).filter(|s| s.cells.len() >= 2)?;
    let by_chance = s.rows.iter().zip(&s.columns).map(|(r, c)| (r + c) / 2.0).map(|pi| pi * (1.0 - pi));
    let by_chance = by_chance.sum::<f64>() / (s.cells.len() - 1) as f64;
    Some((s.agreement - by_chance) / (1.0 - by_chance))
}

/// Krippendorff's α for named classes, one list of labels a rater, gaps allowed (2004). Undefined if no item was rated
/// twice and if only one label occurs.
pub fn krippendorff_alpha_nominal(raters: &[Vec<Option<u64>>]) -> Option<f64> {
    let items = raters.iter().map(Vec::len).max()?;
    let mut totals: BTreeMap<u64, f64> = BTreeMap::new();
    let mut disagreements = 0.0;
    for item in 0..items {
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        let labels = raters.iter().filter_map(|labels| labels.get(item).copied().flatten());
        labels.for_each(|label| *counts.entry(label).or_default() += 1.0);
        let m: f64 = counts.values().sum();
        if m < 2.0 {
            continue;
        }
        disagreements += counts.values().map(|c| c * (m - c)).sum::<f64>() / (m - 1.0);
        counts.into_iter().for_each(|(label, c)| *totals.entry(label).or_default() += c);
    }
    let n: f64 = totals.values().sum();
    let expected: f64 = totals.values().map(|c| c * (n - c)).sum();
    (totals.len() > 1).then(|| 1.0 - (n - 1.0) * disagreements / expected)
}
