//! The ethogram, every run turn by turn: a row a pair, a cell a model turn in the colour of its primary tag, base left,
//! trained right; grouped by pair cell, then by the trained run's length.
//!
//! Implements look.md §6, last row.

use super::canvas::{Anchor, Area, Canvas, LABEL, LABEL_BOLD, NOTE, VALUE, middle_of, width_of};
use super::frame::{self, Key, Scale, Sign};
use super::palette::{self, Colour, Hue, PALETTE};
use super::{Chart, Style, Svg};
use crate::model::series::{Ethogram, EthogramGroup, EthogramPair, Series};
use crate::model::tag::TagName;
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "ethogram",
    about: "every pair turn by turn, in the colour of the primary tag",
    draw: |series, style| match series {
        Series::Ethogram(ethogram) => Some(draw(ethogram, style)),
        _ => None,
    },
};

/// Height of a row, of a row where there are few, and of a row where there are very many.
const ROW: f64 = 2.6;
const ROW_OF_FEW: f64 = 5.2;
const ROW_LEAST: f64 = 0.5;
/// Rows that count as few.
const FEW: usize = 24;
/// Height that all rows may take on a page.
const TALLEST: f64 = 540.0;
const GROUP_GAP: f64 = 5.0;
/// Below this size gaps would eat the cells.
const GAPLESS: f64 = 1.5;

type Run = Option<Vec<Hue>>;

/// Draws the ethogram.
pub fn draw(series: &Ethogram, style: &Style) -> Svg {
    let groups: Vec<Group> = series.groups.iter().filter(|group| group.total > 0).map(sorted).collect();
    let mut canvas = Canvas::new(frame::DOUBLE);
    let top = frame::head(&mut canvas, &series.caption, style, &keys(series)) + 10.0;
    let bottom = if groups.iter().all(|group| group.pairs.is_empty()) {
        frame::nothing(&mut canvas, top - 10.0, "no pair has a log")
    } else {
        panels(&mut canvas, series, &groups, top)
    };
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &sampled(&groups));
    canvas.finish(height, &series.caption.title, &description(series, &groups))
}

struct Group<'a> {
    name: &'a str,
    total: i64,
    pairs: Vec<&'a EthogramPair>,
}

/// By the trained run's length, ties by instance.
fn sorted(group: &EthogramGroup) -> Group<'_> {
    let mut pairs: Vec<&EthogramPair> = group.pairs.iter().collect();
    let length = |pair: &EthogramPair| pair.trained.as_ref().map_or(0, Vec::len);
    pairs.sort_by(|one, two| {
        length(one).cmp(&length(two)).then_with(|| one.instance_id.cmp(&two.instance_id))
    });
    Group { name: &group.name, total: group.total, pairs }
}

fn sampled(groups: &[Group]) -> Vec<String> {
    let (drawn, total) = groups
        .iter()
        .fold((0, 0), |(drawn, total), group| (drawn + group.pairs.len() as i64, total + group.total));
    if drawn < total {
        return vec![format!("{} of {} pairs drawn", number::count(drawn), number::count(total))];
    }
    Vec::new()
}

fn runs(series: &Ethogram) -> impl Iterator<Item = &Run> {
    series.groups.iter().flat_map(|group| group.pairs.iter().flat_map(|pair| [&pair.base, &pair.trained]))
}

/// Tags that occur, in the order of a stack.
fn keys(series: &Ethogram) -> Vec<Key> {
    let occurs = |hue: Hue| runs(series).flatten().any(|turns| turns.contains(&hue));
    let mut keys: Vec<Key> = PALETTE
        .tags
        .iter()
        .filter(|(hue, _)| occurs(*hue))
        .map(|(hue, _)| {
            let sign = Sign::Box(Colour::Fill(*hue), Colour::Fill(*hue));
            Key::of(sign, hue.map_or("untagged", TagName::as_str))
        })
        .collect();
    if runs(series).any(|run| run.as_ref().is_none_or(Vec::is_empty)) {
        keys.push(Key::of(Sign::Stroke(Colour::Axis), "no turns"));
    }
    keys
}

/// Number of turns that the axis shows: the 95th percentile, or all where the longest is hardly longer.
fn shown(series: &Ethogram) -> usize {
    let mut lengths: Vec<usize> = runs(series).flatten().map(Vec::len).collect();
    lengths.sort_unstable();
    let longest = lengths.last().copied().unwrap_or(0);
    let place = (lengths.len() as f64 * 0.95).ceil() as usize;
    let most = place.checked_sub(1).and_then(|place| lengths.get(place)).copied().unwrap_or(0);
    if longest as f64 <= most as f64 * 1.1 { longest.max(1) } else { most.max(1) }
}

fn panels(canvas: &mut Canvas, series: &Ethogram, groups: &[Group], top: f64) -> f64 {
    let label = |group: &Group| format!("{} {}", group.name, number::count(group.total));
    let labels: Vec<String> = groups.iter().map(label).collect();
    let names = frame::name_room(labels.iter().map(String::as_str), LABEL_BOLD, canvas.width());
    let most = shown(series);
    let beyond = runs(series).flatten().map(|turns| turns.len().saturating_sub(most)).max().unwrap_or(0);
    let beyond_room = if beyond > 0 { width_of(&format!("+{beyond}–{beyond}"), NOTE) + 6.0 } else { 0.0 };
    let left = frame::LEFT + names + 6.0;
    let wide = (canvas.width() - frame::RIGHT - left - 2.0 * beyond_room - 14.0) / 2.0;
    let rows: usize = groups.iter().map(|group| group.pairs.len()).sum();
    let row = row_height(rows, groups.len());
    let first = top + 9.0;
    let mut starts = Vec::new();
    let mut y = first;
    for group in groups {
        starts.push(y);
        y += row * group.pairs.len() as f64 + GROUP_GAP;
    }
    let bottom = y - GROUP_GAP;
    for (side, arm) in series.arms.iter().enumerate() {
        let from = left + (wide + beyond_room + 14.0) * side as f64;
        let area = Area { left: from, top: first, right: from + wide, bottom };
        canvas.name((from, top), &arm.arm, (LABEL_BOLD, palette::ink(arm.role), Anchor::Start), wide);
        let placed: Vec<(f64, &Run)> = groups
            .iter()
            .zip(&starts)
            .flat_map(|(group, start)| {
                group.pairs.iter().enumerate().map(move |(place, pair)| {
                    let run = if side == 0 { &pair.base } else { &pair.trained };
                    (start + row * place as f64, run)
                })
            })
            .collect();
        cells(canvas, &placed, area, (row, most));
        axis(canvas, area, most);
    }
    let tallest = groups.iter().map(|group| group.pairs.len()).max().unwrap_or(0) as f64 * row * 0.41;
    group_labels(canvas, &labels, &starts, (left, names), tallest, bottom);
    bottom + 21.0
}

fn row_height(rows: usize, groups: usize) -> f64 {
    if rows <= FEW {
        return ROW_OF_FEW;
    }
    ((TALLEST - GROUP_GAP * groups as f64) / rows as f64).clamp(ROW_LEAST, ROW)
}

fn group_labels(
    canvas: &mut Canvas,
    labels: &[String],
    starts: &[f64],
    (left, room): (f64, f64),
    row: f64,
    bottom: f64,
) {
    let wanted: Vec<f64> = starts.iter().map(|start| start + row.min(3.0)).collect();
    let places = frame::apart(&wanted, 8.5, 0.0, bottom.max(wanted.last().copied().unwrap_or(0.0)) + 60.0);
    for (label, y) in labels.iter().zip(places) {
        canvas.name((left - 6.0, y), label, (LABEL_BOLD, Colour::Text, Anchor::End), room);
    }
}

/// All cells of one arm, colour by colour, so that the drawing stays small; gaps are paper lines over the whole panel.
fn cells(canvas: &mut Canvas, placed: &[(f64, &Run)], area: Area, (row, most): (f64, usize)) {
    let tall = if row < GAPLESS { row } else { row * 0.82 };
    let wide = area.width() / most as f64;
    for (hue, _) in PALETTE.tags {
        for (y, run) in placed {
            for (from, to) in stretches(run.as_deref().unwrap_or_default(), hue, most) {
                let (left, right) = (area.left + wide * from as f64, area.left + wide * to as f64);
                canvas.rect(Area { left, top: *y, right, bottom: y + tall }, Colour::Fill(hue));
            }
        }
    }
    if wide >= GAPLESS {
        for turn in 1..most {
            let x = area.left + wide * turn as f64;
            canvas.line(
                (x, area.top - 0.2),
                (x, area.bottom + 0.2),
                Colour::Paper,
                (wide * 0.1).clamp(0.3, 0.7),
            );
        }
    }
    for (y, run) in placed {
        if run.as_ref().is_none_or(Vec::is_empty) {
            let middle = y + tall / 2.0;
            canvas.line((area.left, middle), (area.left + 5.0, middle), Colour::Axis, tall.min(0.6));
        }
    }
    overflow(canvas, placed, area, (row, most));
}

/// Stretches of one colour within what is shown.
fn stretches(turns: &[Hue], hue: Hue, most: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (turn, _) in turns.iter().take(most).enumerate().filter(|(_, tag)| **tag == hue) {
        match found.last_mut() {
            Some((_, to)) if *to == turn => *to += 1,
            _ => found.push((turn, turn + 1)),
        }
    }
    found
}

/// `+n` behind rows that are longer than the axis; rows too near for a text each share one (`+2–14`).
fn overflow(canvas: &mut Canvas, placed: &[(f64, &Run)], area: Area, (row, most): (f64, usize)) {
    let mut shared: Vec<(f64, f64, usize, usize)> = Vec::new();
    for (y, run) in placed {
        let beyond = run.as_ref().map_or(0, Vec::len).saturating_sub(most);
        if beyond == 0 {
            continue;
        }
        let middle = y + row * 0.41;
        canvas.line((area.right + 1.0, middle), (area.right + 2.8, middle), Colour::Axis, row.min(0.6));
        match shared.last_mut() {
            Some((_, last, low, high)) if middle - *last < NOTE.size + 0.8 => {
                (*last, *low, *high) = (middle, (*low).min(beyond), (*high).max(beyond));
            }
            _ => shared.push((middle, middle, beyond, beyond)),
        }
    }
    for (first, last, low, high) in shared {
        let words = if low == high { format!("+{low}") } else { format!("+{low}–{high}") };
        canvas.text((area.right + 4.0, middle_of(first, last)), &words, NOTE, Colour::Muted, Anchor::Start);
    }
}

fn axis(canvas: &mut Canvas, area: Area, most: usize) {
    let step = frame::whole_step(most as f64, 5.0);
    let scale = Scale { low: 0.0, high: most as f64, step, from: area.left, to: area.right };
    for tick in scale.ticks() {
        let words = number::tick(tick, 1.0);
        canvas.text((scale.at(tick), area.bottom + 6.5), &words, VALUE, Colour::Muted, Anchor::Middle);
    }
    let at = (middle_of(area.left, area.right), area.bottom + 16.0);
    canvas.text(at, "model turn", LABEL, Colour::Muted, Anchor::Middle);
}

fn description(series: &Ethogram, groups: &[Group]) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    let [base, trained] = &series.arms;
    parts.push(format!("left {}, right {}", base.arm, trained.arm));
    parts.extend(groups.iter().map(|group| format!("{}: {} pairs", group.name, number::count(group.total))));
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
