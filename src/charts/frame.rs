//! What all charts share: head with legend, foot, ticks, grid, labels at the ends of lines, marks that thin out with n.
//! A chart draws into it in points; it knows no series.
//!
//! Implements look.md §4 (geometry) and §5 (rules for every chart).

use super::Style;
use super::canvas::{Anchor, Area, Canvas, Face, LABEL, Mark, NOTE, TITLE, VALUE, fit, width_of, wrap};
use super::palette::Colour;
use crate::model::series::{Caption, Role};
use crate::number;

/// Width of a single-column chart (3.3 in).
pub const SINGLE: f64 = 237.6;
/// Width of a double-column chart (6.9 in).
pub const DOUBLE: f64 = 496.8;
/// Left margin.
pub const LEFT: f64 = 3.0;
/// Right margin.
pub const RIGHT: f64 = 5.0;
/// Share of the width that names may take.
pub const NAMES: f64 = 0.38;

/// Sign of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    /// A filled box with its outline.
    Box(Colour, Colour),
    /// A hatched box: lines, outline.
    Hatched(Colour, Colour),
    /// A mark, filled or hollow.
    Mark(Mark, bool, Colour),
    /// A line with a mark.
    Line(&'static [f64], Mark, bool, Colour),
    /// A short stroke: no log.
    Stroke(Colour),
}

/// One entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its sign.
    pub sign: Sign,
    /// Its words.
    pub words: String,
}

impl Key {
    /// An entry.
    pub fn of(sign: Sign, words: &str) -> Key {
        Key { sign, words: fit(words, 120.0, LABEL) }
    }

    fn width(&self) -> f64 {
        self.sign.width() + 3.0 + width_of(&self.words, LABEL)
    }
}

impl Sign {
    fn width(self) -> f64 {
        match self {
            Sign::Box(..) | Sign::Hatched(..) => 8.5,
            Sign::Mark(..) | Sign::Stroke(_) => 5.0,
            Sign::Line(..) => 16.0,
        }
    }
}

const KEY_GAP: f64 = 11.0;
const LINE_STEP: f64 = 9.5;

/// Title, subtitle and legend. Returns the y below them. For the paper only the legend is drawn.
pub fn head(canvas: &mut Canvas, caption: &Caption, style: &Style, keys: &[Key]) -> f64 {
    let right = canvas.width() - RIGHT;
    let needed = keys.iter().map(|key| key.width() + KEY_GAP).sum::<f64>() - KEY_GAP;
    if style.paper {
        return if keys.is_empty() { 2.0 } else { legend_rows(canvas, keys, 9.0) };
    }
    let room = right - LEFT;
    let title = width_of(&fit(&caption.title, room, TITLE), TITLE);
    let subtitle = wrap(&caption.subtitle, room, LABEL);
    let second = subtitle.first().map_or(0.0, |line| width_of(line, LABEL));
    canvas.name((LEFT, middle(9.0, TITLE)), &caption.title, (TITLE, Colour::Text, Anchor::Start), room);
    for (place, line) in subtitle.iter().enumerate() {
        let y = middle(19.0 + LINE_STEP * place as f64, LABEL);
        canvas.text((LEFT, y), line, LABEL, Colour::Muted, Anchor::Start);
    }
    let last = 19.0 + LINE_STEP * (subtitle.len().max(1) - 1) as f64;
    if keys.is_empty() {
        return last + 3.0;
    }
    // Beside the title, beside a short subtitle, or in rows of their own: never over a text.
    if title + 2.0 * KEY_GAP + needed <= room {
        legend_row(canvas, keys, right - needed, middle(9.0, LABEL));
    } else if subtitle.len() <= 1 && second + 2.0 * KEY_GAP + needed <= room {
        legend_row(canvas, keys, right - needed, middle(19.0, LABEL));
    } else {
        return legend_rows(canvas, keys, last + 13.0);
    }
    last + 3.0
}

/// y of a text's middle when its baseline is known.
pub fn middle(baseline: f64, face: Face) -> f64 {
    baseline - 0.36 * face.size
}

fn legend_rows(canvas: &mut Canvas, keys: &[Key], first: f64) -> f64 {
    let room = canvas.width() - RIGHT - LEFT;
    let (mut start, mut baseline) = (0, first);
    let mut filled = 0.0;
    for (place, key) in keys.iter().enumerate() {
        if place > start && filled + key.width() > room {
            legend_row(canvas, &keys[start..place], LEFT, middle(baseline, LABEL));
            (start, filled, baseline) = (place, 0.0, baseline + LINE_STEP + 1.0);
        }
        filled += key.width() + KEY_GAP;
    }
    legend_row(canvas, &keys[start..], LEFT, middle(baseline, LABEL));
    baseline + 3.0
}

fn legend_row(canvas: &mut Canvas, keys: &[Key], left: f64, y: f64) {
    let mut x = left;
    for key in keys {
        sign(canvas, key.sign, x, y);
        let at = (x + key.sign.width() + 3.0, y);
        canvas.text(at, &key.words, LABEL, Colour::Text, Anchor::Start);
        x += key.width() + KEY_GAP;
    }
}

/// A legend's sign with its left edge at x and its middle at y.
pub fn sign(canvas: &mut Canvas, sign: Sign, x: f64, y: f64) {
    let wide = sign.width();
    let area = Area { left: x, top: y - 3.0, right: x + wide, bottom: y + 3.0 };
    match sign {
        Sign::Box(fill, outline) => {
            canvas.rect(area, fill);
            if outline != fill {
                canvas.outline(area, outline, 0.6);
            }
        }
        Sign::Hatched(lines, outline) => canvas.hatch(area, lines, outline),
        Sign::Mark(mark, filled, colour) => {
            canvas.mark((x + wide / 2.0, y), 4.2, mark, filled, colour);
        }
        Sign::Line(lengths, mark, filled, colour) => {
            canvas.dashed(&[(x, y), (x + wide, y)], colour, 1.4, lengths);
            canvas.mark((x + wide / 2.0, y), 4.2, mark, filled, colour);
        }
        Sign::Stroke(colour) => canvas.line((x, y), (x + wide, y), colour, 0.6),
    }
}

/// The foot below y: what the caption says and what the chart itself has to add. Returns the height of the whole.
pub fn foot(canvas: &mut Canvas, caption: &Caption, style: &Style, y: f64, notes: &[String]) -> f64 {
    if style.paper {
        return y + 3.0;
    }
    let parts = std::iter::once(caption.foot.as_str()).chain(notes.iter().map(String::as_str));
    let words = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    let lines = wrap(&words, canvas.width() - LEFT - RIGHT, NOTE);
    let mut baseline = y;
    for line in &lines {
        baseline += if baseline == y { 10.0 } else { 8.0 };
        canvas.text((LEFT, middle(baseline, NOTE)), line, NOTE, Colour::Muted, Anchor::Start);
    }
    baseline + 3.0
}

/// What stands where there is nothing to draw. Returns the y below.
pub fn nothing(canvas: &mut Canvas, y: f64, words: &str) -> f64 {
    canvas.text((LEFT, y + 14.0), words, LABEL, Colour::Muted, Anchor::Start);
    y + 24.0
}

/// A linear scale from values to points, with its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Value at `from`.
    pub low: f64,
    /// Value at `to`.
    pub high: f64,
    /// Distance of ticks.
    pub step: f64,
    /// Point of the low value.
    pub from: f64,
    /// Point of the high value.
    pub to: f64,
}

impl Scale {
    /// Per cents from 0 to 100.
    pub fn percent(from: f64, to: f64) -> Scale {
        Scale { low: 0.0, high: 100.0, step: if (to - from).abs() < 70.0 { 25.0 } else { 20.0 }, from, to }
    }

    /// From 0 to the tick above the largest value.
    pub fn up_to(most: f64, from: f64, to: f64) -> Scale {
        let most = if most > 0.0 && most.is_finite() { most } else { 1.0 };
        let step = step(most, 5.0);
        Scale { low: 0.0, high: (most / step - 1e-9).ceil() * step, step, from, to }
    }

    /// Symmetric about 0, to the tick beyond the largest size.
    pub fn symmetric(most: f64, from: f64, to: f64) -> Scale {
        let most = if most > 0.0 && most.is_finite() { most } else { 10.0 };
        let step = step(2.0 * most, ((to - from) / 27.0).floor().clamp(2.0, 8.0));
        let high = (most / step - 1e-9).ceil() * step;
        Scale { low: -high, high, step, from, to }
    }

    /// Point of a value; what lies outside stands at the edge, never off the paper.
    pub fn at(&self, value: f64) -> f64 {
        let value = if value.is_nan() { self.low } else { value.clamp(self.low, self.high) };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Values of the ticks.
    pub fn ticks(&self) -> Vec<f64> {
        let first = (self.low / self.step - 1e-9).ceil() as i64;
        let last = (self.high / self.step + 1e-9).floor() as i64;
        (first..=last).map(|place| place as f64 * self.step).collect()
    }
}

/// The smallest of 1, 2, 2.5, 5 × 10ⁿ that cuts a span into at most so many parts.
pub fn step(span: f64, most: f64) -> f64 {
    let power = 10f64.powf((span / most).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| span / step <= most + 1e-9).unwrap_or(10.0 * power)
}

/// The same for what is counted: never below 1, and no 2.5.
pub fn whole_step(span: f64, most: f64) -> f64 {
    let step = step(span, most).max(1.0);
    if step == step.round() { step } else { (2.0 * step).round() }
}

/// Horizontal grid with its labels at the left: a value axis that has no line.
pub fn grid_across(canvas: &mut Canvas, scale: &Scale, left: f64, right: f64, labelled: bool) {
    for tick in scale.ticks() {
        let y = scale.at(tick);
        if tick != scale.low {
            canvas.line((left, y), (right, y), Colour::Grid, 0.4);
        }
        if labelled {
            let words = number::tick(tick, scale.step);
            canvas.text((left - 3.5, y), &words, VALUE, Colour::Text, Anchor::End);
        }
    }
}

/// Vertical grid with axis and labels below.
pub fn grid_down(canvas: &mut Canvas, scale: &Scale, top: f64, bottom: f64, label: fn(f64, f64) -> String) {
    for tick in scale.ticks() {
        let x = scale.at(tick);
        canvas.line((x, top), (x, bottom), Colour::Grid, 0.4);
        canvas.line((x, bottom), (x, bottom + 2.5), Colour::Axis, 0.6);
        canvas.text((x, bottom + 8.5), &label(tick, scale.step), VALUE, Colour::Text, Anchor::Middle);
    }
    canvas.line((scale.from, bottom), (scale.to, bottom), Colour::Axis, 0.6);
}

/// How much weight a number of units can bear (look.md §5, tiny n).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// A mark with an interval.
    Full,
    /// Under 20: hollow mark, dotted interval.
    Few,
    /// Under 5: number and n, no mark.
    None,
}

/// The weight of n.
pub const fn weight(n: i64) -> Weight {
    match n {
        20.. => Weight::Full,
        5.. => Weight::Few,
        _ => Weight::None,
    }
}

/// An interval's line: plain, without caps; dotted where n is small.
pub fn interval(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64, n: i64) {
    let dotted: &[f64] = if weight(n) == Weight::Full { &[] } else { &[width, width] };
    canvas.dashed(&[from, to], colour, width, dotted);
}

/// What the foot adds where a mark is hollow for want of runs.
pub fn few_note(counts: impl Iterator<Item = i64>) -> Option<String> {
    let mut few = false;
    let mut none = false;
    for n in counts {
        few |= weight(n) == Weight::Few;
        none |= weight(n) == Weight::None;
    }
    match (few, none) {
        (true, true) => Some("hollow, dotted: n under 20; no mark: n under 5".to_owned()),
        (true, false) => Some("hollow, dotted: n under 20".to_owned()),
        (false, true) => Some("no mark: n under 5".to_owned()),
        (false, false) => None,
    }
}

/// Keeps the first so many, and those with a role. Returns how many are left out.
pub fn keep<T>(rows: &mut Vec<T>, most: usize, role: impl Fn(&T) -> Role) -> usize {
    let before = rows.len();
    let mut place = 0;
    rows.retain(|row| {
        place += 1;
        place <= most || role(row) != Role::Other
    });
    before - rows.len()
}

/// What the foot adds where rows are left out.
pub fn more_note(left_out: usize, table: &str) -> Option<String> {
    (left_out > 0).then(|| format!("… {} more in {table}", number::count(left_out as i64)))
}

/// A label at the end of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct EndLabel {
    /// Where the line ends.
    pub at: (f64, f64),
    /// Words.
    pub words: String,
    /// Their face.
    pub face: Face,
    /// Their colour.
    pub colour: Colour,
}

/// Least distance of two labels.
const LABEL_GAP: f64 = 8.5;

/// Draws labels right of x, each as near to its line's end as the others let it, with a leader where it had to move.
pub fn end_labels(canvas: &mut Canvas, labels: &mut [EndLabel], x: f64, top: f64, bottom: f64) {
    labels.sort_by(|one, two| one.at.1.total_cmp(&two.at.1).then_with(|| one.words.cmp(&two.words)));
    let wanted: Vec<f64> = labels.iter().map(|label| label.at.1).collect();
    for (label, y) in labels.iter().zip(apart(&wanted, LABEL_GAP, top, bottom)) {
        if (y - label.at.1).abs() > 1.0 || x - label.at.0 > 8.0 {
            canvas.path(vec![(label.at.0 + 3.0, label.at.1), (x - 2.0, y)], Colour::Axis, 0.4);
        }
        let look = (label.face, label.colour, Anchor::Start);
        canvas.name((x, y), &label.words, look, canvas.width() - x - 1.0);
    }
}

/// Places that keep a gap and move as little as they can (pooled like isotonic regression), inside bounds if they fit.
pub fn apart(wanted: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    // Without its place in the order each label wants one number; labels that collide share the mean.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (place, y) in wanted.iter().enumerate() {
        pools.push((y - gap * place as f64, 1));
        while let [.., (one, n), (two, m)] = pools[..]
            && one > two
        {
            pools.truncate(pools.len() - 2);
            pools.push(((one * n as f64 + two * m as f64) / (n + m) as f64, n + m));
        }
    }
    let last = bottom - gap * (wanted.len().max(1) - 1) as f64;
    let firsts = pools.iter().flat_map(|(first, n)| std::iter::repeat_n(*first, *n));
    firsts.enumerate().map(|(place, first)| first.min(last).max(top) + gap * place as f64).collect()
}

/// Room for names: the widest, but at most the share of the width that they may take.
pub fn name_room<'a>(names: impl Iterator<Item = &'a str>, face: Face, width: f64) -> f64 {
    // A name longer than 200 signs is cut in any case.
    let measured = names.map(|name| width_of(&fit(name, width, face), face));
    measured.fold(0.0, f64::max).min(width * NAMES)
}

/// Length in bytes of what all names begin with, up to a separator, if that leaves something of each.
pub fn shared_prefix(names: &[&str]) -> usize {
    let (Some(first), true) = (names.first(), names.len() > 2) else {
        return 0;
    };
    let shared = names.iter().fold(first.len(), |length, name| {
        let equal = first.bytes().zip(name.bytes()).take_while(|(one, two)| one == two).count();
        length.min(equal)
    });
    let shared = (0..=shared).rev().find(|end| first.is_char_boundary(*end)).unwrap_or(0);
    let after = first[..shared].rfind(['-', '_', '/', ' ', '·', ':']);
    let end = after.map_or(0, |place| place + first[place..].chars().next().map_or(1, char::len_utf8));
    if end >= 4 && names.iter().all(|name| name.len() > end) { end } else { 0 }
}
