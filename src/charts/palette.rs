//! Every colour of the project, light and dark, in one constant: charts, page and terminal take them from here. Owns
//! names, values, ANSI codes and letters; it decides no layout. Ink for arms, hue for behaviour: a colour always means
//! a tag, and tags alone have hues.
//!
//! Implements look.md §2. The hex values come from a seeded search; `tests/charts/palette.rs` holds the distances and
//! contrasts, so that nobody improves one by eye.

use crate::model::series::Role;
use crate::model::tag::TagName;

/// A primary tag, or `None` for a turn without.
pub type Hue = Option<TagName>;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// The value of `0xRRGGBB`.
    pub const fn hex(code: u32) -> Rgb {
        Rgb((code >> 16) as u8, (code >> 8) as u8, code as u8)
    }

    /// `#RRGGBB`.
    pub fn text(self) -> String {
        format!("#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }

    /// This colour with `share` of it left over `below`: solid, so that PDF and e-paper agree.
    pub fn over(self, below: Rgb, share: f64) -> Rgb {
        let mix =
            |top: u8, under: u8| (f64::from(top) * share + f64::from(under) * (1.0 - share)).round() as u8;
        Rgb(mix(self.0, below.0), mix(self.1, below.1), mix(self.2, below.2))
    }

    /// Relative luminance (WCAG 2).
    pub fn luminance(self) -> f64 {
        let linear = [self.0, self.1, self.2].map(|part| linear(f64::from(part) / 255.0));
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// Contrast ratio of two colours (WCAG 2), 1…21.
    pub fn contrast(self, other: Rgb) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }
}

/// A part of an sRGB colour, in 0…1, without its gamma.
pub fn linear(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// Which of the two themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Theme {
    /// Ink on white paper.
    #[default]
    Light,
    /// Light ink on dark paper.
    Dark,
}

/// One colour in both themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shade {
    /// On white paper.
    pub light: Rgb,
    /// On dark paper.
    pub dark: Rgb,
}

impl Shade {
    const fn of(light: u32, dark: u32) -> Shade {
        Shade { light: Rgb::hex(light), dark: Rgb::hex(dark) }
    }

    /// The value in a theme.
    pub const fn in_theme(self, theme: Theme) -> Rgb {
        match theme {
            Theme::Light => self.light,
            Theme::Dark => self.dark,
        }
    }
}

/// A tag's colours: fill for areas and marks, ink for text, and what a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tint {
    /// Areas and marks.
    pub fill: Shade,
    /// Text, thin lines and hollow marks.
    pub ink: Shade,
    /// Colour of a 256-colour terminal.
    pub ansi: u8,
    /// Letter where there is no colour.
    pub letter: char,
}

/// The colours that look.md §2 lists; derived ones are made from them by [`Colour::rgb`].
pub struct Palette {
    /// Tags in the order of a stack, bottom to top; `None` is untagged.
    pub tags: [(Hue, Tint); 12],
    /// The arm before training: fill, outline, line, ink.
    pub base: [Shade; 4],
    /// The arm after training.
    pub trained: Shade,
    /// Other arms: marks, lines.
    pub steel: [Shade; 2],
    /// Paper, text, muted, axis, grid.
    pub page: [Shade; 5],
    /// Wash, line, warning's back and text, link.
    pub parts: [Shade; 5],
    /// ANSI code of the base arm; the trained arm is bold.
    pub base_ansi: u8,
}

/// The one palette.
pub const PALETTE: Palette = Palette {
    tags: [
        (Some(TagName::Exploration), tint([0x618EDD, 0x46669F, 0x76BBFF, 0x76BBFF], 68, 'x')),
        (Some(TagName::Planning), tint([0x7BCAFB, 0x45728E, 0xB7D6F6, 0xB7D6F6], 33, 'p')),
        (Some(TagName::Setup), tint([0xE3C8A9, 0x7B6C5C, 0xB9A89B, 0xB9A89B], 137, 's')),
        (Some(TagName::Execution), tint([0xF0AC2C, 0x8D651A, 0xF4CF49, 0xF4CF49], 136, 'r')),
        (Some(TagName::Testing), tint([0x256A54, 0x256A54, 0x509273, 0x69A287], 29, 't')),
        (Some(TagName::Editing), tint([0xC95804, 0xA44803, 0xE78100, 0xE78100], 166, 'e')),
        (Some(TagName::Submission), tint([0x4529A2, 0x4529A2, 0x9842C1, 0xB374D1], 93, 'S')),
        (Some(TagName::Delegation), tint([0x415860, 0x415860, 0x4A6F6B, 0x7A9592], 59, 'd')),
        (Some(TagName::Network), tint([0xA50108, 0xA50108, 0xC53A43, 0xD46E75], 160, 'n')),
        (Some(TagName::Recovery), tint([0x71955D, 0x557046, 0xAFC383, 0xAFC383], 65, 'R')),
        (Some(TagName::Loop), tint([0xA9538C, 0x96497C, 0xE799BF, 0xE799BF], 132, 'L')),
        (None, tint([0xDADDE1, 0x6D6E70, 0x3C434C, 0x84898E], 246, '·')),
    ],
    base: [
        Shade::of(0x9BA3AD, 0x7D8590),
        Shade::of(0x5A6572, 0x9096A0),
        Shade::of(0x7A838E, 0x9096A0),
        Shade::of(0x63686E, 0x9096A0),
    ],
    trained: Shade::of(0x16324F, 0xE6EBF1),
    steel: [Shade::of(0x8093A8, 0x8093A8), Shade::of(0x5F7D9C, 0x8093A8)],
    page: [
        Shade::of(0xFFFFFF, 0x14181D),
        Shade::of(0x1B2430, 0xE8ECF1),
        Shade::of(0x5A6572, 0x9AA5B1),
        Shade::of(0x5A6572, 0x87919C),
        Shade::of(0xE4E8EC, 0x262C34),
    ],
    parts: [
        Shade::of(0xF5F7F9, 0x1B2027),
        Shade::of(0xDCE1E6, 0x2E353E),
        Shade::of(0xFFF6E0, 0x2A2413),
        Shade::of(0x7A5200, 0xF0C869),
        Shade::of(0x1C4E80, 0x9CC7F5),
    ],
    base_ansi: 246,
};

const fn tint([fill, ink, dark_fill, dark_ink]: [u32; 4], ansi: u8, letter: char) -> Tint {
    Tint { fill: Shade::of(fill, dark_fill), ink: Shade::of(ink, dark_ink), ansi, letter }
}

impl Palette {
    /// A tag's colours.
    pub fn tint(&self, hue: Hue) -> Tint {
        let found = self.tags.iter().find(|(name, _)| *name == hue);
        found.expect("every tag and untagged have a tint").1
    }

    /// Every colour of a theme as CSS custom properties (`--testing:#256A54;…`), which `Svg::for_page` refers to.
    pub fn css(&self, theme: Theme) -> String {
        let properties = Colour::all().into_iter();
        properties.map(|colour| format!("--{}:{};", colour.name(), colour.rgb(theme).text())).collect()
    }
}

/// A colour by its meaning, the only way that a chart names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// What everything is drawn on.
    Paper,
    /// Text.
    Text,
    /// Lesser text.
    Muted,
    /// Axes and ticks.
    Axis,
    /// Grid.
    Grid,
    /// Pale areas of the page.
    Wash,
    /// Lines of the page.
    Line,
    /// Behind a warning.
    WarningBack,
    /// A warning's text.
    WarningText,
    /// A link.
    Link,
    /// The base arm's areas and marks.
    Base,
    /// Outline of a base area.
    BaseOutline,
    /// The base arm's lines and hatching.
    BaseLine,
    /// The base arm's text.
    BaseInk,
    /// The trained arm.
    Trained,
    /// Pair cell "only trained".
    OnlyTrained,
    /// Marks of other arms.
    Steel,
    /// Lines of other arms.
    SteelLine,
    /// Band of the base arm.
    BaseBand,
    /// Band of the trained arm.
    TrainedBand,
    /// Band of another arm.
    SteelBand,
    /// Pale track behind a bar.
    Track,
    /// A tag's areas and marks.
    Fill(Hue),
    /// A tag's text, thin lines, hollow marks.
    Ink(Hue),
    /// Text on a tag's fill.
    On(Hue),
    /// A chip's back: 17 % of the tag's fill.
    Chip(Hue),
}

/// Colours that belong to no tag.
const PLAIN: [Colour; 22] = [
    Colour::Paper,
    Colour::Text,
    Colour::Muted,
    Colour::Axis,
    Colour::Grid,
    Colour::Wash,
    Colour::Line,
    Colour::WarningBack,
    Colour::WarningText,
    Colour::Link,
    Colour::Base,
    Colour::BaseOutline,
    Colour::BaseLine,
    Colour::BaseInk,
    Colour::Trained,
    Colour::OnlyTrained,
    Colour::Steel,
    Colour::SteelLine,
    Colour::BaseBand,
    Colour::TrainedBand,
    Colour::SteelBand,
    Colour::Track,
];

impl Colour {
    /// Every colour, in a fixed order.
    pub fn all() -> Vec<Colour> {
        let mut all = PLAIN.to_vec();
        for (hue, _) in PALETTE.tags {
            all.extend([Colour::Fill(hue), Colour::Ink(hue), Colour::On(hue), Colour::Chip(hue)]);
        }
        all
    }

    /// Name of its CSS custom property, without the dashes.
    pub fn name(self) -> String {
        let tag = |hue: Hue| hue.map_or("untagged", TagName::as_str);
        match self {
            Colour::Paper => "paper".to_owned(),
            Colour::Text => "text".to_owned(),
            Colour::Muted => "muted".to_owned(),
            Colour::Axis => "axis".to_owned(),
            Colour::Grid => "grid".to_owned(),
            Colour::Wash => "wash".to_owned(),
            Colour::Line => "line".to_owned(),
            Colour::WarningBack => "warning-back".to_owned(),
            Colour::WarningText => "warning-text".to_owned(),
            Colour::Link => "link".to_owned(),
            Colour::Base => "base".to_owned(),
            Colour::BaseOutline => "base-outline".to_owned(),
            Colour::BaseLine => "base-line".to_owned(),
            Colour::BaseInk => "base-ink".to_owned(),
            Colour::Trained => "trained".to_owned(),
            Colour::OnlyTrained => "only-trained".to_owned(),
            Colour::Steel => "steel".to_owned(),
            Colour::SteelLine => "steel-line".to_owned(),
            Colour::BaseBand => "base-band".to_owned(),
            Colour::TrainedBand => "trained-band".to_owned(),
            Colour::SteelBand => "steel-band".to_owned(),
            Colour::Track => "track".to_owned(),
            Colour::Fill(hue) => tag(hue).to_owned(),
            Colour::Ink(hue) => format!("{}-ink", tag(hue)),
            Colour::On(hue) => format!("{}-on", tag(hue)),
            Colour::Chip(hue) => format!("{}-chip", tag(hue)),
        }
    }

    /// The value in a theme.
    pub fn rgb(self, theme: Theme) -> Rgb {
        let palette = &PALETTE;
        let paper = palette.page[0].in_theme(theme);
        let shade = match self {
            Colour::Paper => palette.page[0],
            Colour::Text => palette.page[1],
            Colour::Muted => palette.page[2],
            Colour::Axis => palette.page[3],
            Colour::Grid => palette.page[4],
            Colour::Wash => palette.parts[0],
            Colour::Line => palette.parts[1],
            Colour::WarningBack => palette.parts[2],
            Colour::WarningText => palette.parts[3],
            Colour::Link => palette.parts[4],
            Colour::Base => palette.base[0],
            Colour::BaseOutline => palette.base[1],
            Colour::BaseLine => palette.base[2],
            Colour::BaseInk => palette.base[3],
            Colour::Trained => palette.trained,
            Colour::Steel => palette.steel[0],
            Colour::SteelLine => palette.steel[1],
            Colour::Fill(hue) => palette.tint(hue).fill,
            Colour::Ink(hue) => palette.tint(hue).ink,
            Colour::OnlyTrained => return Colour::Trained.rgb(theme).over(paper, 0.72),
            Colour::BaseBand => return Colour::BaseLine.rgb(theme).over(paper, 0.13),
            Colour::TrainedBand => return Colour::Trained.rgb(theme).over(paper, 0.13),
            Colour::SteelBand => return Colour::SteelLine.rgb(theme).over(paper, 0.13),
            Colour::Track => return Colour::Text.rgb(theme).over(paper, 0.07),
            Colour::On(hue) => return text_on(Colour::Fill(hue).rgb(theme), theme),
            Colour::Chip(hue) => return Colour::Fill(hue).rgb(theme).over(paper, 0.17),
        };
        shade.in_theme(theme)
    }
}

/// Text on an area: the lighter of paper and text wherever it reads (bold, 3 : 1), else the darker.
fn text_on(fill: Rgb, theme: Theme) -> Rgb {
    let (paper, text) = (Colour::Paper.rgb(theme), Colour::Text.rgb(theme));
    let (lighter, darker) = if paper.luminance() > text.luminance() { (paper, text) } else { (text, paper) };
    if lighter.contrast(fill) >= 3.0 { lighter } else { darker }
}

/// An arm's areas and marks.
pub const fn mark(role: Role) -> Colour {
    match role {
        Role::Base | Role::Public => Colour::Base,
        Role::Trained => Colour::Trained,
        Role::Other => Colour::Steel,
    }
}

/// An arm's lines.
pub const fn line(role: Role) -> Colour {
    match role {
        Role::Base | Role::Public => Colour::BaseLine,
        Role::Trained => Colour::Trained,
        Role::Other => Colour::SteelLine,
    }
}

/// An arm's text.
pub const fn ink(role: Role) -> Colour {
    match role {
        Role::Base | Role::Public => Colour::BaseInk,
        Role::Trained => Colour::Trained,
        Role::Other => Colour::Text,
    }
}

/// An arm's band of uncertainty.
pub const fn band(role: Role) -> Colour {
    match role {
        Role::Base | Role::Public => Colour::BaseBand,
        Role::Trained => Colour::TrainedBand,
        Role::Other => Colour::SteelBand,
    }
}

/// A tag's thin lines and hollow marks: its fill, or its ink where the fill is too pale for a line.
pub const fn tag_line(hue: Hue) -> Colour {
    match hue {
        Some(TagName::Setup | TagName::Execution | TagName::Planning) | None => Colour::Ink(hue),
        _ => Colour::Fill(hue),
    }
}
