//! A rate measured by an imperfect classifier, corrected for its sensitivity and specificity.
//!
//! Implements `statistics.md` §5. Sensitivity and specificity are measured in each arm; equal errors in both arms are
//! never assumed.

use super::Interval;
use super::distributions::z_critical;
use super::proportion::wilson;

/// A corrected rate, sensitivity and specificity known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectedRate {
    /// (p + Sp − 1) / (Se + Sp − 1), which may leave [0, 1].
    pub raw: f64,
    /// Clipped to [0, 1].
    pub estimate: f64,
    /// The Wilson limits of p, transformed and clipped.
    pub ci: Interval,
}

/// A corrected rate, sensitivity and specificity estimated from labelled samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectedRateEstimated {
    /// The rate before clipping.
    pub raw: f64,
    /// Clipped to [0, 1].
    pub estimate: f64,
    /// The standard error by the delta method.
    pub se: f64,
    /// The delta interval: of width 0 where nothing was found with a perfect specificity, so not for print.
    pub ci_delta: Interval,
    /// The interval of Lang and Reiczigel (2014): the one to print.
    pub ci_lang_reiczigel: Interval,
}

fn clipped(low: f64, high: f64) -> Interval {
    Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) }
}

/// The Rogan-Gladen estimate (1978) from `k` of `n` flagged. Undefined for n = 0 and for a classifier no better than
/// chance (Se + Sp <= 1).
pub fn rogan_gladen(k: u64, n: u64, se: f64, sp: f64, conf: f64) -> Option<CorrectedRate> {
    let youden = se + sp - 1.0;
    let seen = wilson(k, n, conf).filter(|_| youden > 0.0)?;
    let correct = |p: f64| (p + sp - 1.0) / youden;
    let raw = correct(k as f64 / n as f64);
    Some(CorrectedRate {
        raw,
        estimate: raw.clamp(0.0, 1.0),
        ci: clipped(correct(seen.low), correct(seen.high)),
    })
}

/// The Rogan-Gladen estimate with Se = tp/n_pos and Sp = tn/n_neg. Undefined for an empty sample and Se + Sp <= 1.
pub fn rogan_gladen_estimated(
    k: u64,
    n: u64,
    tp: u64,
    n_pos: u64,
    tn: u64,
    n_neg: u64,
    conf: f64,
) -> Option<CorrectedRateEstimated> {
    if n == 0 || n_pos == 0 || n_neg == 0 {
        return None;
    }
    let [k, n, tp, n_pos, tn, n_neg] = [k, n, tp, n_pos, tn, n_neg].map(|count| count as f64);
    let z = z_critical(conf);
    let plain = Sample { p: k / n, n, se: tp / n_pos, n_pos, sp: tn / n_neg, n_neg };
    if plain.youden() <= 0.0 {
        return None;
    }
    let raw = plain.rate();
    let estimate = raw.clamp(0.0, 1.0);
    let se = plain.spread(estimate);
    let adjusted = Sample {
        p: (k + z * z / 2.0) / (n + z * z),
        n: n + z * z,
        se: (tp + 1.0) / (n_pos + 2.0),
        n_pos: n_pos + 2.0,
        sp: (tn + 1.0) / (n_neg + 2.0),
        n_neg: n_neg + 2.0,
    };
    let rate = adjusted.rate();
    let centre = rate + 2.0 * z * z * adjusted.skew(rate);
    let half = z * adjusted.spread(rate);
    Some(CorrectedRateEstimated {
        raw,
        estimate,
        se,
        ci_delta: clipped(estimate - z * se, estimate + z * se),
        ci_lang_reiczigel: clipped(centre - half, centre + half),
    })
}

/// A flagged share with the sensitivity and specificity of the classifier, and the sizes they come from.
struct Sample {
    p: f64,
    n: f64,
    se: f64,
    n_pos: f64,
    sp: f64,
    n_neg: f64,
}

impl Sample {
    fn youden(&self) -> f64 {
        self.se + self.sp - 1.0
    }

    fn rate(&self) -> f64 {
        (self.p + self.sp - 1.0) / self.youden()
    }

    fn se_variance(&self) -> f64 {
        self.se * (1.0 - self.se) / self.n_pos
    }

    fn sp_variance(&self) -> f64 {
        self.sp * (1.0 - self.sp) / self.n_neg
    }

    /// The standard error by the delta method at a given rate.
    fn spread(&self, rate: f64) -> f64 {
        let own = self.p * (1.0 - self.p) / self.n;
        let classifier = rate.powi(2) * self.se_variance() + (1.0 - rate).powi(2) * self.sp_variance();
        (own + classifier).sqrt() / self.youden().abs()
    }

    /// Lang and Reiczigel's shift per 2z².
    fn skew(&self, rate: f64) -> f64 {
        rate * self.se_variance() - (1.0 - rate) * self.sp_variance()
    }
}
