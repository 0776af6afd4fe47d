//! What a run does as it goes on: share of turns by primary tag in 20 bins of relative position, a panel an arm, in the
//! fixed order of a stack.
//!
//! Implements look.md §6 (tags by position) and §5 (labels inside areas, order of tags).

use super::canvas::{Anchor, Area, Canvas, Face, LABEL, LABEL_BOLD, NOTE, VALUE, middle_of, width_of};
use super::frame::{self, Scale, Sign, Weight, weight};
use super::palette::{self, Colour, Hue, PALETTE};
use super::{Chart, Style, Svg};
use crate::model::series::{PositionPanel, Positions, Series};
use crate::model::tag::TagName;
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "positions",
    about: "primary tags by relative position in the run",
    draw: |series, style| match series {
        Series::Positions(positions) => Some(draw(positions, style)),
        _ => None,
    },
};

const HEIGHT: f64 = 101.0;
const WORD: Face = LABEL_BOLD;

/// Draws the panels.
pub fn draw(series: &Positions, style: &Style) -> Svg {
    let mut kept: Vec<&PositionPanel> = series.panels.iter().collect();
    let more = frame::keep(&mut kept, 12, |panel| panel.arm.role);
    let single = kept.len() < 2;
    let mut canvas = Canvas::new(if single { frame::SINGLE } else { frame::DOUBLE });
    let top = frame::head(&mut canvas, &series.caption, style, &[]) + 9.0;
    let bottom = if kept.is_empty() {
        frame::nothing(&mut canvas, top - 9.0, "no run has a log")
    } else {
        panels(&mut canvas, &kept, top)
    };
    let few = kept.iter().any(|panel| weight(panel.runs) == Weight::Few);
    let few = few.then(|| "a panel has under 20 runs".to_owned());
    let more = (more > 0).then(|| format!("… {} more arms", number::count(more as i64)));
    let notes: Vec<String> = few.into_iter().chain(more).collect();
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series))
}

/// Hues that occur, bottom to top.
fn hues(panels: &[&PositionPanel]) -> Vec<Hue> {
    let occurs = |hue: &Hue| panels.iter().any(|panel| shares(panel, *hue).iter().any(|share| *share > 0.0));
    PALETTE.tags.iter().map(|(hue, _)| *hue).filter(occurs).collect()
}

fn shares(panel: &PositionPanel, hue: Hue) -> Vec<f64> {
    let layer = panel.layers.iter().find(|(name, _)| *name == hue);
    let shares = layer.map(|(_, shares)| shares.as_slice()).unwrap_or_default();
    shares.iter().map(|share| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }).collect()
}

fn word(hue: Hue) -> &'static str {
    hue.map_or("untagged", TagName::as_str)
}

fn panels(canvas: &mut Canvas, panels: &[&PositionPanel], top: f64) -> f64 {
    let hues = hues(panels);
    let legend = hues.iter().map(|hue| width_of(word(*hue), LABEL)).fold(0.0, f64::max) + 8.5 + 3.0;
    let columns = panels.len().min(if panels.len() > 4 { 3 } else { 2 });
    let left = frame::LEFT + width_of("100", VALUE) + 4.5;
    let gap = 17.0;
    let right = canvas.width() - frame::RIGHT - legend - 9.0;
    let wide = (right - left - gap * (columns - 1) as f64) / columns as f64;
    let mut bottom = top;
    for (place, panel) in panels.iter().enumerate() {
        let (row, column) = (place / columns, place % columns);
        let x = left + (wide + gap) * column as f64;
        let y = top + 8.0 + (HEIGHT + 34.0) * row as f64;
        let area = Area { left: x, top: y, right: x + wide, bottom: y + HEIGHT };
        draw_panel(canvas, panel, &hues, area, column == 0);
        let last_row = (panels.len() - 1) / columns;
        if row == last_row || place + columns >= panels.len() {
            let at = (middle_of(area.left, area.right), area.bottom + 18.0);
            canvas.text(at, "position in the run", LABEL, Colour::Text, Anchor::Middle);
        }
        bottom = bottom.max(area.bottom + 21.0);
    }
    for (place, hue) in hues.iter().rev().enumerate() {
        let y = top + 12.0 + 11.0 * place as f64;
        let x = right + 9.0;
        frame::sign(canvas, Sign::Box(Colour::Fill(*hue), Colour::Fill(*hue)), x, y);
        canvas.text((x + 11.5, y), word(*hue), LABEL, Colour::Text, Anchor::Start);
    }
    bottom
}

fn draw_panel(canvas: &mut Canvas, panel: &PositionPanel, hues: &[Hue], area: Area, labelled: bool) {
    let n = format!("n = {} runs", number::count(panel.runs));
    let room = area.width() - width_of(&n, NOTE) - 6.0;
    let look = (LABEL_BOLD, palette::ink(panel.arm.role), Anchor::Start);
    canvas.name((area.left, area.top - 7.0), &panel.arm.arm, look, room);
    canvas.text((area.right, area.top - 7.0), &n, NOTE, Colour::Muted, Anchor::End);
    let up = Scale { step: 25.0, ..Scale::percent(area.bottom, area.top) };
    let across = Scale { step: 25.0, ..Scale::percent(area.left, area.right) };
    // Words in place of an area stand on clean paper.
    let right = if weight(panel.runs) == Weight::None { area.left } else { area.right };
    frame::grid_across(canvas, &up, area.left, right, labelled);
    if weight(panel.runs) == Weight::None {
        let words = if panel.runs > 0 { "under 5 runs: no shares" } else { "no run has a log" };
        let at = (middle_of(area.left, area.right), middle_of(area.top, area.bottom));
        canvas.text(at, words, LABEL, Colour::Muted, Anchor::Middle);
    } else {
        stack(canvas, panel, hues, area, &up);
    }
    canvas.line((area.left, area.bottom), (area.right, area.bottom), Colour::Axis, 0.6);
    for tick in across.ticks() {
        let x = across.at(tick);
        canvas.line((x, area.bottom), (x, area.bottom + 2.5), Colour::Axis, 0.6);
        let words = number::tick(tick, across.step);
        canvas.text((x, area.bottom + 8.5), &words, VALUE, Colour::Text, Anchor::Middle);
    }
}

/// Bottom and top of one layer in every bin, in points.
struct Layer {
    hue: Hue,
    bounds: Vec<(f64, f64)>,
}

fn stack(canvas: &mut Canvas, panel: &PositionPanel, hues: &[Hue], area: Area, up: &Scale) {
    let bins = panel.layers.iter().map(|(_, shares)| shares.len()).max().unwrap_or(0);
    let mut below = vec![0.0; bins];
    let mut layers = Vec::new();
    for hue in hues {
        let mut shares = shares(panel, *hue);
        shares.resize(bins, 0.0);
        let bounds = below.iter_mut().zip(&shares).map(|(below, share)| {
            let low = *below;
            *below = f64::min(*below + share, 1.0);
            (up.at(low * 100.0), up.at(*below * 100.0))
        });
        layers.push(Layer { hue: *hue, bounds: bounds.collect() });
    }
    let edge = |bin: usize| area.left + area.width() * bin as f64 / bins.max(1) as f64;
    for layer in &layers {
        if layer.bounds.iter().any(|(low, high)| low != high) {
            canvas.polygon(outline(&layer.bounds, &edge), Colour::Fill(layer.hue));
        }
    }
    for layer in &layers {
        paper_edge(canvas, &layer.bounds, &edge, up);
    }
    for layer in &layers {
        label(canvas, layer, &edge, area);
    }
}

/// The steps along the top and back along the bottom.
fn outline(bounds: &[(f64, f64)], edge: &dyn Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let upper =
        bounds.iter().enumerate().flat_map(|(bin, (_, top))| [(edge(bin), *top), (edge(bin + 1), *top)]);
    let lower = bounds.iter().enumerate().rev();
    let lower = lower.flat_map(|(bin, (low, _))| [(edge(bin + 1), *low), (edge(bin), *low)]);
    upper.chain(lower).collect()
}

/// A paper line on a layer's top wherever something lies on it, so that neighbours of one lightness stay two in grey.
fn paper_edge(canvas: &mut Canvas, bounds: &[(f64, f64)], edge: &dyn Fn(usize) -> f64, up: &Scale) {
    let is_line = |(low, top): &(f64, f64)| low != top && (*top - up.at(100.0)).abs() > 0.05;
    let mut piece: Vec<(f64, f64)> = Vec::new();
    for (bin, bound) in bounds.iter().enumerate() {
        if is_line(bound) {
            piece.extend([(edge(bin), bound.1), (edge(bin + 1), bound.1)]);
        } else if !piece.is_empty() {
            canvas.path(std::mem::take(&mut piece), Colour::Paper, 0.5);
        }
    }
    if !piece.is_empty() {
        canvas.path(piece, Colour::Paper, 0.5);
    }
}

/// The tag's name inside its area, only where it fits the height of every bin that it covers and of one on each side.
fn label(canvas: &mut Canvas, layer: &Layer, edge: &dyn Fn(usize) -> f64, area: Area) {
    let bins = layer.bounds.len();
    let wide = width_of(word(layer.hue), WORD);
    let covered = (wide / (area.width() / bins.max(1) as f64)).ceil() as usize + 2;
    let tall = WORD.size + 3.0;
    let best = (0..(bins + 1).saturating_sub(covered)).filter_map(|start| {
        let span = &layer.bounds[start..start + covered];
        let floor = span.iter().map(|(low, _)| *low).fold(f64::INFINITY, f64::min);
        let ceiling = span.iter().map(|(_, top)| *top).fold(f64::NEG_INFINITY, f64::max);
        (floor - ceiling >= tall).then_some((floor - ceiling, start, middle_of(floor, ceiling)))
    });
    // The roomiest place; of equals the first.
    let best = best.reduce(|one, two| if two.0 > one.0 + 0.5 { two } else { one });
    if let Some((_, start, y)) = best {
        let x = middle_of(edge(start), edge(start + covered));
        canvas.text((x, y), word(layer.hue), WORD, Colour::On(layer.hue), Anchor::Middle);
    }
}

fn description(series: &Positions) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    for panel in &series.panels {
        let layers = hues(&[panel]).into_iter().filter_map(|hue| {
            let shares = shares(panel, hue);
            let (first, last) = (shares.first()?, shares.last()?);
            Some(format!("{} {} to {}", word(hue), number::percent(*first, 0), number::percent(*last, 0)))
        });
        let layers = layers.collect::<Vec<_>>().join(", ");
        let runs = number::count(panel.runs);
        parts.push(format!("{} ({runs} runs), % in the first and in the last bin: {layers}", panel.arm.arm));
    }
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
