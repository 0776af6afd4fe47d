//! Random numbers and the bootstrap over instances, the same on any number of threads and any machine.
//!
//! Implements `statistics.md` §6. Replicate b of seed s has a generator of its own, so no result depends on who
//! computes which replicate. Not for cryptography.

use super::Interval;
use super::distributions::{normal_cdf, normal_quantile};
use super::effect::relative_change;
use super::moments::{is_rounding_error, mean, sd, sum};
use super::quantile::{quantile_sorted, sorted};

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The SplitMix64 generator (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator that starts at this state.
    pub fn new(state: u64) -> Self {
        SplitMix64 { state }
    }

    /// The generator of one replicate (from 0) of a seed.
    pub fn stream(seed: u64, replicate: u64) -> Self {
        SplitMix64::new(mixed(seed.wrapping_add(replicate.wrapping_add(1).wrapping_mul(GOLDEN))))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mixed(self.state)
    }

    /// A number below `n`: the high 64 bits of x · n.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A fair sign: top bit 0 is plus.
    pub fn is_plus(&mut self) -> bool {
        self.next_u64() >> 63 == 0
    }
}

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The first `count` indices below `n` that a replicate draws.
pub fn resample_indices(seed: u64, replicate: u64, n: usize, count: usize) -> Vec<usize> {
    let mut random = SplitMix64::stream(seed, replicate);
    (0..count).map(|_| random.below(n)).collect()
}

/// A bootstrap over instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// The statistic on the data as they are.
    pub estimate: f64,
    /// The standard deviation of the replicates.
    pub se: f64,
    /// Quantiles of the replicates. Too short below 30 instances: use the t interval there.
    pub percentile: Interval,
    /// Bias-corrected and accelerated (Efron 1987); `None` where it is undefined, then print the percentile and say so.
    pub bca: Option<Interval>,
    /// Replicates on which the statistic was undefined (a denominator of 0); they are in no figure above.
    pub undefined: usize,
}

/// A BCa interval with its two corrections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bca {
    /// The bias correction, from the share of replicates below the estimate plus half the ties.
    pub z0: f64,
    /// The acceleration, from leaving out one instance at a time.
    pub a: f64,
    /// The interval.
    pub ci: Interval,
}

/// The bootstrap of a mean of one value an instance. Undefined below two instances.
pub fn cluster_bootstrap_mean(d: &[f64], replicates: usize, seed: u64, conf: f64) -> Option<Bootstrap> {
    if d.len() < 2 {
        return None;
    }
    let estimate = d.iter().fold(0.0, |total, value| total + value) / d.len() as f64;
    let others = (d.len() - 1) as f64;
    let without = |left_out: usize| {
        let (before, after) = (&d[..left_out], &d[left_out + 1..]);
        before.iter().chain(after).fold(0.0, |total, value| total + value) / others
    };
    let jackknife = (0..d.len()).map(without).collect();
    summary(estimate, &bootstrap_means(d, replicates, seed), Some(jackknife), replicates, conf)
}

/// Replicates that are drawn side by side: each waits for its own last sum only.
const SIDE_BY_SIDE: usize = 8;

/// The replicates of `cluster_bootstrap_mean`, in order.
pub fn bootstrap_means(d: &[f64], replicates: usize, seed: u64) -> Vec<f64> {
    if d.is_empty() {
        return Vec::new();
    }
    let mut means = Vec::with_capacity(replicates);
    for first in (0..replicates).step_by(SIDE_BY_SIDE) {
        let mut random: [SplitMix64; SIDE_BY_SIDE] =
            std::array::from_fn(|place| SplitMix64::stream(seed, (first + place) as u64));
        let mut totals = [0.0; SIDE_BY_SIDE];
        for _ in 0..d.len() {
            for (total, random) in totals.iter_mut().zip(&mut random) {
                *total += d[random.below(d.len())];
            }
        }
        means.extend(totals.iter().take(replicates - first).map(|total| total / d.len() as f64));
    }
    means
}

/// What one instance adds to a micro share Σ num / Σ den.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// The numerator of all runs of the instance.
    pub num: f64,
    /// Their denominator.
    pub den: f64,
}

impl Share {
    fn of(parts: impl Iterator<Item = Share>) -> Option<f64> {
        let (num, den) = parts.fold((0.0, 0.0), |(num, den), part| (num + part.num, den + part.den));
        (den > 0.0).then(|| num / den)
    }
}

/// The bootstrap of a micro share Σ num / Σ den, one part an instance. Undefined below two instances and
/// for a denominator of 0.
pub fn cluster_bootstrap_ratio(
    parts: &[Share],
    replicates: usize,
    seed: u64,
    conf: f64,
) -> Option<Bootstrap> {
    let of = |take: &mut dyn Iterator<Item = usize>| Share::of(take.map(|i| parts[i]));
    cluster_bootstrap(parts.len(), replicates, seed, conf, of)
}

/// The bootstrap of the difference of two micro shares, trained minus base, over instances given as (base, trained):
/// both arms of an instance are drawn together.
pub fn cluster_bootstrap_ratio_difference(
    pairs: &[(Share, Share)],
    replicates: usize,
    seed: u64,
    conf: f64,
) -> Option<Bootstrap> {
    let of = |take: &mut dyn Iterator<Item = usize>| {
        let drawn: Vec<(Share, Share)> = take.map(|i| pairs[i]).collect();
        let base = Share::of(drawn.iter().map(|pair| pair.0))?;
        Some(Share::of(drawn.iter().map(|pair| pair.1))? - base)
    };
    cluster_bootstrap(pairs.len(), replicates, seed, conf, of)
}

/// Runs by instance, ordered once: the median of a draw of instances is then one walk, whatever the draw.
struct OrderedRuns {
    ordered: Vec<(f64, usize)>,
    sizes: Vec<usize>,
}

impl OrderedRuns {
    fn of<G: AsRef<[f64]>>(groups: &[G]) -> OrderedRuns {
        let runs = groups.iter().enumerate();
        let mut ordered: Vec<(f64, usize)> =
            runs.flat_map(|(i, values)| values.as_ref().iter().map(move |value| (*value, i))).collect();
        ordered.sort_by(|left, right| left.0.total_cmp(&right.0));
        OrderedRuns { ordered, sizes: groups.iter().map(|values| values.as_ref().len()).collect() }
    }

    /// The median where instance i was drawn `times[i]` times; `None` of no run.
    fn median(&self, times: &[usize]) -> Option<f64> {
        let total: usize = self.sizes.iter().zip(times).map(|(size, times)| size * times).sum();
        let (low, high) = (total.checked_sub(1)? / 2, total / 2);
        let (mut passed, mut lower) = (0, None);
        for &(value, instance) in &self.ordered {
            passed += times[instance];
            if passed > low {
                lower.get_or_insert(value);
            }
            if passed > high {
                return lower.map(|lower| (lower + value) / 2.0);
            }
        }
        None
    }
}

fn times_drawn(take: &mut dyn Iterator<Item = usize>, instances: usize) -> Vec<usize> {
    let mut times = vec![0; instances];
    for instance in take {
        times[instance] += 1;
    }
    times
}

/// The bootstrap of the median over all runs, a group an instance. Undefined below two instances.
pub fn cluster_bootstrap_median<G: AsRef<[f64]>>(
    groups: &[G],
    replicates: usize,
    seed: u64,
    conf: f64,
) -> Option<Bootstrap> {
    let runs = OrderedRuns::of(groups);
    cluster_bootstrap(groups.len(), replicates, seed, conf, |take| {
        runs.median(&times_drawn(take, groups.len()))
    })
}

/// The bootstrap of the relative change of medians, (trained − base) / base, over instances given as the runs of both
/// arms, which are drawn together. It is no median of changes. Undefined below two instances and at a base of 0.
pub fn cluster_bootstrap_median_change<G: AsRef<[f64]>>(
    base: &[G],
    trained: &[G],
    replicates: usize,
    seed: u64,
    conf: f64,
) -> Option<Bootstrap> {
    let (before, after) = (OrderedRuns::of(base), OrderedRuns::of(trained));
    let instances = base.len().min(trained.len());
    cluster_bootstrap(instances, replicates, seed, conf, |take| {
        let times = times_drawn(take, instances);
        relative_change(before.median(&times)?, after.median(&times)?)
    })
}

/// The bootstrap of any statistic of a list of instance numbers below `instances`. Undefined below two instances,
/// where the statistic is undefined on the data, and where fewer than two replicates are defined.
pub fn cluster_bootstrap(
    instances: usize,
    replicates: usize,
    seed: u64,
    conf: f64,
    statistic: impl Fn(&mut dyn Iterator<Item = usize>) -> Option<f64>,
) -> Option<Bootstrap> {
    if instances < 2 {
        return None;
    }
    let estimate = statistic(&mut (0..instances))?;
    let drawn: Vec<f64> = (0..replicates as u64)
        .filter_map(|b| {
            let mut random = SplitMix64::stream(seed, b);
            statistic(&mut (0..instances).map(|_| random.below(instances)))
        })
        .collect();
    let jackknife: Option<Vec<f64>> =
        (0..instances).map(|left_out| statistic(&mut (0..instances).filter(|&i| i != left_out))).collect();
    summary(estimate, &drawn, jackknife, replicates, conf)
}

/// What a bootstrap says, from its replicates and leave-one-out values.
fn summary(
    estimate: f64,
    drawn: &[f64],
    jackknife: Option<Vec<f64>>,
    replicates: usize,
    conf: f64,
) -> Option<Bootstrap> {
    let ordered = sorted(drawn);
    let tail = (1.0 - conf) / 2.0;
    Some(Bootstrap {
        estimate,
        se: sd(drawn)?,
        percentile: Interval {
            low: quantile_sorted(&ordered, tail)?,
            high: quantile_sorted(&ordered, 1.0 - tail)?,
        },
        bca: jackknife.and_then(|j| bca_of_sorted(estimate, &ordered, &j, conf)).map(|bca| bca.ci),
        undefined: replicates - drawn.len(),
    })
}

/// The BCa interval from given replicates and leave-one-out values. Undefined if all replicates lie on one side of the
/// estimate and if the leave-one-out values have no spread.
pub fn bca_from_replicates(estimate: f64, replicates: &[f64], jackknife: &[f64], conf: f64) -> Option<Bca> {
    bca_of_sorted(estimate, &sorted(replicates), jackknife, conf)
}

fn bca_of_sorted(estimate: f64, ordered: &[f64], jackknife: &[f64], conf: f64) -> Option<Bca> {
    let share = share_below(estimate, ordered)?;
    let centre = mean(jackknife)?;
    let away: Vec<f64> = jackknife.iter().map(|j| centre - j).collect();
    let squares = sum(away.iter().map(|t| t * t));
    if share <= 0.0 || share >= 1.0 || is_rounding_error(squares.sqrt(), jackknife) {
        return None;
    }
    let z0 = normal_quantile(share);
    let a = sum(away.iter().map(|t| t.powi(3))) / (6.0 * squares.powf(1.5));
    let limit = |p: f64| {
        let shifted = z0 + normal_quantile(p);
        quantile_sorted(ordered, normal_cdf(z0 + shifted / (1.0 - a * shifted)))
    };
    let tail = (1.0 - conf) / 2.0;
    Some(Bca { z0, a, ci: Interval { low: limit(tail)?, high: limit(1.0 - tail)? } })
}

/// The share of replicates below the estimate plus half of those that equal it, rounding apart.
fn share_below(estimate: f64, ordered: &[f64]) -> Option<f64> {
    let (first, last) = (ordered.first()?, ordered.last()?);
    let same = 1e-13 * first.abs().max(last.abs());
    let below = ordered.partition_point(|v| *v < estimate - same);
    let up_to = ordered.partition_point(|v| *v <= estimate + same);
    Some((below + up_to) as f64 / 2.0 / ordered.len() as f64)
}
