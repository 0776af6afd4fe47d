//! The Mann-Whitney test of two arms on different instances, with the chance of superiority and the shift.
//!
//! Implements `statistics.md` §5. One value an instance (the instance mean), never one a run.

use super::distributions::normal_sf;
use super::quantile::median_of;
use super::ranks::{midranks, tie_sizes};

/// Up to this many values in both arms together the exact p is computed.
const MAX_EXACT: usize = 100;

/// The Mann-Whitney test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the trained value is greater, ties counted half.
    pub u_trained: f64,
    /// U / (n0 n1): the chance that a trained instance beats a base one.
    pub p_superiority: f64,
    /// 2 U / (n0 n1) − 1.
    pub cliffs_delta: f64,
    /// Two-sided exact p; `None` with ties and above 100 values.
    pub p_exact: Option<f64>,
    /// Two-sided normal p, corrected for ties and continuity; `None` if all values are equal.
    pub p_normal_cc: Option<f64>,
    /// The median of all differences trained − base.
    pub hl_shift: Option<f64>,
}

/// The Mann-Whitney test. Undefined for an empty arm and for values that are not finite.
pub fn mann_whitney(base: &[f64], trained: &[f64]) -> Option<MannWhitney> {
    let all: Vec<f64> = base.iter().chain(trained).copied().collect();
    if base.is_empty() || trained.is_empty() || all.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let (n0, n1) = (base.len() as f64, trained.len() as f64);
    let rank_sum: f64 = midranks(&all)[base.len()..].iter().sum();
    let u = rank_sum - n1 * (n1 + 1.0) / 2.0;
    let ties = tie_sizes(&all);
    let untied = ties.len() == all.len();
    Some(MannWhitney {
        u_trained: u,
        p_superiority: u / (n0 * n1),
        cliffs_delta: 2.0 * u / (n0 * n1) - 1.0,
        p_exact: (untied && all.len() <= MAX_EXACT).then(|| exact_p(u, base.len(), trained.len())),
        p_normal_cc: normal_p(u, n0, n1, &ties),
        hl_shift: shift(base, trained),
    })
}

/// Twice the tail of the number of ways in which n1 of n0 + n1 ranks give this U or one further out.
fn exact_p(u: f64, n0: usize, n1: usize) -> f64 {
    let most = n0 * n1;
    let smaller = (u.min(most as f64 - u)).round() as usize;
    // ways[j][s] = shares of the choices of j ranks that sum to s above the least possible sum.
    let mut ways = vec![vec![0.0_f64; most + 1]; n1 + 1];
    ways[0][0] = 1.0;
    for rank in 0..n0 + n1 {
        for j in (1..=n1.min(rank + 1)).rev() {
            // The j-th chosen rank adds its distance from the lowest place it could have.
            let gain = rank + 1 - j;
            let (fewer, more) = ways.split_at_mut(j);
            for s in (gain..=most).rev() {
                more[0][s] += fewer[j - 1][s - gain];
            }
        }
    }
    let total: f64 = ways[n1].iter().sum();
    (2.0 * ways[n1][..=smaller].iter().sum::<f64>() / total).min(1.0)
}

fn normal_p(u: f64, n0: f64, n1: f64, ties: &[f64]) -> Option<f64> {
    let n = n0 + n1;
    let tied: f64 = ties.iter().map(|t| t * t * t - t).sum();
    let variance = n0 * n1 / 12.0 * ((n + 1.0) - tied / (n * (n - 1.0)));
    // All values equal: what is left of the variance is rounding.
    (ties.len() > 1).then(|| {
        let z = ((u - n0 * n1 / 2.0).abs() - 0.5) / variance.sqrt();
        (2.0 * normal_sf(z)).min(1.0)
    })
}

fn shift(base: &[f64], trained: &[f64]) -> Option<f64> {
    let mut differences = Vec::with_capacity(base.len() * trained.len());
    for x in base {
        differences.extend(trained.iter().map(|y| y - x));
    }
    median_of(&mut differences)
}
