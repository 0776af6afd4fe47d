//! How a rule fared on labelled turns: precision, recall and specificity with intervals, over all formats and by format.

use super::markdown::{paragraph, table};
use crate::data::accuracy::{self, Accuracy, LabelUse};
use crate::number;
use crate::tags::Family;

/// The part of a rule's page.
pub fn of(family: &Family) -> String {
    let mut rows: Vec<&Accuracy> = accuracy::on(None);
    rows.extend(formats().into_iter().flat_map(|format| accuracy::on(Some(format))));
    rows.retain(|row| family.tags.iter().any(|(tag, _)| tag.name == row.tag));
    let Some(first) = rows.first().copied() else {
        let text = "**Measured.** Not on labelled turns, since it is of whole runs; what readers found stands in \
                    `docs/validation/`.";
        return format!("\n{}", paragraph(text));
    };
    let was = if first.version == family.version {
        String::new()
    } else {
        format!(" It was version {} of the rule.", first.version)
    };
    rows.retain(|row| row.both + row.only_label + row.only_rule > 0);
    let cells: Vec<[String; 8]> = rows.iter().map(|row| cells(row)).collect();
    let head = ["turns of", "labelled", "precision %", "95 %", "recall %", "95 %", "specificity %", "95 %"];
    format!("\n{}\n{}", paragraph(&format!("**Measured.** {}{was}", source(first))), table(head, &cells))
}

/// What the labels are, for the page of all tags.
pub fn overview() -> String {
    let Some(first) = accuracy::on(None).first().copied() else { return String::new() };
    let names: Vec<&str> = accuracy::on(None).iter().map(|row| row.tag.as_str()).collect();
    paragraph(&format!(
        "Every rule's page says how it fared on labelled turns ({}). {}",
        names.join(", "),
        source(first)
    ))
}

fn source(first: &Accuracy) -> String {
    let of_use = match first.labels {
        LabelUse::Tuned => {
            "The rules were mended on these turns until nothing that was wrong was left, so that this is an upper limit: read \
             the lower ends of the intervals."
        }
        LabelUse::HeldBack => "Nobody who wrote the rules had seen these turns.",
    };
    format!(
        "Labels `{}`, {}: {} turns of {} trajectories; intervals are clustered by trajectory. {of_use} By format n is small.",
        first.set,
        first.date,
        number::count(first.turns),
        number::count(first.trajectories)
    )
}

fn formats() -> Vec<&'static str> {
    let mut found: Vec<&str> = accuracy::rows().iter().filter_map(|row| row.format.as_deref()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn cells(row: &Accuracy) -> [String; 8] {
    let rate = |(num, den): (i64, i64)| match den {
        0 => number::DASH.to_owned(),
        _ => format!("{} ({})", number::share(num, den, 1), number::fraction(num, den)),
    };
    let limits = |interval: Option<(f64, f64)>| {
        interval.map_or(number::DASH.to_owned(), |(low, high)| number::interval(low, high, 1))
    };
    [
        row.format.clone().unwrap_or_else(|| "all formats".to_owned()),
        number::count(row.both + row.only_label),
        rate(row.precision()),
        limits(row.precision),
        rate(row.sensitivity()),
        limits(row.recall),
        rate(row.specificity()),
        limits(row.specificity),
    ]
}
