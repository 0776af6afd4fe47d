//! The mean of paired differences with its t interval and t test.
//!
//! Implements `statistics.md` §3, `paired_mean_ci`: one value an instance.

use super::Interval;
use super::distributions::{t_critical, t_two_sided};
use super::moments::{mean, sd};

/// A mean difference with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedMean {
    /// The mean of the differences.
    pub mean: f64,
    /// Its standard error s/√n.
    pub se: f64,
    /// mean / se; `None` if the differences are all equal.
    pub t: Option<f64>,
    /// Two-sided p of t with n − 1 degrees of freedom; `None` if the differences are all equal.
    pub p: Option<f64>,
    /// The t interval; `None` if the differences are all equal.
    pub ci: Option<Interval>,
}

/// Mean, standard error, t test and t interval of one difference an instance. Undefined below two differences.
pub fn paired_mean_ci(d: &[f64], conf: f64) -> Option<PairedMean> {
    let n = d.len() as f64;
    let centre = mean(d)?;
    let se = sd(d)? / n.sqrt();
    if se == 0.0 {
        return Some(PairedMean { mean: centre, se, t: None, p: None, ci: None });
    }
    let t = centre / se;
    Some(PairedMean {
        mean: centre,
        se,
        t: Some(t),
        p: Some(t_two_sided(t, n - 1.0)),
        ci: Some(Interval::around(centre, t_critical(conf, n - 1.0) * se)),
    })
}
