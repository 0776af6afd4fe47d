//! One document as a value, with every repair: a fault costs what follows it, never what stands before it.

use super::{flattened, repair, text};
use crate::model::{Problem, Weight};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The document in these bytes; `None` where not even its beginning could be read. Where it is cut off or broken, what
/// stands before the fault: objects keep their whole entries, lists their whole elements.
pub fn document(bytes: &[u8], problems: &mut Vec<Problem>) -> Option<Value> {
    pruned(bytes, &[], problems)
}

/// Keys that are not built: name of a list (empty for a document that is one), and keys of the objects in it.
pub type Pruned = (&'static str, &'static [&'static str]);

/// In the place of a list's name: the keys are not built wherever they stand.
pub const ANYWHERE: &str = "*";

/// The same without what no reader needs: logs that repeat the whole conversation in every event would fill the memory.
pub fn pruned(bytes: &[u8], rules: &[Pruned], problems: &mut Vec<Problem>) -> Option<Value> {
    let text = text(bytes, problems);
    let text = text.trim_matches(['\0', ' ', '\t', '\r', '\n']);
    let mut value = Value::Null;
    let mut fault = match build(text, rules, &mut value) {
        Ok(()) => return Some(value),
        Err(fault) => fault,
    };
    let mut repaired = text.to_owned();
    if let Some(put_right) = repair::repair(text) {
        problems.push(put_right.problem());
        repaired = put_right.text;
    }
    if let Some(flat) = flattened(&repaired) {
        let what = "nested too deep: what lies deeper was read as null";
        problems.push(Problem::new(Weight::Repaired, "", what));
        repaired = flat;
    }
    if repaired != text {
        value = Value::Null;
        match build(&repaired, rules, &mut value) {
            Ok(()) => return Some(value),
            Err(again) => fault = again,
        }
    }
    let place = super::byte_of(&repaired, &fault);
    let what = if fault.is_eof() || place + 1 >= repaired.len() {
        "the file ends in the middle of the document; what stands before the cut was read".to_owned()
    } else {
        format!("no valid JSON from here on ({}); what stands before it was read", super::reason(&fault))
    };
    problems.push(Problem::new(Weight::Refused, format!("byte {place}"), what));
    (!value.is_null()).then_some(value)
}

fn build(text: &str, rules: &[Pruned], out: &mut Value) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Build { out, rules, elements: of_list("", rules), dropped: &[] }.deserialize(&mut deserializer)?;
    deserializer.end()
}

fn of_list(name: &str, rules: &[Pruned]) -> &'static [&'static str] {
    rules.iter().find(|(list, _)| *list == name).map_or(&[], |(_, keys)| keys)
}

/// Builds a value in place, so that what was read before a fault stays.
struct Build<'o, 'r> {
    out: &'o mut Value,
    rules: &'r [Pruned],
    /// Where it is a list: keys that are not built of the objects in it.
    elements: &'static [&'static str],
    /// Where it is an object: keys that are not built.
    dropped: &'static [&'static str],
}

impl<'de> DeserializeSeed<'de> for Build<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Build<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        *self.out = Value::Object(Map::new());
        let Value::Object(fields) = self.out else { return Ok(()) };
        while let Some(key) = map.next_key::<String>()? {
            let is_named = |keys: &[&str]| keys.contains(&key.as_str());
            if is_named(self.dropped)
                || self.rules.iter().any(|(list, keys)| *list == ANYWHERE && is_named(keys))
            {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let elements = of_list(&key, self.rules);
            let mut value = Value::Null;
            let read =
                map.next_value_seed(Build { out: &mut value, rules: self.rules, elements, dropped: &[] });
            // A list or an object that is cut off keeps what it has; of another value nothing is there.
            if read.is_ok() || value.is_object() || value.is_array() {
                fields.insert(key, value);
            }
            read?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        *self.out = Value::Array(Vec::new());
        let Value::Array(elements) = self.out else { return Ok(()) };
        loop {
            let mut element = Value::Null;
            let dropped = self.elements;
            let seed = Build { out: &mut element, rules: self.rules, elements: &[], dropped };
            if list.next_element_seed(seed)?.is_none() {
                return Ok(());
            }
            elements.push(element);
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.out = Value::String(text.to_owned());
        Ok(())
    }

    fn visit_string<E>(self, text: String) -> Result<(), E> {
        *self.out = Value::String(text);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        *self.out = value.into();
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        *self.out = value.into();
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        *self.out = value.into();
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        *self.out = value.into();
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        *self.out = Value::Null;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::document;
    use serde_json::json;

    fn read(text: &str) -> (Option<serde_json::Value>, Vec<String>) {
        let mut problems = Vec::new();
        let value = document(text.as_bytes(), &mut problems);
        (value, problems.into_iter().map(|problem| format!("{} {}", problem.place, problem.what)).collect())
    }

    #[test]
    fn a_whole_document_is_read_without_a_word() {
        assert_eq!(read("\u{feff}\n[1, {\"a\": null}]\n"), (Some(json!([1, {"a": null}])), vec![]));
    }

    #[test]
    fn what_stands_before_a_cut_stays() {
        let (value, problems) = read(r#"{"id": "x", "steps": [{"n": 1}, {"n": 2}, {"n":"#);
        assert_eq!(value, Some(json!({"id": "x", "steps": [{"n": 1}, {"n": 2}]})));
        assert!(problems[0].starts_with("byte 46 the file ends in the middle"), "{problems:?}");
        let (value, problems) = read(r#"{"id": "x", "model": "cut o"#);
        assert_eq!(value, Some(json!({"id": "x"})));
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn a_fault_in_the_middle_costs_what_follows() {
        let (value, problems) = read(r#"[{"n": 1}, {"n" 2}, {"n": 3}]"#);
        assert_eq!(value, Some(json!([{"n": 1}])));
        assert!(problems[0].contains("no valid JSON from here on (expected `:`)"), "{problems:?}");
    }

    #[test]
    fn what_python_writes_and_deep_nesting_are_put_right() {
        let (value, problems) = read(r#"{"cost": NaN, "id": 1}"#);
        assert_eq!(value, Some(json!({"cost": null, "id": 1})));
        assert_eq!(problems, ["byte 9 `NaN` or `Infinity` read as null (1)"]);
        let deep = format!("{{\"id\": 1, \"deep\": {}{}}}", "[".repeat(500), "]".repeat(500));
        let (value, problems) = read(&deep);
        assert_eq!(value.and_then(|value| value.get("id").cloned()), Some(json!(1)));
        assert_eq!(problems, [" nested too deep: what lies deeper was read as null"]);
    }

    #[test]
    fn keys_that_no_reader_needs_are_not_built_wherever_they_stand() {
        let text = r#"[{"ids": [1, 2], "b": {"ids": 3, "c": "ids"}}]"#;
        let value = super::pruned(text.as_bytes(), &[(super::ANYWHERE, &["ids"])], &mut Vec::new());
        assert_eq!(value, Some(json!([{"b": {"c": "ids"}}])));
    }

    #[test]
    fn what_no_reader_needs_is_not_built() {
        let text =
            r#"{"input": 1, "events": [{"input": [2], "n": {"input": 3}}, 4], "list": [{"input": 5}]}"#;
        let value = super::pruned(text.as_bytes(), &[("events", &["input"])], &mut Vec::new());
        let want = json!({"input": 1, "events": [{"n": {"input": 3}}, 4], "list": [{"input": 5}]});
        assert_eq!(value, Some(want));
    }

    #[test]
    fn no_json_is_nothing() {
        assert_eq!(read("plain").0, None);
        assert_eq!(read("").0, None);
    }
}
