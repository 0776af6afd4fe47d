//! Fisher's exact test of two shares.
//!
//! Implements `statistics.md` §4, `fisher`. It ignores any pairing: for different instances, beside Boschloo.

use super::distributions::hypergeometric;

/// The p values of a test in both directions. `greater` = the trained arm is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails {
    /// p against "trained differs from base".
    pub two_sided: f64,
    /// p against "trained is greater".
    pub greater: f64,
    /// p against "trained is less".
    pub less: f64,
}

/// Fisher's exact test. Two-sided sums the outcomes that are no more probable than the observed one, ties within
/// 1e-7 included (as R and SciPy do). Undefined for an empty arm.
pub fn fisher(k0: u64, n0: u64, k1: u64, n1: u64) -> Option<Tails> {
    if n0 == 0 || n1 == 0 || k0 > n0 || k1 > n1 {
        return None;
    }
    let law = hypergeometric(n0, n1, k0 + k1);
    Some(tails_at(&law.pmf, (k1 - law.low) as usize))
}

/// The tails of a discrete law at the observed place.
pub(super) fn tails_at(law: &[f64], observed: usize) -> Tails {
    let limit = law[observed] * (1.0 + 1e-7);
    let two_sided: f64 = law.iter().filter(|&&p| p <= limit).sum();
    Tails {
        two_sided: two_sided.min(1.0),
        greater: law[observed..].iter().sum::<f64>().min(1.0),
        less: law[..=observed].iter().sum::<f64>().min(1.0),
    }
}
