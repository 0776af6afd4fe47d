//! Each fixture of every format and every shape of outcome file, broken in twenty ways: cut, glued, one byte changed, keys
//! removed, types changed. Whatever comes, a reader neither fails nor grows, and what it gives is accounted for.

use std::collections::BTreeSet;
use std::path::Path;

use ethogram::formats::{self, Input, Part, Read};
use ethogram::model::Weight;
use ethogram::outcomes;
use serde_json::Value;

use crate::support::repository;

/// Kinds of breaking, four or five of each.
const CUTS: usize = 5;
const BYTES: usize = 5;
const KEYS: usize = 5;
const TYPES: usize = 4;

/// Numbers that look random and are the same for ever.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// Twenty broken forms of some bytes.
fn broken(bytes: &[u8], numbers: &mut Numbers) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for _ in 0..CUTS {
        found.push(bytes[..numbers.below(bytes.len())].to_vec());
    }
    let half = &bytes[..numbers.below(bytes.len())];
    found.push([half, bytes].concat());
    for _ in 0..BYTES {
        let mut changed = bytes.to_vec();
        if let Some(byte) = changed.get_mut(numbers.below(bytes.len())) {
            *byte = numbers.below(256) as u8;
        }
        found.push(changed);
    }
    for _ in 0..KEYS {
        found.push(rewritten(bytes, |value| remove(value, &mut numbers.below(60))));
    }
    for _ in 0..TYPES {
        let odd = [Value::Null, 7.into(), Value::Array(vec![Value::Null]), "\u{202e}<b>".into()];
        let odd = odd[numbers.below(odd.len())].clone();
        found.push(rewritten(bytes, |value| replace(value, &mut numbers.below(60), &odd)));
    }
    assert_eq!(found.len(), 20);
    found
}

/// The same document, or the same lines, with something changed in the first value that parses.
fn rewritten(bytes: &[u8], mut change: impl FnMut(&mut Value) -> bool) -> Vec<u8> {
    if let Ok(mut value) = serde_json::from_slice::<Value>(bytes) {
        change(&mut value);
        return value.to_string().into_bytes();
    }
    let mut out = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match serde_json::from_slice::<Value>(line) {
            Ok(mut value) => {
                change(&mut value);
                out.extend_from_slice(value.to_string().as_bytes());
                out.push(b'\n');
            }
            Err(_) => out.extend_from_slice(line),
        }
    }
    out
}

/// Removes the key that lies `left` keys down the tree.
fn remove(value: &mut Value, left: &mut usize) -> bool {
    match value {
        Value::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            for key in keys {
                if *left == 0 {
                    fields.remove(&key);
                    return true;
                }
                *left -= 1;
                if remove(&mut fields[&key], left) {
                    return true;
                }
            }
            false
        }
        Value::Array(elements) => elements.iter_mut().any(|element| remove(element, left)),
        _ => false,
    }
}

/// Replaces the value that lies `left` values down the tree.
fn replace(value: &mut Value, left: &mut usize, odd: &Value) -> bool {
    if *left == 0 {
        value.clone_from(odd);
        return true;
    }
    *left -= 1;
    match value {
        Value::Object(fields) => fields.values_mut().any(|value| replace(value, left, odd)),
        Value::Array(elements) => elements.iter_mut().any(|element| replace(element, left, odd)),
        _ => false,
    }
}

fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !name.ends_with("README.md") && !name.contains("/want.") {
                found.push((name, std::fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// What was read is of the size of what was given, and nothing came of nothing without a word.
fn check(name: &str, size: usize, read: &Read) {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let kept: usize = read
        .trajectories
        .iter()
        .map(|run| {
            let turns = run.turns.iter().map(|turn| {
                let calls = turn.calls.iter().map(|call| call.input.len() + text(&call.observation));
                turn.text.len() + text(&turn.reasoning) + calls.sum::<usize>()
            });
            text(&run.system) + text(&run.task) + text(&run.patch) + turns.sum::<usize>()
        })
        .sum();
    assert!(kept <= 64 * size + 4096, "{name}: {kept} bytes of text came of {size}");
    let is_told = read.problems.iter().any(|problem| problem.weight == Weight::Refused);
    assert!(!read.trajectories.is_empty() || is_told, "{name}: nothing was read and nothing was said");
}

/// Every line of a file of rows is a trajectory, or is listed with its place.
fn check_sum(name: &str, bytes: &[u8], read: &Read) {
    let line = |place: &str| -> Option<usize> {
        let digits: String = place.strip_prefix("line ")?.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let read_lines = read.trajectories.iter().filter_map(|run| line(&run.place));
    let told: BTreeSet<usize> =
        read_lines.chain(read.problems.iter().filter_map(|problem| line(&problem.place))).collect();
    for (index, text) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let is_blank = text.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
        assert!(
            is_blank || told.contains(&(index + 1)),
            "{name}: line {} is neither read nor listed: {:?}",
            index + 1,
            read.problems
        );
    }
}

#[test]
fn broken_fixtures_are_survived_and_accounted_for() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut inputs, mut logs, mut rows, mut outcome_files) = (0, 0, 0, 0);
    for (name, bytes) in files_below(&repository().join("fixtures/formats")) {
        for (index, broken) in broken(&bytes, &mut numbers).into_iter().enumerate() {
            inputs += 1;
            let name = format!("{name}, mutation {index}");
            if let Some(format) = formats::recognise(&broken) {
                logs += 1;
                let read = formats::read_file(format, &broken);
                check(&name, broken.len(), &read);
                if format.is_rows {
                    rows += 1;
                    check_sum(&name, &broken, &read);
                }
            }
            let below = name.split("/input/").nth(1).and_then(|rest| rest.split(", mutation").next());
            if let Some((format, path)) = below.and_then(|path| {
                let (format, root) = formats::recognise_folder(&name)?;
                Some((format, path)).filter(|_| !root.is_empty())
            }) {
                logs += 1;
                let parts = [Part { path, bytes: &broken }];
                let read = formats::read(format, &Input { parts: &parts, lines_before: 0 });
                check(&name, broken.len(), &read);
            }
        }
    }
    for (name, bytes) in files_below(&repository().join("fixtures/outcomes")) {
        for broken in broken(&bytes, &mut numbers) {
            inputs += 1;
            if let Some(shape) = outcomes::recognise(&name, &broken) {
                outcome_files += 1;
                let file = (shape.read)(&name, &broken);
                let said = file.claims.len() + file.predictions.len() + file.trials.len();
                assert!(said <= broken.len() + 16, "{name}: {said} claims came of {} bytes", broken.len());
            }
        }
    }
    println!(
        "{inputs} broken inputs: {logs} read as logs, {rows} of them rows, {outcome_files} as outcome files"
    );
    assert!(
        rows > 300 && logs > 1000 && outcome_files > 100,
        "{logs} logs, {outcome_files} outcome files of {inputs}"
    );
}
