//! Behaviours: what each counts in a trajectory, which direction is better, examples with the counts they must give.

use super::entry::{self, Entry};
use super::markdown::{paragraph, sentence};
use super::tags::turn_lines;
use crate::behaviours::{BEHAVIOURS, Behaviour, BehaviourKind, Better};

/// All behaviours, in the order of the tables.
pub fn behaviours() -> Vec<Entry> {
    BEHAVIOURS.iter().map(|behaviour| entry_of(behaviour)).collect()
}

fn entry_of(behaviour: &Behaviour) -> Entry {
    let mut facts = vec![kind(behaviour.kind).to_owned(), better(behaviour.better).to_owned()];
    if let Some(tag) = behaviour.tag {
        facts.push(format!("Rests on the tag `{0}` (`ethogram explain {0}`).", tag.as_str()));
    }
    if let Some(twin) = behaviour.twin_of {
        facts.push(format!("A twin of `{twin}`: it is printed, but has no p of its own in the family."));
    }
    if behaviour.count.is_none() {
        facts
            .push("Joined from outcomes when a table is made, so that verdicts may arrive later.".to_owned());
    }
    let mut body = paragraph(&sentence(behaviour.meaning));
    body.push('\n');
    body.push_str(&paragraph(&facts.join(" ")));
    if !behaviour.examples.is_empty() {
        let examples: Vec<_> = behaviour.examples.iter().collect();
        body.push_str(&format!("\nExamples:\n\n{}", turn_lines(&examples)));
    }
    Entry {
        kind: "behaviour",
        name: behaviour.code.to_owned(),
        aliases: [behaviour.name]
            .into_iter()
            .filter(|name| *name != behaviour.code)
            .map(str::to_owned)
            .collect(),
        line: behaviour.meaning.to_owned(),
        body,
    }
}

fn kind(kind: BehaviourKind) -> &'static str {
    match kind {
        BehaviourKind::Share => "Share of runs: 0 or 1 a run; denominator 0 where it does not apply.",
        BehaviourKind::Rate => {
            "Rate: numerator over denominator of each run, as a mean over instances (macro, tested) and pooled (micro)."
        }
        BehaviourKind::Size => "Size: median and quartiles over runs.",
    }
}

fn better(better: Better) -> &'static str {
    match better {
        Better::Up => "More is better.",
        Better::Down => "Less is better.",
        Better::Neither => "Neither direction is better as such.",
    }
}

/// `docs/behaviours.md`.
pub fn page() -> String {
    let about = format!(
        "{}\n{}",
        paragraph(
            "A behaviour is a number of one trajectory, with numerator and denominator (table `behaviours` of the store). \
             Denominator 0 means not applicable: the run leaves the rate, and the table says how many did. Only model turns \
             count; what the log does not say is unknown and never a zero. How two arms are compared stands in \
             [tables.md](tables.md)."
        ),
        paragraph(
            "Examples are turn lines, and tests: the line `#! run:` gives the numerator and denominator that must come out."
        ),
    );
    entry::page("Behaviours", &about, &behaviours())
}
