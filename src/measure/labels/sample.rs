//! Turns for a reader to label: drawn by format, each format the same number as far as it has them, every turn of a format
//! with the same chance. Nothing of what the rules say enters, so that a reader is not led.

use crate::stats::SplitMix64;

/// The turns of one format: trajectory and number of turns, in the order of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// Format.
    pub format: String,
    /// Model turns: trajectory and turn.
    pub turns: Vec<(String, usize)>,
}

/// A turn that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    /// Format.
    pub format: String,
    /// Trajectory.
    pub trajectory: String,
    /// Turn.
    pub turn: usize,
}

/// Draws turns without putting back, in the order of format, trajectory and turn.
pub fn draw(strata: &[Stratum], count: usize, seed: u64) -> Vec<Drawn> {
    let sizes: Vec<usize> = strata.iter().map(|stratum| stratum.turns.len()).collect();
    let mut drawn = Vec::new();
    for (place, (stratum, share)) in strata.iter().zip(shares(&sizes, count)).enumerate() {
        let mut random = SplitMix64::stream(seed, place as u64);
        let mut left: Vec<&(String, usize)> = stratum.turns.iter().collect();
        for _ in 0..share {
            let (trajectory, turn) = left.swap_remove(random.below(left.len()));
            drawn.push(Drawn { format: stratum.format.clone(), trajectory: trajectory.clone(), turn: *turn });
        }
    }
    drawn.sort();
    drawn
}

/// How many each gives: one after the other in turn until the count is reached or none has any left.
fn shares(sizes: &[usize], count: usize) -> Vec<usize> {
    let mut shares = vec![0; sizes.len()];
    let mut left = count.min(sizes.iter().sum());
    while left > 0 {
        for (share, size) in shares.iter_mut().zip(sizes) {
            if left > 0 && *share < *size {
                *share += 1;
                left -= 1;
            }
        }
    }
    shares
}
