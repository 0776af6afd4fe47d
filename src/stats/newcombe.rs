//! Intervals of a difference of two shares by Newcombe's square-and-add of Wilson limits.
//!
//! Implements `statistics.md` §4: method 10 of Newcombe 1998a for different instances and method 10 of Newcombe
//! 1998b for the same instances.

use super::Interval;
use super::proportion::wilson;

/// A difference of shares, trained minus base, in shares (not points).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// Its interval.
    pub ci: Interval,
}

/// The difference of k1/n1 and k0/n0 on different instances. Undefined for an empty arm.
pub fn newcombe_independent(k0: u64, n0: u64, k1: u64, n1: u64, conf: f64) -> Option<Difference> {
    let (base, trained) = (wilson(k0, n0, conf)?, wilson(k1, n1, conf)?);
    let (p0, p1) = (k0 as f64 / n0 as f64, k1 as f64 / n1 as f64);
    let value = p1 - p0;
    let ci = Interval {
        low: value - (p1 - trained.low).hypot(base.high - p0),
        high: value + (trained.high - p1).hypot(p0 - base.low),
    };
    Some(Difference { value, ci })
}

/// The difference of two shares on the same instances, from the four counts of pairs. Undefined without pairs.
pub fn newcombe_paired(
    both: u64,
    only_base: u64,
    only_trained: u64,
    neither: u64,
    conf: f64,
) -> Option<Difference> {
    let n = both + only_base + only_trained + neither;
    let (k0, k1) = (both + only_base, both + only_trained);
    let (base, trained) = (wilson(k0, n, conf)?, wilson(k1, n, conf)?);
    let (p0, p1) = (k0 as f64 / n as f64, k1 as f64 / n as f64);
    let phi = corrected_phi(both as f64, only_base as f64, only_trained as f64, neither as f64);
    let add = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    let value = p1 - p0;
    let ci = Interval {
        low: value - add(p1 - trained.low, base.high - p0),
        high: value + add(trained.high - p1, p0 - base.low),
    };
    Some(Difference { value, ci })
}

/// Newcombe's φ: the product difference eh − fg less n/2 if it is larger, 0 if it lies between, unchanged if it is
/// negative; 0 if a margin is empty.
fn corrected_phi(both: f64, only_base: f64, only_trained: f64, neither: f64) -> f64 {
    let half = (both + only_base + only_trained + neither) / 2.0;
    let margins =
        (both + only_trained) * (only_base + neither) * (both + only_base) * (only_trained + neither);
    if margins == 0.0 {
        return 0.0;
    }
    let product = both * neither - only_base * only_trained;
    let corrected = match product {
        _ if product > half => product - half,
        _ if product >= 0.0 => 0.0,
        _ => product,
    };
    corrected / margins.sqrt()
}
