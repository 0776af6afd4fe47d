//! Pairs that changed: instances that one arm solves and the other does not, with the ribbons of a run of each arm where
//! the ethogram has them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::Report;
use super::super::escape::Html;
use super::{Scope, Section};
use crate::charts::palette::{Colour, PALETTE};
use crate::measure::Comparison;
use crate::model::series::{EthogramPair, Series};
use crate::model::tag::TagName;
use crate::number;

/// Pairs of each kind that the page shows; all stand in `pairs.csv`.
const SHOWN: usize = 50;

/// Turns of a ribbon that are drawn.
const CELLS: usize = 48;

/// The section, where an instance changed.
pub fn section(report: &Report, comparison: &Comparison, scope: &Scope) -> Option<Section> {
    let resolved = comparison.resolved.as_ref()?;
    let ribbons = ribbons(report, comparison);
    // Of equal differences those come first whose runs the ethogram drew, so that the page shows them.
    let is_bare = |instance: &str| !ribbons.contains_key(instance);
    let of_sign = |sign: f64| {
        let mut found: Vec<&(String, f64)> =
            resolved.differences.iter().filter(|difference| difference.1 * sign > 0.0).collect();
        found.sort_by(|left, right| {
            let size = right.1.abs().total_cmp(&left.1.abs());
            size.then(is_bare(&left.0).cmp(&is_bare(&right.0))).then(left.0.cmp(&right.0))
        });
        found
    };
    let (gained, lost) = (of_sign(1.0), of_sign(-1.0));
    if gained.is_empty() && lost.is_empty() {
        return None;
    }
    let single = resolved.cells.is_some();
    // Anchor of the table that the box above narrows.
    let anchor = format!("pairs{}-list", scope.suffix);
    let mut out = format!(
        "<p class=\"note\">{} instances gained, {} lost. A ribbon is one run: a cell a turn, coloured by its primary \
         tag.</p>\n{}<p class=\"find\"><label>Find an instance <input type=\"search\" data-find=\"{anchor}\" \
         autocomplete=\"off\"></label></p>\n",
        number::count(gained.len() as i64),
        number::count(lost.len() as i64),
        if ribbons.is_empty() { String::new() } else { legend() },
    );
    let _ = writeln!(
        out,
        "<table class=\"pairs\" id=\"{anchor}\">\n<caption class=\"unseen\">Pairs that changed</caption>\n<thead><tr><th \
         scope=\"col\">instance</th><th scope=\"col\">pair</th><th scope=\"col\">{}</th><th \
         scope=\"col\">{}</th></tr></thead>\n<tbody>",
        Html(&comparison.base),
        Html(&comparison.trained)
    );
    for (word, pairs) in [("newly solved", &gained), ("newly lost", &lost)] {
        for (instance, difference) in pairs.iter().take(SHOWN) {
            let words =
                if single { word.to_owned() } else { format!("{word} {}", number::points(*difference, 0)) };
            let pair = ribbons.get(instance.as_str()).copied();
            out.push_str(&line(instance, &words, word == "newly solved", pair));
        }
    }
    out.push_str("</tbody>\n</table>\n");
    let hidden = gained.len().saturating_sub(SHOWN) + lost.len().saturating_sub(SHOWN);
    if hidden > 0 {
        let _ = writeln!(
            out,
            "<p class=\"foot\">{} more in <code>pairs.csv</code>.</p>",
            number::count(hidden as i64)
        );
    }
    Some(scope.section("pairs", "Pairs", "Pairs that changed", out))
}

fn line(instance: &str, words: &str, gained: bool, pair: Option<&EthogramPair>) -> String {
    let words = Html(words).to_string();
    let words = if gained { format!("<b>{words}</b>") } else { words };
    let ribbon = |tags: Option<&Vec<Option<TagName>>>| match tags {
        Some(tags) => ribbon(tags),
        None => "<span class=\"missing\" title=\"not in the ethogram's sample\">–</span>".to_owned(),
    };
    format!(
        "<tr><th scope=\"row\"><code>{}</code></th><td>{words}</td><td>{}</td><td>{}</td></tr>\n",
        Html(instance),
        ribbon(pair.and_then(|pair| pair.base.as_ref())),
        ribbon(pair.and_then(|pair| pair.trained.as_ref()))
    )
}

/// Runs of the ethogram by instance.
fn ribbons<'a>(report: &Report<'a>, comparison: &Comparison) -> BTreeMap<&'a str, &'a EthogramPair> {
    match report.series_of(comparison, "ethogram") {
        Some(Series::Ethogram(ethogram)) => ethogram
            .groups
            .iter()
            .flat_map(|group| &group.pairs)
            .map(|pair| (pair.instance_id.as_str(), pair))
            .collect(),
        _ => BTreeMap::new(),
    }
}

/// One run as cells; what it says to a screen reader is a count by tag.
fn ribbon(tags: &[Option<TagName>]) -> String {
    let shown = &tags[..tags.len().min(CELLS)];
    let mut out = String::new();
    for (hue, _) in PALETTE.tags {
        let mut path = String::new();
        for (turn, _) in shown.iter().enumerate().filter(|(_, tag)| **tag == hue) {
            let _ = write!(path, "M{} 0h6v12h-6z", turn * 7);
        }
        if !path.is_empty() {
            let _ = write!(out, "<path fill=\"var(--{})\" d=\"{path}\"/>", Colour::Fill(hue).name());
        }
    }
    let more = tags.len() - shown.len();
    let mut width = shown.len() * 7;
    if more > 0 {
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"10\" font-size=\"10\" fill=\"var(--muted)\">+{more}</text>",
            width + 2
        );
        width += 28;
    }
    format!(
        "<svg class=\"ribbon\" width=\"{width}\" height=\"12\" viewBox=\"0 0 {width} 12\" role=\"img\" \
         aria-label=\"{}\">{out}</svg>",
        described(tags)
    )
}

/// `14 turns: 8 exploration, 3 editing`.
fn described(tags: &[Option<TagName>]) -> String {
    let mut words = Vec::new();
    for (hue, _) in PALETTE.tags {
        let count = tags.iter().filter(|tag| **tag == hue).count();
        if count > 0 {
            words.push(format!("{count} {}", hue.map_or("untagged", TagName::as_str)));
        }
    }
    format!("{} turns: {}", tags.len(), words.join(", "))
}

/// The colours of the tags that can be primary.
fn legend() -> String {
    let mut out = String::from("<ul class=\"legend\">");
    for (hue, _) in PALETTE.tags {
        if matches!(hue, Some(TagName::Recovery | TagName::Loop)) {
            continue;
        }
        let _ = write!(
            out,
            "<li><svg class=\"chip\" width=\"9\" height=\"9\" aria-hidden=\"true\"><rect width=\"9\" height=\"9\" \
             fill=\"var(--{})\"/></svg>{}</li>",
            Colour::Fill(hue).name(),
            hue.map_or("untagged", TagName::as_str)
        );
    }
    out.push_str("</ul>\n");
    out
}
