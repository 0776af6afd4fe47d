//! The figures of the two seed papers that come out of a function of `stats`: tests, intervals and percentages, to the
//! printed digit. Plain arithmetic (differences of counts, gains) belongs to the tables that print it.

use ethogram::stats;
use serde_json::Value;

use super::dispatch::{Call, call};
use super::vectors::differs;

/// Checks of plain arithmetic that tables do themselves.
const ARITHMETIC: &[&str] = &[
    "count",
    "difference_of_counts",
    "gain_of_counts",
    "gain_of_counts_1dp",
    "gain_of_rounded_1dp",
    "product",
    "stated_delta",
    "stated_share",
];

/// `percent_1dp` and its like: the printed text, by the rule of `statistics.md` §0.
fn percent(name: &str, args: &Value) -> Option<String> {
    let digits = name.strip_prefix("percent_")?.strip_suffix("dp")?.parse::<usize>().unwrap();
    let share = stats::percent(args["k"].as_u64().unwrap(), args["n"].as_u64().unwrap()).unwrap();
    Some(format!("{share:.digits$}"))
}

fn failure(check: &Value) -> Option<String> {
    let (name, args) = (check["fn"].as_str().unwrap(), &check["args"]);
    if let Some(text) = percent(name, args) {
        let printed = check["printed"].as_str().unwrap().trim_end_matches('%');
        return (printed != text).then(|| format!("prints {text}, not {printed}"));
    }
    let Call::Done(got) = call(name, args) else {
        return (!ARITHMETIC.contains(&name)).then(|| format!("no function {name}"));
    };
    let tolerance = |key: &str| check["tol"][key].as_f64().unwrap();
    let want = &check["want"];
    (!want.is_null()).then(|| differs(&got, want, tolerance("abs"), tolerance("rel"))).flatten()
}

#[test]
fn the_papers_are_reproduced() {
    let mut failed = Vec::new();
    for file in ["rl-transfer.json", "asap.json"] {
        let Some(path) = crate::support::shared(&format!("vectors/papers/{file}")) else { return };
        let paper: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for check in paper["checks"].as_array().unwrap() {
            failed.extend(failure(check).map(|how| format!("{file} {}: {how}", check["id"])));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The claims of the RL paper hold under Boschloo and fall with other tests; kept here so that they are checked without
/// the shared data too.
#[test]
fn the_choice_of_test_decides_the_claims() {
    let boschloo = |k0, n0, k1, n1| stats::boschloo(k0, n0, k1, n1).unwrap().two_sided;
    let four = |p: f64| format!("{p:.4}");
    assert_eq!(four(boschloo(60, 89, 73, 89)), "0.0294");
    assert_eq!(four(boschloo(0, 66, 5, 66)), "0.0449");
    assert_eq!(four(stats::fisher(0, 66, 5, 66).unwrap().two_sided), "0.0578");
    assert_eq!(four(stats::mcnemar(0, 5).exact), "0.0625");
    let stratum = |k0, n0, k1, n1| stats::Stratum { k0, n0, k1, n1 };
    let three = [stratum(35, 113, 49, 113), stratum(0, 66, 5, 66), stratum(1, 20, 5, 20)];
    let pooled = stats::cmh(&three, stats::CONF);
    assert_eq!(four(pooled.p.unwrap()), "0.0038");
    assert_eq!(format!("{:.2}", pooled.odds_ratio.unwrap()), "2.12");
}
