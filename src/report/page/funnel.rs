//! Where runs stop: bars of the stages, what each contributes to the change, and the tested shares below.

use std::fmt::Write as _;

use super::super::escape::Html;
use super::super::{Report, html, markdown};
use super::{Scope, Section};
use crate::measure::Comparison;
use crate::model::series::{FunnelSeries, Series};
use crate::number;

/// Width of the whole in pixels.
const WIDTH: f64 = 560.0;

/// The section, where the comparison has a funnel.
pub fn section(report: &Report, comparison: &Comparison, scope: &Scope) -> Option<Section> {
    let series = match report.series_of(comparison, "funnel") {
        Some(Series::Funnel(funnel)) => Some(funnel),
        _ => None,
    };
    let tables: Vec<_> = ["funnel", "decomposition"]
        .into_iter()
        .filter_map(|code| report.table_of(comparison, code))
        .collect();
    if series.is_none() && tables.is_empty() {
        return None;
    }
    let mut out = String::new();
    if let Some(funnel) = series {
        out.push_str(&bars(funnel, &comparison.id("funnel")));
    }
    for table in tables {
        let body = format!(
            "<p class=\"note\">{}.</p>\n{}",
            Html(&markdown::sentence(&table.subtitle)),
            html::table(table)
        );
        let title = Html(&markdown::sentence(&table.title)).to_string();
        // The bars show the contributions already; their table is there for who wants the digits.
        let _ = match table.code.as_str() {
            "decomposition" => {
                write!(out, "<details class=\"decomposition\"><summary>{title}</summary>\n{body}</details>\n")
            }
            _ => write!(out, "<h3>{title}</h3>\n{body}"),
        };
    }
    Some(scope.section("funnel", "Funnel", "Where runs stop", out))
}

fn bars(funnel: &FunnelSeries, id: &str) -> String {
    let runs = funnel.runs.map(number::count);
    let mut out = format!(
        "<p class=\"note\">Share of scored runs with a log that reach a stage, %; each stage requires the one before; dark \
         end: cut off at their end. Contribution: Shapley share of Δ resolved, points; sums to {delta}.</p>\n<div class=\"scroll funnel-scroll\" \
         tabindex=\"0\" role=\"region\" aria-label=\"Bars of {id}\">\n<table class=\"funnel\">\n<caption \
         class=\"unseen\">Funnel</caption>\n<thead><tr><th scope=\"col\">stage</th><th scope=\"col\" class=\"bars\">runs</th><th \
         scope=\"col\" class=\"number\">{base}</th><th scope=\"col\" class=\"number\">{trained}</th><th scope=\"col\" \
         class=\"number\">contribution</th></tr></thead>\n<tbody>\n",
        delta = number::points(funnel.delta, 1),
        id = Html(id),
        base = Html(&funnel.arms[0].arm),
        trained = Html(&funnel.arms[1].arm)
    );
    let _ = writeln!(
        out,
        "<tr><th scope=\"row\">scored runs with a log</th><td class=\"bars\">{}</td><td class=\"number first\">{}</td><td \
         class=\"number\">{}</td><td class=\"number\"></td></tr>",
        stage_bars([1.0, 1.0], [0.0, 0.0], [1.0, 1.0]),
        runs[0],
        runs[1]
    );
    let mut before = [1.0, 1.0];
    for stage in &funnel.stages {
        let part = funnel.shapley.iter().find(|(name, _)| *name == stage.name).map(|(_, value)| *value);
        out.push_str(&line(
            &stage.name,
            stage.reached,
            part,
            &stage_bars(stage.reached, stage.cut_off, before),
        ));
        before = stage.reached;
    }
    if let Some((name, value)) = funnel.shapley.iter().find(|(name, _)| name.replace('_', " ") == "off path")
    {
        out.push_str(&line(
            &format!("{}: resolved though a stage is missing", name.replace('_', " ")),
            funnel.off_path,
            Some(*value),
            &stage_bars(funnel.off_path, [0.0, 0.0], [0.0, 0.0]),
        ));
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    let _ = writeln!(out, "<p class=\"foot\">{}</p>", Html(&funnel.caption.foot));
    out
}

fn line(name: &str, reached: [f64; 2], part: Option<f64>, bars: &str) -> String {
    format!(
        "<tr><th scope=\"row\">{}</th><td class=\"bars\">{bars}</td><td class=\"number first\">{}</td><td \
         class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        Html(name),
        number::percent(reached[0], 1),
        number::percent(reached[1], 1),
        part.map_or_else(|| number::DASH.to_owned(), |value| number::points(value, 1))
    )
}

/// Two bars over a pale track of the runs that reached the stage before.
fn stage_bars(reached: [f64; 2], cut_off: [f64; 2], before: [f64; 2]) -> String {
    let mut out = String::from(
        "<svg width=\"560\" height=\"24\" viewBox=\"0 0 560 24\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    );
    for (arm, (colour, dark)) in
        [("base", "base-outline"), ("trained", "only-trained")].into_iter().enumerate()
    {
        let y = 1 + 11 * arm;
        let width = |share: f64| (share.clamp(0.0, 1.0) * WIDTH).max(0.5);
        let whole = width(reached[arm]);
        let cut = whole * cut_off[arm].clamp(0.0, 1.0);
        let _ = write!(
            out,
            "<rect y=\"{y}\" width=\"{:.1}\" height=\"10\" fill=\"var(--track)\"/><rect y=\"{y}\" width=\"{whole:.1}\" \
             height=\"10\" fill=\"var(--{colour})\"/>",
            width(before[arm])
        );
        if cut > 0.0 {
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{y}\" width=\"{cut:.1}\" height=\"10\" fill=\"var(--{dark})\"/>",
                whole - cut
            );
        }
    }
    out.push_str("</svg>");
    out
}
