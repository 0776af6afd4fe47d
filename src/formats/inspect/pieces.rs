//! Large samples lie in pieces in the ZIP: a head, and lists of messages, events and attachments, each in several files that
//! are named by the number of their first element. Here they become the sample that one file would have held.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What a member of the ZIP is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'p> {
    /// The head of the log.
    Header,
    /// What was known when the log was begun.
    Start,
    /// A sample in one file.
    Sample,
    /// A piece of a sample.
    Piece {
        /// Folder of the sample.
        sample: &'p str,
        /// Name below it.
        name: &'p str,
    },
    /// Something that only repeats (summaries, reductions).
    Other,
}

impl Kind<'_> {
    /// What a path is. Ids of samples may hold anything, slashes too: the number of the epoch ends them.
    pub fn of(path: &str) -> Kind<'_> {
        match path {
            "header.json" => return Kind::Header,
            "_journal/start.json" => return Kind::Start,
            _ if !path.starts_with("samples/") => return Kind::Other,
            _ => {}
        }
        let Some((id, rest)) = path.rsplit_once("_epoch_") else { return Kind::Other };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest.get(digits..).and_then(|rest| rest.strip_prefix('/')) {
            _ if digits == 0 => Kind::Other,
            None if rest.get(digits..) == Some(".json") => Kind::Sample,
            Some(name) => {
                let end = id.len() + "_epoch_".len() + digits;
                Kind::Piece { sample: path.get(..end).unwrap_or_default(), name }
            }
            None => Kind::Other,
        }
    }
}

/// The pieces of one sample.
#[derive(Default)]
pub struct Pieces {
    head: Value,
    /// Elements by list and by the number of the first.
    lists: BTreeMap<(&'static str, u64), Vec<Value>>,
}

/// The lists that are read; what was sent to the model's service is not.
const LISTS: [&str; 3] = ["attachments", "events", "messages"];

impl Pieces {
    /// Adds a piece.
    pub fn add(&mut self, name: &str, value: Value) {
        if name == "sample.json" {
            self.head = value;
            return;
        }
        let Some((list, number)) = name.split_once('/') else { return };
        let first = number.strip_suffix(".json").and_then(|number| number.parse().ok());
        let known = LISTS.iter().find(|known| **known == list);
        if let (Some(list), Some(first), Value::Array(elements)) = (known, first, value) {
            self.lists.insert((list, first), elements);
        }
    }

    /// The sample. Messages are all that were ever part of the conversation.
    pub fn sample(mut self) -> Value {
        let mut sample = match self.head.take() {
            Value::Object(head) => head,
            _ => Map::new(),
        };
        let mut joined: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for ((list, _), elements) in self.lists {
            joined.entry(list).or_default().extend(elements);
        }
        if let Some(texts) = joined.remove("attachments") {
            let numbered = texts.into_iter().enumerate().map(|(number, text)| (number.to_string(), text));
            sample.insert("attachments".to_owned(), Value::Object(numbered.collect()));
        }
        for (list, elements) in joined {
            sample.insert(list.to_owned(), Value::Array(elements));
        }
        Value::Object(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn members_are_told_by_their_paths() {
        let piece = |sample, name| Kind::Piece { sample, name };
        for (path, kind) in [
            ("header.json", Kind::Header),
            ("_journal/start.json", Kind::Start),
            ("_journal/summaries/1.json", Kind::Other),
            ("samples/1_epoch_1.json", Kind::Sample),
            ("samples/west/gate_epoch_1.json", Kind::Sample),
            ("samples/a_epoch_2_epoch_1.json", Kind::Sample),
            ("samples/1_epoch_1/sample.json", piece("samples/1_epoch_1", "sample.json")),
            ("samples/w/g_epoch_12/events/1000.json", piece("samples/w/g_epoch_12", "events/1000.json")),
            ("samples/notes.json", Kind::Other),
        ] {
            assert_eq!(Kind::of(path), kind, "{path}");
        }
    }
}
