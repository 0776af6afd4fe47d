//! Rank correlation of two lists, for the order of models.
//!
//! Implements `statistics.md` §5, `rank_correlation`. With few models only the exact p is honest; four can never
//! reach 0.05.

use super::distributions::{normal_two_sided, t_two_sided};
use super::moments::{mean, sum};
use super::ranks::{midranks, tie_sizes};

/// Up to this many pairs all orders are counted.
const MAX_EXACT: usize = 9;
/// Statistics that differ by less than this are equal.
const TIE: f64 = 1e-9;

/// Spearman's ρ and Kendall's τ_b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankCorrelation {
    /// Pearson's correlation of the midranks.
    pub rho: f64,
    /// Kendall's τ corrected for ties.
    pub tau_b: f64,
    /// Two-sided p of ρ.
    pub rho_p: f64,
    /// Two-sided p of τ.
    pub tau_p: f64,
    /// Whether the p are exact (up to 9 pairs, over all orders) or by the t and the normal law.
    pub exact: bool,
}

/// Rank correlation of two lists of equal length. Undefined below two pairs, for lists of unequal length and where one
/// of them is constant.
pub fn rank_correlation(x: &[f64], y: &[f64]) -> Option<RankCorrelation> {
    let (ties_x, ties_y) = (tie_sizes(x), tie_sizes(y));
    if x.len() != y.len() || ties_x.len() < 2 || ties_y.len() < 2 {
        return None;
    }
    let (a, b) = (centred_ranks(x)?, centred_ranks(y)?);
    let product = sum(a.iter().zip(&b).map(|(p, q)| p * q));
    let spread = |v: &[f64]| sum(v.iter().map(|p| p * p));
    let rho = (product / (spread(&a) * spread(&b)).sqrt()).clamp(-1.0, 1.0);
    let score = concordance(&a, &b);
    let pairs = (x.len() * (x.len() - 1)) as f64 / 2.0;
    let untied = |ties: &[f64]| pairs - ties.iter().map(|t| t * (t - 1.0) / 2.0).sum::<f64>();
    let tau_b = (score / (untied(&ties_x) * untied(&ties_y)).sqrt()).clamp(-1.0, 1.0);
    let exact = x.len() <= MAX_EXACT;
    let (rho_p, tau_p) = match exact {
        true => over_all_orders(&a, &b, product.abs(), score.abs()),
        false => (rho_p_by_t(rho, x.len() as f64), tau_p_normal(score, x.len() as f64, &ties_x, &ties_y)),
    };
    Some(RankCorrelation { rho, tau_b, rho_p, tau_p, exact })
}

fn centred_ranks(x: &[f64]) -> Option<Vec<f64>> {
    let ranks = midranks(x);
    let centre = mean(&ranks)?;
    Some(ranks.iter().map(|r| r - centre).collect())
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Concordant minus discordant pairs.
fn concordance(a: &[f64], b: &[f64]) -> f64 {
    let mut score = 0.0;
    for i in 0..a.len() {
        for j in 0..i {
            score += sign(a[i] - a[j]) * sign(b[i] - b[j]);
        }
    }
    score
}

/// The shares of all n! orders of b whose statistic is at least the observed one.
fn over_all_orders(a: &[f64], b: &[f64], product: f64, score: f64) -> (f64, f64) {
    let mut order = b.to_vec();
    let (mut all, mut by_product, mut by_score) = (0_u64, 0_u64, 0_u64);
    let mut look = |b: &[f64]| {
        all += 1;
        let own: f64 = a.iter().zip(b).map(|(p, q)| p * q).sum();
        by_product += u64::from(own.abs() >= product - TIE);
        by_score += u64::from(concordance(a, b).abs() >= score - TIE);
    };
    permute(&mut order, a.len(), &mut look);
    (by_product as f64 / all as f64, by_score as f64 / all as f64)
}

/// Heap's walk through the orders of the first `n` values.
fn permute(values: &mut [f64], n: usize, look: &mut impl FnMut(&[f64])) {
    if n <= 1 {
        return look(values);
    }
    for i in 0..n {
        permute(values, n - 1, look);
        if i + 1 < n {
            values.swap(if n.is_multiple_of(2) { i } else { 0 }, n - 1);
        }
    }
}

fn rho_p_by_t(rho: f64, n: f64) -> f64 {
    let rest = (1.0 - rho) * (1.0 + rho);
    if rest <= 0.0 { 0.0 } else { t_two_sided(rho * ((n - 2.0) / rest).sqrt(), n - 2.0) }
}

/// The normal p of Kendall's score with the variance corrected for ties.
fn tau_p_normal(score: f64, n: f64, ties_x: &[f64], ties_y: &[f64]) -> f64 {
    let over = |ties: &[f64], f: fn(f64) -> f64| ties.iter().map(|&t| f(t)).sum::<f64>();
    let long = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let pairs = |t: f64| t * (t - 1.0);
    let triples = |t: f64| t * (t - 1.0) * (t - 2.0);
    let variance = (long(n) - over(ties_x, long) - over(ties_y, long)) / 18.0
        + over(ties_x, pairs) * over(ties_y, pairs) / (2.0 * pairs(n))
        + over(ties_x, triples) * over(ties_y, triples) / (9.0 * triples(n));
    normal_two_sided(score / variance.sqrt())
}
