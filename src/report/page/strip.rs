//! The pair strip: six cells of instances by what the two arms solved; with several runs three by three.

use std::fmt::Write as _;

use crate::measure::Comparison;
use crate::number;

/// Steps in which the width of a cell follows its count; the style has a class for each.
const STEPS: i64 = 24;

/// What a screen reader says of the cells outside.
const OUTSIDE: &str = "Instances without a verdict in both arms";

/// One cell: class, count, word.
type StripCell = (&'static str, i64, &'static str);

/// The strip of one comparison.
pub fn strip(comparison: &Comparison) -> String {
    let coverage = &comparison.coverage;
    let unscored = coverage.unscored() as i64;
    let alone = (coverage.base_only.len() + coverage.trained_only.len()) as i64;
    let outside = [("gap", unscored, "unscored"), ("gap", alone, "no partner")];
    let cells = comparison.resolved.as_ref().and_then(|resolved| resolved.cells);
    match cells {
        Some([both, only_base, only_trained, neither]) => {
            let inside = [
                ("both", both, "both"),
                ("trained", only_trained, "only trained"),
                ("base", only_base, "only base"),
                ("neither", neither, "neither"),
            ];
            row(&[&inside[..], &outside[..]].concat(), "Instances by outcome")
        }
        None if comparison.solved.iter().flatten().sum::<i64>() > 0 => {
            let rest = if unscored + alone > 0 { row(&outside, OUTSIDE) } else { String::new() };
            matrix(comparison) + &rest
        }
        None => row(&outside, OUTSIDE),
    }
}

fn row(cells: &[StripCell], label: &str) -> String {
    let most = cells.iter().map(|cell| cell.1).max().unwrap_or_default().max(1);
    let mut out = format!("<ul class=\"strip\" aria-label=\"{label}\">\n");
    for (class, count, word) in cells {
        let step = (count * STEPS / most).max(1);
        let _ = writeln!(
            out,
            "<li class=\"{class} w{step}\"><b>{}</b> <span>{word}</span></li>",
            number::count(*count)
        );
    }
    out.push_str("</ul>\n");
    out
}

/// Instances solved in no, some and all runs: base down, trained across.
fn matrix(comparison: &Comparison) -> String {
    let words = ["none", "some", "all"];
    let mut out = String::from(
        "<table class=\"matrix\">\n<caption>instances solved in no, some and all runs</caption>\n<thead><tr><td></td>",
    );
    for word in words {
        let _ = write!(out, "<th scope=\"col\">trained {word}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (place, word) in words.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\">base {word}</th>");
        for (across, count) in comparison.solved[place].iter().enumerate() {
            let class = match across.cmp(&place) {
                std::cmp::Ordering::Greater => "trained",
                std::cmp::Ordering::Less => "base",
                std::cmp::Ordering::Equal if place == 2 => "both",
                std::cmp::Ordering::Equal => "neither",
            };
            let _ = write!(out, "<td class=\"{class}\"><b>{}</b></td>", number::count(*count));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    out
}
