//! Is one common odds ratio a fair summary of the strata? The Breslow-Day test, plain and with Tarone's correction.
//!
//! Implements `statistics.md` §4, `breslow_day`. Weak with small cells: printed beside a pooled test, never instead.

use super::cmh::{Stratum, cmh};
use super::distributions::chi2_sf;
use super::{CONF, moments::sum};

/// The test of equal odds ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreslowDay {
    /// Breslow and Day's χ² (1980).
    pub chi2: f64,
    /// Less Tarone's correction (1985).
    pub chi2_tarone: f64,
    /// Informative strata − 1.
    pub df: u64,
    /// p of `chi2`.
    pub p: f64,
    /// p of `chi2_tarone`: the one to print.
    pub p_tarone: f64,
}

/// The Breslow-Day test over the informative strata. Undefined below two of them, and for a pooled odds ratio of 0,
/// infinity or none.
pub fn breslow_day(strata: &[Stratum]) -> Option<BreslowDay> {
    let live: Vec<Stratum> = strata.iter().copied().filter(Stratum::is_informative).collect();
    if live.len() < 2 {
        return None;
    }
    let ratio = cmh(&live, CONF).odds_ratio.filter(|r| *r > 0.0 && r.is_finite())?;
    let cells: Vec<(f64, f64)> = live.iter().map(|s| excess_and_variance(s, ratio)).collect();
    let chi2 = sum(cells.iter().map(|(excess, variance)| excess * excess / variance));
    let (excess, variance) = (sum(cells.iter().map(|c| c.0)), sum(cells.iter().map(|c| c.1)));
    let chi2_tarone = chi2 - excess * excess / variance;
    let df = live.len() as u64 - 1;
    Some(BreslowDay { chi2, chi2_tarone, df, p: chi2_sf(chi2, df), p_tarone: chi2_sf(chi2_tarone, df) })
}

/// k1 minus its expectation under the common odds ratio, and the variance of k1 there.
fn excess_and_variance(s: &Stratum, ratio: f64) -> (f64, f64) {
    let e = expected_under(s, ratio);
    let (n0, n1, m) = (s.n0 as f64, s.n1 as f64, s.successes() as f64);
    let precision = 1.0 / e + 1.0 / (n1 - e) + 1.0 / (m - e) + 1.0 / (n0 - m + e);
    (s.k1 as f64 - e, 1.0 / precision)
}

/// The k1 that gives the stratum exactly this odds ratio: the root, within the margins, of
/// e (n0 − m + e) = ratio (n1 − e)(m − e).
fn expected_under(s: &Stratum, ratio: f64) -> f64 {
    let (n0, n1, m) = (s.n0 as f64, s.n1 as f64, s.successes() as f64);
    // At a ratio of 1 the square term vanishes and the quadratic formula would divide by 0.
    if (ratio - 1.0).abs() < 1e-12 {
        return n1 * m / (n0 + n1);
    }
    let (a, b, c) = (1.0 - ratio, n0 - m + ratio * (n1 + m), -ratio * n1 * m);
    let root = (b * b - 4.0 * a * c).sqrt();
    let (low, high) = ((m - n0).max(0.0), n1.min(m));
    let outside = |x: f64| (x - x.clamp(low, high)).abs();
    let (first, second) = ((-b + root) / (2.0 * a), (-b - root) / (2.0 * a));
    if outside(first) <= outside(second) { first } else { second }
}
