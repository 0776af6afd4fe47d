//! How large a difference could this design have found? Minimal detectable differences, sample size, exact power.
//!
//! Implements `statistics.md` §5. Every row that is not significant prints its minimal detectable difference, so that
//! it is not read as "no effect".

use super::distributions::{binomial_pmf, normal_quantile};

/// A paired comparison of means over instances with several runs in each arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeansDesign {
    /// Instances run in both arms.
    pub instances: u64,
    /// The variance over instances of the true difference.
    pub var_effect: f64,
    /// The variance between runs of one instance in the base arm.
    pub var_within_base: f64,
    /// The variance between runs of one instance in the trained arm.
    pub var_within_trained: f64,
    /// Runs an instance in the base arm.
    pub runs_base: u64,
    /// Runs an instance in the trained arm.
    pub runs_trained: u64,
}

/// The normal quantiles of a two-sided level and of a power.
fn critical(alpha: f64, power: f64) -> (f64, f64) {
    (normal_quantile(1.0 - alpha / 2.0), normal_quantile(power))
}

/// The smallest difference of shares that McNemar's test finds with the given power among `pairs` of which the share
/// `discordance` is discordant (Miettinen 1968, Connor 1987, solved for the difference). Undefined if it is larger
/// than the discordance, i.e. not detectable at all, and without pairs.
pub fn mdd_mcnemar(pairs: u64, discordance: f64, alpha: f64, power: f64) -> Option<f64> {
    let (za, zb) = critical(alpha, power);
    let m = pairs as f64;
    let rest = m + zb * zb - za * za;
    if pairs == 0 || discordance <= 0.0 || discordance > 1.0 || rest < 0.0 {
        return None;
    }
    let difference = discordance.sqrt() * (m.sqrt() * za + zb * rest.sqrt()) / (m + zb * zb);
    (difference <= discordance).then_some(difference)
}

/// How many pairs McNemar's test needs for a difference at a discordance (Connor 1987). Undefined for no difference and
/// for one larger than the discordance.
pub fn n_mcnemar(difference: f64, discordance: f64, alpha: f64, power: f64) -> Option<u64> {
    if difference == 0.0 || difference.abs() > discordance {
        return None;
    }
    let (za, zb) = critical(alpha, power);
    let root = (za * discordance.sqrt() + zb * (discordance - difference * difference).sqrt()) / difference;
    Some((root * root - 1e-9).ceil() as u64)
}

/// The power of the exact McNemar test by enumeration of the discordant counts; at equal rates its true size.
/// Undefined for rates that are no probabilities.
pub fn power_mcnemar_exact(pairs: u64, p_only_base: f64, p_only_trained: f64, alpha: f64) -> Option<f64> {
    let discordance = p_only_base + p_only_trained;
    if p_only_base < 0.0 || p_only_trained < 0.0 || discordance > 1.0 {
        return None;
    }
    if discordance == 0.0 {
        return Some(0.0);
    }
    let rejected = |discordant: u64| match largest_rejected(discordant, alpha) {
        None => 0.0,
        Some(fewer) => {
            let law = binomial_pmf(discordant, p_only_trained / discordance);
            let upper = law.len() - 1 - fewer;
            law[..=fewer].iter().sum::<f64>() + law[upper.max(fewer + 1)..].iter().sum::<f64>()
        }
    };
    let law = binomial_pmf(pairs, discordance);
    Some(law.iter().enumerate().map(|(m, p)| p * if *p > 0.0 { rejected(m as u64) } else { 0.0 }).sum())
}

/// The largest smaller count whose exact McNemar p is at most alpha among so many discordant pairs.
fn largest_rejected(discordant: u64, alpha: f64) -> Option<usize> {
    let mut tail = 0.0;
    let mut last = None;
    for (fewer, p) in binomial_pmf(discordant, 0.5).iter().enumerate().take(discordant as usize / 2 + 1) {
        tail += p;
        if (2.0 * tail).min(1.0) > alpha {
            break;
        }
        last = Some(fewer);
    }
    last
}

/// The smallest mean difference that the paired design finds with the given power (Miller 2024, solved for the
/// difference). Undefined without instances or runs.
pub fn mdd_paired_means(design: &MeansDesign, alpha: f64, power: f64) -> Option<f64> {
    if design.instances == 0 || design.runs_base == 0 || design.runs_trained == 0 {
        return None;
    }
    let (za, zb) = critical(alpha, power);
    let within = design.var_within_base / design.runs_base as f64
        + design.var_within_trained / design.runs_trained as f64;
    Some((za + zb) * ((design.var_effect + within) / design.instances as f64).sqrt())
}
