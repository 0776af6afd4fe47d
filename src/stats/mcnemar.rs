//! McNemar's test of two arms on the same instances with one run each, and the range of its p when only the totals
//! are known.
//!
//! Implements `statistics.md` §4, `mcnemar` and `mcnemar_bounds`. b = solved by the base only, c = by the trained arm
//! only; the concordant pairs carry no information about the difference.

use super::distributions::{binomial_pmf, chi2_sf};

/// McNemar's test in its variants, all two-sided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// min(1, 2 P(Bin(b+c, ½) <= min(b, c))): the default of every table.
    pub exact: f64,
    /// exact − P(X = min(b, c)), and 1 when b = c (Fagerland et al. 2013, by doubling).
    pub mid_p: f64,
    /// (c−b)² / (b+c).
    pub chi2: Option<f64>,
    /// p of `chi2` at one degree of freedom.
    pub chi2_p: Option<f64>,
    /// p of max(0, |c−b| − 1)² / (b+c).
    pub chi2_cc_p: Option<f64>,
    /// c / b; infinite if b = 0.
    pub odds_ratio: Option<f64>,
}

/// The extremes of the exact McNemar p over every pairing that the totals allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemarBounds {
    /// The smallest p.
    pub p_min: f64,
    /// The largest p.
    pub p_max: f64,
    /// The smallest possible number of discordant pairs.
    pub discordant_min: u64,
    /// The largest possible number of discordant pairs.
    pub discordant_max: u64,
}

/// McNemar's test from the discordant counts. Without discordant pairs exact and mid-p are 1 and the rest undefined.
pub fn mcnemar(only_base: u64, only_trained: u64) -> McNemar {
    let n = only_base + only_trained;
    if n == 0 {
        return McNemar {
            exact: 1.0,
            mid_p: 1.0,
            chi2: None,
            chi2_p: None,
            chi2_cc_p: None,
            odds_ratio: None,
        };
    }
    let law = binomial_pmf(n, 0.5);
    let fewer = only_base.min(only_trained) as usize;
    let doubled = 2.0 * law[..=fewer].iter().sum::<f64>();
    let gap = only_base.abs_diff(only_trained) as f64;
    let chi2 = gap * gap / n as f64;
    let corrected = (gap - 1.0).max(0.0).powi(2) / n as f64;
    McNemar {
        exact: doubled.min(1.0),
        mid_p: if only_base == only_trained { 1.0 } else { doubled - law[fewer] },
        chi2: Some(chi2),
        chi2_p: Some(chi2_sf(chi2, 1)),
        chi2_cc_p: Some(chi2_sf(corrected, 1)),
        odds_ratio: Some(only_trained as f64 / only_base as f64),
    }
}

/// The range of the exact p over all pairings of `k0` and `k1` successes on the same `n` instances. Undefined for
/// n = 0 and for more successes than instances.
pub fn mcnemar_bounds(k0: u64, k1: u64, n: u64) -> Option<McNemarBounds> {
    if n == 0 || k0 > n || k1 > n {
        return None;
    }
    let least = k0.saturating_sub(k1);
    let most = k0.min(n - k1);
    let trained = |only_base: u64| only_base + k1 - k0;
    let p_values = (least..=most).map(|b| mcnemar(b, trained(b)).exact);
    let (p_min, p_max) = p_values.fold((1.0_f64, 0.0_f64), |(low, high), p| (low.min(p), high.max(p)));
    Some(McNemarBounds {
        p_min,
        p_max,
        discordant_min: least + trained(least),
        discordant_max: most + trained(most),
    })
}
