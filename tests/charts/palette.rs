//! The figures that look.md §2 states as checked: distances under colour-vision deficiency (Machado 2009 at full
//! severity, CIEDE2000), contrasts, lightness in grey print, ANSI colours.

use ethogram::charts::palette::{Colour, PALETTE, Rgb, Theme, linear};
use ethogram::model::tag::TagName;

type Matrix = [[f64; 3]; 3];
const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const PROTAN: Matrix =
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
const DEUTAN: Matrix =
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
const TRITAN: Matrix =
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]];
const VISIONS: [Matrix; 4] = [NORMAL, PROTAN, DEUTAN, TRITAN];

fn times(matrix: Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

/// CIE Lab (D65) of what an eye with that vision sees.
fn lab(colour: Rgb, vision: Matrix) -> [f64; 3] {
    let seen = times(vision, [colour.0, colour.1, colour.2].map(|part| linear(f64::from(part) / 255.0)));
    let to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ];
    let [x, y, z] = times(to_xyz, seen.map(|part| part.clamp(0.0, 1.0)));
    let f = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
    let (x, y, z) = (f(x / 0.95047), f(y), f(z / 1.08883));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000 after Sharma, Wu and Dalal 2005.
fn distance([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let mean_c = (a1.hypot(b1) + a2.hypot(b2)) / 2.0;
    let g = 0.5 * (1.0 - (mean_c.powi(7) / (mean_c.powi(7) + 25f64.powi(7))).sqrt());
    let (a1, a2) = (a1 * (1.0 + g), a2 * (1.0 + g));
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue =
        |b: f64, a: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(b1, a1), hue(b2, a2));
    let apart = h2 - h1;
    let turn = if c1 * c2 == 0.0 {
        0.0
    } else if apart.abs() <= 180.0 {
        apart
    } else {
        apart - 360.0 * apart.signum()
    };
    let mean_h = match (c1 * c2 == 0.0, apart.abs() <= 180.0, h1 + h2 < 360.0) {
        (true, _, _) => h1 + h2,
        (_, true, _) => (h1 + h2) / 2.0,
        (_, _, true) => (h1 + h2 + 360.0) / 2.0,
        _ => (h1 + h2 - 360.0) / 2.0,
    };
    let (dl, dc) = (l2 - l1, c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (mean_l, mean_c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(mean_h - 30.0) + 0.24 * cos(2.0 * mean_h) + 0.32 * cos(3.0 * mean_h + 6.0)
        - 0.20 * cos(4.0 * mean_h - 63.0);
    let sl = 1.0 + 0.015 * (mean_l - 50.0).powi(2) / (20.0 + (mean_l - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * mean_c, 1.0 + 0.015 * mean_c * t);
    let rc = 2.0 * (mean_c.powi(7) / (mean_c.powi(7) + 25f64.powi(7))).sqrt();
    let rt = -(2.0 * (30.0 * (-((mean_h - 275.0) / 25.0).powi(2)).exp()).to_radians()).sin() * rc;
    ((dl / sl).powi(2) + (dc / sc).powi(2) + (dh / sh).powi(2) + rt * dc / sc * dh / sh).sqrt()
}

fn least(colours: &[Rgb], vision: Matrix) -> f64 {
    let seen: Vec<_> = colours.iter().map(|colour| lab(*colour, vision)).collect();
    let pairs =
        seen.iter().enumerate().flat_map(|(place, one)| seen[place + 1..].iter().map(move |two| (one, two)));
    pairs.map(|(one, two)| distance(*one, *two)).fold(f64::INFINITY, f64::min)
}

fn fourteen(theme: Theme) -> Vec<Rgb> {
    let tags = PALETTE.tags.iter().map(|(hue, _)| Colour::Fill(*hue).rgb(theme));
    tags.chain([Colour::Base.rgb(theme), Colour::Trained.rgb(theme)]).collect()
}

fn fills(names: &[TagName], theme: Theme) -> Vec<Rgb> {
    names.iter().map(|name| Colour::Fill(Some(*name)).rgb(theme)).collect()
}

/// One decimal, as the page prints it.
fn near(got: f64, printed: f64) -> bool {
    (got - printed).abs() <= 0.0501
}

#[test]
fn distance_agrees_with_published_pairs() {
    // Pairs 1, 7 and 17 of Sharma, Wu and Dalal 2005, table 1.
    assert!((distance([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485]) - 2.0425).abs() < 1e-4);
    assert!((distance([50.0, 0.0, 0.0], [50.0, -1.0, 2.0]) - 2.3669).abs() < 1e-4);
    assert!((distance([50.0, 2.5, 0.0], [73.0, 25.0, -18.0]) - 27.1492).abs() < 1e-4);
}

#[test]
fn least_distance_of_any_two() {
    for (theme, printed) in [(Theme::Light, [15.3, 12.1, 11.5, 9.5]), (Theme::Dark, [10.7, 10.3, 11.1, 11.9])]
    {
        let got = VISIONS.map(|vision| least(&fourteen(theme), vision));
        for (one, want) in got.iter().zip(printed) {
            assert!(near(*one, want), "{theme:?}: {got:?}, look.md says {printed:?}");
        }
    }
}

#[test]
fn the_four_main_tags_stay_apart_in_every_vision() {
    let main = [TagName::Exploration, TagName::Editing, TagName::Testing, TagName::Submission];
    for theme in [Theme::Light, Theme::Dark] {
        for vision in VISIONS {
            assert!(least(&fills(&main, theme), vision) >= 17.65, "{theme:?}");
        }
    }
}

#[test]
fn grey_print_keeps_steps() {
    let lightness = |colour: Colour| lab(colour.rgb(Theme::Light), NORMAL)[0];
    let tag = |name| lightness(Colour::Fill(Some(name)));
    for (got, printed) in [
        (tag(TagName::Exploration), 59.0),
        (tag(TagName::Editing), 51.0),
        (tag(TagName::Testing), 40.0),
        (tag(TagName::Submission), 28.0),
        (lightness(Colour::Trained), 20.0),
        (lightness(Colour::Base), 67.0),
    ] {
        assert!((got - printed).abs() <= 0.5, "{got} {printed}");
    }
}

#[test]
fn inks_read_on_paper_and_on_their_chip() {
    for theme in [Theme::Light, Theme::Dark] {
        let paper = Colour::Paper.rgb(theme);
        for (hue, _) in PALETTE.tags {
            let ink = Colour::Ink(hue).rgb(theme);
            assert!(ink.contrast(Colour::Chip(hue).rgb(theme)) >= 4.55, "{hue:?} {theme:?} chip");
            assert!(ink.contrast(paper) >= 4.6, "{hue:?} {theme:?} paper");
            assert!(
                Colour::On(hue).rgb(theme).contrast(Colour::Fill(hue).rgb(theme)) >= 3.0,
                "{hue:?} {theme:?} on"
            );
        }
        for colour in [Colour::BaseInk, Colour::Trained, Colour::Text, Colour::Muted, Colour::Link] {
            assert!(colour.rgb(theme).contrast(paper) >= 4.6, "{colour:?} {theme:?}");
        }
        assert!(Colour::WarningText.rgb(theme).contrast(Colour::WarningBack.rgb(theme)) >= 4.6);
    }
}

#[test]
fn fills_that_serve_as_marks_read_on_paper() {
    use TagName::{Delegation, Editing, Execution, Exploration, Loop, Network, Planning, Recovery, Setup};
    let on_paper = |hue| Colour::Fill(hue).rgb(Theme::Light).contrast(Colour::Paper.rgb(Theme::Light));
    let marks =
        [Exploration, Editing, TagName::Testing, TagName::Submission, Network, Loop, Recovery, Delegation];
    for name in marks {
        assert!(on_paper(Some(name)) >= 3.2, "{name:?}");
    }
    for (hue, printed) in [(Some(Execution), 2.0), (Some(Setup), 1.6), (Some(Planning), 1.8), (None, 1.4)] {
        assert!(near(on_paper(hue), printed), "{hue:?} {}", on_paper(hue));
    }
}

#[test]
fn ansi_colours_read_on_white_and_on_black() {
    for (hue, tint) in PALETTE.tags {
        let colour = xterm(tint.ansi);
        assert!(colour.contrast(Rgb(255, 255, 255)) >= 2.95, "{hue:?} on white");
        assert!(colour.contrast(Rgb(0, 0, 0)) >= 2.95, "{hue:?} on black");
    }
}

/// The 6 × 6 × 6 cube and the grey ramp of xterm.
fn xterm(code: u8) -> Rgb {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match code {
        232.. => Rgb(8 + 10 * (code - 232), 8 + 10 * (code - 232), 8 + 10 * (code - 232)),
        _ => Rgb(level((code - 16) / 36), level((code - 16) / 6 % 6), level((code - 16) % 6)),
    }
}

#[test]
fn every_colour_has_its_own_property() {
    let mut names: Vec<_> = Colour::all().into_iter().map(Colour::name).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(PALETTE.css(Theme::Light).contains("--testing:#256A54;"));
    assert!(PALETTE.css(Theme::Dark).contains("--testing-ink:#69A287;"));
    let mut letters: Vec<_> = PALETTE.tags.iter().map(|(_, tint)| tint.letter).collect();
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters.len(), 12);
}
