//! Markdown, CSV and JSON of one table: numbers and escapes.

use ethogram::model::table::{Align, Cell, Column, Missing, Row, Table};
use ethogram::report::{file_name, frame_csv, table_csv, table_json, table_markdown, visible};
use ethogram::store::{ColumnType, Frame, FrameColumn, Value};

use super::HOSTILE;

fn column(name: &str, head: &str, align: Align) -> Column {
    Column { name: name.to_owned(), head: head.to_owned(), unit: String::new(), align }
}

pub fn table(rows: Vec<Vec<Cell>>) -> Table {
    Table {
        code: "T5".to_owned(),
        id: "T5.base-rl".to_owned(),
        title: "base against rl".to_owned(),
        subtitle: "shares in %".to_owned(),
        columns: vec![
            column("behaviour", "behaviour", Align::Left),
            column("trained", "rl", Align::Right),
            column("delta", "Δ", Align::Right),
            column("interval", "95 % interval", Align::Right),
            column("p", "p", Align::Right),
        ],
        rows: rows
            .into_iter()
            .enumerate()
            .map(|(place, cells)| Row {
                id: format!("row{place}"),
                cells,
                strong: place == 0,
                group: String::new(),
                notes: if place == 0 {
                    vec!["largest differences: a__b-1 (gained)".to_owned()]
                } else {
                    Vec::new()
                },
            })
            .collect(),
        foot: vec!["unit=instance".to_owned(), "seed 7".to_owned()],
        decimals: 1,
    }
}

pub fn numbers(name: &str) -> Vec<Cell> {
    vec![
        Cell::Text(name.to_owned()),
        Cell::Share { num: 474, den: 731 },
        Cell::Delta(-0.049),
        Cell::Interval { low: -0.039, high: 0.115 },
        Cell::P(2.4e-17),
    ]
}

fn missing() -> Vec<Cell> {
    vec![
        Cell::Text("never".to_owned()),
        Cell::Missing(Missing::NotApplicable),
        Cell::Missing(Missing::Undefined),
        Cell::Missing(Missing::Undefined),
        Cell::Missing(Missing::NoPartner),
    ]
}

#[test]
fn markdown_is_aligned_and_has_foot_and_notes() {
    let text = table_markdown(&table(vec![numbers("active testing"), missing()]), 2);
    let want = "\
## T5: base against rl

Shares in %.

| behaviour      |             rl |        Δ | 95 % interval |          p |
| -------------- | -------------: | -------: | ------------: | ---------: |
| active testing | 64.8 (474/731) | **−4.9** |  [−3.9, 11.5] |     <0.001 |
| never          |              – |        – |             – | no partner |

- active testing: largest differences: a__b-1 (gained)

<sub>unit=instance; seed 7.</sub>
";
    assert_eq!(text, want);
}

#[test]
fn markdown_escapes_data() {
    let rows: Vec<Vec<Cell>> = HOSTILE.iter().map(|name| numbers(name)).collect();
    let text = table_markdown(&table(rows), 2);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(lines.len(), 2 + HOSTILE.len(), "no name breaks a row");
    for line in &lines {
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 6, "{line}");
    }
    assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
    assert!(text.contains("\\`c\\`\\*d\\*[x\\](javascript"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "controls are visible");
    assert!(text.contains("abc\\\\u{202e}txt.exe"), "{text}");
    assert!(text.contains("\\\\input{/etc/passwd}\\$x^2\\$"), "{text}");
}

#[test]
fn csv_has_full_precision_and_parts() {
    let text = table_csv(&table(vec![numbers("active testing"), missing()]));
    assert_eq!(
        text,
        format!(
            "row,behaviour,trained,trained_num,trained_den,delta,interval_low,interval_high,p\n\
             row0,active testing,{},474,731,-0.049,-0.039,0.115,2.4e-17\n\
             row1,never,,,,,,,\n",
            474.0 / 731.0
        )
    );
}

#[test]
fn csv_guards_formulas_and_quotes() {
    let names = ["=1+1", "+x", "-x", "@x", "\tx", "a,\"b\"\nc", "plain", "ok\n=1", "a;-x"];
    let text = table_csv(&table(names.iter().map(|name| numbers(name)).collect()));
    for want in [
        ",'=1+1,",
        ",'+x,",
        ",'-x,",
        ",'@x,",
        ",'\tx,",
        ",\"a,\"\"b\"\"\nc\",",
        ",plain,",
        "ok\n'=1",
        ",a;'-x,",
    ] {
        assert!(text.contains(want), "{want:?} in {text}");
    }
    assert!(text.contains(",-0.049,"), "a number below zero stays a number");
}

#[test]
fn csv_of_a_frame() {
    let column = |name: &str, kind| FrameColumn { name: name.to_owned(), kind };
    let frame = Frame {
        columns: vec![
            column("instance_id", ColumnType::Text),
            column("n", ColumnType::Int),
            column("x", ColumnType::Float),
        ],
        rows: vec![
            vec![Value::Text("=cmd".into()), Value::Int(-1), Value::Float(-0.5)],
            vec![Value::Null, Value::Null, Value::Null],
        ],
    };
    assert_eq!(frame_csv(&frame), "instance_id,n,x\n'=cmd,-1,-0.5\n,,\n");
}

#[test]
fn json_has_numerators_reasons_and_the_full_p() {
    let text = table_json(&table(vec![numbers("active testing"), missing()]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["rows"][0]["trained"]["num"], 474);
    assert_eq!(value["rows"][0]["trained"]["den"], 731);
    assert_eq!(value["rows"][0]["p"].as_f64(), Some(2.4e-17));
    assert_eq!(value["rows"][0]["interval"]["low"].as_f64(), Some(-0.039));
    assert_eq!(value["rows"][1]["trained"]["missing"], "not applicable");
    assert_eq!(value["rows"][1]["p"]["missing"], "no partner");
    assert!(text.find("\"behaviour\"").unwrap() < text.find("\"trained\"").unwrap(), "order of the columns");
}

#[test]
fn what_acts_becomes_visible() {
    assert_eq!(visible("a\u{1b}[31m\u{202e}b\u{200b}\u{9b}"), "a\\u{1b}[31m\\u{202e}b\\u{200b}\\u{9b}");
    assert_eq!(visible("a\tb\nc"), "a b c");
    assert_eq!(visible("Δ − é 漢字"), "Δ − é 漢字");
}

#[test]
fn names_of_files_stay_below_the_folder() {
    assert_eq!(file_name("T5.gpt-4o-rl_2"), "T5.gpt-4o-rl_2");
    for name in HOSTILE.iter().chain(&["..", ".", "", "a/b", "a\\b", "C:x", &"x".repeat(400)]) {
        let file = file_name(name);
        assert!(file.len() <= 140 && !file.starts_with('.'), "{file}");
        assert!(file.chars().all(|sign| sign.is_ascii_alphanumeric() || "._-".contains(sign)), "{file}");
    }
    assert_ne!(file_name("a/b"), file_name("a:b"), "two ids never share a name");
}
