//! Is the printed p calibrated? Small simulations of `statistics.md` §7: instance rates from Beta(0.3, 0.7), 20
//! instances with 8 runs in each arm, no effect of training.

use ethogram::stats::{
    CONF, SplitMix64, paired_mean_ci, power_mcnemar_exact, signflip_exact, wilson, wilson_clustered,
};

const INSTANCES: usize = 20;
const RUNS: usize = 8;
const REPETITIONS: usize = 1000;

struct World(SplitMix64);

impl World {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Jöhnk's method for Beta(0.3, 0.7).
    fn rate(&mut self) -> f64 {
        loop {
            let (x, y) = (self.uniform().powf(1.0 / 0.3), self.uniform().powf(1.0 / 0.7));
            if x + y <= 1.0 && x + y > 0.0 {
                return x / (x + y);
            }
        }
    }

    fn runs(&mut self, rate: f64) -> Vec<f64> {
        (0..RUNS).map(|_| f64::from(u8::from(self.uniform() < rate))).collect()
    }

    fn arm(&mut self, rates: &[f64]) -> Vec<Vec<f64>> {
        rates.iter().map(|&rate| self.runs(rate)).collect()
    }

    fn rates(&mut self) -> Vec<f64> {
        (0..INSTANCES).map(|_| self.rate()).collect()
    }
}

fn differences(base: &[Vec<f64>], trained: &[Vec<f64>]) -> Vec<f64> {
    let mean = |runs: &[f64]| runs.iter().sum::<f64>() / runs.len() as f64;
    base.iter().zip(trained).map(|(b, t)| mean(t) - mean(b)).collect()
}

/// The pass rule: a share of p <= alpha of at most alpha + 3 standard errors.
#[track_caller]
fn calibrated(what: &str, p: &[f64]) {
    for alpha in [0.01, 0.05, 0.10, 0.20] {
        let share = p.iter().filter(|p| **p <= alpha).count() as f64 / p.len() as f64;
        let margin = 3.0 * (alpha * (1.0 - alpha) / p.len() as f64).sqrt();
        assert!(share <= alpha + margin, "{what}: {share} at {alpha}");
    }
}

/// With the same rate in both arms, and with rates redrawn in the trained arm (no effect on average only).
#[test]
fn instance_level_tests_hold_under_both_nulls() {
    let mut world = World(SplitMix64::new(7));
    for redrawn in [false, true] {
        let (mut flips, mut t_tests) = (Vec::new(), Vec::new());
        for _ in 0..REPETITIONS {
            let base = world.rates();
            let trained = if redrawn { world.rates() } else { base.clone() };
            let d = differences(&world.arm(&base), &world.arm(&trained));
            flips.push(signflip_exact(&d).unwrap());
            t_tests.push(paired_mean_ci(&d, CONF).unwrap().p.unwrap_or(1.0));
        }
        calibrated("sign-flip", &flips);
        calibrated("paired t", &t_tests);
        // Neither is asleep: at 20 % both must fire at least half as often as they may.
        let fired = |p: &[f64]| p.iter().filter(|p| **p <= 0.2).count();
        assert!(fired(&flips) > REPETITIONS / 10 && fired(&t_tests) > REPETITIONS / 10);
    }
}

/// The clustered Wilson interval misses the true 30 % about once in twenty; over runs taken as independent it misses
/// about once in three.
#[test]
fn the_clustered_interval_covers_and_the_pooled_one_does_not() {
    let mut world = World(SplitMix64::new(11));
    let (mut clustered, mut pooled) = (0, 0);
    for _ in 0..REPETITIONS {
        let rates = world.rates();
        let arm = world.arm(&rates);
        let k = arm.concat().iter().sum::<f64>() as u64;
        let at_instances = wilson_clustered(&arm, CONF).unwrap().ci;
        let over_runs = wilson(k, (INSTANCES * RUNS) as u64, CONF).unwrap();
        clustered += usize::from(0.3 < at_instances.low || at_instances.high < 0.3);
        pooled += usize::from(0.3 < over_runs.low || over_runs.high < 0.3);
    }
    let margin = (3.0 * (0.05 * 0.95 * REPETITIONS as f64).sqrt()) as usize;
    assert!(clustered <= REPETITIONS / 20 + margin, "{clustered} misses");
    assert!(pooled > REPETITIONS / 4, "{pooled} misses");
}

/// One run in each arm: the share of p <= 0.05 is the true size of the exact test by enumeration.
#[test]
fn the_exact_test_fires_as_often_as_enumerated() {
    let mut world = World(SplitMix64::new(3));
    let mut fired = 0;
    for _ in 0..REPETITIONS {
        let mut counts = (0, 0);
        for _ in 0..113 {
            match world.uniform() {
                x if x < 0.1 => counts.0 += 1,
                x if x < 0.2 => counts.1 += 1,
                _ => {}
            }
        }
        fired += usize::from(ethogram::stats::mcnemar(counts.0, counts.1).exact <= 0.05);
    }
    let size = power_mcnemar_exact(113, 0.1, 0.1, 0.05).unwrap();
    let (share, reps) = (fired as f64 / REPETITIONS as f64, REPETITIONS as f64);
    assert!((share - size).abs() <= 3.0 * (size * (1.0 - size) / reps).sqrt(), "{share} against {size}");
}
