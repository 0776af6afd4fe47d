//! What the scorers of a sample say, as one verdict (`definitions.md` §7): several scorers that do not agree give none.

use super::super::json::lenient::at;
use crate::model::{Problem, UnscoredReason, Verdict, Weight};
use serde_json::Value;

/// The verdict of a sample; `None` where nobody scored it.
pub fn verdict(sample: &Value, place: &str, problems: &mut Vec<Problem>) -> Option<Verdict> {
    if at(sample, &["error"]).is_some() {
        return Some(Verdict::unscored(UnscoredReason::SampleError));
    }
    if at(sample, &["invalidation"]).is_some() {
        return Some(invalidated());
    }
    let mut values = Vec::new();
    if let Some(scores) = sample.get("scores").and_then(Value::as_object) {
        scores.iter().for_each(|(scorer, score)| add(&mut values, scorer, score));
    } else if let Some(score) = at(sample, &["score"]) {
        add(&mut values, "score", score);
    }
    let (_, first) = values.first()?;
    if values.iter().any(|(_, value)| value != first) {
        let said: Vec<String> =
            values.iter().map(|(scorer, value)| format!("{scorer} {}", word(*value))).collect();
        let what = format!("scorers do not agree ({}): no verdict", said.join(", "));
        problems.push(Problem::new(Weight::Note, place, what));
        return Some(Verdict::unscored(UnscoredReason::Contradiction));
    }
    Some(match first {
        Some(reward) => Verdict { resolved: None, reward: Some(*reward), ..Verdict::scored(false) },
        None => Verdict::unscored(UnscoredReason::Null),
    })
}

/// The harness was told that a sample does not count.
pub fn invalidated() -> Verdict {
    Verdict::unscored(UnscoredReason::Other("invalidated".to_owned()))
}

/// A score may hold several values by name.
fn add(values: &mut Vec<(String, Option<f64>)>, scorer: &str, score: &Value) {
    let value = score.get("value").unwrap_or(score);
    match value {
        Value::Object(parts) => {
            values.extend(parts.iter().map(|(name, part)| (format!("{scorer}.{name}"), number(part))));
        }
        Value::Array(parts) => values.extend(parts.iter().map(|part| (scorer.to_owned(), number(part)))),
        value => values.push((scorer.to_owned(), number(value))),
    }
}

/// The tool's own reading of a value: correct, incorrect, partial, no answer, yes and no, numbers.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64(),
        Value::String(word) => match word.as_str() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            word => match word.to_ascii_lowercase().as_str() {
                "yes" | "true" => Some(1.0),
                "no" | "false" => Some(0.0),
                digits => digits.parse().ok().filter(|number: &f64| number.is_finite()),
            },
        },
        _ => None,
    }
}

fn word(value: Option<f64>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| value.to_string())
}
