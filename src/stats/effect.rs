//! Sizes of effects and the small figures of tables.
//!
//! Implements `statistics.md` §0 (percentages) and §5 (`cohens_h`, `headroom_closed`, `relative_change`,
//! `silent_group`, `gated_reward`).

use super::moments::mean;

/// k / n × 100 in exactly this order of operations: printed with two decimals it reproduces the published figures,
/// exact ties included. Undefined for n = 0.
pub fn percent(k: u64, n: u64) -> Option<f64> {
    (n > 0).then(|| k as f64 / n as f64 * 100.0)
}

/// Cohen's h, 2 asin √p1 − 2 asin √p0 (1988). Undefined for shares outside [0, 1].
pub fn cohens_h(p0: f64, p1: f64) -> Option<f64> {
    let angle = |p: f64| (0.0..=1.0).contains(&p).then(|| 2.0 * p.sqrt().asin());
    Some(angle(p1)? - angle(p0)?)
}

/// The share of what was left to gain that was gained: (p1 − p0) / (1 − p0). Undefined at p0 = 1.
pub fn headroom_closed(p0: f64, p1: f64) -> Option<f64> {
    (p0 < 1.0).then(|| (p1 - p0) / (1.0 - p0))
}

/// (trained − base) / base. Undefined at a base of 0.
pub fn relative_change(base: f64, trained: f64) -> Option<f64> {
    (base != 0.0).then(|| (trained - base) / base)
}

/// q^G + (1−q)^G: the chance that a group of G rollouts at success rate q ends all alike and so teaches nothing.
pub fn silent_group(q: f64, g: u64) -> f64 {
    let size = g as f64;
    q.powf(size) + (1.0 - q).powf(size)
}

/// The share of tests to be fixed that pass, 0 if a test that must keep passing fails. Undefined without tests to be
/// fixed.
pub fn gated_reward(pass_to_pass: &[bool], fail_to_pass: &[f64]) -> Option<f64> {
    let share = mean(fail_to_pass)?;
    Some(if pass_to_pass.iter().all(|passed| *passed) { share } else { 0.0 })
}
