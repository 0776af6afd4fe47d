//! Where runs stop, and what each stage contributes: two bars a stage over a pale track of the runs that reached the
//! stage before, the part that was cut off at its end hatched; at the right the Shapley values of Δ resolved.
//!
//! Implements look.md §6 (funnel) and definitions.md §5 (funnel, decomposition).

use super::canvas::{Anchor, Area, Canvas, Face, LABEL, LABEL_BOLD, VALUE, VALUE_BOLD, width_of};
use super::frame::{self, Key, Sign, Weight, weight};
use super::palette::{self, Colour};
use super::{Chart, Style, Svg};
use crate::model::series::{FunnelSeries, Role, Series};
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "funnel",
    about: "where runs stop, and what each stage contributes to the change",
    draw: |series, style| match series {
        Series::Funnel(funnel) => Some(draw(funnel, style)),
        _ => None,
    },
};

const ROW: f64 = 20.0;
const BAR: f64 = 7.2;
/// Width of the decomposition at the right.
const RIGHT_PANEL: f64 = 112.0;

/// One row of both panels.
struct Row {
    name: String,
    /// Shares of all runs.
    reached: [f64; 2],
    /// Of those, cut off at their end.
    cut_off: [f64; 2],
    /// Shares that reached the stage before; none for the first row and off the path.
    before: Option<[f64; 2]>,
    /// Contribution to Δ resolved.
    term: Option<f64>,
}

/// Draws the funnel.
pub fn draw(series: &FunnelSeries, style: &Style) -> Svg {
    let rows = rows(series);
    let mut canvas = Canvas::new(frame::DOUBLE);
    let top = frame::head(&mut canvas, &series.caption, style, &keys(series)) + 10.0;
    let bottom = if series.stages.is_empty() || series.runs.iter().all(|runs| *runs == 0) {
        frame::nothing(&mut canvas, top - 10.0, "no scored run has a log")
    } else {
        panels(&mut canvas, series, &rows, top)
    };
    let notes: Vec<String> = frame::few_note(series.runs.into_iter()).into_iter().collect();
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series, &rows))
}

fn keys(series: &FunnelSeries) -> Vec<Key> {
    let mut keys: Vec<Key> = series
        .arms
        .iter()
        .map(|arm| {
            let outline = if arm.role == Role::Trained { Colour::Trained } else { Colour::BaseOutline };
            Key::of(Sign::Box(palette::mark(arm.role), outline), &arm.arm)
        })
        .collect();
    if series.stages.iter().any(|stage| stage.cut_off.iter().any(|share| *share > 0.0)) {
        keys.push(Key::of(Sign::Hatched(Colour::BaseLine, Colour::BaseOutline), "cut off at the end"));
    }
    keys
}

fn rows(series: &FunnelSeries) -> Vec<Row> {
    let term = |name: &str| series.shapley.iter().find(|(stage, _)| stage == name).map(|(_, term)| *term);
    let mut rows = vec![Row {
        name: "all runs".to_owned(),
        reached: [1.0; 2],
        cut_off: [0.0; 2],
        before: None,
        term: None,
    }];
    let mut before = [1.0; 2];
    for stage in &series.stages {
        rows.push(Row {
            name: stage.name.clone(),
            reached: stage.reached,
            cut_off: stage.cut_off,
            before: Some(before),
            term: term(&stage.name),
        });
        before = stage.reached;
    }
    let is_stage = |name: &str| series.stages.iter().any(|stage| stage.name == name);
    let off_path = series.shapley.iter().find(|(name, _)| !is_stage(name)).map(|(_, term)| *term);
    if series.off_path.iter().any(|share| *share > 0.0) {
        rows.push(Row {
            name: "resolved off the path".to_owned(),
            reached: series.off_path,
            cut_off: [0.0; 2],
            before: None,
            term: off_path,
        });
    }
    rows
}

fn panels(canvas: &mut Canvas, series: &FunnelSeries, rows: &[Row], top: f64) -> f64 {
    let names = frame::name_room(rows.iter().map(|row| row.name.as_str()), LABEL_BOLD, canvas.width());
    let right = canvas.width() - frame::RIGHT;
    let widest = rows.iter().flat_map(|row| [label(series, row, 0), label(series, row, 1)]);
    let labels = widest.map(|words| width_of(&words, VALUE_BOLD)).fold(0.0, f64::max);
    let from = frame::LEFT + names + 5.0;
    let to = right - RIGHT_PANEL - labels - 14.0;
    canvas.text((from, top), "% of runs · % of the stage before", LABEL, Colour::Muted, Anchor::Start);
    canvas.text((right, top), "contribution to Δ resolved, points", LABEL, Colour::Muted, Anchor::End);
    let first = top + 10.0;
    for (place, row) in rows.iter().enumerate() {
        let y = first + ROW * (place as f64 + 0.5);
        let strong = place == 0 || row.name == "resolved";
        let look = (Face { bold: strong, ..LABEL }, Colour::Text, Anchor::End);
        canvas.name((from - 5.0, y), &row.name, look, names);
        for arm in [0, 1] {
            bar(canvas, series, row, (from, to), (y, arm));
        }
    }
    let bottom = first + ROW * rows.len() as f64;
    terms(canvas, series, rows, (right - RIGHT_PANEL, right), (first, bottom));
    bottom
}

fn bar(
    canvas: &mut Canvas,
    series: &FunnelSeries,
    row: &Row,
    (from, to): (f64, f64),
    (y, arm): (f64, usize),
) {
    let at = |share: f64| from + share.clamp(0.0, 1.0) * (to - from);
    let (top, bottom) = if arm == 0 { (y - BAR, y) } else { (y, y + BAR) };
    let area = |left: f64, right: f64| Area { left, top, right, bottom };
    if let Some(before) = row.before {
        canvas.rect(area(from, at(before[arm])), Colour::Track);
    }
    let role = series.arms[arm].role;
    let outline = if role == Role::Trained { Colour::Trained } else { Colour::BaseOutline };
    let line = if role == Role::Trained { Colour::Trained } else { Colour::BaseLine };
    let reached = row.reached[arm];
    let whole = at(reached * (1.0 - row.cut_off[arm].clamp(0.0, 1.0)));
    let face = if role == Role::Trained { VALUE_BOLD } else { VALUE };
    let middle = (top + bottom) / 2.0;
    let words = label(series, row, arm);
    if weight(series.runs[arm]) == Weight::None {
        return canvas.text((from + 3.0, middle), &words, face, Colour::Text, Anchor::Start);
    }
    // Zero is a stub and not nothing.
    let end = at(reached).max(from + 0.5);
    canvas.text((end + 3.0, middle), &words, face, Colour::Text, Anchor::Start);
    if weight(series.runs[arm]) == Weight::Few {
        canvas.rect(area(from, end), Colour::Paper);
        return canvas.outline(area(from, end), outline, 0.8);
    }
    if end - whole > 0.5 && reached > 0.0 {
        canvas.hatch(area(whole, end), line, outline);
    }
    let solid = area(from, if reached > 0.0 && end - whole > 0.5 { whole } else { end });
    if solid.width() > 0.0 {
        canvas.rect(solid, palette::mark(role));
        if outline != palette::mark(role) {
            canvas.outline(solid, outline, 0.6);
        }
    }
}

/// `66.3 · 77 %`, and the number of runs in the first row.
fn label(series: &FunnelSeries, row: &Row, arm: usize) -> String {
    let share = number::percent(row.reached[arm], 1);
    match row.before {
        Some(before) if before[arm] > 0.0 => {
            format!("{share} · {} %", number::percent(row.reached[arm] / before[arm], 0))
        }
        Some(_) => format!("{share} · {}", number::DASH),
        None if row.name == "all runs" => format!("n {}", number::count(series.runs[arm])),
        None => share,
    }
}

fn terms(
    canvas: &mut Canvas,
    series: &FunnelSeries,
    rows: &[Row],
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
) {
    let terms: Vec<f64> = rows.iter().filter_map(|row| row.term).collect();
    let low = terms.iter().copied().fold(0.0, f64::min);
    let high = terms.iter().copied().fold(0.0, f64::max);
    let label = width_of("−100.0", VALUE) + 4.0;
    // Labels stand outside of the bars on either side, so both sides keep their room.
    let span = if high - low > 0.0 { high - low } else { 1.0 };
    let unit = (right - left - 2.0 * label) / span;
    let total = format!("Σ {} points", number::points(series.delta, 1));
    let zero = (left + label - low * unit).min(right - width_of(&total, VALUE_BOLD) - 4.0);
    for (place, row) in rows.iter().enumerate() {
        let y = top + ROW * (place as f64 + 0.5);
        if place == 0 {
            canvas.text((zero + 4.0, y), &total, VALUE_BOLD, Colour::Text, Anchor::Start);
        } else if let Some(term) = row.term {
            let end = zero + term * unit.min((right - zero - label) / high.max(1e-9));
            let (from, to) = (zero.min(end), zero.max(end));
            let area = Area { left: from, top: y - 4.5, right: to, bottom: y + 4.5 };
            if term < 0.0 {
                canvas.outline(area, Colour::Trained, (area.width() / 3.0).clamp(0.3, 0.8));
            } else {
                canvas.rect(area, Colour::Trained);
            }
            let (x, anchor) = if term < 0.0 { (from - 3.0, Anchor::End) } else { (to + 3.0, Anchor::Start) };
            canvas.text((x, y), &number::points(term, 1), VALUE, Colour::Text, anchor);
        } else {
            canvas.text((zero + 3.0, y), number::DASH, VALUE, Colour::Muted, Anchor::Start);
        }
    }
    canvas.line((zero, top), (zero, bottom), Colour::Text, 0.8);
}

fn description(series: &FunnelSeries, rows: &[Row]) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    for row in rows {
        let arms = [0, 1].map(|arm| format!("{} {}", series.arms[arm].arm, label(series, row, arm)));
        let term = row.term.map(|term| format!(", contribution {}", number::points(term, 1)));
        parts.push(format!("{}: {}{}", row.name, arms.join(", "), term.unwrap_or_default()));
    }
    parts.push(format!("Δ resolved {} points", number::points(series.delta, 1)));
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
