//! Means over runs that come in clusters, one cluster an instance: standard error, interval, intraclass correlation.
//!
//! Implements `statistics.md` §3. A group holds the values of all runs of one instance; empty groups are left out.

use super::Interval;
use super::distributions::{t_critical, z_critical};
use super::moments::{is_rounding_error, mean, sd, sum};
use super::proportion::{exact_at_the_ends, wilson_at};

/// A mean over all runs whose standard error allows for runs of one instance resembling each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredMean {
    /// The mean over runs.
    pub mean: f64,
    /// The standard error as if the runs were independent; for the design effect only.
    pub se_naive: f64,
    /// CR0: √(Σ e_g²) / N, e_g = the sum of the residuals of instance g (Miller 2024).
    pub se_cr0: f64,
    /// CR1 = CR0 √(G/(G−1)): the one that is reported.
    pub se_cr1: f64,
    /// t interval with G − 1 degrees of freedom; `None` if the standard error is 0.
    pub ci: Option<Interval>,
    /// The mean of the instance means: every instance weighs the same.
    pub mean_of_instance_means: f64,
    /// The standard error of that mean.
    pub se_instance_means: f64,
    /// The design effect (CR1 / naive)²; `None` if all runs are equal.
    pub deff: Option<f64>,
}

/// A share of runs with the Wilson interval at the effective sample size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredWilson {
    /// The share of all runs.
    pub p: f64,
    /// The effective number of runs, after the correction for G − 1 degrees of freedom.
    pub n_eff: f64,
    /// The interval.
    pub ci: Interval,
}

/// How alike the runs of one instance are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Icc {
    /// The one-way ANOVA intraclass correlation; may be negative and is not clipped.
    pub icc: f64,
    /// The mean number of runs an instance, corrected for unequal numbers.
    pub n0: f64,
    /// The design effect 1 + (n0 − 1) ICC.
    pub deff: f64,
    /// N / deff; `None` if the design effect is not positive.
    pub n_eff: Option<f64>,
}

/// The clustered standard error of a mean over runs. Undefined below two instances.
pub fn clustered_se<G: AsRef<[f64]>>(groups: &[G], conf: f64) -> Option<ClusteredMean> {
    let groups = filled(groups);
    let g = groups.len() as f64;
    if groups.len() < 2 {
        return None;
    }
    let runs: Vec<f64> = groups.concat();
    let n = runs.len() as f64;
    let centre = mean(&runs)?;
    let se_cr0 = cr0(&groups, centre, &runs);
    let se_cr1 = se_cr0 * (g / (g - 1.0)).sqrt();
    let se_naive = sd(&runs)? / n.sqrt();
    let means: Vec<f64> = groups.iter().filter_map(|values| mean(values)).collect();
    Some(ClusteredMean {
        mean: centre,
        se_naive,
        se_cr0,
        se_cr1,
        ci: (se_cr1 > 0.0).then(|| Interval::around(centre, t_critical(conf, g - 1.0) * se_cr1)),
        mean_of_instance_means: mean(&means)?,
        se_instance_means: sd(&means)? / g.sqrt(),
        deff: (se_naive > 0.0).then(|| (se_cr1 / se_naive).powi(2)),
    })
}

/// The Wilson interval at the effective sample size of Korn and Graubard (1998), for runs scored 0 or 1. n_eff is
/// min(N, p(1−p)/CR1²), G if p is 0 or 1, N if CR1 is 0; times (z/t)². Undefined below two instances, and for values
/// that are not 0 or 1. For one run an instance use `wilson`.
pub fn wilson_clustered<G: AsRef<[f64]>>(groups: &[G], conf: f64) -> Option<ClusteredWilson> {
    let groups = filled(groups);
    let runs: Vec<f64> = groups.concat();
    if groups.len() < 2 || runs.iter().any(|&x| x != 0.0 && x != 1.0) {
        return None;
    }
    let g = groups.len() as f64;
    let (k, n) = (runs.iter().filter(|&&x| x == 1.0).count() as u64, runs.len() as u64);
    let p = k as f64 / n as f64;
    let se = cr0(&groups, p, &runs) * (g / (g - 1.0)).sqrt();
    let effective = match se {
        _ if k == 0 || k == n => g,
        0.0 => n as f64,
        _ => (p * (1.0 - p) / (se * se)).min(n as f64),
    };
    let z = z_critical(conf);
    let n_eff = effective * (z / t_critical(conf, g - 1.0)).powi(2);
    Some(ClusteredWilson { p, n_eff, ci: exact_at_the_ends(k, n, wilson_at(p, n_eff, z)) })
}

/// ICC(1) from the one-way analysis of variance, (MSB − MSW) / (MSB + (n0−1) MSW) with n0 = (N − Σn²/N)/(G−1)
/// (Donner 1986), with Kish's design effect. Undefined below two instances, with one run in each, and without
/// variance.
pub fn icc1<G: AsRef<[f64]>>(groups: &[G]) -> Option<Icc> {
    let groups = filled(groups);
    let runs: Vec<f64> = groups.concat();
    let (g, n) = (groups.len() as f64, runs.len() as f64);
    if groups.len() < 2 || runs.len() == groups.len() || sd(&runs)? == 0.0 {
        return None;
    }
    let centre = mean(&runs)?;
    let (mut between, mut within, mut squares) = (0.0, 0.0, 0.0);
    for values in &groups {
        let own = mean(values)?;
        between += values.len() as f64 * (own - centre).powi(2);
        within += sum(values.iter().map(|x| (x - own).powi(2)));
        squares += (values.len() as f64).powi(2);
    }
    let (msb, msw) = (between / (g - 1.0), within / (n - g));
    let n0 = (n - squares / n) / (g - 1.0);
    let total = msb + (n0 - 1.0) * msw;
    if total == 0.0 {
        return None;
    }
    let icc = (msb - msw) / total;
    let deff = 1.0 + (n0 - 1.0) * icc;
    Some(Icc { icc, n0, deff, n_eff: (deff > 1e-12).then(|| n / deff) })
}

/// √(Σ e_g²) / N, with rounding error taken for the 0 it stands for.
fn cr0(groups: &[&[f64]], centre: f64, runs: &[f64]) -> f64 {
    let squares = sum(groups.iter().map(|values| sum(values.iter().map(|x| x - centre)).powi(2)));
    let se = squares.sqrt() / runs.len() as f64;
    if is_rounding_error(se, runs) { 0.0 } else { se }
}

fn filled<G: AsRef<[f64]>>(groups: &[G]) -> Vec<&[f64]> {
    groups.iter().map(AsRef::as_ref).filter(|values| !values.is_empty()).collect()
}
