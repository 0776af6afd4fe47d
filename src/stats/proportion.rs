//! One proportion from independent units: Wilson, Clopper-Pearson and Jeffreys intervals, and the bounds that are
//! left when verdicts are missing or only totals are known.
//!
//! Implements `statistics.md` §3. Never here: several runs of an instance (`clustered`). No Wald interval exists.

use super::Interval;
use super::distributions::{beta_quantile, z_critical};

/// A rate under the three readings of runs without a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnscoredBounds {
    /// Unscored runs left out: k / s.
    pub excluded: Option<f64>,
    /// Unscored runs counted as failures: k / (s + u).
    pub as_fail: Option<f64>,
    /// Unscored runs counted as successes: (k + u) / (s + u).
    pub as_pass: Option<f64>,
}

/// The limits of the standard error of pass@1 when only totals are known and the ICC is not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeBounds {
    /// √(p(1−p)/(MR)): the runs of an instance tell nothing about each other.
    pub runs_independent: f64,
    /// √(p(1−p)/M): the runs of an instance all end alike.
    pub runs_identical: f64,
}

/// The Wilson score interval of k out of n (Wilson 1927); exactly 0 at k = 0 and exactly 1 at k = n. Undefined for
/// n = 0 and k > n.
pub fn wilson(k: u64, n: u64, conf: f64) -> Option<Interval> {
    if n == 0 || k > n {
        return None;
    }
    let limits = wilson_at(k as f64 / n as f64, n as f64, z_critical(conf));
    Some(exact_at_the_ends(k, n, limits))
}

/// The Wilson formula for a share `p` of a size that need not be whole (an effective n).
pub(super) fn wilson_at(p: f64, n: f64, z: f64) -> Interval {
    let shrink = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / shrink;
    let half = z / shrink * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Interval::around(centre, half)
}

/// Replaces the rounding error at the ends by the exact 0 and 1.
pub(super) fn exact_at_the_ends(k: u64, n: u64, limits: Interval) -> Interval {
    Interval { low: if k == 0 { 0.0 } else { limits.low }, high: if k == n { 1.0 } else { limits.high } }
}

/// The Clopper-Pearson interval (1934): never covers less than `conf`, and so is wide. Undefined for n = 0, k > n.
pub fn clopper_pearson(k: u64, n: u64, conf: f64) -> Option<Interval> {
    if n == 0 || k > n {
        return None;
    }
    let tail = (1.0 - conf) / 2.0;
    let (x, rest) = (k as f64, (n - k) as f64);
    Some(Interval {
        low: if k == 0 { 0.0 } else { beta_quantile(tail, x, rest + 1.0) },
        high: if k == n { 1.0 } else { beta_quantile(1.0 - tail, x + 1.0, rest) },
    })
}

/// The Jeffreys interval with the end rule of Brown, Cai and DasGupta (2001): 0 at k = 0, 1 at k = n. Undefined for
/// n = 0, k > n.
pub fn jeffreys(k: u64, n: u64, conf: f64) -> Option<Interval> {
    if n == 0 || k > n {
        return None;
    }
    let tail = (1.0 - conf) / 2.0;
    let (a, b) = (k as f64 + 0.5, (n - k) as f64 + 0.5);
    Some(Interval {
        low: if k == 0 { 0.0 } else { beta_quantile(tail, a, b) },
        high: if k == n { 1.0 } else { beta_quantile(1.0 - tail, a, b) },
    })
}

/// The rate with the unscored runs left out, as failures, as successes. Each is undefined where its denominator is 0.
pub fn unscored_bounds(k: u64, scored: u64, unscored: u64) -> UnscoredBounds {
    let share = |num: u64, den: u64| (den > 0).then(|| num as f64 / den as f64);
    UnscoredBounds {
        excluded: share(k, scored),
        as_fail: share(k, scored + unscored),
        as_pass: share(k + unscored, scored + unscored),
    }
}

/// The two limits of the standard error of pass@1 from `k` successes in `instances` × `runs` runs. Undefined without
/// instances or runs and for more successes than runs.
pub fn se_bounds(k: u64, instances: u64, runs: u64) -> Option<SeBounds> {
    if instances == 0 || runs == 0 || k > instances * runs {
        return None;
    }
    let total = (instances * runs) as f64;
    let p = k as f64 / total;
    let variance = p * (1.0 - p);
    Some(SeBounds {
        runs_independent: (variance / total).sqrt(),
        runs_identical: (variance / instances as f64).sqrt(),
    })
}
