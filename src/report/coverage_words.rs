//! Coverage in words: what each arm has, and which instances do not meet. Page and Markdown say the same.

use super::Report;
use crate::measure::{ArmCoverage, Comparison};
use crate::model::series::{Series, TerminationRow};
use crate::number;

/// Instances of a kind that are named; all stand in `pairs.csv`.
pub const NAMED: usize = 20;

/// What is known of an arm on a benchmark: name of the line and its words.
pub fn arm_lines(report: &Report, arm: &ArmCoverage) -> Vec<(&'static str, String)> {
    let runs = |n: i64| if n == 1 { "1 run".to_owned() } else { format!("{} runs", number::count(n)) };
    let mut lines = vec![
        ("instances", format!("{}, {}", number::count(arm.instances), each(arm.runs_range))),
        ("logs", format!("{} of {}{}", number::count(arm.logs), runs(arm.runs), no_log(arm))),
        (
            "scored",
            format!(
                "{} of {} · resolved {}",
                number::count(arm.scored),
                number::count(arm.runs),
                number::count(arm.resolved)
            ),
        ),
    ];
    if arm.scored < arm.runs {
        let reasons: Vec<String> = arm
            .reasons
            .iter()
            .map(|(reason, n)| format!("{} {}", number::count(*n), reason.replace('_', " ")))
            .collect();
        let total = number::count(arm.runs - arm.scored);
        let words = match reasons.as_slice() {
            [] => total,
            [only] => only.clone(),
            _ => format!("{total}: {}", reasons.join(", ")),
        };
        lines.push(("unscored", words));
    }
    if let Some(end) = termination(report, &arm.arm) {
        lines.push(("end", end));
    }
    let scaffolds = report.question.arm(&arm.arm).map(|found| found.scaffolds.join(", ")).unwrap_or_default();
    if !scaffolds.is_empty() {
        lines.push(("scaffold", scaffolds));
    }
    if arm.scored == 0 {
        let looked = report.inputs.arm(&arm.arm).map(|found| found.looked_in.join(", ")).unwrap_or_default();
        if !looked.is_empty() {
            lines.push(("verdicts", format!("none found: looked in {looked}")));
        }
    }
    lines
}

fn each((least, most): (i64, i64)) -> String {
    match (least, most) {
        (1, 1) => "one run each".to_owned(),
        _ if least == most => format!("{} runs each", number::count(most)),
        _ => format!("{} to {} runs each", number::count(least), number::count(most)),
    }
}

fn no_log(arm: &ArmCoverage) -> String {
    match arm.runs - arm.logs {
        0 => String::new(),
        missing => format!(", {} without a log", number::count(missing)),
    }
}

/// `18 % ended by themselves, 74 % cut off and taken unasked`.
fn termination(report: &Report, arm: &str) -> Option<String> {
    let row = report.answer.series.iter().find_map(|(_, series)| match series {
        Series::Termination(bars) => bars.rows.iter().find(|row| row.arm.arm == arm),
        _ => None,
    })?;
    let TerminationRow { n, submitted, limit, agent_failure, infrastructure, unknown, .. } = row;
    let parts = [
        (*submitted, "ended by itself"),
        (limit.0 - limit.1, "cut off"),
        (limit.1, "cut off, diff taken unasked"),
        (*agent_failure, "agent failure"),
        (*infrastructure, "infrastructure"),
        (*unknown, "unknown"),
    ];
    let words: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} % {name}", number::share(count, *n, 0)))
        .collect();
    (*n > 0).then(|| words.join(", "))
}

/// A kind of instance that does not enter the main figure.
pub struct LeftOut<'a> {
    /// What they are (`only in gpt-4o`).
    pub what: String,
    /// Their ids.
    pub instances: &'a [String],
}

/// Instances of a comparison that do not meet or lack a verdict; kinds without an instance are left out.
pub fn left_out(comparison: &Comparison) -> Vec<LeftOut<'_>> {
    let coverage = &comparison.coverage;
    let all = [
        ("unscored in one arm".to_owned(), &coverage.one_unscored),
        ("unscored in both arms".to_owned(), &coverage.both_unscored),
        (format!("only in {}", comparison.base), &coverage.base_only),
        (format!("only in {}", comparison.trained), &coverage.trained_only),
    ];
    all.into_iter()
        .filter(|(_, instances)| !instances.is_empty())
        .map(|(what, instances)| LeftOut { what, instances })
        .collect()
}

/// `91 instances: 84 scored in both arms, 5 unscored on a side, 2 in one arm only`.
pub fn pairing(comparison: &Comparison) -> String {
    let coverage = &comparison.coverage;
    let alone = coverage.base_only.len() + coverage.trained_only.len();
    let count = |n: usize| number::count(n as i64);
    format!(
        "{} instances: {} scored in both arms, {} unscored on a side, {} in one arm only",
        count(coverage.shared() + alone),
        count(coverage.both_scored.len()),
        count(coverage.unscored()),
        count(alone)
    )
}
