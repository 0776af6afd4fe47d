//! A file of labelled turns: JSON Lines, one turn a line, as `labels --sample` writes them empty. A line that cannot be
//! taken is refused with its number and the reason, and the others stand.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answer::{self, Answer, Edit, TAGS, Test};
use crate::model::TagName;

/// One labelled turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The item as the file names it.
    pub item: String,
    /// The log: `archive:file`, or the id of a trajectory.
    pub log: String,
    /// The turn, from 0 over all turns of the log.
    pub turn: usize,
    /// What the reader says.
    pub answer: Answer,
    /// `random`, or the kind of command that the turn was drawn for.
    pub stratum: Option<String>,
    /// Why two careful readers may differ.
    pub hard: Option<String>,
}

/// A line that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Line, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

/// What a file of labels says.
#[derive(Clone, Debug, Default)]
pub struct LabelFile {
    /// Labels in order.
    pub labels: Vec<Label>,
    /// Lines of a sheet that nobody has filled in yet.
    pub empty: usize,
    /// Lines that were not taken.
    pub refused: Vec<Refused>,
}

/// Reads a file of labels.
pub fn parse(text: &str) -> LabelFile {
    let mut file = LabelFile::default();
    let mut seen = BTreeSet::new();
    for (place, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let taken = match serde_json::from_str::<Value>(line) {
            Ok(value) if value["tags"].is_null() && value["item"].is_string() => {
                file.empty += 1;
                continue;
            }
            Ok(value) => label(&value),
            Err(error) => Err(format!("no JSON: {error}")),
        };
        match taken {
            Ok(label) if seen.insert(label.item.clone()) => file.labels.push(label),
            Ok(label) => file.refused.push(Refused {
                line: place + 1,
                why: format!("`{}` is labelled twice; the first stands", label.item),
            }),
            Err(why) => file.refused.push(Refused { line: place + 1, why }),
        }
    }
    file
}

/// The empty label of a turn, with every field that may be filled in.
pub fn empty(log: &str, turn: usize, format: &str, file: &str) -> Value {
    json!({
        "item": format!("{log}:{turn}"),
        "file": file,
        "format": format,
        "stratum": "random",
        "tags": null,
        "exploration_kind": [],
        "execution_kind": null,
        "edit": [],
        "test": [],
        "quality": null,
        "network_kind": null,
        "network_result": null,
        "hard": null,
    })
}

fn label(value: &Value) -> Result<Label, String> {
    let item = value["item"].as_str().ok_or("it has no `item`")?;
    let place = item.rsplit_once(':').and_then(|(log, turn)| Some((log, turn.parse().ok()?)));
    let (log, turn) = place.ok_or_else(|| format!("`{item}` names no turn: `LOG:TURN` is asked for"))?;
    let text = |field: &str| value[field].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let quality = match text("quality") {
        None => None,
        Some(word) => {
            Some(answer::parse_quality(&word).ok_or_else(|| format!("`{word}` is no quality of a turn"))?)
        }
    };
    let answer = Answer {
        tags: tags(&value["tags"])?,
        exploration_kinds: words(&value["exploration_kind"]),
        execution_kinds: words(&value["execution_kind"]),
        edits: list(&value["edit"]).iter().map(edit).collect(),
        tests: list(&value["test"]).iter().map(test).collect::<Result<_, _>>()?,
        quality,
        network_kind: text("network_kind"),
        network_result: text("network_result"),
    };
    Ok(Label {
        item: item.to_owned(),
        log: log.to_owned(),
        turn,
        answer,
        stratum: text("stratum"),
        hard: text("hard"),
    })
}

fn tags(value: &Value) -> Result<BTreeSet<TagName>, String> {
    let words = value.as_array().ok_or("`tags` is no list")?;
    let name = |word: &Value| {
        let known = word.as_str().and_then(TagName::parse).filter(|name| TAGS.contains(name));
        known.ok_or_else(|| {
            let known: Vec<&str> = TAGS.iter().map(|name| name.as_str()).collect();
            format!("{word} is no tag of a turn; known: {}", known.join(", "))
        })
    };
    words.iter().map(name).collect()
}

/// A list, or none.
fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// One word or several.
fn words(value: &Value) -> BTreeSet<String> {
    let one = std::slice::from_ref(value);
    let words = if value.is_array() { list(value) } else { one };
    words.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn edit(value: &Value) -> Edit {
    Edit {
        path: value["path"].as_str().map(str::to_owned),
        kind: value["kind"].as_str().unwrap_or_default().to_owned(),
        target: value["target"].as_str().map(str::to_owned),
        effective: value["effective"].as_bool(),
    }
}

fn test(value: &Value) -> Result<Test, String> {
    let word = value["outcome"].as_str().unwrap_or_default();
    Ok(Test {
        kind: value["kind"].as_str().unwrap_or_default().to_owned(),
        outcome: answer::parse_outcome(word).ok_or_else(|| format!("`{word}` is no outcome of a test"))?,
        reason: value["reason"].as_str().map(str::to_owned),
    })
}
