//! A map: which key of a foreign log holds what, as a small TOML file says it (`docs/mapped-logs.md`). It comes as a plain
//! value; a key that nothing uses is an error with the nearest known one.

use crate::formats::asap::Tags;
use crate::formats::messages::Role;
use crate::model::Termination;
use serde_json::Value;
use std::collections::BTreeSet;

/// What the file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// JSON Lines, one run a line, with a list of messages or of steps.
    #[default]
    Rows,
    /// JSON Lines, one run a line, with a text rendered by a chat template.
    Rendered,
    /// Completion logs: JSON Lines with a text of steps a run, or the text alone.
    Asap,
}

/// Where a row says something: keys from the top down, a number is the place of an element.
pub type Place = Vec<String>;

/// Places of what a row says of its run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of the same name in the page on maps")]
pub struct Fields {
    pub instance_id: Option<Place>,
    pub run: Option<Place>,
    pub session_id: Option<Place>,
    pub scaffold: Option<Place>,
    pub model: Option<Place>,
    pub reward: Option<Place>,
    pub resolved: Option<Place>,
    pub masked: Option<Place>,
    pub status: Option<Place>,
    pub patch: Option<Place>,
    pub steps: Option<Place>,
    pub train_step: Option<Place>,
    pub prefix_turns: Option<Place>,
    pub system: Option<Place>,
    pub task: Option<Place>,
    pub messages: Option<Place>,
    pub prompt: Option<Place>,
    pub completion: Option<Place>,
}

/// Places within a message or step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of the same name in the page on maps")]
pub struct MessageFields {
    pub role: Option<Place>,
    pub text: Option<Place>,
    pub reasoning: Option<Place>,
    pub command: Option<Place>,
    pub calls: Option<Place>,
    pub call_id: Option<Place>,
    pub call_name: Option<Place>,
    pub call_arguments: Option<Place>,
    pub result_id: Option<Place>,
    pub observation: Option<Place>,
    pub exit_code: Option<Place>,
}

/// A map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// What the file holds.
    pub kind: Kind,
    /// Where a row says what.
    pub fields: Fields,
    /// Where a message says what; `None` where messages have one of the usual shapes.
    pub message: Option<MessageFields>,
    /// Words for roles beside the usual ones.
    pub roles: Vec<(String, Role)>,
    /// What statuses mean.
    pub statuses: Vec<(String, Termination)>,
    /// Scaffold of all runs.
    pub scaffold: Option<String>,
    /// Model of all runs.
    pub model: Option<String>,
    /// Number of the first run: native numbers that start at 1 lose 1.
    pub first_run: i64,
    /// From which reward on a run is solved.
    pub resolved_at: Option<f64>,
    /// Tags of completion logs.
    pub tags: Tags,
}

/// Keys at the top.
const TOP: [&str; 10] = [
    "kind",
    "scaffold",
    "model",
    "first_run",
    "resolved_at",
    "fields",
    "message",
    "roles",
    "statuses",
    "tags",
];
/// Keys of `[fields]`.
const FIELDS: [&str; 18] = [
    "instance_id",
    "run",
    "session_id",
    "scaffold",
    "model",
    "reward",
    "resolved",
    "masked",
    "status",
    "patch",
    "steps",
    "train_step",
    "prefix_turns",
    "system",
    "task",
    "messages",
    "prompt",
    "completion",
];
/// Keys of `[message]`.
const MESSAGE: [&str; 11] = [
    "role",
    "text",
    "reasoning",
    "command",
    "calls",
    "call_id",
    "call_name",
    "call_arguments",
    "result_id",
    "observation",
    "exit_code",
];
/// Keys of `[roles]`.
const ROLES: [(&str, Role); 4] =
    [("system", Role::System), ("user", Role::User), ("model", Role::Model), ("result", Role::Result)];
/// Keys of `[tags]`.
const TAGS: [&str; 7] = ["thinking", "observation", "hint", "prefix", "end", "submit", "actions"];

impl Map {
    /// The map that a TOML file, as a plain value, says; every fault of it otherwise.
    pub fn of(value: &Value) -> Result<Map, Vec<String>> {
        let mut faults = Vec::new();
        let mut map = Map::default();
        known(value, "", &TOP, &mut faults);
        map.kind = kind(value, &mut faults);
        map.scaffold = words(value, "scaffold", &mut faults).into_iter().next();
        map.model = words(value, "model", &mut faults).into_iter().next();
        map.first_run = number(value, "first_run", &mut faults).map_or(0, |first| first as i64);
        map.resolved_at = number(value, "resolved_at", &mut faults);
        if let Some(fields) = table(value, "fields", &FIELDS, &mut faults) {
            map.fields = places(fields, &mut faults);
        }
        if let Some(message) = table(value, "message", &MESSAGE, &mut faults) {
            map.message = Some(message_places(message, &mut faults));
        }
        if let Some(roles) = table(value, "roles", &ROLES.map(|(name, _)| name), &mut faults) {
            for (name, role) in ROLES {
                map.roles.extend(words(roles, name, &mut faults).into_iter().map(|word| (word, role)));
            }
        }
        map.statuses = statuses(value, &mut faults);
        if let Some(given) = table(value, "tags", &TAGS, &mut faults) {
            tags(given, &mut map.tags, &mut faults);
        }
        map.lacks(&mut faults);
        if faults.is_empty() { Ok(map) } else { Err(faults) }
    }

    /// Keys without which nothing can be read.
    fn lacks(&self, faults: &mut Vec<String>) {
        let (is_there, key) = match self.kind {
            Kind::Rows => (self.fields.messages.is_some(), "messages"),
            Kind::Rendered => (self.fields.completion.is_some(), "completion"),
            // A text alone has no keys.
            Kind::Asap => (true, "completion"),
        };
        if !is_there {
            faults.push(format!("`fields.{key}` is missing: it says where a row keeps what was said"));
        }
    }

    /// The role of a word.
    pub fn role(&self, word: &str) -> Option<Role> {
        let own = self.roles.iter().find(|(known, _)| known == word).map(|(_, role)| *role);
        own.or_else(|| Role::of(word))
    }
}

/// Every key of a table that nothing uses, with the nearest known one.
fn known(value: &Value, table: &str, keys: &[&str], faults: &mut Vec<String>) {
    let Some(fields) = value.as_object() else {
        faults.push("a map is a table of keys".to_owned());
        return;
    };
    for key in fields.keys().filter(|key| !keys.contains(&key.as_str())) {
        let at = if table.is_empty() { key.clone() } else { format!("{table}.{key}") };
        let hint = nearest(key, keys).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        faults.push(format!("`{at}` is no key of a map{hint}"));
    }
}

/// The key that shares most pairs of letters.
fn nearest<'k>(key: &str, keys: &[&'k str]) -> Option<&'k str> {
    let pairs = |word: &str| -> BTreeSet<(char, char)> { word.chars().zip(word.chars().skip(1)).collect() };
    let own = pairs(key);
    let shared = |known: &str| {
        let known = pairs(known);
        let both = own.iter().filter(|pair| known.contains(pair)).count();
        2000 * both / (own.len() + known.len()).max(1)
    };
    keys.iter().copied().max_by_key(|known| shared(known)).filter(|known| shared(known) > 0)
}

fn table<'v>(value: &'v Value, key: &str, keys: &[&str], faults: &mut Vec<String>) -> Option<&'v Value> {
    let table = value.get(key)?;
    if !table.is_object() {
        faults.push(format!("`{key}` is a table: write `[{key}]`"));
        return None;
    }
    known(table, key, keys, faults);
    Some(table)
}

fn kind(value: &Value, faults: &mut Vec<String>) -> Kind {
    match value.get("kind").map(|kind| kind.as_str().unwrap_or_default()) {
        None | Some("rows") => Kind::Rows,
        Some("rendered") => Kind::Rendered,
        Some("asap") => Kind::Asap,
        Some(other) => {
            faults.push(format!("kind = `{other}` is none; write \"rows\", \"rendered\" or \"asap\""));
            Kind::Rows
        }
    }
}

/// A word, or a list of words.
fn words(value: &Value, key: &str, faults: &mut Vec<String>) -> Vec<String> {
    let word = |value: &Value| value.as_str().filter(|word| !word.is_empty()).map(str::to_owned);
    let found = match value.get(key) {
        None => return Vec::new(),
        Some(Value::Array(words)) => words.iter().map(word).collect(),
        Some(other) => word(other).map(|word| vec![word]),
    };
    found.unwrap_or_else(|| {
        faults.push(format!("`{key}` is a word or a list of words"));
        Vec::new()
    })
}

fn number(value: &Value, key: &str, faults: &mut Vec<String>) -> Option<f64> {
    let number = value.get(key)?.as_f64();
    if number.is_none() {
        faults.push(format!("`{key}` is a number"));
    }
    number
}

/// `a.b.0` as a place.
fn place(table: &Value, key: &str, faults: &mut Vec<String>) -> Option<Place> {
    let text = words(table, key, faults).into_iter().next()?;
    Some(text.split('.').map(str::to_owned).collect())
}

fn places(table: &Value, faults: &mut Vec<String>) -> Fields {
    let mut at = |key| place(table, key, faults);
    Fields {
        instance_id: at("instance_id"),
        run: at("run"),
        session_id: at("session_id"),
        scaffold: at("scaffold"),
        model: at("model"),
        reward: at("reward"),
        resolved: at("resolved"),
        masked: at("masked"),
        status: at("status"),
        patch: at("patch"),
        steps: at("steps"),
        train_step: at("train_step"),
        prefix_turns: at("prefix_turns"),
        system: at("system"),
        task: at("task"),
        messages: at("messages"),
        prompt: at("prompt"),
        completion: at("completion"),
    }
}

fn message_places(table: &Value, faults: &mut Vec<String>) -> MessageFields {
    let mut at = |key| place(table, key, faults);
    MessageFields {
        role: at("role"),
        text: at("text"),
        reasoning: at("reasoning"),
        command: at("command"),
        calls: at("calls"),
        call_id: at("call_id"),
        call_name: at("call_name"),
        call_arguments: at("call_arguments"),
        result_id: at("result_id"),
        observation: at("observation"),
        exit_code: at("exit_code"),
    }
}

/// `"out of time" = "time_limit"`.
fn statuses(value: &Value, faults: &mut Vec<String>) -> Vec<(String, Termination)> {
    let mut found = Vec::new();
    let Some(table) = value.get("statuses") else { return found };
    for (raw, meaning) in table.as_object().into_iter().flatten() {
        let word = meaning.as_str().unwrap_or_default();
        match Termination::parse(word) {
            Some(termination) => found.push((raw.clone(), termination)),
            None => {
                let words = Termination::ALL.map(Termination::as_str);
                let hint = nearest(word, &words).map(|near| format!("; did you mean `{near}`?"));
                let hint = hint.unwrap_or_else(|| format!("; write one of {}", words.join(", ")));
                faults.push(format!("`statuses.{raw}`: `{word}` is no end of a run{hint}"));
            }
        }
    }
    found
}

fn tags(given: &Value, tags: &mut Tags, faults: &mut Vec<String>) {
    for (key, name) in [
        ("thinking", &mut tags.thinking),
        ("observation", &mut tags.observation),
        ("hint", &mut tags.hint),
        ("prefix", &mut tags.prefix),
        ("end", &mut tags.end),
        ("submit", &mut tags.submit),
    ] {
        if let Some(word) = words(given, key, faults).into_iter().next() {
            *name = word;
        }
    }
    for (tag, tool) in given.get("actions").and_then(Value::as_object).into_iter().flatten() {
        match tool.as_str() {
            // An action of the map goes before one of the same tag that is usual.
            Some(tool) => tags.actions.insert(0, (tag.clone(), tool.to_owned())),
            None => faults.push(format!("`tags.actions.{tag}` is the name of a tool, such as \"edit\"")),
        }
    }
}
