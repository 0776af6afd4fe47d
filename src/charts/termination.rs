//! How runs end, an arm a row: submitted, cut by a limit (hatched where the harness took the diff unasked), agent
//! failure, infrastructure, unknown.
//!
//! Implements look.md §6 (termination) and §2 (its colours).

use super::canvas::{Anchor, Area, Canvas, LABEL, LABEL_BOLD, VALUE, VALUE_BOLD, width_of};
use super::frame::{self, Key, Scale, Sign, Weight, weight};
use super::palette::Colour;
use super::{Chart, Style, Svg};
use crate::model::series::{Role, Series, TerminationBars, TerminationRow};
use crate::model::tag::TagName;
use crate::number;

/// The chart.
pub const CHART: Chart = Chart {
    name: "termination",
    about: "how runs end, by arm",
    draw: |series, style| match series {
        Series::Termination(bars) => Some(draw(bars, style)),
        _ => None,
    },
};

const ROW: f64 = 15.0;
const BAR: f64 = 8.6;
/// From this share on a part bears its number.
const NUMBERED: f64 = 0.045;

/// A class of ends as it is drawn.
#[derive(Clone, Copy)]
struct Class {
    name: &'static str,
    fill: Colour,
    hatched: bool,
    count: fn(&TerminationRow) -> i64,
}

const LIMIT: Colour = Colour::Fill(Some(TagName::Execution));
const SUBMITTED: Colour = Colour::Fill(Some(TagName::Submission));
const FAILED: Colour = Colour::Fill(Some(TagName::Loop));

const CLASSES: [Class; 6] = [
    Class { name: "submitted", fill: SUBMITTED, hatched: false, count: |row| row.submitted },
    Class { name: "limit, auto-submitted", fill: LIMIT, hatched: true, count: |row| row.limit.1 },
    Class { name: "limit", fill: LIMIT, hatched: false, count: |row| row.limit.0 - row.limit.1 },
    Class { name: "agent failure", fill: FAILED, hatched: false, count: |row| row.agent_failure },
    Class { name: "infrastructure", fill: Colour::Base, hatched: true, count: |row| row.infrastructure },
    Class { name: "unknown", fill: Colour::Fill(None), hatched: false, count: |row| row.unknown },
];

impl Class {
    fn sign(self) -> Sign {
        if self.hatched { Sign::Hatched(self.line(), self.line()) } else { Sign::Box(self.fill, self.fill) }
    }

    /// Hatching and its outline: a pale fill takes its ink.
    fn line(self) -> Colour {
        if self.fill == LIMIT { Colour::Ink(Some(TagName::Execution)) } else { Colour::BaseLine }
    }

    fn text(self) -> Colour {
        match self.fill {
            _ if self.hatched => Colour::Text,
            Colour::Fill(hue) => Colour::On(hue),
            _ => Colour::Text,
        }
    }
}

/// Draws the bars.
pub fn draw(series: &TerminationBars, style: &Style) -> Svg {
    let mut canvas = Canvas::new(frame::DOUBLE);
    let mut kept: Vec<&TerminationRow> = series.rows.iter().collect();
    let more = frame::keep(&mut kept, 40, |row| row.arm.role);
    let keys: Vec<Key> = CLASSES
        .iter()
        .filter(|class| kept.iter().any(|row| (class.count)(row) > 0))
        .map(|class| Key::of(class.sign(), class.name))
        .collect();
    let top = frame::head(&mut canvas, &series.caption, style, &keys) + 8.0;
    let bottom = if series.rows.is_empty() {
        frame::nothing(&mut canvas, top - 8.0, "no run has a log")
    } else {
        rows(&mut canvas, &kept, top)
    };
    let few = kept.iter().any(|row| (1..5).contains(&row.n));
    let few = few.then(|| "under 5 runs: counts, no bar".to_owned());
    let notes: Vec<String> = few.into_iter().chain(frame::more_note(more, "T14")).collect();
    let height = frame::foot(&mut canvas, &series.caption, style, bottom, &notes);
    canvas.finish(height, &series.caption.title, &description(series))
}

fn rows(canvas: &mut Canvas, rows: &[&TerminationRow], top: f64) -> f64 {
    let names = rows.iter().map(|row| row.arm.arm.as_str());
    let names = frame::name_room(names, LABEL_BOLD, canvas.width());
    let ns = rows.iter().map(|row| width_of(&count(row), VALUE)).fold(0.0, f64::max);
    let right = canvas.width() - frame::RIGHT;
    let scale = Scale { step: 25.0, ..Scale::percent(frame::LEFT + names + 5.0, right - ns - 5.0) };
    for (place, row) in rows.iter().enumerate() {
        let y = top + ROW * (place as f64 + 0.5);
        let face = if row.arm.role == Role::Other { LABEL } else { LABEL_BOLD };
        canvas.name((scale.from - 5.0, y), &row.arm.arm, (face, Colour::Text, Anchor::End), names);
        canvas.text((right, y), &count(row), VALUE, Colour::Muted, Anchor::End);
        if weight(row.n) == Weight::None {
            canvas.text((scale.from + 2.0, y), &in_words(row), LABEL, Colour::Muted, Anchor::Start);
        } else {
            bar(canvas, row, &scale, y);
        }
    }
    let bottom = top + ROW * rows.len() as f64 + 1.0;
    for tick in scale.ticks() {
        let x = scale.at(tick);
        canvas.line((x, bottom), (x, bottom + 2.5), Colour::Axis, 0.6);
        let words = number::tick(tick, scale.step);
        canvas.text((x, bottom + 8.5), &words, VALUE, Colour::Text, Anchor::Middle);
        if tick == scale.high {
            let after = x + width_of(&words, VALUE) / 2.0 + 2.0;
            canvas.text((after, bottom + 8.5), "%", VALUE, Colour::Text, Anchor::Start);
        }
    }
    canvas.line((scale.from, bottom), (scale.to, bottom), Colour::Axis, 0.6);
    bottom + 11.0
}

fn count(row: &TerminationRow) -> String {
    format!("n {}", number::count(row.n))
}

fn bar(canvas: &mut Canvas, row: &TerminationRow, scale: &Scale, y: f64) {
    let mut before = 0;
    for class in CLASSES {
        let runs = (class.count)(row).max(0);
        if runs == 0 {
            continue;
        }
        let at = |runs: i64| scale.at(runs as f64 / row.n as f64 * 100.0).min(scale.to);
        let area =
            Area { left: at(before), top: y - BAR / 2.0, right: at(before + runs), bottom: y + BAR / 2.0 };
        before += runs;
        if class.hatched {
            canvas.hatch(area, class.line(), class.line());
        } else {
            canvas.rect(area, class.fill);
        }
        // A paper line between stacked parts, so that neighbours of one lightness stay two in grey.
        if area.left > scale.from {
            canvas.line((area.left, area.top), (area.left, area.bottom), Colour::Paper, 0.5);
        }
        let share = runs as f64 / row.n as f64;
        let words = number::percent(share, 0);
        if share >= NUMBERED && width_of(&words, VALUE_BOLD) + 2.0 <= area.width() {
            number_on(canvas, &words, class, ((area.left + area.right) / 2.0, y));
        }
    }
}

fn number_on(canvas: &mut Canvas, words: &str, class: Class, (x, y): (f64, f64)) {
    if class.hatched {
        let half = width_of(words, VALUE_BOLD) / 2.0 + 1.5;
        canvas.rect(Area { left: x - half, top: y - 3.4, right: x + half, bottom: y + 3.4 }, Colour::Paper);
    }
    canvas.text((x, y), words, VALUE_BOLD, class.text(), Anchor::Middle);
}

fn in_words(row: &TerminationRow) -> String {
    if row.n <= 0 {
        return "no log".to_owned();
    }
    let parts = CLASSES.iter().filter_map(|class| {
        let runs = (class.count)(row);
        (runs > 0).then(|| format!("{} {}", number::count(runs), class.name))
    });
    parts.collect::<Vec<_>>().join(" · ")
}

fn description(series: &TerminationBars) -> String {
    let mut parts = vec![series.caption.subtitle.clone()];
    parts
        .extend(series.rows.iter().map(|row| format!("{} ({}): {}", row.arm.arm, count(row), in_words(row))));
    parts.push(series.caption.foot.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(". ")
}
