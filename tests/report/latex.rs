//! The LaTeX of tables: what a name may not do, how a row is set, and the commands of `numbers.tex`.

use std::collections::BTreeSet;

use ethogram::model::table::{Cell, Missing};
use ethogram::report::{numbers_latex, table_latex};

use super::HOSTILE;
use super::formats::{numbers, table};
use crate::support::latex;

/// Behaviour, share with its count, Δ bold where adjusted p < 0.05, interval, p: `look.md` §10.
#[test]
fn a_row_is_set_as_the_look_says() {
    let text = table_latex(&table(vec![numbers("edits source")]));
    assert!(text.contains("{edits source}\\tnote{a} & 64.8 & 474/731 & \\bfseries -4.9 & "), "{text}");
    assert!(text.contains("\\toprule") && text.contains("\\bottomrule") && !text.contains('|'), "{text}");
    assert!(text.contains("\\caption{base against rl. Shares in \\%. Unit: instance.}"), "{text}");
}

/// Signs that are commands stand escaped in every place: cell, head, caption, note, foot, group, id.
#[test]
fn a_name_is_no_command() {
    let mut hostile = table(HOSTILE.map(numbers).to_vec());
    let all = HOSTILE.join(" ");
    for place in [&mut hostile.title, &mut hostile.subtitle, &mut hostile.id] {
        place.clone_from(&all);
    }
    hostile.columns[1].head.clone_from(&all);
    hostile.foot.extend(HOSTILE.map(str::to_owned));
    for (row, name) in hostile.rows.iter_mut().zip(HOSTILE) {
        row.notes = vec![name.to_owned()];
        row.group = name.to_owned();
        row.id = name.to_owned();
    }
    let text = table_latex(&hostile);
    assert!(!text.contains("\\input{"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("T.tex"), &text).unwrap();
    std::fs::write(folder.path().join("N.tex"), document(&numbers_latex(&[&hostile]), "nothing")).unwrap();
    let Some(printed) = latex(folder.path(), "T") else { return };
    let words: String = printed.chars().filter(|sign| !sign.is_whitespace()).collect();
    assert!(
        words.contains(r"\input{/etc/passwd}$x^2$") && words.contains("<script>alert(1)</script>"),
        "{printed}"
    );
    latex(folder.path(), "N");
}

/// Every letter of Latin-1 and Latin Extended-A prints: as itself, or by its number where the encoding has no glyph.
#[test]
fn letters_that_the_encoding_lacks_are_numbers() {
    let mut letters = table(vec![numbers("names")]);
    let all: Vec<String> = ('\u{a1}'..='\u{17f}').map(String::from).collect();
    letters.rows[0].group = all.join(" ");
    letters.foot.push("Ħal".to_owned());
    let text = table_latex(&letters);
    assert!(text.contains("\\texttt{U+0126}al") && text.contains(" Ł "), "{text}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("L.tex"), &text).unwrap();
    latex(folder.path(), "L");
}

fn document(commands: &str, text: &str) -> String {
    let packages = r"\usepackage[T1]{fontenc}\usepackage{lmodern,textcomp,array,booktabs,threeparttable,rotating,siunitx}";
    format!(
        "\\documentclass{{article}}{packages}\n{commands}\n\\begin{{document}}\n{text}\n\\end{{document}}\n"
    )
}

/// One file compiles by itself, and two of them go into one paper.
#[test]
fn a_table_stands_alone_and_is_included() {
    let folder = tempfile::tempdir().unwrap();
    let first = table(vec![numbers("edits source"), numbers("tests")]);
    std::fs::write(folder.path().join("one.tex"), table_latex(&first)).unwrap();
    std::fs::write(folder.path().join("two.tex"), table_latex(&first).replace("tab:T5", "tab:T6")).unwrap();
    let text = "\\input{one}\n\\input{two}\nthat is \\ethTFiveBaseRlRowZeroDelta{} points";
    let paper = document(&numbers_latex(&[&first]), text);
    std::fs::write(folder.path().join("paper.tex"), paper).unwrap();
    let Some(alone) = latex(folder.path(), "one") else { return };
    assert!(alone.contains("Table 1") && alone.contains("474/731"), "{alone}");
    let Some(both) = latex(folder.path(), "paper") else { return };
    assert!(both.contains("Table 1") && both.contains("Table 2") && both.contains("that is"), "{both}");
}

/// Names are letters alone, and two places never share one.
#[test]
fn every_number_has_a_command_of_its_own() {
    let mut cells = table(vec![numbers("a"), numbers("b"), numbers("c")]);
    cells.rows[0].id = "a-b".to_owned();
    cells.rows[1].id = "a_b".to_owned();
    cells.rows[2].id = "7".to_owned();
    cells.rows[2].cells[1] = Cell::Missing(Missing::Undefined);
    let text = numbers_latex(&[&cells]);
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("\\newcommand{\\")?.split_once('}').map(|(name, _)| name))
        .collect();
    assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic())), "{names:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    assert!(text.contains("\\newcommand{\\ethTFiveBaseRlABDelta}{$-$4.9}% T5.base-rl.a-b.delta"), "{text}");
    assert!(text.contains("\\newcommand{\\ethTFiveBaseRlSevenTrained}{\\textendash{}}"), "{text}");
    assert!(text.contains("\\newcommand{\\ethTFiveBaseRlABTrainedNum}{474}"), "{text}");
}
