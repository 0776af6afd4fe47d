//! pass@k and pass^k of one instance and over instances, and the instances solved always or ever.
//!
//! Implements `statistics.md` §2. `n` is the scored runs of an instance and `c` the resolved ones; fewer scored runs
//! than `k` leave an instance out and are counted, they never turn pass@k quietly into pass@n.

use super::moments::mean;

/// A mean over the instances for which the figure is defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanOverInstances {
    /// The mean; `None` if no instance has enough scored runs.
    pub value: Option<f64>,
    /// How many instances are in the mean.
    pub used: usize,
    /// How many have too few scored runs.
    pub left_out: usize,
}

/// How many instances were solved in all runs, and in at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllAny {
    /// Instances solved in every run.
    pub intersection: usize,
    /// Instances solved in at least one run.
    pub union: usize,
    /// Instances with exactly the asked number of scored runs.
    pub used: usize,
    /// The other instances.
    pub left_out: usize,
}

/// What a set of equally hard instances would give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedAllAny {
    /// Expected number of instances solved in every run.
    pub intersection: f64,
    /// Expected number of instances solved in at least one run.
    pub union: f64,
}

/// pass@k = 1 − C(n−c, k) / C(n, k): the chance that k runs drawn from the n hold a resolved one (Chen et al. 2021).
/// Undefined for k < 1, n < k, c > n.
pub fn pass_at_k(n: u64, c: u64, k: u64) -> Option<f64> {
    if k < 1 || n < k || c > n {
        return None;
    }
    if c == 0 {
        return Some(0.0);
    }
    if n - c < k {
        return Some(1.0);
    }
    // C(n−c, k) / C(n, k) is symmetric in c and k, so the product needs min(c, k) factors only.
    let (few, many) = (c.min(k), c.max(k));
    let none_resolved: f64 = (0..few).map(|i| (n - many - i) as f64 / (n - i) as f64).product();
    Some(1.0 - none_resolved)
}

/// pass^k = C(c, k) / C(n, k): the chance that k runs drawn from the n are all resolved (Yao et al. 2024). Not
/// (c/n)^k. Undefined as `pass_at_k`.
pub fn pass_hat_k(n: u64, c: u64, k: u64) -> Option<f64> {
    if k < 1 || n < k || c > n {
        return None;
    }
    if c < k {
        return Some(0.0);
    }
    Some((0..k).map(|i| (c - i) as f64 / (n - i) as f64).product())
}

/// Mean pass@k over instances given as (scored runs, resolved runs). Runs are never pooled over instances.
pub fn pass_at_k_mean(nc: &[(u64, u64)], k: u64) -> MeanOverInstances {
    mean_over(nc, |n, c| pass_at_k(n, c, k))
}

/// Mean pass^k over instances given as (scored runs, resolved runs). Times `used` it is the expected number of
/// instances solved in all of k runs, when there are more than k.
pub fn pass_hat_k_mean(nc: &[(u64, u64)], k: u64) -> MeanOverInstances {
    mean_over(nc, |n, c| pass_hat_k(n, c, k))
}

fn mean_over(nc: &[(u64, u64)], figure: impl Fn(u64, u64) -> Option<f64>) -> MeanOverInstances {
    let values: Vec<f64> = nc.iter().filter_map(|&(n, c)| figure(n, c)).collect();
    MeanOverInstances { value: mean(&values), used: values.len(), left_out: nc.len() - values.len() }
}

/// Instances with exactly `n` scored runs: solved in all of them (Intersection@n), in at least one (Union@n).
pub fn intersection_union(nc: &[(u64, u64)], n: u64) -> AllAny {
    let full = || nc.iter().filter(|&&(runs, _)| runs == n);
    let used = full().count();
    AllAny {
        intersection: full().filter(|&&(runs, c)| c == runs).count(),
        union: full().filter(|&&(_, c)| c > 0).count(),
        used,
        left_out: nc.len() - used,
    }
}

/// m pⁿ and m (1 − (1−p)ⁿ): how many of `instances` equally hard ones would be solved in all of `n` runs and in at
/// least one, at a success rate `p`. Far below what is seen on real benchmarks, whose instances differ.
pub fn homogeneous_expectation(instances: u64, n: u64, p: f64) -> ExpectedAllAny {
    let (m, runs) = (instances as f64, n as f64);
    let ever = if p < 1.0 { -(runs * (-p).ln_1p()).exp_m1() } else { 1.0 };
    ExpectedAllAny { intersection: m * p.powf(runs), union: m * ever }
}
