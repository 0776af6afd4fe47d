//! What changed: table and marks in one. A row a behaviour: swatch, name, both arms, the interval of Δ with its mark, Δ,
//! interval, adjusted p, instances gained and lost.
//!
//! Implements look.md §6 (forest of Δ) and §5 (filled and hollow marks, order, tiny n, how many rows).

use super::canvas::{
    Anchor, Area, Canvas, Face, LABEL, LABEL_BOLD, Mark, VALUE, VALUE_BOLD, fit, middle_of, width_of,
};
use super::frame::{self, Key, Scale, Sign, Weight, weight};
use super::palette::{self, Colour};
use super::{Chart, Style, Svg};
use crate::model::series::{Forest, ForestRow, Series};
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "forest",
    about: "change of every behaviour, with interval and test",
    draw: |series, style| match series {
        Series::Forest(forest) => Some(draw(forest, style)),
        _ => None,
    },
};

const ROW: f64 = 13.0;
const GAP: f64 = 9.0;
/// Behaviours beside resolved; the table has all.
const MOST: usize = 20;
/// Least width of the plot.
const LEAST: f64 = 96.0;
/// Room for an arm's name above its column; less where the names of behaviours need it, since those have no other place.
const ARM: [f64; 3] = [64.0, 48.0, 36.0];

/// Draws the forest.
pub fn draw(series: &Forest, style: &Style) -> Svg {
    let (rows, left_out) = chosen(series);
    let mut canvas = Canvas::new(frame::DOUBLE);
    let keys = [(true, "adjusted p < 0.05"), (false, "not")]
        .map(|(filled, words)| Key::of(Sign::Mark(Mark::Round, filled, Colour::Axis), words));
    let top = frame::head(&mut canvas, &series.caption, style, &keys) + 10.0;
    let bottom = if rows.is_empty() {
        frame::nothing(&mut canvas, top - 10.0, "no behaviour has a pair")
    } else {
        table(&mut canvas, series, &rows, top)
    };
    let mut notes: Vec<String> = frame::few_note(rows.iter().map(|row| row.delta.n)).into_iter().collect();
    if left_out > 0 {
        notes.push(format!("{} more in T5", number::count(left_out as i64)));
    }
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series, &rows))
}

/// Resolved, then those with the best evidence, read by Δ; and how many are left out.
fn chosen(series: &Forest) -> (Vec<&ForestRow>, usize) {
    let Some((first, rest)) = series.rows.split_first() else {
        return (Vec::new(), 0);
    };
    let size = |row: &ForestRow| row.delta.value.map_or(-1.0, f64::abs);
    let mut rest: Vec<&ForestRow> = rest.iter().collect();
    rest.sort_by(|one, two| {
        let p = |row: &ForestRow| row.p_adjusted.unwrap_or(2.0);
        p(one).total_cmp(&p(two)).then(size(two).total_cmp(&size(one))).then_with(|| one.name.cmp(&two.name))
    });
    let left_out = rest.len().saturating_sub(MOST);
    rest.truncate(MOST);
    let delta = |row: &ForestRow| row.delta.value.unwrap_or(f64::NEG_INFINITY);
    rest.sort_by(|one, two| delta(two).total_cmp(&delta(one)).then_with(|| one.name.cmp(&two.name)));
    (std::iter::once(first).chain(rest).collect(), left_out)
}

/// Right ends of the columns, and the plot between them.
struct Columns {
    names: f64,
    /// Room for the name of an arm.
    arm: f64,
    n: Option<f64>,
    values: [f64; 2],
    plot: (f64, f64),
    delta: f64,
    interval: f64,
    p: f64,
    pairs: f64,
}

fn columns(canvas: &Canvas, series: &Forest, rows: &[&ForestRow]) -> Columns {
    let widest = |head: &str, text: &dyn Fn(&ForestRow) -> String| {
        let texts = rows.iter().map(|row| width_of(&text(row), VALUE_BOLD));
        texts.fold(width_of(head, LABEL_BOLD), f64::max)
    };
    let pairs = canvas.width() - frame::RIGHT;
    let p = pairs - widest("+/−", &pairs_text) - GAP;
    let interval = p - widest("p adj.", &p_text) - GAP;
    let delta = interval - widest("95 % interval", &interval_text) - GAP;
    let right = delta - widest("Δ", &delta_text) - GAP - 3.0;
    let differs = rows.iter().any(|row| row.delta.n != rows[0].delta.n);
    let n_room = if differs { widest("n", &|row| number::count(row.delta.n)) + GAP } else { 0.0 };
    let start = frame::LEFT + 10.0;
    let wanted = frame::name_room(rows.iter().map(|row| row.name.as_str()), LABEL_BOLD, canvas.width());
    let with = |arm: f64| {
        let widths = series.arms.clone().map(|known| width_of(&fit(&known.arm, arm, LABEL_BOLD), LABEL_BOLD));
        let widths = widths.map(|width| width.max(width_of("100.0", VALUE)) + GAP);
        (arm, widths, right - start - n_room - widths[0] - widths[1] - LEAST - GAP)
    };
    let [wide, narrower, narrowest] = ARM.map(with);
    let (arm, arms, room) =
        [wide, narrower].into_iter().find(|(_, _, room)| *room >= wanted).unwrap_or(narrowest);
    let names = start + wanted.min(room);
    let base = names + n_room + arms[0];
    let trained = base + arms[1];
    Columns {
        names,
        arm,
        n: differs.then_some(names + n_room),
        values: [base, trained],
        plot: (trained + GAP + 5.0, right),
        delta,
        interval,
        p,
        pairs,
    }
}

fn table(canvas: &mut Canvas, series: &Forest, rows: &[&ForestRow], top: f64) -> f64 {
    let columns = columns(canvas, series, rows);
    let most = rows.iter().map(|row| reach(row)).fold(0.0, f64::max) * 100.0;
    let scale = Scale::symmetric(most, columns.plot.0, columns.plot.1);
    heads(canvas, series, &columns, &scale, top);
    let first = top + 13.0;
    let y_of = |place: usize| first + ROW * place as f64 + if place > 0 { 3.0 } else { 0.0 };
    let bottom = y_of(rows.len() - 1) + ROW / 2.0 + 3.0;
    frame::grid_down(canvas, &scale, first - 6.5, bottom, number::signed_tick);
    canvas.line((scale.at(0.0), first - 6.5), (scale.at(0.0), bottom), Colour::Text, 0.8);
    if rows.len() > 1 {
        let y = first + ROW / 2.0 + 1.5;
        canvas.line((frame::LEFT, y), (columns.pairs, y), Colour::Axis, 0.6);
    }
    for (place, row) in rows.iter().enumerate() {
        canvas.open(format!("T5.{}-{}.{}", series.arms[0].arm, series.arms[1].arm, row.code));
        draw_row(canvas, row, &columns, &scale, (y_of(place), place == 0));
        canvas.close();
    }
    let y = bottom + 18.0;
    let axis = "Δ, percentage points (trained − base)";
    canvas.text((middle_of(scale.from, scale.to), y), axis, LABEL, Colour::Text, Anchor::Middle);
    y + 3.0
}

fn heads(canvas: &mut Canvas, series: &Forest, columns: &Columns, scale: &Scale, y: f64) {
    let look = |anchor| (LABEL_BOLD, Colour::Muted, anchor);
    canvas.text((frame::LEFT + 10.0, y), "behaviour", LABEL_BOLD, Colour::Muted, Anchor::Start);
    if let Some(x) = columns.n {
        canvas.text((x, y), "n", LABEL_BOLD, Colour::Muted, Anchor::End);
    }
    for (arm, x) in series.arms.iter().zip(columns.values) {
        canvas.name((x, y), &arm.arm, look(Anchor::End), columns.arm);
    }
    let ends = [
        ("Δ", columns.delta),
        ("95 % interval", columns.interval),
        ("p adj.", columns.p),
        ("+/−", columns.pairs),
    ];
    for (words, x) in ends {
        canvas.text((x, y), words, LABEL_BOLD, Colour::Muted, Anchor::End);
    }
    let zero = scale.at(0.0);
    canvas.text((zero - 5.0, y), "← less in trained", LABEL, Colour::Muted, Anchor::End);
    canvas.text((zero + 5.0, y), "more in trained →", LABEL, Colour::Muted, Anchor::Start);
}

fn draw_row(
    canvas: &mut Canvas,
    row: &ForestRow,
    columns: &Columns,
    scale: &Scale,
    (y, is_first): (f64, bool),
) {
    let fill = row.tag.map_or(Colour::Trained, |tag| Colour::Fill(Some(tag)));
    let swatch = Area { left: frame::LEFT, top: y - 2.7, right: frame::LEFT + 5.4, bottom: y + 2.7 };
    canvas.rect(swatch, fill);
    let face = if is_first { LABEL_BOLD } else { LABEL };
    let start = frame::LEFT + 10.0;
    canvas.name((start, y), &row.name, (face, Colour::Text, Anchor::Start), columns.names - start);
    let strong = row.p_adjusted.is_some_and(|p| p < 0.05);
    let bold = Face { bold: strong, ..VALUE };
    if let Some(x) = columns.n {
        text(canvas, (x, y), &number::count(row.delta.n), VALUE, Colour::Muted);
    }
    for (value, x) in row.values.iter().zip(columns.values) {
        let words = value.map_or(number::DASH.to_owned(), |value| number::percent(value, 1));
        text(canvas, (x, y), &words, VALUE, Colour::Text);
    }
    text(canvas, (columns.delta, y), &delta_text(row), bold, Colour::Text);
    text(canvas, (columns.interval, y), &interval_text(row), VALUE, Colour::Muted);
    text(canvas, (columns.p, y), &p_text(row), VALUE, Colour::Text);
    text(canvas, (columns.pairs, y), &pairs_text(row), VALUE, Colour::Muted);
    let colour = row.tag.map_or(Colour::Trained, |tag| palette::tag_line(Some(tag)));
    mark(canvas, row, scale, (y, is_first), (strong, colour));
}

fn mark(
    canvas: &mut Canvas,
    row: &ForestRow,
    scale: &Scale,
    (y, is_first): (f64, bool),
    (strong, colour): (bool, Colour),
) {
    let n = row.delta.n;
    let Some(value) = row.delta.value else {
        return;
    };
    if weight(n) == Weight::None {
        let words = format!("n {}", number::count(n));
        let wide = width_of(&words, VALUE) / 2.0 + 2.0;
        let x = scale.at(0.0);
        canvas.rect(Area { left: x - wide, top: y - 4.0, right: x + wide, bottom: y + 4.0 }, Colour::Paper);
        return canvas.text((x, y), &words, VALUE, Colour::Muted, Anchor::Middle);
    }
    if let Some((low, high)) = row.delta.interval {
        let (low, high) = (scale.at(low * 100.0), scale.at(high * 100.0));
        frame::interval(canvas, (low, y), (high, y), colour, 1.2, n);
    }
    let shape = if is_first { Mark::Square } else { Mark::Round };
    canvas.mark((scale.at(value * 100.0), y), 4.8, shape, strong && weight(n) == Weight::Full, colour);
}

/// A number of the table; a dash is muted.
fn text(canvas: &mut Canvas, at: (f64, f64), words: &str, face: Face, colour: Colour) {
    let colour = if words == number::DASH { Colour::Muted } else { colour };
    canvas.text(at, words, face, colour, Anchor::End);
}

fn reach(row: &ForestRow) -> f64 {
    let bounds = row.delta.interval.map_or(0.0, |(low, high)| low.abs().max(high.abs()));
    if weight(row.delta.n) == Weight::None { 0.0 } else { bounds.max(row.delta.value.map_or(0.0, f64::abs)) }
}

fn delta_text(row: &ForestRow) -> String {
    row.delta.value.map_or(number::DASH.to_owned(), |value| number::points(value, 1))
}

fn interval_text(row: &ForestRow) -> String {
    row.delta.interval.map_or(number::DASH.to_owned(), |(low, high)| number::interval(low, high, 1))
}

fn p_text(row: &ForestRow) -> String {
    row.p_adjusted.map_or(number::DASH.to_owned(), number::p)
}

fn pairs_text(row: &ForestRow) -> String {
    if row.delta.n == 0 {
        return number::DASH.to_owned();
    }
    number::fraction(row.gained_lost.0, row.gained_lost.1)
}

fn description(series: &Forest, rows: &[&ForestRow]) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    for row in rows {
        let [base, trained] =
            row.values.map(|value| value.map_or(number::DASH.to_owned(), |value| number::percent(value, 1)));
        parts.push(format!(
            "{}: {base} and {trained}, Δ {} {}, adjusted p {}, gained/lost {}",
            row.name,
            delta_text(row),
            interval_text(row),
            p_text(row),
            pairs_text(row)
        ));
    }
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
