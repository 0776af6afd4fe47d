//! The shape of the first values of a file, for formats that are told by more than keys at the top (`formats-other.md`):
//! depth, length of lists and of texts are bounded, what lies beyond is skipped without being built.

use super::json;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Values that are looked at: one of a document, several of JSON Lines.
const VALUES: usize = 4;
/// Depth that is looked at.
const DEPTH: usize = 5;
/// Elements of a list that are looked at.
const ELEMENTS: usize = 4;
/// Keys of an object that are looked at.
const KEYS: usize = 200;
/// Bytes of a text that are kept.
const TEXT: usize = 256;
/// Lines that are tried: a log may begin with broken ones.
const LINES: usize = 40;

/// A value, as far as it was looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum Sketch {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text, cut.
    Text(String),
    /// The first elements.
    List(Vec<Sketch>),
    /// Keys and values.
    Object(Vec<(String, Sketch)>),
    /// Too deep to be looked at.
    Deep,
}

impl Sketch {
    /// The first values of a file; none where it is no JSON.
    pub fn of(bytes: &[u8]) -> Vec<Sketch> {
        let bytes = json::without_mark(bytes);
        let start = bytes.len() - bytes.trim_ascii_start().len();
        let bytes = &bytes[start..];
        if !matches!(bytes.first(), Some(b'{' | b'[')) && !bytes.contains(&b'{') {
            return Vec::new();
        }
        let mut values = Vec::new();
        match whole(bytes) {
            // Pretty-printed documents begin with a line that is no value by itself.
            Some((value, rest)) => {
                values.push(value);
                sketch_lines(&bytes[rest..], &mut values);
            }
            None => sketch_lines(bytes, &mut values),
        }
        values
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Sketch> {
        match self {
            Sketch::Object(fields) => fields.iter().find(|(known, _)| known == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value below several keys.
    pub fn at(&self, keys: &[&str]) -> Option<&Sketch> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// An object has this key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// The text, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Sketch::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The first elements, where it is a list; empty else.
    pub fn elements(&self) -> &[Sketch] {
        match self {
            Sketch::List(elements) => elements,
            _ => &[],
        }
    }

    /// The first element of the list below a key.
    pub fn first(&self, key: &str) -> Option<&Sketch> {
        self.get(key)?.elements().first()
    }

    /// It is a list.
    pub fn is_list(&self) -> bool {
        matches!(self, Sketch::List(_))
    }

    /// It is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Sketch::Object(_))
    }
}

/// The first value of the bytes, and where it ends; a document that is cut off or broken gives what stands before.
fn whole(bytes: &[u8]) -> Option<(Sketch, usize)> {
    let text = json::valid_start(bytes);
    let (mut taken, mut result) = look(text);
    if result.as_ref().is_err_and(|fault| !fault.is_eof())
        && !first_line_is_short(bytes)
        && let Some(repaired) = json::repaired(text)
    {
        (taken, result) = look(&repaired);
        if result.is_ok() {
            return Some((taken, bytes.len()));
        }
    }
    match result {
        Ok(()) => {
            let mut stream = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
            stream.next()?.ok()?;
            Some((taken, stream.byte_offset()))
        }
        // A line of JSON Lines that is broken says nothing of the lines after it.
        Err(_) if first_line_is_short(bytes) => None,
        Err(_) => matches!(taken, Sketch::Object(_) | Sketch::List(_)).then_some((taken, bytes.len())),
    }
}

/// The value at the beginning of a text, or what stands before a fault.
fn look(text: &str) -> (Sketch, Result<(), serde_json::Error>) {
    let mut taken = Sketch::Null;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let result = Look { depth: DEPTH, out: &mut taken }.deserialize(&mut deserializer);
    (taken, result)
}

/// The first line ends, and what follows looks like another record: the file is JSON Lines.
fn first_line_is_short(bytes: &[u8]) -> bool {
    let Some(end) = memchr::memchr(b'\n', bytes) else { return false };
    let next = json::without_mark(bytes.get(end + 1..).unwrap_or_default());
    end > 2 && matches!(next.first(), Some(b'{' | b'['))
}

fn sketch_lines(bytes: &[u8], values: &mut Vec<Sketch>) {
    for line in bytes.split(|byte| *byte == b'\n').take(LINES) {
        if values.len() >= VALUES {
            return;
        }
        // Files with a mark that were put one behind the other have it in the middle.
        let line = json::without_mark(line.trim_ascii());
        if !matches!(line.first(), Some(b'{' | b'[')) {
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let (mut taken, mut result) = look(&text);
        // What Python writes may stand in every line.
        if result.as_ref().is_err_and(|fault| !fault.is_eof())
            && let Some(repaired) = json::repaired(&text)
        {
            (taken, result) = look(&repaired);
        }
        if result.is_ok() {
            values.push(taken);
        }
    }
}

/// Looks at a value so deep; what was seen before a fault stays in `out`.
struct Look<'o> {
    depth: usize,
    out: &'o mut Sketch,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth == 0 {
            *self.out = Sketch::Deep;
            return deserializer.deserialize_ignored_any(IgnoredAny).map(|_| ());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        *self.out = Sketch::Object(Vec::new());
        let Sketch::Object(fields) = self.out else { return Ok(()) };
        while let Some(key) = map.next_key::<String>()? {
            if fields.len() >= KEYS {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            fields.push((key, Sketch::Null));
            if let Some((_, out)) = fields.last_mut() {
                map.next_value_seed(Look { depth: self.depth - 1, out })?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        *self.out = Sketch::List(Vec::new());
        let Sketch::List(elements) = self.out else { return Ok(()) };
        while elements.len() < ELEMENTS {
            let mut element = Sketch::Null;
            let found = list.next_element_seed(Look { depth: self.depth - 1, out: &mut element });
            if !matches!(found, Ok(None)) {
                elements.push(element);
            }
            if found?.is_none() {
                return Ok(());
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.out = Sketch::Text(text.chars().take(TEXT).collect());
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        *self.out = Sketch::Bool(value);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        *self.out = Sketch::Number(value as f64);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        *self.out = Sketch::Number(value as f64);
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        *self.out = Sketch::Number(value);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        *self.out = Sketch::Null;
        Ok(())
    }
}
