//! The terminal: tables fit the width, controls are visible, colour only where it is allowed.

use ethogram::model::tag::TagName;
use ethogram::report::{Screen, compare, compare_piped, ribbon, table_text};

use super::HOSTILE;
use super::study::{java, named_java};

const PLAIN: Screen = Screen { width: 100, colour: false, ascii: false };

#[test]
fn every_line_fits_its_width() {
    let study = java();
    for width in [40, 59, 60, 79, 80, 99, 100, 120, 200] {
        let screen = Screen { width, ..PLAIN };
        for line in compare(&study.report(), screen).lines() {
            assert!(line.chars().count() <= width, "{} of {width}: {line}", line.chars().count());
        }
        for table in &study.answer.tables {
            for line in table_text(table, screen).lines() {
                assert!(line.chars().count() <= width, "{} of {width}: {line}", line.chars().count());
            }
        }
    }
}

#[test]
fn a_row_holds_value_mark_interval_and_p() {
    let text = compare(&java().report(), PLAIN);
    let line = text.lines().find(|line| line.starts_with("resolved ")).unwrap();
    for part in [" 7.1 ", " 10.7 ", " +3.6 ", "○", "│", "[−4.3, 11.8]", " 0.51 ", " 6/3"] {
        assert!(line.contains(part) || part == "│" && line.contains('┼'), "{part} in {line}");
    }
    assert!(text.starts_with("deepseek-chat-v2 solves 9 of 84"), "verdict first");
}

#[test]
fn numbers_are_never_cut_and_sizes_stand_last() {
    for width in [60, 80, 100, 140] {
        let text = compare(&java().report(), Screen { width, ..PLAIN });
        let rows: Vec<&str> = text.lines().filter(|line| line.contains('○') || line.contains('●')).collect();
        assert!(rows.len() > 10);
        for line in &rows {
            let name = line.split("  ").next().unwrap();
            assert!(!line.trim_start_matches(name).contains('…'), "{line}");
        }
        let turns = text.lines().position(|line| line.starts_with("model turns")).unwrap();
        assert_eq!(text.lines().nth(turns - 1).unwrap(), "", "sizes are a family of their own");
    }
}

#[test]
fn colour_only_where_it_is_allowed() {
    assert!(!compare(&java().report(), PLAIN).contains('\u{1b}'));
    assert!(compare(&java().report(), Screen { colour: true, ..PLAIN }).contains("\u{1b}[1m"));
    let ascii = compare(&java().report(), Screen { ascii: true, ..PLAIN });
    assert!(!ascii.contains(['─', '●', '○', '│', '┼']));
}

#[test]
fn controls_of_data_are_visible() {
    let study = named_java(HOSTILE[4], HOSTILE[5], "x\u{1b}[2J", "s\u{202e}");
    for text in [compare(&study.report(), PLAIN), compare_piped(&study.report())] {
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text}");
        assert!(text.contains("\\u{1b}"));
    }
}

#[test]
fn piped_is_tab_separated_in_full_precision() {
    let text = compare_piped(&java().report());
    let heads: Vec<&str> = text.lines().next().unwrap().split('\t').collect();
    let line: Vec<&str> =
        text.lines().find(|line| line.contains("\tresolved\t")).unwrap().split('\t').collect();
    assert_eq!(heads.len(), line.len());
    let value = |name: &str| line[heads.iter().position(|head| *head == name).unwrap()];
    assert_eq!(value("p"), "0.5078125");
    assert_eq!((value("base_num"), value("base_den"), value("trained_num")), ("6", "84", "9"));
}

#[test]
fn ribbons_are_letters_or_blocks() {
    let tags = [
        Some(TagName::Editing),
        Some(TagName::Exploration),
        Some(TagName::Testing),
        None,
        Some(TagName::Submission),
    ];
    assert_eq!(ribbon(&tags, PLAIN), "ext·S\n");
    assert_eq!(ribbon(&tags, Screen { ascii: true, ..PLAIN }), "ext.S\n");
    let coloured = ribbon(&tags, Screen { colour: true, ..PLAIN });
    assert!(coloured.starts_with("\u{1b}[38;5;166m█\u{1b}[38;5;68m█"), "{coloured:?}");
    let long = ribbon(&[Some(TagName::Editing); 25], Screen { width: 13, ..PLAIN });
    assert_eq!(long, " 0 eeeeeeeeee\n10 eeeeeeeeee\n20 eeeee\n");
}
