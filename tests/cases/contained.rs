//! What it means that a result holds what a case wants (the README of the cases, Containment).

use std::collections::BTreeSet;

use serde_json::Value;

/// Where `got` lacks something of `want`; empty where it contains it.
pub fn differences(want: &Value, got: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", want, got, &mut found);
    found
}

fn compare(place: &str, want: &Value, got: &Value, found: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for (key, want) in want {
                let got = got.get(key).unwrap_or(&Value::Null);
                let place = format!("{place}.{key}");
                match (key.as_str(), want, got) {
                    ("tags", Value::Array(want), Value::Array(got)) => tags(&place, want, got, found),
                    _ => compare(&place, want, got, found),
                }
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (index, (want, got)) in want.iter().zip(got).enumerate() {
                compare(&format!("{place}[{index}]"), want, got, found);
            }
        }
        (Value::Number(one), Value::Number(other)) if near(one.as_f64(), other.as_f64()) => {}
        _ if want == got => {}
        _ => found.push(format!("{place}: want {want}, got {got}")),
    }
}

fn near(one: Option<f64>, other: Option<f64>) -> bool {
    one.zip(other).is_some_and(|(one, other)| (one - other).abs() <= 1e-9)
}

/// Exact by name; each wanted item is contained in one of the turn's tags.
fn tags(place: &str, want: &[Value], got: &[Value], found: &mut Vec<String>) {
    let names = |tags: &[Value]| -> BTreeSet<String> {
        tags.iter().map(|tag| tag["tag"].as_str().unwrap_or_default().to_owned()).collect()
    };
    if names(want) != names(got) {
        found.push(format!("{place}: want {:?}, got {:?}", names(want), names(got)));
    }
    for item in want {
        if !got.iter().any(|got| differences(item, got).is_empty()) {
            found.push(format!("{place}: {item} is in none of {got:?}"));
        }
    }
}

/// Rows in any order: as many as are wanted, and each wanted one in a row of its own.
pub fn rows(table: &str, want: &[Value], got: &[Value]) -> Vec<String> {
    if want.len() != got.len() {
        return vec![format!("{table}: want {} rows, got {}: {got:?}", want.len(), got.len())];
    }
    let fits: Vec<Vec<usize>> = want
        .iter()
        .map(|want| (0..got.len()).filter(|row| differences(want, &got[*row]).is_empty()).collect())
        .collect();
    let mut taken = vec![None; got.len()];
    let lonely = (0..want.len()).find(|index| !place(*index, &fits, &mut taken, &mut BTreeSet::new()));
    lonely
        .map(|index| format!("{table}: no row of its own for {} among {got:?}", want[index]))
        .into_iter()
        .collect()
}

/// Finds a row for a wanted one, and moves others where they stand in the way.
fn place(
    index: usize,
    fits: &[Vec<usize>],
    taken: &mut [Option<usize>],
    tried: &mut BTreeSet<usize>,
) -> bool {
    fits[index].iter().any(|row| {
        tried.insert(*row) && taken[*row].is_none_or(|other| place(other, fits, taken, tried)) && {
            taken[*row] = Some(index);
            true
        }
    })
}

/// Each wanted problem is matched by a reported one.
pub fn problems(want: &[Value], objects: &[Value], stderr: &str) -> Vec<String> {
    let of_objects = objects.iter().flat_map(|object| object["problems"].as_array().into_iter().flatten());
    let mut reported: Vec<(String, String)> = of_objects
        .map(|problem| {
            let text = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
            (text("place"), text("what").to_lowercase())
        })
        .collect();
    reported.extend(stderr.lines().map(|line| (line.to_owned(), line.to_lowercase())));
    let matches = |want: &&Value| {
        let place = want["place"].as_str().unwrap_or_default();
        let words = want["what_contains"].as_str().unwrap_or_default().to_lowercase();
        reported.iter().any(|(at, what)| {
            digits(place).is_none_or(|wanted| numbers(at).contains(&wanted))
                && words.split('|').any(|word| what.contains(word))
        })
    };
    let lost = want.iter().filter(|want| !matches(want));
    lost.map(|want| format!("no problem as {want} among {reported:?}")).collect()
}

fn digits(place: &str) -> Option<String> {
    let digits: String = place.chars().filter(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

fn numbers(text: &str) -> BTreeSet<String> {
    let numbers = text.split(|sign: char| !sign.is_ascii_digit()).filter(|part| !part.is_empty());
    numbers.map(str::to_owned).collect()
}

#[test]
fn a_difference_is_found_in_every_corner() {
    let json = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let got = json(r#"{"a": 1, "b": [{"c": "x", "d": 2}], "e": null, "tags": [{"tag": "t", "kind": "k"}]}"#);
    for held in
        [r#"{"a": 1.0}"#, r#"{"b": [{}]}"#, r#"{"e": null, "f": null}"#, r#"{"tags": [{"tag": "t"}]}"#]
    {
        assert_eq!(differences(&json(held), &got), [""; 0], "{held}");
    }
    let wrong = [
        r#"{"a": 2}"#,
        r#"{"a": null}"#,
        r#"{"b": []}"#,
        r#"{"b": [{"c": "y"}]}"#,
        r#"{"f": 1}"#,
        r#"{"tags": []}"#,
        r#"{"tags": [{"tag": "t", "kind": "other"}]}"#,
        r#"{"tags": [{"tag": "t"}, {"tag": "u"}]}"#,
    ];
    for wrong in wrong {
        assert!(!differences(&json(wrong), &got).is_empty(), "{wrong}");
    }
    let twice = [json(r#"{"a": 1}"#), json(r#"{}"#)];
    assert_eq!(rows("t", &twice, &[json(r#"{"a": 2}"#), json(r#"{"a": 1}"#)]), [""; 0]);
    assert_eq!(rows("t", &twice, &[json(r#"{"a": 2}"#), json(r#"{"a": 2}"#)]).len(), 1);
}
