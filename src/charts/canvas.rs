//! A drawing in points: shapes are gathered while a chart is laid out (its height is known last) and are drawn once,
//! by plotters, to SVG. Owns text measuring and cutting; it knows no chart. The only user of plotters.
//!
//! Implements look.md §7: ten units a point, since plotters knows whole numbers only; text sizes times 12.4; every
//! colour as a code that [`Svg`] replaces by a theme's value or by a CSS property.

use super::palette::Colour;
use super::svg::Svg;
use crate::data::fonts;
use plotters::prelude::{
    Color, DrawingBackend, FontStyle, IntoFont, RGBColor, SVGBackend, ShapeStyle, TextStyle,
};
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::sync::LazyLock;

/// Units of the canvas in a point.
const UNITS: f64 = 10.0;
/// The name in the SVG, under which the fonts are registered as well: plotters measures by it.
pub(super) const FAMILIES: &str = "Ethogram Sans, Inter, Helvetica, Arial, sans-serif";

static REGISTERED: LazyLock<()> = LazyLock::new(|| {
    for (style, bytes) in [(FontStyle::Normal, fonts::REGULAR), (FontStyle::Bold, fonts::BOLD)] {
        assert!(register_font(FAMILIES, style, bytes).is_ok(), "the compiled-in fonts are fonts");
    }
});

/// Size and weight of a text, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Size in points.
    pub size: f64,
    /// SemiBold.
    pub bold: bool,
}

/// Title.
pub const TITLE: Face = Face { size: 8.5, bold: true };
/// Subtitle and labels.
pub const LABEL: Face = Face { size: 7.0, bold: false };
/// A label that stands out.
pub const LABEL_BOLD: Face = Face { size: 7.0, bold: true };
/// Ticks and values.
pub const VALUE: Face = Face { size: 6.5, bold: false };
/// A value that stands out.
pub const VALUE_BOLD: Face = Face { size: 6.5, bold: true };
/// Foot and k/n: nothing is smaller.
pub const NOTE: Face = Face { size: 6.0, bold: false };

/// Which point of a text its x names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// A box in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Area {
    /// Width.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// How a mark looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// ●
    Round,
    /// ■
    Square,
    /// ▲
    Triangle,
    /// ◆
    Diamond,
}

type Point = (f64, f64);

enum Shape {
    Rect { area: Area, colour: Colour },
    Path { points: Vec<Point>, colour: Colour, width: f64 },
    Polygon { points: Vec<Point>, colour: Colour },
    Circle { at: Point, radius: f64, colour: Colour },
    Text { at: Point, words: String, face: Face, colour: Colour, anchor: Anchor },
    Open { cell: Option<String>, title: Option<String> },
    Close,
}

/// What is drawn so far.
pub struct Canvas {
    width: f64,
    shapes: Vec<Shape>,
}

impl Canvas {
    /// An empty canvas of a width in points.
    pub fn new(width: f64) -> Canvas {
        Canvas { width, shapes: Vec::new() }
    }

    /// Its width in points.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// A filled box.
    pub fn rect(&mut self, area: Area, colour: Colour) {
        self.shapes.push(Shape::Rect { area, colour });
    }

    /// The outline of a box, drawn inside its edges.
    pub fn outline(&mut self, area: Area, colour: Colour, width: f64) {
        let half = width / 2.0;
        let (left, top) = (area.left + half, area.top + half);
        let (right, bottom) = ((area.right - half).max(left), (area.bottom - half).max(top));
        // One point more than the corners, so that the last corner is mitred too.
        let points =
            vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top), (right, top)];
        self.path(points, colour, width);
    }

    /// A straight line.
    pub fn line(&mut self, from: Point, to: Point, colour: Colour, width: f64) {
        self.path(vec![from, to], colour, width);
    }

    /// A line through points.
    pub fn path(&mut self, points: Vec<Point>, colour: Colour, width: f64) {
        self.shapes.push(Shape::Path { points, colour, width });
    }

    /// A line through points in dashes: lengths on and off in turn; an empty list is a solid line.
    pub fn dashed(&mut self, points: &[Point], colour: Colour, width: f64, lengths: &[f64]) {
        if lengths.is_empty() {
            return self.path(points.to_vec(), colour, width);
        }
        for dash in dashes(points, lengths) {
            self.path(dash, colour, width);
        }
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: Vec<Point>, colour: Colour) {
        self.shapes.push(Shape::Polygon { points, colour });
    }

    /// A mark: filled with a paper edge, or hollow.
    pub fn mark(&mut self, at: Point, size: f64, mark: Mark, filled: bool, colour: Colour) {
        if filled {
            self.figure(at, size / 2.0 + 0.6, mark, Colour::Paper);
            self.figure(at, size / 2.0, mark, colour);
        } else {
            self.figure(at, size / 2.0, mark, colour);
            self.figure(at, size / 2.0 - 1.0, mark, Colour::Paper);
        }
    }

    fn figure(&mut self, (x, y): Point, radius: f64, mark: Mark, colour: Colour) {
        let square = radius * 0.9;
        let points = match mark {
            Mark::Round => {
                return self.shapes.push(Shape::Circle { at: (x, y), radius, colour });
            }
            Mark::Square => {
                let area = Area { left: x - square, top: y - square, right: x + square, bottom: y + square };
                return self.rect(area, colour);
            }
            Mark::Triangle => {
                let (wide, low) = (radius * 1.15, radius * 0.85);
                vec![(x, y - radius * 1.2), (x + wide, y + low), (x - wide, y + low)]
            }
            Mark::Diamond => {
                let reach = radius * 1.25;
                vec![(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
            }
        };
        self.polygon(points, colour);
    }

    /// Diagonal lines clipped to a box, with an outline on top: plotters knows no pattern.
    pub fn hatch(&mut self, area: Area, lines: Colour, outline: Colour) {
        const STEP: f64 = 4.0;
        self.rect(area, Colour::Paper);
        let (width, height) = (area.width(), area.height());
        let mut reach = STEP / 2.0;
        while reach < width + height {
            let from = if reach <= height {
                (area.left, area.top + reach)
            } else {
                (area.left + reach - height, area.bottom)
            };
            let to = if reach <= width {
                (area.left + reach, area.top)
            } else {
                (area.right, area.top + reach - width)
            };
            self.line(from, to, lines, 0.6);
            reach += STEP;
        }
        self.outline(area, outline, 0.6);
    }

    /// A text whose capitals and digits are centred on y.
    pub fn text(&mut self, at: Point, words: &str, face: Face, colour: Colour, anchor: Anchor) {
        let words = clean(words);
        if !words.is_empty() {
            self.shapes.push(Shape::Text { at, words, face, colour, anchor });
        }
    }

    /// A name cut to a width; where it was cut, the whole name is its tooltip.
    pub fn name(
        &mut self,
        at: Point,
        words: &str,
        (face, colour, anchor): (Face, Colour, Anchor),
        width: f64,
    ) {
        let cut = fit(words, width, face);
        if cut == clean(words) {
            return self.text(at, &cut, face, colour, anchor);
        }
        self.open_name(words);
        self.text(at, &cut, face, colour, anchor);
        self.close();
    }

    /// Opens a group whose tooltip is a whole name.
    pub fn open_name(&mut self, words: &str) {
        self.shapes.push(Shape::Open { cell: None, title: Some(clean(words)) });
    }

    /// Opens a group that a page can find: the id of a cell.
    pub fn open(&mut self, cell: String) {
        self.shapes.push(Shape::Open { cell: Some(cell), title: None });
    }

    /// Closes the last group.
    pub fn close(&mut self) {
        self.shapes.push(Shape::Close);
    }

    /// Draws everything once; `title` and `description` are what a screen reader says.
    pub fn finish(self, height: f64, title: &str, description: &str) -> Svg {
        LazyLock::force(&REGISTERED);
        let size = (tenths(self.width) as u32, tenths(height).max(1) as u32);
        let mut drawn = String::new();
        let mut backend = SVGBackend::with_string(&mut drawn, size);
        let mut groups = Vec::new();
        let mut elements = 0;
        for shape in &self.shapes {
            match shape {
                Shape::Open { cell, title } => groups.push((elements, opening(cell, title))),
                Shape::Close => groups.push((elements, "</g>".to_owned())),
                _ => {
                    draw(&mut backend, shape).expect("drawing into a string cannot fail");
                    elements += 1;
                }
            }
        }
        backend.present().expect("drawing into a string cannot fail");
        drop(backend);
        Svg::new(size, &clean(title), &clean(description), &drawn, &groups)
    }
}

fn opening(cell: &Option<String>, title: &Option<String>) -> String {
    let cell = cell.as_ref().map(|id| format!(" data-cell=\"{}\"", escape(&clean(id)))).unwrap_or_default();
    let title = title.as_ref().map(|words| format!("<title>{}</title>", escape(words))).unwrap_or_default();
    format!("<g{cell}>{title}")
}

/// The code colour: its place in the list of all colours.
fn code(colour: Colour) -> RGBColor {
    let place = Colour::all().iter().position(|other| *other == colour);
    RGBColor(0, 0, u8::try_from(place.expect("every colour is listed")).expect("fewer than 256 colours"))
}

fn draw(backend: &mut SVGBackend, shape: &Shape) -> Result<(), impl std::fmt::Debug> {
    let point = |(x, y): &Point| (tenths(*x), tenths(*y));
    let stroke = |colour: &Colour, width: f64| code(*colour).stroke_width(tenths(width).max(1) as u32);
    let filled = |colour: &Colour| ShapeStyle { color: code(*colour).into(), filled: true, stroke_width: 0 };
    match shape {
        Shape::Rect { area, colour } => {
            let (from, to) = (point(&(area.left, area.top)), point(&(area.right, area.bottom)));
            backend.draw_rect(from, (to.0.max(from.0), to.1.max(from.1)), &filled(colour), true)
        }
        Shape::Path { points, colour, width } => match points[..] {
            [from, to] => backend.draw_line(point(&from), point(&to), &stroke(colour, *width)),
            _ => backend.draw_path(points.iter().map(point), &stroke(colour, *width)),
        },
        Shape::Polygon { points, colour } => backend.fill_polygon(points.iter().map(point), &filled(colour)),
        Shape::Circle { at, radius, colour } => {
            backend.draw_circle(point(at), tenths(*radius).max(1) as u32, &filled(colour), true)
        }
        Shape::Text { at, words, face, colour, anchor } => {
            backend.draw_text(words, &style(*face, *colour, *anchor), point(at))
        }
        Shape::Open { .. } | Shape::Close => Ok(()),
    }
}

fn style(face: Face, colour: Colour, anchor: Anchor) -> TextStyle<'static> {
    let across = match anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    TextStyle {
        font: font(face),
        color: code(colour).to_backend_color(),
        pos: Pos::new(across, VPos::Center),
    }
}

fn font(face: Face) -> plotters::style::FontDesc<'static> {
    let weight = if face.bold { FontStyle::Bold } else { FontStyle::Normal };
    (FAMILIES, face.size * UNITS * 1.24, weight).into_font()
}

/// The middle of two.
pub fn middle_of(one: f64, two: f64) -> f64 {
    (one + two) / 2.0
}

/// Bounded, since plotters subtracts coordinates: a value that is off by far must be a line off the paper and no panic.
fn tenths(points: f64) -> i32 {
    (points * UNITS).round().clamp(-1e6, 1e6) as i32
}

/// Width of a text in points, as it will be drawn.
pub fn width_of(words: &str, face: Face) -> f64 {
    LazyLock::force(&REGISTERED);
    let (_, (width, _)) = font(face).layout_box(words).expect("the fonts are registered");
    f64::from(width) / UNITS
}

/// Text without what XML forbids or what turns the reading direction: names come from logs.
pub fn clean(words: &str) -> String {
    let kept = words.chars().filter_map(|sign| match sign {
        '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' => None,
        '\u{FFFE}' | '\u{FFFF}' => None,
        sign if sign.is_control() || sign.is_whitespace() => Some(' '),
        sign => Some(sign),
    });
    kept.collect::<String>().split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Text for an element or an attribute.
pub fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in words.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            _ => out.push(sign),
        }
    }
    out
}

/// A name cut in the middle to a width, so that version suffixes survive: `claude-sonn…-4, Oct`.
pub fn fit(words: &str, width: f64, face: Face) -> String {
    let words = clean(words);
    let signs: Vec<char> = words.chars().collect();
    // No name that fits has more signs than points of room; measuring a megabyte would only cost time.
    let most = signs.len().min(width.max(0.0) as usize + 1);
    if most == signs.len() && width_of(&words, face) <= width {
        return words;
    }
    let cut = |kept: usize| {
        let tail = kept * 2 / 5;
        let head: String = signs[..kept - tail].iter().collect();
        let tail: String = signs[signs.len() - tail..].iter().collect();
        format!("{}…{}", head.trim_end(), tail.trim_start())
    };
    let fits = |kept: usize| width_of(&cut(kept), face) <= width;
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    cut(low)
}

/// Text in lines of at most a width; a word that is too long is cut.
pub fn wrap(words: &str, width: f64, face: Face) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let space = width_of(" ", face);
    let mut filled = f64::INFINITY;
    for word in clean(words).split(' ') {
        let word = fit(word, width, face);
        let needed = width_of(&word, face);
        match lines.last_mut() {
            Some(line) if filled + space + needed <= width => {
                line.push(' ');
                line.push_str(&word);
                filled += space + needed;
            }
            _ => {
                lines.push(word);
                filled = needed;
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// The pieces of a line through points that are drawn.
fn dashes(points: &[Point], lengths: &[f64]) -> Vec<Vec<Point>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Point> = points.first().map(|first| vec![*first]).unwrap_or_default();
    let (mut place, mut left) = (0, lengths[0]);
    for step in points.windows(2) {
        let (mut from, to) = (step[0], step[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            // Also where a coordinate is not a number: such a line would have no end.
            if length <= left || !length.is_finite() {
                left -= if length.is_finite() { length } else { 0.0 };
                if place % 2 == 0 {
                    piece.push(to);
                }
                break;
            }
            let share = left / length;
            from = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            if place % 2 == 0 {
                piece.push(from);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![from];
            }
            place = (place + 1) % lengths.len();
            left = lengths[place];
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}
