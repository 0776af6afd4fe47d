//! What was compared: logs, verdicts and ends of each arm, and which instances do not meet.

use std::fmt::Write as _;

use super::super::Report;
use super::super::coverage_words::{NAMED, arm_lines, left_out, pairing};
use super::super::escape::Html;
use super::super::json::role;
use crate::measure::{ArmCoverage, Comparison};
use crate::model::series::Role;
use crate::number;

/// Two columns of arms, then the instances that do not meet.
pub fn compared(report: &Report) -> String {
    let mut out = String::from("<div class=\"arms\">\n");
    for arm in &report.answer.coverage {
        out.push_str(&arm_block(report, arm));
    }
    out.push_str("</div>\n");
    for comparison in &report.answer.comparisons {
        out.push_str(&not_met(comparison));
    }
    out
}

fn arm_block(report: &Report, arm: &ArmCoverage) -> String {
    let found = report.question.arm(&arm.arm).map_or(Role::Other, |found| found.role);
    let class = match found {
        Role::Base | Role::Public => "base",
        Role::Trained => "trained",
        Role::Other => "other",
    };
    let mut out = format!(
        "<div><p class=\"arm\"><i class=\"swatch {class}\"></i> <b>{}</b> {} <span class=\"scope\">{}</span></p>\n<dl>\n",
        Html(&arm.arm),
        // An arm that is called `base` is not called so twice.
        role(found).filter(|word| *word != arm.arm).unwrap_or_default(),
        Html(&arm.benchmark)
    );
    for (name, words) in arm_lines(report, arm) {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", Html(&words));
    }
    out.push_str("</dl></div>\n");
    out
}

fn not_met(comparison: &Comparison) -> String {
    let kinds = left_out(comparison);
    let mut out = format!(
        "<p class=\"note\">{} → {}: {}.",
        Html(&comparison.base),
        Html(&comparison.trained),
        Html(&pairing(comparison))
    );
    if kinds.is_empty() {
        out.push_str("</p>\n");
        return out;
    }
    out.push_str(" All of them: <code>pairs.csv</code>.</p>\n<details class=\"named\"><summary>Which do not enter</summary>\n<ul>\n");
    for kind in kinds {
        let named: Vec<String> =
            kind.instances.iter().take(NAMED).map(|id| format!("<code>{}</code>", Html(id))).collect();
        let more = kind.instances.len().saturating_sub(NAMED);
        let rest =
            if more > 0 { format!(", … {} more", number::count(more as i64)) } else { String::new() };
        let _ = writeln!(
            out,
            "<li>{} ({}): {}{rest}</li>",
            Html(&kind.what),
            number::count(kind.instances.len() as i64),
            named.join(", ")
        );
    }
    out.push_str("</ul></details>\n");
    out
}
