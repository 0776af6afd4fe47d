//! Wilcoxon's signed-rank test of instance differences and the Hodges-Lehmann shift that goes with it.
//!
//! Implements `statistics.md` §5. For counts, steps, tokens, cost and time on the same instances.

use super::Interval;
use super::distributions::{normal_two_sided, z_critical};
use super::quantile::median_of;
use super::ranks::midranks;
use super::subset_sums::lower_tail;

/// Up to this many non-zero differences the exact p is computed.
const MAX_EXACT: usize = 200;

/// What is done with differences of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// Dropped before ranking (Wilcoxon 1945).
    Wilcox,
    /// Ranked with the others, then dropped (Pratt 1959).
    Pratt,
}

/// The signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// The sum of the ranks of the positive differences.
    pub w_plus: f64,
    /// The sum of the ranks of the negative differences.
    pub w_minus: f64,
    /// Differences that are not 0.
    pub n_used: usize,
    /// Twice the smaller tail of the exact law given the midranks, ties allowed; `None` above 200 differences.
    pub p_exact: Option<f64>,
    /// (W⁺ − Σr/2) / √(Σr²/4).
    pub z: f64,
    /// Two-sided normal p of `z`, corrected for ties, without continuity correction.
    pub p_normal: f64,
    /// (W⁺ − W⁻) / (W⁺ + W⁻), from −1 to 1.
    pub rank_biserial: f64,
}

impl SignedRank {
    /// The exact p where there is one, else the normal one.
    pub fn p(&self) -> f64 {
        self.p_exact.unwrap_or(self.p_normal)
    }
}

/// Wilcoxon's signed-rank test. Undefined without a non-zero difference and for values that are not finite.
pub fn wilcoxon_signed_rank(d: &[f64], zeros: Zeros) -> Option<SignedRank> {
    if d.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let kept: Vec<f64> = d.iter().copied().filter(|x| zeros == Zeros::Pratt || *x != 0.0).collect();
    let sizes: Vec<f64> = kept.iter().map(|x| x.abs()).collect();
    let ranked: Vec<(f64, f64)> =
        kept.iter().copied().zip(midranks(&sizes)).filter(|(x, _)| *x != 0.0).collect();
    if ranked.is_empty() {
        return None;
    }
    let rank_sum = |positive: bool| -> f64 {
        ranked.iter().filter(|(x, _)| (*x > 0.0) == positive).map(|(_, rank)| rank).sum()
    };
    let (w_plus, w_minus) = (rank_sum(true), rank_sum(false));
    let squares: f64 = ranked.iter().map(|(_, rank)| rank * rank).sum();
    let z = (w_plus - (w_plus + w_minus) / 2.0) / (squares / 4.0).sqrt();
    Some(SignedRank {
        w_plus,
        w_minus,
        n_used: ranked.len(),
        p_exact: (ranked.len() <= MAX_EXACT).then(|| exact_p(&ranked, w_plus.min(w_minus))),
        z,
        p_normal: normal_two_sided(z),
        rank_biserial: (w_plus - w_minus) / (w_plus + w_minus),
    })
}

/// Midranks are halves, so doubled they are whole.
fn exact_p(ranked: &[(f64, f64)], smaller: f64) -> f64 {
    let doubled: Vec<u64> = ranked.iter().map(|(_, rank)| (2.0 * rank).round() as u64).collect();
    (2.0 * lower_tail(&doubled, (2.0 * smaller).round() as u64)).min(1.0)
}

/// The Hodges-Lehmann shift: the median of the means of all pairs of differences, each with itself included (1963).
/// Undefined for no differences and for values that are not finite.
pub fn hodges_lehmann_paired(d: &[f64]) -> Option<f64> {
    median_of(&mut walsh(d)?)
}

/// The interval that belongs to the shift: the k-th smallest and the k-th largest of the same means, k the largest whole
/// number with P(W⁺ < k) at most half of what may miss (Tukey; Hollander and Wolfe §3.3), from the exact law up to 200
/// differences, else from the normal one. Its ends are those shifts that the test does not reject. Undefined where so few
/// differences have no such k (below six at 95 %).
pub fn hodges_lehmann_interval(d: &[f64], conf: f64) -> Option<Interval> {
    let mut means = walsh(d)?;
    let k = critical_rank(d.len(), conf)?;
    means.sort_by(f64::total_cmp);
    Some(Interval { low: *means.get(k - 1)?, high: *means.get(means.len().checked_sub(k)?)? })
}

/// The means of all pairs, each with itself included.
fn walsh(d: &[f64]) -> Option<Vec<f64>> {
    if d.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut means = Vec::with_capacity(d.len() * (d.len() + 1) / 2);
    for (i, x) in d.iter().enumerate() {
        means.extend(d[i..].iter().map(|y| (x + y) / 2.0));
    }
    Some(means)
}

/// The largest k ≥ 1 with P(W⁺ ≤ k − 1) ≤ (1 − conf) / 2 for n differences without ties.
fn critical_rank(n: usize, conf: f64) -> Option<usize> {
    let tail = (1.0 - conf) / 2.0;
    let size = n as f64;
    if n > MAX_EXACT {
        let sigma = (size * (size + 1.0) * (2.0 * size + 1.0) / 24.0).sqrt();
        return Some((size * (size + 1.0) / 4.0 - z_critical(conf) * sigma).floor() as usize + 1);
    }
    let ranks: Vec<u64> = (1..=n as u64).collect();
    let fits = |k: usize| lower_tail(&ranks, k as u64 - 1) <= tail;
    let (mut low, mut high) = (0, n * (n + 1) / 4 + 1);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    (low > 0).then_some(low)
}
