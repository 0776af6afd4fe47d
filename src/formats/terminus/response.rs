//! What a response of Terminus says: batches of keystrokes, whether the task is done, and what the tool's own check finds
//! wrong with it. Terminus 1 writes JSON, Terminus 2 JSON or XML; text around it is tolerated.

use crate::formats::json;
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, NO_ACTION};
use serde_json::Value;

/// Which generation's words a response uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// `state_analysis`, `explanation`, `is_task_complete`.
    One,
    /// `analysis`, `plan`, `task_complete`.
    Two,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Whose words it uses.
    pub generation: Generation,
    /// Keystrokes, one text a batch.
    pub batches: Vec<String>,
    /// It says that the task is done.
    pub is_complete: bool,
    /// The skill that it asks for, where the tool was built with skills.
    pub skill: Option<String>,
    /// What the tool's own check refuses it for.
    pub fault: Option<&'static str>,
}

/// Braces in a text that are tried as the beginning of the response.
const STARTS: usize = 64;

/// Keys of which one tells a response.
const KEYS: [&str; 6] =
    ["analysis", "state_analysis", "commands", "task_complete", "is_task_complete", "load_skill"];

/// Signs of a response in a text whose JSON is broken.
const SIGNS: [&str; 4] = ["\"keystrokes\"", "\"commands\"", "\"state_analysis\"", "\"task_complete\""];

/// The response in a text; `None` where nothing in it looks like one.
pub fn parse(text: &str) -> Option<Response> {
    if let Some(object) = object(text) {
        return Some(of_json(&object));
    }
    if text.contains("<response>") || text.contains("<keystrokes") {
        return Some(of_xml(text));
    }
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return None;
    }
    // The tool closes what was left open before it gives up; raw line breaks within strings are met, too.
    let start = text.find('{').unwrap_or_default();
    let broken = text.get(start..).unwrap_or_default();
    let put_right = json::repaired(broken).unwrap_or_else(|| broken.to_owned());
    match object(&put_right).or_else(|| object(&closed(&put_right))) {
        Some(object) => Some(of_json(&object)),
        None => Some(Response { fault: Some(ARGUMENTS), ..nothing(Generation::Two) }),
    }
}

fn nothing(generation: Generation) -> Response {
    Response { generation, batches: Vec::new(), is_complete: false, skill: None, fault: None }
}

/// The first object in a text that has a key of a response.
fn object(text: &str) -> Option<Value> {
    if !KEYS.iter().any(|key| text.contains(key)) {
        return None;
    }
    let mut rest = text;
    for _ in 0..STARTS {
        rest = rest.get(rest.find('{')?..)?;
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let end = match stream.next() {
            Some(Ok(Value::Object(object))) if KEYS.iter().any(|key| object.contains_key(*key)) => {
                return Some(Value::Object(object));
            }
            // What stands within an object is no response.
            Some(Ok(_)) => stream.byte_offset(),
            _ => 1,
        };
        rest = rest.get(end..)?;
    }
    None
}

/// The text with its open strings, lists and objects closed.
fn closed(text: &str) -> String {
    let (mut open, mut within, mut escaped) = (Vec::new(), false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if within => escaped = true,
            b'"' => within = !within,
            b'{' if !within => open.push('}'),
            b'[' if !within => open.push(']'),
            b'}' | b']' if !within => {
                open.pop();
            }
            _ => {}
        }
    }
    let mut out = text.trim_end().trim_end_matches(',').to_owned();
    if within {
        out.push('"');
    }
    out.extend(open.iter().rev());
    out
}

fn of_json(object: &Value) -> Response {
    let has = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
    let is_first = has("state_analysis") || has("is_task_complete") || has("explanation");
    let generation = if is_first { Generation::One } else { Generation::Two };
    let mut response = nothing(generation);
    response.is_complete = ["task_complete", "is_task_complete"].iter().any(|key| is_true(object.get(*key)));
    response.skill = object.get("load_skill").and_then(Value::as_str).map(str::to_owned);
    if response.skill.is_some() {
        return response;
    }
    let required: &[&str] = match generation {
        Generation::One => &["state_analysis", "explanation", "commands"],
        Generation::Two => &["analysis", "plan", "commands"],
    };
    if !required.iter().all(|key| has(key)) {
        response.fault = Some(MISSING_ARGUMENT);
    }
    match object.get("commands") {
        Some(Value::Array(commands)) => {
            for command in commands {
                match command.get("keystrokes").and_then(Value::as_str).or(command.as_str()) {
                    Some(keystrokes) => response.batches.push(keystrokes.to_owned()),
                    None => response.fault = Some(MISSING_ARGUMENT),
                }
            }
        }
        None | Some(Value::Null) => {}
        Some(_) => response.fault = Some(ARGUMENTS),
    }
    response
}

/// True, in the spellings that the tool takes.
fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(value)) => *value,
        Some(Value::String(text)) => matches!(text.trim().to_lowercase().as_str(), "true" | "1" | "yes"),
        _ => false,
    }
}

fn of_xml(text: &str) -> Response {
    let mut response = nothing(Generation::Two);
    // Of several `<response>` blocks the tool takes the first.
    let inner = match text.split_once("<response>") {
        Some((_, inner)) => inner.split_once("</response>").map_or(inner, |(inner, _)| inner),
        None => {
            response.fault = Some(NO_ACTION);
            text
        }
    };
    response.is_complete =
        element(inner, "task_complete").is_some_and(|text| text.trim().eq_ignore_ascii_case("true"));
    let commands = match inner.split_once("<commands>") {
        Some((_, commands)) => commands.rsplit_once("</commands>").map_or(commands, |(commands, _)| commands),
        None => {
            // `<commands/>` is an empty list; without any the response must say that the task is done.
            if !inner.contains("<commands/>") && !inner.contains("<commands />") && !response.is_complete {
                response.fault = response.fault.or(Some(MISSING_ARGUMENT));
            }
            ""
        }
    };
    let mut rest = commands;
    while let Some((_, after)) = rest.split_once("<keystrokes") {
        let Some((_, body)) = after.split_once('>') else { break };
        let (keystrokes, after) = body.split_once("</keystrokes>").unwrap_or((body, ""));
        response.batches.push(keystrokes.to_owned());
        rest = after;
    }
    response
}

fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>")).map_or(rest, |(inner, _)| inner))
}
