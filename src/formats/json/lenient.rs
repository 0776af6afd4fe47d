//! Fields of a value, taken as they come: numbers in quotes, times of every spelling, lists where one was to be. What is not
//! there, or is something else, is `None`.

use serde_json::Value;

pub use crate::model::time::iso;

/// The value below several keys.
pub fn at<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().try_fold(value, |value, key| value.get(*key)).filter(|value| !value.is_null())
}

/// A text.
pub fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// A text that is not blank.
pub fn filled<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    text(value, key).filter(|text| !text.trim().is_empty())
}

/// The elements of a list; none where it is no list.
pub fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A finite number, in quotes or not.
pub fn number(value: &Value, key: &str) -> Option<f64> {
    as_number(value.get(key)?)
}

/// A finite number, in quotes or not.
pub fn as_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// A whole number, in quotes or not.
pub fn whole(value: &Value, key: &str) -> Option<i64> {
    as_whole(value.get(key)?)
}

/// A whole number, in quotes or not.
pub fn as_whole(value: &Value) -> Option<i64> {
    if let Some(whole) = value.as_i64() {
        return Some(whole);
    }
    let number = as_number(value)?;
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// True or false, in quotes or not.
pub fn flag(value: &Value, key: &str) -> Option<bool> {
    match value.get(key)? {
        Value::String(word) if word.eq_ignore_ascii_case("true") => Some(true),
        Value::String(word) if word.eq_ignore_ascii_case("false") => Some(false),
        value => value.as_bool(),
    }
}

/// A verdict: true or false, or 1 and 0, as tables with gaps write them.
pub fn verdict(value: &Value, key: &str) -> Option<bool> {
    flag(value, key).or_else(|| match number(value, key)? {
        1.0 => Some(true),
        0.0 => Some(false),
        _ => None,
    })
}

/// A point in time, UTC milliseconds: ISO 8601, Unix seconds or Unix milliseconds.
pub fn time(value: &Value, key: &str) -> Option<i64> {
    as_time(value.get(key)?)
}

/// A point in time, UTC milliseconds.
pub fn as_time(value: &Value) -> Option<i64> {
    if let Value::String(text) = value
        && let Some(time) = iso(text)
    {
        return Some(time);
    }
    let number = as_number(value)?;
    // Outside 2001 to 2286 it is no time of a run, but a counter or a placeholder.
    if (1e9..1e10).contains(&number) {
        Some((number * 1000.0).round() as i64)
    } else {
        (1e12..1e13).contains(&number).then_some(number.round() as i64)
    }
}

/// The text of a content that is a string, a list of parts (`{"text": …}` or strings), or an object with a text; parts are
/// joined by line breaks. `None` where it is null or absent.
pub fn content(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts: Vec<String> = parts.iter().filter_map(part).collect();
            (parts.is_empty() || !texts.is_empty()).then(|| texts.join("\n"))
        }
        other => part(other).or_else(|| Some(other.to_string())),
    }
}

fn part(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => {
            let text = text(value, "text").or_else(|| text(value, "content")).map(str::to_owned);
            text.or_else(|| content(value.get("content").filter(|inner| inner.is_array())))
        }
        _ => None,
    }
}
