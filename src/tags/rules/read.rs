//! A file of rules becomes rules. Everything odd is a fault with its line, and all faults of a file are told at once: a rule
//! that is half understood would count something else than its author means.

use std::collections::BTreeMap;

use super::condition::{Condition, Field, Test};
use super::node::{Entry, Node, NodeValue};
use super::patterns::{self, Gathered};
use super::{RULE_TAGS, Rule, RuleExample, Rules, check};
use crate::model::kept::kept;
use crate::model::nearest::nearest_hint;
use crate::model::{Tag, TagName};
use crate::tags::FAMILIES;

/// Something wrong in a file of rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct RuleFault {
    /// File as given.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// What is wrong, with its line.
pub(super) type Fault = (usize, String);

/// Rules of all files together.
const MOST_RULES: usize = 500;

/// Conditions within conditions.
const DEEPEST: usize = 16;

const RULE_KEYS: [&str; 7] = ["code", "name", "tag", "about", "when", "examples", "near_misses"];
const TEST_KEYS: [&str; 6] = ["equals", "one_of", "prefix", "suffix", "glob", "regex"];

/// Part of the digest; raised when the same conditions come to match otherwise.
const MATCHING: &str = "ethogram rule 1";

/// Reads files: names as given, and their trees. Every rule is run over its own examples.
///
/// # Errors
/// All faults, in order of file and line.
pub fn read(files: &[(String, Node)]) -> Result<Rules, Vec<RuleFault>> {
    let mut list = Vec::new();
    let mut gathered = Gathered::default();
    let mut found = Vec::new();
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    let mut many = 0;
    for (file, node) in files {
        let mut faults = Vec::new();
        let nodes = rule_nodes(node, &mut faults);
        many += nodes.len();
        // Patterns are compiled and examples are run for none of too many.
        if many > MOST_RULES {
            let what = format!("{many} rules up to here; at most {MOST_RULES} are read");
            return Err(vec![RuleFault { file: file.clone(), line: 1, what }]);
        }
        for node in nodes {
            let Some(rule) = rule(file, node, &mut gathered, &mut faults) else { continue };
            match seen.get(rule.code) {
                Some(first) => {
                    faults.push((node.line, format!("the code `{}` stands in {first} already", rule.code)))
                }
                None => {
                    seen.insert(rule.code, format!("{file}:{}", node.line));
                    list.push((node.line, rule));
                }
            }
        }
        found.extend(faults.into_iter().map(|(line, what)| RuleFault { file: file.clone(), line, what }));
    }
    finished(list, gathered, found)
}

/// Compiles what was read and runs the examples.
fn finished(
    list: Vec<(usize, Rule)>,
    gathered: Gathered,
    mut found: Vec<RuleFault>,
) -> Result<Rules, Vec<RuleFault>> {
    let sets = match gathered.sets() {
        Ok(sets) => sets,
        Err(what) => {
            let file = list.first().map(|(_, rule)| rule.file.clone()).unwrap_or_default();
            found.push(RuleFault { file, line: 1, what });
            return Err(found);
        }
    };
    let rules = Rules::new(list.into_iter().map(|(_, rule)| rule).collect(), sets);
    for rule in rules.list() {
        let faults = check::examples(&rules, rule);
        found.extend(faults.into_iter().map(|(line, what)| RuleFault {
            file: rule.file.clone(),
            line,
            what,
        }));
    }
    found.sort();
    if found.is_empty() { Ok(rules) } else { Err(found) }
}

fn rule_nodes<'n>(file: &'n Node, faults: &mut Vec<Fault>) -> &'n [Node] {
    let entries = table(file, "a file of rules", faults);
    unknown_keys(entries, &["rule"], faults);
    match entries.iter().find(|entry| entry.key == "rule").map(|entry| &entry.node) {
        Some(Node { value: NodeValue::List(rules), .. }) => rules,
        Some(other) => {
            faults.push((other.line, format!("`rule` is {}; write [[rule]]", other.kind())));
            &[]
        }
        None if faults.is_empty() => {
            faults.push((1, "it holds no [[rule]]".to_owned()));
            &[]
        }
        None => &[],
    }
}

fn rule(file: &str, node: &Node, gathered: &mut Gathered, faults: &mut Vec<Fault>) -> Option<Rule> {
    let before = faults.len();
    let entries = table(node, "a rule", faults);
    unknown_keys(entries, &RULE_KEYS, faults);
    let get = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node);
    let mut need = |key: &str| {
        let found = get(key);
        if found.is_none() {
            faults.push((node.line, format!("a rule needs `{key}`")));
        }
        found
    };
    let (code, name, tag, when) = (need("code"), need("name"), need("tag"), need("when"));
    let (examples, near_misses) = (need("examples"), need("near_misses"));
    let code = code.and_then(|node| word(node, "code", faults).map(|code| (node.line, code)));
    if let Some((line, code)) = &code
        && let Some(what) = no_code(code)
    {
        faults.push((*line, what));
    }
    let name = name.and_then(|node| word(node, "name", faults));
    let about = get("about").and_then(|node| word(node, "about", faults)).unwrap_or_default();
    let tag = tag.and_then(|node| tag_name(node, faults));
    let condition = when.and_then(|node| condition(node, 0, gathered, faults));
    if let (Some(node), Some(condition)) = (when, &condition)
        && !condition.names_action()
    {
        faults.push((node.line, no_action()));
    }
    let examples = examples.map(|node| texts(node, "examples", faults));
    let near_misses = near_misses.map(|node| texts(node, "near_misses", faults));
    if faults.len() > before {
        return None;
    }
    let code = kept(&code?.1);
    let tag = Tag::code(tag?, code);
    let conditions = when?.canonical();
    Some(Rule {
        code,
        name: name?,
        about,
        tag,
        version: version(tag, &conditions),
        examples: examples?,
        near_misses: near_misses?,
        file: file.to_owned(),
        conditions,
        when: condition?,
    })
}

fn no_action() -> String {
    let fields: Vec<&str> =
        Field::ALL.into_iter().filter(|field| field.names_action()).map(Field::as_str).collect();
    format!(
        "each way to meet `when` must name a segment or tool ({}): a text or an observation alone does not say what was done",
        fields.join(", ")
    )
}

/// The first six bytes of a digest: a whole number that JSON and SQL keep exactly.
fn version(tag: Tag, conditions: &str) -> i64 {
    let digest = blake3::hash(format!("{MATCHING}\n{}\n{conditions}", tag.label()).as_bytes());
    digest.as_bytes().iter().take(6).fold(0, |number, byte| number << 8 | i64::from(*byte))
}

/// Why a word cannot be a code: it is one already, or could not stand in a turn line or a column.
fn no_code(code: &str) -> Option<String> {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    if !code.starts_with(|letter: char| letter.is_ascii_lowercase())
        || !code.chars().all(is_plain)
        || code.len() > 40
    {
        return Some(format!(
            "`{code}` is no code: lower-case letters, digits and `_`, a letter first, at most 40 of them"
        ));
    }
    let is_shipped = TagName::parse(code).is_some()
        || FAMILIES.iter().any(|family| {
            family.name == code || family.tags.iter().any(|(tag, _)| tag.kind.or(tag.code) == Some(code))
        });
    is_shipped.then(|| format!("`{code}` is a name of a shipped rule; take another"))
}

fn tag_name(node: &Node, faults: &mut Vec<Fault>) -> Option<TagName> {
    let word = word(node, "tag", faults)?;
    let found = TagName::parse(&word).filter(|name| RULE_TAGS.contains(name));
    if found.is_none() {
        let known = RULE_TAGS.map(TagName::as_str);
        let what = match TagName::parse(&word) {
            Some(_) => format!("`{word}` is of whole runs; a rule may give {}", known.join(", ")),
            None => format!("`{word}` is no tag{} known: {}", nearest_hint(&word, &known), known.join(", ")),
        };
        faults.push((node.line, what));
    }
    found
}

/// A table of fields, `all`, `any` and `none`, which must hold together.
fn condition(
    node: &Node,
    depth: usize,
    gathered: &mut Gathered,
    faults: &mut Vec<Fault>,
) -> Option<Condition> {
    if depth > DEEPEST {
        faults.push((node.line, format!("conditions within conditions: at most {DEEPEST}")));
        return None;
    }
    let entries = table(node, "a condition", faults);
    let fields = Field::ALL.map(Field::as_str);
    unknown_keys(entries, &[&["all", "any", "none"], fields.as_slice()].concat(), faults);
    if entries.is_empty() {
        faults.push((node.line, "a condition that asks for nothing".to_owned()));
        return None;
    }
    let mut all = Vec::new();
    for entry in entries {
        let mut inner = || conditions(&entry.node, &entry.key, depth, gathered, faults);
        all.push(match entry.key.as_str() {
            "all" => Condition::All(inner()?),
            "any" => Condition::Any(inner()?),
            "none" => Condition::None(inner()?),
            key => {
                let field = Field::ALL.into_iter().find(|field| field.as_str() == key)?;
                Condition::Value { field, tests: tests(&entry.node, field, gathered, faults)? }
            }
        });
    }
    all.sort_by_key(Condition::cost);
    match all.len() {
        1 => all.pop(),
        _ => Some(Condition::All(all)),
    }
}

fn conditions(
    node: &Node,
    key: &str,
    depth: usize,
    gathered: &mut Gathered,
    faults: &mut Vec<Fault>,
) -> Option<Vec<Condition>> {
    let NodeValue::List(nodes) = &node.value else {
        faults.push((node.line, format!("`{key}` is {}; it is a list of conditions", node.kind())));
        return None;
    };
    if nodes.is_empty() {
        faults.push((node.line, format!("`{key}` is empty")));
        return None;
    }
    let mut found: Vec<Condition> =
        nodes.iter().map(|node| condition(node, depth + 1, gathered, faults)).collect::<Option<_>>()?;
    found.sort_by_key(Condition::cost);
    Some(found)
}

/// A text is `equals`, a list `one_of`; a table holds any of the tests, which one value must pass together.
fn tests(node: &Node, field: Field, gathered: &mut Gathered, faults: &mut Vec<Fault>) -> Option<Vec<Test>> {
    match &node.value {
        NodeValue::Text(text) => Some(vec![Test::OneOf(vec![text.clone()])]),
        NodeValue::List(_) => Some(vec![Test::OneOf(words(node, field.as_str(), faults)?)]),
        NodeValue::Table(entries) => {
            unknown_keys(entries, &TEST_KEYS, faults);
            if entries.is_empty() {
                faults.push((node.line, format!("`{}` asks for nothing", field.as_str())));
            }
            entries.iter().map(|entry| test(entry, field, gathered, faults)).collect()
        }
        NodeValue::Other(_) => {
            faults.push((
                node.line,
                format!(
                    "`{}` is {}; it is a text, a list of texts or a table of tests",
                    field.as_str(),
                    node.kind()
                ),
            ));
            None
        }
    }
}

fn test(entry: &Entry, field: Field, gathered: &mut Gathered, faults: &mut Vec<Fault>) -> Option<Test> {
    if entry.key == "one_of" {
        return Some(Test::OneOf(words(&entry.node, "one_of", faults)?));
    }
    if !TEST_KEYS.contains(&entry.key.as_str()) {
        return None;
    }
    let text = word(&entry.node, &entry.key, faults)?;
    let built = match entry.key.as_str() {
        "equals" => Ok(Test::OneOf(vec![text])),
        "prefix" => Ok(Test::Prefix(text)),
        "suffix" => Ok(Test::Suffix(text)),
        "glob" => patterns::glob(&text),
        _ => gathered.regex(field, &text),
    };
    built.map_err(|what| faults.push((entry.node.line, what))).ok()
}

// Nodes as plain values.

fn table<'n>(node: &'n Node, what: &str, faults: &mut Vec<Fault>) -> &'n [Entry] {
    match &node.value {
        NodeValue::Table(entries) => entries,
        _ => {
            faults.push((node.line, format!("{what} is a table, not {}", node.kind())));
            &[]
        }
    }
}

fn unknown_keys(entries: &[Entry], known: &[&str], faults: &mut Vec<Fault>) {
    for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
        faults
            .push((entry.line, format!("`{}` is no key here{}", entry.key, nearest_hint(&entry.key, known))));
    }
}

/// A text that is not empty.
fn word(node: &Node, key: &str, faults: &mut Vec<Fault>) -> Option<String> {
    match &node.value {
        NodeValue::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        NodeValue::Text(_) => {
            faults.push((node.line, format!("`{key}` is empty")));
            None
        }
        _ => {
            faults.push((node.line, format!("`{key}` is {}; it is a text", node.kind())));
            None
        }
    }
}

fn words(node: &Node, key: &str, faults: &mut Vec<Fault>) -> Option<Vec<String>> {
    match &node.value {
        NodeValue::List(nodes) if !nodes.is_empty() => {
            nodes.iter().map(|node| word(node, key, faults)).collect()
        }
        _ => {
            faults.push((node.line, format!("`{key}` is a list of texts")));
            None
        }
    }
}

/// One text of turn lines or several.
fn texts(node: &Node, key: &str, faults: &mut Vec<Fault>) -> Vec<RuleExample> {
    let nodes = match &node.value {
        NodeValue::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let text = |node: &Node, faults: &mut Vec<Fault>| {
        word(node, key, faults).map(|text| RuleExample { line: node.line, text })
    };
    nodes.iter().filter_map(|node| text(node, faults)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Too many rules are refused before one of them is looked at.
    #[test]
    fn too_many_rules_are_one_fault() {
        let node = |value| Node { line: 1, value };
        let rules = vec![node(NodeValue::Text("no rule".to_owned())); MOST_RULES + 1];
        let entry = Entry { key: "rule".to_owned(), line: 1, node: node(NodeValue::List(rules)) };
        let faults = read(&[("a.toml".to_owned(), node(NodeValue::Table(vec![entry])))]).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].what.starts_with("501 rules"), "{}", faults[0]);
    }
}
