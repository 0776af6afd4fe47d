//! The sign-flip test of instance differences: exact where it can be, by Monte Carlo where it cannot.
//!
//! Implements `statistics.md` §5 and §6, `signflip_exact`, `signflip_mc`. With one run in each arm it equals the exact
//! McNemar test. Zeros do not matter. It needs arms that are exchangeable under the null.

use std::sync::Mutex;

use super::moments::sum;
use super::resample::SplitMix64;
use super::subset_sums::lower_tail;

/// Differences of instance means with R runs are multiples of 1/R; beyond this common denominator they are taken for
/// real numbers.
const MAX_DENOMINATOR: u64 = 10_000;
/// Up to this many non-zero real differences all sign patterns are counted.
const MAX_ENUMERATED: usize = 20;
/// The largest table of the convolution, in cells (64 MB), and the largest number of additions. Only large counts on
/// unequal runs come near; they go to Monte Carlo.
const MAX_CELLS: u64 = 1 << 23;
const MAX_ADDITIONS: u64 = 1 << 30;
/// Sums that differ by less than this share of Σ|d| are equal.
const TIE: f64 = 1e-12;
/// Draws of the Monte Carlo test in tables.
const DRAWS: u64 = 100_000;

/// How a sign-flip p was found; the foot of a table says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignFlipMethod {
    /// Over all sign patterns.
    Exact,
    /// Over random sign patterns.
    MonteCarlo {
        /// How many patterns were drawn.
        draws: u64,
        /// The seed they were drawn from.
        seed: u64,
    },
}

/// A two-sided sign-flip p with its provenance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    /// P(|Σ ±d| >= |Σ d|).
    pub p: f64,
    /// Differences that are not 0: with m of them the smallest possible p is 2^(1−m).
    pub non_zero: usize,
    /// Exact or drawn.
    pub method: SignFlipMethod,
}

/// The sign-flip test as tables print it: exact if possible, else Monte Carlo with 100,000 draws from `seed`.
/// Undefined for no differences. For a pooled test over benchmarks pass d / M_b.
pub fn signflip(d: &[f64], seed: u64) -> Option<SignFlip> {
    let non_zero = d.iter().filter(|x| **x != 0.0).count();
    if let Some(p) = signflip_exact(d) {
        return Some(SignFlip { p, non_zero, method: SignFlipMethod::Exact });
    }
    let p = signflip_mc(d, DRAWS, seed)?;
    Some(SignFlip { p, non_zero, method: SignFlipMethod::MonteCarlo { draws: DRAWS, seed } })
}

/// The exact two-sided p: by convolution on the common denominator of the differences (up to 10,000), or over all
/// patterns of at most 20 non-zero real differences. All zero gives 1. Undefined for no differences, for values that
/// are not finite, and where neither way is open.
pub fn signflip_exact(d: &[f64]) -> Option<f64> {
    if d.is_empty() || d.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let non_zero: Vec<f64> = d.iter().copied().filter(|x| *x != 0.0).collect();
    if non_zero.is_empty() {
        return Some(1.0);
    }
    match on_common_denominator(&non_zero).and_then(|units| by_convolution(&units)) {
        Some(p) => Some(p),
        None if non_zero.len() <= MAX_ENUMERATED => Some(by_enumeration(&non_zero)),
        None => None,
    }
}

/// The Monte Carlo p, (1 + hits) / (draws + 1) (Phipson and Smyth 2010). Replicate b has its own generator, so the
/// result does not depend on how the loop is divided. Undefined for no differences and values that are not finite.
pub fn signflip_mc(d: &[f64], replicates: u64, seed: u64) -> Option<f64> {
    if d.is_empty() || d.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let limit = observed(d) - TIE * sum(d.iter().map(|x| x.abs()));
    let tables: Vec<[f64; 256]> = d.chunks(8).map(flipped_sums).collect();
    let hits = with_signs(seed, replicates, tables.len(), |signs| {
        signs
            .filter(|signs| {
                let flipped: f64 =
                    tables.iter().zip(*signs).map(|(table, sign)| table[usize::from(*sign)]).sum();
                flipped.abs() >= limit
            })
            .count()
    });
    Some((1 + hits) as f64 / (replicates + 1) as f64)
}

fn observed(d: &[f64]) -> f64 {
    sum(d.iter().copied()).abs()
}

/// The sum of up to eight differences under each of their sign patterns; bit j of the pattern is the sign of difference
/// j, 1 for minus. A hundred thousand draws then add one number for eight differences.
fn flipped_sums(d: &[f64]) -> [f64; 256] {
    std::array::from_fn(|pattern| {
        d.iter().enumerate().map(|(j, x)| if pattern >> j & 1 == 0 { *x } else { -x }).sum()
    })
}

/// Signs of all replicates, eight to a byte: those of replicate b and difference j do not depend on the differences, so
/// that all rows of a table share them.
struct Signs {
    seed: u64,
    replicates: u64,
    bytes_each: usize,
    bytes: Vec<u8>,
}

/// Bytes of signs that are kept for the next test.
const KEPT_SIGNS: usize = 16 << 20;

static SIGNS: Mutex<Option<Signs>> = Mutex::new(None);

/// Gives the signs of each replicate, at least `bytes_each` bytes of them. They are kept from test to test; what is kept
/// changes no result.
fn with_signs<T>(
    seed: u64,
    replicates: u64,
    bytes_each: usize,
    count: impl FnOnce(std::iter::Take<std::slice::ChunksExact<'_, u8>>) -> T,
) -> T {
    let mut kept = SIGNS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let fits = |signs: &Signs| {
        signs.seed == seed && signs.replicates >= replicates && signs.bytes_each >= bytes_each
    };
    let signs = kept.take().filter(fits).unwrap_or_else(|| draw_signs(seed, replicates, bytes_each));
    let result = count(signs.bytes.chunks_exact(signs.bytes_each).take(replicates as usize));
    if signs.bytes.len() <= KEPT_SIGNS {
        *kept = Some(signs);
    }
    result
}

fn draw_signs(seed: u64, replicates: u64, bytes_each: usize) -> Signs {
    let mut bytes = Vec::with_capacity(replicates as usize * bytes_each);
    for replicate in 0..replicates {
        let mut random = SplitMix64::stream(seed, replicate);
        bytes.extend(
            (0..bytes_each)
                .map(|_| (0..8).fold(0u8, |byte, bit| byte | (u8::from(!random.is_plus()) << bit))),
        );
    }
    Signs { seed, replicates, bytes_each, bytes }
}

/// |Σ ±u| >= |Σ u| means that the units with a minus sum to at most (Σ|u| − |Σu|) / 2, or the same with a plus.
fn by_convolution(units: &[i64]) -> Option<f64> {
    let total: u64 = units.iter().map(|u| u.unsigned_abs()).sum();
    let observed = units.iter().sum::<i64>().unsigned_abs();
    if observed == 0 {
        return Some(1.0);
    }
    let cap = (total - observed) / 2;
    if cap >= MAX_CELLS || cap.saturating_mul(units.len() as u64) > MAX_ADDITIONS {
        return None;
    }
    let sizes: Vec<u64> = units.iter().map(|u| u.unsigned_abs()).collect();
    Some((2.0 * lower_tail(&sizes, cap)).min(1.0))
}

fn by_enumeration(d: &[f64]) -> f64 {
    let limit = observed(d) - TIE * sum(d.iter().map(|x| x.abs()));
    let mut sums = vec![0.0_f64];
    for x in d {
        for i in 0..sums.len() {
            sums.push(sums[i] - x);
            sums[i] += x;
        }
    }
    sums.iter().filter(|s| s.abs() >= limit).count() as f64 / sums.len() as f64
}

/// The differences as whole numbers of 1/L, without a common factor; `None` if no L up to 10,000 serves.
fn on_common_denominator(d: &[f64]) -> Option<Vec<i64>> {
    // A difference of means carries a rounding error of the size of the means, not of its own.
    let largest = d.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let mut denominator = 1;
    for x in d {
        denominator = lcm(denominator, denominator_of(x.abs(), 1e-12 * largest)?);
        if denominator > MAX_DENOMINATOR {
            return None;
        }
    }
    if largest * denominator as f64 * d.len() as f64 > 9e15 {
        return None;
    }
    let units: Vec<i64> = d.iter().map(|x| (x * denominator as f64).round() as i64).collect();
    let factor = units.iter().fold(0, |a, u| gcd(a, u.unsigned_abs())).max(1) as i64;
    Some(units.iter().map(|u| u / factor).collect())
}

/// The denominator of the first continued-fraction convergent that meets x within `tolerance`.
fn denominator_of(x: f64, tolerance: f64) -> Option<u64> {
    let (mut before, mut now) = ((0.0_f64, 1.0_f64), (1.0_f64, 0.0_f64));
    let mut rest = x;
    for _ in 0..40 {
        let whole = rest.floor();
        let next = (whole * now.0 + before.0, whole * now.1 + before.1);
        if next.1 > MAX_DENOMINATOR as f64 {
            return None;
        }
        if (x - next.0 / next.1).abs() <= tolerance {
            return Some(next.1 as u64);
        }
        (before, now) = (now, next);
        rest = 1.0 / (rest - whole);
    }
    None
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u64, b: u64) -> u64 {
    a / gcd(a, b) * b
}
