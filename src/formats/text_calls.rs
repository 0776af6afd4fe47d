//! Calls that stand in the text of a response (`formats-other.md` §12): `<tool_call>` with JSON or with tags, `<function=NAME>`
//! with parameters, `<invoke name="…">`, `[TOOL_CALLS]`, bare JSON behind `<|python_tag|>`, fenced shell blocks. One
//! conversation speaks one protocol: the first of these that any of its responses shows.
//!
//! Never here: text that is not the model's.

use super::tools;
use crate::model::quality_reason::{ARGUMENTS, NO_ACTION, RESPONSE_CUT};
use crate::model::{Call, CallKind, Quality};
use serde_json::{Map, Value};

/// How the responses of a conversation write their calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `<tool_call>{"name": …, "arguments": …}</tool_call>`, and what other models put into the same tags.
    ToolCall,
    /// `<function=NAME><parameter=P>…</parameter></function>`.
    Function,
    /// `<invoke name="NAME"><parameter name="P">…</parameter></invoke>`.
    Invoke,
    /// `[TOOL_CALLS][{"name": …, "arguments": …}]`, `[TOOL_CALLS]NAME[ARGS]{…}`.
    ToolCalls,
    /// `<|python_tag|>{"name": …, "parameters": …}`.
    PythonTag,
    /// A fenced block of shell.
    Fenced,
}

/// Protocols in the order in which they are tried, with the mark of each.
const PROTOCOLS: [(Protocol, &str); 9] = [
    (Protocol::ToolCall, "<tool_call>"),
    (Protocol::Function, "<function="),
    (Protocol::Invoke, "<invoke name="),
    (Protocol::ToolCalls, "[TOOL_CALLS]"),
    (Protocol::PythonTag, "<|python_tag|>"),
    (Protocol::Fenced, "```bash"),
    (Protocol::Fenced, "```sh\n"),
    (Protocol::Fenced, "```shell\n"),
    (Protocol::Fenced, "```mswea_bash_command"),
];

/// Languages of a fence whose block is run.
const FENCES: [&str; 4] = ["bash", "sh", "shell", "mswea_bash_command"];

/// Most calls that one response is searched for.
const MOST: usize = 200;

/// What was found in a response.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// Calls, in order.
    pub calls: Vec<Call>,
    /// Why a call that was begun could not be taken out; `None` where there was none.
    pub refused: Option<&'static str>,
    /// Calls that were begun behind the last one that is searched for.
    pub left_out: usize,
}

impl Protocol {
    /// The protocol of a conversation; `None` where no response holds a call.
    pub fn of<'t>(responses: impl Iterator<Item = &'t str> + Clone) -> Option<Protocol> {
        let shown = |mark: &str| responses.clone().any(|text| text.contains(mark));
        PROTOCOLS.iter().find(|(_, mark)| shown(mark)).map(|(protocol, _)| *protocol)
    }

    /// The calls of a response; `is_cut` says that the limit of tokens cut it off.
    pub fn find(self, text: &str, is_cut: bool) -> Found {
        let mut found = Found::default();
        match self {
            Protocol::ToolCall => tagged(text, "<tool_call>", "</tool_call>", &mut found, tool_call),
            Protocol::Function => function(text, &mut found),
            Protocol::Invoke => tagged(text, "<invoke name=", "</invoke>", &mut found, invoke),
            Protocol::ToolCalls => bracketed(text, &mut found),
            Protocol::PythonTag => {
                if let Some((_, rest)) = text.split_once("<|python_tag|>") {
                    let rest = rest.trim_end_matches("<|eom_id|>").trim();
                    match json_calls(rest) {
                        Some(calls) => found.calls = calls,
                        None => found.calls.push(tools::call("python", &Value::String(rest.to_owned()))),
                    }
                }
            }
            Protocol::Fenced => fenced(text, &mut found),
        }
        if found.calls.is_empty() && found.refused.is_some() && is_cut {
            found.refused = Some(RESPONSE_CUT);
        }
        found
    }
}

/// A call by name and arguments; arguments that are no JSON are kept as they are.
pub fn made(name: &str, arguments: Option<&Value>) -> Call {
    match tools::arguments(arguments) {
        Ok(arguments) => tools::call(name, &arguments),
        Err(raw) => Call {
            quality: Quality::Parsable,
            quality_reason: Some(ARGUMENTS),
            ..Call::new(name, CallKind::Tool, raw)
        },
    }
}

/// What came back, part by part, of a text that holds results in tags; the whole text where it has none.
pub fn results(text: &str) -> Vec<&str> {
    for (open, close) in [
        ("<tool_response>", "</tool_response>"),
        ("<function_results>", "</function_results>"),
        ("<tool_result>", "</tool_result>"),
    ] {
        if !text.trim_start().starts_with(open) {
            continue;
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            // A result may hold the closing tag itself: it ends where another result or the text's end follows.
            let end = closing(after, open, close);
            parts.push(trim_break(after.get(..end).unwrap_or(after)));
            rest = after.get(end + close.len()..).unwrap_or_default();
        }
        return parts;
    }
    vec![text]
}

/// The end of a result whose closing tag is followed by another result or by nothing.
fn closing(text: &str, open: &str, close: &str) -> usize {
    let ends = text.match_indices(close).map(|(place, _)| place);
    let mut last = text.len();
    for place in ends {
        last = place;
        let rest = text.get(place + close.len()..).unwrap_or_default().trim_start();
        if rest.is_empty() || rest.starts_with(open) {
            break;
        }
    }
    last
}

fn trim_break(text: &str) -> &str {
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text)
}

/// Every element between two tags; one that is not closed was cut off.
fn tagged(
    text: &str,
    open: &str,
    close: &str,
    found: &mut Found,
    read: fn(&str) -> Result<Vec<Call>, &'static str>,
) {
    let mut rest = text;
    for _ in 0..MOST {
        let Some((_, after)) = rest.split_once(open) else { return };
        let (inner, after, is_closed) = match after.split_once(close) {
            Some((inner, after)) => (inner, after, true),
            None => (after, "", false),
        };
        match read(inner.trim()) {
            Ok(calls) => found.calls.extend(calls),
            Err(reason) => found.refused = Some(if is_closed { reason } else { RESPONSE_CUT }),
        }
        rest = after;
    }
    found.left_out += rest.matches(open).count();
}

/// What stands in `<tool_call>` tags: JSON, `<function=…>`, or a name with `<arg_key>` and `<arg_value>`.
fn tool_call(inner: &str) -> Result<Vec<Call>, &'static str> {
    if inner.starts_with("<function=") {
        let mut found = Found::default();
        function(inner, &mut found);
        return if found.calls.is_empty() { Err(NO_ACTION) } else { Ok(found.calls) };
    }
    if let Some(calls) = json_calls(inner) {
        return Ok(calls);
    }
    let (name, rest) = inner.split_at(inner.find("<arg_key>").unwrap_or(inner.len()));
    let name = name.trim();
    if !name.is_empty() && name.len() < 100 && name.chars().all(is_name) {
        let mut arguments = Map::new();
        for pair in rest.split("<arg_key>").skip(1) {
            let Some((key, value)) = pair.split_once("</arg_key>") else { continue };
            let value = value.split_once("<arg_value>").map_or(value, |(_, value)| value);
            let value = value.split_once("</arg_value>").map_or(value, |(value, _)| value);
            arguments.insert(key.trim().to_owned(), Value::String(value.to_owned()));
        }
        return Ok(vec![tools::call(name, &Value::Object(arguments))]);
    }
    // The name is there, the arguments are no JSON: the tool would refuse them.
    match broken_name(inner) {
        Some(name) => Ok(vec![made(name, Some(&Value::String(inner.to_owned())))]),
        None => Err(NO_ACTION),
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '/')
}

/// The name in a call whose JSON is broken.
fn broken_name(inner: &str) -> Option<&str> {
    let (_, rest) = inner.split_once("\"name\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let (name, _) = rest.split_once('"')?;
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// Calls written as JSON: an object or a list of objects with a name and arguments.
pub fn json_calls(text: &str) -> Option<Vec<Call>> {
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(_) => serde_json::from_str(&super::json::repaired(text)?).ok()?,
    };
    match &value {
        Value::Array(calls) if !calls.is_empty() => calls.iter().map(named_call).collect(),
        call @ Value::Object(_) => named_call(call).map(|call| vec![call]),
        _ => None,
    }
}

fn named_call(value: &Value) -> Option<Call> {
    let inner = value.get("function").filter(|inner| inner.is_object()).unwrap_or(value);
    let name = inner.get("name")?.as_str()?;
    let arguments = ["arguments", "parameters", "args", "input"].iter().find_map(|key| inner.get(*key));
    (!name.is_empty()).then(|| made(name, arguments))
}

/// `<function=NAME>` with parameters. Scaffolds stop the model at the closing tag, so that it may be missing.
fn function(text: &str, found: &mut Found) {
    let mut rest = text;
    for _ in 0..MOST {
        let Some((_, after)) = rest.split_once("<function=") else { return };
        let Some((name, after)) = after.split_once('>') else {
            found.refused = Some(RESPONSE_CUT);
            return;
        };
        // An edit may hold the tag in its own text: the element ends behind its last parameter.
        let (arguments, after, is_whole) = parameters(after, "<parameter=", '>', "</function");
        let call = tools::call(name.trim().trim_matches('"'), &Value::Object(arguments));
        if is_whole {
            found.calls.push(call);
        } else {
            found.refused = Some(RESPONSE_CUT);
        }
        rest = after;
    }
    found.left_out += rest.matches("<function=").count();
}

/// `"NAME"><parameter name="P">…</parameter>`.
fn invoke(inner: &str) -> Result<Vec<Call>, &'static str> {
    let (name, rest) = inner.split_once('>').ok_or(RESPONSE_CUT)?;
    let (arguments, _, is_whole) = parameters(rest, "<parameter name=", '>', "</invoke");
    let call = tools::call(name.trim().trim_matches(['"', '\'']), &Value::Object(arguments));
    if is_whole { Ok(vec![call]) } else { Err(RESPONSE_CUT) }
}

/// Parameters up to the end of their element: values, what follows, and whether the last of them is closed.
fn parameters<'t>(
    text: &'t str,
    open: &str,
    end_of_open: char,
    close_element: &str,
) -> (Map<String, Value>, &'t str, bool) {
    let mut arguments = Map::new();
    let end_from = |place: usize| {
        let rest = text.get(place..).unwrap_or_default();
        rest.find(close_element).map_or(text.len(), |end| place + end)
    };
    let mut place = 0;
    let mut close = end_from(0);
    loop {
        // Looked for again only where a value held it: thousands of parameters without an end must not cost their square.
        if close < place {
            close = end_from(place);
        }
        let Some(next) = text.get(place..close).and_then(|within| within.find(open)) else {
            let after = text.get(close..).unwrap_or_default();
            return (arguments, after.strip_prefix(close_element).unwrap_or(after), true);
        };
        let after = text.get(place + next + open.len()..).unwrap_or_default();
        let Some((name, after)) = after.split_once(end_of_open) else { return (arguments, "", false) };
        let Some((value, after)) = after.split_once("</parameter>") else { return (arguments, "", false) };
        let name = name.trim().trim_matches(['"', '\'']).to_owned();
        arguments.insert(name, Value::String(trim_break(value).to_owned()));
        place = text.len() - after.len();
    }
}

/// `[TOOL_CALLS]` of Mistral's templates: a list of calls, or `NAME[ARGS]{…}` one after the other.
fn bracketed(text: &str, found: &mut Found) {
    found.left_out += text.matches("[TOOL_CALLS]").count().saturating_sub(MOST);
    for part in text.split("[TOOL_CALLS]").skip(1).take(MOST) {
        let part = part.trim().trim_end_matches("</s>").trim();
        if let Some((name, arguments)) = part.split_once("[ARGS]") {
            let name = name.split("[CALL_ID]").next().unwrap_or(name).trim();
            found.calls.push(made(name, Some(&Value::String(arguments.trim().to_owned()))));
        } else if let Some(calls) = leading_json(part).and_then(json_calls) {
            found.calls.extend(calls);
        } else if let Some(name) = broken_name(part) {
            found.calls.push(made(name, Some(&Value::String(part.to_owned()))));
        } else {
            found.refused = Some(NO_ACTION);
        }
    }
}

/// The JSON value at the beginning of a text.
fn leading_json(text: &str) -> Option<&str> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    stream.next()?.ok()?;
    text.get(..stream.byte_offset())
}

/// Every fenced block of shell.
fn fenced(text: &str, found: &mut Found) {
    let mut rest = text;
    for _ in 0..MOST {
        let Some((_, after)) = rest.split_once("```") else { return };
        let Some((language, body)) = after.split_once('\n') else { return };
        let end = if body.starts_with("```") { Some(0) } else { body.find("\n```").map(|end| end + 1) };
        let (block, next) = match end {
            Some(end) => (body.get(..end).unwrap_or_default(), body.get(end + 3..).unwrap_or_default()),
            None => (body, ""),
        };
        if FENCES.contains(&language.trim()) {
            match end {
                Some(_) => found.calls.push(Call::new("bash", CallKind::Shell, block.trim())),
                None => found.refused = Some(RESPONSE_CUT),
            }
        }
        rest = next;
    }
    let marks = PROTOCOLS.iter().filter(|(protocol, _)| *protocol == Protocol::Fenced).map(|(_, mark)| mark);
    found.left_out += marks.map(|mark| rest.matches(mark).count()).sum::<usize>();
}

#[cfg(test)]
mod tests {
    use super::{MOST, Protocol, parameters};

    #[test]
    fn a_value_may_hold_the_end_of_its_element() {
        let text =
            "<function=edit><parameter=a>x</function>y</parameter><parameter=b>z</parameter></function>";
        let found = Protocol::Function.find(text, false);
        assert_eq!(found.calls.len(), 1);
        assert_eq!(found.calls[0].input, r#"{"a":"x</function>y","b":"z"}"#);
    }

    #[test]
    fn calls_beyond_the_limit_are_counted() {
        let call = r#"<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>"#;
        for (protocol, one) in [
            (Protocol::ToolCall, call),
            (Protocol::Function, "<function=bash><parameter=command>ls</parameter></function>"),
            (Protocol::Invoke, "<invoke name=\"bash\"><parameter name=\"command\">ls</parameter></invoke>"),
            (Protocol::ToolCalls, r#"[TOOL_CALLS][{"name": "bash", "arguments": {"command": "ls"}}]"#),
            (Protocol::Fenced, "```bash\nls\n```\n"),
        ] {
            let found = protocol.find(&one.repeat(MOST + 3), false);
            assert_eq!((found.calls.len(), found.left_out), (MOST, 3), "{protocol:?}");
            let found = protocol.find(&one.repeat(MOST), false);
            assert_eq!((found.calls.len(), found.left_out), (MOST, 0), "{protocol:?}");
        }
    }

    #[test]
    fn many_parameters_without_an_end_are_read_once() {
        let text = "<parameter=a>x</parameter>".repeat(200_000);
        let (arguments, rest, is_whole) = parameters(&text, "<parameter=", '>', "</function");
        assert_eq!((arguments.len(), rest, is_whole), (1, "", true));
    }
}
