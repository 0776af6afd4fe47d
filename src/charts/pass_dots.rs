//! pass@1 of many arms or many benchmarks: a row an arm, sorted by value, with per cent and k/n beside the mark.
//!
//! Implements look.md §5 (3 to 40 arms, more than 40, tiny n, long names) for `pass_bars`.

use super::canvas::{Anchor, Canvas, Face, LABEL, LABEL_BOLD, Mark, VALUE, VALUE_BOLD, middle_of, width_of};
use super::frame::{self, Scale, Weight, weight};
use super::palette::{self, Colour};
use super::{Style, Svg, pass_bars};
use crate::model::series::{ArmLabel, Caption, Estimate, PassBars, PassGroup, Role};
use crate::number;

const ROW: f64 = 9.5;
/// More arms than this are cut to the top 20, the bottom 5 and those with a role.
const MOST: usize = 40;

enum Row<'a> {
    Head(&'a PassGroup),
    Arm(&'a ArmLabel, &'a Estimate),
    Left(usize),
}

/// Draws the dots.
pub(super) fn draw(series: &PassBars, style: &Style) -> Svg {
    let rows = rows(series);
    let arms: Vec<&str> = arms(&rows).map(|(arm, _)| arm.arm.as_str()).collect();
    let prefix = if widest(&arms) > frame::SINGLE * frame::NAMES { frame::shared_prefix(&arms) } else { 0 };
    let caption = with_prefix(&series.caption, arms.first().map_or("", |name| &name[..prefix]));
    let heads = rows
        .iter()
        .filter_map(|row| if let Row::Head(group) = row { Some(group.name.as_str()) } else { None });
    let names: Vec<&str> = arms.iter().map(|name| &name[prefix..]).chain(heads).collect();
    let width = if widest(&names) <= frame::SINGLE * frame::NAMES { frame::SINGLE } else { frame::DOUBLE };
    let mut canvas = Canvas::new(width);
    let top = frame::head(&mut canvas, &caption, style, &[]) + 9.0;
    let bottom = if rows.is_empty() {
        frame::nothing(&mut canvas, top, "no arm has a scored run")
    } else {
        plot(&mut canvas, &rows, prefix, frame::name_room(names.into_iter(), LABEL_BOLD, width), top)
    };
    let notes: Vec<String> =
        frame::few_note(self::arms(&rows).map(|(_, estimate)| estimate.n)).into_iter().collect();
    let height = frame::foot(&mut canvas, &caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &pass_bars::description(series))
}

fn widest(names: &[&str]) -> f64 {
    frame::name_room(names.iter().copied(), LABEL_BOLD, frame::DOUBLE)
}

fn with_prefix(caption: &Caption, prefix: &str) -> Caption {
    let mut caption = caption.clone();
    if !prefix.is_empty() {
        let prefix = prefix.trim_end_matches([' ', '·', '/', ':']);
        caption.subtitle = format!("{} · all names begin with {prefix}", caption.subtitle);
    }
    caption
}

fn arms<'a>(rows: &'a [Row<'a>]) -> impl Iterator<Item = (&'a ArmLabel, &'a Estimate)> {
    rows.iter()
        .filter_map(|row| if let Row::Arm(arm, estimate) = row { Some((*arm, *estimate)) } else { None })
}

fn rows(series: &PassBars) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for group in &series.groups {
        if series.groups.len() > 1 {
            rows.push(Row::Head(group));
        }
        let mut bars: Vec<_> = group.bars.iter().collect();
        // A pair stays base first; more arms are sorted by value, the undefined last, ties by name.
        if bars.len() > 2 {
            let value = |estimate: &Estimate| estimate.value.unwrap_or(f64::NEG_INFINITY);
            bars.sort_by(|(arm, one), (other, two)| {
                value(two).total_cmp(&value(one)).then_with(|| arm.arm.cmp(&other.arm))
            });
        }
        let count = bars.len();
        let is_kept = |place: usize, arm: &ArmLabel| {
            count <= MOST || place < 20 || place >= count - 5 || arm.role != Role::Other
        };
        let left_out = bars.iter().enumerate().filter(|(place, (arm, _))| !is_kept(*place, arm)).count();
        for (place, (arm, estimate)) in bars.into_iter().enumerate() {
            if place == count.saturating_sub(5) && left_out > 0 {
                rows.push(Row::Left(left_out));
            }
            if is_kept(place, arm) {
                rows.push(Row::Arm(arm, estimate));
            }
        }
    }
    rows
}

fn plot(canvas: &mut Canvas, rows: &[Row], prefix: usize, names: f64, top: f64) -> f64 {
    let right = canvas.width() - frame::RIGHT;
    let counts: Vec<String> = arms(rows).map(|(_, estimate)| count(estimate)).collect();
    let counts = counts.iter().map(|words| width_of(words, VALUE)).fold(width_of("k/n", VALUE), f64::max);
    let (name_end, value_end) = (frame::LEFT + names, right - counts - 7.0);
    let (from, to) = (name_end + 8.0, value_end - width_of("100.0", VALUE_BOLD) - 8.0);
    let most = arms(rows).map(|(_, estimate)| reach(estimate)).fold(0.0, f64::max) * 100.0;
    let scale = if arms(rows).count() < 20 { Scale::percent(from, to) } else { Scale::up_to(most, from, to) };
    let scale = Scale { step: frame::step(scale.high, ((to - from) / 24.0).clamp(2.0, 5.0)), ..scale };
    canvas.text((value_end, top), "%", VALUE, Colour::Muted, Anchor::End);
    canvas.text((right, top), "k/n", VALUE, Colour::Muted, Anchor::End);
    let first = top + 10.0;
    let bottom = first + ROW * (rows.len() as f64 - 0.5) + 2.0;
    frame::grid_down(canvas, &scale, first - ROW / 2.0, bottom, number::tick);
    let headed = rows.iter().any(|row| matches!(row, Row::Head(_)));
    for (place, row) in rows.iter().enumerate() {
        let y = first + ROW * place as f64;
        match row {
            Row::Head(group) => head(canvas, group, (name_end, from, y), names),
            Row::Left(k) => {
                let words = format!("… {} more in T1", number::count(*k as i64));
                canvas.text((from, y), &words, LABEL, Colour::Muted, Anchor::Start);
            }
            Row::Arm(arm, estimate) => {
                // Under a head the head is bold, and of the arms the trained alone.
                let bold = arm.role == Role::Trained || (!headed && arm.role != Role::Other);
                let face = Face { bold: bold && !headed, ..LABEL };
                let public = if arm.role == Role::Public { ", public score" } else { "" };
                let name = format!("{}{public}", &arm.arm[prefix..]);
                canvas.name((name_end, y), &name, (face, Colour::Text, Anchor::End), names);
                let value = Face { bold, ..VALUE };
                numbers(canvas, estimate, value, (value_end, right, y));
                dot(canvas, &scale, arm.role, estimate, y);
            }
        }
    }
    canvas.text((middle_of(from, to), bottom + 18.0), "pass@1, %", LABEL, Colour::Text, Anchor::Middle);
    bottom + 21.0
}

fn head(canvas: &mut Canvas, group: &PassGroup, (name_end, from, y): (f64, f64, f64), names: f64) {
    canvas.name((name_end, y), &group.name, (LABEL_BOLD, Colour::Text, Anchor::End), names);
    if let Some(words) = pass_bars::gain(group) {
        let wide = width_of(&words, VALUE);
        canvas.rect(
            super::canvas::Area { left: from, top: y - 4.0, right: from + wide + 4.0, bottom: y + 4.0 },
            Colour::Paper,
        );
        canvas.text((from + 2.0, y), &words, VALUE, Colour::Muted, Anchor::Start);
    }
}

fn numbers(canvas: &mut Canvas, estimate: &Estimate, face: Face, (value_end, right, y): (f64, f64, f64)) {
    let words = estimate.value.map_or(number::DASH.to_owned(), |value| number::percent(value, 1));
    let colour = if estimate.value.is_some() { Colour::Text } else { Colour::Muted };
    canvas.text((value_end, y), &words, face, colour, Anchor::End);
    canvas.text((right, y), &count(estimate), VALUE, Colour::Muted, Anchor::End);
}

fn dot(canvas: &mut Canvas, scale: &Scale, role: Role, estimate: &Estimate, y: f64) {
    let (Some(value), true) = (estimate.value, weight(estimate.n) != Weight::None) else {
        return;
    };
    let (colour, line) = (palette::mark(role), palette::line(role));
    if let Some((low, high)) = estimate.interval {
        let (low, high) = (scale.at(low * 100.0), scale.at(high * 100.0));
        frame::interval(canvas, (low, y), (high, y), line, 1.2, estimate.n);
    }
    let filled = weight(estimate.n) == Weight::Full && role != Role::Public;
    let colour = if filled { colour } else { line };
    canvas.mark((scale.at(value * 100.0), y), 4.2, Mark::Round, filled, colour);
}

fn reach(estimate: &Estimate) -> f64 {
    let high = estimate.interval.map_or(0.0, |(_, high)| high);
    high.max(estimate.value.unwrap_or(0.0))
}

fn count(estimate: &Estimate) -> String {
    match estimate.num {
        Some(num) => number::fraction(num, estimate.n),
        None => format!("n {}", number::count(estimate.n)),
    }
}
