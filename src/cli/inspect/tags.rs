//! The tags of a turn with the attributes of `definitions.md` §3. An attribute is there where its tag has it, and null
//! where it is not known. One tag row gives an object, an editing row one for each file, a network row one for each host.

use serde::Serialize;

use crate::facts::{EditFact, Facts, NetworkFact, TestRunFact};
use crate::model::{TagName, TagRow, Trajectory};
use crate::tags::{Source, Tagged, source};

/// An attribute that a tag may have, and whose value may be unknown.
type Attribute<T> = Option<Option<T>>;

/// One tag of a turn.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TagObject<'a> {
    tag: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment: Option<usize>,
    field: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_byte: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_byte: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Attribute<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Attribute<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Attribute<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective: Attribute<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    survives: Attribute<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runner: Attribute<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Attribute<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Attribute<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explicit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Attribute<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_turn: Attribute<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_turn: Attribute<usize>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Counts {
    passed: Option<i64>,
    failed: Option<i64>,
    errors: Option<i64>,
    skipped: Option<i64>,
}

/// The tags of every turn, over all origins.
pub fn by_turn<'a>(trajectory: &Trajectory, facts: &'a Facts, tagged: &'a Tagged) -> Vec<Vec<TagObject<'a>>> {
    let mut turns = vec![Vec::new(); trajectory.turns.len()];
    for row in &tagged.rows {
        if let Some(turn) = turns.get_mut(row.turn) {
            turn.extend(objects(facts, tagged, row));
        }
    }
    turns
}

fn objects<'a>(facts: &'a Facts, tagged: &'a Tagged, row: &'a TagRow) -> Vec<TagObject<'a>> {
    let source = source(facts, row);
    let base = base(tagged, row, &source);
    match row.tag.name {
        TagName::Editing if !source.edits.is_empty() => {
            source.edits.iter().map(|edit| with_edit(base.clone(), edit)).collect()
        }
        TagName::Network if !source.network.is_empty() => {
            source.network.iter().map(|fact| with_network(base.clone(), fact)).collect()
        }
        TagName::Testing => vec![match source.test_run {
            Some(run) => with_test_run(base, run),
            None => base,
        }],
        _ => vec![base],
    }
}

/// What every tag has, and what stands in no list of facts.
fn base<'a>(tagged: &Tagged, row: &'a TagRow, source: &Source) -> TagObject<'a> {
    let is = |name: TagName| row.tag.name == name;
    TagObject {
        tag: row.tag.name.as_str(),
        kind: row.tag.kind,
        code: row.tag.code,
        call: row.call,
        segment: row.segment,
        field: row.field.as_str(),
        from_byte: row.span.map(|span| span.0),
        to_byte: row.span.map(|span| span.1),
        ran: source.segment.map(|segment| segment.ran),
        accepted: is(TagName::Submission).then_some(source.accepted),
        failing_turn: is(TagName::Recovery).then(|| failing_turn(tagged, row)),
        first_turn: is(TagName::Loop).then(|| first_turn(tagged, row)),
        ..TagObject::default()
    }
}

/// The failing turn that a recovery comes back from: the nearest, where one turn recovers from several.
fn failing_turn(tagged: &Tagged, row: &TagRow) -> Option<usize> {
    let recovers = |turn: Option<usize>| turn == Some(row.turn);
    let events = tagged.events.iter().filter(|event| {
        recovers(event.recovered_turn) && event.code == row.tag.code
            || recovers(event.fixed_turn) && row.tag.code == Some("R5")
    });
    events.filter_map(|event| event.turn.or(event.before_turn)).max()
}

fn first_turn(tagged: &Tagged, row: &TagRow) -> Option<usize> {
    let holds = tagged
        .loops
        .iter()
        .filter(|found| Some(found.code) == row.tag.code && found.turns.contains(&row.turn));
    holds.map(|found| found.first_turn).min()
}

fn with_edit<'a>(base: TagObject<'a>, edit: &'a EditFact) -> TagObject<'a> {
    TagObject {
        path: Some(edit.path.as_deref()),
        target: Some(edit.target.map(|target| target.as_str())),
        effective: Some(edit.effective),
        survives: Some(edit.survives),
        evidence: Some(edit.evidence.as_str()),
        reason: Some(edit.reason.map(|reason| reason.as_str())),
        ..base
    }
}

fn with_test_run<'a>(base: TagObject<'a>, run: &'a TestRunFact) -> TagObject<'a> {
    let counts = run.counts;
    TagObject {
        runner: Some(run.runner),
        outcome: Some(run.outcome.as_str()),
        reason: Some(run.reason.map(|reason| reason.as_str())),
        evidence: Some(run.evidence.as_str()),
        counts: Some(Counts {
            passed: counts.passed,
            failed: counts.failed,
            errors: counts.errors,
            skipped: counts.skipped,
        }),
        ..base
    }
}

fn with_network<'a>(base: TagObject<'a>, fact: &'a NetworkFact) -> TagObject<'a> {
    TagObject {
        host: Some(fact.host.as_deref()),
        host_kind: Some(fact.host_kind.as_str()),
        result: Some(fact.result.as_str()),
        explicit: Some(fact.explicit),
        ..base
    }
}
