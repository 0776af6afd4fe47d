//! One document as a value, with every repair: a fault costs what follows it, never what stands before it.

use super::{flattened, repair, text};
use crate::model::{Problem, Weight};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The document in these bytes; `None` where not even its beginning could be read. Where it is cut off or broken, what
/// stands before the fault: objects keep their whole entries, lists their whole elements.
pub fn document(bytes: &[u8], problems: &mut Vec<Problem>) -> Option<Value> {
    let text = text(bytes, problems);
    let text = text.trim_matches(['\0', ' ', '\t', '\r', '\n']);
    let mut value = Value::Null;
    let mut fault = match build(text, &mut value) {
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
        match build(&repaired, &mut value) {
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

fn build(text: &str, value: &mut Value) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Build(value).deserialize(&mut deserializer)?;
    deserializer.end()
}

/// Builds a value in place, so that what was read before a fault stays.
struct Build<'o>(&'o mut Value);

impl<'de> DeserializeSeed<'de> for Build<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Build<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        *self.0 = Value::Object(Map::new());
        let Value::Object(fields) = self.0 else { return Ok(()) };
        while let Some(key) = map.next_key::<String>()? {
            let mut value = Value::Null;
            let read = map.next_value_seed(Build(&mut value));
            // A list or an object that is cut off keeps what it has; of another value nothing is there.
            if read.is_ok() || value.is_object() || value.is_array() {
                fields.insert(key, value);
            }
            read?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        *self.0 = Value::Array(Vec::new());
        let Value::Array(elements) = self.0 else { return Ok(()) };
        loop {
            let mut element = Value::Null;
            if list.next_element_seed(Build(&mut element))?.is_none() {
                return Ok(());
            }
            elements.push(element);
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.0 = Value::String(text.to_owned());
        Ok(())
    }

    fn visit_string<E>(self, text: String) -> Result<(), E> {
        *self.0 = Value::String(text);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        *self.0 = value.into();
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        *self.0 = value.into();
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        *self.0 = value.into();
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        *self.0 = value.into();
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        *self.0 = Value::Null;
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
    fn no_json_is_nothing() {
        assert_eq!(read("plain").0, None);
        assert_eq!(read("").0, None);
    }
}
