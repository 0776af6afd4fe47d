//! Sums, means and spreads of plain numbers, with the rounding error kept out.
//!
//! Never here: groups (that is `clustered`) or ranks.

/// The sum with Neumaier's compensation: thousands of shares added up keep their last digits.
pub(super) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() { (total - next) + value } else { (value - next) + total };
        total = next;
    }
    total + lost
}

/// The arithmetic mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| sum(values.iter().copied()) / values.len() as f64)
}

/// The sample standard deviation (divisor n − 1); `None` below two values. Spread that is only the rounding error of
/// equal values (0.3 − 0.2 against 0.2 − 0.1) counts as none, so that no interval is made out of it.
pub(super) fn sd(values: &[f64]) -> Option<f64> {
    let centre = mean(values).filter(|_| values.len() >= 2)?;
    let squares = sum(values.iter().map(|x| (x - centre).powi(2)));
    let spread = (squares / (values.len() - 1) as f64).sqrt();
    Some(if is_rounding_error(spread, values) { 0.0 } else { spread })
}

/// Whether a spread is no larger than what rounding does to values of this size.
pub(super) fn is_rounding_error(spread: f64, values: &[f64]) -> bool {
    let largest = values.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    spread <= 1e-14 * largest
}
