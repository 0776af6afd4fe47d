//! How long until a first edit, a first test …, when some runs end before it happens.
//!
//! Implements `statistics.md` §5, `kaplan_meier`. A run that ends early ends by itself, which is a competing event and
//! no random censoring: a table that prints the median says so and prints the share that reach the event.

use super::quantile::sorted;

/// The product-limit estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Survival {
    /// The first event time at which the share without the event is at most ½; `None` if it is not reached.
    pub median: Option<f64>,
    /// Event times in order, each with the share still without the event after it.
    pub curve: Vec<(f64, f64)>,
    /// Runs with the event.
    pub events: usize,
    /// All runs.
    pub n: usize,
}

/// The Kaplan-Meier estimate (1958) of times, each with whether the event was seen. Undefined for no runs and for lists
/// of unequal length.
pub fn kaplan_meier(time: &[f64], event: &[bool]) -> Option<Survival> {
    if time.is_empty() || time.len() != event.len() {
        return None;
    }
    let seen: Vec<f64> = time.iter().zip(event).filter(|(_, e)| **e).map(|(t, _)| *t).collect();
    let ordered = sorted(time);
    let mut survival = 1.0;
    let mut curve = Vec::new();
    for tied in sorted(&seen).chunk_by(|a, b| a == b) {
        let at_risk = time.len() - ordered.partition_point(|t| *t < tied[0]);
        survival *= 1.0 - tied.len() as f64 / at_risk as f64;
        curve.push((tied[0], survival));
    }
    // Thirds multiplied to a half end a rounding error above it.
    let median = curve.iter().find(|(_, s)| *s <= 0.5 + 1e-12).map(|(t, _)| *t);
    Some(Survival { median, curve, events: seen.len(), n: time.len() })
}
