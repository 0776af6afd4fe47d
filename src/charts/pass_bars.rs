//! pass@1 by benchmark: bars of two arms with value, interval, k/n, gain and p; a public baseline is hatched. More arms
//! or more than eight benchmarks become a dot plot (`pass_dots`).
//!
//! Implements look.md §6, first row.

use super::canvas::{Anchor, Area, Canvas, LABEL_BOLD, NOTE, VALUE, VALUE_BOLD, fit, width_of, wrap};
use super::frame::{self, Key, Scale, Sign, Weight, weight};
use super::palette::{self, Colour};
use super::{Chart, Style, Svg, pass_dots};
use crate::model::series::{ArmLabel, Estimate, PassBars, PassGroup, Role, Series};
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "pass-bars",
    about: "pass@1 by benchmark and arm, with intervals",
    draw: |series, style| match series {
        Series::PassBars(bars) => Some(draw(bars, style)),
        _ => None,
    },
};

/// Height of 100 %.
const HEIGHT: f64 = 100.0;
/// Widest group, so that one benchmark does not become two walls.
const WIDEST: f64 = 84.0;

/// Draws the bars, or the dots where there are too many for bars.
pub fn draw(series: &PassBars, style: &Style) -> Svg {
    let arms = series.groups.iter().map(|group| group.bars.len()).max().unwrap_or(0);
    // Two arms without a role would be two bars of one colour.
    let alike =
        series.groups.iter().any(|group| group.bars.windows(2).any(|two| two[0].0.role == two[1].0.role));
    if series.groups.len() > 8 || arms > 2 || alike {
        return pass_dots::draw(series, style);
    }
    let width = if series.groups.len() <= 3 { frame::SINGLE } else { frame::DOUBLE };
    let mut canvas = Canvas::new(width);
    let top = frame::head(&mut canvas, &series.caption, style, &keys(series));
    let bottom = if arms == 0 {
        frame::nothing(&mut canvas, top, "no arm has a scored run")
    } else {
        groups(&mut canvas, series, top + 15.0)
    };
    let ns = series.groups.iter().flat_map(|group| group.bars.iter().map(|(_, estimate)| estimate.n));
    let notes: Vec<String> = frame::few_note(ns).into_iter().collect();
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series))
}

/// Roles in drawing order, by name where all groups agree on it.
fn keys(series: &PassBars) -> Vec<Key> {
    let arms: Vec<&ArmLabel> =
        series.groups.iter().flat_map(|group| group.bars.iter().map(|(arm, _)| arm)).collect();
    let mut keys = Vec::new();
    let roles = [
        (Role::Base, "base"),
        (Role::Public, "base"),
        (Role::Trained, "trained"),
        (Role::Other, "without a role"),
    ];
    for (role, word) in roles {
        let mut names: Vec<&str> =
            arms.iter().filter(|arm| arm.role == role).map(|arm| arm.arm.as_str()).collect();
        names.dedup();
        let name = match names[..] {
            [] => continue,
            [name] => name,
            _ => word,
        };
        let sign = match role {
            Role::Public => Sign::Hatched(Colour::BaseLine, Colour::BaseOutline),
            Role::Base => Sign::Box(Colour::Base, Colour::BaseOutline),
            Role::Trained | Role::Other => Sign::Box(palette::mark(role), palette::mark(role)),
        };
        let words = if role == Role::Public { format!("{name}, public score") } else { name.to_owned() };
        keys.push(Key::of(sign, &words));
    }
    keys
}

fn groups(canvas: &mut Canvas, series: &PassBars, top: f64) -> f64 {
    let left = frame::LEFT + width_of("100", VALUE) + 4.5;
    let right = canvas.width() - frame::RIGHT;
    let scale = Scale::percent(top + HEIGHT, top);
    frame::grid_across(canvas, &scale, left, right, true);
    let step = (right - left) / series.groups.len() as f64;
    let used = step.min(WIDEST);
    let middles: Vec<f64> =
        (0..series.groups.len()).map(|place| left + step * (place as f64 + 0.5)).collect();
    for (group, middle) in series.groups.iter().zip(&middles) {
        for (x, (arm, estimate)) in places(group, *middle, used).into_iter().zip(&group.bars) {
            bar(canvas, &scale, (x, used * 0.15), arm.role, estimate);
        }
    }
    canvas.line((left, scale.from), (right, scale.from), Colour::Axis, 0.6);
    let y = counts(canvas, series, &middles, used, scale.from + 7.0);
    let below =
        series.groups.iter().zip(&middles).map(|(group, middle)| names(canvas, group, *middle, step, y));
    below.fold(y, f64::max)
}

/// Middles of a group's bars.
fn places(group: &PassGroup, middle: f64, used: f64) -> Vec<f64> {
    let half = used * 0.17;
    if group.bars.len() == 1 { vec![middle] } else { vec![middle - half, middle + half] }
}

fn bar(canvas: &mut Canvas, scale: &Scale, (x, half): (f64, f64), role: Role, estimate: &Estimate) {
    let face = if role == Role::Trained { VALUE_BOLD } else { VALUE };
    let Some(value) = estimate.value else {
        return canvas.text((x, scale.from - 6.0), number::DASH, face, Colour::Muted, Anchor::Middle);
    };
    let words = number::percent(value, 1);
    if weight(estimate.n) == Weight::None {
        return canvas.text((x, scale.from - 6.0), &words, face, Colour::Text, Anchor::Middle);
    }
    // Zero is a stub and not nothing.
    let top = scale.at(value * 100.0).min(scale.from - 0.5);
    let area = Area { left: x - half, top, right: x + half, bottom: scale.from };
    area_of(canvas, area, role, weight(estimate.n) == Weight::Few);
    let mut highest = top;
    if let Some((low, high)) = estimate.interval {
        let (low, high) = (scale.at(low * 100.0), scale.at(high * 100.0));
        canvas.line((x, low), (x, high), Colour::Paper, 2.6);
        frame::interval(canvas, (x, low), (x, high), Colour::Text, 0.9, estimate.n);
        highest = highest.min(high);
    }
    canvas.text((x, highest - 5.5), &words, face, Colour::Text, Anchor::Middle);
}

fn area_of(canvas: &mut Canvas, area: Area, role: Role, few: bool) {
    let outline = if role == Role::Trained { Colour::Trained } else { Colour::BaseOutline };
    if few {
        canvas.rect(area, Colour::Paper);
        return canvas.outline(area, outline, 1.0);
    }
    match role {
        Role::Public => canvas.hatch(area, Colour::BaseLine, outline),
        Role::Base => {
            canvas.rect(area, Colour::Base);
            canvas.outline(area, outline, 0.6);
        }
        Role::Trained | Role::Other => canvas.rect(area, palette::mark(role)),
    }
}

/// k/n below the bars, side by side where all fit, else base above trained. Returns the y below.
fn counts(canvas: &mut Canvas, series: &PassBars, middles: &[f64], used: f64, y: f64) -> f64 {
    let fits = |group: &PassGroup| {
        let widths = group.bars.iter().map(|(_, estimate)| width_of(&count(estimate), NOTE));
        widths.sum::<f64>() / 2.0 + 2.0 <= used * 0.34
    };
    let side_by_side = series.groups.iter().all(|group| group.bars.len() < 2 || fits(group));
    let mut lines = 1;
    for (group, middle) in series.groups.iter().zip(middles) {
        for (place, (x, (arm, estimate))) in places(group, *middle, used).iter().zip(&group.bars).enumerate()
        {
            let at = if side_by_side { (*x, y) } else { (*middle, y + 7.5 * place as f64) };
            canvas.text(at, &count(estimate), NOTE, palette::ink(arm.role), Anchor::Middle);
            lines = if side_by_side { 1 } else { lines.max(place + 1) };
        }
    }
    y + 7.5 * (lines as f64 - 1.0) + 4.0
}

fn count(estimate: &Estimate) -> String {
    match estimate.num {
        Some(num) => number::fraction(num, estimate.n),
        None => format!("n {}", number::count(estimate.n)),
    }
}

/// Name, gain and p below a group. Returns the y below.
fn names(canvas: &mut Canvas, group: &PassGroup, middle: f64, step: f64, y: f64) -> f64 {
    let room = step - 4.0;
    let mut lines = wrap(&group.name, room, LABEL_BOLD);
    if let [one, two, .., last] = &lines[..]
        && lines.len() > 3
    {
        // Both ends tell benchmarks and their versions apart; the middle does not.
        lines = vec![one.clone(), two.clone(), fit(&format!("… {last}"), room, LABEL_BOLD)];
    }
    let mut y = y + 5.5;
    canvas.open_name(&group.name);
    for line in &lines {
        canvas.text((middle, y), line, LABEL_BOLD, Colour::Text, Anchor::Middle);
        y += 8.8;
    }
    canvas.close();
    for line in gain(group).map(|words| wrap_gain(&words, room)).unwrap_or_default() {
        canvas.text((middle, y), &line, VALUE, Colour::Text, Anchor::Middle);
        y += 8.5;
    }
    y - 4.0
}

/// `+4.8 pts · p 0.061`
pub(super) fn gain(group: &PassGroup) -> Option<String> {
    let delta = format!("{} pts", number::points(group.delta.filter(|delta| delta.is_finite())?, 1));
    Some(match group.p.filter(|p| p.is_finite()) {
        Some(p) => format!("{delta} · p {}", number::p(p)),
        None => delta,
    })
}

fn wrap_gain(words: &str, room: f64) -> Vec<String> {
    if width_of(words, VALUE) <= room {
        return vec![words.to_owned()];
    }
    words.split(" · ").map(str::to_owned).collect()
}

/// What a screen reader says: every number.
pub(super) fn description(series: &PassBars) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    for group in &series.groups {
        let arms = group.bars.iter().map(|(arm, estimate)| {
            let value = estimate.value.map_or(number::DASH.to_owned(), |value| number::percent(value, 1));
            let public = if arm.role == Role::Public { " (public score)" } else { "" };
            let interval =
                estimate.interval.map(|(low, high)| format!(" {}", number::interval(low, high, 1)));
            format!("{}{public} {value}{} ({})", arm.arm, interval.unwrap_or_default(), count(estimate))
        });
        let gain = gain(group).map(|words| format!(", {words}")).unwrap_or_default();
        parts.push(format!("{}: {}{gain}", group.name, arms.collect::<Vec<_>>().join(", ")));
    }
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
