//! The page: one self-contained `index.html` after look.md §8. It needs no network and no script; its policy allows the
//! one script and the one style that it holds, by their digests. Every word of data is escaped where it is written.

mod behaviours;
mod compared;
mod funnel;
mod pairs;
mod sources;
mod strip;

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::escape::Html;
use super::folder::Drawing;
use super::{Part, Report, Verdict, html, markdown, verdicts};
use crate::charts::palette::{PALETTE, Theme};
use crate::data::fonts;
use crate::measure::{Comparison, TABLES};

const TEMPLATE: &str = include_str!("../../../reports/page.html");
const STYLE: &str = include_str!("../../../reports/page.css");
const SCRIPT: &str = include_str!("../../../reports/page.js");

/// A section: anchor, word of the bar, heading, content.
struct Section {
    anchor: String,
    word: String,
    heading: String,
    body: String,
}

/// The whole page.
pub fn page(report: &Report, drawings: &[Drawing]) -> String {
    let style = style();
    let sections = sections(report, drawings);
    let bar: String = sections
        .iter()
        .filter(|section| !section.word.is_empty())
        .map(|section| format!("<a href=\"#{}\">{}</a>\n", section.anchor, Html(&section.word)))
        .collect();
    let body: String = sections.iter().map(whole).collect();
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; font-src data:; img-src data:; base-uri 'none'; \
         form-action 'none'",
        digest(&style),
        digest(SCRIPT)
    );
    let title = Html(&report.question.study).to_string();
    let mut out = String::with_capacity(TEMPLATE.len() + style.len() + body.len() + SCRIPT.len());
    fill(
        &mut out,
        &[
            ("policy", &policy),
            ("title", &title),
            ("style", &style),
            ("bar", &bar),
            ("verdict", &verdict_section(report)),
            ("body", &body),
            ("script", SCRIPT),
        ],
    );
    out
}

/// Puts values into the template. What was put in is never looked at again, so that data cannot name a place.
fn fill(out: &mut String, values: &[(&str, &str)]) {
    let mut parts = TEMPLATE.split("{{");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("a place in the template is closed");
        let value = values.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
        out.push_str(value.expect("every place in the template has a value"));
        out.push_str(rest);
    }
}

/// The style of every page.
pub(super) fn style() -> String {
    // Text on the base arm's grey is dark in both themes.
    let light = PALETTE.css(Theme::Light) + "--on-base:var(--text);";
    let dark = PALETTE.css(Theme::Dark) + "--on-base:var(--paper);";
    format!(
        "{}\n:root{{{light}color-scheme:light}}\n@media (prefers-color-scheme:dark){{:root{{{dark}color-scheme:dark}}}}\n\
         :root[data-theme=light]{{{light}color-scheme:light}}\n:root[data-theme=dark]{{{dark}color-scheme:dark}}\n{STYLE}\n\
         @media print{{:root,:root[data-theme]{{{light}color-scheme:light}}}}\n",
        fonts::css()
    )
}

/// The source expression of a policy.
pub(super) fn digest(text: &str) -> String {
    format!("sha256-{}", fonts::base64(&Sha256::digest(text.as_bytes())))
}

fn whole(section: &Section) -> String {
    format!("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.anchor, section.heading, section.body)
}

fn sections(report: &Report, drawings: &[Drawing]) -> Vec<Section> {
    let mut sections = Vec::new();
    let comparisons = &report.answer.comparisons;
    for (place, comparison) in comparisons.iter().enumerate() {
        let scope = Scope::of(place, comparison, comparisons.len() > 1);
        sections.extend(behaviours::section(report, comparison, &scope));
        sections.extend(funnel::section(report, comparison, &scope));
        sections.extend(pairs::section(report, comparison, &scope));
    }
    // Where nothing is compared, the tables are the result; else they stand behind what the charts show.
    let (charts, tables) = (charts(drawings), tables(report));
    let order = if comparisons.is_empty() { [tables, charts] } else { [charts, tables] };
    sections.extend(order.into_iter().flatten());
    sections.push(methods(report));
    sections.push(sources::inputs(report));
    sections.extend(sources::left_out(report));
    sections
}

/// What tells sections of several comparisons apart.
struct Scope {
    suffix: String,
    words: String,
    is_first: bool,
}

impl Scope {
    fn of(place: usize, comparison: &Comparison, several: bool) -> Scope {
        let (suffix, words) = if several {
            let bench = if comparison.names_benchmark {
                format!(", {}", comparison.benchmark)
            } else {
                String::new()
            };
            (format!("-{}", place + 1), format!("{} → {}{bench}", comparison.base, comparison.trained))
        } else {
            (String::new(), String::new())
        };
        Scope { suffix, words, is_first: place == 0 }
    }

    /// A section of this comparison; only the first of its kind has a word in the bar.
    fn section(&self, kind: &str, word: &str, heading: &str, body: String) -> Section {
        let mut heading = Html(heading).to_string();
        if !self.words.is_empty() {
            let _ = write!(heading, " <span class=\"scope\">{}</span>", Html(&self.words));
        }
        let word = if self.is_first { word.to_owned() } else { String::new() };
        Section { anchor: format!("{kind}{}", self.suffix), word, heading, body }
    }
}

fn verdict_section(report: &Report) -> String {
    let comparisons = &report.answer.comparisons;
    let sentences = verdicts(report.question, report.answer);
    let mut out = String::new();
    if sentences.len() > 1 {
        let _ = writeln!(out, "<h1>{}: {} comparisons</h1>", Html(&report.question.study), sentences.len());
    }
    for (place, sentence) in sentences.iter().enumerate() {
        let comparison = comparisons.get(place);
        let _ = writeln!(out, "<p class=\"kicker\">{}</p>", kicker(report, comparison));
        let tag = if sentences.len() > 1 { "p" } else { "h1" };
        let _ = writeln!(out, "<{tag} class=\"verdict\">{}</{tag}>", parts(sentence));
        if let Some(comparison) = comparison {
            out.push_str(&strip::strip(comparison));
        }
    }
    out.push_str(&warnings(report));
    out.push_str(&compared::compared(report));
    out
}

fn kicker(report: &Report, comparison: Option<&Comparison>) -> String {
    let Some(comparison) = comparison else { return Html(&report.question.study).to_string() };
    let mut scaffolds: Vec<&str> = report
        .question
        .arms
        .iter()
        .filter(|arm| arm.name == comparison.base || arm.name == comparison.trained)
        .flat_map(|arm| &arm.scaffolds)
        .map(String::as_str)
        .collect();
    scaffolds.sort_unstable();
    scaffolds.dedup();
    let mut words = vec![comparison.benchmark.clone()];
    words.extend((!scaffolds.is_empty()).then(|| scaffolds.join(", ")));
    words.push(format!("{} → {}", comparison.base, comparison.trained));
    Html(&words.join(" · ")).to_string()
}

fn parts(verdict: &Verdict) -> String {
    verdict
        .parts
        .iter()
        .map(|part| match part {
            Part::Plain(text) => Html(text).to_string(),
            Part::Number(text) => format!("<b>{}</b>", Html(text)),
            Part::Aside(text) => format!("<span class=\"aside\">{}</span>", Html(text)),
        })
        .collect()
}

fn warnings(report: &Report) -> String {
    if report.answer.warnings.is_empty() {
        return String::new();
    }
    let items: String =
        report.answer.warnings.iter().map(|warning| format!("<li>{}.</li>\n", Html(warning))).collect();
    format!(
        "<div class=\"warning\" role=\"note\" aria-label=\"Before the results\">\n<ul>\n{items}</ul>\n</div>\n"
    )
}

/// Width in points from which a drawing has a row of its own.
const DOUBLE: f64 = 400.0;

fn charts(drawings: &[Drawing]) -> Option<Section> {
    let figures: String = drawings
        .iter()
        .map(|drawing| {
            let double = if drawing.svg.size().0 > DOUBLE { " double" } else { "" };
            format!(
                "<figure class=\"scroll{double}\" id=\"chart-{0}\" tabindex=\"0\" role=\"region\" aria-label=\"{0}: {1}\">\n{2}</figure>\n",
                drawing.stem,
                Html(drawing.about),
                drawing.svg.for_page()
            )
        })
        .collect();
    let body = format!("<div class=\"charts\">\n{figures}</div>\n");
    (!drawings.is_empty()).then(|| plain("charts", "Charts", body))
}

/// Tables that a section of a comparison draws.
const DRAWN: [&str; 3] = ["T5", "funnel", "decomposition"];

/// Tables that no comparison draws.
fn tables(report: &Report) -> Option<Section> {
    let body: String = report
        .tables()
        .into_iter()
        .filter(|table| !DRAWN.contains(&table.code.as_str()))
        .map(|table| {
            format!(
                "<h3>{} <span class=\"scope\">{}</span></h3>\n<p class=\"note\">{}.</p>\n{}",
                Html(&markdown::sentence(&table.title)),
                Html(&table.code),
                Html(&markdown::sentence(&table.subtitle)),
                html::table(table)
            )
        })
        .collect();
    (!body.is_empty()).then(|| plain("tables", "Tables", body))
}

fn methods(report: &Report) -> Section {
    let printed = |code: &str| report.answer.tables.iter().any(|table| table.code == code);
    let mut body = String::from("<dl class=\"methods\">\n");
    for family in TABLES.iter().filter(|family| printed(family.code)) {
        let _ = writeln!(
            body,
            "<dt>{} <span class=\"scope\">{}</span></dt><dd>{}</dd>",
            Html(family.title),
            family.code,
            Html(family.about)
        );
    }
    let _ = write!(
        body,
        "</dl>\n<p class=\"note\">Filled mark and bold Δ: adjusted p below 0.05; hollow: not. “–” is undefined. Seed {}; \
         ethogram {}.</p>\n",
        report.question.seed,
        Html(&report.inputs.engine_version)
    );
    plain("methods", "Methods", body)
}

fn plain(anchor: &str, word: &str, body: String) -> Section {
    Section { anchor: anchor.to_owned(), word: word.to_owned(), heading: word.to_owned(), body }
}
