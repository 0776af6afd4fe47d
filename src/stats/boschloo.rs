//! Boschloo's unconditional test of two shares.
//!
//! Implements `statistics.md` §4, `boschloo` and the paragraph "Boschloo in Rust". For different instances, or when
//! only totals are known; it ignores any pairing.

use super::distributions::{binomial_pmf_into, hypergeometric};
use super::fisher::Tails;

/// Two Fisher p that differ by no more than this are one outcome: rounding in a law of thousands is of this order.
const TIE: f64 = 1e-11;
/// A grid gives a lower bound of the supremum, so it is never coarser than this.
const GRID: usize = 1000;
const PEAKS: usize = 8;

/// Boschloo's test: the one-sided Fisher p is the statistic, p is its largest tail over the common rate, and two-sided
/// is twice the smaller one-sided p (SciPy's definition). Undefined for an empty arm; 1 if both arms are all or none.
pub fn boschloo(k0: u64, n0: u64, k1: u64, n1: u64) -> Option<Tails> {
    if n0 == 0 || n1 == 0 || k0 > n0 || k1 > n1 {
        return None;
    }
    let greater = one_sided(k0, n0, k1, n1);
    let less = one_sided(n0 - k0, n0, n1 - k1, n1);
    Some(Tails { two_sided: (2.0 * greater.min(less)).min(1.0), greater, less })
}

fn one_sided(k0: u64, n0: u64, k1: u64, n1: u64) -> f64 {
    let rejected_from = staircase(k0, n0, k1, n1);
    let mut buffers = (Vec::new(), Vec::new());
    let mut tail = |rate: f64| rejection(rate, n0, n1, &rejected_from, &mut buffers);
    supremum(&mut tail).min(1.0)
}

/// For each x0 the smallest x1 whose Fisher p is at most the observed one. It does not fall as x0 grows, and all
/// above it are rejected too (Barnard's convexity), so one walk of n0 + n1 steps finds it.
fn staircase(k0: u64, n0: u64, k1: u64, n1: u64) -> Vec<u64> {
    let limit = fisher_greater(k0, n0, k1, n1) * (1.0 + TIE);
    let mut x1 = 0;
    (0..=n0)
        .map(|x0| {
            while x1 <= n1 && fisher_greater(x0, n0, x1, n1) > limit {
                x1 += 1;
            }
            x1
        })
        .collect()
}

fn fisher_greater(k0: u64, n0: u64, k1: u64, n1: u64) -> f64 {
    let law = hypergeometric(n0, n1, k0 + k1);
    law.pmf[(k1 - law.low) as usize..].iter().sum()
}

/// The probability of the rejected outcomes when both arms succeed at `rate`.
fn rejection(
    rate: f64,
    n0: u64,
    n1: u64,
    rejected_from: &[u64],
    (base, trained): &mut (Vec<f64>, Vec<f64>),
) -> f64 {
    binomial_pmf_into(n0, rate, base);
    binomial_pmf_into(n1, rate, trained);
    // From probabilities to upper tails, in place.
    for x in (0..n1 as usize).rev() {
        trained[x] += trained[x + 1];
    }
    let tail = |x1: u64| trained.get(x1 as usize).copied().unwrap_or(0.0);
    base.iter().zip(rejected_from).map(|(p, &x1)| p * tail(x1)).sum()
}

/// The largest value over a grid of [0, 1] with a fine part near 0, then golden sections around the best points.
fn supremum(f: &mut impl FnMut(f64) -> f64) -> f64 {
    let mut rates: Vec<f64> = (0..=GRID).map(|i| i as f64 / GRID as f64).collect();
    rates.extend((0..40).map(|i| 10f64.powf(-6.0 + 3.0 * f64::from(i) / 39.0)));
    rates.sort_unstable_by(f64::total_cmp);
    let values: Vec<f64> = rates.iter().map(|&rate| f(rate)).collect();
    let mut order: Vec<usize> = (0..rates.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let mut best = values[order[0]];
    for &i in order.iter().take(PEAKS) {
        let (low, high) = (rates[i.saturating_sub(1)], rates[(i + 1).min(rates.len() - 1)]);
        best = best.max(golden_section(low, rates[i], f)).max(golden_section(rates[i], high, f));
    }
    best
}

/// The largest value met while a golden section closes in on a maximum between `low` and `high`.
fn golden_section(mut low: f64, mut high: f64, f: &mut impl FnMut(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    let mut best = at_left.max(at_right);
    // The value is flat at its top: a place known to 1e-6 of the cell gives the value to 1e-12 of its curvature.
    for _ in 0..30 {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = f(right);
        }
        best = best.max(at_left).max(at_right);
    }
    best
}
