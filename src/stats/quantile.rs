//! Quantiles of type 7 (the default of R and numpy) and the median.
//!
//! Implements `statistics.md` §6, "Percentile: quantiles type 7".

/// The quantile of order `q`: linear between the order statistics at (n − 1)q. Undefined for no values, for `q`
/// outside [0, 1] and for values that are not finite.
pub fn quantile(x: &[f64], q: f64) -> Option<f64> {
    if x.iter().any(|v| !v.is_finite()) {
        return None;
    }
    quantile_sorted(&sorted(x), q)
}

/// The median: the middle value, or the mean of the middle two.
pub fn median(x: &[f64]) -> Option<f64> {
    quantile(x, 0.5)
}

/// The values in ascending order.
pub(super) fn sorted(x: &[f64]) -> Vec<f64> {
    let mut values = x.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// As `quantile`, of values already in ascending order.
pub(super) fn quantile_sorted(x: &[f64], q: f64) -> Option<f64> {
    let last = x.len().checked_sub(1).filter(|_| (0.0..=1.0).contains(&q))?;
    let place = last as f64 * q;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(x[below] + (place - below as f64) * (x[above] - x[below]))
}

/// The median of many values in linear time; reorders them.
pub(super) fn median_of(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    let odd = values.len() % 2 == 1;
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if odd {
        return Some(*upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp)?;
    Some(lower + 0.5 * (*upper - lower))
}
