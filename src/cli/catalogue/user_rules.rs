//! User rules of files that were named: what each tags, why it is counted, its conditions, examples and near misses.

use super::entry::Entry;
use super::markdown::{fenced, paragraph, sentence};
use crate::tags::Rules;
use crate::tags::rules::{BEHAVIOUR_PREFIX, Rule, RuleExample};

/// All rules.
pub fn rules(rules: &Rules) -> Vec<Entry> {
    rules.list().iter().map(entry).collect()
}

fn entry(rule: &Rule) -> Entry {
    let mut body = paragraph(&sentence(&rule.name));
    if !rule.about.is_empty() {
        body.push('\n');
        body.push_str(&paragraph(&rule.about.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    body.push('\n');
    body.push_str(&paragraph(&format!(
        "Tags turns `{}`; version {}, a digest of what it matches; from `{}`. Runs with it: behaviour `{BEHAVIOUR_PREFIX}{}`. \
         Not measured against labelled turns by us: `ethogram labels` measures the tags of a store.",
        rule.tag.label(),
        rule.version,
        rule.file,
        rule.code
    )));
    body.push_str(&format!("\nConditions:\n\n{}", fenced("text", &rule.conditions)));
    body.push_str(&format!("\nExamples:\n\n{}", lines(&rule.examples)));
    body.push_str(&format!("\nNear misses, which bear no such tag:\n\n{}", lines(&rule.near_misses)));
    Entry {
        kind: "user rule",
        name: rule.tag.label(),
        aliases: vec![rule.code.to_owned(), format!("{BEHAVIOUR_PREFIX}{}", rule.code)],
        line: format!("version {}: {}", rule.version, rule.name),
        body,
    }
}

fn lines(examples: &[RuleExample]) -> String {
    let texts: Vec<&str> = examples.iter().map(|example| example.text.trim()).collect();
    fenced("text", &texts.join("\n\n"))
}
