//! The generated foot of a table (`statistics.md` §1): never typed, never left out.

use super::Question;
use super::comparison::{CONFIDENCE, Compared, IntervalKind, Test};
use super::t01_pass::Pass;
use crate::number;
use crate::stats;

/// What every foot says.
pub fn common(question: &Question) -> Vec<String> {
    let mut foot = Vec::new();
    if !question.duplicates.is_empty() {
        foot.push(format!("duplicates: {}", question.duplicates));
    }
    if let Some(runs) = question.expect_runs {
        foot.push(format!("the design asks for {runs} runs an instance; missing ones count as unscored"));
    }
    foot.push(format!("seed {}; engine {}", question.seed, env!("CARGO_PKG_VERSION")));
    foot
}

/// ICC and design effect of an arm with several runs, or that run-to-run noise is not measured.
pub fn clustering(arm: &str, benchmark: &str, pass: &Pass) -> Option<String> {
    let (least, most) = pass.runs_range;
    match most {
        0 => Some(format!("{arm} on {benchmark}: no scored run")),
        1 => None,
        _ => {
            let groups: Vec<Vec<f64>> = pass
                .counts
                .iter()
                .map(|&(n, c)| (0..n).map(|run| if run < c { 1.0 } else { 0.0 }).collect())
                .collect();
            let icc = stats::icc1(&groups).map_or_else(
                || "ICC undefined".to_owned(),
                |icc| {
                    format!("ICC {}, design effect {}", number::fixed(icc.icc, 2), number::fixed(icc.deff, 2))
                },
            );
            Some(format!("{arm} on {benchmark}: scored runs an instance {least} to {most}; {icc}"))
        }
    }
}

/// Tests and intervals that the rows of a comparison used, each named once.
pub fn methods<'a>(rows: impl Iterator<Item = &'a Compared>) -> Vec<String> {
    let mut tests: Vec<Test> = Vec::new();
    let mut intervals: Vec<IntervalKind> = Vec::new();
    for row in rows {
        tests.push(row.test);
        intervals.push(row.interval_kind);
    }
    tests.sort_unstable();
    tests.dedup();
    intervals.sort_unstable();
    intervals.dedup();
    let tests: Vec<&str> = tests.into_iter().map(Test::as_str).collect();
    let intervals: Vec<&str> =
        intervals.into_iter().filter(|kind| *kind != IntervalKind::None).map(IntervalKind::as_str).collect();
    let mut foot = Vec::new();
    if !tests.is_empty() {
        foot.push(format!("test={}, two-sided", tests.join("; ")));
    }
    if !intervals.is_empty() {
        foot.push(format!("interval={}, 95 %", intervals.join("; ")));
    }
    foot
}

/// The smallest difference that this many pairs could have shown; nothing for independent samples, whose formula needs a
/// discordance that they do not have.
pub fn detectable(resolved: &Compared) -> Vec<String> {
    if !resolved.paired {
        return Vec::new();
    }
    let mut foot = vec![least_difference(resolved)];
    if resolved.gained_lost.0 + resolved.gained_lost.1 < LEAST_DIFFERING {
        foot.push(format!(
            "fewer than {LEAST_DIFFERING} instances differ in resolved: its exact test cannot reach 0.05"
        ));
    }
    foot
}

/// With fewer differing instances the smallest two-sided p, 2^(1 − m), lies above 0.05 (`statistics.md` §5).
const LEAST_DIFFERING: i64 = 6;

fn least_difference(resolved: &Compared) -> String {
    let points = |value: Option<f64>| match value {
        Some(value) => format!("{} points", number::percent(value, 1)),
        None => "not detectable at this discordance".to_owned(),
    };
    match resolved.cells {
        Some([both, only_base, only_trained, neither]) => {
            let pairs = both + only_base + only_trained + neither;
            let discordance = (only_base + only_trained) as f64 / pairs as f64;
            let least = stats::mdd_mcnemar(pairs.unsigned_abs(), discordance, 0.05, 0.8);
            format!(
                "minimal detectable difference in resolved at 80 % power={} ({} pairs, {} % discordant)",
                points(least),
                number::count(pairs),
                number::percent(discordance, 1)
            )
        }
        None => {
            let differences: Vec<f64> = resolved.differences.iter().map(|difference| difference.1).collect();
            // Between instances the spread of the differences holds both the spread of effects and the runs' noise.
            let least = stats::paired_mean_ci(&differences, CONFIDENCE)
                .filter(|mean| mean.se > 0.0)
                .map(|mean| points(Some((1.959964 + 0.841621) * mean.se)));
            format!(
                "minimal detectable difference in resolved at 80 % power={}",
                least.unwrap_or_else(|| "undefined: the differences of instances have no spread".to_owned())
            )
        }
    }
}
