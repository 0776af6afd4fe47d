//! Files of user rules: raw TOML with its lines, and how they become `Rules` (`interface.md`, `tag --rules`; `docs/rules.md`).

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::catalogue;
use super::error::CommandError;
use crate::tags::Rules;
use crate::tags::rules::{self, Entry, Node, NodeValue, RuleFault};

/// Reads the files of `--rules` and of a study together: a code may stand in one of them only.
///
/// # Errors
/// A file cannot be read, is no TOML, or has a fault; all faults are named, each with file and line.
pub fn read(files: &[PathBuf]) -> Result<Rules, CommandError> {
    if files.is_empty() {
        return Ok(Rules::default());
    }
    let texts = files.iter().map(|file| text(file)).collect::<Result<Vec<_>, _>>()?;
    let mut trees = Vec::new();
    let mut faults = Vec::new();
    for (file, text) in files.iter().zip(&texts) {
        let file = file.display().to_string();
        match tree(text) {
            Ok(tree) => trees.push((file, tree)),
            Err((line, what)) => faults.push(RuleFault { file, line, what }),
        }
    }
    if !faults.is_empty() {
        return Err(refused(faults));
    }
    let found = rules::read(&trees).map_err(refused)?;
    match catalogue::taken(found.list().iter().map(|rule| rule.code)).as_slice() {
        [] => Ok(found),
        taken => Err(CommandError::Usage(format!(
            "cannot use the rules: `{}` is a code of ours already (`ethogram explain` says of what); take another",
            taken.join("`, `")
        ))),
    }
}

fn text(file: &Path) -> Result<String, CommandError> {
    std::fs::read_to_string(file)
        .map_err(|error| CommandError::Usage(format!("cannot read the rules `{}`: {error}", file.display())))
}

fn refused(faults: Vec<RuleFault>) -> CommandError {
    let lines: Vec<String> = faults.iter().map(RuleFault::to_string).collect();
    CommandError::Usage(format!("cannot use the rules:\n{}", lines.join("\n")))
}

/// TOML as a tree with lines.
fn tree(text: &str) -> Result<Node, (usize, String)> {
    let lines = Lines::of(text);
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| lines.line(span.start));
        (line, error.message().trim().to_owned())
    })?;
    Ok(Node { line: 1, value: NodeValue::Table(entries(table.get_ref(), &lines)) })
}

fn entries(table: &DeTable, lines: &Lines) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue>)| Entry {
        key: <Spanned<std::borrow::Cow<str>>>::get_ref(key).to_string(),
        line: lines.line(key.span().start),
        node: node(value, lines),
    };
    table.iter().map(entry).collect()
}

fn node(value: &Spanned<DeValue>, lines: &Lines) -> Node {
    let line = lines.line(value.span().start);
    match value.get_ref() {
        DeValue::Table(table) => Node { line, value: NodeValue::Table(entries(table, lines)) },
        DeValue::Array(nodes) => {
            Node { line, value: NodeValue::List(nodes.iter().map(|value| node(value, lines)).collect()) }
        }
        DeValue::String(text) => {
            Node { line: lines.first_of_text(value.span().start), value: NodeValue::Text(text.to_string()) }
        }
        other => Node { line, value: NodeValue::Other(other.type_str()) },
    }
}

/// Where lines begin.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Lines<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place + 1);
        Lines { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The line of a byte, from 1.
    fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The line of the first character of a text: a line break right behind three quotes is none of it.
    fn first_of_text(&self, quote: usize) -> usize {
        let rest = self.text.get(quote..).unwrap_or_default();
        let is_below = ["'''", "\"\"\""]
            .iter()
            .filter_map(|quotes| rest.strip_prefix(quotes))
            .any(|rest| rest.strip_prefix('\r').unwrap_or(rest).starts_with('\n'));
        self.line(quote) + usize::from(is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_begins_where_its_first_character_stands() {
        let tree = tree("a = 1\nb = '''\nx\ny'''\nc = \"\"\"z\"\"\"\n").unwrap();
        let NodeValue::Table(entries) = tree.value else { unreachable!("a file is a table") };
        let line = |key: &str| entries.iter().find(|entry| entry.key == key).unwrap().node.line;
        assert_eq!((line("a"), line("b"), line("c")), (1, 3, 5));
    }

    #[test]
    fn what_is_no_toml_has_its_line() {
        assert_eq!(tree("a = 1\nb = \n").unwrap_err().0, 2);
    }
}
