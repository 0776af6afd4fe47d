//! The tags of a store beside the turns that bear them: marks on the turn's line, and below it a comment for each tag with
//! the bytes that it rests on and its attributes.

use std::collections::{BTreeMap, BTreeSet};

use super::compared::context_of;
use crate::model::{Turn, turn_lines};
use crate::store::{Frame, FrameRow, Sql, Store, StoreError, StoredLog};
use crate::tags::{Rules, Tagged};

/// Bytes of evidence that are shown of one tag.
const LIMIT: usize = 160;

/// Tags by trajectory and turn.
#[derive(Default)]
pub struct Tags(BTreeMap<(String, i64), Vec<Tag>>);

/// One row of the table `tags`.
struct Tag {
    label: String,
    field: String,
    place: Place,
    span: Option<(i64, i64)>,
    attributes: Vec<String>,
}

/// Call and segment, where there are.
type Place = (Option<i64>, Option<i64>);

impl Tags {
    /// Reads the tags of some trajectories.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(store: &Store, ids: &BTreeSet<&str>) -> Result<Tags, StoreError> {
        let mut tags = Tags::default();
        let sql = Sql::open(store)?;
        for row in rows(&sql, "tags", TAG, ids)?.iter() {
            let kind = row.opt_text("kind")?.or(row.opt_text("code")?);
            let name = row.text("tag")?;
            let tag = Tag {
                label: kind.map_or_else(|| name.to_owned(), |kind| format!("{name}/{kind}")),
                field: row.text("field")?.to_owned(),
                place: place(row)?,
                span: row.opt_int("from_byte")?.zip(row.opt_int("to_byte")?),
                attributes: Vec::new(),
            };
            tags.0.entry(turn(row)?).or_default().push(tag);
        }
        for attributes in ATTRIBUTES {
            for row in rows(&sql, attributes.table, attributes.columns, ids)?.iter() {
                tags.add(row, attributes)?;
            }
        }
        Ok(tags)
    }

    /// Puts the tags that user rules give, where the store has them not.
    pub fn add_rules(&mut self, rules: &Rules, stored: &StoredLog) {
        if rules.is_empty() {
            return;
        }
        let facts = crate::facts::compute(&stored.log, &context_of(stored));
        let mut tagged = Tagged::default();
        rules.apply(&stored.log, &facts, &mut tagged);
        let number = |place: Option<usize>| place.and_then(|place| i64::try_from(place).ok());
        for row in tagged.rows {
            let span = row.span.map(|(from, to)| (from as i64, to as i64));
            let tag = Tag {
                label: row.tag.label(),
                field: row.field.as_str().to_owned(),
                place: (number(row.call), number(row.segment)),
                span,
                attributes: Vec::new(),
            };
            let held = self.0.entry((stored.id.clone(), row.turn as i64)).or_default();
            if !held.iter().any(|held| held.place == tag.place && held.label == tag.label) {
                held.push(tag);
            }
        }
    }

    /// Puts an attribute to the tag whose command it is of.
    fn add(&mut self, row: FrameRow, attributes: &Attributes) -> Result<(), StoreError> {
        let place = place(row)?;
        let label = match attributes.has_kind {
            true => format!("{}/{}", attributes.tag, row.text("kind")?),
            false => attributes.tag.to_owned(),
        };
        let tags = self.0.entry(turn(row)?).or_default();
        if let Some(tag) = tags.iter_mut().find(|tag| tag.place == place && tag.label == label) {
            tag.attributes.push((attributes.say)(row)?);
        }
        Ok(())
    }

    fn of(&self, id: &str, turn: usize) -> &[Tag] {
        self.0.get(&(id.to_owned(), turn as i64)).map_or(&[], Vec::as_slice)
    }

    /// The marks of a turn.
    pub fn marks(&self, id: &str, turn: usize) -> String {
        let mut labels: Vec<&str> = Vec::new();
        for tag in self.of(id, turn) {
            if !labels.contains(&tag.label.as_str()) {
                labels.push(&tag.label);
            }
        }
        labels.join(" ")
    }

    /// A comment for each tag of a turn.
    pub fn evidence(&self, id: &str, turn: usize, logged: &Turn) -> String {
        self.of(id, turn)
            .iter()
            .map(|tag| {
                let text = tag.text(logged).map(|text| turn_lines::one_line(text, LIMIT)).unwrap_or_default();
                let attributes = tag.attributes.join("; ");
                let attributes = if attributes.is_empty() { attributes } else { format!(" ({attributes})") };
                format!("#   {}: {text}{attributes}\n", tag.label)
            })
            .collect()
    }
}

impl Tag {
    /// The bytes that the tag rests on.
    fn text<'t>(&self, turn: &'t Turn) -> Option<&'t str> {
        let call = self.place.0.and_then(|call| turn.calls.get(usize::try_from(call).ok()?));
        let field = match self.field.as_str() {
            "input" => call.map(|call| call.input.as_str()),
            "observation" => call.and_then(|call| call.observation.as_deref()),
            _ => Some(turn.text.as_str()),
        }?;
        let Some((from, to)) = self.span else { return Some(field) };
        field.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
    }
}

/// A table that says more of a tag.
struct Attributes {
    table: &'static str,
    tag: &'static str,
    /// Its rows have the kind of the tag.
    has_kind: bool,
    columns: &'static [&'static str],
    say: fn(FrameRow) -> Result<String, StoreError>,
}

const TAG: &[&str] = &[
    "trajectory_id",
    "turn",
    "tag",
    "n",
    "call",
    "segment",
    "kind",
    "code",
    "field",
    "from_byte",
    "to_byte",
];

const ATTRIBUTES: &[Attributes] = &[
    Attributes {
        table: "edits",
        tag: "editing",
        has_kind: true,
        columns: &[
            "trajectory_id",
            "turn",
            "call",
            "n",
            "segment",
            "path",
            "kind",
            "target",
            "effective",
            "evidence",
            "reason",
        ],
        say: edit,
    },
    Attributes {
        table: "test_runs",
        tag: "testing",
        has_kind: true,
        columns: &[
            "trajectory_id",
            "turn",
            "call",
            "n",
            "segment",
            "kind",
            "runner",
            "outcome",
            "reason",
            "evidence",
            "passed",
            "failed",
            "errors",
            "skipped",
        ],
        say: test_run,
    },
    Attributes {
        table: "network",
        tag: "network",
        has_kind: false,
        columns: &["trajectory_id", "turn", "call", "n", "segment", "host", "host_kind", "result"],
        say: network,
    },
];

fn edit(row: FrameRow) -> Result<String, StoreError> {
    let effect = match row.opt_flag("effective")? {
        Some(true) => "took effect",
        Some(false) => "no effect",
        None => "effect unknown",
    };
    let words = [
        row.opt_text("path")?,
        row.opt_text("target")?,
        Some(effect),
        row.opt_text("reason")?,
        Some(row.text("evidence")?).filter(|evidence| *evidence != "none"),
    ];
    Ok(said(&words))
}

fn test_run(row: FrameRow) -> Result<String, StoreError> {
    let mut counts = Vec::new();
    for count in ["passed", "failed", "errors", "skipped"] {
        if let Some(number) = row.opt_int(count)?.filter(|number| *number > 0) {
            counts.push(format!("{number} {count}"));
        }
    }
    let counts = counts.join(", ");
    let words = [
        row.opt_text("runner")?,
        Some(row.text("outcome")?),
        row.opt_text("reason")?,
        Some(counts.as_str()).filter(|counts| !counts.is_empty()),
        Some(row.text("evidence")?).filter(|evidence| *evidence != "none"),
    ];
    Ok(said(&words))
}

fn network(row: FrameRow) -> Result<String, StoreError> {
    Ok(said(&[row.opt_text("host")?, Some(row.text("host_kind")?), Some(row.text("result")?)]))
}

fn said(words: &[Option<&str>]) -> String {
    words.iter().copied().flatten().collect::<Vec<_>>().join(", ")
}

/// The rows of some trajectories, in order of place.
fn rows(sql: &Sql, table: &str, columns: &[&str], ids: &BTreeSet<&str>) -> Result<Frame, StoreError> {
    let ids: Vec<String> = ids.iter().map(|id| format!("'{}'", id.replace('\'', "''"))).collect();
    let columns = columns.join(", ");
    if ids.is_empty() {
        return Ok(Frame::default());
    }
    sql.run(&format!(
        "SELECT {columns} FROM {table} WHERE trajectory_id IN ({}) ORDER BY trajectory_id, turn, call, n",
        ids.join(", ")
    ))
}

fn turn(row: FrameRow) -> Result<(String, i64), StoreError> {
    Ok((row.text("trajectory_id")?.to_owned(), row.int("turn")?))
}

fn place(row: FrameRow) -> Result<Place, StoreError> {
    Ok((row.opt_int("call")?, row.opt_int("segment")?))
}
