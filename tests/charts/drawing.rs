//! Every chart over every small series: golden drawings, nothing cut, no text over another, hostile text escaped, equal
//! bytes twice. `PICTURES=folder cargo test charts` writes PNGs to look at.

use super::series;
use crate::support::{golden, repository};
use ethogram::charts::canvas::{Face, clean, fit, width_of, wrap};
use ethogram::charts::frame::{apart, shared_prefix, step, whole_step};
use ethogram::charts::palette::{Colour, Theme};
use ethogram::charts::{CHARTS, Style, Svg, canvas, draw};
use ethogram::model::series::Series;
use std::collections::BTreeSet;

const PAPER: Style = Style { paper: true };

/// One text of a drawing, in points.
struct Text {
    words: String,
    left: f64,
    right: f64,
    y: f64,
    half: f64,
}

fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let start = head.find(&format!(" {name}=\""))? + name.len() + 3;
    head[start..].split('"').next()
}

fn texts(svg: &str) -> Vec<Text> {
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    lines.map(|line| text(line).unwrap_or_else(|| panic!("not a text: {line}"))).collect()
}

fn text(line: &str) -> Option<Text> {
    let (head, rest) = line.split_once('>')?;
    let words = rest.strip_suffix("</text>")?;
    let words =
        words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    let words = words.replace("&amp;", "&");
    let number = |name: &str| attribute(head, name)?.parse::<f64>().ok().map(|tenths| tenths / 10.0);
    let face = Face { size: number("font-size")?, bold: head.contains("font-weight=\"bold\"") };
    let (x, wide) = (number("x")?, width_of(&words, face));
    let left = match attribute(head, "text-anchor") {
        Some("end") => x - wide,
        Some("middle") => x - wide / 2.0,
        _ => x,
    };
    Some(Text { words, left, right: left + wide, y: number("y")?, half: face.size * 0.4 })
}

fn cut_or_covered(svg: &Svg) -> Vec<String> {
    let (width, height) = svg.size();
    let texts = texts(&svg.linked());
    let mut found = Vec::new();
    for (place, one) in texts.iter().enumerate() {
        if one.left < -0.2
            || one.right > width + 0.2
            || one.y - one.half < -0.2
            || one.y + one.half > height + 0.2
        {
            found.push(format!("cut: {:?} at {:.0}…{:.0}, {:.0}", one.words, one.left, one.right, one.y));
        }
        for two in &texts[place + 1..] {
            let beside = one.right <= two.left + 0.3 || two.right <= one.left + 0.3;
            let apart = (one.y - two.y).abs() + 0.3 >= one.half + two.half;
            if !beside && !apart {
                found.push(format!("over each other: {:?} and {:?} at y {:.0}", one.words, two.words, one.y));
            }
        }
    }
    found
}

#[test]
fn every_series_draws_as_its_golden_says() {
    let folder = repository().join("fixtures/charts");
    let mut drawn = BTreeSet::new();
    for (name, series) in series::all() {
        let (chart, svg) = draw(&series, &Style::default());
        assert!(name.starts_with(chart.name), "{name} was drawn by {}", chart.name);
        drawn.insert(chart.name);
        if let Some(folder) = std::env::var_os("PICTURES") {
            let folder = std::path::PathBuf::from(folder);
            std::fs::write(folder.join(format!("{name}.png")), svg.png(2.6, &mut Vec::new())).unwrap();
            let dark = svg.clone().in_theme(Theme::Dark);
            std::fs::write(folder.join(format!("{name}-dark.png")), dark.png(2.6, &mut Vec::new())).unwrap();
        }
        if is_golden(name, chart.name) {
            golden(&folder.join(format!("{name}.svg")), &svg.linked());
        }
    }
    assert!(CHARTS.iter().all(|chart| drawn.contains(chart.name)), "a chart without a golden: {drawn:?}");
    assert!(CHARTS.windows(2).all(|two| two[0].name < two[1].name), "CHARTS is sorted");
}

/// Small drawings are kept and were looked at; the large ones are held by the other tests.
fn is_golden(name: &str, chart: &str) -> bool {
    name == chart || ["-tiny", "-small", "-zero", "-empty"].iter().any(|kind| name.ends_with(kind))
}

#[test]
fn no_text_is_cut_or_covers_another() {
    let mut found = Vec::new();
    for (name, series) in series::all() {
        for style in [Style::default(), PAPER] {
            let texts = cut_or_covered(&draw(&series, &style).1);
            found.extend(texts.into_iter().map(|text| format!("{name}: {text}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_text_is_smaller_than_six_points_and_none_says_nan() {
    for (name, series) in series::all() {
        let svg = draw(&series, &Style::default()).1.linked();
        for text in texts(&svg) {
            assert!(text.half >= 6.0 * 0.4 - 1e-9, "{name}: {}", text.words);
            assert!(!text.words.contains("NaN"), "{name}: {}", text.words);
        }
        assert!(!svg.contains("NaN"), "{name}");
    }
}

#[test]
fn hostile_names_stay_text() {
    for (name, series) in series::all().into_iter().filter(|(name, _)| name.ends_with("hostile")) {
        let svg = draw(&series, &Style::default()).1;
        for file in [svg.linked(), svg.for_page(), svg.standalone()] {
            assert!(!file.contains("<script"), "{name}");
            assert!(!file.contains(|sign: char| sign.is_control() && sign != '\n'), "{name}");
            assert!(!file.contains('\u{202e}') && !file.contains('\u{fffe}'), "{name}");
        }
        assert!(svg.png(1.0, &mut Vec::new()).starts_with(b"\x89PNG"), "{name} is well formed");
    }
}

#[test]
fn files_say_their_size_and_what_they_show() {
    let (_, series) = series::all().into_iter().find(|(name, _)| *name == "forest").unwrap();
    let (_, svg) = draw(&series, &Style::default());
    let linked = svg.linked();
    let height = svg.size().1;
    assert!(linked.contains(&format!("width=\"496.8pt\" height=\"{height}pt\"")), "{}", &linked[..200]);
    assert!(linked.contains("role=\"img\""));
    assert!(linked.contains("<title>What changed: deepseek-chat-v2 against gpt-4o</title>"));
    assert!(linked.contains("active testing: 53.9 and 13.5, Δ −40.4 [−52.6, −28.2], adjusted p &lt;0.001"));
    assert!(linked.contains("dy=\"0.36em\"") && !linked.contains("0.5ex"));
    assert!(!linked.contains("#0000"), "every code became a colour");
    assert!(
        svg.standalone()
            .contains("@font-face{font-family:\"Ethogram Sans\";font-weight:700;src:url(data:font/woff2")
    );
    let page = svg.for_page();
    assert!(page.contains("fill=\"var(--testing)\"") && page.contains("<svg xmlns"));
    assert!(page.contains("data-cell=\"T5.gpt-4o-deepseek-chat-v2.active_testing\""));
    assert!(!page.contains("fill=\"#"), "the page's colours are properties");
    let dark = svg.in_theme(Theme::Dark).linked();
    assert!(dark.contains(&Colour::Paper.rgb(Theme::Dark).text()) && !dark.contains("#FFFFFF"));
}

#[test]
fn a_paper_has_neither_title_nor_foot() {
    for (name, series) in series::all().into_iter().filter(|(name, _)| !name.contains("hostile")) {
        let words =
            texts(&draw(&series, &PAPER).1.linked()).into_iter().map(|text| text.words).collect::<Vec<_>>();
        assert!(
            !words.iter().any(|text| text.starts_with("unit =") || text == "pass@1 by benchmark"),
            "{name} {words:?}"
        );
    }
}

#[test]
fn pictures_have_their_size_and_ink() {
    let (_, series) = series::all().into_iter().next().unwrap();
    let (_, svg) = draw(&series, &Style::default());
    let png = svg.png(3.125, &mut Vec::new());
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    // 6.9 inches at 300 dots.
    assert_eq!(number(16), 2070);
    assert!(png.len() > 20_000, "text and bars are drawn: {}", png.len());
}

#[test]
fn the_font_is_the_one_that_was_cut() {
    let digits: BTreeSet<String> = "0123456789"
        .chars()
        .map(|digit| format!("{:.2}", width_of(&digit.to_string().repeat(100), canvas::VALUE)))
        .collect();
    assert_eq!(digits.len(), 1, "digits are tabular: {digits:?}");
    // 0.648 em, as look.md §3 measured.
    let width = width_of(&"0".repeat(100), Face { size: 10.0, bold: false });
    assert!((width - 648.0).abs() < 1.0, "{width}");
}

#[test]
fn names_are_cut_in_the_middle() {
    let name = "claude-sonnet-4-20250514-max-thinking, Oct";
    let cut = fit(name, 80.0, canvas::LABEL);
    assert!(cut.starts_with("claude-") && cut.ends_with(", Oct") && cut.contains('…'), "{cut}");
    assert!(width_of(&cut, canvas::LABEL) <= 80.0);
    assert_eq!(fit("gpt-4o", 80.0, canvas::LABEL), "gpt-4o");
    assert!(width_of(&fit(&"x".repeat(1_000_000), 80.0, canvas::LABEL), canvas::LABEL) <= 80.0);
    assert_eq!(clean(" a\n\tb\u{202e}c\u{0} "), "a bc");
    let lines = wrap("one two three four", 30.0, canvas::LABEL);
    assert!(lines.len() > 1 && lines.iter().all(|line| width_of(line, canvas::LABEL) <= 30.0), "{lines:?}");
    assert_eq!(lines.join(" "), "one two three four");
}

#[test]
fn labels_move_apart_as_little_as_they_can() {
    assert_eq!(apart(&[10.0, 30.0], 8.5, 0.0, 100.0), [10.0, 30.0]);
    assert_eq!(apart(&[10.0, 10.0], 8.5, 0.0, 100.0), [5.75, 14.25]);
    assert_eq!(apart(&[1.0, 1.0], 8.0, 0.0, 100.0), [0.0, 8.0]);
    assert_eq!(apart(&[99.0, 99.0], 8.0, 0.0, 100.0), [92.0, 100.0]);
    assert_eq!(apart(&[50.0, 51.0, 52.0], 10.0, 0.0, 100.0), [41.0, 51.0, 61.0]);
    assert!(apart(&[], 8.0, 0.0, 100.0).is_empty());
}

#[test]
fn ticks_are_round() {
    assert_eq!(step(100.0, 5.0), 20.0);
    assert_eq!(step(120.0, 6.0), 20.0);
    assert_eq!(step(30.0, 5.0), 10.0);
    assert_eq!(step(12.0, 5.0), 2.5);
    assert_eq!(step(0.9, 4.0), 0.25);
    assert_eq!(shared_prefix(&["swe-agent/a", "swe-agent/b", "swe-agent/c"]), 10);
    assert_eq!(shared_prefix(&["swe-agent/", "swe-agent/b", "swe-agent/c"]), 0);
    assert_eq!(whole_step(30.0, 12.0), 5.0);
    assert_eq!(whole_step(3.0, 6.0), 1.0);
    assert_eq!(shared_prefix(&["alpha", "beta", "gamma"]), 0);
    assert_eq!(shared_prefix(&["swe-a", "swe-b"]), 0);
}

/// Arms with long names leave the names of behaviours whole: those stand nowhere else in the drawing.
#[test]
fn long_arms_cut_no_behaviour() {
    let (_, series) = series::all().into_iter().find(|(name, _)| *name == "forest").unwrap();
    let Series::Forest(mut forest) = series else { unreachable!() };
    for (place, row) in forest.rows.iter_mut().enumerate() {
        // Different n bring a column of their own.
        row.delta.n += place as i64;
    }
    forest.arms[0].arm = "gpt-4o-2024-05-13-with-tools".to_owned();
    forest.arms[1].arm = "deepseek-chat-v2-0628-final".to_owned();
    let words: Vec<String> = texts(&draw(&Series::Forest(forest), &Style::default()).1.linked())
        .into_iter()
        .map(|text| text.words)
        .collect();
    for name in ["explicit submission", "re-edit after test"] {
        assert!(words.iter().any(|word| word == name), "{name} is cut: {words:?}");
    }
}
