//! Tags and tag families: what each marks, why it is counted, what it does not show, examples and near misses, and how it
//! fared on labelled turns.

use super::entry::{Entry, GENERATED};
use super::markdown::{dedented, fenced, paragraph, sentence, table};
use super::measured;
use crate::behaviours::{BEHAVIOURS, Behaviour};
use crate::model::{Tag, TagName};
use crate::tags::{Example, FAMILIES, Family};

/// What marks a near miss among the examples.
const NEAR_MISS: &str = "near miss";

/// All tags, by family.
pub fn tags() -> Vec<Entry> {
    FAMILIES
        .iter()
        .flat_map(|family| family.tags.iter().map(|(tag, meaning)| tag_entry(family, *tag, meaning)))
        .collect()
}

/// All families, with the versions of their rules.
pub fn families() -> Vec<Entry> {
    FAMILIES.iter().map(|family| family_entry(family)).collect()
}

fn tag_entry(family: &Family, tag: Tag, meaning: &str) -> Entry {
    let label = tag.label();
    let shown = family.examples.iter().filter(|example| bears(example, &label)).collect();
    let missed = family.examples.iter().filter(|example| misses(example, tag)).collect();
    let mut body = paragraph(&sentence(meaning));
    body.push('\n');
    body.push_str(&paragraph(&format!(
        "Set by the family `{0}`, version {1} (`ethogram explain {0}`).",
        family.name, family.version
    )));
    body.push_str(&reasons(family));
    body.push_str(&measured::of(family));
    body.push_str(&examples(shown, missed));
    Entry {
        kind: "tag",
        aliases: tag.kind.or(tag.code).map(str::to_owned).into_iter().collect(),
        line: meaning.to_owned(),
        name: label,
        body,
    }
}

fn family_entry(family: &Family) -> Entry {
    let rows: Vec<[String; 2]> = family
        .tags
        .iter()
        .map(|(tag, meaning)| [format!("`{}`", tag.label()), (*meaning).to_owned()])
        .collect();
    let needs = match family.needs {
        [] => String::new(),
        needs => format!(" Reads the rows of {}.", needs.join(", ")),
    };
    let (missed, shown) = family.examples.iter().partition(|example| example.name.starts_with(NEAR_MISS));
    let mut body = paragraph(&format!("Version of the rule: {}.{needs}{}", family.version, resting(family)));
    body.push_str(&reasons(family));
    body.push('\n');
    body.push_str(&table(["tag", "marks"], &rows));
    body.push_str(&measured::of(family));
    body.push_str(&examples(shown, missed));
    let labels: Vec<String> = family.tags.iter().map(|(tag, _)| tag.label()).collect();
    Entry {
        kind: "tag family",
        name: family.name.to_owned(),
        aliases: Vec::new(),
        line: format!("version {}: {}", family.version, labels.join(", ")),
        body,
    }
}

/// What is tagged, why it is counted, what it does not show.
fn reasons(family: &Family) -> String {
    let parts = [
        ("What is tagged", family.what),
        ("Why it is counted", family.why),
        ("What it does not show", family.not_shown),
    ];
    parts.map(|(title, text)| format!("\n{}", paragraph(&format!("**{title}.** {text}")))).concat()
}

/// Behaviours that bear the family's tag.
fn resting(family: &Family) -> String {
    let of_tag = |behaviour: &&&Behaviour| {
        behaviour.tag.is_some_and(|tag| family.tags.iter().any(|(own, _)| own.name == tag))
    };
    let codes: Vec<String> =
        BEHAVIOURS.iter().filter(of_tag).map(|behaviour| format!("`{}`", behaviour.code)).collect();
    if codes.is_empty() {
        String::new()
    } else {
        format!(" Behaviours that rest on it: {}.", codes.join(", "))
    }
}

fn bears(example: &Example, label: &str) -> bool {
    let marks = example.log.lines().filter_map(|line| line.split_once("#!")).map(|(_, marks)| marks);
    let mut words = marks.flat_map(str::split_whitespace);
    words.any(|word| word.split('=').next() == Some(label))
}

/// Near misses of a code name it (`near miss L1: …`); a tag without a code has those of its family.
fn misses(example: &Example, tag: Tag) -> bool {
    let Some(rest) = example.name.strip_prefix(NEAR_MISS) else { return false };
    let names = rest.split(':').next().unwrap_or_default();
    tag.code.is_none_or(|code| names.split([' ', ',']).any(|word| word == code))
}

fn examples(shown: Vec<&Example>, missed: Vec<&Example>) -> String {
    let mut text = String::new();
    for (title, examples) in [("Examples:", shown), ("Near misses, which bear no such tag:", missed)] {
        if !examples.is_empty() {
            text.push_str(&format!("\n{title}\n\n{}", turn_lines(&examples)));
        }
    }
    text
}

/// Examples as one text of turn lines, each under its name.
pub fn turn_lines(examples: &[&Example]) -> String {
    let texts: Vec<String> =
        examples.iter().map(|example| format!("# {}\n{}", example.name, dedented(example.log))).collect();
    fenced("text", &texts.join("\n\n"))
}

/// `docs/tags.md`: all tags, with the page of the rule that sets each.
pub fn page() -> String {
    let primary: Vec<&str> = TagName::PRIMARY.iter().map(|name| name.as_str()).collect();
    let about = format!(
        "{}\n{}\n{}\n{}",
        paragraph(
            "A turn bears every tag that one of its calls or segments bears; a turn without one is `untagged`. A rule sees \
             parsed commands, never words: a runner's name in an `echo`, a here-document or a search pattern is no test. A \
             tag row keeps the rule's version, the call, the segment and the bytes of evidence (table `tags` of the store)."
        ),
        paragraph(&format!(
            "For stacked charts each turn has one primary tag, the first that it bears of: {}, untagged.",
            primary.join(", ")
        )),
        paragraph(
            "Examples are turn lines, and tests: a line is a turn, `->` is followed by the exit code (`?`: not logged) and \
             by what was seen, `#!` by the tags of this family that the turn must bear; without it the turn must bear none. \
             `ethogram show STORE ID --tags` prints a run of yours in the same form."
        ),
        table(["tag", "marks", "rule"], &linked()),
    );
    format!("# Tags\n\n{GENERATED}\n\n{about}\n{}", measured::overview())
}

fn linked() -> Vec<[String; 3]> {
    let of_family = |family: &&Family| {
        let page = format!("[{0}](tags/{0}.md)", family.name);
        let row = move |(tag, meaning): &(Tag, &str)| {
            [format!("`{}`", tag.label()), (*meaning).to_owned(), page.clone()]
        };
        family.tags.iter().map(row).collect::<Vec<_>>()
    };
    FAMILIES.iter().flat_map(of_family).collect()
}

/// `docs/tags/RULE.md`, one a family.
pub fn rule_pages() -> Vec<(String, String)> {
    let page = |entry: Entry| {
        (format!("tags/{}.md", entry.name), format!("# {}\n\n{GENERATED}\n\n{}", entry.name, entry.body))
    };
    families().into_iter().map(page).collect()
}
