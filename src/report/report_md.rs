//! `report.md`: verdict first, then what must be said before the results, what was compared and left out, tables,
//! charts, methods and inputs.

use std::fmt::Write as _;

use super::coverage_words::{NAMED, arm_lines, left_out, pairing};
use super::escape::Markdown;
use super::{Report, markdown, verdicts};
use crate::measure::TABLES;
use crate::model::table::Align;
use crate::number;

/// The whole report as Markdown; `charts` are paths of pictures beside it.
pub fn report(report: &Report, charts: &[String]) -> String {
    let mut out = String::new();
    for verdict in verdicts(report.question, report.answer) {
        let _ = writeln!(out, "{}\n", Markdown(&verdict.text()));
    }
    let _ = writeln!(out, "# {}\n", Markdown(&report.question.study));
    warnings(&mut out, report);
    compared(&mut out, report);
    for table in report.tables() {
        out.push_str(&markdown::table(table, 2));
        out.push('\n');
    }
    if !charts.is_empty() {
        out.push_str("## Charts\n\n");
        for chart in charts {
            let name = chart.rsplit('/').next().unwrap_or(chart);
            let _ = writeln!(out, "- [{0}]({chart})", name);
        }
        out.push('\n');
    }
    methods(&mut out, report);
    inputs(&mut out, report);
    out
}

fn warnings(out: &mut String, report: &Report) {
    for warning in &report.answer.warnings {
        let _ = writeln!(out, "> **Note.** {}.\n>", Markdown(warning));
    }
    if !report.answer.warnings.is_empty() {
        // The last mark of the quotation would join the next paragraph to it.
        out.truncate(out.trim_end_matches("\n>\n").len());
        out.push_str("\n\n");
    }
}

fn compared(out: &mut String, report: &Report) {
    out.push_str("## What was compared and left out\n\n");
    for arm in &report.answer.coverage {
        let _ = writeln!(out, "- **{}** on {}", Markdown(&arm.arm), Markdown(&arm.benchmark));
        for (name, words) in arm_lines(report, arm) {
            let _ = writeln!(out, "  - {name}: {}", Markdown(&words));
        }
    }
    out.push('\n');
    for comparison in &report.answer.comparisons {
        let _ = writeln!(
            out,
            "{} against {} on {}: {}.\n",
            Markdown(&comparison.base),
            Markdown(&comparison.trained),
            Markdown(&comparison.benchmark),
            pairing(comparison)
        );
        for kind in left_out(comparison) {
            let named: Vec<String> =
                kind.instances.iter().take(NAMED).map(|id| Markdown(id).to_string()).collect();
            let more = kind.instances.len().saturating_sub(NAMED);
            let rest = if more > 0 {
                format!(", … {} more in `pairs.csv`", number::count(more as i64))
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "- {} ({}): {}{rest}",
                Markdown(&kind.what),
                number::count(kind.instances.len() as i64),
                named.join(", ")
            );
        }
        out.push('\n');
    }
    let refused = report.inputs.problems("refused");
    let _ = writeln!(
        out,
        "{} files were read; {} refused, {} repaired: see `left_out.csv`.\n",
        number::count(report.inputs.contents.inputs.len() as i64),
        number::count(refused as i64),
        number::count(report.inputs.problems("repaired") as i64)
    );
}

fn methods(out: &mut String, report: &Report) {
    out.push_str("## Methods\n\n");
    let printed = |code: &str| report.answer.tables.iter().any(|table| table.code == code);
    for family in TABLES.iter().filter(|family| printed(family.code)) {
        let _ = writeln!(out, "- **{}** {}: {}", family.code, family.title, Markdown(family.about));
    }
    let _ = writeln!(
        out,
        "\nA value, its interval, its n and its test stand together; bold: adjusted p below 0.05. `–` is undefined. Seed {}, \
         ethogram {}.\n",
        report.question.seed,
        Markdown(&report.inputs.engine_version)
    );
}

fn inputs(out: &mut String, report: &Report) {
    let inputs = report.inputs;
    out.push_str("## Inputs\n\n");
    let heads = ["arm", "role", "files", "read as", "outcomes"].map(str::to_owned);
    let aligns = [Align::Left, Align::Left, Align::Right, Align::Left, Align::Left];
    let rows: Vec<Vec<String>> = report
        .question
        .arms
        .iter()
        .map(|arm| {
            let files: Vec<_> = inputs.contents.inputs.iter().filter(|file| file.arm == arm.name).collect();
            let mut kinds: Vec<&str> = files.iter().map(|file| file.read_as.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let outcomes = inputs.arm(&arm.name).map(|arm| arm.outcomes.join(", ")).unwrap_or_default();
            vec![
                Markdown(&arm.name).to_string(),
                super::json::role(arm.role).unwrap_or("–").to_owned(),
                number::count(files.len() as i64),
                Markdown(&kinds.join(", ")).to_string(),
                if outcomes.is_empty() { number::DASH.to_owned() } else { Markdown(&outcomes).to_string() },
            ]
        })
        .collect();
    out.push_str(&markdown::grid(&heads, &aligns, &rows));
    out.push_str("\nEvery file with its digest, the versions of the rules and all settings: `study.json`.\n");
}
