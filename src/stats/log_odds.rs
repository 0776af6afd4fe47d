//! Which words or commands does one arm use more? Log-odds with an informative Dirichlet prior.
//!
//! Implements `statistics.md` §5, `log_odds_dirichlet`. z ranks, it is no test: tokens of a run are not independent.

use super::moments::sum;

/// The contrast of one word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogOdds {
    /// Log-odds in the trained arm minus in the base.
    pub delta: f64,
    /// √(1/(y1+a) + 1/(y0+a)).
    pub sd: f64,
    /// delta / sd: a ranking score.
    pub z: f64,
}

/// The contrast of every word (Monroe et al. 2008, equations 16, 20, 22); the three lists go word by word. `None` for
/// a word whose prior is not positive or that is the whole vocabulary.
pub fn log_odds_dirichlet(base: &[f64], trained: &[f64], prior: &[f64]) -> Vec<Option<LogOdds>> {
    let total = |counts: &[f64]| sum(counts.iter().copied());
    let prior_total = total(prior);
    let (all_base, all_trained) = (total(base) + prior_total, total(trained) + prior_total);
    let contrast = |(&a, (&y0, &y1)): (&f64, (&f64, &f64))| {
        let (with0, with1) = (y0 + a, y1 + a);
        let (rest0, rest1) = (all_base - with0, all_trained - with1);
        if a <= 0.0 || rest0 <= 0.0 || rest1 <= 0.0 {
            return None;
        }
        let delta = (with1 / rest1).ln() - (with0 / rest0).ln();
        let sd = (1.0 / with1 + 1.0 / with0).sqrt();
        Some(LogOdds { delta, sd, z: delta / sd })
    };
    prior.iter().zip(base.iter().zip(trained)).map(contrast).collect()
}
