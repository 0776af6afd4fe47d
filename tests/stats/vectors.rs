//! The reference vectors: all of `vectors/statistics.json` where the shared data are, and a part of them, one CSV a
//! file of `src/stats`, in the repository itself.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::dispatch::{Call, ELSEWHERE, call};

/// The pass rule: |got − want| <= abs + rel · |want| on every number; strings, counts and null exactly.
pub fn differs(got: &Value, want: &Value, abs: f64, rel: f64) -> Option<String> {
    match (got, want) {
        (Value::Number(g), Value::Number(w)) => {
            let (g, w) = (g.as_f64().unwrap(), w.as_f64().unwrap());
            let off = (g - w).abs();
            // A NaN is no JSON number, so the comparison always means something.
            (off > abs + rel * w.abs()).then(|| format!("got {g:?}, want {w:?}, off by {off:e}"))
        }
        (Value::Array(g), Value::Array(w)) if g.len() == w.len() => g
            .iter()
            .zip(w)
            .enumerate()
            .find_map(|(i, (g, w))| Some(format!("[{i}]: {}", differs(g, w, abs, rel)?))),
        (Value::Object(g), Value::Object(w)) if g.keys().eq(w.keys()) => g
            .iter()
            .zip(w)
            .find_map(|((key, g), (_, w))| Some(format!("{key}: {}", differs(g, w, abs, rel)?))),
        _ => (got != want).then(|| format!("got {got}, want {want}")),
    }
}

fn check(id: &str, name: &str, args: &Value, want: &Value, (abs, rel): (f64, f64), failed: &mut Vec<String>) {
    match call(name, args) {
        Call::Done(got) => {
            if let Some(how) = differs(&got, want, abs, rel) {
                failed.push(format!("{id} {args}: {how}"));
            }
        }
        Call::Unknown if ELSEWHERE.iter().any(|(built, _)| *built == name) => {}
        Call::Unknown => failed.push(format!("{id}: no function {name}")),
    }
}

fn report(failed: &[String]) {
    assert!(failed.is_empty(), "{} vectors fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_shared_vector_holds() {
    let Some(path) = crate::support::shared("vectors/statistics.json") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len() as u64, file["header"]["vectors"].as_u64().unwrap());
    let mut failed = Vec::new();
    let mut names = BTreeSet::new();
    for case in cases {
        let (name, tolerance) = (case["fn"].as_str().unwrap(), &case["tol"]);
        let tolerance = (tolerance["abs"].as_f64().unwrap(), tolerance["rel"].as_f64().unwrap());
        check(case["id"].as_str().unwrap(), name, &case["args"], &case["want"], tolerance, &mut failed);
        names.insert(name);
    }
    for (name, place) in ELSEWHERE {
        println!("not in stats: {name} ({place})");
    }
    println!("{} vectors of {} functions", cases.len(), names.len());
    report(&failed);
}

/// The fields of one CSV line; a quote inside a quoted field is doubled.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

fn check_fixture(path: &Path, failed: &mut Vec<String>) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("fn,args,want,abs,rel,source"), "{}", path.display());
    let mut seen = 0;
    for (i, line) in lines.enumerate() {
        let row = fields(line);
        let [name, args, want, abs, rel, _] = &row[..] else { panic!("{}:{}", path.display(), i + 2) };
        let id = format!("{}:{}", path.file_name().unwrap().display(), i + 2);
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        check(&id, name, &json(args), &json(want), (abs.parse().unwrap(), rel.parse().unwrap()), failed);
        seen += 1;
    }
    seen
}

#[test]
fn every_fixture_vector_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/stats");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "csv"));
    paths.sort();
    assert!(!paths.is_empty());
    let mut failed = Vec::new();
    for path in &paths {
        assert!(check_fixture(path, &mut failed) > 0, "{} is empty", path.display());
    }
    report(&failed);
}

/// A file of `src/stats` that has functions of its own to show has a CSV of that name. The others are parts of them.
#[test]
fn every_file_has_its_fixture() {
    const PARTS: &[&str] = &["distributions", "mod", "moments", "ranks", "subset_sums"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    for entry in std::fs::read_dir(root.join("src/stats")).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let has = root.join("fixtures/stats").join(&name).with_extension("csv").exists();
        if !has && !PARTS.contains(&name.as_str()) {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "no vector for {missing:?}");
}

#[test]
fn the_comparison_can_fail() {
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let differ = |got: &str, want: &str| differs(&json(got), &json(want), 1e-12, 1e-9).is_some();
    assert!(!differ("1.0000000001", "1.0"));
    assert!(differ("1.00000001", "1.0"));
    assert!(differ("[1.0, 2.0]", "[1.0]"));
    assert!(differ("null", "0.0") && differ("0.0", "null") && differ("1e308", "\"inf\""));
    assert!(differ("{\"a\": 1, \"b\": 2}", "{\"a\": 1}"));
}
