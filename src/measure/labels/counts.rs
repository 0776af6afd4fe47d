//! Counts over labelled turns and their intervals. Turns of one trajectory resemble each other, so every interval is that of
//! a clustered share: Wilson at the effective number of turns (`statistics.md` §3), plain Wilson where no trajectory has
//! more than one.

use std::collections::BTreeMap;

use crate::measure::comparison::CONFIDENCE;
use crate::stats;

/// A share with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// Turns for which it holds.
    pub num: i64,
    /// Turns.
    pub den: i64,
    /// 95 % interval; `None` below two trajectories.
    pub interval: Option<(f64, f64)>,
}

/// F1 of a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F1 {
    /// F1 in 0…1.
    pub value: f64,
    /// Turns that either side tags.
    pub turns: i64,
    /// 95 % interval; `None` below two trajectories.
    pub interval: Option<(f64, f64)>,
}

/// Agreement on one tag, turns by trajectory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    by_trajectory: BTreeMap<String, Cells>,
}

/// Turns of one trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cells {
    both: usize,
    only_engine: usize,
    only_label: usize,
    neither: usize,
}

impl Counts {
    /// Counts a turn.
    pub fn add(&mut self, trajectory: &str, label: bool, engine: bool) {
        let cells = self.by_trajectory.entry(trajectory.to_owned()).or_default();
        match (label, engine) {
            (true, true) => cells.both += 1,
            (false, true) => cells.only_engine += 1,
            (true, false) => cells.only_label += 1,
            (false, false) => cells.neither += 1,
        }
    }

    /// Of the turns that the rules tag, those that the label tags.
    pub fn precision(&self) -> Rate {
        self.rate(|cells| (cells.both, cells.only_engine))
    }

    /// Of the turns that the label tags, those that the rules tag: the sensitivity.
    pub fn recall(&self) -> Rate {
        self.rate(|cells| (cells.both, cells.only_label))
    }

    /// Of the turns that the label does not tag, those that the rules do not tag.
    pub fn specificity(&self) -> Rate {
        self.rate(|cells| (cells.neither, cells.only_engine))
    }

    /// F1; `None` where neither side tags a turn. With J = both / either, F1 = 2 J / (1 + J) rises with J, so that the
    /// limits of the share J become those of F1; a bootstrap would give no width where all turns agree.
    pub fn f1(&self) -> Option<F1> {
        let share = self.rate(|cells| (cells.both, cells.only_engine + cells.only_label));
        let f1 = |share: f64| 2.0 * share / (1.0 + share);
        (share.den > 0).then(|| F1 {
            value: f1(share.num as f64 / share.den as f64),
            turns: share.den,
            interval: share.interval.map(|(low, high)| (f1(low), f1(high))),
        })
    }

    fn rate(&self, of: impl Fn(&Cells) -> (usize, usize)) -> Rate {
        let groups = self.by_trajectory.values().map(of);
        rate(groups.map(|(right, wrong)| [vec![1.0; right], vec![0.0; wrong]].concat()).collect())
    }
}

/// A share of judgements, those of each trajectory together: 1 right, 0 wrong.
pub fn rate(mut groups: Vec<Vec<f64>>) -> Rate {
    groups.retain(|group| !group.is_empty());
    let all = groups.iter().flatten();
    let (num, den) = (all.clone().filter(|value| **value > 0.5).count(), all.count());
    let interval = if groups.len() < 2 {
        None
    } else if groups.iter().all(|group| group.len() == 1) {
        stats::wilson(num as u64, den as u64, CONFIDENCE)
    } else {
        stats::wilson_clustered(&groups, CONFIDENCE).map(|share| share.ci)
    };
    Rate {
        num: num as i64,
        den: den as i64,
        interval: interval.map(|interval| (interval.low, interval.high)),
    }
}
