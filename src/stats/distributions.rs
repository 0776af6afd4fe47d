//! Tails and quantiles of the normal, t, χ², beta, binomial and hypergeometric laws, for the other files here.
//!
//! Tails are computed as tails, never as 1 minus a distribution function, so that a p of 1e-300 survives. The
//! discrete laws are built outwards from their mode by ratios of neighbours and normalised: no factorial is formed,
//! so they hold for tables of thousands, where the hypergeometric law of statrs 0.19 turns into NaN (from 2,000 on).

use std::f64::consts::{PI, SQRT_2};

use statrs::function::beta::{beta_reg, ln_beta};
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::gamma_ur;

/// P(|Z| >= |z|) of the standard normal law, as the tail of χ² with one degree of freedom: erfc of statrs 0.19 is
/// right to ten digits only, its incomplete gamma function to thirteen.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    chi2_sf(z * z, 1)
}

/// P(Z >= z) of the standard normal law.
pub(super) fn normal_sf(z: f64) -> f64 {
    let tail = 0.5 * normal_two_sided(z);
    if z >= 0.0 { tail } else { 1.0 - tail }
}

/// P(Z <= z) of the standard normal law.
pub(super) fn normal_cdf(z: f64) -> f64 {
    normal_sf(-z)
}

/// The z with P(Z <= z) = p; infinite at 0 and 1.
pub(super) fn normal_quantile(p: f64) -> f64 {
    let z = -SQRT_2 * erfc_inv(2.0 * p);
    if !z.is_finite() {
        return z;
    }
    // One Newton step takes the approximation to full precision.
    let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
    if density > 0.0 { z - (normal_cdf(z) - p) / density } else { z }
}

/// The z of a two-sided interval at level `conf`.
pub(super) fn z_critical(conf: f64) -> f64 {
    normal_quantile(0.5 + conf / 2.0)
}

/// P(|T| >= |t|) of Student's t with `df` degrees of freedom.
pub(super) fn t_two_sided(t: f64, df: f64) -> f64 {
    beta_reg(df / 2.0, 0.5, df / (df + t * t))
}

/// The t of a two-sided interval at level `conf` with `df` degrees of freedom.
pub(super) fn t_critical(conf: f64, df: f64) -> f64 {
    let x = beta_quantile(1.0 - conf, df / 2.0, 0.5);
    let mut t = (df * (1.0 - x) / x).sqrt();
    // x lies near 1 for large df, where 1 - x has lost digits: two Newton steps in t give them back.
    for _ in 0..2 {
        let ln_density = -(df + 1.0) / 2.0 * (t * t / df).ln_1p() - 0.5 * df.ln() - ln_beta(df / 2.0, 0.5);
        t += (t_two_sided(t, df) - (1.0 - conf)) / (2.0 * ln_density.exp());
    }
    t
}

/// P(X >= x) of χ² with `df` degrees of freedom.
pub(super) fn chi2_sf(x: f64, df: u64) -> f64 {
    if x <= 0.0 { 1.0 } else { gamma_ur(df as f64 / 2.0, x / 2.0) }
}

/// The x with P(X <= x) = p of Beta(a, b), by Newton's method kept inside a shrinking bracket.
pub(super) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = a / (a + b);
    for _ in 0..300 {
        let excess = beta_reg(a, b, x) - p;
        if excess > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let density = ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - ln_beta(a, b)).exp();
        let newton = x - excess / density;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= f64::EPSILON * x {
            return next;
        }
        x = next;
    }
    x
}

/// Probabilities of Binomial(n, p) for 0 ..= n.
pub(super) fn binomial_pmf(n: u64, p: f64) -> Vec<f64> {
    let mut law = Vec::new();
    binomial_pmf_into(n, p, &mut law);
    law
}

/// As `binomial_pmf`, into a buffer that is used again: Boschloo's supremum asks two thousand times.
pub(super) fn binomial_pmf_into(n: u64, p: f64, law: &mut Vec<f64>) {
    let size = n as usize;
    law.clear();
    law.resize(size + 1, 0.0);
    if p <= 0.0 || p >= 1.0 {
        law[if p <= 0.0 { 0 } else { size }] = 1.0;
        return;
    }
    let odds = p / (1.0 - p);
    let mode = (((n + 1) as f64 * p) as usize).min(size);
    fill_from_mode(law, mode, |x| (size - x) as f64 / (x + 1) as f64 * odds);
}

/// The law of the successes among `n1` drawn from `n0 + n1` of which `m` are successes, given the margins.
pub(super) struct Hypergeometric {
    /// The smallest possible number of successes.
    pub low: u64,
    /// Probabilities from `low` upwards.
    pub pmf: Vec<f64>,
}

/// The hypergeometric law of the trained arm's successes, the margins of the table given.
pub(super) fn hypergeometric(n0: u64, n1: u64, m: u64) -> Hypergeometric {
    let low = m.saturating_sub(n0);
    let high = n1.min(m);
    let mut pmf = vec![0.0; (high - low + 1) as usize];
    let mode = ((m + 1) as f64 * (n1 + 1) as f64 / (n0 + n1 + 2) as f64) as u64;
    let mode = (mode.clamp(low, high) - low) as usize;
    fill_from_mode(&mut pmf, mode, |i| {
        let x = low + i as u64;
        ((m - x) as f64 / (x + 1) as f64) * ((n1 - x) as f64 / (n0 + x + 1 - m) as f64)
    });
    Hypergeometric { low, pmf }
}

/// Fills a law of one mode from `ratio(x)` = P(x + 1) / P(x) and scales it to sum 1.
fn fill_from_mode(law: &mut [f64], mode: usize, ratio: impl Fn(usize) -> f64) {
    law[mode] = 1.0;
    for x in mode..law.len() - 1 {
        law[x + 1] = law[x] * ratio(x);
        if law[x + 1] == 0.0 {
            break;
        }
    }
    for x in (0..mode).rev() {
        law[x] = law[x + 1] / ratio(x);
        if law[x] == 0.0 {
            break;
        }
    }
    let total: f64 = law.iter().sum();
    law.iter_mut().for_each(|p| *p /= total);
}
