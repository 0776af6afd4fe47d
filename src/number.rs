//! A number becomes text: the only place. Owns how shares, differences, p-values, intervals and counts are printed,
//! for a person (screen, Markdown, charts) and in full precision (CSV, JSON). It never computes a share, an
//! interval or a test, and it never prints NaN: what is undefined is a dash or a word.
//!
//! Implements the last section of interface.md, statistics.md §0 (percentages, p) and look.md §5 (numbers, missing).

use crate::model::table::{Cell, Missing};
use serde_json::{Value, json};

/// What stands where nothing is defined (U+2013).
pub const DASH: &str = "–";
/// The minus sign of printed numbers (U+2212); CSV and JSON keep the hyphen.
pub const MINUS: char = '\u{2212}';

/// A cell as a person reads it; `decimals` is that of per cents and points.
pub fn text(cell: &Cell, decimals: usize) -> String {
    match cell {
        Cell::Text(words) => words.clone(),
        Cell::Count(k) => count(*k),
        Cell::Share { num, den } => share(*num, *den, decimals),
        Cell::Mean { value, .. } | Cell::Rate(value) => percent(*value, decimals),
        Cell::Delta(value) => points(*value, decimals),
        Cell::Quantity(value) => quantity(*value),
        Cell::Shift(value) => shift(*value),
        Cell::P(value) => p(*value),
        Cell::Interval { low, high } => interval(*low, *high, decimals),
        Cell::Range { low, high } => range(*low, *high),
        Cell::Ratio(value) => fixed(*value, RATIO_DECIMALS),
        Cell::RatioRange { low, high } => ratio_range(*low, *high),
        Cell::Missing(why) => missing(*why).to_owned(),
    }
}

/// The count that stands beside a share or a mean (`474/731`, `n 500`).
pub fn counts(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Share { num, den } => Some(fraction(*num, *den)),
        Cell::Mean { n, .. } => Some(format!("n {}", count(*n))),
        _ => None,
    }
}

/// A cell in full precision for CSV: suffixes of the column's name and texts. Shares stay in 0…1, and missing cells
/// are empty.
pub fn csv(cell: &Cell) -> Vec<(&'static str, String)> {
    match cell {
        Cell::Text(words) => vec![("", words.clone())],
        Cell::Count(k) => vec![("", k.to_string())],
        Cell::Share { num, den } => {
            let value = ratio(*num, *den).map(full).unwrap_or_default();
            vec![("", value), ("_num", num.to_string()), ("_den", den.to_string())]
        }
        Cell::Mean { value, n } => vec![("", full(*value)), ("_n", n.to_string())],
        Cell::Rate(value)
        | Cell::Delta(value)
        | Cell::Quantity(value)
        | Cell::Shift(value)
        | Cell::Ratio(value)
        | Cell::P(value) => {
            vec![("", full(*value))]
        }
        Cell::Interval { low, high } | Cell::Range { low, high } | Cell::RatioRange { low, high } => {
            vec![("_low", full(*low)), ("_high", full(*high))]
        }
        Cell::Missing(_) => vec![("", String::new())],
    }
}

/// A cell in full precision for JSON. A share has `num` and `den`, a missing cell says why.
pub fn json(cell: &Cell) -> Value {
    match cell {
        Cell::Text(words) => json!(words),
        Cell::Count(k) => json!(k),
        Cell::Share { num, den } => {
            json!({"num": num, "den": den, "value": ratio(*num, *den).map_or(Value::Null, finite)})
        }
        Cell::Mean { value, n } => json!({"value": finite(*value), "n": n}),
        Cell::Rate(value) => json!({"value": finite(*value), "n": null}),
        Cell::Delta(value)
        | Cell::Quantity(value)
        | Cell::Shift(value)
        | Cell::Ratio(value)
        | Cell::P(value) => finite(*value),
        Cell::Interval { low, high } | Cell::Range { low, high } | Cell::RatioRange { low, high } => {
            json!({"low": finite(*low), "high": finite(*high)})
        }
        Cell::Missing(why) => json!({"missing": why.as_str()}),
    }
}

/// A dash where a value is not defined for these data, else the word that says why nothing is there.
pub const fn missing(why: Missing) -> &'static str {
    match why {
        Missing::NotApplicable | Missing::Undefined => DASH,
        Missing::Unscored | Missing::NoLog | Missing::NoPartner | Missing::NotSearched => why.as_str(),
    }
}

/// A whole number with thousands: `1,224`.
pub fn count(k: i64) -> String {
    let digits = grouped(&k.unsigned_abs().to_string());
    if k < 0 { format!("{MINUS}{digits}") } else { digits }
}

/// Numerator and denominator: `474/731`.
pub fn fraction(num: i64, den: i64) -> String {
    format!("{}/{}", count(num), count(den))
}

/// A share of counts in per cent, by the rule that reproduces the papers' ties (285/4000 is 7.12, 1569/4000 39.23):
/// the quotient times 100, rounded by the formatter and nowhere before.
pub fn share(num: i64, den: i64, decimals: usize) -> String {
    ratio(num, den).map_or(DASH.to_owned(), |value| percent(value, decimals))
}

/// A share in 0…1 in per cent: `64.8`.
pub fn percent(value: f64, decimals: usize) -> String {
    fixed(value * 100.0, decimals)
}

/// A difference of shares in points with its sign: `+4.8`, `−49.4`, `0.0`.
pub fn points(value: f64, decimals: usize) -> String {
    signed(fixed(value * 100.0, decimals))
}

/// A p-value with two significant digits, `<0.001` below that.
pub fn p(value: f64) -> String {
    if !value.is_finite() {
        return DASH.to_owned();
    }
    if value < 0.001 {
        return "<0.001".to_owned();
    }
    significant(value, 2)
}

/// An interval of shares or differences: `[−3.9, 11.5]`.
pub fn interval(low: f64, high: f64, decimals: usize) -> String {
    format!("[{}, {}]", percent(low, decimals), percent(high, decimals))
}

/// An interval of quantities: `[12, 15.5]`.
pub fn range(low: f64, high: f64) -> String {
    format!("[{}, {}]", quantity(low), quantity(high))
}

/// Decimals of ratios and correlations.
const RATIO_DECIMALS: usize = 2;

/// An interval of ratios: `[1.15, 1.67]`.
pub fn ratio_range(low: f64, high: f64) -> String {
    format!("[{}, {}]", fixed(low, RATIO_DECIMALS), fixed(high, RATIO_DECIMALS))
}

/// A plain quantity: whole numbers whole, one decimal below 1,000, none above, two significant digits below 1.
pub fn quantity(value: f64) -> String {
    if !value.is_finite() {
        return DASH.to_owned();
    }
    let size = value.abs();
    if value == value.round() || size >= 1000.0 {
        fixed(value, 0)
    } else if size < 1.0 {
        significant(value, 2)
    } else {
        fixed(value, 1)
    }
}

/// A difference of quantities with its sign.
pub fn shift(value: f64) -> String {
    signed(quantity(value))
}

/// A value with a fixed number of decimals, thousands and the minus sign; a rounded zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return DASH.to_owned();
    }
    let digits = format!("{:.decimals$}", value.abs());
    let is_zero = digits.bytes().all(|byte| byte == b'0' || byte == b'.');
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let body = format!("{}{rest}", grouped(whole));
    if value < 0.0 && !is_zero { format!("{MINUS}{body}") } else { body }
}

/// A tick of an axis whose ticks lie `step` apart, with as many decimals as the step needs.
pub fn tick(value: f64, step: f64) -> String {
    fixed(value, (0..6).find(|&decimals| is_whole(step * 10f64.powi(decimals))).unwrap_or(6) as usize)
}

/// A tick of a Δ axis: signed, zero without.
pub fn signed_tick(value: f64, step: f64) -> String {
    signed(tick(value, step))
}

/// A value in full precision; empty where it is not finite. Exponents only where digits would run to a screen's
/// width (a p-value of 1e-300).
pub fn full(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        String::new()
    } else if value == 0.0 {
        "0".to_owned()
    } else if (1e-5..1e15).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

fn ratio(num: i64, den: i64) -> Option<f64> {
    (den > 0).then(|| num as f64 / den as f64)
}

fn finite(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6
}

fn signed(text: String) -> String {
    let has_digit = text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    if has_digit && !text.starts_with(MINUS) { format!("+{text}") } else { text }
}

/// Rounded to `digits` significant digits without an exponent; 0.0996 is 0.10 and not 0.100.
fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{:.*e}", digits as usize - 1, value);
    let exponent: i32 = scientific.split('e').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    fixed(value, (digits - 1 - exponent).max(0) as usize)
}

fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
