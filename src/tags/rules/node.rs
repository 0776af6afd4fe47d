//! A file of rules as a tree of tables, lists and texts with the line of each, so that every fault has its place. What
//! language the file is written in is not known here.

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Line from 1; of a text the line of its first character.
    pub line: usize,
    /// The value.
    pub value: NodeValue,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// A table: entries in any order.
    Table(Vec<Entry>),
    /// A list.
    List(Vec<Node>),
    /// A text.
    Text(String),
    /// Anything else, by the name of its kind.
    Other(&'static str),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Line of the key.
    pub line: usize,
    /// The value.
    pub node: Node,
}

impl Node {
    /// What it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            NodeValue::Table(_) => "a table",
            NodeValue::List(_) => "a list",
            NodeValue::Text(_) => "a text",
            NodeValue::Other(kind) => kind,
        }
    }

    /// The same text for the same content, whatever order, comments and quotes the file has.
    pub(super) fn canonical(&self) -> String {
        match &self.value {
            NodeValue::Table(entries) => {
                let mut parts: Vec<String> = entries
                    .iter()
                    .map(|entry| format!("{:?}:{}", entry.key, entry.node.canonical()))
                    .collect();
                parts.sort();
                format!("{{{}}}", parts.join(","))
            }
            NodeValue::List(nodes) => {
                let parts: Vec<String> = nodes.iter().map(Node::canonical).collect();
                format!("[{}]", parts.join(","))
            }
            NodeValue::Text(text) => format!("{text:?}"),
            NodeValue::Other(kind) => (*kind).to_owned(),
        }
    }
}
