//! pass@k and pass^k by k: solid for any of k with its band, dashed for all k, named at the lines' ends. From seven arms
//! on small multiples, each with the others in grid grey behind.
//!
//! Implements look.md §6, second row.

use super::canvas::{
    Anchor, Area, Canvas, Face, LABEL, LABEL_BOLD, Mark, NOTE, VALUE, fit, middle_of, width_of,
};
use super::frame::{self, EndLabel, Key, Scale, Sign, Weight, weight};
use super::palette::{self, Colour};
use super::{Chart, Style, Svg};
use crate::model::series::{ArmLabel, Estimate, PassCurve, PassCurves, Role, Series};
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "pass-curves",
    about: "pass@k (any of k) and pass^k (all k) by k",
    draw: |series, style| match series {
        Series::PassCurves(curves) => Some(draw(curves, style)),
        _ => None,
    },
};

const HEIGHT: f64 = 112.0;
/// Share of the width that a label at a line's end may take: a name, k and a value.
const ENDS: f64 = 0.42;
const DASHED: &[f64] = &[3.0, 1.6];
const MARKS: [Mark; 4] = [Mark::Round, Mark::Square, Mark::Triangle, Mark::Diamond];

/// Draws the curves.
pub fn draw(series: &PassCurves, style: &Style) -> Svg {
    let mut curves: Vec<&PassCurve> = series.curves.iter().filter(|curve| !curve.any.is_empty()).collect();
    let without = series.curves.len() - curves.len();
    let more = frame::keep(&mut curves, 40, |curve| curve.arm.role);
    let many = curves.len() > 6;
    // Three arms have six ends, and every end bears a name.
    let mut canvas = Canvas::new(if curves.len() > 2 { frame::DOUBLE } else { frame::SINGLE });
    let keys = if curves.is_empty() { Vec::new() } else { keys() };
    let top = frame::head(&mut canvas, &series.caption, style, &keys) + 12.0;
    let bottom = match curves[..] {
        [] => frame::nothing(&mut canvas, top - 12.0, "no arm has two scored runs of an instance"),
        _ if many => multiples(&mut canvas, &curves, top),
        _ => one_panel(&mut canvas, &curves, top),
    };
    let ns = curves.iter().flat_map(|curve| curve.any.iter().map(|(_, estimate)| estimate.n));
    let mut notes: Vec<String> = frame::few_note(ns).into_iter().collect();
    notes.extend(frame::more_note(more, "T2"));
    if without > 0 {
        notes.push(format!("arms without a k: {}", number::count(without as i64)));
    }
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series))
}

fn keys() -> Vec<Key> {
    vec![
        Key::of(Sign::Line(&[], Mark::Round, true, Colour::Axis), "any of k"),
        Key::of(Sign::Line(DASHED, Mark::Diamond, false, Colour::Axis), "all k"),
    ]
}

fn one_panel(canvas: &mut Canvas, curves: &[&PassCurve], top: f64) -> f64 {
    let room = canvas.width() * ENDS;
    let mut ends: Vec<EndLabel> = Vec::new();
    let left = frame::LEFT + width_of("100", VALUE) + 4.5;
    let wide = curves.iter().flat_map(|curve| end_words(curve, curves, room));
    let wide = wide.map(|(words, face, ..)| width_of(&words, face)).fold(0.0, f64::max);
    let area = Area { left, top, right: canvas.width() - wide - 11.0, bottom: top + HEIGHT };
    let (across, up) = scales(curves, area);
    axes(canvas, area, &across, &up, true);
    for curve in curves {
        band(canvas, curve, &across, &up);
    }
    let mut others = 0;
    for curve in curves {
        let colour = palette::line(curve.arm.role);
        let is_other = curve.arm.role == Role::Other;
        let (mark, hollow) = if is_other {
            (MARKS[others % MARKS.len()], MARKS[others % MARKS.len()])
        } else {
            (Mark::Round, Mark::Diamond)
        };
        others += usize::from(is_other);
        line(canvas, &curve.any, (&across, &up), &[], (mark, true), colour);
        line(canvas, &curve.all, (&across, &up), DASHED, (hollow, false), colour);
        for (words, face, k, value) in end_words(curve, curves, room) {
            let at = (across.at(k as f64), up.at(value * 100.0));
            ends.push(EndLabel { at, words, face, colour: palette::ink(curve.arm.role) });
        }
    }
    frame::end_labels(canvas, &mut ends, area.right + 9.0, top - 4.0, area.bottom + 8.0);
    let y = area.bottom + 18.0;
    let at = (middle_of(area.left, area.right), y);
    canvas.text(at, "k, runs drawn per instance", LABEL, Colour::Text, Anchor::Middle);
    y + 4.0
}

/// The last k with a value.
fn last(points: &[(i64, Estimate)]) -> Option<(i64, f64, i64)> {
    points.iter().rev().find_map(|(k, estimate)| Some((*k, estimate.value?, estimate.n)))
}

/// Words, face, k and value at the end of both curves. The name alone is cut; the second label bears it only where two
/// arms would not tell whose it is.
fn end_words(curve: &PassCurve, curves: &[&PassCurve], room: f64) -> Vec<(String, Face, i64, f64)> {
    let few =
        |n: i64| if weight(n) == Weight::None { format!(", n {}", number::count(n)) } else { String::new() };
    let named = |sign: char, face: Face, (k, value, n): (i64, f64, i64)| {
        let rest = format!("pass{sign}{k} {}{}", number::percent(value, 1), few(n));
        if sign == '^' && curves.len() <= 2 {
            return (rest, face, k, value);
        }
        let name = fit(&curve.arm.arm, room - width_of(&format!(" {rest}"), face), face);
        (format!("{name} {rest}"), face, k, value)
    };
    let any = last(&curve.any).map(|end| named('@', LABEL_BOLD, end));
    let all = last(&curve.all).filter(|(k, ..)| *k > 1).map(|end| named('^', LABEL, end));
    any.into_iter().chain(all).collect()
}

fn scales(curves: &[&PassCurve], area: Area) -> (Scale, Scale) {
    let most =
        curves.iter().flat_map(|curve| curve.any.iter().map(|(k, _)| *k)).max().unwrap_or(1).max(2) as f64;
    let step = frame::whole_step(most - 1.0, (area.width() / 18.0).clamp(2.0, 6.0));
    let inset = 5.0;
    let across = Scale { low: 1.0, high: most, step, from: area.left + inset, to: area.right - inset };
    (across, Scale::percent(area.bottom, area.top))
}

/// Values at left, k below: 1, then the round ones.
fn axes(canvas: &mut Canvas, area: Area, across: &Scale, up: &Scale, labelled: bool) {
    frame::grid_across(canvas, up, area.left, area.right, labelled);
    canvas.line((area.left, area.bottom), (area.right, area.bottom), Colour::Axis, 0.6);
    let mut ticks = across.ticks();
    if across.step > 1.0 {
        ticks.insert(0, 1.0);
    }
    for k in ticks {
        let x = across.at(k);
        canvas.line((x, area.bottom), (x, area.bottom + 2.5), Colour::Axis, 0.6);
        canvas.text((x, area.bottom + 8.5), &number::tick(k, 1.0), VALUE, Colour::Text, Anchor::Middle);
    }
}

fn band(canvas: &mut Canvas, curve: &PassCurve, across: &Scale, up: &Scale) {
    let bounds: Vec<(f64, f64, f64)> = curve
        .any
        .iter()
        .filter(|(_, estimate)| weight(estimate.n) != Weight::None)
        .filter_map(|(k, estimate)| {
            let (low, high) = estimate.interval?;
            Some((across.at(*k as f64), up.at(low * 100.0), up.at(high * 100.0)))
        })
        .collect();
    if bounds.len() == 1 {
        let (x, low, high) = bounds[0];
        return frame::interval(
            canvas,
            (x, low),
            (x, high),
            palette::line(curve.arm.role),
            0.9,
            curve.any[0].1.n,
        );
    }
    let upper = bounds.iter().map(|(x, _, high)| (*x, *high));
    let lower = bounds.iter().rev().map(|(x, low, _)| (*x, *low));
    if !bounds.is_empty() {
        canvas.polygon(upper.chain(lower).collect(), palette::band(curve.arm.role));
    }
}

/// A line through what is defined: a gap stays a gap.
fn line(
    canvas: &mut Canvas,
    points: &[(i64, Estimate)],
    (across, up): (&Scale, &Scale),
    lengths: &[f64],
    (mark, filled): (Mark, bool),
    colour: Colour,
) {
    let place = |k: i64, value: f64| (across.at(k as f64), up.at(value * 100.0));
    for piece in points.split(|(_, estimate)| estimate.value.is_none() || weight(estimate.n) == Weight::None)
    {
        let through: Vec<_> =
            piece.iter().filter_map(|(k, estimate)| Some(place(*k, estimate.value?))).collect();
        if through.len() > 1 {
            canvas.dashed(&through, colour, 1.4, lengths);
        }
    }
    // Marks on every k of a long curve would be a rope of beads.
    let every = points.len().div_ceil(8);
    for (at, (k, estimate)) in points.iter().enumerate() {
        if let Some(value) = estimate.value
            && (at % every == 0 || at + 1 == points.len())
            && weight(estimate.n) != Weight::None
        {
            let filled = filled && weight(estimate.n) == Weight::Full;
            canvas.mark(place(*k, value), 4.2, mark, filled, colour);
        }
    }
}

fn multiples(canvas: &mut Canvas, curves: &[&PassCurve], top: f64) -> f64 {
    const COLUMNS: usize = 4;
    const TALL: f64 = 62.0;
    let left = frame::LEFT + width_of("100", VALUE) + 4.5;
    let step = (canvas.width() - frame::RIGHT - left + 12.0) / COLUMNS as f64;
    let mut bottom = top;
    for (place, curve) in curves.iter().enumerate() {
        let (row, column) = (place / COLUMNS, place % COLUMNS);
        let (x, y) = (left + step * column as f64, top + 10.0 + (TALL + 36.0) * row as f64);
        let area = Area { left: x, top: y, right: x + step - 12.0, bottom: y + TALL };
        let (across, up) = scales(curves, area);
        axes(canvas, area, &across, &up, column == 0);
        for other in curves {
            let through = other
                .any
                .iter()
                .filter_map(|(k, estimate)| Some((across.at(*k as f64), up.at(estimate.value? * 100.0))));
            canvas.path(through.collect(), Colour::Line, 0.8);
        }
        let colour = palette::line(curve.arm.role);
        line(canvas, &curve.any, (&across, &up), &[], (Mark::Round, true), colour);
        line(canvas, &curve.all, (&across, &up), DASHED, (Mark::Diamond, false), colour);
        title(canvas, curve, area);
        bottom = area.bottom;
    }
    let y = bottom + 18.0;
    canvas.text((left, y), "k, runs drawn per instance", LABEL, Colour::Text, Anchor::Start);
    y + 4.0
}

fn title(canvas: &mut Canvas, curve: &PassCurve, area: Area) {
    let y = area.top - 8.0;
    let value = last(&curve.any)
        .map_or(number::DASH.to_owned(), |(k, value, _)| format!("@{k} {}", number::percent(value, 1)));
    let room = area.width() - width_of(&value, NOTE) - 4.0;
    let bold = curve.arm.role != Role::Other;
    let look = (Face { bold, ..LABEL }, palette::ink(curve.arm.role), Anchor::Start);
    canvas.name((area.left, y), &curve.arm.arm, look, room);
    canvas.text((area.right, y), &value, NOTE, Colour::Muted, Anchor::End);
}

fn description(series: &PassCurves) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    for PassCurve { arm: ArmLabel { arm, .. }, any, all } in &series.curves {
        let text = |sign: char, points: &[(i64, Estimate)]| {
            let values = points.iter().map(|(k, estimate)| {
                let value = estimate.value.map_or(number::DASH.to_owned(), |value| number::percent(value, 1));
                format!("pass{sign}{k} {value}")
            });
            values.collect::<Vec<_>>().join(", ")
        };
        parts.push(format!("{arm}: {}; {}", text('@', any), text('^', all)));
    }
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
