//! Log formats, shapes of result files, and the ends that raw exit statuses stand for.

use super::entry::{self, Entry};
use super::markdown::{list, paragraph, sentence, table};
use crate::data::statuses::statuses;
use crate::formats::{Evidence, FORMATS, Format};
use crate::model::Termination;
use crate::outcomes::{OUTCOMES, OutcomeShape};

/// Log formats that are read.
pub fn formats() -> Vec<Entry> {
    FORMATS.iter().map(format_entry).collect()
}

fn format_entry(format: &Format) -> Entry {
    let mut body =
        paragraph(&format!("Written by {}; files are named `{}`.", format.written_by, format.files));
    if format.evidence == Evidence::Documentation {
        body.push_str("\nRead *from documentation*: no real log stood behind this reader.\n");
    }
    if !format.lacks.is_empty() {
        body.push_str(&format!("\nNot in such a log:\n\n{}", list(format.lacks)));
    }
    Entry {
        kind: "log format",
        name: format.name.to_owned(),
        aliases: Vec::new(),
        line: format!("{}; {}", format.written_by, format.files),
        body,
    }
}

/// Shapes of result files that are read.
pub fn outcomes() -> Vec<Entry> {
    OUTCOMES.iter().map(outcome_entry).collect()
}

fn outcome_entry(shape: &OutcomeShape) -> Entry {
    Entry {
        kind: "shape of result file",
        name: shape.name.to_owned(),
        aliases: Vec::new(),
        line: shape.about.to_owned(),
        body: paragraph(&sentence(shape.about)),
    }
}

/// Why a run ended, with the raw statuses that say so.
pub fn ends() -> Vec<Entry> {
    Termination::ALL.into_iter().map(end_entry).collect()
}

fn end_entry(end: Termination) -> Entry {
    let raw: Vec<String> = statuses()
        .filter(|status| status.termination == end)
        .map(|status| {
            let rest = if status.is_prefix { "…" } else { "" };
            format!("`{}{rest}` ({})", status.raw, status.scaffold)
        })
        .collect();
    let class = end.class().as_str();
    let mut body = paragraph(&format!("{} Class: {class}.", sentence(end.meaning())));
    if !raw.is_empty() {
        body.push_str(&format!("\nRaw statuses:\n\n{}", list(&raw)));
    }
    Entry {
        kind: "end of a run",
        name: end.as_str().to_owned(),
        aliases: Vec::new(),
        line: format!("{} (class {class})", end.meaning()),
        body,
    }
}

/// `docs/formats.md`.
pub fn page() -> String {
    let about = paragraph(
        "A format is recognised from the content of a file, wherever it lies and whatever it is called: in folders, `.gz` and \
         `.zst` files, `.tar.gz`, `.tar.zst` and `.zip` archives. `--format NAME` overrides. A file that no format claims is \
         counted in `left_out.csv`; a broken one is named with its fault, and the rest is read. What a log lacks is unknown in \
         the store, never guessed.",
    );
    let shapes: Vec<[String; 2]> =
        OUTCOMES.iter().map(|shape| [format!("`{}`", shape.name), shape.about.to_owned()]).collect();
    let ends: Vec<[String; 4]> = Termination::ALL
        .into_iter()
        .map(|end| {
            let raw: Vec<String> = statuses()
                .filter(|status| status.termination == end)
                .map(|status| format!("`{}{}`", status.raw, if status.is_prefix { "…" } else { "" }))
                .collect();
            [
                format!("`{}`", end.as_str()),
                end.class().as_str().to_owned(),
                end.meaning().to_owned(),
                raw.join(", "),
            ]
        })
        .collect();
    format!(
        "{}\n# Result files\n\n{}\n{}\n# Ends of a run\n\n{}\n{}",
        entry::page("Log formats", &about, &formats()),
        paragraph(
            "Outcomes are searched among all files below the arm's root, by content; where none holds verdicts, in the root's \
             parent. A per-instance report beats a summary, a summary beats a list of winners; among equals the one that shares \
             the deepest folder with the log wins; equals that contradict each other leave the run unscored. `--outcomes FILE…` \
             or `outcomes = […]` in the study file switches the search off; the records of trials are read all the same, as parts of \
             their logs, and a named file settles the outcome of every run of which it speaks. A missing verdict is never a failure."
        ),
        table(["shape", "holds"], &shapes),
        paragraph(
            "The raw status of a log is kept (`raw_exit_status`); these words are what it means. A status of no known meaning is \
             `unknown`, and is listed with its count."
        ),
        table(["end", "class", "meaning", "raw statuses"], &ends),
    )
}
