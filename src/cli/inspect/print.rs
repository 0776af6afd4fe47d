//! Objects as JSON Lines where somebody pipes them or asks for it, as tables on a terminal.

use serde::Deserialize;

use super::super::arguments::InspectArguments;
use super::super::error::CommandError;
use super::super::{compare, output};
use super::object::Object;
use crate::report;
use crate::store::{ColumnType, Frame, FrameColumn, Value};

/// Prints objects as they come.
pub enum Printer {
    /// A line each.
    Lines,
    /// Rows of one table, printed at the end.
    Table(Frame),
    /// A sentence each, with a table of its turns.
    Turns,
}

impl Printer {
    /// As the terminal and the arguments want it.
    pub fn new(arguments: &InspectArguments) -> Printer {
        if arguments.json || !output::is_terminal() {
            Printer::Lines
        } else if arguments.turns || arguments.tags {
            Printer::Turns
        } else {
            Printer::Table(frame(&RUN))
        }
    }

    /// Takes an object.
    pub fn print(&mut self, object: &Object) -> Result<(), CommandError> {
        match self {
            Printer::Lines => output::print(&object.line()),
            Printer::Table(table) => {
                table.rows.push(run(object));
                Ok(())
            }
            Printer::Turns => {
                let turns = report::frame_text(&turns(object), compare::screen());
                output::print(&format!("{}\n{turns}\n", output::visible(&heading(object))))
            }
        }
    }

    /// Prints what waited.
    pub fn finish(self) -> Result<(), CommandError> {
        match self {
            Printer::Table(table) if !table.rows.is_empty() => {
                output::print(&report::frame_text(&table, compare::screen()))
            }
            _ => Ok(()),
        }
    }
}

const RUN: [(&str, ColumnType); 9] = [
    ("instance", ColumnType::Text),
    ("run", ColumnType::Int),
    ("steps", ColumnType::Int),
    ("turns", ColumnType::Int),
    ("termination", ColumnType::Text),
    ("patch", ColumnType::Text),
    ("outcome", ColumnType::Text),
    ("odd", ColumnType::Int),
    ("file", ColumnType::Text),
];

const TURN: [(&str, ColumnType); 6] = [
    ("turn", ColumnType::Int),
    ("quality", ColumnType::Text),
    ("tool", ColumnType::Text),
    ("exit", ColumnType::Int),
    ("input", ColumnType::Text),
    ("tags", ColumnType::Text),
];

fn frame(columns: &[(&str, ColumnType)]) -> Frame {
    let columns =
        columns.iter().map(|(name, kind)| FrameColumn { name: (*name).to_owned(), kind: *kind }).collect();
    Frame { columns, rows: Vec::new() }
}

fn run(object: &Object) -> Vec<Value> {
    vec![
        text(object.instance_id),
        int(object.run),
        int(object.steps),
        int(object.turns.map(|turns| turns as i64)),
        text(object.termination),
        text(object.patch),
        object.outcome.as_ref().map_or(Value::Null, |outcome| text(&outcome.word())),
        int(Some(object.problems.len() as i64)),
        text(object.file),
    ]
}

fn heading(object: &Object) -> String {
    let run = object.run.map(|run| format!(" run {run}")).unwrap_or_default();
    let outcome = object.outcome.as_ref().map(|outcome| format!(", {}", outcome.word())).unwrap_or_default();
    format!("{}{run}: {}{outcome} ({})", object.instance_id, object.termination, object.file)
}

/// What a table shows of a turn.
#[derive(Deserialize)]
struct Shown {
    turn: i64,
    quality: String,
    calls: Vec<ShownCall>,
    #[serde(default)]
    tags: Vec<ShownTag>,
}

#[derive(Deserialize)]
struct ShownCall {
    tool: String,
    input: String,
    exit_code: Option<i64>,
}

#[derive(Deserialize)]
struct ShownTag {
    tag: String,
    kind: Option<String>,
    code: Option<String>,
}

/// The turns of an object; a row a call, since a turn may have several.
fn turns(object: &Object) -> Frame {
    let mut table = frame(&TURN);
    let shown: Option<Vec<Shown>> =
        object.turn.and_then(|turns| serde_json::from_str(turns.get()).ok()).flatten();
    for turn in shown.unwrap_or_default() {
        let tags = text(&labels(&turn.tags));
        let head = |tool, exit, input, tags| {
            vec![int(Some(turn.turn)), text(&turn.quality), tool, exit, input, tags]
        };
        if turn.calls.is_empty() {
            table.rows.push(head(Value::Null, Value::Null, Value::Null, tags.clone()));
        }
        for (place, call) in turn.calls.iter().enumerate() {
            let tags = if place == 0 { tags.clone() } else { Value::Null };
            table.rows.push(head(text(&call.tool), int(call.exit_code), text(&call.input), tags));
        }
    }
    table
}

fn labels(tags: &[ShownTag]) -> String {
    let mut labels: Vec<String> = tags
        .iter()
        .map(|tag| match tag.kind.as_ref().or(tag.code.as_ref()) {
            Some(detail) => format!("{}/{detail}", tag.tag),
            None => tag.tag.clone(),
        })
        .collect();
    labels.dedup();
    labels.join(" ")
}

fn text(text: &str) -> Value {
    // A table's cell is a line.
    Value::Text(text.replace('\n', "↵").into())
}

fn int(number: Option<i64>) -> Value {
    number.map_or(Value::Null, Value::Int)
}
