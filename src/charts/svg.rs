//! One drawing as files: standalone SVG, SVG for the page, PNG. Owns the pass over what plotters wrote (physical size,
//! middle of a text, colours, what a screen reader says) and the only use of resvg; it lays nothing out.
//!
//! Implements look.md §7.

use super::canvas::{FAMILIES, escape};
use super::palette::{Colour, Theme};
use crate::data::fonts;
use resvg::{tiny_skia, usvg};
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

/// Width in CSS pixels of a double-column drawing (496.8 pt) on the page.
const PAGE_SCALE: f64 = 720.0 / 496.8;

/// A pixel of a picture: red, green, blue and opacity.
const PIXEL: [u8; 4] = [u8::MAX; 4];

/// One finished drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Svg {
    /// Width and height in tenths of a point.
    size: (u32, u32),
    title: String,
    description: String,
    /// Elements, one a line, colours as codes (`#0000NN`).
    body: String,
    theme: Theme,
}

impl Svg {
    /// Takes what plotters wrote, and the groups by the number of elements before them.
    pub(super) fn new(
        size: (u32, u32),
        title: &str,
        description: &str,
        drawn: &str,
        groups: &[(usize, String)],
    ) -> Svg {
        let body = body(drawn, groups);
        Svg { size, title: escape(title), description: escape(description), body, theme: Theme::Light }
    }

    /// The same drawing in a theme, light unless told otherwise; the page has both and needs none.
    pub fn in_theme(self, theme: Theme) -> Svg {
        Svg { theme, ..self }
    }

    /// Width and height in points.
    pub fn size(&self) -> (f64, f64) {
        (f64::from(self.size.0) / 10.0, f64::from(self.size.1) / 10.0)
    }

    /// A file that looks the same everywhere: the fonts are inside (64 kB).
    pub fn standalone(&self) -> String {
        let style = format!("<style>{}</style>\n", fonts::css());
        self.document(&self.physical(), &style)
    }

    /// A file that names the fonts only: for LaTeX and for those who set type themselves.
    pub fn linked(&self) -> String {
        self.document(&self.physical(), "")
    }

    /// For the page: colours are CSS properties (`PALETTE.css`), the font is the page's, so that one drawing serves
    /// both themes.
    pub fn for_page(&self) -> String {
        let (width, height) = self.size();
        let size = format!("width=\"{:.0}\" height=\"{:.0}\"", width * PAGE_SCALE, height * PAGE_SCALE);
        self.wrapped(&size, "", &|colour| format!("var(--{})", colour.name()))
    }

    /// A picture; 3.125 is 300 dots an inch at print size. It is drawn in `memory`, which the next picture may use again.
    pub fn png(&self, scale: f32, memory: &mut Vec<u8>) -> Vec<u8> {
        static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
            let mut database = usvg::fontdb::Database::new();
            database.load_font_data(fonts::REGULAR.to_vec());
            database.load_font_data(fonts::BOLD.to_vec());
            database.set_sans_serif_family(fonts::FAMILY);
            Arc::new(database)
        });
        let options = usvg::Options { fontdb: FONTS.clone(), ..usvg::Options::default() };
        // Runs of boxes end on whole pixels, as on a screen: smoothing them is half of the work and shows nothing.
        let drawing = self.linked().replace("<path fill=", "<path shape-rendering=\"crispEdges\" fill=");
        let tree = usvg::Tree::from_str(&drawing, &options).expect("our own SVG is well formed");
        let pixels = |points: f32| (points * scale).round().max(1.0) as u32;
        let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
        let paper = Colour::Paper.rgb(self.theme);
        memory.clear();
        memory.resize(width as usize * height as usize * PIXEL.len(), PIXEL[3]);
        let mut picture = tiny_skia::PixmapMut::from_bytes(memory, width, height)
            .expect("a drawing has a size and its memory");
        // Below the drawing, whose paper may end within the last pixel: nothing of the picture is transparent.
        picture.fill(tiny_skia::Color::from_rgba8(paper.0, paper.1, paper.2, PIXEL[3]));
        resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut picture);
        encoded(memory, width, height)
    }

    fn physical(&self) -> String {
        let (width, height) = self.size();
        format!("width=\"{width}pt\" height=\"{height}pt\"")
    }

    fn document(&self, size: &str, style: &str) -> String {
        self.wrapped(size, style, &|colour| colour.rgb(self.theme).text())
    }

    fn wrapped(&self, size: &str, style: &str, value: &dyn Fn(Colour) -> String) -> String {
        let mut out = String::with_capacity(self.body.len() + 1024);
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} viewBox=\"0 0 {} {}\" role=\"img\" \
             font-family=\"{}\">",
            self.size.0,
            self.size.1,
            FAMILIES.replace("Ethogram Sans", "'Ethogram Sans'")
        );
        let _ = writeln!(out, "<title>{}</title>\n<desc>{}</desc>", self.title, self.description);
        out.push_str(style);
        let (paper, page) = (value(Colour::Paper), self.size);
        let _ = writeln!(out, "<rect width=\"{}\" height=\"{}\" fill=\"{paper}\"/>", page.0, page.1);
        out.push_str(&coloured(&self.body, value));
        out.push_str("</svg>\n");
        out
    }
}

/// Pixels as a file. They are opaque, so that the drawing's bytes are the file's and need no pass of their own.
fn encoded(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder
        .write_header()
        .and_then(|mut file| file.write_image_data(pixels))
        .expect("encoding into memory cannot fail");
    out
}

/// Replaces each code by a value. A quote before the sign makes sure that it is an attribute: texts have theirs escaped.
fn coloured(body: &str, value: &dyn Fn(Colour) -> String) -> String {
    const CODE: &str = "\"#0000";
    let values: Vec<String> = Colour::all().into_iter().map(value).collect();
    let mut out = String::with_capacity(body.len());
    let mut parts = body.split(CODE);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let place = part.get(..2).and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let found =
            place.and_then(|place| values.get(place)).expect("a code is a place in the list of colours");
        out.push('"');
        out.push_str(found);
        out.push_str(&part[2..]);
    }
    out
}

/// The elements that plotters wrote, one a line and without what says nothing, with the groups between them.
fn body(drawn: &str, groups: &[(usize, String)]) -> String {
    let mut out = String::with_capacity(drawn.len());
    let mut groups = groups.iter().peekable();
    let mut run: Vec<&str> = Vec::new();
    for (place, element) in elements(drawn).enumerate() {
        while let Some((_, tag)) = groups.next_if(|(before, _)| *before <= place) {
            flush(&mut run, &mut out);
            out.push_str(tag);
            out.push('\n');
        }
        if run.first().is_some_and(|first| !is_alike(first, element)) {
            flush(&mut run, &mut out);
        }
        if element.starts_with("<rect") || element.starts_with("<line") {
            run.push(element);
        } else {
            out.push_str(&tidied(element));
            out.push('\n');
        }
    }
    flush(&mut run, &mut out);
    for (_, tag) in groups {
        out.push_str(tag);
        out.push('\n');
    }
    out
}

/// plotters writes an element a line, a text in three; head and end are left out.
fn elements(drawn: &str) -> impl Iterator<Item = &str> {
    let inner = drawn.split_once('\n').map_or("", |(_, rest)| rest);
    let mut rest = inner.strip_suffix("</svg>\n").unwrap_or(inner);
    std::iter::from_fn(move || {
        let end = if rest.starts_with("<text") { "</text>\n" } else { "/>\n" };
        let (element, after) = rest.split_at(rest.find(end)? + end.len());
        rest = after;
        Some(element)
    })
}

/// Whether two are both boxes, or both lines, that look the same.
fn is_alike(one: &str, two: &str) -> bool {
    one[..5] == two[..5]
        && ["fill", "stroke", "stroke-width"].iter().all(|name| attribute(one, name) == attribute(two, name))
}

/// Boxes or lines of one look that follow each other become one path: a fifth of the bytes, and the same picture.
fn flush(run: &mut Vec<&str>, out: &mut String) {
    match run[..] {
        [] => return,
        [one] => out.push_str(&tidied(one)),
        [first, ..] if first.starts_with("<rect") => {
            let _ = write!(out, "<path fill=\"{}\" d=\"", attribute(first, "fill"));
            for rect in run.iter() {
                let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| attribute(rect, name));
                let _ = write!(out, "M{x} {y}h{width}v{height}h-{width}z");
            }
            out.push_str("\"/>");
        }
        [first, ..] => {
            let [stroke, width] = ["stroke", "stroke-width"].map(|name| attribute(first, name));
            let _ = write!(out, "<path stroke=\"{stroke}\" stroke-width=\"{width}\" d=\"");
            for line in run.iter() {
                let [x, y, to_x, to_y] = ["x1", "y1", "x2", "y2"].map(|name| attribute(line, name));
                let _ = write!(out, "M{x} {y}L{to_x} {to_y}");
            }
            out.push_str("\"/>");
        }
    }
    out.push('\n');
    run.clear();
}

fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let start = element.find(&format!(" {name}=\"")).map(|place| place + name.len() + 3);
    start.and_then(|start| element[start..].split('"').next()).unwrap_or_default()
}

/// One element on one line, without plotters' defaults and with its text on the middle.
fn tidied(element: &str) -> String {
    let (head, text) = element.split_once('>').unwrap_or((element, ""));
    // Viewers disagree on `ex`, and both sit high: half of the font's cap height is right in all.
    let mut head = head.replace(" dy=\"0.5ex\"", " dy=\"0.36em\"");
    for noise in [" opacity=\"1\"", " stroke=\"none\"", " text-anchor=\"start\""] {
        head = head.replace(noise, "");
    }
    head = head.replace(&format!(" font-family=\"{FAMILIES}\""), "").replace(" \"/", "\"/");
    if head.starts_with("<circle") {
        head = head.replace(" stroke-width=\"0\"", "");
    }
    let size = attribute(&head, "font-size").to_owned();
    if let Ok(exact) = size.parse::<f64>() {
        head = head.replace(&format!("\"{size}\""), &format!("\"{}\"", (exact * 10.0).round() / 10.0));
    }
    format!("{head}>{}", text.replace('\n', ""))
}
