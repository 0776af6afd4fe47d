//! Texts of a sample that are kept once and named by their hash or number (`attachment://HASH`, `tc://HASH` in early logs) put
//! back where they stood.

use serde_json::{Map, Value};

const MARKS: [&str; 2] = ["attachment://", "tc://"];
/// Bytes that may be put back in one sample: a short log that names one long text again and again must not fill the memory.
const BUDGET: usize = 256 << 20;

/// Puts back what a value names. Gives false where the budget did not suffice; what is left stays named.
pub fn put_back(value: &mut Value, attachments: &Map<String, Value>) -> bool {
    let mut left = BUDGET;
    attachments.is_empty() || fill(value, attachments, &mut left)
}

fn fill(value: &mut Value, attachments: &Map<String, Value>, left: &mut usize) -> bool {
    match value {
        Value::String(text) => {
            let Some(mark) = MARKS.iter().find(|mark| text.contains(**mark)) else { return true };
            match filled(text, mark, attachments, left) {
                Some(filled) => {
                    *text = filled;
                    true
                }
                None => false,
            }
        }
        Value::Array(elements) => elements.iter_mut().all(|element| fill(element, attachments, left)),
        Value::Object(fields) => fields.values_mut().all(|field| fill(field, attachments, left)),
        _ => true,
    }
}

/// A text with the attachments that it names; a hash that names nothing stays.
fn filled(text: &str, mark: &str, attachments: &Map<String, Value>, left: &mut usize) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark) {
        out.push_str(before);
        let end = after.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(after.len());
        let (hash, following) = after.split_at(end);
        match attachments.get(hash).and_then(Value::as_str) {
            Some(attached) => {
                *left = left.checked_sub(attached.len())?;
                out.push_str(attached);
            }
            None => {
                out.push_str(mark);
                out.push_str(hash);
            }
        }
        rest = following;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{fill, put_back};
    use serde_json::json;

    #[test]
    fn what_is_named_is_put_back_and_what_names_nothing_stays() {
        let known = json!({"ab1": "a long text"});
        let mut value = json!({"a": "tc://ab1", "b": ["see attachment://ab1!", "attachment://ff"]});
        assert!(put_back(&mut value, known.as_object().unwrap()));
        assert_eq!(value, json!({"a": "a long text", "b": ["see a long text!", "attachment://ff"]}));
    }

    #[test]
    fn the_budget_bounds_what_is_put_back() {
        let known = json!({"ab1": "0123456789"});
        let mut value = json!(["attachment://ab1", "attachment://ab1", "attachment://ab1"]);
        assert!(!fill(&mut value, known.as_object().unwrap(), &mut 25));
        assert_eq!(value, json!(["0123456789", "0123456789", "attachment://ab1"]));
    }
}
