//! The generated foot of a table (`statistics.md` §1): never typed, never left out.

use std::collections::BTreeSet;

use super::Question;
use super::aggregates::Total;
use super::comparison::{CONFIDENCE, Compared, IntervalKind, Test};
use super::data::Data;
use super::t01_pass::Pass;
use crate::data::accuracy::{self, Accuracy, LabelUse};
use crate::number;
use crate::stats;
use crate::tags::FAMILIES;
use crate::tags::rules::BEHAVIOUR_PREFIX;

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

/// How the rules on which behaviours rest fared on labelled turns: sensitivity, specificity and n of every tag, over all
/// formats and on those of the arms.
pub fn classifier(question: &Question, data: &Data, arms: &[&str]) -> Vec<String> {
    let all = accuracy::on(None);
    let Some(first) = all.first() else {
        return vec!["classifier: not measured against labelled turns".to_owned()];
    };
    let of_use = match first.labels {
        LabelUse::Tuned => "the rules were mended on these turns, so that this is an upper limit",
        LabelUse::HeldBack => "turns that nobody who wrote the rules had seen",
    };
    let mut foot = vec![
        format!(
            "classifier=shipped rules ({}) against labels `{}` of {}: {} turns of {} trajectories, 95 % clustered by trajectory; {of_use}",
            versions(),
            first.set,
            first.date,
            number::count(first.turns),
            number::count(first.trajectories)
        ),
        format!("Se and Sp in % (turns), all formats: {}", rates(&all, true)),
    ];
    let formats: BTreeSet<&str> = question
        .arms
        .iter()
        .filter(|arm| arms.contains(&arm.name.as_str()))
        .flat_map(|arm| arm.formats.iter().map(String::as_str))
        .collect();
    foot.extend(formats.into_iter().map(on_format));
    foot.push("recovery and loop are of whole runs: no labelled turn measures them".to_owned());
    let rules: Vec<&str> =
        data.listed().iter().filter_map(|behaviour| behaviour.code.strip_prefix(BEHAVIOUR_PREFIX)).collect();
    if !rules.is_empty() {
        foot.push(format!(
            "user rules, which count in the shares of their tags and are not measured: {}",
            rules.join(", ")
        ));
    }
    foot
}

/// `all at version 1`, else each with its own.
fn versions() -> String {
    let versions: BTreeSet<i64> = FAMILIES.iter().map(|family| family.version).collect();
    match versions.first() {
        Some(only) if versions.len() == 1 => format!("all at version {only}"),
        _ => {
            let each: Vec<String> =
                FAMILIES.iter().map(|family| format!("{} {}", family.name, family.version)).collect();
            format!("versions: {}", each.join(", "))
        }
    }
}

fn on_format(format: &str) -> String {
    let rows = accuracy::on(Some(format));
    match rows.first() {
        None => format!("Se and Sp, {format}: none of its turns is labelled"),
        Some(first) => format!(
            "Se and Sp, {format} ({} turns of {} trajectories): {}",
            number::count(first.turns),
            number::count(first.trajectories),
            rates(&rows, false)
        ),
    }
}

/// Every tag that a labelled turn bears, by label or rule.
fn rates(rows: &[&Accuracy], with_intervals: bool) -> String {
    let seen = rows.iter().filter(|row| row.both + row.only_label + row.only_rule > 0);
    let texts: Vec<String> = seen
        .map(|row| {
            let limits = |interval: Option<(f64, f64)>| match interval.filter(|_| with_intervals) {
                Some((low, high)) => format!(" {}", number::interval(low, high, 1)),
                None => String::new(),
            };
            let rate = |(num, den): (i64, i64)| {
                format!("{} ({})", number::share(num, den, 1), number::fraction(num, den))
            };
            let now = crate::tags::find(row.tag.as_str()).map(|family| family.version);
            let of_version = if now == Some(row.version) { "" } else { " (an earlier version)" };
            format!(
                "{}{of_version} {}{}, {}{}",
                row.tag.as_str(),
                rate(row.sensitivity()),
                limits(row.recall),
                rate(row.specificity()),
                limits(row.specificity)
            )
        })
        .collect();
    texts.join("; ")
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

/// What must be said of a figure without runs: who says it, and what it cannot say.
pub fn total(total: &Total) -> Option<String> {
    let mut said = Vec::new();
    if total.is_public() {
        let reference = total.reference.as_deref().map(|place| format!(" ({place})")).unwrap_or_default();
        said.push(format!("a {} score{reference}, no run of this study", total.source));
    }
    match (total.runs, total.counts) {
        (Some(runs), Some((num, den))) if runs > 1 => {
            let instances = (den / runs).unsigned_abs();
            if let Some(se) = stats::se_bounds(num.unsigned_abs(), instances, runs.unsigned_abs()) {
                said.push(format!(
                    "{runs} runs an instance, totals only: the standard error of pass@1 lies between {} and {} points",
                    number::percent(se.runs_independent, 1),
                    number::percent(se.runs_identical, 1)
                ));
            }
        }
        (None, Some(_)) => said.push("runs an instance are not known, so that it has no interval".to_owned()),
        _ => {}
    }
    (!said.is_empty()).then(|| format!("{} on {}: {}", total.name(), total.benchmark, said.join("; ")))
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
