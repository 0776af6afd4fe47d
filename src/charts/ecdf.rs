//! Empirical distributions as steps: how close failed runs came (a band from the threshold on) and how long runs are (log
//! axis, ticks where a limit cut runs, a dot at the median). From seven arms on small multiples, each with the others in
//! grid grey behind.
//!
//! Implements look.md §6, row ECDF.

use super::canvas::{
    Anchor, Area, Canvas, Face, LABEL, LABEL_BOLD, Mark, NOTE, VALUE, fit, middle_of, width_of,
};
use super::frame::{self, Scale, Weight, weight};
use super::palette::{self, Colour};
use super::{Chart, Style, Svg};
use crate::model::series::{Ecdf, EcdfAxis, EcdfCurve, Role, Series};
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "ecdf",
    about: "cumulative share of runs: target pass rate of failed runs, turns of all runs",
    draw: |series, style| match series {
        Series::Ecdf(ecdf) => Some(draw(ecdf, style)),
        _ => None,
    },
};

const HEIGHT: f64 = 112.0;
/// Dashes of arms without a role, in order.
const DASHES: [&[f64]; 4] = [&[4.0, 1.4], &[3.0, 1.6], &[1.0, 1.0], &[]];
const COLUMNS: usize = 4;
const TALL: f64 = 62.0;

/// Draws the distributions.
pub fn draw(series: &Ecdf, style: &Style) -> Svg {
    let mut curves: Vec<&EcdfCurve> = series.curves.iter().filter(|curve| runs(curve) > 0).collect();
    let more = frame::keep(&mut curves, 40, |curve| curve.arm.role);
    let many = curves.len() > 6;
    let mut canvas = Canvas::new(if curves.len() > 2 { frame::DOUBLE } else { frame::SINGLE });
    let top = frame::head(&mut canvas, &series.caption, style, &[]) + 12.0;
    let bottom = match curves[..] {
        [] => frame::nothing(&mut canvas, top - 12.0, "no run has such a value"),
        _ if many => multiples(&mut canvas, series, &curves, top),
        _ => one_panel(&mut canvas, series, &curves, top),
    };
    let mut notes: Vec<String> =
        frame::few_note(curves.iter().map(|curve| runs(curve))).into_iter().collect();
    notes.extend(frame::more_note(more, "T10"));
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series))
}

fn runs(curve: &EcdfCurve) -> i64 {
    curve.points.iter().map(|point| point.runs).sum()
}

/// From values to points: linear, or by powers of ten.
#[derive(Clone, Copy)]
struct Across {
    axis: EcdfAxis,
    low: f64,
    high: f64,
    left: f64,
    right: f64,
}

impl Across {
    fn of(axis: EcdfAxis, curves: &[&EcdfCurve], area: Area) -> Across {
        let values = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.value);
        let (low, high) = match axis {
            EcdfAxis::Share { .. } => (0.0, 1.0),
            EcdfAxis::Log => {
                let least = values().filter(|value| *value >= 1.0).fold(f64::INFINITY, f64::min);
                let most = values().filter(|value| value.is_finite()).fold(1.0, f64::max);
                let low = decades().take_while(|tick| *tick <= least.min(most)).last().unwrap_or(1.0);
                let high = decades().find(|tick| *tick >= most && *tick > low).unwrap_or(most * 2.0);
                (low, high)
            }
        };
        Across { axis, low, high, left: area.left, right: area.right }
    }

    /// Point of a value; what lies outside stands at the edge.
    fn at(&self, value: f64) -> f64 {
        let value = if value.is_nan() { self.low } else { value.clamp(self.low, self.high) };
        let share = match self.axis {
            EcdfAxis::Share { .. } => (value - self.low) / (self.high - self.low),
            EcdfAxis::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.left + share * (self.right - self.left)
    }

    /// Ticks with their words, no two nearer than their words are wide.
    fn ticks(&self) -> Vec<(f64, String)> {
        let all: Vec<(f64, String)> = match self.axis {
            EcdfAxis::Share { .. } => {
                [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick| (tick, number::full(tick))).to_vec()
            }
            EcdfAxis::Log => decades()
                .skip_while(|tick| *tick < self.low)
                .take_while(|tick| *tick <= self.high)
                .map(|tick| (tick, number::quantity(tick)))
                .collect(),
        };
        let mut kept: Vec<(f64, String)> = Vec::new();
        let mut free = f64::NEG_INFINITY;
        for (tick, words) in all {
            let half = width_of(&words, VALUE) / 2.0;
            if self.at(tick) - half > free {
                free = self.at(tick) + half + 3.0;
                kept.push((tick, words));
            }
        }
        kept
    }
}

/// 1, 2, 5, 10, 20 …
fn decades() -> impl Iterator<Item = f64> {
    (0..16).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
}

fn one_panel(canvas: &mut Canvas, series: &Ecdf, curves: &[&EcdfCurve], top: f64) -> f64 {
    let room = canvas.width() * frame::NAMES;
    let name = |curve: &EcdfCurve| fit(&curve.arm.arm, room, LABEL_BOLD);
    let wide = |curve: &&EcdfCurve| {
        width_of(&name(curve), LABEL_BOLD).max(width_of(&fit(&curve.label, room, NOTE), NOTE))
    };
    let ends = curves.iter().map(wide).fold(0.0, f64::max);
    let left = frame::LEFT + width_of("100", VALUE) + 4.5;
    let area = Area { left, top, right: canvas.width() - ends - 11.0, bottom: top + HEIGHT };
    let across = Across::of(series.axis, curves, area);
    let up = Scale::percent(area.bottom, area.top);
    axes(canvas, area, &across, &up, true);
    for (place, curve) in curves.iter().enumerate() {
        line(canvas, curve, &across, &up, dashes(curves, place));
    }
    for curve in curves {
        dot(canvas, curve, &across, &up);
    }
    names(canvas, curves, area, room);
    let at = (middle_of(area.left, area.right), area.bottom + 18.0);
    canvas.text(at, &series.axis_name, LABEL, Colour::Text, Anchor::Middle);
    area.bottom + 22.0
}

/// Arms without a role are told apart by their dashes.
fn dashes(curves: &[&EcdfCurve], place: usize) -> &'static [f64] {
    let is_other = |curve: &&&EcdfCurve| curve.arm.role == Role::Other;
    if !curves.get(place).as_ref().is_some_and(is_other) {
        return &[];
    }
    let before = curves.iter().take(place).filter(is_other).count();
    DASHES[before % DASHES.len()]
}

/// Names right of the plot in the order in which the curves rise, so that the upper name is the upper curve.
fn names(canvas: &mut Canvas, curves: &[&EcdfCurve], area: Area, room: f64) {
    const STEP: f64 = 19.0;
    let mut order: Vec<(usize, &&EcdfCurve)> = curves.iter().enumerate().collect();
    order.sort_by(|one, two| {
        let median = |curve: &EcdfCurve| curve.median.unwrap_or(f64::INFINITY);
        median(one.1).total_cmp(&median(two.1)).then(one.0.cmp(&two.0))
    });
    let x = area.right + 8.0;
    let mut y = area.top + 6.0;
    for (place, curve) in order {
        let ink = palette::ink(curve.arm.role);
        canvas.name((x, y), &curve.arm.arm, (LABEL_BOLD, ink, Anchor::Start), room);
        canvas.name((x, y + 8.5), &curve.label, (NOTE, Colour::Muted, Anchor::Start), room);
        if curve.arm.role == Role::Other {
            canvas.dashed(
                &[(x, y + 13.5), (x + 16.0, y + 13.5)],
                palette::line(curve.arm.role),
                1.4,
                dashes(curves, place),
            );
            y += 4.0;
        }
        y += STEP;
    }
}

fn axes(canvas: &mut Canvas, area: Area, across: &Across, up: &Scale, labelled: bool) {
    if let EcdfAxis::Share { from } = across.axis {
        let band = Area { left: across.at(from), ..area };
        canvas.rect(band, Colour::Track);
    }
    frame::grid_across(canvas, up, area.left, area.right, labelled);
    canvas.line((area.left, area.bottom), (area.right, area.bottom), Colour::Axis, 0.6);
    for (tick, words) in across.ticks() {
        let x = across.at(tick);
        canvas.line((x, area.bottom), (x, area.bottom + 2.5), Colour::Axis, 0.6);
        canvas.text((x, area.bottom + 8.5), &words, VALUE, Colour::Text, Anchor::Middle);
    }
}

/// The steps of a curve, from nothing at the left edge to all at the right one.
fn steps(curve: &EcdfCurve, across: &Across, up: &Scale) -> Vec<(f64, f64)> {
    let n = runs(curve) as f64;
    let mut through = vec![(across.left, up.at(0.0))];
    let mut passed = 0;
    for point in &curve.points {
        let x = across.at(point.value);
        through.push((x, up.at(passed as f64 / n * 100.0)));
        passed += point.runs;
        through.push((x, up.at(passed as f64 / n * 100.0)));
    }
    through.push((across.right, up.at(100.0)));
    through
}

fn line(canvas: &mut Canvas, curve: &EcdfCurve, across: &Across, up: &Scale, lengths: &[f64]) {
    let n = runs(curve);
    if weight(n) == Weight::None {
        return;
    }
    let colour = palette::line(curve.arm.role);
    let few: &[f64] = &[1.4, 1.4];
    let lengths = if weight(n) == Weight::Few { few } else { lengths };
    canvas.dashed(&steps(curve, across, up), colour, 1.4, lengths);
    let mut passed = 0;
    for point in &curve.points {
        passed += point.runs;
        if point.cut > 0 {
            let (x, y) = (across.at(point.value), up.at(passed as f64 / n as f64 * 100.0));
            canvas.line((x, y - 2.5), (x, y + 2.5), colour, 0.9);
        }
    }
}

fn dot(canvas: &mut Canvas, curve: &EcdfCurve, across: &Across, up: &Scale) {
    let n = runs(curve);
    if let Some(median) = curve.median
        && weight(n) != Weight::None
    {
        let filled = weight(n) == Weight::Full;
        canvas.mark(
            (across.at(median), up.at(50.0)),
            4.2,
            Mark::Round,
            filled,
            palette::line(curve.arm.role),
        );
    }
}

fn multiples(canvas: &mut Canvas, series: &Ecdf, curves: &[&EcdfCurve], top: f64) -> f64 {
    let left = frame::LEFT + width_of("100", VALUE) + 4.5;
    // The last tick stands under the right edge, and half of its words beyond it.
    let step = (canvas.width() - frame::RIGHT - 6.0 - left + 12.0) / COLUMNS as f64;
    let mut bottom = top;
    for (place, curve) in curves.iter().enumerate() {
        let (row, column) = (place / COLUMNS, place % COLUMNS);
        let (x, y) = (left + step * column as f64, top + 18.0 + (TALL + 44.0) * row as f64);
        let area = Area { left: x, top: y, right: x + step - 12.0, bottom: y + TALL };
        let across = Across::of(series.axis, curves, area);
        let up = Scale::percent(area.bottom, area.top);
        axes(canvas, area, &across, &up, column == 0);
        for other in curves.iter().filter(|other| weight(runs(other)) != Weight::None) {
            canvas.path(steps(other, &across, &up), Colour::Line, 0.8);
        }
        line(canvas, curve, &across, &up, &[]);
        dot(canvas, curve, &across, &up);
        let bold = curve.arm.role != Role::Other;
        let look = (Face { bold, ..LABEL }, palette::ink(curve.arm.role), Anchor::Start);
        canvas.name((area.left, y - 16.0), &curve.arm.arm, look, area.width());
        canvas.name((area.left, y - 8.0), &curve.label, (NOTE, Colour::Muted, Anchor::Start), area.width());
        bottom = area.bottom;
    }
    canvas.text((left, bottom + 18.0), &series.axis_name, LABEL, Colour::Text, Anchor::Start);
    bottom + 22.0
}

fn description(series: &Ecdf) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    for curve in &series.curves {
        let limits = match (curve.points.first(), curve.points.last()) {
            (Some(first), Some(last)) => {
                format!(", from {} to {}", number::quantity(first.value), number::quantity(last.value))
            }
            _ => String::new(),
        };
        parts.push(format!("{}: {}, n {}{limits}", curve.arm.arm, curve.label, number::count(runs(curve))));
    }
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
