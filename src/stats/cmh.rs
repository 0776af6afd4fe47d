//! Two shares compared within strata: Cochran-Mantel-Haenszel test, common odds ratio, pooled gain.
//!
//! Implements `statistics.md` §4, `cmh`, `cmh_exact`, `mh_risk_difference`. A stratum is a benchmark (or an instance:
//! then the result speaks of these instances only). The test is two-sided; without correction is what tables show.

use super::Interval;
use super::distributions::{chi2_sf, hypergeometric, z_critical};
use super::fisher::{Tails, tails_at};
use super::moments::sum;

/// The totals of both arms in one stratum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// Successes of the base arm.
    pub k0: u64,
    /// Units of the base arm.
    pub n0: u64,
    /// Successes of the trained arm.
    pub k1: u64,
    /// Units of the trained arm.
    pub n1: u64,
}

impl Stratum {
    pub(super) fn successes(&self) -> u64 {
        self.k0 + self.k1
    }

    pub(super) fn size(&self) -> u64 {
        self.n0 + self.n1
    }

    /// Whether both arms are there and there are both successes and failures.
    pub(super) fn is_informative(&self) -> bool {
        self.n0 > 0 && self.n1 > 0 && 0 < self.successes() && self.successes() < self.size()
    }
}

/// The Cochran-Mantel-Haenszel test with the common odds ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cmh {
    /// Σ (k1 − expected k1).
    pub delta: f64,
    /// Strata that have both arms, successes and failures.
    pub informative_strata: usize,
    /// delta² / Σ variance; `None` if the variance is 0.
    pub chi2: Option<f64>,
    /// p of `chi2` at one degree of freedom.
    pub p: Option<f64>,
    /// max(0, |delta| − ½)² / Σ variance.
    pub chi2_cc: Option<f64>,
    /// p of `chi2_cc`.
    pub p_cc: Option<f64>,
    /// The Mantel-Haenszel odds ratio; infinite or 0 at the ends, `None` if both sums are 0.
    pub odds_ratio: Option<f64>,
    /// Its interval by Robins, Breslow and Greenland (1986); `None` if the odds ratio is not a positive number.
    pub ci: Option<Interval>,
}

/// The Mantel-Haenszel risk difference: the pooled gain, in shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiskDifference {
    /// Trained minus base.
    pub rd: f64,
    /// Its standard error (Greenland and Robins 1985).
    pub se: f64,
    /// Normal interval; `None` if the standard error is 0.
    pub ci: Option<Interval>,
}

/// The Cochran-Mantel-Haenszel test; `conf` is the level of the interval of the odds ratio. Strata without one of the
/// arms are passed over.
pub fn cmh(strata: &[Stratum], conf: f64) -> Cmh {
    let strata: Vec<&Stratum> = strata.iter().filter(|s| s.n0 > 0 && s.n1 > 0).collect();
    let delta = sum(strata.iter().map(|s| s.k1 as f64 - expected(s)));
    let variance = sum(strata.iter().map(|s| variance(s)));
    let chi2 = (variance > 0.0).then(|| delta * delta / variance);
    let chi2_cc = (variance > 0.0).then(|| (delta.abs() - 0.5).max(0.0).powi(2) / variance);
    let (odds_ratio, ci) = odds_ratio(&strata, conf);
    Cmh {
        delta,
        informative_strata: strata.iter().filter(|s| s.is_informative()).count(),
        chi2,
        p: chi2.map(|x| chi2_sf(x, 1)),
        chi2_cc,
        p_cc: chi2_cc.map(|x| chi2_sf(x, 1)),
        odds_ratio,
        ci,
    }
}

fn expected(s: &Stratum) -> f64 {
    s.n1 as f64 * s.successes() as f64 / s.size() as f64
}

fn variance(s: &Stratum) -> f64 {
    let (t, m) = (s.size() as f64, s.successes() as f64);
    s.n0 as f64 * s.n1 as f64 * m * (t - m) / (t * t * (t - 1.0))
}

/// Σ R / Σ S with R = k1 (n0−k0) / T and S = k0 (n1−k1) / T, and the RBG interval.
fn odds_ratio(strata: &[&Stratum], conf: f64) -> (Option<f64>, Option<Interval>) {
    let (mut r_sum, mut s_sum, mut pr, mut mixed, mut qs) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for stratum in strata {
        let t = stratum.size() as f64;
        let (k0, k1) = (stratum.k0 as f64, stratum.k1 as f64);
        let (f0, f1) = (stratum.n0 as f64 - k0, stratum.n1 as f64 - k1);
        let (r, s) = (k1 * f0 / t, k0 * f1 / t);
        let (p, q) = ((k1 + f0) / t, (k0 + f1) / t);
        r_sum += r;
        s_sum += s;
        pr += p * r;
        mixed += p * s + q * r;
        qs += q * s;
    }
    match (r_sum > 0.0, s_sum > 0.0) {
        (false, false) => (None, None),
        (true, true) => {
            let ratio: f64 = r_sum / s_sum;
            let variance =
                pr / (2.0 * r_sum * r_sum) + mixed / (2.0 * r_sum * s_sum) + qs / (2.0 * s_sum * s_sum);
            let log = Interval::around(ratio.ln(), z_critical(conf) * variance.sqrt());
            (Some(ratio), Some(Interval { low: log.low.exp(), high: log.high.exp() }))
        }
        (r_only, _) => (Some(if r_only { f64::INFINITY } else { 0.0 }), None),
    }
}

/// The exact conditional test of a common odds ratio of 1: the convolution of the strata's hypergeometric laws. Always
/// defined; 1 if no stratum is informative.
pub fn cmh_exact(strata: &[Stratum]) -> Tails {
    let mut law = vec![1.0];
    let mut observed = 0;
    for s in strata.iter().filter(|s| s.k0 <= s.n0 && s.k1 <= s.n1) {
        let own = hypergeometric(s.n0, s.n1, s.successes());
        observed += (s.k1 - own.low) as usize;
        law = convolve(&law, &own.pmf);
    }
    tails_at(&law, observed)
}

fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut law = vec![0.0; a.len() + b.len() - 1];
    for (i, p) in a.iter().enumerate() {
        for (cell, q) in law[i..].iter_mut().zip(b) {
            *cell += p * q;
        }
    }
    law
}

/// The pooled gain, trained minus base, weighted n0 n1 / T. Undefined without a stratum that has both arms.
pub fn mh_risk_difference(strata: &[Stratum], conf: f64) -> Option<RiskDifference> {
    let strata: Vec<&Stratum> = strata.iter().filter(|s| s.n0 > 0 && s.n1 > 0).collect();
    if strata.is_empty() {
        return None;
    }
    let numbers = |s: &Stratum| (s.k0 as f64, s.n0 as f64, s.k1 as f64, s.n1 as f64);
    let weight = sum(strata.iter().map(|s| {
        let (_, n0, _, n1) = numbers(s);
        n0 * n1 / (n0 + n1)
    }));
    let difference = sum(strata.iter().map(|s| {
        let (k0, n0, k1, n1) = numbers(s);
        (k1 * n0 - k0 * n1) / (n0 + n1)
    }));
    let variance = sum(strata.iter().map(|s| {
        let (k0, n0, k1, n1) = numbers(s);
        let spread = k1 * (n1 - k1) * n0.powi(3) + k0 * (n0 - k0) * n1.powi(3);
        spread / (n0 * n1 * (n0 + n1).powi(2))
    }));
    let (rd, se) = (difference / weight, variance.sqrt() / weight);
    Some(RiskDifference { rd, se, ci: (se > 0.0).then(|| Interval::around(rd, z_critical(conf) * se)) })
}
